#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The same seconds recorded by ftrace give the same intervals within 5 us for each target thread.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use IPC::Open2;
use Test::More;

need_root();
my $bound = $emulated ? 2_000_000 : 5000;    # ns
my $ftrace = ($ENV{BUILD} || "$top/build") . '/tests/live/ftrace';

# Intervals of a thread from ftrace, by the same rules but by other code: [start, end, state]. And
# how often ftrace lacks a switch by its own account: a thread leaves a CPU that it did not come to,
# or comes twice. (Under a hypervisor, an idle CPU's switch to a thread may fire no event.)
sub intervals {
	my ($events, %targets) = @_;
	my (%t, %out);
	my $holes = 0;
	for (@$events) {
		if ($_->[0] eq 'waking') {
			my (undef, $ts, undef, $tid, $waker) = @$_;
			@{ $t{$tid} }{qw(wake waker)} = ($ts, $waker) if $targets{$tid};
			next;
		}
		my (undef, $ts, $cpu, $prev, $state, $next) = @$_;
		if ($targets{$prev}) {
			my $t = $t{$prev} //= {};
			if (defined $t->{in} && ($t->{out} // 0) <= $t->{in}) {
				push @{ $out{$prev} }, [ $t->{in}, $ts, 'running' ];
			} elsif (defined $t->{out}) {
				$holes++;
			}
			@$t{qw(out state)} = ($ts, $state);
		}
		if ($targets{$next}) {
			my $t = $t{$next} //= {};
			if (defined $t->{out} && ($t->{in} // 0) <= $t->{out}) {
				my $s = $t->{state};
				my $name = $s == 0 || $s == 0x100 ? 'preempted'
					: $s == 1 ? 'sleeping' : $s == 2 ? 'blocked'
					: $s == 0x80 ? 'idle' : 'other';
				my $wake = $t->{wake};
				if ($name ne 'preempted' && defined $wake && $wake >= ($t->{in} // 0)) {
					$wake = $t->{out} if $wake < $t->{out};
					push @{ $out{$next} }, [ $t->{out}, $wake, $name ] if $wake > $t->{out};
					push @{ $out{$next} }, [ $wake, $ts, 'runnable' ];
				} else {
					push @{ $out{$next} }, [ $t->{out}, $ts, $name ];
				}
			} elsif (defined $t->{in}) {
				$holes++;
			}
			$t->{in} = $ts;
		}
	}
	return (\%out, $holes);
}

my $pid = open2(my $from, my $to, $ftrace);
like(scalar <$from>, qr/^ready/, 'ftrace records beside it') or BAIL_OUT('no tracefs instance');

my %load = (
	mix => [ 'account', 1200 ],
	pipe => [ 'pipe', $emulated ? 400 : 20000, 1 ],
	futex => [ 'futex', $emulated ? 300 : 3000 ],
	mmap => [ 'mmap', $emulated ? 20 : 500 ],
	direct => [ 'direct', 100, "$tmp/direct.bin" ],
);
my (%rows, %unseen);
for my $name (sort keys %load) {
	my ($status, $rows, undef, $err) = record_load([], @{ $load{$name} });
	($unseen{$name}) = $err =~ /switches without an event: (\d+)/;
	$unseen{$name} //= 0;
	is($status, 0, "$name: recorded");
	$rows{$name} = $rows;
}
close $to;
my @events = map { [split] } grep { /^(?:switch|waking) / } <$from>;
waitpid $pid, 0;
@events = sort { $a->[1] <=> $b->[1] } @events;
cmp_ok(scalar @events, '>', 1000, 'ftrace has ' . @events . ' events');

# Two witnesses of one switch read the clock one after the other. On a virtual machine the host may
# take the CPU away between the two, which shows as a few intervals tens of microseconds apart.
my $stolen = $emulated ? 20_000_000 : 500_000;

# The interval of @$list that ends closest to $end, from index $$at on.
sub closest {
	my ($list, $at, $end) = @_;
	$$at++ while $$at < @$list && $list->[$$at][1] < $end - $stolen;
	my $best;
	for (my $i = $$at; $i < @$list && $list->[$i][1] <= $end + $stolen; $i++) {
		$best = $list->[$i]
			if !$best || abs($list->[$i][1] - $end) < abs($best->[1] - $end);
	}
	return $best;
}

my $compared = 0;
for my $name (sort keys %rows) {
	my $mine = by_tid($rows{$name});
	my ($theirs, $holes) = intervals(\@events, map { $_ => 1 } keys %$mine);
	my ($same, $apart, $missing, $worst) = (0, 0, 0, 0);
	for my $tid (keys %$mine) {
		my (%by_state, %at);
		push @{ $by_state{ $_->[2] } }, $_ for @{ $theirs->{$tid} // [] };
		my ($first) = map { $_->{start_ns} } @{ $mine->{$tid} };
		for my $iv (@{ $mine->{$tid} }) {
			# The first one begins where recording began; the last one is not over.
			next if $iv->{end_ns} eq '' || $iv->{start_ns} == $first;
			my $other = closest($by_state{ $iv->{state} } // [], \($at{ $iv->{state} } //= 0),
				$iv->{end_ns});
			if (!$other) {
				$missing++;
				next;
			}
			my ($d) = sort { $b <=> $a } abs($other->[0] - $iv->{start_ns}),
				abs($other->[1] - $iv->{end_ns});
			if ($d > $bound) {
				$apart++;
			} else {
				$same++;
				$worst = $d if $d > $worst;
			}
		}
	}
	diag("$name: $same intervals the same within $worst ns, $apart further apart, " .
		"$missing only here, $unseen{$name} switches without an event, $holes that ftrace lacks");
	$compared += $same;
	# What stands on both sides of a switch without an event differs.
	cmp_ok($missing, '<=', 2 + 4 * ($unseen{$name} + $holes),
		"$name: none is missing, but beside a switch that one of them did not see");
	cmp_ok($apart, '<=', 3 + $same / 10 + 4 * $holes,
		"$name: they agree within $bound ns, but where the host took the CPU");
}
cmp_ok($compared, '>', $emulated ? 500 : 5000, "$compared intervals are compared and the same");
done_testing();
