# SPDX-License-Identifier: GPL-2.0-or-later
# /dev/framewait, by the program device.
. ./lib.sh

load_vgem
insmod framewait.ko
./device
status=$?
rmmod vgem
rmmod framewait
exit $status
