#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The frame report on real recordings: rows, sums, fences with known answers, health.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $traces = "$shared/traces";
plan skip_all => "no real recordings in $traces" if !-d $traces;

my @states = map { "${_}_ms" } qw(running runnable preempted sleeping blocked_io blocked_nonio
	blocked_unknown other unobserved);

sub ns {
	return $_[0] =~ s/\.//r + 0;
}

# Write the files of a recording; its rows by table.
sub report {
	my ($name) = @_;
	my ($status, undef, $err) = run_cmd($framewait, 'report', "$traces/$name", '-o', "$tmp/$name");
	is($status, 0, "$name: read") or diag($err);
	return map { $_ => [read_csv(slurp("$tmp/$name/$_.csv"))] }
		qw(frames threads fences intervals health);
}

# In each row the states and unobserved add up to the window, and so do the intervals.
sub check_sums {
	my ($name, %t) = @_;
	my (%window, @off);
	for my $row (@{ $t{threads} }) {
		my $sum = 0;
		$sum += ns($row->{$_}) for @states;
		push @off, $row if $sum != ns($row->{window_ms});
		my $key = join ' ', @$row{qw(kind layer surface_token display_token actual_start_ns role tid)};
		$window{$key} = ns($row->{window_ms});
	}
	is(scalar @off, 0, "$name: the states of " . @{ $t{threads} } . ' thread rows add up');
	for my $row (@{ $t{intervals} }) {
		my $key = join ' ', @$row{qw(kind layer surface_token display_token actual_start_ns role tid)};
		$window{$key} -= $row->{duration_ns};
	}
	is((grep { $_ } values %window), 0, "$name: and so do their intervals");
	@off = ();
	for my $row (@{ $t{frames} }) {
		for my $role (qw(ui render sf re hwc)) {
			next if $row->{"${role}_tid"} eq '' || $row->{actual_ms} eq '';
			my $of = $role =~ /^(ui|render)$/ ? $row->{actual_ms} :
				$row->{kind} eq 'display' ? $row->{actual_ms} : $row->{display_ms};
			my $sum = 0;
			$sum += ns($row->{"${role}_$_"}) for @states;
			push @off, "$row->{surface_token} $role $sum $of" if $sum != ns($of);
		}
	}
	is(join("\n", @off), '', "$name: and those of " . @{ $t{frames} } . ' frame rows');
}

sub count_kinds {
	my %n;
	$n{ $_->{kind} }++ for @_;
	return join ' ', map { "$_ $n{$_}" } sort keys %n;
}

my $startup = 'android15_startup.perfetto-trace';
my %t = report($startup);
is(count_kinds(@{ $t{frames} }), 'display 54 surface 120', "$startup: frames");
check_sums($startup, %t);

# Each fence event of a frame has one kernel fence; which one is known.
my @events = grep { $_->{event_ns} ne '' } @{ $t{fences} };
my %found = map { ("$_->{event_ns} $_->{event} $_->{layer} $_->{frame_number}" => $_) } @events;
my @known = read_csv(slurp("$shared/cases/real/android15_startup/fence-match.csv"));
my @wrong = grep {
	my $f = $found{"$_->{ts_ns} $_->{event} $_->{layer_name} $_->{frame_number}"};
	!$f || $f->{match} ne 'near' || $f->{distance_ns} ne $_->{after_ns} ||
		join(' ', @$f{qw(driver timeline context seqno candidates)}) ne
		join(' ', @$_{qw(driver timeline context seqno candidates)});
} @known;
is(scalar @wrong, 0, "$startup: all " . @known . ' fence events match the fence that is known') or
	diag(join "\n", map { "$_->{ts_ns} $_->{event}" } splice @wrong, 0, 5);
is(scalar @events, scalar @known, "$startup: and there are no others");

for my $name ('android12_pixel4.perfetto-trace', 'android12_startup_warm.perfetto-trace',
	'android12_emulator.pftrace') {
	my %r = report($name);
	cmp_ok(scalar @{ $r{frames} }, '>', 0, "$name: has frames");
	check_sums($name, %r);
}

# Recordings without frames are read all the same, and nothing of them is called lost.
for my $name ('android11_gpu_counters.pftrace', 'desktop_chrome_gzip.pftrace',
	'other/surfaceflinger_transactions.perfetto-trace') {
	SKIP: {
		skip "$name is not here", 3 if !-f "$traces/$name";
		mkdir "$tmp/other";
		my %r = report($name);
		is(scalar @{ $r{frames} }, 0, "$name: has no frames");
		my ($status, $out) = run_cmd($framewait, 'inspect', "$traces/$name");
		ok($status eq '0' && length $out, "$name: inspect tells what it holds");
	}
}

done_testing();
