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

# The recorder sees no module where there is none in /sys/module.
hide_module()
{
	mount -t tmpfs none /sys/module
	[ ! -d /sys/kernel/btf ] || {
		mkdir /tmp/btf
		cp /sys/kernel/btf/vmlinux /tmp/btf/
		mount --bind /tmp/btf /sys/kernel/btf
	}
}

show_module()
{
	umount /sys/module
	umount /sys/kernel/btf 2>/dev/null
	rm -rf /tmp/btf
}

# guest_perl FILE ARG... : with the libraries of the tests, and a disk that can be read past the page
# cache for their files
guest_perl()
{
	local script=$1

	shift
	export TMPDIR=/tmp/disk BUILD=/t/build FRAMEWAIT=/t/framewait-static PERL5LIB=/t/tests/lib
	export FRAMEWAIT_EMULATED=1
	if ! mount | grep -q " $TMPDIR "; then
		load_modules loop crc16 crc32c_generic mbcache jbd2 ext4
		dd if=/dev/zero of=/tmp/image bs=1M count=96 2>/dev/null
		mke2fs -F /tmp/image >/dev/null
		mkdir $TMPDIR
		mount -t ext4 -o loop /tmp/image $TMPDIR
		printf '%s\n' root:x:0:0::/: nobody:x:65534:65534::/: >/etc/passwd
	fi
	[ -e "$script" ] || script=tests/vm/$script
	perl "$script" "$@"
}

EVENTS=/sys/kernel/tracing/events/framewait
