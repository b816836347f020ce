#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The generator: its recordings are what they always were, are Perfetto traces, and its truth is
# one that can be true.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my ($status, undef, $err) = run_cmd($gen, 'demo', '-o', "$tmp/demo", '--truth', "$tmp/truth.csv");
is($status, 0, 'a demo is made') or diag($err);
ok(slurp("$tmp/demo") eq slurp("$top/tests/data/demo.pftrace"),
	'it is the one in tests/data, byte for byte');

my @truth = read_csv(slurp("$tmp/truth.csv"));
cmp_ok(scalar @truth, '>', 500, 'the truth has its rows');
my @states = grep { /_ns$/ && !/^(start|end|irq|softirq|longest_cpu_wait)_ns$/ } sort keys %{ $truth[0] };
is(scalar @states, 9, 'all states are there');
my @bad = grep {
	my ($row, $sum) = ($_, 0);
	$sum += $row->{$_} for @states;
	$sum != $row->{end_ns} - $row->{start_ns};
} @truth;
is(scalar @bad, 0, 'the states of each row add up to its window');
my %troubles = map { $_->{trouble} => 1 } @truth;
is(join(' ', sort grep { length } keys %troubles),
	'buffer_stuffing dropped gpu_late io_wait lock_wait preempted runnable sf_late wake_race',
	'every trouble is in some frame');

for my $how (['--gzip'], ['--compress', 'zlib'], ['--compress', 'zstd']) {
	run_cmd($gen, 'demo', @$how, '-o', "$tmp/small");
	my $size = -s "$tmp/small";
	ok($size > 10000 && $size < 150000, "@$how: $size bytes");
}
is(system("$gen demo --gzip | gzip -dc | cmp -s - $tmp/demo"), 0, 'gzip gives the demo back');

($status) = run_cmd($gen, 'sched', '--size', '2M', '-o', "$tmp/sched");
is($status, 0, 'a big recording is made');
cmp_ok(-s "$tmp/sched", '>=', 2 << 20, 'of at least the size asked for');
run_cmd($gen, 'sched', '--size', '2M', '-o', "$tmp/again");
ok(slurp("$tmp/sched") eq slurp("$tmp/again"), 'the same each time');

for my $size (16 << 10, 256 << 10) {
	run_cmd($gen, 'sched', '--size', $size, '-o', "$tmp/small");
	my $is = -s "$tmp/small";
	ok($is >= $size && $is < $size + (8 << 10), "$size bytes are asked for: $is");
	is((run_cmd($framewait, 'report', "$tmp/small", '--strict'))[0], 0, 'and read');
}

SKIP: {
	skip 'protoc is not installed', 2 if system 'command -v protoc >/dev/null 2>&1';
	for my $name ('demo', 'sched') {
		is(system("protoc --decode_raw <$tmp/$name >$tmp/text 2>&1"), 0, "protoc decodes $name");
	}
}
is((run_cmd($gen, 'nothing'))[0], 2, 'wrong usage');
is((run_cmd($gen, 'demo', '-o', '/dev/full'))[0], 1, 'a full disk is an error');

done_testing();
