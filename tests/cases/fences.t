#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fences.csv of real recordings against their dma_fence events, as "protoc --decode_raw" shows them:
# fields 414 (init), 416 (signaled), 417 and 418 (a wait in the kernel) of FtraceEvent.
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
done_testing();
