// SPDX-License-Identifier: GPL-2.0-or-later
/* The composer: it gives the display its layers, and a present fence back. */
#include <stdlib.h>

#include "fence.h"
#include "framesim.h"
#include "messages.h"

#define COMPOSER_WORK 20 /* thousandths of a period */

void composer_main(const struct wires *w)
{
	struct fence_timeline display;
	struct compose_msg msg;
	struct fence none, present;

	name_process("/vendor/bin/hw/android.hardware.graphics.composer3-service.framesim");
	be_realtime(FLINGER_PRIORITY);
	fence_timeline_open(&display, "framesim-present");
	track_begin(&sim->tracks[TRACK_HWC]);
	for (;;) {
		struct composed_msg back = { 0 };

		track_mode(MODE_SLEEP);
		if (recv_with_fence(w->compose[1], &msg, sizeof(msg), &none, true) != sizeof(msg))
			exit(0);
		track_mode(MODE_ACTIVE);
		spin_cpu(work(msg.period, COMPOSER_WORK));
		if (msg.slow)
			back.slow = compute(msg.slow);
		present = fence_new(&display, msg.at);
		if (!send_with_fence(w->compose[1], &back, sizeof(back), &present))
			exit(0);
		fence_close(&present);
	}
}
