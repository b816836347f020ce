// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/html.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "metrics/stat_rows.h"
#include "output/html_rows.h"
#include "output/json_text.h"
#include "version.h"

/* user/output/page.S: the page up to the rows and after them. */
extern const char fw_page[];
extern const uint64_t fw_page_size;

static const char here[] = "<!--rows-->\n";

struct fw_html {
	const char *name;
	struct fw_writer *w;
	struct fw_sink *sinks[FW_FRAME_TABLES];
	const char *rest; /* of the page */
};

int fw_html_check(void)
{
	if (!fw_page_size)
		return fw_fail(ENOTSUP, "this framewait was built without the HTML page: build it "
					"with npm (make says what it lacks), or use --format csv");
	return 0;
}

static void put_about(struct fw_html *h)
{
	fw_writer_puts(h->w, FW_STR("<script type=\"application/json\" id=\"about\">{\"input\":"));
	fw_json_text_in_html(h->w, fw_str(h->name));
	fw_writer_puts(h->w, FW_STR(",\"version\":"));
	fw_json_text_in_html(h->w, FW_STR(FW_VERSION));
	fw_writer_printf(h->w, ",\"schema\":%d}</script>\n", FW_SCHEMA_VERSION);
}

struct fw_html *fw_html_new(const char *name, struct fw_writer *w)
{
	struct fw_html *h = fw_zalloc(sizeof(*h));
	const char *at = memmem(fw_page, fw_page_size, here, sizeof(here) - 1);

	h->name = name;
	h->w = w;
	h->rest = at ? at + sizeof(here) - 1 : fw_page + fw_page_size;
	fw_writer_put(w, fw_page, (size_t)(at ? at - fw_page : 0));
	put_about(h);
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		if (t != FW_THREADS) /* the intervals say more */
			h->sinks[t] = fw_html_rows(w);
	return h;
}

void fw_html_free(struct fw_html *h)
{
	if (!h)
		return;
	for (int t = 0; t < FW_FRAME_TABLES; t++)
		fw_html_rows_free(h->sinks[t]);
	free(h);
}

struct fw_sink *fw_html_sink(struct fw_html *h, enum fw_frame_table t)
{
	return h->sinks[t];
}

static int put_metrics(struct fw_html *h, const struct fw_run *run)
{
	struct fw_sink *s = fw_html_rows(h->w);
	int err = s->begin(s, &fw_stat_table);

	err = err ? err : fw_stat_rows(run, h->name, s);
	err = err ? err : s->end(s);
	fw_html_rows_free(s);
	return err;
}

int fw_html_finish(struct fw_html *h, const struct fw_run *run)
{
	int err = put_metrics(h, run);

	if (err)
		return err;
	fw_writer_put(h->w, h->rest, (size_t)(fw_page + fw_page_size - h->rest));
	return fw_writer_flush(h->w);
}
