#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# States add up to the time of a thread exactly, and agree with the kernel's own accounts.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();

# Emulated, what lies between an event and the kernel's own look at the clock is many times longer.
sub agrees {
	my ($got, $want, $part, $slack) = @_;
	($part, $slack) = (0.1, 20 * $slack) if $emulated;
	return abs($got - $want) <= $want * $part + $slack;
}

sub near {
	my ($got, $want, $part, $slack, $what) = @_;
	ok(agrees($got, $want, $part, $slack), $what)
		or diag(sprintf '%.3f ms against %.3f ms', $got / 1e6, $want / 1e6);
}

my ($status, $rows, $out, $err, $tid, $from, $to, $rusage, $ran, $waited, @mine);

# The thread's time in a state between its two looks at the accounts.
sub between {
	my ($state) = @_;
	my $sum = 0;
	for (only(\@mine, state => $state)) {
		my $start = $_->{start_ns} > $from ? $_->{start_ns} : $from;
		my $end = $_->{seen_until_ns} < $to ? $_->{seen_until_ns} : $to;
		$sum += $end - $start if $end > $start;
	}
	return $sum;
}

sub waiting { return between('runnable') + between('preempted') }

# schedstat counts from the enqueue, which follows sched_waking by some microseconds.
sub waiting_slack {
	return 1e6 + 15e3 * (only(\@mine, state => 'runnable') + only(\@mine, state => 'preempted'));
}

# Beside a competitor on the same CPU, so that there is time of every kind.
sub account {
	my $hog = fork() // die;
	exec { $load } $load, 'spin', 2500 or exit 127 if !$hog;
	($status, $rows, $out, $err) = record_load([], 'account', 1500);
	kill 'KILL', $hog;
	waitpid $hog, 0;
	($ran, $waited) = $out =~ /schedstat (\d+) (\d+)/;
	($tid, $from, $to, $rusage) = $out =~ /^tid (\d+) from (\d+) to (\d+) rusage_us (\d+)/ or BAIL_OUT("no account: $out");
	@mine = only($rows, tid => $tid);
}

# A host that stops all emulated CPUs between the kernel's look at the clock and ours shifts any length of time:
# there the first of four that agrees is judged, or the last.
for (1 .. ($emulated ? 4 : 1)) {
	account();
	last if agrees(between('running'), $rusage * 1000, 0.01, 1e6) &&
		(!defined $waited || agrees(waiting(), $waited, 0.01, waiting_slack()));
}
is($status, 0, 'recorded') or diag($err);
my ($sum, $gaps) = (0, 0);
for my $i (0 .. $#mine) {
	$sum += $mine[$i]{seen_until_ns} - $mine[$i]{start_ns};
	$gaps++ if $i && $mine[$i]{start_ns} != $mine[$i - 1]{seen_until_ns};
}
is($gaps, 0, 'each state begins where the one before it ended');
is($sum, $mine[-1]{seen_until_ns} - $mine[0]{start_ns}, 'the states add up to the whole exactly');

my %by_tid = %{ by_tid($rows) };
my $exact = grep {
	my @l = @{ $by_tid{$_} };
	my $s = 0;
	$s += $_->{seen_until_ns} - $_->{start_ns} for @l;
	$s == $l[-1]{seen_until_ns} - $l[0]{start_ns};
} keys %by_tid;
is($exact, scalar keys %by_tid, 'so they do for every thread: ' . keys %by_tid);

my $running = between('running');
# The slack is for what lies between a look and its time stamp.
near($running, $rusage * 1000, 0.01, 1e6, 'running agrees with getrusage within 1 %');

SKIP: {
	skip 'this kernel has no /proc/PID/task/TID/schedstat', 2 if !defined $ran;
	near($running, $ran, 0.01, 1e6, 'running agrees with schedstat within 1 %');
	near(waiting(), $waited, 0.01, waiting_slack(),
		'waiting for a CPU agrees with schedstat within 1 % and 15 us a wait');
}

my @irqs = grep { $_->{irq_ns} ne '' } only(\@mine, state => 'running');
is(scalar @irqs, scalar only(\@mine, state => 'running'), 'interrupts are measured in every run');
my @longer = grep { $_->{irq_ns} + $_->{softirq_ns} > $_->{seen_until_ns} - $_->{start_ns} } @irqs;
is(scalar @longer, 0, 'and never longer than the run itself')
	or diag(map { sprintf "%d ns: irq %d, softirq %d\n", $_->{seen_until_ns} - $_->{start_ns}, $_->{irq_ns},
		$_->{softirq_ns} } @longer);
cmp_ok(eval { my $s = 0; $s += $_->{irq_ns} + $_->{softirq_ns} for @irqs; $s }, '>', 0,
	'there were some');
done_testing();
