/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_SF_H
#define FW_LIVE_SF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where SurfaceFlinger's frames come from. */
enum fw_sf_mode {
	FW_SF_NONE,
	FW_SF_MARKS, /* trace marks only */
	FW_SF_FILE, /* a Perfetto file that another program writes */
	FW_SF_PERFETTO, /* the program perfetto, which we start */
};

/**
 * struct fw_sf_opts - the source
 * @automatic: it was not asked for: where it does not start, the recording goes on without
 * @path: FW_SF_FILE: the file
 */
struct fw_sf_opts {
	enum fw_sf_mode mode;
	bool automatic;
	const char *path;
};

/* What is best here: perfetto where it answers, marks on Android, else none. */
enum fw_sf_mode fw_sf_choose(void);
/* As in the head of a capture. */
const char *fw_sf_mode_name(enum fw_sf_mode mode);

/**
 * struct fw_sf - SurfaceFlinger's events on their way into a capture
 *
 * Packets go in as they are, whole. A file or program that breaks off is waited for and counted as
 * a gap. A source that stays silent is said on stderr within seconds, with the reason where it
 * is known. A source of marks only has its tags set and its silence watched.
 */
struct fw_sf;
struct fw_capture;

/* Return: 0, or a negative errno with fw_fail() set: it cannot be had here. */
int fw_sf_open(const struct fw_sf_opts *o, struct fw_sf **out);
/* Take what has come. Return: 0, or the capture's failure. */
int fw_sf_poll(struct fw_sf *s, struct fw_capture *c);
/* Is there more to read than one call of fw_sf_poll() takes, as of a file that was there before? */
bool fw_sf_behind(const struct fw_sf *s);
/* What was taken goes to the file now. */
int fw_sf_flush(struct fw_sf *s, struct fw_capture *c);
/* A trace mark of a target. */
void fw_sf_mark(struct fw_sf *s, const char *text, size_t len);
/* The recording ends: the source shall end too. */
void fw_sf_stop(struct fw_sf *s);
/* Wait for its end, at most 0.7 s since fw_sf_stop(), and take the rest. */
int fw_sf_finish(struct fw_sf *s, struct fw_capture *c);
void fw_sf_close(struct fw_sf *s);

enum fw_sf_mode fw_sf_mode(const struct fw_sf *s);
uint64_t fw_sf_packets(const struct fw_sf *s); /* in the capture */
uint64_t fw_sf_gaps(const struct fw_sf *s);
uint64_t fw_sf_bytes_lost(const struct fw_sf *s);

#endif
