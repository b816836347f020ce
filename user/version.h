/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FW_VERSION_H
#define FW_VERSION_H

#define FW_VERSION "0.1.0"

#endif
