# SPDX-License-Identifier: GPL-2.0-or-later
# One of the tests in tests/live: live.sh NAME. Its files are on a disk that can be read past the page
# cache.
. ./lib.sh

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
exec perl tests/live/$1.t
