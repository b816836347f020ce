# SPDX-License-Identifier: GPL-2.0-or-later
# The fences of a producer and a consumer, recorded; against what they know themselves. $1: module, or
# alone: the module makes the fences, but the recorder is not to know of it.
. ./lib.sh

load_vgem
insmod framewait.ko
[ "$1" != alone ] || hide_module
./framewait-static record -q -o /tmp/run.fwc -- ./play /tmp/truth
status=$?
./framewait-static report /tmp/run.fwc --table fences --format csv >/tmp/fences.csv || status=$?
[ $status -eq 0 ] || { echo "not ok 1 - recording: status $status"; echo 1..1; exit 1; }
./verify /tmp/truth /tmp/fences.csv "$1"
status=$?
[ "$1" != alone ] || show_module
rmmod vgem
rmmod framewait
exit $status
