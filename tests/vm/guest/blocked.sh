# SPDX-License-Identifier: GPL-2.0-or-later
# framewait_blocked against what the programs' own stack capture says of the same sleeps, what check
# says of the module, and the module while programs hold it.
. ./lib.sh

./framewait-static check | grep -q "^no *module"
ok $? "check: no module"
./framewait-static check | grep -A1 "^no *module" | grep -q "framewait.ko is not loaded"
ok $? "check says why"
insmod framewait.ko
./framewait-static check | grep -q "^yes *module"
ok $? "check: the module, when it is loaded"
./framewait-static record -q -o /tmp/run.fwc -- ./play --vfork 60
ok $? "60 sleeps in D are recorded"
./framewait-static inspect /tmp/run.fwc | awk '$2 == "blocked_reason" { n = $1 } END { exit !(n >= 40) }'
ok $? "and the module's event for them"
./framewait-static report /tmp/run.fwc --table health --format csv >/tmp/health.csv
agree=$(sed -n 's/^fw_blocked_agree,[^,]*,\([0-9]*\).*/\1/p' /tmp/health.csv)
differ=$(sed -n 's/^fw_blocked_differ,[^,]*,\([0-9]*\).*/\1/p' /tmp/health.csv)
[ "${agree:-0}" -ge 40 ] && [ "${differ:-0}" -eq 0 ]
ok $? "function and io_wait: ${agree:-0} times the same, ${differ:-0} times not"

./framewait-static record -q -d 60 --all -o /tmp/run2.fwc &
recorder=$!
i=0
while [ "$(cat /sys/module/framewait/refcnt)" -eq 0 ] && [ $i -lt 100 ]; do
	usleep 100000
	i=$((i + 1))
done
! rmmod framewait 2>/dev/null
ok $? "unloading is refused while programs hold its events"
kill -INT $recorder
wait $recorder
ok $? "the recorder ends"
i=0
while ! rmmod framewait 2>/dev/null && [ $i -lt 50 ]; do
	usleep 200000
	i=$((i + 1))
done
[ ! -d /sys/module/framewait ]
ok $? "and works when they are gone"
done_testing
