// SPDX-License-Identifier: GPL-2.0-or-later
/* tasks - the tables beside the trace: names and processes of threads, names of functions */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "input/tracedat/tracedat.h"

#define LINE_MAX 512

/* The next line of a span, without its end; a longer one is cut. Return: false at the end. */
static bool next_line(struct td_cursor *c, char line[LINE_MAX], uint64_t *at)
{
	size_t have = (size_t)FW_MIN(c->end - c->pos, (uint64_t)LINE_MAX - 1), n;
	const uint8_t *p, *end;

	if (!have)
		return false;
	*at = c->pos;
	p = td_bytes(c, have);
	if (!p)
		return false;
	end = memchr(p, '\n', have);
	n = end ? (size_t)(end - p) : have;
	memcpy(line, p, n);
	line[n] = '\0';
	c->pos = *at + n + (end ? 1 : 0);
	return true;
}

static struct td_task *task(struct td *t, int32_t tid)
{
	uint64_t *slot = fw_map_slot(&t->task_of, (uint32_t)tid);

	if (!*slot && t->n_tasks >= TD_TASKS_MAX)
		return NULL;
	if (!*slot) {
		fw_grow(t->tasks, t->n_tasks, t->tasks_cap);
		t->tasks[t->n_tasks] = (struct td_task){ .tid = tid, .tgid = -1 };
		*slot = ++t->n_tasks;
	}
	return &t->tasks[*slot - 1];
}

/* A number from 0 on, and one blank behind it. */
static bool leading_pid(char **p, int32_t *out)
{
	char *end;
	long v;

	if (**p < '0' || **p > '9')
		return false;
	v = strtol(*p, &end, 10);
	if (v > INT32_MAX || (*end && *end != ' ' && *end != '\t'))
		return false;
	*p = *end ? end + 1 : end;
	*out = (int32_t)v;
	return true;
}

void td_read_tasks(struct td *t)
{
	struct td_cursor c = td_cursor(t, t->cmdlines);
	char line[LINE_MAX], *p;
	struct td_task *task_;
	int32_t tid, tgid;
	uint64_t at;

	while (next_line(&c, line, &at)) {
		p = line;
		/* The idle threads of all cpus share a number. */
		if (!leading_pid(&p, &tid) || !tid || !*p)
			continue;
		task_ = task(t, tid);
		if (task_)
			task_->name = fw_names_id(t->names, fw_str(p));
	}
	c = td_cursor(t, t->tgids);
	while (next_line(&c, line, &at)) {
		p = line;
		if (!leading_pid(&p, &tid) || !leading_pid(&p, &tgid) || !tid || !tgid)
			continue;
		task_ = task(t, tid);
		if (!task_)
			continue;
		task_->tgid = tgid;
		t->n_tgids++;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct td_symbol *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* "ffffffff81000000 T start_thread	[module]" */
static void read_symbols(struct td *t)
{
	struct td_cursor c = td_cursor(t, t->kallsyms);
	char line[LINE_MAX], *end;
	uint64_t addr, at;

	t->symbols_read = true;
	while (next_line(&c, line, &at) && t->n_symbols < TD_SYMBOLS_MAX) {
		addr = strtoull(line, &end, 16);
		if (!addr || end == line || end[0] != ' ' || !end[1] || !strchr("tTwW", end[1]) ||
		    end[2] != ' ')
			continue;
		fw_grow(t->symbols, t->n_symbols, t->symbols_cap);
		t->symbols[t->n_symbols++] =
			(struct td_symbol){ .addr = addr, .pos = at + (uint64_t)(end + 3 - line) };
	}
	if (t->n_symbols)
		qsort(t->symbols, t->n_symbols, sizeof(*t->symbols), by_address);
}

/* The first of the last symbols not behind an address. */
static const struct td_symbol *find_symbol(const struct td *t, uint64_t addr)
{
	size_t lo = 0, hi = t->n_symbols;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (t->symbols[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo > 1 && t->symbols[lo - 2].addr == t->symbols[lo - 1].addr)
		lo--;
	return lo ? &t->symbols[lo - 1] : NULL;
}

struct fw_str td_symbol(struct td *t, uint64_t addr)
{
	uint64_t *known = fw_map_get(&t->callers, addr), at;
	const struct td_symbol *s;
	char line[LINE_MAX];
	uint32_t id = 0;

	if (known)
		return fw_names_str(t->names, (uint32_t)*known);
	if (!t->symbols_read)
		read_symbols(t);
	s = addr ? find_symbol(t, addr) : NULL;
	if (s) {
		struct td_cursor c = { .t = t,
				       .pos = s->pos,
				       .end = t->kallsyms.pos + t->kallsyms.len };

		/* Behind the last function of the kernel there is another world. */
		if (addr - s->addr < 1u << 20 && next_line(&c, line, &at))
			id = fw_names_id(t->names, (struct fw_str){ line, strcspn(line, "\t [") });
	}
	/* A hostile file has as many addresses as it likes. */
	if (t->callers.n < 65536)
		fw_map_set(&t->callers, addr, id);
	return fw_names_str(t->names, id);
}
