#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Side files beside the frames of a recording: by vsync id, by time, ambiguous, without a clock.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $demo = "$top/tests/data/demo.pftrace";
my $boot_less_mono = 3_600_123_456_789;    # tests/gen/rec.c
my $never = '9223372036854775807';

sub rows_of {
	my ($status, $out, $err) = run_cmd($framewait, 'report', $demo, '-f', 'csv', @_);
	is($status, 0, "report @_") or diag($err);
	return read_csv($out);
}

my @plain = rows_of();
my $first = $plain[0]{actual_start_ns} - $plain[0]{actual_start_ms} * 1e6;
my @app = grep { $_->{kind} eq 'surface' && $_->{pid} == 4200 && $_->{actual_end_ns} ne '' } @plain;
my @side = grep { /^(?:framestats|latency|plan)_/ } keys %{ $plain[0] };
is(scalar @side, 22, 'columns of side files');
is(scalar(grep { my $r = $_; grep { $r->{$_} ne '' } @side } @plain), 0, 'empty without a file');

sub mono { return $_[0] - $boot_less_mono }

sub dump_of {
	my ($with_id, @frames) = @_;
	my $s = "** Graphics info for pid 4200 [com.example.scroll] **\n" .
		"Window: com.example.scroll/com.example.scroll.MainActivity\n---PROFILEDATA---\n" .
		"Flags," . ($with_id ? 'FrameTimelineVsyncId,' : '') .
		"IntendedVsync,FrameStartTime,FrameCompleted,FrameDeadline,DequeueBufferDuration," .
		"DisplayPresentTime,\n";
	for my $f (@frames) {
		my $start = mono($f->{actual_start_ns});
		$s .= '0,' . ($with_id ? "$f->{surface_token}," : '') . join(',', $start - 1000, $start,
			$start + 9000, $start + 8000, 77, $never) . ",\n";
	}
	return "$s---PROFILEDATA---\n";
}

# framestats by vsync id; a second dump says the same of the last frames.
spew("$tmp/stats", dump_of(1, @app[0 .. 9]) . dump_of(1, @app[5 .. 9]));
my @rows = rows_of('--framestats', "$tmp/stats");
my %row = map { ("$_->{surface_token} $_->{pid} $_->{layer}" => $_) } grep { $_->{kind} eq 'surface' } @rows;
sub row { return $row{"$_[0]{surface_token} $_[0]{pid} $_[0]{layer}"} }
is(join(' ', map { $_->{framestats_match} } map { row($_) } @app[0 .. 10]),
	join(' ', ('exact') x 10, 'none'), 'exact by vsync id, rows of two dumps count once');
is(join(' ', @{ row($app[3]) }{map { "framestats_$_" } qw(count distance_ns flags total_ms
		deadline_delta_ms dequeue_ms queue_ms present_ms)}),
	'1 0 0 0.010000 0.001000 0.000077  ', 'its cells, pending ones empty');
is(scalar(grep { $_->{framestats_match} eq 'exact' && $_->{pid} != 4200 } @rows), 0,
	'other processes have none of it');
is(scalar(grep { $_->{framestats_match} ne '' } grep { $_->{kind} eq 'display' } @rows), 0,
	'display frames are not asked');

# By time, where the release has no ids.
my $shifted = { %{ $app[2] }, actual_start_ns => $app[2]{actual_start_ns} + 2_000_000 };
spew("$tmp/old", dump_of(0, $app[0], $app[1], $shifted));
%row = map { ("$_->{surface_token} $_->{pid} $_->{layer}" => $_) } rows_of('--framestats', "$tmp/old");
is(join(' ', map { row($_)->{framestats_match} } @app[0 .. 2]), 'near near none',
	'without ids by time, within 1 ms');

