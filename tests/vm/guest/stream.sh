# SPDX-License-Identifier: GPL-2.0-or-later
# A stream of SurfaceFlinger's that carries the signal times of play's fences.
. ./lib.sh

load_vgem
insmod framewait.ko
guest_perl stream.pl
status=$?
rmmod vgem
rmmod framewait
exit $status
