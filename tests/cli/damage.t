#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Compressed recordings cut and damaged, and a busy one, through the sanitized report and tables.
# The plain recording is cut at every byte by tests/unit/truncate.c.
use strict;
use warnings;
use Test::More;
use Framewait::Kdebug;
use Framewait::ProtoPack;
use Framewait::Test;

my $build = $ENV{BUILD} || "$top/build";
my ($reader, $report, $cutter, $csv, $expr) =
	map { "$build/san/tests/fuzz/fuzz_$_.run" } qw(reader report sf_packets csv expr);
plan skip_all => 'no sanitized build (make SAN=1 test-programs)' if !-x $report;

sub survives {
	my ($name, @cmd) = @_;
	my ($status, $out, $err) = run_cmd(@cmd);
	is($status, 0, "$name: $out" =~ s/\n//r) or diag($err);
}

for my $how (['--gzip'], ['--compress', 'zlib'], ['--compress', 'zstd']) {
	my $path = "$tmp/" . join '', @$how;
	run_cmd($gen, 'demo', '--frames', 2, @$how, '-o', $path);
	survives("@$how, reader", $reader, '--cut', $path, 3);
	survives("@$how, report", $report, '--cut', $path, 61);
	survives("@$how, reader", $reader, '--damage', $path, 300, 1);
	survives("@$how, report", $report, '--damage', $path, 80, 2);
}
spew("$tmp/csv", (run_cmd($framewait, 'report', "$top/tests/data/two-frames.pftrace", '-f', 'csv'))[1]);
spew("$tmp/column", qq{a_ns,b\n1,2\n5,3\n100000,\n2000000000,"4"\n"9000000000",5\n});
survives("$_, csv", $csv, '--cut', "$tmp/$_", 7) for 'csv', 'column';
survives("$_, csv", $csv, '--damage', "$tmp/$_", 200, 5) for 'csv', 'column';
spew("$tmp/expr", 'not (a < 1.5e3 or bb*-2/ccc >= 4) and a != bb - 1');
survives('a condition', $expr, '--cut', "$tmp/expr", 1);
survives('a condition', $expr, '--damage', "$tmp/expr", 3000, 6);
run_cmd($gen, 'sched', '--size', '256k', '-o', "$tmp/sched");
survives('busy, reader', $reader, '--damage', "$tmp/sched", 300, 3);
survives('busy, report', $report, '--damage', "$tmp/sched", 60, 4);
for my $shape (['--version', 6], ['--version', 7, '--compress', 'zstd', '--long', 4, '--big']) {
	my $path = "$tmp/trace.dat";
	run_cmd($gen, 'tracedat', '--frames', 2, @$shape, '-o', $path);
	survives("trace.dat @$shape", "$build/san/tests/fuzz/fuzz_tracedat.run", '--damage', $path, 100, 5);
	survives("trace.dat @$shape", "$build/san/tests/fuzz/fuzz_tracedat.run", '--cut', $path, 401);
}
spew("$tmp/kdebug", kd_file({ threads => 1 },
	map { (kd_record($_ * 1000, 0x25010000), kd_frame($_ * 1000 + 1)) } 1 .. 8));
spew("$tmp/config", "# mine\nprocess = com.example.app\n buffer=64 \r\n\nsf =\tmarks\n");
survives('a configuration', "$build/san/tests/fuzz/fuzz_config.run", '--damage', "$tmp/config", 2000, 8);
survives('a configuration', "$build/san/tests/fuzz/fuzz_config.run", '--cut', "$tmp/config", 1);
survives('kdebug', "$build/san/tests/fuzz/fuzz_kdebug.run", '--damage', "$tmp/kdebug", 200, 6);
survives('kdebug', "$build/san/tests/fuzz/fuzz_kdebug.run", '--cut', "$tmp/kdebug", 31);
run_cmd("$build/san/tests/unit/stream.t", '--write', "$tmp/capture");
survives('a capture', "$build/san/tests/fuzz/fuzz_capture.run", '--damage', "$tmp/capture", 60, 7);
survives('a capture', "$build/san/tests/fuzz/fuzz_capture.run", '--cut', "$tmp/capture", 2003);
survives('a file that grows', $cutter, '--cut', "$top/tests/data/two-frames.pftrace", 7);
survives('a file that grows', $cutter, '--damage', "$top/tests/data/two-frames.pftrace", 1000, 5);
# Text: as it is, and behind each of the first bytes that make fuzz_text wrap it.
my $text = "$build/san/tests/fuzz/fuzz_text.run";
run_cmd($gen, 'demo', '--frames', 1, '-o', "$tmp/demo", '--text', "$tmp/text");
my @lines = split /^/, slurp("$tmp/text");
my $some = join '', @lines[0 .. 11], @lines[map { $_ * 9 } 2 .. $#lines / 9], "CPU:1 [LOST 5 EVENTS]\n",
	"##### CPU 2 buffer started ####\n", "USER PID TID CMD\n", "u0 50 51 RenderThread\n",
	"USER PID PPID VSZ NAME\n", "u0 50 1 0 com.example\n";
for my $how (0 .. 5) {
	spew("$tmp/text-$how", ($how ? chr $how : '') . $some);
	survives("text $how", $text, '--cut', "$tmp/text-$how", 499);
	survives("text $how", $text, '--damage', "$tmp/text-$how", 30, 5 + $how);
}
for my $side (qw(framestats latency plans logcat)) {
	my $fuzz = "$build/san/tests/fuzz/fuzz_$side.run";
	my $seed = "$top/tests/fuzz/seeds/$side/plain";
	survives($side, $fuzz, '--cut', $seed, 1);
	survives($side, $fuzz, '--damage', $seed, 1000, 8);
}
spew("$tmp/gfxtrace", pack_file(pack_type('capture.Header', qw(device ABI)), pack_type('a.b', 'c'),
	pack_object(0, 1, pb_bytes(1, pb_bytes(3, 'name')) . pb_number(3, 8)),
	map { (pack_object(0, -2, pb_number(1, $_)), pack_object(-1, 2), pack_object(-2, 0)) } 1 .. 5));
survives('gfxtrace', "$build/san/tests/fuzz/fuzz_gfxtrace.run", '--damage', "$tmp/gfxtrace", 400, 7);
survives('gfxtrace', "$build/san/tests/fuzz/fuzz_gfxtrace.run", '--cut', "$tmp/gfxtrace", 1);
SKIP: {
	my @inputs = glob "$shared/cases/synthetic/*/input.pftrace";
	skip 'no cases with known answers', 1 if !@inputs;
	survives('every synthetic case', $report, @inputs);
}

done_testing();
