#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Workloads whose scheduling is known come out as what they are.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();

sub functions {
	my %n;
	$n{ $_->{function} }++ for @_;
	return join ' ', map { "$_:$n{$_}" } sort keys %n;
}

# No figure is negative, and a thread is in one state at a time without holes.
sub whole {
	my ($rows, $what) = @_;
	my ($absurd, $overlaps, $holes) = (0, 0, 0);
	for my $list (values %{ by_tid($rows) }) {
		my $end;
		for (@$list) {
			$absurd++ if $_->{seen_until_ns} <= $_->{start_ns} ||
				$_->{seen_until_ns} - $_->{start_ns} > 3600e9;
			$overlaps++ if defined $end && $_->{start_ns} < $end;
			$holes++ if defined $end && $_->{start_ns} > $end;
			$end = $_->{seen_until_ns};
		}
	}
	is("$absurd absurd, $overlaps overlaps, $holes holes", '0 absurd, 0 overlaps, 0 holes', $what);
}

{
	my ($status, $rows, undef, $err) = record_load([], 'vfork', 50);
	# Where the kernel made a switch without an event there was no moment to look at the stack.
	my ($unseen) = $err =~ /switches without an event: (\d+)/;
	$unseen //= 0;
	my @parent = only($rows, thread => 'fw-vfork', state => 'blocked');
	my @kernel = grep { $_->{function} =~ /kernel_clone|vfork/ } @parent;
	# Emulated, a child may be gone before its parent has come to sleep.
	my $calls = $emulated ? 40 : 50;
	is($status, 0, 'vfork: recorded');
	cmp_ok(scalar @parent, '>=', $calls, 'vfork: the parent is blocked each time');
	cmp_ok(scalar @kernel, '>=', $calls - $unseen, 'vfork: in the kernel\'s clone') or
		diag(functions(@parent));
	is((grep { $_->{io_wait} ne '0' } @kernel), 0, 'vfork: and it is no io_wait');
	my ($longest) = sort { $b <=> $a } map { $_->{end_ns} - $_->{start_ns} } @kernel;
	cmp_ok($longest, '>=', 2e6, 'vfork: as long as the child slept');
	whole($rows, 'vfork: every moment has one state');
}

{
	my ($status, $rows, undef, $err) = record_load([], 'direct', 100, "$tmp/direct.bin");
	my ($unseen) = $err =~ /switches without an event: (\d+)/;
	$unseen //= 0;
	my @io = only($rows, thread => 'fw-direct', state => 'blocked', io_wait => 1);
	is($status, 0, 'O_DIRECT: recorded');
	cmp_ok(scalar @io, '>=', 150, 'O_DIRECT: reads and writes are blocked with io_wait');
	cmp_ok(scalar(grep { $_->{function} eq '' } @io), '<=', $unseen, 'O_DIRECT: each with its function') or
		diag(functions(@io));
	whole($rows, 'O_DIRECT: every moment has one state');
}

{
	my ($status, $rows) = record_load([], 'spin', 800);
	for my $me (qw(fw-spin-a fw-spin-b)) {
		my $list = [only($rows, thread => $me)];
		my ($preempted, $running) =
			(total($list, state => 'preempted'), total($list, state => 'running'));
		cmp_ok($preempted, '>', 5e6, "two spinners: $me is preempted");
		cmp_ok($running, '>', 5e6, "two spinners: $me runs");
	}
	my @a = map { [@{$_}{qw(start_ns end_ns)}] }
		only($rows, thread => 'fw-spin-a', state => 'preempted');
	my $covered = 0;
	for my $b (only($rows, thread => 'fw-spin-b', state => 'running', cpu => 0)) {
		$covered++ if grep { $_->[0] <= $b->{start_ns} + 1000 && $b->{seen_until_ns} - 1000 <= $_->[1] }
			grep { length $_->[1] } @a;
	}
	cmp_ok($covered, '>', 3, 'two spinners: b runs while a is preempted');
	whole($rows, 'two spinners: every moment has one state');
}

{
	my ($status, $rows) = record_load([], 'sleep', 50);
	# Emulated, the timer of a call may fire before its thread has left the CPU, or soon after.
	my ($least, $calls) = $emulated ? (1e6, 40) : (2.5e6, 50);
	my @long = grep { $_->{seen_until_ns} - $_->{start_ns} > $least }
		only($rows, thread => 'fw-sleep', state => 'sleeping');
	cmp_ok(scalar @long, '>=', $calls, 'sleeper: sleeps');
	is((grep { $_->{function} !~ /nanosleep/ } @long), 0, 'sleeper: in hrtimer_nanosleep') or
		diag(functions(@long));
}

