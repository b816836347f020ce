// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows as csv, tsv, json and jsonl: exact numbers, quoting, failures. */
#include "output/format.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "frame/columns.h"
#include "tap.h"

#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)
#define SCHEMA TEXT(FW_SCHEMA_VERSION)

static const struct fw_column columns[] = {
	{ "i", "count", FW_INT, "", "", NULL },
	{ "d_ms", "ms", FW_MS, "", "", NULL },
	{ "r", "count", FW_REAL, "", "", NULL },
	{ "t,\"x\"", "text", FW_TEXT, "", "", NULL },
};
static const struct fw_table table = { "test", "", columns, 4, NULL };

static char out[4096];

/* What one row prints; the text stays until the next call. */
static const char *print(enum fw_format f, const struct fw_cell *cells, int rows)
{
	int fd = memfd_create("out", 0);
	struct fw_writer w;
	struct fw_sink *s;
	ssize_t n;

	fw_writer_init(&w, fd, "test");
	s = fw_format_sink(f, &w);
	s->begin(s, &table);
	while (rows--)
		s->row(s, cells);
	s->end(s);
	fw_format_sink_free(s);
	fw_writer_close(&w);
	n = pread(fd, out, sizeof(out) - 1, 0);
	out[n > 0 ? n : 0] = 0;
	close(fd);
	return out;
}

/* A context or seqno of the kernel's may use all 64 bits. */
static void large(void)
{
	struct fw_cell c[4] = { fw_uint(UINT64_MAX), fw_null(), fw_null(), fw_null() };
	struct fw_cell more = fw_uint(1ull << 63), most = fw_int(INT64_MAX), less = fw_int(-1);
	uint64_t u;

	is_str(print(FW_FORMAT_CSV, c, 1), "i,d_ms,r,\"t,\"\"x\"\"\"\n18446744073709551615,,,\n",
	       "csv: 2^64 - 1");
	is_str(print(FW_FORMAT_JSONL, c, 1),
	       "{\"schema\":" SCHEMA
	       ",\"i\":18446744073709551615,\"d_ms\":null,\"r\":null,\"t,\\\"x\\\"\":null}\n",
	       "jsonl: 2^64 - 1");
	ok(fw_cell_cmp(&more, &most) > 0 && fw_cell_cmp(&most, &more) < 0 &&
		   fw_cell_cmp(&more, &less) > 0 && fw_cell_cmp(&more, &c[0]) < 0,
	   "and they are ordered as such");
	ok(fw_str_uint(FW_STR("18446744073709551615"), &u) && u == UINT64_MAX, "read back");
	ok(!fw_str_uint(FW_STR("18446744073709551616"), &u) && !fw_str_uint(FW_STR("-1"), &u) &&
		   !fw_str_uint(FW_STR(""), &u),
	   "but nothing that it cannot hold");
}

static void numbers(void)
{
	static const struct {
		int64_t ns;
		const char *want;
	} ms[] = {
		{ 0, "0.000000" },
		{ 1, "0.000001" },
		{ -1, "-0.000001" },
		{ 16666667, "16.666667" },
		{ -1000000, "-1.000000" },
		{ INT64_MAX, "9223372036854.775807" },
		{ INT64_MIN, "-9223372036854.775808" },
	};
	static const struct {
		double d;
		const char *want;
	} reals[] = {
		{ 0.1, "0.1" },
		{ 1e300, "1e+300" },
		{ 123456789.125, "123456789.125" },
		{ -2.5, "-2.5" },
		{ 1.0 / 3, "0.3333333333333333" },
	};
	char want[128];

	for (size_t i = 0; i < sizeof(ms) / sizeof(ms[0]); i++) {
		struct fw_cell c[4] = { fw_null(), fw_ms(ms[i].ns), fw_null(), fw_null() };

		snprintf(want, sizeof(want), "i,d_ms,r,\"t,\"\"x\"\"\"\n,%s,,\n", ms[i].want);
		is_str(print(FW_FORMAT_CSV, c, 1), want, "%s ms", ms[i].want);
	}
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		struct fw_cell c[4] = { fw_int(INT64_MIN), fw_null(), fw_real(reals[i].d),
					fw_null() };

		snprintf(want, sizeof(want),
			 "i,d_ms,r,\"t,\"\"x\"\"\"\n-9223372036854775808,,%s,\n", reals[i].want);
		is_str(print(FW_FORMAT_CSV, c, 1), want, "%s, shortest", reals[i].want);
	}
	large();
}

