# SPDX-License-Identifier: GPL-2.0-or-later
# Run parts, each a script with TAP of its own: all.sh PART[:ARGUMENT]... After each, what the kernel
# logged while it ran; that it ended a process for its memory is no complaint, though it shows a stack.
for part; do
	name=${part%%:*}
	argument=
	[ "$name" = "$part" ] || argument=${part#*:}
	echo "# part $part"
	echo "framewait: part $part" >/dev/kmsg
	/bin/sh ./$name.sh $argument
	echo "# end $part $?"
	dmesg | sed -n "/framewait: part $part\$/,\$p" | sed '/ invoked oom-killer: /,/ Killed process /d' >/tmp/logged
	not=ok
	[ -s /tmp/logged ] || not="not ok"
	grep -E 'WARNING:|BUG:|Oops|Call Trace|refcount_t|use-after-free|lockdep|RCU.*stall|rcu: INFO' /tmp/logged \
		>/tmp/complaints && not="not ok"
	echo "$not 1 - the kernel has nothing to complain about"
	sed 's/^/# /' /tmp/complaints
	echo "# the VM is up for $(cut -d' ' -f1 /proc/uptime) s"
done
