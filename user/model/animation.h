/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_MODEL_ANIMATION_H
#define FW_MODEL_ANIMATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Animations, by the asynchronous sections that AnimatorTracer and FolmeTracer write:
 *
 *	Anim|ID|Obj or Val|target|property:from->to,...|interpolator|Nms
 *	Folme|ID|tag|target|properties|ease(factors)
 *
 * The '|' may be a blank: android.os.Trace replaces it (sanitizeString() of android_os_Trace.cpp).
 * A name that ends in "..." was cut; fields behind the cut are absent.
 */
enum fw_animation_source { FW_ANIM, FW_FOLME };

/* "Anim" or "Folme". */
const char *fw_animation_source_name(enum fw_animation_source s);

/**
 * struct fw_animation - what a section's name says; texts borrow from it, absent: it does not
 * @type: "Obj" or "Val"; of Folme its tag
 * @properties: as written, without "+N"
 * @n_properties: how many there are, with the +N; 0: none was written
 * @property, @from, @to: of the first
 * @ease: interpolator, or Folme's ease without its factors
 * @planned_ns: FW_ANIMATION_UNKNOWN: not said
 */
struct fw_animation {
	enum fw_animation_source source;
	struct fw_str id, type, target, properties, property, from, to, ease, factors;
	uint32_t n_properties;
	int64_t planned_ns;
	bool cut;
};

#define FW_ANIMATION_UNKNOWN INT64_MIN

/**
 * fw_animation_parse() - read a section's name
 * Return: false where it is no animation's, or has no ID.
 */
bool fw_animation_parse(struct fw_str name, struct fw_animation *a);

/**
 * struct fw_animation_mark - a trace mark that begins or ends a section of an animation
 * @begin: S and G; else F and H
 * @track: G and H; absent: S and F
 * @name: absent for an H that has none
 */
struct fw_animation_mark {
	bool begin;
	int32_t pid;
	struct fw_str track, name;
	int64_t cookie;
};

/**
 * fw_animation_mark() - read a trace mark
 *
 * Unlike other marks (fw_mark_parse()), these have '|' in their names: the cookie is what stands
 * behind the last one.
 * Return: 1 and *@m; 0: not of an animation; -1: of one, but it cannot be read. An H without a name
 *	gives 1 for any track.
 */
int fw_animation_mark(struct fw_str text, struct fw_animation_mark *m);

#endif
