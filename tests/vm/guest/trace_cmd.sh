# SPDX-License-Identifier: GPL-2.0-or-later
# trace-cmd records here; its file and the text that it makes of it have the same rows.
. ./lib.sh

run()
{
	./ld.so --library-path /t ./trace-cmd "$@" 2>/tmp/err || { sed 's/^/# /' /tmp/err; return 1; }
}

work='for i in 1 2 3 4 5; do
	dd if=/dev/zero of=/tmp/f bs=64k count=20 2>/dev/null; sync; cat /tmp/f >/dev/null
	sh -c "sleep 0.1" & sh -c "i=0; while [ \$i -lt 300 ]; do i=\$((i + 1)); done" & wait
done'
run record -q -C mono --compression zstd -e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new \
	-e task -e irq:irq_handler_entry -e irq:irq_handler_exit -e irq:softirq_entry -e irq:softirq_exit \
	-o /tmp/t7.dat /bin/sh -c "$work" >/dev/null
ok $? "trace-cmd records"
run convert -i /tmp/t7.dat -o /tmp/t6.dat --file-version 6 --compression none >/dev/null
ok $? "and converts to version 6"
run report -t -N /tmp/t7.dat >/tmp/t.txt
ok $? "and prints: $(wc -l </tmp/t.txt) lines"
for table in states irq runnable-latency; do
	for input in t7.dat t6.dat t.txt; do
		./framewait-static report -t $table /tmp/$input >/tmp/$input.csv 2>/tmp/err
		ok $? "report -t $table $input: $(wc -l </tmp/$input.csv) rows"
	done
	cmp /tmp/t7.dat.csv /tmp/t6.dat.csv
	ok $? "version 7 and 6: the same $table"
	# Whether an interrupt woke is not in the text.
	[ $table != runnable-latency ] || sed -i 's/,[01]*$//' /tmp/t7.dat.csv /tmp/t.txt.csv
	cmp /tmp/t7.dat.csv /tmp/t.txt.csv
	ok $? "trace.dat and the text: the same $table"
	diff /tmp/t7.dat.csv /tmp/t.txt.csv | head -n 6 | sed 's/^/# /'
done
[ "$(wc -l </tmp/t7.dat.csv)" -gt 20 ]
ok $? "there is something to compare"
done_testing
