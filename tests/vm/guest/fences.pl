#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Frames with kernel fences: each fence that SurfaceFlinger names is found by its stamp, and a thread
# that polls one is seen to wait for it, by name, where the module says so (fences.pl module), or to
# sleep, where it does not (fences.pl alone).
use strict;
use warnings;
use Framewait::Sim;
use Framewait::Test;
use Test::More;

my $module = $ARGV[0] eq 'module';
my ($fwc, $stream, $truth) = map { "$tmp/$_" } qw(run.fwc stream.pftrace truth.csv);
spew($stream, '');
my ($status, $out, $err) = run_cmd($framewait, 'record', '--sf', $stream, '--settle', 60, '-o', $fwc, '--',
	'/t/framesim-static', '--rate', 5, '--frames', 12, '--work', 40, '--pftrace', $stream, '--truth', $truth,
	'--io-file', "$tmp/io", (map { ('--inject', "fence_wait=60\@$_") } 4, 6, 10), '--inject', 'gpu_late=25@8');
is($status, 0, 'recorded') or diag($err);
($status, undef, $err) = run_cmd($framewait, 'report', '-o', "$tmp/rows", $fwc);
is($status, 0, 'reported') or diag($err);
my @frames = read_csv(slurp("$tmp/rows/frames.csv"));
my @fences = read_csv(slurp("$tmp/rows/fences.csv"));
my %fence = map { ("$_->{timeline} $_->{seqno}" => $_) } grep { $_->{seqno} ne '' } @fences;

# Acquire and present fences of the frames
my @surface = grep { $_->{kind} eq 'surface' && $_->{acquire_fence_match} ne '' } @frames;
cmp_ok(scalar @surface, '>=', 8, 'frames of a layer: ' . @surface);
for my $use (qw(acquire present)) {
	my $timeline = $use eq 'acquire' ? 'framesim-gpu' : 'framesim-present';
	my @of = grep { $_->{"${use}_fence_match"} ne '' } @surface;
	my @exact = grep { $_->{"${use}_fence_match"} eq 'exact' } @of;
	cmp_ok(scalar @of, '>=', 7, "$use: frames with a fence: " . @of);
	is(scalar @exact, scalar @of, "$use: each is matched by its stamp");
	is((grep { $_->{"${use}_fence_driver"} ne 'framewait' || $_->{"${use}_fence_timeline"} ne $timeline } @exact), 0,
		"$use: driver framewait, timeline $timeline");
	my @seqnos = map { $_->{"${use}_fence_seqno"} } @exact;
	is((grep { $seqnos[$_] <= $seqnos[$_ - 1] } 1 .. $#seqnos), 0, "$use: in the order of the frames");
	is((grep { my $f = $fence{"$timeline $_"}; !$f || $f->{match} ne 'exact' || $f->{event_ns} != $f->{stamp_ns} } @seqnos), 0,
		"$use: fences.csv has the same, stamp for stamp");
}

# RenderThread's waits of 60 ms. An emulated machine takes time from the fence to poll(), so that each is shorter
# than that; the longest of the three is judged, by 20 ms and by the very sleep that the fence ended.
my @told = grep { $_->{inject} eq 'fence_wait' } truth_of($truth, 'surface');
is(scalar @told, 3, 'framesim waited for a fence in three frames');
my %told = map { (row_key($_) => 1) } @told;
my $wait = $module ? 'render_fence_wait_ms' : 'render_sleeping_ms';
my ($slow) = sort { ($b->{$wait} || 0) <=> ($a->{$wait} || 0) } grep { $told{ row_key($_) } } @frames;
ok($slow, 'which have rows');
cmp_ok($slow->{render_sleeping_ms}, '>=', 20, "RenderThread sleeps in them: $slow->{render_sleeping_ms} ms");
if ($module) {
	cmp_ok($slow->{render_fence_wait_ms}, '>=', 20, "that is a wait for a fence: $slow->{render_fence_wait_ms} ms");
	cmp_ok($slow->{render_fence_wait_ms}, '<=', $slow->{render_sleeping_ms}, 'within its sleep');
	is("$slow->{render_top_fence_driver} $slow->{render_top_fence_timeline}", 'framewait framesim-release', 'by name');
	my $f = $fence{"framesim-release $slow->{render_top_fence_seqno}"};
	is($f->{context}, $slow->{render_top_fence_context}, 'which fences.csv has');
	is($f->{poll_tid}, $slow->{render_tid}, 'polled by that thread');
	is($f->{poll_thread}, 'RenderThread', 'by name');
	cmp_ok($f->{poll_ms}, '>=', $slow->{render_top_fence_ms}, 'for no less than it slept');
	(undef, $out) = run_cmd($framewait, 'report', '-t', 'states', $fwc);
	my ($sleep) = grep { $_->{tid} == $slow->{render_tid} && $_->{state} eq 'sleeping' &&
		$_->{start_ns} < $f->{stamp_ns} && $_->{end_ns} ne '' && $f->{stamp_ns} <= $_->{end_ns} } read_csv($out);
	ok($sleep, 'it slept when the fence signaled') and
		is(sprintf('%.6f', ($sleep->{end_ns} - $sleep->{start_ns}) / 1e6), $slow->{render_top_fence_ms},
			'and that whole sleep is the wait');
	is((grep { $_->{sf_top_fence_timeline} !~ /^(?:framesim-present)?$/ } @frames), 0,
		'SurfaceFlinger waits for present fences only');
} else {
	is((grep { $_->{"${_}_fence_wait_ms"} // '' } @frames), 0, 'no role is said to wait for a fence');
	is($slow->{render_fence_wait_ms}, '', 'nor that one');
	is($slow->{render_top_fence_timeline}, '', 'nor for which');
	(undef, $out) = run_cmd($framewait, 'check');
	like($out, qr/^no\s+module\b.*\n\s+\(framewait\.ko is not loaded\)/m, 'check says why');
	like($out, qr/empty without it: .*fence_wait_ms/, 'and which columns are empty for it');
}
done_testing();
