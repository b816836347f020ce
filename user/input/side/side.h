/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_INPUT_SIDE_SIDE_H
#define FW_INPUT_SIDE_SIDE_H

#include "input/source.h"

/*
 * Texts that are no recording: they hold rows on frames, which stand in a table of their own or
 * beside the frames of a recording.
 */
enum fw_side_kind { FW_SIDE_NONE, FW_SIDE_FRAMESTATS, FW_SIDE_LATENCY };

/**
 * fw_side_probe() - is the source one of the dumps that can be told by their first lines?
 * Return: 0 and *@kind, or a negative errno with fw_fail() set.
 */
int fw_side_probe(struct fw_source *src, enum fw_side_kind *kind);

/**
 * fw_side_open() - a file that is to be of a kind
 * Return: 0 and *@src, or a negative errno with fw_fail() set.
 */
int fw_side_open(const char *path, enum fw_side_kind kind, struct fw_source **src);

#endif
