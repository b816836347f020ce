# SPDX-License-Identifier: GPL-2.0-or-later
# Run parts, each a script with TAP of its own: all.sh PART[:ARGUMENT]...
for part; do
	name=${part%%:*}
	argument=
	[ "$name" = "$part" ] || argument=${part#*:}
	echo "# part $part"
	/bin/sh ./$name.sh $argument
	echo "# end $part $?"
	echo "# the VM is up for $(cut -d' ' -f1 /proc/uptime) s"
done
