#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What make bench runs, as small as it goes: every script ends well and has a figure in each of its rows.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();
my $top = "$FindBin::Bin/../..";
my $build = $ENV{BUILD} || "$top/build";
for my $p (qw(framewait-gen framesim tests/bench/measure tests/bench/parts tests/bench/parts.bpf.o tests/live/load)) {
	plan skip_all => "$p is not built" if !-x "$build/$p" && $p !~ /\.o$/ || !-e "$build/$p";
}
# The scripts leave their recordings in the build directory: one of its own.
mkdir "$tmp/build";
symlink "$build/$_", "$tmp/build/$_" or die for qw(framewait framewait-gen framesim tests);
$ENV{BUILD} = "$tmp/build";
$ENV{BENCH_RUNS} = $ENV{BENCH_ROUNDS} = 1;

sub bench {
	my ($script, %with) = @_;
	local @ENV{keys %with} = values %with;
	my ($rc, $out, $err) = run_cmd("$top/scripts/$script");
	is($rc, 0, "$script ends well") or diag($err);
	return split /\n/, $out;
}

my @rows = bench('bench', BENCH_SIZES => '1M', BENCH_FRAMES => 100);
is(scalar(grep { /^1M(?: +\S+){2,}(?: +[\d.]+){5}$/ } @rows), 2, 'replay: seconds, MB/s, events/s, MiB');
my %files = map { /^-o, (\S+)(?: +[\d.]+){4}$/ ? ($1 => 1) : () } @rows;
is(join(' ', sort keys %files), 'csv html json perfetto sqlite', 'outputs: seconds, MiB, MB');
my %tables = map { /^-t (\S+)(?: +[\d.]+){3} *$/ ? ($1 => 1) : () } @rows;
my @known = map { /^([^,]+),trace,/ ? $1 : () } split /\n/, (run_cmd($framewait, 'columns'))[1];
is(join(' ', sort keys %tables), join(' ', sort keys %{ { map { $_ => 1 } @known } }), 'each table has its row');

@rows = bench('bench-live', BENCH_PIPE => 600, BENCH_SETUPS => 'base empty-programs framewait-filtered framewait-target');
is(scalar(grep { /^(?:base|empty-programs|framewait-\w+)(?: +[-+\d.]+){4}$/ } @rows), 4, 'a round trip in each setup');
ok((grep { /^framewait-target +fw_switch(?: +[-\d.]+){2}$/ } @rows), 'ns of the program of a switch');
is(scalar(grep { /^alone / } @rows), 7, 'and of its parts');
is(scalar(my @left = attached()), 0, 'nothing is left attached');

@rows = bench('bench-bytes', BENCH_BYTES_SECONDS => 1, BENCH_BYTES_TRACES => "$top/tests/data/demo.pftrace");
is(scalar(grep { /^(?:framesim alone|beside busy processes)(?: +\d+){3}/ } @rows), 2, 'bytes a frame');
is(scalar(grep { /^demo\.pftrace(?: +\d+){5} +[\d.]+$/ } @rows), 1, 'bytes a frame of a recording');
done_testing();
