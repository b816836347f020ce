#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What framewait report and inspect make of a capture with SurfaceFlinger's packets in it.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $capture = "$top/tests/data/demo.fwc";
my $trace = "$top/tests/data/two-frames.pftrace";

sub rows {
	my @cmd = ($framewait, 'report', @_, '-f', 'csv');
	my ($status, $out, $err) = run_cmd(@cmd);
	is($status, 0, "report @_[1 .. $#_]") or diag($err);
	return $out;
}

my $recorded = rows($capture);
is(rows($capture, '--settle', 2), $recorded, 'what the capture says is 2 s');
my @all = read_csv(rows($capture, '--settle', 'inf'));
my @some = read_csv($recorded);
is(scalar @all, scalar @some, 'nothing was late');
is_deeply([map { $_->{actual_start_ns} } @some], [sort { $a <=> $b } map { $_->{actual_start_ns} } @some],
	'rows come by their start');
for my $column (qw(ui_running_ms render_sleeping_ms sf_running_ms hwc_unobserved_ms acquire_fence_match present_ms)) {
	is(join(' ', map { $_->{$column} } @some), join(' ', map { $_->{$column} } @all), "$column: as when all is waited for");
}
my @beside = read_csv(rows($capture, '--sf', $trace));
ok(!(grep { $_->{pid} == $some[0]{pid} } @beside), "--sf: another file's frames take the place of its own");

my ($status, $out) = run_cmd($framewait, 'inspect', $capture, '-f', 'csv');
is($status, 0, 'inspect');
my %row = map { ("$_->{kind} $_->{name}" => $_->{n}) } read_csv($out);
ok($row{'packet frame_timeline_event'} > 100 && $row{'packet graphics_frame_event'} > 100, 'inspect counts packets');
is($row{'health fw_sf_packets'}, $row{'packet frame_timeline_event'} + $row{'packet graphics_frame_event'} +
	($row{'packet process_tree'} // 0) + ($row{'packet clock_snapshot'} // 0) + ($row{'packet trace_config'} // 0) +
	($row{'packet trace_stats'} // 0) + ($row{'packet system_info'} // 0) + ($row{'packet service_event'} // 0),
	'and all of them');

for ([2, qr/expected seconds/, $capture, '--settle', '-1'], [2, qr/expected seconds/, $capture, '--settle', 'soon'],
	[3, qr/no framewait capture/, $trace, '--sf', $trace], [3, qr/no Perfetto trace/, $capture, '--sf', $capture],
	[2, qr/one capture/, $capture, $trace, '--sf', $trace, '-o', "$tmp/out"]) {
	my ($want, $why, @args) = @$_;
	my ($status, undef, $err) = run_cmd($framewait, 'report', @args);
	is($status, $want, "status $want: @args[1 .. $#args]");
	like($err, $why, 'and why');
}
done_testing();
