/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_LIVE_SF_CONFIG_H
#define FW_LIVE_SF_CONFIG_H

#include <stddef.h>
#include <stdint.h>

/*
 * The TraceConfig that perfetto gets: SurfaceFlinger's two data sources and the process names, in a
 * buffer of its own, written to a file as it comes.
 */

/* As text, for people and for perfetto --txt -c; free(). */
char *fw_sf_config_text(void);
/* In the wire format, which every perfetto reads and where it skips what it does not know; free(). */
uint8_t *fw_sf_config_binary(size_t *len);

#endif
