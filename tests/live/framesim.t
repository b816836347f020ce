#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What framesim injects into a frame stands in that frame's row, in the right column, with the right
# size; and every other cell of every other frame is what framesim measured too. Rows that are printed
# while recording are those of the capture, and of the capture with the Perfetto file beside it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Sim;
use Framewait::Test;
use Test::More;

need_root();

my @injections = qw(ui_work render_work preempt sched_delay d_sleep io_wait lock_wait fence_wait gpu_late sf_slow
	hwc_slow client_composition drop stuffing fence_pending_late fence_never two_layers process_restart
	refresh_rate display_late expired);
my $frames = 20 + 10 * @injections;
my @inject = map { ('--inject', "$injections[$_]\@" . (20 + 10 * $_)) } 0 .. $#injections;

# Time that the host took from this machine's CPUs, in ms, by steps of 10.
sub stolen {
	return slurp('/proc/stat') =~ /^cpu +(?:\d+ ){7}(\d+)/m ? 10 * $1 : 0;
}

# Record framesim with these options of record and of framesim: (rows, truth by kinds, switches without an
# event, time that the host took meanwhile).
sub play {
	my ($name, $record, $sim, @kinds) = @_;
	my $before = stolen();
	my ($status, $out, $err) = run_cmd($framewait, 'record', '-o', "$tmp/$name.fwc", @$record, '--', $framesim,
		'--frames', $frames, '--fifo-ui', '--truth', "$tmp/$name.csv", '--io-file', "$tmp/io", @$sim, @inject);
	my $stolen = stolen() - $before;
	is($status, 0, "$name: recorded") or diag($err);
	like($err, qr/= \d+ taken \+ 0 lost; marks: \d+, 0 lost/, "$name: nothing was lost");
	unlike($err, qr/refused/, "$name: the kernel took every mark");
	($status, my $csv, $err) = run_cmd($framewait, 'report', '-f', 'csv', "$tmp/$name.fwc");
	is($status, 0, "$name: reported") or diag($err);
	ok($out eq $csv, "$name: the rows printed while recording are the same bytes")
		if grep { $_ eq '--follow' } @$record;
	if (-e "$tmp/$name.pftrace") {
		my (undef, $beside) =
			run_cmd($framewait, 'report', '-f', 'csv', '--sf', "$tmp/$name.pftrace", "$tmp/$name.fwc");
		ok($beside eq $csv, "$name: those of the capture with the Perfetto file too");
	}
	($status, my $health) = run_cmd($framewait, 'report', '-t', 'health', '-f', 'csv', "$tmp/$name.fwc");
	my ($missed) = $health =~ /^fw_switch_missed,,(\d+)/m;
	return ([read_csv($csv)], [truth_of("$tmp/$name.csv", @kinds)], $missed // 0, $stolen);
}

# Each truth has its row and each row its truth.
sub check_cells {
	my ($name, $rows, $truth, $missed, $stolen) = @_;
	my %told = map { row_key($_) => 1 } @$truth;
	my $threads = grep { $_->{column} =~ /_sleeping_ms/ } @$truth;
	my @wrong = wrong_cells($truth, $rows, 1, $missed + $threads / 100, $stolen);
	cmp_ok(scalar keys %told, '>=', $frames - 1, "$name: the truth of $frames frames");
	is(scalar @wrong, 0, "$name: " . @$truth . ' cells are what framesim measured') or
		diag(join "\n", @wrong[0 .. ($#wrong > 20 ? 20 : $#wrong)]);
	my @unknown = grep { !$told{ row_key($_) } } @$rows;
	is(scalar @unknown, 0, "$name: there is no row that framesim does not know") or
		diag(join "\n", map { row_key($_) } @unknown);
}

{
	my ($rows, $truth, @excuses) = play('sf', ['--follow', 'csv', '--sf', "$tmp/sf.pftrace"], ['--pftrace', "$tmp/sf.pftrace"],
		'surface', 'display');
	check_cells('sf', $rows, $truth, @excuses);
	my %shown;
	$shown{ $_->{inject} }{ $_->{frame} }++ for grep { $_->{inject} ne '' } @$truth;
	for my $i (0 .. $#injections) {
		my $frame = 20 + 10 * $i;
		my $kind = $injections[$i];
		next if $kind =~ /^(process_restart|refresh_rate|stuffing)$/;
		is(join(',', keys %{ $shown{$kind} // {} }), $frame, "sf: $kind is in frame $frame and no other");
	}
	cmp_ok(scalar keys %{ $shown{stuffing} // {} }, '>=', 3, 'sf: frames are stuffed behind a late one');

	# What a restart and another rate change is nobody's time.
	my %frame = map { $_->{surface_token} => $_->{frame} } grep { $_->{kind} eq 'surface' } @$truth;
	my (%pids, %expected);
	for my $r (grep { $_->{kind} eq 'surface' } @$rows) {
		my $f = $frame{ $r->{surface_token} };
		$pids{ $f < 190 ? 'before' : 'after' }{ $r->{pid} }++;
		$expected{ $f < 200 ? 'before' : 'after' }{ int($r->{expected_ms} * 1000 + 0.5) }++ if $r->{expected_ms} ne '';
	}
	is($injections[17] . $injections[18], 'process_restartrefresh_rate', 'sf: frames 190 and 200');
	is(join(',', map { scalar keys %{ $pids{$_} } } qw(before after)), '1,1', 'sf: one process before and one after');
	isnt((keys %{ $pids{before} })[0], (keys %{ $pids{after} })[0], 'sf: the app is another one from frame 190 on');
	is(join(' ', map { keys %{ $expected{$_} } } qw(before after)), '18750 12500',
		'sf: the deadline is 9/8 periods of 60 Hz, and of 90 Hz from frame 200 on');
	my @two = grep { ($frame{ $_->{surface_token} } // 0) == 180 } @$rows;
	is(scalar @two, 2, 'sf: frame 180 has a row for each of its layers');
}

# The same by trace marks alone.
{
	my ($rows, $truth, @excuses) = play('marks', ['--follow', 'csv', '--sf', 'marks'], [], 'mark');
	check_cells('marks', $rows, $truth, @excuses);
}

# A file that ends within a packet, all the time.
{
	my ($rows, $truth, @excuses) = play('half', ['--follow', 'csv', '--sf', "$tmp/half.pftrace"],
		['--pftrace', "$tmp/half.pftrace", '--half-packets'], 'surface', 'display');
	check_cells('half', $rows, $truth, @excuses);
}
done_testing();
