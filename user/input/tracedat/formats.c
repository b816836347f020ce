// SPDX-License-Identifier: GPL-2.0-or-later
/* formats - where the values of each event stand, from the kernel's format files */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "input/tracedat/tracedat.h"

/* The bytes of a span, with a NUL behind them; free it. NULL: too long, or not there. */
static char *copy(struct td *t, struct td_span s)
{
	struct td_cursor c = td_cursor(t, s);
	const uint8_t *p = s.len <= TD_FORMAT_MAX ? td_bytes(&c, s.len) : NULL;
	char *text = p ? fw_zalloc(s.len + 1) : NULL;

	if (text)
		memcpy(text, p, s.len);
	return text;
}

static const char *next_line(const char *p)
{
	p = strchr(p, '\n');
	return p ? p + 1 : NULL;
}

/* "name: sched_switch" at a line's start. */
static bool find_line(const char *text, const char *key, const char **value, size_t *len)
{
	size_t n = strlen(key);

	for (const char *p = text; p; p = next_line(p)) {
		if (strncmp(p, key, n))
			continue;
		*value = p + n;
		*len = strcspn(p + n, "\r\n");
		return true;
	}
	return false;
}

/* The number behind "key:" within a line. Return: false where there is none, or it is beyond 64 KiB. */
static bool line_number(struct fw_str line, const char *key, uint16_t *out)
{
	const char *p = memmem(line.p, line.len, key, strlen(key));
	char *end;
	unsigned long v;

	if (!p)
		return false;
	p += strlen(key);
	v = strtoul(p, &end, 10);
	*out = (uint16_t)v;
	return end > p && *p >= '0' && *p <= '9' && v <= UINT16_MAX;
}

/* The name that a declaration ends in: "char comm[16]", "__data_loc char[] driver". */
static struct fw_str declared_name(struct fw_str decl)
{
	size_t end = decl.len, start;

	while (end && decl.p[end - 1] == ']') {
		while (end && decl.p[end - 1] != '[')
			end--;
		end -= end > 0;
	}
	for (start = end;
	     start &&
	     (decl.p[start - 1] == '_' || (decl.p[start - 1] >= '0' && decl.p[start - 1] <= '9') ||
	      ((decl.p[start - 1] | 0x20) >= 'a' && (decl.p[start - 1] | 0x20) <= 'z'));)
		start--;
	return (struct fw_str){ decl.p + start, end - start };
}

/* "	field:TYPE NAME;	offset:N;	size:N;	signed:N;" Return: false for another line. */
static bool read_field(const char *at, struct fw_str *name, struct td_field *out)
{
	struct fw_str line, decl;
	const char *end;
	uint16_t v;

	at += strspn(at, " \t");
	if (strncmp(at, "field:", 6))
		return false;
	line = (struct fw_str){ at + 6, strcspn(at + 6, "\n") };
	end = memchr(line.p, ';', line.len);
	if (!end)
		return false;
	decl = (struct fw_str){ line.p, (size_t)(end - line.p) };
	decl.p += strspn(decl.p, " ");
	decl.len = (size_t)(end - decl.p);
	*name = declared_name(decl);
	*out = (struct td_field){ .has = true };
	if (fw_str_starts(decl, FW_STR("__data_loc ")))
		out->loc = 1;
	else if (fw_str_starts(decl, FW_STR("__rel_loc ")))
		out->loc = 2;
	/* Kernels before 2.6.32 do not say it. */
	out->is_signed = line_number(line, "signed:", &v)
				 ? v != 0
				 : !fw_str_starts(decl, FW_STR("unsigned"));
	return name->len && line_number(line, "offset:", &out->offset) &&
	       line_number(line, "size:", &out->size);
}

/* The field of a name; what stands behind "print fmt:" is none. */
static bool find_field(const char *text, struct fw_str want, struct td_field *out)
{
	struct td_field f;
	struct fw_str name;

	for (const char *p = text; p && strncmp(p, "print fmt:", 10); p = next_line(p)) {
		if (!read_field(p, &name, &f) || !fw_str_eq(name, want))
			continue;
		*out = f;
		return true;
	}
	return false;
}

