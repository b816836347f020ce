# SPDX-License-Identifier: GPL-2.0-or-later
# The fences of a producer and a consumer, recorded; against what they know themselves. $1: module, or
# alone: the module makes the fences, but the recorder is not to know of it.
. ./lib.sh

load_vgem
insmod framewait.ko
if [ "$1" = alone ]; then
	# It sees no module where there is none in /sys/module.
	mount -t tmpfs none /sys/module
	[ ! -d /sys/kernel/btf ] || { mkdir /tmp/btf; cp /sys/kernel/btf/vmlinux /tmp/btf/; mount --bind /tmp/btf /sys/kernel/btf; }
fi
./framewait-static record -q -o /tmp/run.fwc -- ./play /tmp/truth
status=$?
./framewait-static report /tmp/run.fwc --table fences --format csv >/tmp/fences.csv || status=$?
[ $status -eq 0 ] || { echo "not ok 1 - recording: status $status"; echo 1..1; exit 1; }
./verify /tmp/truth /tmp/fences.csv "$1"
status=$?
if [ "$1" = alone ]; then
	umount /sys/module
	umount /sys/kernel/btf 2>/dev/null
fi
rm -rf /tmp/btf
rmmod vgem
rmmod framewait
exit $status
