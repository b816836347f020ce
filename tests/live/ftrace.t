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
my $bound = 5000;    # ns
my $ftrace = ($ENV{BUILD} || "$top/build") . '/tests/live/ftrace';

# Intervals of a thread from ftrace, by the same rules but by other code: [start, end, state].
sub intervals {
	my ($events, %targets) = @_;
	my (%t, %out);
	for (@$events) {
		if ($_->[0] eq 'waking') {
			my (undef, $ts, undef, $tid, $waker) = @$_;
			@{ $t{$tid} }{qw(wake waker)} = ($ts, $waker) if $targets{$tid};
			next;
		}
		my (undef, $ts, $cpu, $prev, $state, $next) = @$_;
		if ($targets{$prev}) {
			my $t = $t{$prev} //= {};
			push @{ $out{$prev} }, [ $t->{in}, $ts, 'running' ]
				if defined $t->{in} && ($t->{out} // 0) <= $t->{in};
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
			}
			$t->{in} = $ts;
		}
	}
	return \%out;
}

my $pid = open2(my $from, my $to, $ftrace);
like(scalar <$from>, qr/^ready/, 'ftrace records beside it') or BAIL_OUT('no tracefs instance');

my %load = (
	mix => [ 'account', 1200 ],
	pipe => [ 'pipe', 20000, 1 ],
	futex => [ 'futex', 3000 ],
	mmap => [ 'mmap', 500 ],
	direct => [ 'direct', 100, "$tmp/direct.bin" ],
);
my %rows;
for my $name (sort keys %load) {
	my ($status, $rows) = record_load([], @{ $load{$name} });
	is($status, 0, "$name: recorded");
	$rows{$name} = $rows;
}
close $to;
my @events = map { [split] } grep { /^(?:switch|waking) / } <$from>;
waitpid $pid, 0;
@events = sort { $a->[1] <=> $b->[1] } @events;
cmp_ok(scalar @events, '>', 1000, 'ftrace has ' . @events . ' events');

for my $name (sort keys %rows) {
	my $mine = by_tid($rows{$name});
	my $theirs = intervals(\@events, map { $_ => 1 } keys %$mine);
	my ($compared, $far, $other, $missing, $unseen) = (0, 0, 0, 0, 0);
	my $worst = 0;
	for my $tid (keys %$mine) {
		my %by_state;
		push @{ $by_state{ $_->[2] } }, $_ for @{ $theirs->{$tid} // [] };
		my %next = map { $_ => 0 } keys %by_state;
		my ($first, $last) = map { $_->[0], $_->[-1] }
			[ map { $_->{start_ns} } @{ $mine->{$tid} } ];
		for my $iv (@{ $mine->{$tid} }) {
			next if $iv->{end_ns} eq '' || $iv->{state} eq 'dead';
			# Where no event was, neither witness saw the switch.
			if ($iv->{state} eq 'unknown') {
				$unseen++;
				next;
			}
			my $list = $by_state{ $iv->{state} } // [];
			my $at = \$next{ $iv->{state} };
			$$at++ while defined $list->[$$at // 0] && $list->[$$at][1] < $iv->{end_ns} - $bound;
			my $other_iv = $list->[$$at // 0];
			if (!$other_iv || $other_iv->[1] > $iv->{end_ns} + $bound) {
				$missing++;
				next;
			}
			my $d = abs($other_iv->[0] - $iv->{start_ns});
			# The first interval begins where recording began, not where the state did.
			next if $iv->{start_ns} == $first || $iv->{start_ns} <= $first + 1e6 && $d > $bound;
			$worst = $d if $d > $worst && $d <= $bound;
			$compared++;
			$far++ if $d > $bound;
		}
	}
	diag("$name: $compared intervals compared, worst $worst ns, $missing only here, $far far apart");
	cmp_ok($compared, '>', 50, "$name: intervals of the same threads are compared");
	cmp_ok($far + $missing, '<=', 2 + $compared / 1000,
		"$name: they agree within 5 us, but for switches that no tracer sees");
}
done_testing();
