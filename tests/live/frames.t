#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Frames of a live recording, from trace marks: each with what its threads waited for. A capture
# that is replayed gives byte for byte the rows that the live run wrote.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();
# Before 6.13 a recording has marks only where they are asked for.
my @marks = -e '/sys/kernel/tracing/options/copy_trace_marker' ? () : qw(--sf marks);
my $fwc = "$tmp/frames.fwc";
my ($status, $out, $err) = run_cmd($framewait, 'record', @marks, '-o', $fwc, '--csv', "$tmp/live", '--', $load,
	'frames', 40);
is($status, 0, 'recorded, and its rows written') or diag($err);
like($err, qr/40 frames begun/, '40 frames were seen while recording');
($status) = run_cmd($framewait, 'report', '-o', "$tmp/again", $fwc);
is($status, 0, 'replayed');
for my $name (qw(frames threads intervals fences health)) {
	ok(slurp("$tmp/live/$name.csv") eq slurp("$tmp/again/$name.csv"), "$name.csv is the same byte for byte");
}

my @frames = grep { $_->{kind} eq 'mark' } read_csv(slurp("$tmp/again/frames.csv"));
is(scalar @frames, 40, '40 frames');
is(join(',', map { $_->{surface_token} } @frames), join(',', 1 .. 40), 'by their number');
is((grep { $_->{display_token} ne '' || $_->{late} ne '' } @frames), 0, 'what marks do not tell is empty');
is((grep { $_->{doframe_count} != 1 || $_->{drawframes_count} != 1 } @frames), 0, 'each with both its marks');

my @times = qw(running runnable preempted sleeping blocked_io blocked_nonio blocked_unknown other unobserved);
sub ns { return int($_[0] * 1e6 + 0.5) }
for my $role (qw(ui render)) {
	my ($off, $unseen, $ran) = (0, 0, 0);
	for my $f (@frames) {
		my $sum = 0;
		$sum += ns($f->{"${role}_${_}_ms"}) for @times;
		$off++ if $sum != ns($f->{actual_ms});
		$unseen += ns($f->{"${role}_unobserved_ms"});
		$ran++ if $f->{"${role}_running_ms"} > 0;
	}
	is($off, 0, "$role: the states and unobserved add up to each frame exactly");
	is($unseen, 0, "$role: nothing is unobserved");
	is($ran, 40, "$role: it ran in each frame");
}
my @slow = grep { $_->{surface_token} % 10 == 0 } @frames;
is((grep { $_->{actual_ms} < 20 } @slow), 0, 'each tenth frame is slow');
# Emulated, RenderThread may take longer than that, and the main thread waits for it.
my $reason = $emulated ? qr/nanosleep|futex/ : qr/^hrtimer_nanosleep$/;
is((grep { $_->{ui_top_sleep_function} !~ $reason || $_->{ui_top_sleep_function_ms} < ($emulated ? 5 : 19) } @slow), 0,
	'because its main thread slept in hrtimer_nanosleep');
my @render = map { $_->{render_top_waker} } @frames;
ok((grep { $_ eq 'fw-frames' } @render), 'the main thread wakes RenderThread');

# Another recorder's view: marks of any name.
($status, $out) = run_cmd($framewait, 'report', '-f', 'csv', '--frame-mark', 'DrawFrames', $fwc);
is($status, 0, '--frame-mark');
is(scalar(grep { $_->{kind} eq 'mark' } read_csv($out)), 40, '--frame-mark: frames of the same marks are one');

($status, $out, $err) = run_cmd($framewait, 'record', @marks, '-o', $fwc, '--frame-mark', 'Draw it', '--', 'sh', '-c',
	'for i in 1 2 3; do printf "B|$$|Draw it"; sleep 0.01; done >/dev/null;' .
	'for i in 1 2 3; do echo "B|$$|Draw it" >/sys/kernel/tracing/trace_marker; sleep 0.01;' .
	' echo "E|$$" >/sys/kernel/tracing/trace_marker; done');
is($status, 0, 'record --frame-mark');
like($err, qr/3 frames begun/, 'record --frame-mark: counts frames of that name');
($status, $out) = run_cmd($framewait, 'report', '-f', 'csv', $fwc);
is(join(',', map { $_->{surface_token} } read_csv($out)), '1,2,3', 'and the report knows them by it');

($status, $out, $err) = run_cmd($framewait, 'record', @marks, '-o', $fwc, '-n', 5, '--', $load, 'frames', 400);
is($status, 0, '-n 5: ends after five frames');
my ($n) = $err =~ /(\d+) frames begun/;
cmp_ok($n, '>=', 5, '-n 5: they were seen');
cmp_ok($n, '<', 60, '-n 5: and not many more');
kill_named('fw-frames');

for my $table (qw(thread-state d-state runnable-latency irq state-in-window thread-marks sched-slice threads
	frequency counters states health)) {
	($status, $out, $err) = run_cmd($framewait, 'report', '-t', $table, $fwc);
	is($status, 0, "table $table of a capture") or diag($err);
	like($out, qr/^\w+,.*\n/, "table $table has its columns");
}
done_testing();
