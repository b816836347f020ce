#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Frames from trace marks of Perfetto traces: where SurfaceFlinger says nothing, and where asked for.
use strict;
use warnings;
use List::Util qw(max min);
use Test::More;
use Framewait::Packets;
use Framewait::Test;

sub rows {
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-f', 'csv', @_);
	is($status, 0, "report @_") or diag($err);
	return read_csv($out);
}

# The trace without FrameTimeline's packets.
sub without_timeline {
	my ($trace) = @_;
	return join '', grep {
		my ($packet) = fields($_);
		!grep { $_->[0] == 76 } fields($packet->[1]);
	} packets($trace);
}

# What the slices of the marks say: process and id to [start, end] of their frame.
sub frames_of_slices {
	my ($trace) = @_;
	my %pid = map { $_->{tid} => $_->{pid} } rows($trace, '--table', 'threads',
		'--trace-processor-compat');
	my (%frames, @slices);
	for my $s (rows($trace, '--table', 'thread-marks')) {
		my ($begins, $id) = $s->{name} =~
			/^(Choreographer#doFrame|DrawFrames?) (\d+)(?: |$)/ or next;
		push @slices, [ scalar($begins =~ /^C/), "$pid{$s->{tid}} $id", $s->{ts_ns},
			$s->{dur_ns} < 0 ? undef : $s->{ts_ns} + $s->{dur_ns} ];
	}
	for my $s (grep { $_->[0] } @slices) {
		my $f = $frames{ $s->[1] } //= [ $s->[2] ];
		$f->[0] = min($f->[0], $s->[2]);
	}
	for my $s (@slices) {
		my $f = $frames{ $s->[1] };
		$f->[1] = max($f->[1] // 0, $s->[3]) if $f && defined $s->[3];
		$f->[2] = 1 if $f && !defined $s->[3];
	}
	return map { my $f = $frames{$_}; $f->[2] ? () : "$_ $f->[0] $f->[1]" } keys %frames;
}

sub frames_of_rows {
	return map { "@$_{qw(pid surface_token actual_start_ns actual_end_ns)}" }
		grep { $_->{kind} eq 'mark' && $_->{actual_end_ns} ne '' } @_;
}

sub compare {
	my ($name, $file) = @_;
	my @with = rows($file);
	is(scalar(frames_of_rows(@with)), 0, "$name: no frames of marks beside SurfaceFlinger's");
	spew("$tmp/stripped", without_timeline(slurp($file)));
	my @without = rows("$tmp/stripped");
	is(scalar(grep { $_->{kind} ne 'mark' } @without), 0, "$name: without it all frames are of marks");
	my @expected = sort(frames_of_slices($file));
	cmp_ok(scalar @expected, '>', 20, "$name: there are some");
	is_deeply([sort(frames_of_rows(@without))], \@expected, "$name: one for each id, as long as its marks");
	is(scalar(grep { $_->{ui_running_ms} eq '' && $_->{actual_end_ns} ne '' } @without), 0,
		"$name: each that ended has its main thread");
	my %tokens = map { ("$_->{pid} $_->{surface_token}" => $_) } @without;
	my @both = grep { $_->{kind} eq 'surface' && $tokens{"$_->{pid} $_->{surface_token}"} } @with;
	is(scalar(grep { $_->{doframe_ms} ne $tokens{"$_->{pid} $_->{surface_token}"}{doframe_ms} } @both),
		0, "$name: doframe_ms is the same either way");
	my @asked = rows($file, '--frame-mark', 'Choreographer#doFrame');
	is_deeply([sort(frames_of_rows(@asked))], \@expected, "$name: beside SurfaceFlinger's where asked for");
	is(scalar(grep { $_->{kind} ne 'mark' } @asked), scalar @with, "$name: which are all there still");
}

compare('demo', "$top/tests/data/demo.pftrace");

# Before Android 11 the marks have no id.
spew("$tmp/old", prints([100, 50, 'B|50|Choreographer#doFrame'], [200, 51, 'B|50|DrawFrame'],
	[300, 50, 'E|50'], [900, 51, 'E|50'], [1000, 50, 'B|50|Choreographer#doFrame'], [1100, 50, 'E|50']));
my @old = rows("$tmp/old");
is_deeply([map { "@$_{qw(kind pid surface_token actual_start_ns actual_end_ns)}" } @old],
	['mark 50  100 900', 'mark 50  1000 1100'], 'marks without an id');

# A frame of SurfaceFlinger is one, whatever is told of it: every field up to the last.
my $full = join '', map { number($_, 1) } 1 .. 3;
$full .= number(4, 50) . bytes(5, 'layer') . join '', map { number($_, 1) } 6 .. 13, 16;
spew("$tmp/full", prints([90, 50, 'B|50|x'], [95, 50, 'E|50']) .
	bytes(1, number(8, 100) . bytes(76, bytes(4, $full))) .
	bytes(1, number(8, 200) . bytes(76, bytes(5, number(1, 1)))));
is(join(' ', map { $_->{kind} } rows("$tmp/full")), 'surface', 'SurfaceFlinger\'s own frame');

# What is wrong with a bundle's events is counted once, though its marks are read before.
my @damaged = map { my $p = $_; $p =~ s/\x12.(?=B\|)/\x12\x7f/s; $p }
	packets(slurp("$top/tests/data/demo.pftrace"));
spew("$tmp/damaged", join '', @damaged);
my %refused = map { my $f = $_; $f => { map { $_->{name} => $_->{value} }
	grep { $_->{severity} eq 'error' } rows("$tmp/damaged", '--table', 'health',
		$f ? ('--frame-mark', $f) : ()) } } '', 'x';
cmp_ok($refused{''}{fw_bad_packets} // 0, '>', 0, 'damaged marks are counted');
is_deeply($refused{x}, $refused{''}, 'once');

SKIP: {
	my $traces = "$shared/traces";
	skip "no recordings in $traces", 1 if !-d $traces;
	compare($_, "$traces/$_.perfetto-trace")
		for qw(android12_pixel4 android12_startup_warm android15_startup);
	my @rows = rows("$traces/android12_emulator.pftrace", '--frame-mark', 'x');
	is(scalar(frames_of_rows(@rows)), 0, 'a recording without marks has none of them');
}

done_testing();
