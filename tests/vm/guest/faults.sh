# SPDX-License-Identifier: GPL-2.0-or-later
# What happens to a machine while it records: $1 of faults.pl
. ./lib.sh

load_vgem
insmod framewait.ko
guest_perl faults.pl $1
status=$?
rmmod vgem
rmmod framewait
exit $status
