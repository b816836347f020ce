#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# An iOS CoreProfile RAW v2 file around real kd_buf records, and hostile ones: the classes that
# inspect shows, and what is refused.
use strict;
use warnings;
use JSON::PP ();
use Test::More;
use Framewait::Kdebug;
use Framewait::Test;

my %short = (accepted => 0, unknown => 0, ignored => 0, rejected => 0, 'out of order' => 0,
	missing => 0);

# The counts by class, and the health counters.
sub inspect {
	my ($bytes) = @_;
	spew("$tmp/ios.raw", $bytes);
	my ($status, $out, $err) = run_cmd($framewait, 'inspect', '-f', 'csv', "$tmp/ios.raw");
	return ($status, $err) if $status;
	my (%class, %health);
	for my $row (read_csv($out)) {
		my ($name) = $row->{name} =~ /^([^:]+)/;
		$class{$name} = $row->{n} if $row->{kind} eq 'record';
		$health{ $row->{name} } = $row->{n} if $row->{kind} eq 'health';
	}
	return ($status, \%class, \%health);
}

my @run = map { kd_record(1000 + $_, 0x25010000) } 1 .. 4;

# A frame each 400,000 ticks (16.67 ms at 24 MHz) among real records of one capture.
my $json = "$shared/traces/other/ios_kd_buf_records.json";
SKIP: {
	skip 'no real kd_buf records here (shared/traces/other)', 6 if !-f $json;
	my @real = sort { $a->{timestamp} <=> $b->{timestamp} } @{ JSON::PP->new->decode(slurp($json)) };
	my ($n, $last, @records) = (0, 0);
	for my $r (@real) {
		push @records, kd_record($r->{timestamp}, $r->{debugid}, tid => $r->{tid},
			args => pack 'H*', $r->{data});
		$last = $r->{timestamp};
	}
	push @records, kd_frame($last + 400_000 * $_) for 1 .. 60;
	my ($status, $class, $health) =
		inspect(kd_file({ threads => 7, padding => 16384 }, @records));
	is($status, 0, 'real records are read');
	is_deeply($class, { %short, accepted => 60, ignored => scalar @real },
		'the frames are accepted, every real record is of something else');
	is_deeply($health, { fw_kd_metadata_bytes => 16384 }, 'nothing was lost');
	my ($s, $out) = run_cmd($framewait, 'inspect', "$tmp/ios.raw");
	like($out, qr/iOS CoreProfile RAW v2/, 'inspect says what it is');
	like($out, qr/^timebase 125\/3 ns a tick/m, 'how long a tick is');
	like($out, qr/^threads  7 in the thread map$/m, 'and how long the thread map is');
}

{
	my ($status, $class, $health) = inspect(kd_file({}, @run, kd_frame(5000), kd_frame(4999),
		kd_frame(5000), kd_record(5001, 0x31800400), kd_record(5002, 0x07020008),
		kd_record(5003, 0x31800318, unused => 1), kd_record(5003, 0x31800318, cpu => 64),
		'x' x 10));
	is_deeply($class, { accepted => 2, unknown => 1, ignored => 4, rejected => 2,
		'out of order' => 1, missing => 1 }, 'each class is counted apart');
	is_deeply($health, { fw_kd_metadata_bytes => 32, fw_kd_unknown => 1, fw_kd_rejected => 2,
		fw_kd_out_of_order => 1, fw_kd_missing => 1, fw_truncated_bytes => 10 },
		'and in the health table, with the bytes at the end');
}

my ($status, $err) = inspect(substr kd_file({}, @run), 0, 100);
is($status, 3, 'a short file is refused');
like($err, qr/ends at offset 100, within its header/, 'with the offset');
($status, $err) = inspect(kd_file({ claims => 100_000 }, @run));
is($status, 3, 'a thread count that the file cannot hold is refused');
like($err, qr/map of 100000 threads would end at offset 3200288/, 'with the offset');
($status, $err) = inspect(kd_file({}, reverse @run));
is($status, 3, 'records whose times go back are no run');
($status, $err) = inspect(kd_file({ padding => 9 << 20 }, @run));
is($status, 3, 'nor is one behind 8 MiB');
like($err, qr/no run of 4 kd_buf records within 8 MiB/, 'which is said');

($status, my $out, $err) = run_cmd($framewait, 'inspect', "$tmp/ios.raw");
isnt($status, 0, 'inspect fails too');
spew("$tmp/ios.raw", kd_file({ frequency => 0 }, @run, kd_frame(5000)));
($status, $out, $err) = run_cmd($framewait, 'inspect', "$tmp/ios.raw");
is($status, 0, 'a header without a tick frequency is no obstacle to inspect');
like($out, qr/Mach ticks of unknown length/, 'which says so');

# Frame times.
sub metrics {
	my ($bytes, @opts) = @_;
	spew("$tmp/ios.raw", $bytes);
	my ($status, $out, $err) = run_cmd($framewait, 'stat', '-f', 'csv', @opts, "$tmp/ios.raw");
	return { error => $err } if $status;
	return { map { $_->{name} // $_->{metric} => $_->{value} } read_csv($out) };
}
my @frames = map { kd_frame(10_000 + 400_000 * $_) } 1 .. 60;
my $m = metrics(kd_file({}, @run, @frames, kd_record(99_000_000, 0x31800400)));
is($m->{intervals}, 59, 'stat: the intervals between 60 frames');
is($m->{ftime_p50_ms}, '16.666667', 'stat: each 400,000 ticks, rounded down to ns');
$m = metrics(kd_file({ frequency => 0 }, @run, @frames), '--mach-timebase', '1/1');
is($m->{ftime_p50_ms}, '0.4', 'stat: the timebase that is given') or diag explain $m;
like(metrics(kd_file({ frequency => 0 }, @run, @frames))->{error}, qr/give --mach-timebase/,
	'stat: none is guessed');
like(metrics(kd_file({}, @run, @frames), '--mach-timebase', '125')->{error},
	qr{expected NUMER/DENOM}, 'stat: half a timebase is none');

# The report knows frames with a history only; it says what it has.
spew("$tmp/ios.raw", kd_file({}, @run, kd_frame(5000)));
($status, $out, $err) = run_cmd($framewait, 'report', "$tmp/ios.raw");
is($status, 0, 'report reads it');
like($out, qr/presented frames only/, 'and says that it holds presented frames only');

done_testing();
