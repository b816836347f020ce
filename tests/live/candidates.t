#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Each trouble that framesim injects is its frame's first candidate, with the evidence of it; what makes no frame
# late makes no candidate, nor does a run without troubles; and where nothing of the kernel was recorded
# there is not enough data for what only the kernel tells.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Packets;
use Framewait::Sim;
use Framewait::Test;
use Test::More;

need_root();

# A wait for a fence in poll() is seen by framewait.ko alone.
my $poll = -e '/dev/framewait';

# Kind and size in ms, candidate, its evidence, and whether SurfaceFlinger's own events tell it. The sizes are
# far above what a loaded machine does by itself. Every kind of framesim is here.
my @injections = (
	[ 'ui_work=60', 'cpu_late', qr/ui_running_ms=[6-9]\d/ ],
	[ 'render_work=60', 'cpu_late', qr/render_running_ms=[6-9]\d/ ],
	[ 'preempt=60', 'sched_delay', qr/ui_preempted_ms=[5-9]\d/ ],
	[ 'sched_delay=60', 'sched_delay', qr/render_runnable_ms=[5-9]\d/ ],
	[ 'd_sleep=60', 'kernel_block', qr/ui_blocked_nonio_ms=[5-9]\d.*ui_top_function=\w/ ],
	[ 'io_wait=60', 'io_block', qr/ui_blocked_io_ms=[4-9]\d/ ],
	[ 'lock_wait=60', 'lock_wait', qr/ui_top_sleep_function=futex.*ui_top_sleep_function_ms=[5-9]\d.*ui_top_waker_tid=\d/ ],
	$poll ? [ 'fence_wait=60', 'fence_wait', qr/render_fence_wait_ms=[5-9]\d/ ]
		: [ 'fence_wait=60', 'not_enough_data', qr/render_fence_wait_ms unknown/ ],
	[ 'gpu_late=60', 'gpu_late', qr/queue_ms=.*acquire_ms=/, 1 ],
	[ 'sf_slow=60', 'composition_late', qr/jank_type=SurfaceFlinger CPU.*sf_running_ms=[6-9]\d/, 1 ],
	[ 'hwc_slow=60', 'composition_late', qr/hwc_running_ms=[6-9]\d/, 1 ],
	[ 'sf_slow=60 client_composition', 'composition_late', qr/jank_type=SurfaceFlinger GPU.*gpu_composition=1/, 1 ],
	[ 'display_late', 'display_late', qr/display_jank_type=Display HAL/, 1 ],
	[ 'expired', 'prediction_or_mode', qr/prediction_type=Expired Prediction/, 1 ],
	[ 'stuffing=5', 'buffer_stuffing', qr/jank_type=Buffer Stuffing/, 1 ],
	[ 'drop', 'not_enough_data', qr/present_type=Dropped Frame/, 1 ],
	[ 'fence_never', 'not_enough_data', qr/present_type=Dropped Frame.*acquire_ms unknown/, 1 ],
	# These make no frame late.
	[ 'client_composition', '', qr/^$/, 1 ],
	[ 'fence_pending_late', '', qr/^$/, 1 ],
	[ 'two_layers', '', qr/^$/, 1 ],
	[ 'process_restart', '', qr/^$/, 1 ],
	[ 'refresh_rate=90', '', qr/^$/, 1 ],
);
my @at = map { 12 * ($_ + 1) } 0 .. $#injections; # the frame of each
my $frames = $at[-1] + 30;
my %kinds = map { /(\w+)/ => 1 } map { split / /, $_->[0] } @injections;
my (undef, $help) = run_cmd($framesim, '--help');
is_deeply([ sort keys %kinds ], [ sort $help =~ /^  ([a-z]\w*) +\S/mg ], 'every kind of injection has its candidate here');

sub record {
	my ($name, @inject) = @_;
	my ($status, undef, $err) = run_cmd($framewait, 'record', '-o', "$tmp/$name.fwc", '--sf', "$tmp/$name.pftrace", '--',
		$framesim, '--frames', $frames, '--fifo-ui', '--pftrace', "$tmp/$name.pftrace", '--truth', "$tmp/$name.csv",
		'--io-file', "$tmp/io", map { ('--inject', $_) } @inject);
	is($status, 0, "$name: recorded") or diag($err);
}

