// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats and records of the events in a generated trace.dat, for machines of either width and order. */
#include "tracedat_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_put(struct bytes *b, const void *p, size_t n)
{
	if (b->n + n > b->cap) {
		b->cap = (b->n + n) * 2;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			exit(1);
	}
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

void bytes_zeros(struct bytes *b, size_t n)
{
	static const uint8_t zeros[4096];

	for (; n > sizeof(zeros); n -= sizeof(zeros))
		bytes_put(b, zeros, sizeof(zeros));
	bytes_put(b, zeros, n);
}

void bytes_set(struct bytes *b, size_t at, uint64_t v, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		b->p[at + i] = (uint8_t)(v >> 8 * (b->big ? size - 1 - i : i));
}

void bytes_u(struct bytes *b, uint64_t v, unsigned int size)
{
	bytes_zeros(b, size);
	bytes_set(b, b->n - size, v, size);
}

void bytes_text(struct bytes *b, const char *s)
{
	bytes_put(b, s, strlen(s) + 1);
}

#define STATES                                                                                     \
	"REC->prev_state & ((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | "    \
	"0x0040) + 1) << 1) - 1) ? __print_flags(REC->prev_state & ((((0x0000 | 0x0001 | 0x0002 "  \
	"| 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1), \"|\", { 0x0001, \"S\" "   \
	"}, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, { 0x0010, \"X\" }, { "        \
	"0x0020, \"Z\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }) : \"R\", REC->prev_state & "       \
	"(((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? "  \
	"\"+\" : \"\""

#define COMM(n)                                                                                    \
	{                                                                                          \
		"char", n "[16]", 16, false                                                        \
	}
#define INT(n)                                                                                     \
	{                                                                                          \
		"int", n, 4, true                                                                  \
	}
#define UINT(n)                                                                                    \
	{                                                                                          \
		"unsigned int", n, 4, false                                                        \
	}
#define LOC(n)                                                                                     \
	{                                                                                          \
		"__data_loc char[]", n, -2, false                                                  \
	}

#define FENCE_PRINT                                                                                \
	"\"driver=%s timeline=%s context=%u seqno=%u\", __get_str(driver), __get_str(timeline), "  \
	"REC->context, REC->seqno"

const struct format formats[EV_N] = {
	[EV_SWITCH] = { "sched",
			"sched_switch",
			"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "
			"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, "
			"REC->prev_prio, " STATES ", REC->next_comm, REC->next_pid, REC->next_prio",
			300,
			{ COMM("prev_comm"),
			  INT("prev_pid"),
			  INT("prev_prio"),
			  { "long", "prev_state", -1, true },
			  COMM("next_comm"),
			  INT("next_pid"),
			  INT("next_prio") } },
	[EV_WAKING] = { "sched",
			"sched_waking",
			"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, "
			"REC->prio, REC->target_cpu",
			301,
			{ COMM("comm"), INT("pid"), INT("prio"), INT("target_cpu") } },
	[EV_BLOCKED] = { "sched",
			 "sched_blocked_reason",
			 "\"pid=%d iowait=%d caller=%pS\", REC->pid, REC->io_wait, REC->caller",
			 302,
			 { INT("pid"),
			   { "void*", "caller", -1, false },
			   { "bool", "io_wait", 1, false } } },
	[EV_NEWTASK] = { "task",
			 "task_newtask",
			 "\"pid=%d comm=%s clone_flags=%lx oom_score_adj=%hd\", REC->pid, "
			 "REC->comm, REC->clone_flags, REC->oom_score_adj",
			 310,
			 { INT("pid"),
			   COMM("comm"),
			   { "unsigned long", "clone_flags", -1, false },
			   { "short", "oom_score_adj", 2, true } } },
	[EV_IRQ_ENTRY] = { "irq",
			   "irq_handler_entry",
			   "\"irq=%d name=%s\", REC->irq, __get_str(name)",
			   320,
			   { INT("irq"), LOC("name") } },
	[EV_IRQ_EXIT] = { "irq",
			  "irq_handler_exit",
			  "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\"",
			  321,
			  { INT("irq"), INT("ret") } },
	[EV_FREQUENCY] = { "power",
			   "cpu_frequency",
			   "\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, (unsigned "
			   "long)REC->cpu_id",
			   330,
			   { { "u32", "state", 4, false }, { "u32", "cpu_id", 4, false } } },
	[EV_FENCE_INIT] = { "dma_fence",
			    "dma_fence_init",
			    FENCE_PRINT,
			    340,
			    { LOC("driver"), LOC("timeline"), UINT("context"), UINT("seqno") } },
	[EV_FENCE_SIGNALED] = { "dma_fence",
				"dma_fence_signaled",
				FENCE_PRINT,
				341,
				{ LOC("driver"), LOC("timeline"), UINT("context"),
				  UINT("seqno") } },
	[EV_PRINT] = { "ftrace",
		       "print",
		       "\"%ps: %s\", (void *)REC->ip, REC->buf",
		       5,
		       { { "unsigned long", "ip", -1, false }, { "char", "buf[]", 0, false } } },
};

static int size_of(const struct field *f, int long_size)
{
	return f->size == -1 ? long_size : f->size == -2 ? 4 : f->size;
}

static int aligned(int at, int size)
{
	int to = size == 1 || size == 2 || size == 4 || size == 8 ? size : 1;

	return (at + to - 1) / to * to;
}

void put_format(struct bytes *b, const struct format *f, int long_size)
{
	char text[4096];
	int n = snprintf(
		text, sizeof(text),
		"name: %s\nID: %d\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		f->name, f->id);
	int at = 8;

	for (int i = 0; i < 8 && f->fields[i].name; i++) {
		const struct field *d = &f->fields[i];
		int size = size_of(d, long_size);

		at = aligned(at, size);
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			      "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", d->type,
			      d->name, at, size, d->is_signed);
		at += size;
	}
	n += snprintf(text + n, sizeof(text) - (size_t)n, "\nprint fmt: %s\n", f->print);
	bytes_u(b, (uint64_t)n, 8);
	bytes_put(b, text, (size_t)n);
}

void put_record(struct bytes *b, enum ev e, int long_size, int flags, int pid,
		const struct value *v)
{
	const struct format *f = &formats[e];
	size_t start = b->n, at[8];
	int i;

	bytes_u(b, (uint64_t)f->id, 2);
	bytes_u(b, (uint64_t)flags, 1);
	bytes_u(b, 0, 1);
	bytes_u(b, (uint64_t)(uint32_t)pid, 4);
	for (i = 0; i < 8 && f->fields[i].name; i++) {
		int size = size_of(&f->fields[i], long_size);
		size_t name = v[i].text ? strlen(v[i].text) : 0;

		bytes_zeros(b, (size_t)aligned((int)(b->n - start), size) - (b->n - start));
		at[i] = b->n;
		if (f->fields[i].size == 16) {
			bytes_put(b, v[i].text, name);
			bytes_zeros(b, 16 - name);
		} else if (f->fields[i].size == 0) {
			bytes_text(b, v[i].text);
		} else {
			bytes_u(b, (uint64_t)v[i].number, (unsigned int)size);
		}
	}
	for (i = 0; i < 8 && f->fields[i].name; i++) {
		if (f->fields[i].size != -2)
			continue;
		bytes_set(b, at[i], (strlen(v[i].text) + 1) << 16 | (b->n - start), 4);
		bytes_text(b, v[i].text);
	}
}
