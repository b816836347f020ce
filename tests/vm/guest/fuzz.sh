# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of /dev/framewait that nobody means, for $1 seconds; then it unloads as ever.
. ./lib.sh

load_vgem
insmod framewait.ko
ok $? "the module loads"
./ioctl_fuzz "$1" 1 >/tmp/fuzz.out 2>&1
ok $? "calls of noise: $(sed -n 's/^ok 2 - //p' /tmp/fuzz.out)"
sed 's/^/# /' /tmp/fuzz.out
# A fence that got a time keeps the module until then.
i=0
while ! rmmod framewait 2>/dev/null && [ $i -lt 60 ]; do
	i=$((i + 1))
	sleep 1
done
[ ! -e /dev/framewait ]
ok $? "and it unloads"
rmmod vgem
done_testing
