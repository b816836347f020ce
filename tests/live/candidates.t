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
my ($status, undef, $err) = run_cmd($framewait, 'record', '-o', "$tmp/c.fwc", '--sf', "$tmp/c.pftrace", '--',
	$framesim, '--frames', 120, '--fifo-ui', '--pftrace', "$tmp/c.pftrace", '--truth', "$tmp/c.csv",
	'--io-file', "$tmp/io", map { ('--inject', "$_->[0]=$_->[2]\@$_->[1]") } @injections);
is($status, 0, 'recorded') or diag($err);

my %frame = map { row_key($_) => $_->{frame} } truth_of("$tmp/c.csv", 'surface');
sub rows_by_frame {
	my ($file) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-f', 'csv', $file);
	is($status, 0, "$file: reported") or diag($err);
	return map { (($frame{ row_key($_) } // '') => $_) } grep { $_->{kind} eq 'surface' } read_csv($out);
}
my %row = rows_by_frame("$tmp/c.fwc");
my %silent = rows_by_frame("$tmp/c.pftrace");
for my $i (@injections) {
	my ($kind, $at, $ms, $candidate) = @$i;
	my $r = $row{$at};
	is($r->{candidate}, $candidate, "$kind: $candidate first, of $r->{overrun_ms} ms late") or
		diag("$r->{candidate_evidence}; others: $r->{other_candidates}");
	next if $kind eq 'gpu_late'; # which SurfaceFlinger's own events tell
	is($silent{$at}{candidate}, 'not_enough_data', "$kind: without the kernel's events not enough data");
	like($silent{$at}{candidate_evidence}, qr{ui_unobserved_ms=\d.*render_tid unknown|render_tid unknown.*ui_unobserved_ms=\d}, "$kind: and the evidence says so");
}
my @in_time = grep { $_->{late} eq '0' } values %row;
cmp_ok(scalar @in_time, '>', 20, 'frames were in time');
is(scalar(grep { $_->{candidate} ne '' } @in_time), 0, 'none of them has a candidate');

done_testing();
