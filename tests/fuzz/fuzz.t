#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Each fuzz target for FUZZ_SECONDS (20) from its seeds. A crash, a leak, an input of more than a minute
# or a gigabyte is a finding; it stays in BUILD/fuzz/found. As a rule the random numbers are the same in
# each run and nothing is kept: what is found then came with the change. With FUZZ_CORPUS, a directory that
# stays, they are not. FUZZ_TARGETS names some of the targets.
use strict;
use warnings;
use File::Path 'make_path';
use Test::More;
use Framewait::Test;

my $build = $ENV{BUILD} || "$top/build";
my $corpus = $ENV{FUZZ_CORPUS};
my $seconds = $ENV{FUZZ_SECONDS} || 20;
my $found = "$build/fuzz/found";
my @targets = map { m{fuzz_(\w+)\.c$} } sort glob "$top/tests/fuzz/fuzz_*.c";
@targets = split ' ', $ENV{FUZZ_TARGETS} if $ENV{FUZZ_TARGETS};
plan skip_all => 'no fuzz targets: clang or its libclang-rt is missing' if !-x "$build/san/fuzz_$targets[0]";

my ($status, undef, $err) = run_cmd("$top/scripts/fuzz-seeds", "$tmp/seeds");
is($status, 0, 'seeds') or diag($err);
make_path($found);
for my $target (@targets) {
	my $kept = ($corpus || "$tmp/corpus") . "/$target";
	my $n = () = glob "$tmp/seeds/$target/*";
	make_path($kept);
	($status, undef, $err) = run_cmd('nice', "$build/san/fuzz_$target", "-max_total_time=$seconds",
		'-seed=' . ($corpus ? 0 : 1), '-timeout=60', '-rss_limit_mb=1024', '-max_len=65536',
		'-use_value_profile=1', '-print_final_stats=1', "-artifact_prefix=$found/$target-", $kept,
		"$tmp/seeds/$target");
	my ($runs) = $err =~ /^stat::number_of_executed_units:\s*(\d+)/m;
	my ($edges) = $err =~ /.* cov: (\d+)/s;
	is($status, 0, "$target: " . ($runs // 'no') . " inputs in $seconds s, " . ($edges // 'no') . ' edges')
		or diag(join "\n", 'found:', glob("$found/$target-*"), substr $err, -4000);
	cmp_ok($runs // 0, '>', $n, "$target: its $n seeds and others") if !$status;
}

done_testing();
