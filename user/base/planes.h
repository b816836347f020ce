/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_BASE_PLANES_H
#define FW_BASE_PLANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "framewait/capture.h"

/**
 * fw_planes_pack() - lay records out as FW_CHUNK_PLANES has them
 * @records: on an address that is a multiple of 8; what is left there is of no use
 * @out: room for @len and a struct fw_planes
 * Return: bytes in @out, or 0 when these are not whole records; they are then as they were.
 */
size_t fw_planes_pack(uint8_t *records, size_t len, uint8_t *out);

/**
 * fw_planes_unpack() - the records again
 * @out: on an address that is a multiple of 8, room for @len
 * Return: false when @in is no payload of FW_CHUNK_PLANES; else @out has @len bytes less a struct
 * fw_planes.
 */
bool fw_planes_unpack(const uint8_t *in, size_t len, uint8_t *out);

#endif
