# SPDX-License-Identifier: GPL-2.0-or-later
# Are those there that look for mistakes, and do they see one?
. ./lib.sh

dmesg | grep -q "Lock dependency validator"
ok $? "lockdep"
dmesg | grep -q "KernelAddressSanitizer initialized"
ok $? "KASAN"
[ -e /sys/kernel/debug/kmemleak ]
ok $? "kmemleak"
[ "$(awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats)" = 1 ]
ok $? "lockdep is awake"
done_testing