static void texts(void)
{
	struct fw_cell c[4] = { fw_int(1), fw_null(), fw_real(NAN),
				fw_text(FW_STR("a\t\"b\",\\\n\x01\xff\xc3\xa9")) };
	struct fw_cell empty[4] = { fw_int(1), fw_null(), fw_null(), fw_text(FW_STR("")) };

	is_str(print(FW_FORMAT_CSV, c, 1),
	       "i,d_ms,r,\"t,\"\"x\"\"\"\n1,,,\"a\t\"\"b\"\",\\\n\x01\xef\xbf\xbd\xc3\xa9\"\n",
	       "csv quotes, and prints no number that is none");
	is_str(print(FW_FORMAT_TSV, c, 1),
	       "i\td_ms\tr\tt,\"x\"\n1\t\t\ta\\t\"b\",\\\\\\n\x01\xef\xbf\xbd\xc3\xa9\n",
	       "tsv escapes");
	is_str(print(FW_FORMAT_JSONL, c, 1),
	       "{\"schema\":" SCHEMA
	       ",\"i\":1,\"d_ms\":null,\"r\":null,\"t,\\\"x\\\"\":\"a\\t\\\"b\\\",\\\\\\n\\u0001"
	       "\\ufffd\xc3\xa9\"}\n",
	       "jsonl escapes, and is UTF-8");
	is_str(print(FW_FORMAT_JSON, empty, 2),
	       "[\n{\"schema\":" SCHEMA ",\"i\":1,\"d_ms\":null,\"r\":null,\"t,\\\"x\\\"\":\"\"},\n"
	       "{\"schema\":" SCHEMA ",\"i\":1,\"d_ms\":null,\"r\":null,\"t,\\\"x\\\"\":\"\"}\n]\n",
	       "an empty text is no null");
	is_str(print(FW_FORMAT_JSON, empty, 0), "[\n]\n", "no rows are an empty array");
	is_str(print(FW_FORMAT_CSV, empty, 0), "i,d_ms,r,\"t,\"\"x\"\"\"\n",
	       "no rows are the header alone");
	is_str(print(FW_FORMAT_JSONL, empty, 0), "", "or nothing");
}

static void failures(void)
{
	struct fw_cell c[4] = { fw_int(1), fw_null(), fw_null(), fw_text(FW_STR("text")) };
	struct fw_writer w;
	struct fw_sink *s;
	int err = 0, rows = 0, fd = open("/dev/full", O_WRONLY);

	if (fd < 0) {
		skip(5, "there is no /dev/full");
		return;
	}
	fw_writer_init(&w, fd, "/dev/full");
	s = fw_format_sink(FW_FORMAT_CSV, &w);
	s->begin(s, &table);
	while (!err && rows < 100000) {
		err = s->row(s, c);
		rows++;
	}
	is_int(err, -ENOSPC, "a full disk ends the rows");
	is_int(fw_writer_close(&w), -ENOSPC, "and closing says it again");
	ok(strstr(fw_fail_text(), "/dev/full"), "with the name: %s", fw_fail_text());
	fw_fail_clear();
	fw_format_sink_free(s);
	close(fd);
	is_int(fw_writer_open(&w, "/dev/full"), -EEXIST, "a file that is there is not opened");
	fw_fail_clear();
	is_int(fw_writer_open(&w, "/nowhere/at/all"), -ENOENT, "a directory that is not there");
	fw_fail_clear();
}

int main(void)
{
	numbers();
	texts();
	failures();
	return done_testing();
}
