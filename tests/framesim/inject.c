// SPDX-License-Identifier: GPL-2.0-or-later
#include "inject.h"

#include <stdlib.h>
#include <string.h>

#define MAX 64

static const struct {
	const char *name, *unit, *column, *what;
	int64_t n;
} kinds[INJECT_COUNT] = {
#define INJECT(name, n, unit, column, what) [INJECT_##name] = { #name, unit, column, what, n },
	INJECTIONS
#undef INJECT
};

static struct {
	enum inject kind;
	int64_t n, frame;
} list[MAX];
static int n_list;

const char *inject_name(enum inject k)
{
	return kinds[k].name;
}

const char *inject_column(enum inject k)
{
	return kinds[k].column;
}

void inject_usage(FILE *to)
{
	for (int k = 0; k < INJECT_COUNT; k++) {
		char n[32] = "";

		if (kinds[k].n)
			snprintf(n, sizeof(n), "=%d %s", (int)kinds[k].n, kinds[k].unit);
		fprintf(to, "  %-18s %-9s %s\n", kinds[k].name, n, kinds[k].what);
	}
}

static void wrong(const char *spec)
{
	fprintf(stderr,
		"framesim: --inject %s: not KIND[=N]@FRAME; framesim --help lists the kinds\n",
		spec);
	exit(2);
}

void inject_parse(const char *spec)
{
	size_t len = strcspn(spec, "=@");
	const char *at = strchr(spec, '@');
	char *end;
	int k = 0;

	while (k < INJECT_COUNT &&
	       (strlen(kinds[k].name) != len || strncmp(kinds[k].name, spec, len)))
		k++;
	if (k == INJECT_COUNT || !at || n_list == MAX)
		wrong(spec);
	list[n_list].kind = k;
	list[n_list].n = kinds[k].n;
	if (spec[len] == '=') {
		list[n_list].n = strtol(spec + len + 1, &end, 10);
		if (end != at || list[n_list].n <= 0 || list[n_list].n > 1000 || !*kinds[k].unit)
			wrong(spec);
	}
	list[n_list].frame = strtol(at + 1, &end, 10);
	if (*end || list[n_list].frame < 1)
		wrong(spec);
	n_list++;
}

bool inject_at(enum inject k, int64_t index, int64_t *n)
{
	for (int i = 0; i < n_list; i++) {
		if (list[i].kind != k || list[i].frame != index)
			continue;
		if (n)
			*n = list[i].n;
		return true;
	}
	return false;
}

bool inject_stuffs(int64_t index)
{
	for (int i = 0; i < n_list; i++) {
		if (list[i].kind == INJECT_stuffing && index >= list[i].frame &&
		    index <= list[i].frame + list[i].n)
			return true;
	}
	return false;
}

bool inject_any(enum inject k)
{
	for (int i = 0; i < n_list; i++)
		if (list[i].kind == k)
			return true;
	return false;
}
