# SPDX-License-Identifier: GPL-2.0-or-later
# Load and unload $1 times while fences come and go, threads sleep in D, and the events fire.
. ./lib.sh

load_vgem
./play --load 3600 &
load=$!
i=0
while [ $i -lt "$1" ]; do
	insmod framewait.ko || break
	[ $((i % 10)) -ne 0 ] || { echo 1 >$EVENTS/enable; echo 0 >$EVENTS/enable; }
	rmmod framewait || break
	i=$((i + 1))
	[ $((i % 100)) -ne 0 ] || echo "# $i times"
done
[ $i -eq "$1" ]
ok $? "loaded and unloaded $i times under load"
kill -0 $load 2>/dev/null
ok $? "the load ran all the time"
kill $load
wait $load 2>/dev/null
done_testing
