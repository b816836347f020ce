#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The frame tables of the real recordings against trace_processor's answers about the same frames.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $traces = "$shared/traces";
plan skip_all => "no recordings in $traces" if !-d $traces;

# Exact: "12.345678" ms as 12345678 ns.
sub ns {
	my ($ms) = @_;
	my ($sign, $whole, $frac) = $ms =~ /^(-?)(\d+)\.(\d{6})$/ or die "not ms: $ms";
	my $ns = $whole * 1_000_000 + $frac;
	return $sign ? -$ns : $ns;
}

sub ns_or {
	my ($ms, $else) = @_;
	return $ms eq '' ? $else : ns($ms);
}

sub table {
	my ($dir, $name) = @_;
	return read_csv(slurp("$dir/$name.csv"));
}

sub answer {
	my ($case, $name) = @_;
	my $path = "$shared/cases/real/$case/$name.csv.gz";
	return -f $path ? read_csv(scalar `gzip -dc '$path'`) : ();
}

sub by_identity {
	my ($frames) = @_;
	return map { join("\t", @$_{qw(pid layer surface_token display_token actual_start_ns)}) => $_ }
		grep { $_->{kind} eq 'surface' } @$frames;
}

sub like_trace_processor {
	my ($name, $frames) = @_;
	my %frame = by_identity($frames);
	my ($n, $bad) = (0, 0);
	for my $x (answer($name, 'expected-actual')) {
		my $f = $frame{ join "\t", @$x{qw(pid layer_name surface_frame_token
			display_frame_token actual_ts_ns)} };
		$n++;
		my $theirs = join '|', @$x{qw(expected_count end_delta_ns actual_dur_ns jank_tag
			jank_type present_type on_time_finish gpu_composition prediction_type)};
		my $mine = !$f ? 'no row' : join '|', $f->{expected_count},
			ns_or($f->{deadline_delta_ms}, ''), ns_or($f->{actual_ms}, -1),
			@$f{qw(jank_tag jank_type present_type on_time_finish gpu_composition
			prediction_type)};
		next if $mine eq $theirs;
		diag("theirs $theirs, mine $mine") if !$bad++;
	}
	is($bad, 0, "$name: $n frames and their predictions as trace_processor has them");
	($n, $bad) = (0, 0);
	for my $x (answer($name, 'app-display')) {
		my $f = $frame{ join "\t", @$x{qw(pid layer_name surface_frame_token
			display_frame_token actual_ts_ns)} };
		$n++;
		my $theirs = join '|', @$x{qw(display_count display_dur_ns display_jank_tag
			display_jank_type display_present_type)};
		my $mine = !$f ? 'no row' : join '|', $f->{display_count},
			ns_or($f->{display_ms}, $f->{display_count} eq '1' ? -1 : ''),
			@$f{qw(display_jank_tag display_jank_type display_present_type)};
		next if $mine eq $theirs;
		diag("theirs $theirs, mine $mine") if !$bad++;
	}
	is($bad, 0, "$name: $n display frames");
}

# Time on a CPU needs no rule of ours: it is trace_processor's to the nanosecond.
sub running_time {
	my ($name, $threads) = @_;
	my %running;
	for (answer($name, 'frame-states')) {
		my $key = join "\t", @$_{qw(pid surface_frame_token layer_name actual_ts_ns tid)};
		$running{$key} += $_->{state} eq 'Running' ? $_->{state_ns} : 0;
	}
	my ($n, $bad) = (0, 0);
	for my $t (grep { $_->{kind} eq 'surface' } @$threads) {
		my $key = join "\t", @$t{qw(pid surface_token layer actual_start_ns tid)};
		next if !defined $running{$key};
		$n++;
		$bad++ if $running{$key} != ns($t->{running_ms});
	}
	cmp_ok($n, '>', 0, "$name: threads to compare");
	is($bad, 0, "$name: $n threads ran as long as trace_processor says");
}

sub phases {
	my ($name, $frames) = @_;
	my @answer = answer($name, 'phases') or return;
	my %phase;
	for (@answer) {
		$phase{ join "\t", @$_{qw(layer_name frame_number phase)} }
			{ $_->{dur_ns} . ' ' . $_->{status} } = 1;
	}
	my ($n, $bad) = (0, 0);
	for my $f (grep { $_->{buffer_id} ne '' } @$frames) {
		(my $layer = $f->{layer}) =~ s/^TX - //;
		for my $p (qw(app_hold producer_fence_wait latch_to_present present_interval)) {
			my $theirs = $phase{"$layer\t$f->{frame_number}\t$p"} or next;
			$n++;
			my $mine = ns_or($f->{"${p}_ms"}, -1) . ' ' . $f->{"${p}_status"};
			$bad++ if !$theirs->{$mine};
		}
	}
	is($bad, 0, "$name: $n phases as trace_processor has them");
}

for my $trace (sort glob "$traces/*.perfetto-trace $traces/*.pftrace") {
	my ($name) = $trace =~ m{([^/]+)\.[^.]+$};
	next if !-d "$shared/cases/real/$name";
	my ($status, undef, $err) = run_cmd($framewait, 'report', $trace, '-o', "$tmp/$name");
	is($status, 0, "$name: is read") or diag($err);
	next if $status;
	my @frames = table("$tmp/$name", 'frames');
	like_trace_processor($name, \@frames);
	running_time($name, [table("$tmp/$name", 'threads')]);
	phases($name, \@frames);
}

done_testing();
