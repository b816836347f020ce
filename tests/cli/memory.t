#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory has a bound that the size of the recording does not move: 64 MiB at its peak.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $measure = ($ENV{BUILD} || "$top/build") . '/tests/bench/measure';
plan skip_all => 'tests/bench/measure is not built' if !-x $measure;

# Peak resident memory in MiB of a command, by wait4().
sub peak {
	my ($status, $out, $err) = run_cmd($measure, 1, @_);
	is($status, 0, join ' ', @_[1 .. $#_]) or diag($err);
	return (split ' ', $out)[3] / 1024;
}

run_cmd($gen, 'sched', '--size', "${_}M", '-o', "$tmp/$_") for 8, 64;
for my $how (['-f', 'csv'], ['-o', "$tmp/out"], ['-t', 'intervals']) {
	my ($small, $big) = map { peak($framewait, 'report', "$tmp/$_", @$how) } 8, 64;
	my $said = sprintf '%.1f MiB for 8 MB, %.1f MiB for 64 MB', $small, $big;
	cmp_ok($big, '<=', 64, "@$how: $said");
}
# The canned tables are for whole recordings too, but sort all their rows.
my $peak = peak($framewait, 'report', "$tmp/64", '-t', 'thread-state', '--trace-processor-compat');
cmp_ok($peak, '<=', 64, sprintf 'thread-state: %.1f MiB for 64 MB', $peak);
# A trace.dat of 28 MB: one page a CPU.
run_cmd($gen, 'tracedat', '--frames', 20000, '-o', "$tmp/trace.dat");
$peak = peak($framewait, 'report', "$tmp/trace.dat", '-f', 'csv');
cmp_ok($peak, '<=', 64, sprintf 'trace.dat: %.1f MiB', $peak);
# A pipe is unpacked into a file, not into memory.
is(system("$measure 1 sh -c '$framewait report - -f csv <$tmp/64' >$tmp/piped"), 0, 'from a pipe');
cmp_ok((split ' ', slurp("$tmp/piped"))[3] / 1024, '<=', 64, 'a pipe is not kept in memory');

done_testing();
