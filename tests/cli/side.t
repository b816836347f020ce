#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Side files: dumps that are tables of their own, in any encoding.
use strict;
use warnings;
use Compress::Zlib ();
use Encode ();
use Test::More;
use Framewait::Test;

sub report {
	return run_cmd($framewait, 'report', @_);
}

my $never = '9223372036854775807';
my $dump = <<"END";
Applications Graphics Acceleration Info:
Uptime: 1 Realtime: 2

** Graphics info for pid 31 [com.example.one] **

Window: com.example.one/com.example.one.Main
---PROFILEDATA---
Flags,FrameTimelineVsyncId,IntendedVsync,FrameCompleted,DisplayPresentTime,
0,7,1000000,9000000,12000000,
1,8,17000000,$never,0,
---PROFILEDATA---

** Graphics info for pid 32 [com.example.two] **
---PROFILEDATA---
IntendedVsync,FrameCompleted
5,6
---PROFILEDATA---
END
spew("$tmp/stats.txt", $dump);
my ($status, $out, $err) = report("$tmp/stats.txt");
is($status, 0, 'framestats is a table of its own') or diag($err);
my @rows = read_csv($out);
is(scalar @rows, 3, 'a row a frame');
is(join(' ', map { "$_->{process}/$_->{pid}/$_->{block}" } @rows),
	'com.example.one/31/1 com.example.one/31/1 com.example.two/32/2', 'of several processes');
is("@{$rows[0]}{qw(frame_timeline_vsync_id total_ms display_present_time_ns flagged)}",
	'7 8.000000 12000000 0', 'what it says');
is(join('|', @{$rows[1]}{qw(frame_completed_ns display_present_time_ns total_ms flagged)}), '|||1',
	'pending is empty, a flagged row is marked');
is(join('|', @{$rows[2]}{qw(flags window vsync_ns)}), '||', 'what is not printed is empty');

for my $as ('UTF-16LE', 'UTF-16BE') {
	spew("$tmp/wide.txt", Encode::encode($as, "\x{feff}" . $dump =~ s/\n/\r\n/gr));
	is((report("$tmp/wide.txt"))[1], $out, "the same from $as with CR LF");
}
is(system("gzip -c $tmp/stats.txt >$tmp/stats.gz"), 0, 'gzip');
is((report("$tmp/stats.gz", '-t', 'framestats'))[1], $out, 'the same from gzip');
is(`$framewait report - <$tmp/stats.txt`, $out, 'the same from standard input');
like((report("$tmp/stats.txt", '-f', 'jsonl'))[1], qr/"total_ms":8\.000000/, 'as JSON');
is((report("$tmp/stats.txt", @$_))[0], 3, "no @$_ of a dump")
	for ['-t', 'frames'], ['-t', 'latency'], ['-o', "$tmp/o"], ['--late-only'];
is((report("$top/tests/data/demo.pftrace", '-t', 'framestats'))[0], 3, 'no framestats of a recording');

