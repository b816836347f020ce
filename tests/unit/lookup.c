// SPDX-License-Identifier: GPL-2.0-or-later
/* Records by a number: in order, stable, found from anywhere, also when there are many. */
#include "base/lookup.h"

#include "tap.h"

struct rec {
	int64_t key, value;
};

#define MANY 200000

static int64_t key_at(struct fw_lookup *l, uint64_t i)
{
	const void *rec;

	return fw_lookup_at(l, i, &rec) == 1 ? ((const struct rec *)rec)->key : INT64_MIN;
}

static void none(void)
{
	struct fw_lookup *l = fw_lookup_new(sizeof(struct rec));
	uint64_t i = 7;
	const void *rec;

	is_int(fw_lookup_ready(l), 0, "no record");
	ok(!fw_lookup_from(l, 5, &i) && i == 0, "nothing to find");
	is_int(fw_lookup_at(l, 0, &rec), 0, "nothing there");
	fw_lookup_free(l);
}

static void many(void)
{
	struct fw_lookup *l = fw_lookup_new(sizeof(struct rec));
	bool found = true, stable = true;
	uint64_t at;
	const void *rec;

	/* Each even key twice, in an order that is none. */
	for (int64_t i = 0; i < MANY; i++) {
		struct rec r = { (i * 7919 % (MANY / 2)) * 2, i };

		fw_lookup_add(l, &r);
	}
	is_int(fw_lookup_ready(l), 0, "many records");
	is_int(fw_lookup_count(l), MANY, "all of them");
	for (int64_t i = 0; i < 4000; i++) {
		int64_t key = i * 6151 % MANY;

		if (fw_lookup_from(l, key, &at))
			found = false;
		found &= key_at(l, at) == key + (key & 1) || (at == MANY && key > MANY - 2);
		found &= !at || key_at(l, at - 1) < key;
	}
	ok(found, "each key is found, or the one after it");
	for (uint64_t i = 0; i < MANY; i += 2) {
		int64_t first = -1;

		stable &= fw_lookup_at(l, i, &rec) == 1;
		first = ((const struct rec *)rec)->value;
		stable &= fw_lookup_at(l, i + 1, &rec) == 1;
		stable &= ((const struct rec *)rec)->value > first;
	}
	ok(stable, "equal keys keep their order");
	ok(!fw_lookup_from(l, INT64_MAX, &at) && at == MANY, "nothing behind the last");
	ok(!fw_lookup_from(l, INT64_MIN, &at) && at == 0, "all from the smallest");
	fw_lookup_free(l);
}

int main(void)
{
	none();
	many();
	return done_testing();
}