# The rows of the app's frames: number => row, with the frames' numbers as the truth file of the recording has them.
sub rows_by_frame {
	my ($name, @args) = @_;
	my %frame = map { row_key($_) => $_->{frame} } truth_of("$tmp/$name.csv", 'surface');
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-f', 'csv', map { /^-/ ? $_ : "$tmp/$_" } @args);
	is($status, 0, "@args: reported") or diag($err);
	return map { (($frame{ row_key($_) } // '') => $_) } grep { $_->{kind} eq 'surface' } read_csv($out);
}

# Of frames that queue behind a late one any can be the one that is late for that alone.
sub frames_of {
	my ($i) = @_;
	return $injections[$i][0] =~ /^stuffing=(\d+)/ ? map { $at[$i] + $_ } 1 .. $1 : $at[$i];
}

# On a machine that is busy otherwise a frame can be missing, or the wake that ended a sleep: what one recording
# does not show, one of three must.
my (%seen, @in_time);

# With the kernel's events, and what SurfaceFlinger alone said of the same frame.
sub judge {
	my ($i, $row, $silent) = @_;
	my ($kind, $candidate, $evidence, $told) = @{ $injections[$i] };
	my @rows = map { $row->{$_} // () } frames_of($i);
	my $name = "$kind: " . ($candidate ne '' ? "$candidate first, with its evidence" : 'no candidate');
	my $found = grep { $_->{candidate} eq $candidate && $_->{candidate_evidence} =~ $evidence } @rows;
	diag("$kind: " . (join(' | ', map { "$_->{candidate}; $_->{candidate_evidence}" } @rows) || 'no row')) if !$found;
	$seen{$name} ||= $found;
	return if $told;
	$seen{"$kind: without the kernel's events not enough data, and why"} ||= grep {
		my $is = $silent->{$_} // { candidate => '', candidate_evidence => '' };
		$is->{candidate} eq 'not_enough_data' && $is->{candidate_evidence} =~ /render_tid unknown/ &&
			$is->{candidate_evidence} =~ /ui_unobserved_ms=[1-9]/;
	} frames_of($i);
}

# What only a part of SurfaceFlinger's events tells: without it, the kernel's events alone are not enough.
my @removed = (
	[ 'no expected frames', [ 76, 3 ], 'ui_work=60', qr/expected_count=0/ ],
	[ 'no FrameTracer', [57], 'gpu_late=60', qr/acquire_ms unknown/ ],
);

sub judge_without {
	my ($name, $fields, $kind, $why) = @{ $_[0] };
	my ($i) = grep { $injections[$_][0] eq $kind } 0 .. $#injections;
	spew("$tmp/less.pftrace", without(slurp("$tmp/troubles.pftrace"), @$fields));
	my %row = rows_by_frame('troubles', '--sf', 'less.pftrace', 'troubles.fwc');
	$seen{"$kind, but $name: not enough data, and why"} ||= grep {
		$_->{candidate} eq 'not_enough_data' && $_->{candidate_evidence} =~ $why;
	} $row{ $at[$i] } // ();
}

for my $attempt (1 .. 3) {
	record('troubles', map { my $at = $at[$_]; map { "$_\@$at" } split / /, $injections[$_][0] } 0 .. $#injections);
	my %row = rows_by_frame('troubles', 'troubles.fwc');
	my %silent = rows_by_frame('troubles', 'troubles.pftrace');
	judge($_, \%row, \%silent) for 0 .. $#injections;
	judge_without($_) for @removed;
	push @in_time, grep { $_->{late} eq '0' } values %row;
	last if !grep { !$_ } values %seen;
}
ok($seen{$_}, $_) for sort keys %seen;
cmp_ok(scalar @in_time, '>', $frames / 4, 'frames were in time');
is(scalar(grep { $_->{candidate} ne '' || $_->{other_candidates} ne '' } @in_time), 0, 'none of them has a candidate');

# A run without troubles. What a busy machine makes late all the same SurfaceFlinger names, framesim's truth too.
record('clean');
my %clean = rows_by_frame('clean', 'clean.fwc');
my @late = grep { $_->{late} ne '0' } values %clean;
cmp_ok(scalar keys %clean, '>=', $frames - 2, 'clean: the frames are there');
cmp_ok(scalar @late, '<', keys(%clean) / 4, 'clean: few are late');
is(scalar(grep { $_->{late} eq '0' && $_->{candidate} ne '' } values %clean), 0, 'clean: no candidate');
done_testing();
