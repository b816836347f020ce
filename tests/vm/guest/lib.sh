# SPDX-License-Identifier: GPL-2.0-or-later
# TAP for the scripts in a VM.
n=0
failed=0

# ok STATUS WORDS...
ok()
{
	local status=$1 not=

	shift
	n=$((n + 1))
	[ "$status" -eq 0 ] || { not="not "; failed=$((failed + 1)); }
	echo "${not}ok $n - $*"
}

done_testing()
{
	echo "1..$n"
	exit $((failed > 0))
}

# Those that this kernel has as modules
load_modules()
{
	local m

	for m; do
		[ ! -f modules/$m.ko ] || lsmod | grep -q "^$m " || insmod modules/$m.ko
	done
}

load_vgem()
{
	load_modules drm drm_kms_helper drm_shmem_helper vgem
}

# Nothing that the kernel complains about.
kernel_is_quiet()
{
	dmesg | grep -E 'WARNING:|BUG:|Oops|Call Trace|refcount_t|use-after-free|lockdep|RCU.*stall|rcu: INFO' \
		>/tmp/complaints
	ok $(($(wc -l </tmp/complaints) > 0)) "the kernel has nothing to complain about${1:+ $1}"
	sed 's/^/# /' /tmp/complaints
}

EVENTS=/sys/kernel/tracing/events/framewait
