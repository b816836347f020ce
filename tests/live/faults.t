#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What goes wrong while a recording runs: the disk fills, the reader of a pipe leaves, the collector is
# stopped, memory is refused, tracefs goes, the target starts anew, others record too. After each one:
# the exit status says it, what was lost is counted, no row is wrong, nothing stays behind.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();

{
	mkdir "$tmp/small" or die;
	SKIP: {
		skip 'no tmpfs can be mounted here', 8
			if system 'mount', '-t', 'tmpfs', '-o', 'size=192k', 'none', "$tmp/small";
		my $busy = start_load($load, 'pipe', 100_000_000, 1);
		my ($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-p', $busy, '-d', 30, '-o',
			"$tmp/small/run.fwc");
		end_load($busy);
		is($status, 3, 'full disk: exit status 3');
		like($err, qr/run\.fwc: No space left on device; what was written until now can be read/,
			'full disk: it says so');
		rows_hold("$tmp/small/run.fwc", 'full disk');
		like((run_cmd($framewait, 'report', '-t', 'health', "$tmp/small/run.fwc"))[1],
			qr/fw_capture_unfinished/, 'full disk: the health table says that it has no end');
		nothing_left('full disk');
		system 'umount', "$tmp/small";
	}
}

{
	pipe my $in, my $out or die;
	my $busy = start_load($load, 'pipe', 100_000_000, 1);
	my $pid = fork() // die;
	if (!$pid) {
		close $in;
		open STDOUT, '>&', $out or die;
		open STDERR, '>', "$tmp/record-pipe.err" or die;
		exec { $framewait } $framewait, 'record', '-d', 30, '-o', '-', '-p', $busy or exit 127;
	}
	close $out;
	# For two seconds, so that it surely records: before that it is "cannot record here".
	my $until;
	while ((!$until || time < $until) && sysread $in, my $some, 4096) { $until ||= time + 3 }
	close $in;
	is(finish($pid), 3, 'a pipe that is closed: exit status 3');
	end_load($busy);
	like(record_said('pipe'), qr/standard output: Broken pipe/, 'a pipe that is closed: it says so');
	nothing_left('a pipe that is closed');
}

