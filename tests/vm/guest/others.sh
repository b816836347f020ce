# SPDX-License-Identifier: GPL-2.0-or-later
# The fences of a process that is no target. $1: targets, nothing of them is recorded, or all: each with its
# life and its members, but not who polled it.
. ./lib.sh

load_vgem
insmod framewait.ko
rm -f /tmp/run.fwc
sleep 600 &
target=$!
./framewait-static record -q --fences "$1" -p $target -o /tmp/run.fwc &
recorder=$!
i=0
while [ ! -s /tmp/run.fwc ] && [ $i -lt 120 ]; do
	usleep 500000
	i=$((i + 1))
done
./play /tmp/truth
played=$?
kill -INT $recorder
wait $recorder
recorded=$?
kill $target
./framewait-static report /tmp/run.fwc --table fences --format csv >/tmp/fences.csv
reported=$?
if [ "$1" = all ]; then
	[ $((played + recorded + reported)) -eq 0 ] || { echo "not ok 1 - recording"; echo 1..1; exit 1; }
	./verify /tmp/truth /tmp/fences.csv others
	status=$?
else
	ok $((played + recorded + reported)) "another process makes fences while one is recorded"
	[ "$(wc -l </tmp/fences.csv)" -eq 1 ]
	ok $? "none of them is recorded"
	echo "1..$n"
	status=$failed
fi
rmmod vgem
i=0
while ! rmmod framewait 2>/dev/null && [ $i -lt 50 ]; do
	usleep 200000
	i=$((i + 1))
done
exit $status
