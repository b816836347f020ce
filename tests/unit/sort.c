// SPDX-License-Identifier: GPL-2.0-or-later
/* The sorter: order, stability and content, in memory and through its temporary file. */
#include "base/sort.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tap.h"

struct rec {
	uint32_t key, seq;
	char pad[];
};

static int cmp(const void *a, const void *b, const void *ctx)
{
	const struct rec *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static size_t pad_of(uint32_t seq)
{
	return (seq * 2654435761u) >> 26;
}

static void fill(struct fw_sort *s, uint32_t n, uint32_t keys)
{
	char buf[sizeof(struct rec) + 64];
	struct rec *r = (struct rec *)buf;
	uint32_t i;

	for (i = 0; i < n; i++) {
		r->key = (i * 2246822519u >> 7) % keys;
		r->seq = i;
		memset(r->pad, (int)(i & 0xff), pad_of(i));
		fw_sort_add(s, r, sizeof(*r) + pad_of(i));
	}
}

/* Return: the number of records, or -1 where order, stability or content is wrong. */
static long drain(struct fw_sort *s)
{
	uint32_t key = 0, seq = 0;
	const void *rec;
	size_t len, i;
	long n = 0;

	while (fw_sort_next(s, &rec, &len) > 0) {
		const struct rec *r = rec;

		if ((uintptr_t)rec % 8 || len != sizeof(*r) + pad_of(r->seq))
			return -1;
		if (n && (r->key < key || (r->key == key && r->seq <= seq)))
			return -1;
		for (i = 0; i < pad_of(r->seq); i++) {
			if (r->pad[i] != (char)(r->seq & 0xff))
				return -1;
		}
		key = r->key;
		seq = r->seq;
		n++;
	}
	return n;
}

static void one(size_t budget, uint32_t n, uint32_t keys, const char *what)
{
	struct fw_sort *s = fw_sort_new(budget, cmp, NULL);

	fill(s, n, keys);
	is_int((int64_t)fw_sort_count(s), n, "%s: all records counted", what);
	is_int(drain(s), n, "%s: in order, stable, whole", what);
	fw_sort_rewind(s);
	is_int(drain(s), n, "%s: the same once more", what);
	fw_sort_free(s);
}

int main(void)
{
	struct fw_sort *s = fw_sort_new(4096, cmp, NULL);

	is_int(drain(s), 0, "an empty sorter ends at once");
	fw_sort_free(s);
	one(4 << 20, 5000, 77, "in memory");
	one(20000, 5000, 77, "a few runs");
	one(2000, 100000, 1000, "two levels of merging");
	one(16, 300, 10, "every record larger than the budget");
	setenv("TMPDIR", "/nonexistent", 1);
	s = fw_sort_new(64, cmp, NULL);
	{
		struct rec r = { 1, 0 };
		int err = 0, i;

		for (i = 0; i < 100 && !err; i++)
			err = fw_sort_add(s, &r, sizeof(r));
		ok(err < 0, "no room for a temporary file is an error, not a loss");
	}
	fw_sort_free(s);
	return done_testing();
}
