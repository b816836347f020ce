/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_PINS_H
#define FW_LIVE_PINS_H

#define FW_PIN_DIR "/sys/fs/bpf/framewait"

struct framewait_bpf;

/**
 * fw_pins_make() - pin the maps that people read, in a directory of bpffs
 * A directory that a killed recording left is taken over; one of a living recording is refused.
 * Return: 0, or a negative errno with fw_fail() set.
 */
int fw_pins_make(struct framewait_bpf *skel, const char *dir);
void fw_pins_remove(const char *dir);

#endif
