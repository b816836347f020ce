# SPDX-License-Identifier: GPL-2.0-or-later
# Loading, the events, and unloading with what could be in the way.
. ./lib.sh

load_vgem
insmod framewait.ko
ok $? "the module loads"
[ "$(ls $EVENTS | grep -c ^framewait_)" = 6 ]
ok $? "its six events are in tracefs"

echo 1 >$EVENTS/enable
echo 1 >/sys/kernel/tracing/tracing_on
./play /tmp/truth >/dev/null
ok $? "a producer and a consumer run"
echo 0 >/sys/kernel/tracing/tracing_on
cp /sys/kernel/tracing/trace /tmp/trace
echo 0 >$EVENTS/enable

# play's file: kind,driver,timeline,context,seqno,stamp,members...
while IFS=, read -r kind driver timeline context seqno stamp rest; do
	case "$kind" in
	fence)
		grep -q "framewait_create: context=$context seqno=$seqno member_context=$context" /tmp/trace
		ok $? "framewait_create of $timeline $context:$seqno"
		grep -q "framewait_name: context=$context driver=$driver timeline=$timeline" /tmp/trace
		ok $? "framewait_name of context $context: $driver $timeline"
		grep -q "framewait_release: context=$context seqno=$seqno signaled=$((stamp != 0))" /tmp/trace
		ok $? "framewait_release of $context:$seqno"
		;;
	member)
		grep -q "framewait_merge: .*member_context=$context member_seqno=$seqno " /tmp/trace
		ok $? "framewait_merge shows member $context:$seqno"
		;;
	poll)
		grep -q "play-$rest .*framewait_poll: context=$context seqno=$seqno waits=1" /tmp/trace
		ok $? "framewait_poll: thread $rest waits for $context:$seqno"
		;;
	esac
done </tmp/truth

# The sleep is one in D by the kernel's own word: vfork waits for its child.
echo 1 >$EVENTS/framewait_blocked/enable
echo >/sys/kernel/tracing/trace
echo 1 >/sys/kernel/tracing/tracing_on
./play --vfork 20
ok $? "a program sleeps 20 times in vfork"
echo 0 >/sys/kernel/tracing/tracing_on
blocked=$(grep -c "framewait_blocked: .*iowait=0 caller=kernel_clone" /sys/kernel/tracing/trace)
[ "$blocked" -ge 20 ]
ok $? "framewait_blocked shows them: $blocked"
echo 0 >$EVENTS/framewait_blocked/enable

./play --hold 3 &
holder=$!
sleep 1
! rmmod framewait 2>/dev/null
ok $? "unloading is refused while the device is open"
wait $holder
./play --keep 2 &
keeper=$!
sleep 1
! rmmod framewait 2>/dev/null
ok $? "unloading is refused while a fence is alive"
wait $keeper
sleep 1
rmmod framewait
ok $? "the module unloads when they are gone"
[ ! -e /dev/framewait ] && [ ! -d $EVENTS ]
ok $? "nothing of it is left"

insmod framewait.ko blocked_reason=0
ok $? "it loads without its blocked reason"
rmmod framewait
ok $? "and unloads"
done_testing