# Two windows of one process in one frame, neither of them the layer's own.
spew("$tmp/two", dump_of(1, $app[0]) =~ s/^Window: .*\n//mr .
		dump_of(1, { %{ $app[0] }, actual_start_ns => $app[0]{actual_start_ns} + 9 }) =~
		s/^Window: .*\n//mr);
%row = map { ("$_->{surface_token} $_->{pid} $_->{layer}" => $_) } rows_of('--framestats', "$tmp/two");
is(join(' ', @{ row($app[0]) }{qw(framestats_match framestats_count framestats_total_ms)}),
	'ambiguous 2 ', 'two rows of one id are ambiguous');

# --latency: of the layer by its presents, of no layer by the ready times.
my $layer = $app[0]{layer} =~ s/^TX - //r;
my $table = "8333333\n0\t0\t0\n";
my %shown = map { ($_->{display_token} => $_) } grep { $_->{kind} eq 'display' } @plain;
my @seen = grep { $_->{display_count} eq '1' && $shown{ $_->{display_token} }{actual_end_ns} ne '' } @app;
for my $f (@seen[0 .. 7]) {
	my $present = mono($shown{ $f->{display_token} }{actual_end_ns});
	$table .= join("\t", $present - 5000, $present + 300, mono($f->{actual_end_ns}) - 200_000) . "\n";
}
spew("$tmp/latency", "RequestedLayerState{$layer parentId=3 z=0}\n$table\n");
%row = map { ("$_->{surface_token} $_->{pid} $_->{layer}" => $_) } rows_of('--latency', "$tmp/latency");
is(join(' ', map { row($_)->{latency_match} } @seen[0 .. 8]), join(' ', ('exact') x 8, 'none'),
	'exact by layer and present');
is(row($seen[2])->{latency_distance_ns}, 300, 'and the distance');
is(sprintf('%.6f', row($seen[2])->{latency_present_ms} - row($seen[2])->{latency_ready_ms}),
	sprintf('%.6f', ($shown{ $seen[2]{display_token} }{actual_end_ns} + 300 -
			($seen[2]{actual_end_ns} - 200_000)) / 1e6), 'its times stand on one axis');
spew("$tmp/unnamed", $table);
%row = map { ("$_->{surface_token} $_->{pid} $_->{layer}" => $_) } rows_of('--latency', "$tmp/unnamed");
is(row($seen[0])->{latency_match}, 'near', 'without a name by the ready time');
my (undef, undef, $err) = run_cmd($framewait, 'report', $demo, '-f', 'csv', '--latency', "$tmp/stats");
like($err, qr/stats: is not what dumpsys SurfaceFlinger --latency/, 'another file is refused');

# Frame plans by vsync id.
my $f = $app[4];
my $plans = "frameTimeNanos,vsyncId,deadlineNanos,expectedPresentNanos\n";
for my $p ([$f, 0], [$app[5], 0], [$app[5], 1], [$app[6], 0], [$app[6], 0]) {
	my ($g, $add) = @$p;
	my $at = mono($first + sprintf('%.0f', $g->{expected_start_ms} * 1e6));
	$plans .= join(',', $at + 10, $g->{surface_token},
		mono($first + sprintf('%.0f', $g->{expected_end_ms} * 1e6)) - 20 + $add, $never) . "\n";
}
spew("$tmp/plans", $plans);
%row = map { ("$_->{surface_token} $_->{pid} $_->{layer}" => $_) } rows_of('--frame-plans', "$tmp/plans");
is(join(' ', map { row($_)->{plan_count} } @app[3 .. 6]), '0 1 2 1', 'plans, the same one counts once');
is(join(' ', @{ row($f) }{map { "plan_$_" } qw(start_delta_ms deadline_delta_ms present_ms)}),
	'0.000010 -0.000020 ', 'less what SurfaceFlinger expected');
is(join('', @{ row($app[5]) }{qw(plan_deadline_ms plan_deadline_delta_ms)}), '', 'not of two plans');

is((run_cmd($framewait, 'report', $demo, '-t', 'irq', '--latency', "$tmp/latency"))[0], 2,
	'not beside a table of the recording');
is((run_cmd($framewait, 'report', $demo, '--frame-plans', "$tmp/none"))[0], 3, 'a file that is not there');

done_testing();
