# SPDX-License-Identifier: GPL-2.0-or-later
# Marks on a kernel without copy_trace_marker: from the buffer that all share, which is left as it was.
. ./lib.sh

T=/sys/kernel/tracing
clock=$(cat $T/trace_clock)
marks='for i in 1 2 3; do echo "B|$$|Draw it" >/sys/kernel/tracing/trace_marker; echo "E|$$" >/sys/kernel/tracing/trace_marker; done'

# record WORDS... : the summary's marks go to $seen
record()
{
	seen=$(./framewait-static record "$@" -o /tmp/m.fwc -- sh -c "$marks" 2>&1 |
		sed -n 's/.*marks: \([0-9]*\),.*/\1/p')
}

[ ! -e $T/options/copy_trace_marker ]
ok $? "this kernel has no copy_trace_marker"
./framewait-static check | grep -q "^yes *marks"
ok $? "check: marks"
record
[ "$seen" = 6 ]
ok $? "six marks are recorded: $seen"
[ "$(cat $T/trace_clock)" = "$clock" ]
ok $? "the clock of the buffer is what it was"

echo 1 >$T/events/sched/sched_switch/enable
./framewait-static check | grep -q "^no *marks"
ok $? "check: no marks while others trace"
./framewait-static check | grep -A1 "^no *marks" | grep -q "others trace"
ok $? "and why"
record
[ "$seen" = 0 ]
ok $? "and a recording takes none: $seen"
[ "$(cat $T/trace_clock)" = "$clock" ] && [ "$(cat $T/events/sched/sched_switch/enable)" = 1 ]
ok $? "and changes nothing"
echo 0 >$T/events/sched/sched_switch/enable

./framewait-static record -q --all -d 60 -o /tmp/other.fwc &
other=$!
i=0
while ! grep -q '\[boot\]' $T/trace_clock && [ $i -lt 100 ]; do
	usleep 100000
	i=$((i + 1))
done
record
[ "$seen" = 0 ]
ok $? "a second recording leaves them to the first: $seen"
kill -INT $other
wait $other
ok $? "the first ends"
./framewait-static inspect /tmp/other.fwc | awk '$2 == "mark" { n = $1 } END { exit !(n >= 6) }'
ok $? "and has them"
done_testing
