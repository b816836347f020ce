// SPDX-License-Identifier: GPL-2.0-or-later
/* interest - the threads whose scheduling a consumer wants */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "input/input.h"

struct fw_interest *fw_interest_new(void)
{
	struct fw_interest *i = fw_zalloc(sizeof(*i));

	i->bits = fw_calloc(FW_INTEREST_TIDS / 64, sizeof(*i->bits));
	return i;
}

struct fw_interest *fw_interest_all(void)
{
	struct fw_interest *i = fw_interest_new();

	memset(i->bits, 0xff, FW_INTEREST_TIDS / 8);
	return i;
}

void fw_interest_free(struct fw_interest *i)
{
	if (!i)
		return;
	free(i->bits);
	free(i);
}

void fw_interest_add(struct fw_interest *i, int32_t tid)
{
	uint32_t t = (uint32_t)tid;

	if (t >= FW_INTEREST_TIDS || fw_interest_has(i, tid))
		return;
	i->bits[t >> 6] |= 1ULL << (t & 63);
	i->generation++;
}