{
	my $busy = start_load($load, 'pipe', 100_000_000, 1);
	my $pid = start_record('stopped', '-p', $busy, '--strict', '--buffer', '0.05', '-o', "$tmp/stopped.fwc");
	ok(wait_until(sub { -e "$tmp/stopped.fwc" && -s "$tmp/stopped.fwc" > 2000 }), 'stopped: it records');
	kill 'STOP', $pid;
	select undef, undef, undef, 1.5;
	kill 'CONT', $pid;
	select undef, undef, undef, 1.2;
	kill 'INT', $pid;
	is(finish($pid), 5, 'stopped and continued: --strict ends with status 5');
	end_load($busy);
	my $lost = counts_hold(record_said('stopped'), 'stopped and continued');
	cmp_ok($lost // 0, '>', 0, 'stopped and continued: what found no room is counted');
	my $counted = 0;
	$counted += $_->{value} for grep { $_->{name} eq 'fw_ring_lost' }
		read_csv((run_cmd($framewait, 'report', '-t', 'health', "$tmp/stopped.fwc"))[1]);
	is($counted, $lost, 'stopped and continued: the health table has the same number');
	rows_hold("$tmp/stopped.fwc", 'stopped and continued');
	nothing_left('stopped and continued');
}

{
	my ($status, $out, $err) = run_cmd('/bin/sh', '-c', 'ulimit -v 300000; exec "$@"', 'sh', $framewait,
		'record', '--all', '-d', 1, '--buffer', 256, '-o', "$tmp/refused.fwc");
	is($status, 4, 'no address space for the rings: exit status 4');
	like($err, qr/ring|memory/i, 'no address space for the rings: it says so');
	nothing_left('no address space for the rings');
}

# A memory cgroup of so many MiB, of either version: its directory and files, or nothing.
sub memory_cgroup {
	my ($mib) = @_;
	for (['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'], ['/sys/fs/cgroup', 'memory.max']) {
		my ($root, $limit) = @$_;
		my $dir = "$root/framewait-test-$$";
		mkdir $dir or next;
		if (-e "$dir/$limit") {
			open my $out, '>', "$dir/$limit" or die;
			print $out $mib << 20;
			return $dir if close $out;
		}
		rmdir $dir;
	}
	return;
}

SKIP: {
	my $group = memory_cgroup(12) or skip 'no memory cgroup can be made here', 4;
	my ($status, $out, $err) = run_cmd('/bin/sh', '-c', 'echo $$ >"$0/cgroup.procs"; exec "$@"', $group,
		$framewait, 'record', '--all', '-d', 2, '--buffer', 64, '-o', "$tmp/memcg.fwc");
	like($status, qr/^(?:4|signal 9)$/, 'map memory refused: exit status 4, or the kernel kills it');
	like($err, qr/: (?:Cannot allocate memory|Out of memory)/, 'map memory refused: it says so')
		if $status eq '4';
	ok(!-e "$tmp/memcg.fwc" || (run_cmd($framewait, 'inspect', "$tmp/memcg.fwc"))[0] =~ /^[03]$/,
		'map memory refused: no capture, or one that is read');
	wait_until(sub { rmdir $group });
	run_cmd($framewait, 'record', '-q', '-p', $$, '-d', '0.2', '-o', "$tmp/next.fwc");
	nothing_left('map memory refused, after the next recording');
}

{
	my $busy = start_load($load, 'pipe', 100_000_000, 1);
	my $private = 'mount --make-rprivate / && umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug ' .
		'2>/dev/null; exec "$@"';
	my ($status, $out, $err) = run_cmd('unshare', '-m', '/bin/sh', '-c', $private, 'sh', $framewait, 'record',
		'-p', $busy, '-d', '0.5', '-o', "$tmp/no-tracefs.fwc");
	is($status, 0, 'without tracefs: recorded') or diag($err);
	counts_hold($err, 'without tracefs');
	rows_hold("$tmp/no-tracefs.fwc", 'without tracefs');
	nothing_left('without tracefs');

	my $pid = fork() // die;
	if (!$pid) {
		open STDERR, '>', "$tmp/record-unmounted.err" or die;
		exec 'unshare', '-m', '/bin/sh', '-c', 'mount --make-rprivate /; exec "$@"', 'sh', $framewait,
			'record', '-p', $busy, '-d', 3, '-o', "$tmp/unmounted.fwc"
			or exit 127;
	}
	# Its beginning was seen to take more than 20 s, after the mount namespace of the one before.
	my $records = sub { -e "$tmp/unmounted.fwc" && -s "$tmp/unmounted.fwc" > 2000 };
	ok(wait_until($records) || wait_until($records) || wait_until($records), 'tracefs unmounted: it records');
	is(system('nsenter', '-t', $pid, '-m', 'umount', '-l', '/sys/kernel/tracing'), 0,
		'tracefs unmounted: meanwhile');
	is(finish($pid), 0, 'tracefs unmounted: exit status 0') or diag(record_said('unmounted'));
	counts_hold(record_said('unmounted'), 'tracefs unmounted');
	rows_hold("$tmp/unmounted.fwc", 'tracefs unmounted');
	# Its instance cannot be reached from where it was unmounted; the next recording takes it away.
	run_cmd($framewait, 'record', '-q', '-p', $busy, '-d', '0.2', '-o', "$tmp/next.fwc");
	nothing_left('tracefs unmounted, after the next recording');
	end_load($busy);
}

{
	symlink $load, "$tmp/fw-restarted" or die;
	my @pids = start_load("$tmp/fw-restarted", 'sleep', 100000);
	my $pid = start_record('restarted', '-p', 'fw-restarted', '-o', "$tmp/restarted.fwc");
	ok(wait_until(sub { -e "$tmp/restarted.fwc" && -s "$tmp/restarted.fwc" > 1000 }), 'a target: it records');
	for (1 .. 2) {
		end_load($pids[-1]);
		push @pids, start_load("$tmp/fw-restarted", 'sleep', 100000);
		wait_until(sub { slurp("/proc/$pids[-1]/comm") =~ /^fw-/ });
		select undef, undef, undef, 0.4;
	}
	kill 'INT', $pid;
	is(finish($pid), 0, 'a target that starts anew: exit status 0');
	counts_hold(record_said('restarted'), 'a target that starts anew');
	end_load($pids[-1]);
	my $spans = rows_hold("$tmp/restarted.fwc", 'a target that starts anew');
	is(scalar(grep { $spans->{$_} } @pids), 3, 'a target that starts anew: each of its lives is there');
}

{
	my $busy = start_load($load, 'pipe', 100_000_000, 1);
	my @ids = map { "three$_" } 1 .. 3;
	my @runs = map { start_record($_, '-p', $busy, '-d', 2, ($_ eq 'three1' ? '--pin' : ()), '-o',
			"$tmp/$_.fwc") } @ids;
	is(join(' ', map { finish($_) } @runs), '0 0 0', 'three at once: all are done');
	for my $id (@ids) {
		counts_hold(record_said($id), "three at once: $id");
		my $spans = rows_hold("$tmp/$id.fwc", "three at once: $id");
		my ($longest) = sort { $b <=> $a } map { $_->{end} - $_->{start} } values %$spans;
		cmp_ok($longest, '>', 1.5e9, "three at once: $id has its whole time");
	}
	end_load($busy);
	nothing_left('three at once');
}

done_testing();
