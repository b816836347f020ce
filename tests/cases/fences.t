#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fences.csv of real recordings against their dma_fence events, as "protoc --decode_raw" shows them:
# fields 414 (init), 416 (signaled), 417 and 418 (a wait in the kernel) of FtraceEvent. trace-cmd refuses
# amdgpu.dat: its numbers are those of the pages in it, read by hand.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $traces = "$shared/traces";
plan skip_all => "no real recordings in $traces" if !-d $traces;

# The first row of each fence, by "context seqno".
sub fences {
	my ($name) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'fences', '-f', 'csv', "$traces/$name");
	is($status, 0, "$name: read") or diag($err);
	my %f;
	$f{"$_->{context} $_->{seqno}"} //= $_ for read_csv($out);
	return \%f;
}

sub ns {
	return $_[0] =~ s/\.//r + 0;
}

# Columns of one fence
sub is_fence {
	my ($f, $id, %want) = @_;
	for my $column (sort keys %want) {
		is($f->{$id} ? $f->{$id}{$column} : 'no such fence', $want{$column}, "$id: $column");
	}
}

{
	my $f = fences('android15_startup.perfetto-trace');
	my %status;
	$status{ $_->{status} }++ for values %$f;
	is(scalar keys %$f, 389, '389 contexts and seqnos have an init');
	is("$status{signaled} $status{pending}", '206 183', '206 of them signaled, 183 not while it was recorded');
	my %driver;
	$driver{ $_->{driver} }++ for values %$f;
	is("$driver{mtk_sync} $driver{mali}", '320 69', '320 of mtk_sync, 69 of mali');
	is_fence($f, '273 41530', driver => 'mtk_sync', timeline => 'tl-p-0-13', signaled_tid => 252,
		init_to_signal_ms => '13.512002');
	is_fence($f, '273 41531', init_to_signal_ms => '21.012618');
	is_fence($f, '260 41469', timeline => 'tl-p-0-0', signaled_tid => 25596, init_to_signal_ms => '27.956925');
	is_fence($f, '790 19192', driver => 'mali', timeline => 'mali.timeline', signaled_tid => 25360,
		init_to_signal_ms => '1.356231', status => 'signaled');
	is_fence($f, '260 41468', status => 'pending', signaled_ms => '', init_to_signal_ms => '');
	# 351868259278015 - 351868242738090
	is(ns($f->{'273 41531'}{init_ms}) - ns($f->{'273 41530'}{init_ms}), 16539925, 'from one init to the next');
}

{
	my $f = fences('android12_startup_warm.perfetto-trace');
	is(scalar keys %$f, 17, '17 contexts and seqnos have an init');
	# Five waits: 1424 + 2970 + 1587 + 2360 + 1424 ns
	is_fence($f, '1804 5634', driver => 'mali', signaled_tid => 318, init_to_signal_ms => '0.561075',
		kernel_waits => 5, kernel_wait_ms => '0.009765');
	is_fence($f, '3 18880', driver => 'exynos', timeline => 'CRTC:160-exynos-crtc-0', signaled_tid => 0,
		init_to_signal_ms => '8.708577', kernel_waits => 0);
	is_fence($f, '46285 4', signaled_tid => 318, init_to_signal_ms => '1.454956', kernel_waits => 1,
		kernel_wait_ms => '0.002767');
}

# Only signals were recorded there, so that there is no time of an init.
{
	my $f = fences('tracedat/amdgpu.dat.gz');
	my (%count, %timeline);
	for (values %$f) {
		$count{$_}++ for $_->{driver}, $_->{status}, $_->{signaled_in};
		$timeline{"$_->{driver} $_->{timeline}"}++;
	}
	is_deeply(\%count, { amd_sched => 1334, amdgpu => 642, signaled => 1976, task => 693, irq => 1283 },
		'1976 contexts and seqnos: 1334 of the scheduler, 642 of the driver, 693 signaled by tasks');
	is_deeply(\%timeline, { 'amd_sched gfx' => 1308, 'amdgpu gfx' => 640, 'amd_sched sdma1' => 25,
		'amdgpu sdma1' => 2, 'amd_sched sdma0' => 1 }, 'their timelines');
	is((grep { "$_->{init_ms}$_->{emit_ms}$_->{init_to_signal_ms}" ne '' } values %$f), 0, 'none has a time of an init');
	is_fence($f, '122 1735030', driver => 'amd_sched', timeline => 'sdma0', signaled_tid => 199, signaled_in => 'task');
	is_fence($f, '72 703211', driver => 'amd_sched', timeline => 'sdma1', signaled_tid => 200);
	is_fence($f, '0 3803616', driver => 'amdgpu', timeline => 'gfx', signaled_in => 'irq');
	is_fence($f, '4929 3832', driver => 'amd_sched', timeline => 'gfx', signaled_in => 'irq', status => 'signaled');
	# Since 630659230531083 ns of its clock
	my %since = ('72 703211' => 615368291, '72 703212' => 618981283, '72 703213' => 618982996,
		'0 3803616' => 2227384358, '105 3080989' => 2227385295, '0 3803617' => 2227389154,
		'105 3081097' => 3433655054, '0 3803941' => 3433658443, '4929 3832' => 3433658805);
	is(ns($f->{$_}{signaled_ms}) - ns($f->{'122 1735030'}{signaled_ms}), $since{$_}, "$_: signaled")
		for sort keys %since;
}
done_testing();