void td_header_page(struct td *t, struct td_span s)
{
	char *text = copy(t, s);
	struct td_field commit = { .size = 8 };

	/* Kernels that have no such file have the long of their machine. */
	if (text)
		find_field(text, FW_STR("commit"), &commit);
	free(text);
	t->commit_size = commit.size == 4 ? 4 : 8;
	t->data_offset = 8 + t->commit_size;
}

/* "state|frequency": whichever there is. Return: whether one is, or "?" says that none needs be. */
static bool take_any(struct td_field *out, const char *text, const char *names)
{
	bool need = *names != '?';

	for (const char *n = names + !need; *n && !out->has;) {
		size_t len = strcspn(n, "|");

		find_field(text, (struct fw_str){ n, len }, out);
		n += len + (n[len] == '|');
	}
	return out->has || !need;
}

/* Return: false for a format that does not say what it must. */
static bool take_fields(struct td *t, struct td_event *e, const char *text)
{
	const char *const *names = td_kind_fields(e->kind);
	bool all = true;

	for (int i = 0; i < TD_FIELDS && names[i]; i++)
		all &= take_any(&e->fields[i], text, names[i]);
	if (!t->pid.has) {
		find_field(text, FW_STR("common_type"), &t->type);
		find_field(text, FW_STR("common_flags"), &t->flags);
		find_field(text, FW_STR("common_pid"), &t->pid);
	}
	return all;
}

/* The bit that a state letter has on kernels before 4.8, whose layout has room for every letter. */
static int64_t plain_bit(char letter)
{
	static const char letters[] = "SDTtXZxKWP";
	const char *p = letter ? strchr(letters, letter) : NULL;

	if (letter == 'I')
		return 0x402;
	return p ? INT64_C(1) << (p - letters) : 0;
}

/*
 * Which letters the bits of prev_state have, as the event prints them, for where nothing says which
 * kernel it was: "{ 1, \"S\" }, ..." and "& 1024 ? \"+\"".
 */
static void read_states(struct td *t, const char *text)
{
	const char *p = strstr(text, "print fmt:"), *plus = p ? strstr(p, "? \"+\"") : NULL;
	char *end;

	t->n_states = 0;
	for (; p && (p = strchr(p, '{')) && t->n_states < ARRAY_SIZE(t->states); p++) {
		uint64_t bit = strtoull(p + 1, &end, 0);

		if (end == p + 1 || strncmp(end, ", \"", 3) || !end[3] || end[4] != '"')
			continue;
		t->states[t->n_states++] = (struct td_state){ bit, plain_bit(end[3]) };
	}
	/* Since 4.14 the bit above all letters, as an expression. */
	t->preempted = 0x100;
	while (plus && plus > text && *plus != '&')
		plus--;
	if (plus && plus[1] == ' ' && plus[2] >= '1' && plus[2] <= '9')
		t->preempted = strtoull(plus + 1, NULL, 0);
}

void td_format(struct td *t, struct td_span s)
{
	char *text = copy(t, s);
	const char *name, *id_text;
	char with_nul[128] = "";
	struct td_event e = { .kind = -1 };
	size_t name_len, len;
	uint64_t *known;
	long id;

	if (!text || !find_line(text, "name: ", &name, &name_len) ||
	    !find_line(text, "ID: ", &id_text, &len))
		goto out;
	id = strtol(id_text, NULL, 10);
	if (id < 0 || id >= TD_EVENTS_MAX || t->n_events >= TD_EVENTS_MAX)
		goto out;
	known = fw_map_slot(&t->by_id, (uint64_t)id);
	if (*known)
		goto out;
	name_len = FW_MIN(name_len, sizeof(with_nul) - 1);
	memcpy(with_nul, name, name_len);
	e.name = fw_names_id(t->names, (struct fw_str){ with_nul, name_len + 1 });
	e.kind = (int16_t)td_kind_find((struct fw_str){ name, name_len });
	if (e.kind >= 0 && !take_fields(t, &e, text)) {
		fw_health_add(t->health, FW_H_fw_bad_packets, FW_HEALTH_NO_IDX, 1);
		e.kind = -1;
	}
	if (e.kind >= 0 && td_kind_type(e.kind) == FW_EV_SCHED_SWITCH)
		read_states(t, text);
	fw_grow(t->events, t->n_events, t->events_cap);
	t->events[t->n_events++] = e;
	*known = t->n_events;
out:
	free(text);
}
