/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_WHOLE_H
#define FW_OUTPUT_WHOLE_H

#include <stddef.h>

/**
 * struct fw_whole - files that get their names when all of them are whole
 *
 * Until then each has another name beside its own, which ends in .tmp. On an error nothing is left
 * of them, nor of the directories that were made for them; and nothing when the program exits or a
 * signal ends it meanwhile, but for SIGKILL. One set at a time.
 */
struct fw_whole {
	struct fw_whole_file *files;
	size_t n, cap;
	char **dirs; /* that were made, a parent before what is in it */
	size_t n_dirs, cap_dirs;
};

/* @w: stays the caller's until fw_whole_end(), and does not move. */
void fw_whole_begin(struct fw_whole *w);
/* Make a directory where there is none. Return: 0, or a negative errno with fw_fail() set. */
int fw_whole_dir(struct fw_whole *w, const char *path);
/* A file that is to be @path. Return: its name until then, which is not there yet; @w's. */
const char *fw_whole_add(struct fw_whole *w, const char *path);
/* All are to lie in another directory of the same file system. */
void fw_whole_move(struct fw_whole *w, const char *dir);
/**
 * fw_whole_end() - name the files, all closed, or remove what was made
 * @err: of the rows: 0 when the files are whole
 * Return: @err, or a negative errno with fw_fail() set.
 */
int fw_whole_end(struct fw_whole *w, int err);

#endif
