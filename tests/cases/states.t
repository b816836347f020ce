#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of states in framewait's own terms, on the given recordings: a thread is in one state at
# a time, only its last one is open, and the states of a window add up to it exactly.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my @recordings = grep { -f } glob "$shared/traces/*.pftrace $shared/traces/*.perfetto-trace " .
	"$shared/traces/*.html.gz $shared/traces/text/* $shared/cases/synthetic/*/input.*trace";
plan skip_all => "no recordings in $shared" if !@recordings;

my %word = map { $_ => 1 } qw(running runnable preempted sleeping blocked stopped idle parked dead),
	'';

sub table {
	my ($input, $table) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', $input, '--table', $table);
	is($status, 0, "$input: $table") or diag($err);
	return read_csv($out);
}

# The rows of one thread come in time order: the table is sorted by time.
sub check_thread_state {
	my ($input) = @_;
	my (%end, @overlap, @words, @after_open);
	for my $row (table($input, 'thread-state')) {
		my $tid = $row->{tid};
		push @words, $row->{state} if !$word{ $row->{state} };
		push @after_open, $tid if exists $end{$tid} && !defined $end{$tid};
		push @overlap, "$tid at $row->{ts_ns}"
			if defined $end{$tid} && $row->{ts_ns} < $end{$tid};
		$end{$tid} = $row->{dur_ns} eq '' ? undef : $row->{ts_ns} + $row->{dur_ns};
	}
	is("@words", '', 'states by their names');
	is("@overlap", '', 'a thread is in one state at a time');
	is("@after_open", '', 'only the last one is open');
}

sub check_sums {
	my ($input, $table, @key) = @_;
	my (%sum, %want);
	for my $row (table($input, $table)) {
		my $key = join ',', @$row{@key};
		$sum{$key} += $row->{state_ns};
		$want{$key} = $row->{dur_ns} // $row->{actual_dur_ns};
	}
	my @bad = grep { $sum{$_} % ($want{$_} || 1) } sort keys %sum;
	is("@bad", '', "$table: the states of " . keys(%sum) . ' windows add up');
}

for my $input (@recordings) {
	check_thread_state($input);
	# Frames and marks that are equal in all columns share a key: their sum is a multiple.
	check_sums($input, 'state-in-window', qw(tid slice ts_ns dur_ns));
	check_sums($input, 'frame-states', qw(pid surface_frame_token display_frame_token layer_name
		actual_ts_ns actual_dur_ns tid));
}
done_testing();
