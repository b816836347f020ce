// SPDX-License-Identifier: GPL-2.0-or-later
/* event - what events begin as */
#include "input/event.h"

void fw_event_begin(struct fw_event *ev, enum fw_event_type type, uint8_t sub)
{
	ev->type = type;
	switch (type) {
	case FW_EV_SCHED_WAKING:
	case FW_EV_SCHED_WAKEUP:
	case FW_EV_SCHED_WAKEUP_NEW:
		ev->waking.common_flags = -1;
		break;
	case FW_EV_DMA_FENCE:
		ev->fence.kind = sub;
		ev->fence.signal_ts = -1;
		break;
	case FW_EV_OLD_FENCE:
		ev->old_fence.kind = sub;
		break;
	case FW_EV_DRM_SCHED:
		ev->drm.kind = sub;
		break;
	case FW_EV_MALI_KCPU:
		ev->mali.kind = sub;
		break;
	case FW_EV_KGSL:
		ev->kgsl.kind = sub;
		break;
	case FW_EV_BINDER:
		ev->binder.kind = sub;
		break;
	default:
		break;
	}
}
