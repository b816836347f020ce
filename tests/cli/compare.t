#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# framewait compare: a 5 % regression in 3 runs of 1000 frames is found, equal sets stay silent; how
# often they do not, over 200 draws; refusals, warnings, conditions.
use strict;
use warnings;
use JSON::PP ();
use Test::More;
use Framewait::Runs;
use Framewait::Test;

# Write runs as NAME1.csv ...: their paths.
sub runs {
	my ($name, $n, %how) = @_;
	return map {
		spew("$tmp/$name$_.csv", make_run(%how));
		"$tmp/$name$_.csv";
	} 1 .. $n;
}

# The rows by measure.
sub compare {
	my ($a, $b, @args) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'compare', '-f', 'csv', @args, @$a, '--', @$b);
	die "compare: $status: $err" if $status;
	return map { $_->{measure} => $_ } read_csv($out);
}

sub changed {
	my %rows = @_;
	return join ' ', map { "$_:$rows{$_}{change}" }
		grep { $rows{$_}{change} =~ /^(better|worse|more|less)$/ } sort keys %rows;
}

seed_runs(1);
my @a = runs('a', 3);
my @b = runs('b', 3, slow => 1.05);
my %slower = compare(\@a, \@b);
my $mean = $slower{actual_mean_ms};
is($mean->{change}, 'worse', '5 % more work is found: actual_mean_ms');
is($slower{actual_p50_ms}{change}, 'worse', 'and actual_p50_ms');
cmp_ok(abs($mean->{relative} - 0.05), '<', 0.02, "about as large as it is: $mean->{relative}");
ok($mean->{frames_low} > 0 && $mean->{runs_low} > 0 && $mean->{frames_low} < $mean->{difference} &&
	$mean->{difference} < $mean->{frames_high}, 'with intervals that have it in and 0 not');
is($mean->{effect}, 1, 'all of B above all of A');
is(changed(%slower) =~ /better|less/, '', 'nothing got better');
like(changed(compare(\@b, \@a)), qr/actual_mean_ms:better/, 'the other way round it is better');
my ($status, $page) = run_cmd($framewait, 'compare', @a, '--', @b);
like($page, qr/^3 runs of A, 3 runs of B.*\n\n worse .*\n actual_mean_ms .* \+\d\.\d %/, 'the page says so');

my @equal = runs('e', 3);
is(changed(compare(\@a, \@equal)), '', 'two equal sets: silent');
is(changed(compare(\@a, \@a)), '', 'a set and itself: silent');
is_deeply({ compare(\@a, \@b, '--seed', 5) }, { compare(\@a, \@b, '--seed', 5) }, 'a seed gives the same again');
is_deeply({ map { $_ => $slower{$_}{difference} } keys %slower },
	{ do { my %s = compare(\@a, \@b, '--seed', 5); map { $_ => $s{$_}{difference} } keys %s } },
	'another seed moves no value');

my %wait = compare(\@a, [runs('w', 3, runnable => 2)]);
is(changed(%wait), 'ui_runnable_share:more ui_sleeping_share:less',
	'more waiting for a CPU, where there was sleep, and nothing else');

my %v = compare([runs('u', 3, candidate => 'gpu_late')], [runs('v', 3, candidate => 'cpu_late', slow => 1.3)]);
is("$v{cpu_late_rate}{kind} $v{cpu_late_rate}{a} $v{cpu_late_rate}{change}", 'candidate 0 more', 'a candidate that grew');
ok(!$v{io_block_rate}, 'of a candidate that no frame has there is no row');
is($v{gpu_late_rate}{b}, 0, 'and one that is gone');
my @grew = (glob("$tmp/u*.csv"), '--', glob("$tmp/v*.csv"));
is((run_cmd($framewait, 'compare', '--fail-if', $_, @grew))[0], 1, "a condition of candidates: $_")
	for 'd.cpu_late_rate > 0.001', 'b.cpu_late_rate > 0 and a.cpu_late_rate == 0 and d.io_block_rate == 0';

# Two equal sets, 200 times, of runs that differ little by themselves, and of more that differ much. Fewer draws
# than by default: their intervals are no wider, only less even.
for ([ 3, 0.05, 500, 1000 ], [ 5, 0.075, 300, 5000, frames => 300, jitter => 0.05 ]) {
	my ($n, $bound, $inner, $seed, %how) = @$_;
	my ($draws, @said) = (200);
	for my $draw (1 .. $draws) {
		seed_runs($seed + $draw);
		my @sets = map { [ runs($_, $n, %how) ] } 'a', 'b';
		my $changed = changed(compare(@sets, '--draws', $inner, '--seed', $draw));
		push @said, "$draw: $changed" if $changed ne '';
	}
	my $rate = sprintf '%d of %d comparisons of equal sets of %d runs', scalar @said, $draws, $n;
	diag("false alarms: $rate");
	cmp_ok(scalar @said, '<=', $bound * $draws, "false alarms: $rate") or diag(join "\n", @said);
}