# The same command without the word framestats prints a summary alone.
spew("$tmp/summary.txt", $dump =~ s/^---PROFILEDATA---\n.*?^---PROFILEDATA---\n//gmsr);
for my $args (["$tmp/summary.txt"], ["$top/tests/data/demo.pftrace", '--framestats', "$tmp/summary.txt"]) {
	($status, undef, $err) = report(@$args);
	is($status, 0, 'a dump without frames' . ($args->[1] // ''));
	like($err, qr/1 dump holds no frame: .*framestats/, 'is said to have none');
}

# What is no recording at all.
spew("$tmp/a.csv", "FTime;Fps\n16.6;60\n");
spew("$tmp/wide.csv", join(',', map { "column_$_" } 1 .. 1000) . "\n");
spew("$tmp/a.json", '{"a":1,"b":2}' . "\n" . '{"a":1,"b":2}' . "\n");
is((run_cmd($framewait, 'report', "$top/tests/data/demo.pftrace", '-f', 'sqlite', '-o', "$tmp/a.db"))[0], 0,
	'a database');
is((run_cmd($framewait, 'report', "$top/tests/data/two-frames.pftrace", '-f', 'html', '-o', "$tmp/own.html"))[0], 0,
	'a page');
spew("$tmp/own.html.gz", Compress::Zlib::memGzip(slurp("$tmp/own.html")));
spew("$tmp/other.html", "<!DOCTYPE html>\n<html>\n<script>\nx()\n</script>\n</html>\n");
my $own = qr/is a page of framewait report, for a browser; name the recording/;
for (['a.csv', qr/is CSV.*--column NAME/], ['wide.csv', qr/is CSV/], ['a.db', qr/is an SQLite database/],
	['a.json', qr/not understood/], ['own.html', $own], ['own.html.gz', $own],
	['other.html', qr/is an HTML page without trace data/]) {
	my ($file, $why) = @$_;
	for my $command (qw(report stat inspect)) {
		($status, undef, $err) = run_cmd($framewait, $command, "$tmp/$file");
		is($status, 3, "$command $file");
		like($err, $why, 'and why');
	}
}

# Rows of a dump that was cut are counted and said.
spew("$tmp/cut.txt", substr $dump, 0, index($dump, '12000000') + 2);
($status, $out, $err) = report("$tmp/cut.txt");
is("$status " . scalar(read_csv($out)), '0 0', 'a row that was cut is no row');
like($err, qr/1 rows could not be read/, 'and is said');

spew("$tmp/latency.txt", <<"END");
Layer: RequestedLayerState{SurfaceView[com.example/com.example.Main](BLAST)#9 parentId=8 z=1}
8333333
0	0	0
1000000	2000000	1500000
9000000	10500000	9500000
17000000	$never	17500000

SurfaceView[com.example/com.example.Main]#7
8333333
0	0	0
0	0	0

END
($status, $out, $err) = report("$tmp/latency.txt");
is($status, 0, '--latency is a table of its own');
@rows = read_csv($out);
is(join(' ', map { "$_->{layer},$_->{status},$_->{refresh_ms}" } @rows),
	join(' ', ('SurfaceView[com.example/com.example.Main](BLAST)#9,presented,8.333333') x 2,
		'SurfaceView[com.example/com.example.Main](BLAST)#9,pending,8.333333',
		'SurfaceView[com.example/com.example.Main]#7,no-frames,8.333333'), 'its rows');
is(join(' ', map { $_->{present_interval_ms} } @rows[0, 1, 2]), ' 8.500000 ', 'and intervals');
like($err, qr/1 tables hold no frame/, 'a table of zeros is said');

is((report("$tmp/latency.txt", '--csv-sep', ';'))[1], $out =~ tr/,/;/r, '--csv-sep');
is((report("$tmp/latency.txt", '--columns', 'short'))[0], 3, 'no --columns');

SKIP: {
	my $real = "$shared/traces/dumpsys/gfxinfo_framestats_120hz.txt";
	skip "$real is not there", 4 if !-f $real;
	my ($header, @lines);
	for (split /\r?\n/, slurp($real)) {
		push @lines, [split /,/] if $header && /^\d+,/;
		$header = [split /,/] if /^Flags,/;
	}
	@rows = read_csv((report($real))[1]);
	is(scalar @rows, 120, 'the 120 frames of a real dump');
	my (@wrong, $stale);
	for my $i (0 .. $#rows) {
		my %raw;
		@raw{@$header} = @{ $lines[$i] };
		if ($raw{DisplayPresentTime} < $raw{IntendedVsync}) {
			$stale += $rows[$i]{stale_present};
			$raw{DisplayPresentTime} = $never;
		}
		for my $name (@$header) {
			my $column = lc $name =~ s/(?<!^)([A-Z])/_$1/gr;
			my $got = $rows[$i]{$column} // $rows[$i]{"${column}_ns"};
			my $want = $raw{$name};
			$want = '' if $want eq $never || $name ne 'Flags' && $want == 0;
			push @wrong, "row $i $name" if !defined $got || $got ne $want;
		}
	}
	is("@wrong", '', 'every column of every row');
	is($stale, 4, 'presents of earlier frames are left out');
	is(scalar(grep { $_->{process} ne 'com.soundvisualization.accessibility' || $_->{pid} != 31667 }
			@rows), 0, 'process and pid');
}

done_testing();
