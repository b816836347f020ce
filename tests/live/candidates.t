#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Each trouble that framesim injects is its frame's first candidate; frames that were in time have none;
# and where nothing of the kernel was recorded there is not enough data for any of them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Sim;
use Framewait::Test;
use Test::More;

need_root();

# Kind, where, size in ms, candidate. The sizes are far above what a loaded machine does by itself.
my @injections = (
	[ ui_work => 20, 60, 'cpu_late' ],
	[ preempt => 40, 60, 'sched_delay' ],
	[ sched_delay => 50, 60, 'sched_delay' ],
	[ d_sleep => 60, 60, 'kernel_block' ],
	[ io_wait => 70, 60, 'io_block' ],
	[ lock_wait => 80, 60, 'lock_wait' ],
	[ gpu_late => 100, 60, 'gpu_late' ],
);
# On a machine that is busy otherwise a frame can be missing, or the wake that ended a sleep: what one recording
# does not show, one of three must.
my (%frame, %seen, @in_time);

sub rows_by_frame {
	my ($file) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-f', 'csv', $file);
	is($status, 0, 'reported') or diag($err);
	return map { (($frame{ row_key($_) } // '') => $_) } grep { $_->{kind} eq 'surface' } read_csv($out);
}

# With the kernel's events, and what SurfaceFlinger alone said of the same frame.
sub judge {
	my ($i, $r, $silent) = @_;
	my ($kind, undef, undef, $candidate) = @$i;
	my $is = $r->{candidate} // 'no row';
	diag("$kind: $is; " . ($r->{candidate_evidence} // '')) if $is ne $candidate;
	$seen{"$kind: $candidate first"} ||= $is eq $candidate;
	return if $kind eq 'gpu_late'; # which SurfaceFlinger's own events tell
	$seen{"$kind: without the kernel's events not enough data, and why"} ||=
		($silent->{candidate} // '') eq 'not_enough_data' &&
		$silent->{candidate_evidence} =~ /render_tid unknown/ && $silent->{candidate_evidence} =~ /ui_unobserved_ms=[1-9]/;
}

for my $attempt (1 .. 3) {
	my ($status, undef, $err) = run_cmd($framewait, 'record', '-o', "$tmp/c.fwc", '--sf', "$tmp/c.pftrace", '--',
		$framesim, '--frames', 120, '--fifo-ui', '--pftrace', "$tmp/c.pftrace", '--truth', "$tmp/c.csv",
		'--io-file', "$tmp/io", map { ('--inject', "$_->[0]=$_->[2]\@$_->[1]") } @injections);
	is($status, 0, 'recorded') or diag($err);
	%frame = map { row_key($_) => $_->{frame} } truth_of("$tmp/c.csv", 'surface');
	my %row = rows_by_frame("$tmp/c.fwc");
	my %silent = rows_by_frame("$tmp/c.pftrace");
	judge($_, $row{ $_->[1] }, $silent{ $_->[1] }) for @injections;
	push @in_time, grep { $_->{late} eq '0' } values %row;
	last if !grep { !$_ } values %seen;
}
ok($seen{$_}, $_) for sort keys %seen;
cmp_ok(scalar @in_time, '>', 20, 'frames were in time');
is(scalar(grep { $_->{candidate} ne '' } @in_time), 0, 'none of them has a candidate');

done_testing();