# Real recordings, and what report -o writes of them.
my $demo = "$top/tests/data/demo.pftrace";
run_cmd($framewait, 'report', $demo, '-o', "$tmp/$_") for 'one', 'two';
my ($s, $out, $err) = run_cmd($framewait, 'compare', $demo, '--', "$tmp/one/frames.csv");
is($s, 0, 'a recording and a frames.csv');
like($err, qr/FTimes of different bases: present fences and display frames/, 'their bases differ');
like($err, qr/one run on a side/, 'one run is few');
like($out, qr/^1 run of A, 1 run of B;/, 'and is one');
unlike($err, qr/recording\.csv/, 'recording.csv is found');
is(changed(compare(["$tmp/one/frames.csv"], ["$tmp/two/frames.csv"])), '', 'the same twice: silent');
my $json = JSON::PP->new->decode((run_cmd($framewait, 'compare', '-f', 'json', $demo, '--', $demo))[1]);
my ($smooth) = grep { $_->{measure} eq 'smooth' } @$json;
ok(!defined $smooth->{a} && !defined $smooth->{change}, 'what is not known is null in json');

# What is not alike.
sub said {
	my ($name, $from, $to) = @_;
	my $text = slurp("$tmp/one/$name.csv");
	$text =~ s/$from/$to/ or die "$name.csv has no $from";
	spew("$tmp/two/$name.csv", $text);
	my @got = run_cmd($framewait, 'compare', '-f', 'csv', "$tmp/one/frames.csv", '--', "$tmp/two/frames.csv");
	spew("$tmp/two/$name.csv", slurp("$tmp/one/$name.csv"));
	return @got[0, 2];
}
my ($refused, $why) = said('recording', qr/^schema,\d+/m, 'schema,999');
is($refused, 3, 'another schema version: refused');
like($why, qr/schema version \d+ and \S+ of 999/, 'and why');
like((said('recording', qr/^device,/m, 'device,other '))[1], qr/are of different devices/, 'other devices: a warning');
like((said('recording', qr/^kernel,/m, 'kernel,other '))[1], qr/are of different kernels/, 'other kernels');
like((said('recording', qr/^device,.*?^kernel,/ms, "device,other,x\nkernel,other "))[1], qr/different devices and kernels/, 'both');
like((said('health', qr/\z/, "x,,5,loss,y\n"))[1], qr/the recording lost data/, 'loss');
like((said('frames', qr/\n\z/, ''))[1], qr/may be cut/, 'a row that may be cut');
for my $speed (['slow', 16.667], ['fast', 8.333]) {
	spew("$tmp/$speed->[0].csv", "kind,actual_ms,actual_end_ms\n" .
		join '', map { sprintf "display,5,%.3f\n", $_ * $speed->[1] } 1 .. 500);
}
like((run_cmd($framewait, 'compare', "$tmp/slow.csv", '--', "$tmp/fast.csv"))[2],
	qr/different refresh rates: 60 and 120 Hz/, 'refresh rates');

# Conditions and usage.
sub status {
	return (run_cmd($framewait, 'compare', @_, @a, '--', @b))[0];
}
seed_runs(1);
@a = runs('a', 3);
@b = runs('b', 3, slow => 1.05);
is(status('--fail-if', $_), 1, "true: $_") for 'worse > 0', 'b.actual_mean_ms > 1.02 * a.actual_mean_ms',
	'r.actual_mean_ms > 0.02 and better == 0', 'd.actual_mean_ms > 0';
is(status('--fail-if', 'worse == 0'), 0, 'false');
is(status('--fail-if', 'a.hwc_running_share > 0'), 3, 'not known');
is(status('--fail-if', $_), 2, "wrong: $_") for 'fps_mean > 1', 'c.fps_mean > 1', 'a.smooth > 1', 'a. > 1';
is((run_cmd($framewait, 'compare', @$_))[0], 2, "wrong usage: @$_") for [$demo], [$demo, '--'], ['--', $demo],
	[$demo, '--', $demo, '--seed'], ['--draws', 5, $demo, '--', $demo], ['--confidence', 2, $demo, '--', $demo];
is((run_cmd($framewait, 'compare', $demo, '--', "$tmp/none"))[0], 3, 'an input that is not there');
spew("$tmp/empty.csv", "kind,actual_ms,actual_end_ms\n");
my @empty = run_cmd($framewait, 'compare', '--fail-if', 'worse > 0', "$tmp/slow.csv", '--', "$tmp/empty.csv");
is($empty[0], 3, 'a side without frames: not judged');
like($empty[1], qr/nothing has a value on both sides/, 'and said');

done_testing();