{
	my $turns = $emulated ? 600 : 2000;
	my ($status, $rows) = record_load([], 'futex', $turns);
	my ($ping) = map { $_->{tid} } only($rows, thread => 'fw-ping');
	my ($pong) = map { $_->{tid} } only($rows, thread => 'fw-pong');
	for ([ 'fw-ping', $pong ], [ 'fw-pong', $ping ]) {
		my ($me, $other) = @$_;
		my @woken = only($rows, thread => $me, state => 'runnable');
		my @wrong = grep { $_->{waker_tid} ne $other } @woken;
		# Emulated, who wakes the other may lose the CPU to it each time, and finds its turn come when it is back.
		my @lost = $emulated ? only($rows, thread => $me, state => 'preempted') : ();
		cmp_ok(@woken + @lost, '>=', $turns / 4, "futex ping-pong: $me waits for its turns");
		cmp_ok(scalar @wrong, '<=', 0.02 * @woken, "futex ping-pong: woken by the other one");
		cmp_ok(total($rows, thread => $me, state => 'runnable') + total(\@lost), '>', 0,
			"futex ping-pong: $me has runnable time");
	}
	whole($rows, 'futex ping-pong: every moment has one state');
}

{
	my ($status, $rows) = record_load([], 'mmap', $emulated ? 150 : 3000);
	my @blocked = grep { $_->{state} eq 'blocked' } only($rows, thread => 'fw-mmap');
	my @races = only($rows, thread => 'fw-mmap', state => 'runnable', wake_race => 1);
	my @unwoken = grep { $_->{no_wake} eq '1' && length $_->{end_ns} } @blocked;
	diag(sprintf '%d sleeps on mmap_lock, %d wakes that came before the switch-out',
		scalar @blocked, scalar @races);
	cmp_ok(scalar @blocked, '>', 20, 'mmap_lock: threads block on it');
	is(scalar @unwoken, 0, 'mmap_lock: no sleep is without its wake');
	whole($rows, 'mmap_lock: every moment has one state');
}

{
	my $pid = fork() // die;
	exec { $load } $load, 'sleep', 100000 or exit 127 if !$pid;
	select undef, undef, undef, 0.3;
	my $stopped = kill 'STOP', $pid;
	select undef, undef, undef, 0.2;
	my $fwc = "$tmp/asleep.fwc";
	my ($status) = run_cmd($framewait, 'record', '-q', '-p', $pid, '-d', 0.5, '-o', $fwc);
	my @rows = @{ states($fwc) };
	is($status, 0, 'since before: recorded');
	is(scalar @rows, 1, 'since before: one interval');
	is($rows[0]{state}, 'stopped', 'since before: its state is known');
	is($rows[0]{end_ns}, '', 'since before: and it is not over');
	cmp_ok($rows[0]{seen_until_ns} - $rows[0]{start_ns}, '>', 0.4e9,
		'since before: from the first moment to the last');
	kill 'KILL', $pid;
	waitpid $pid, 0;
}

{
	my ($status, $rows, $out) = record_load([], 'reuse', 4);
	my %pids = map { $_ => 1 } $out =~ /^pid (\d+)/mg;
	is(scalar keys %pids, 1, 'a pid that is used again: the workload has one pid four times') or
		diag($out);
	my ($pid) = keys %pids;
	my %names = map { $_->{thread} => 1 } only($rows, tid => $pid);
	is(join(' ', sort grep { /life/ } keys %names), 'fw-life-0 fw-life-1 fw-life-2 fw-life-3',
		'a pid that is used again: each life has its name');
	my @long = grep { $_->{seen_until_ns} - $_->{start_ns} > 15e6 }
		only($rows, tid => $pid, state => 'sleeping');
	is(scalar @long, 4, 'a pid that is used again: each life slept once for 20 ms');
}

# A workload with the process id $wanted, which must be free; nothing when others take it each time.
sub start_as {
	my ($wanted, @cmd) = @_;
	for (1 .. 200) {
		spew('/proc/sys/kernel/ns_last_pid', $wanted - 1);
		my $pid = start_load(@cmd);
		return $pid if $pid == $wanted;
		end_load($pid);
	}
	return;
}

{
	my $first = start_load($load, 'sleep', 100_000);
	my $pid = start_record('reused', '-p', $first, '-o', "$tmp/reused.fwc");
	ok(wait_until(sub { -e "$tmp/reused.fwc" && -s "$tmp/reused.fwc" > 1000 }), 'a wanted pid: it is recorded');
	end_load($first);
	my $next = start_as($first, $load, 'spin', 200);
	is($next, $first, 'a wanted pid: another process gets it, when the first has ended');
	waitpid $next, 0 if $next;
	kill 'INT', $pid;
	is(finish($pid), 0, 'a wanted pid: exit status 0');
	my %names = map { $_->{thread} => 1 } @{ states("$tmp/reused.fwc") };
	is(join(' ', sort keys %names), 'fw-sleep', 'a wanted pid: the other is not recorded');
}

{
	my $threads = $emulated ? 480 : 20000;
	my ($status, $rows, $out, $err) = record_load([], 'threads', $threads);
	my %tids = map { $_->{tid} => 1 } @$rows;
	is($status, 0, "$threads short threads: recorded");
	cmp_ok(scalar keys %tids, '>', $threads / 2, "$threads short threads: they are there");
	my ($produced, $consumed, $lost) = summary_counts($err);
	is($produced, $consumed + $lost, "$threads short threads: $produced = $consumed + $lost");
	is((grep { $_->{seen_until_ns} - $_->{start_ns} > 60e9 } @$rows), 0,
		"$threads short threads: no absurd figure");
}

done_testing();
