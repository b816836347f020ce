#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A ring too small for the load: what is lost is counted exactly, shown, and ends with status 5.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();
my $fwc = "$tmp/loss.fwc";
my $trips = $emulated ? 5000 : 30000;

my ($status, $out, $err) = run_cmd($framewait, 'record', '--buffer', '0.01', '--strict', '-o', $fwc,
	'--csv', "$tmp/csv", '--', $load, 'pipe', $trips, 1);
is($status, 5, '--strict: exit status 5') or diag($err);
like(slurp("$tmp/csv/health.csv"), qr/fw_ring_lost/, '--strict --csv: the files are written, and say it');
like($err, qr/data was lost/, 'and it says why');
my ($produced, $consumed, $lost) = summary_counts($err);
cmp_ok($lost, '>', 0, "records are lost: $lost");
is($produced, $consumed + $lost, "$produced produced = $consumed consumed + $lost lost");

($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'health', $fwc);
is($status, 0, 'the capture is read');
my ($row) = grep { $_->{name} eq 'fw_ring_lost' } read_csv($out);
my $counted = 0;
$counted += $_->{value} for grep { $_->{name} eq 'fw_ring_lost' } read_csv($out);
is($counted, $lost, 'the health table has the same number');
($status, $out, $err) = run_cmd($framewait, 'report', '--strict', '-t', 'states', $fwc);
is($status, 5, 'report --strict: exit status 5');

# What is lost is nobody's time.
my ($overlaps, $holes) = (0, 0);
for my $list (values %{ by_tid([read_csv($out)]) }) {
	my $end;
	for (@$list) {
		$overlaps++ if defined $end && $_->{start_ns} < $end;
		$holes++ if defined $end && $_->{start_ns} > $end;
		$end = $_->{seen_until_ns};
	}
}
is($overlaps, 0, 'no two states at one time');
cmp_ok($holes, '>', 0, "and the windows where records are missing are open: $holes");

($status, $out, $err) = run_cmd($framewait, 'record', '--buffer', '0.01', '-o', $fwc, '--', $load,
	'pipe', $trips, 1);
is($status, 0, 'without --strict: exit status 0');

($status, $out, $err) = run_cmd($framewait, 'record', '--strict', '-o', $fwc, '--', $load, 'pipe',
	$trips, 1);
is($status, 0, 'with the usual ring nothing is lost') or diag($err);
($produced, $consumed, $lost) = summary_counts($err);
is($lost, 0, "0 of $produced lost");
is($produced, $consumed, 'and all were taken');
done_testing();
