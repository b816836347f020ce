// SPDX-License-Identifier: GPL-2.0-or-later
#include "output/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/perfetto.h"
#include "output/sqlite.h"

static const char *const names[FW_FILE_FORMATS] = { "", "sqlite", "perfetto" };

struct fw_file {
	struct fw_sqlite *sqlite;
	struct fw_perfetto *perfetto;
};

enum fw_file_format fw_file_format_find(const char *name)
{
	for (int f = FW_FILE_NONE + 1; f < FW_FILE_FORMATS; f++)
		if (!strcmp(name, names[f]))
			return f;
	return FW_FILE_NONE;
}

const char *fw_file_format_name(enum fw_file_format f)
{
	return names[f];
}

const char *fw_file_format_names(void)
{
	return "sqlite, perfetto";
}

int fw_file_open(enum fw_file_format f, const char *path, struct fw_file **out)
{
	struct fw_file *file = fw_zalloc(sizeof(*file));
	int err = f == FW_FILE_SQLITE ? fw_sqlite_open(path, &file->sqlite)
				      : fw_perfetto_open(path, &file->perfetto);

	if (err) {
		free(file);
		file = NULL;
	}
	*out = file;
	return err;
}

struct fw_sink *fw_file_sink(struct fw_file *f, enum fw_frame_table t)
{
	return f->sqlite ? fw_sqlite_sink(f->sqlite, t) : fw_perfetto_sink(f->perfetto, t);
}

int fw_file_close(struct fw_file *f, int err)
{
	err = f->sqlite ? fw_sqlite_close(f->sqlite, err) : fw_perfetto_close(f->perfetto, err);
	free(f);
	return err;
}
