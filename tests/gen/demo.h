/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_GEN_DEMO_H
#define FW_GEN_DEMO_H

#include "out.h"

#define DEMO_FRAMES 120

/**
 * demo_generate() - a recording of two apps, with troubles whose truth is known
 * @truth: where the CSV of what each role of each frame did goes; NULL: nowhere
 * @text: where the same kernel events go as ftrace text; NULL: nowhere
 * @frames: frames of the first app; troubles come only within DEMO_FRAMES
 * @clean: nothing goes wrong
 */
void demo_generate(const struct out_opts *opts, const char *truth, const char *text, int frames,
		   bool clean);

#endif
