# SPDX-License-Identifier: GPL-2.0-or-later
# Trace marks on a kernel whose tracefs instances take no copy of them: --sf marks takes the buffer of
# all while nobody uses it, and gives it back.
. ./lib.sh

tracing=/sys/kernel/tracing
# Used once, for its size to be what it will be.
echo 1408 >$tracing/buffer_size_kb
before=$(cat $tracing/trace_clock $tracing/buffer_size_kb)
./framewait-static record -q --sf marks -o /tmp/run.fwc -- sh -c \
	'usleep 300000; echo "B|$$|DrawFrames 17" >/sys/kernel/tracing/trace_marker; usleep 300000'
ok $? "marks: recorded"
./framewait-static inspect /tmp/run.fwc | grep -q '^ *1  mark '
ok $? "marks: the mark is in the capture"
[ "$before" = "$(cat $tracing/trace_clock $tracing/buffer_size_kb)" ]
ok $? "marks: the buffer of all is as it was"
echo 1 >$tracing/events/sched/sched_switch/enable
./framewait-static record -q --sf marks -o /tmp/run.fwc -- true 2>/tmp/err.txt
[ $? -eq 4 ]
ok $? "marks: one that somebody uses is refused"
grep -q 'the trace buffer of all is in use' /tmp/err.txt
ok $? "marks: and it says why"
echo 0 >$tracing/events/sched/sched_switch/enable
rm -f /tmp/run.fwc
done_testing
