# SPDX-License-Identifier: GPL-2.0-or-later
# What nobody points to any more, after all that ran before; twice, for what was on its way to be freed.
. ./lib.sh

echo scan >/sys/kernel/debug/kmemleak
sleep 6
echo scan >/sys/kernel/debug/kmemleak
cp /sys/kernel/debug/kmemleak /tmp/leaks
sed 's/^/# /' /tmp/leaks | head -60
# A module that is gone has no names in a stack: nothing at all may be lost.
[ ! -s /tmp/leaks ]
ok $? "nothing that was allocated is lost"
[ "$(awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats)" = 1 ]
ok $? "lockdep is still awake: it found nothing"
done_testing
