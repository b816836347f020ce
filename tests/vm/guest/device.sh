# SPDX-License-Identifier: GPL-2.0-or-later
# /dev/framewait, by the program device.
for m in drm drm_kms_helper drm_shmem_helper vgem; do
	[ ! -f modules/$m.ko ] || insmod modules/$m.ko
done
insmod framewait.ko
./device
status=$?
rmmod vgem
rmmod framewait
exit $status
