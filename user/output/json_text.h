/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_OUTPUT_JSON_TEXT_H
#define FW_OUTPUT_JSON_TEXT_H

#include "output/writer.h"

/* A JSON string; each byte that is no UTF-8 becomes U+FFFD. */
void fw_json_text(struct fw_writer *w, struct fw_str s);
/* The same where HTML stands around it: no byte of it ends a script or begins a tag. */
void fw_json_text_in_html(struct fw_writer *w, struct fw_str s);

#endif
