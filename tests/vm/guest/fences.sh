# SPDX-License-Identifier: GPL-2.0-or-later
# Frames of framesim, whose fences are the module's. $1: module, or alone: the recorder does not know
# that it is there.
. ./lib.sh

load_vgem
insmod framewait.ko
[ "$1" != alone ] || hide_module
guest_perl fences.pl $1
status=$?
[ "$1" != alone ] || show_module
rmmod vgem
rmmod framewait
exit $status
