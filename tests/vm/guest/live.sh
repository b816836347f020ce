# SPDX-License-Identifier: GPL-2.0-or-later
# One of the tests in tests/live: live.sh NAME
. ./lib.sh

guest_perl tests/live/$1.t
