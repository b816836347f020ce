// SPDX-License-Identifier: GPL-2.0-or-later
/* The automaton that the kernel runs over thread names answers as the plain matcher does. */
#include <stdlib.h>

#include "base/str.h"
#include "live/targets.h"
#include "tap.h"

static char letter(void)
{
	return "aab.-"[rand() % 5];
}

int main(void)
{
	struct fw_glob g;
	int differ = 0, matches = 0, compiled = 0;

	srand(1);
	for (int i = 0; i < 20000; i++) {
		char pattern[16] = "", name[16] = "";
		int np = rand() % 8, nn = rand() % 10;

		for (int k = 0; k < np; k++)
			pattern[k] = rand() % 3 ? letter() : "*?"[rand() % 2];
		for (int k = 0; k < nn; k++)
			name[k] = letter();
		if (fw_glob_compile(pattern, FW_GLOB_THREAD, &g))
			continue;
		compiled++;
		matches += fw_glob_match(&g, name);
		if (fw_glob_match(&g, name) != fw_str_glob(fw_str(name), pattern)) {
			diag("'%s' against '%s'", name, pattern);
			differ++;
		}
	}
	is_int(differ, 0, "20,000 random patterns and names");
	ok(compiled > 19000 && matches > 500, "of which %d match", matches);
	is_int(fw_glob_compile("fw-pi[np]g", FW_GLOB_THREAD, &g), 0, "a class");
	ok(fw_glob_match(&g, "fw-ping") && fw_glob_match(&g, "fw-pipg") &&
		   !fw_glob_match(&g, "fw-pixg"),
	   "matches its bytes only");
	is_int(fw_glob_compile("[!a-c]x", FW_GLOB_THREAD, &g), 0, "a negated class");
	ok(fw_glob_match(&g, "dx") && !fw_glob_match(&g, "bx"), "matches the other bytes");
	ok(fw_glob_compile("[ab", FW_GLOB_THREAD, &g) < 0, "a class without end is refused");
	ok(fw_glob_compile("0123456789abcdef", FW_GLOB_THREAD, &g) < 0,
	   "so is a name that is longer than the kernel's");
	ok(!fw_glob_compile("*0123456789abcde", FW_GLOB_THREAD, &g) &&
		   fw_glob_match(&g, "0123456789abcde"),
	   "15 bytes and a star are not");
	return done_testing();
}
