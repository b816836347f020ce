#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# framewait stat: each metric against a computation of its own, PerfDog's figures of a real minute,
# the series of a recording, conditions, and what is refused.
use strict;
use warnings;
use JSON::PP ();
use List::Util qw(max min sum sum0);
use POSIX qw(ceil floor);
use Test::More;
use Framewait::Kdebug;
use Framewait::Test;

# The metrics of one series by name; the run's without a scope.
sub stat_of {
	my ($scope, @args) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'stat', '-f', 'csv', @args);
	is($status, 0, "stat @args") or diag($err);
	return map { $_->{metric} => $_->{value} } grep { $_->{scope} eq ($scope || 'run') } read_csv($out);
}

sub near {
	my ($got, $want, $what) = @_;
	return is($got, $want, $what) if $got eq '' || $want eq '';
	ok(abs($got - $want) <= 1e-9 * max(1, abs $want), $what) or diag("got $got, want $want");
}

# PerfDog's figures. Empty cells are no values: frame times and points stand in rows of their own.
my $json = "$shared/traces/other/perfdog_ios_minute.json";
SKIP: {
	skip 'no minute with the figures of PerfDog here (shared/traces/other)', 14 if !-f $json;
	my $minute = JSON::PP->new->decode(slurp($json));
	my $csv = "ftime_ms,fps\n";
	for my $second (@{ $minute->{seconds} }) {
		$csv .= ",$second->{fps}\n";
		$csv .= "$_,\n" for @{ $second->{frame_times_ms} };
	}
	spew("$tmp/perfdog.csv", $csv);
	my %m = stat_of('', "$tmp/perfdog.csv", '--column', 'ftime_ms', '--fps-column', 'fps',
		'--duration', $minute->{duration_ms});
	my $theirs = $minute->{summary};
	my %mine = (
		fps_avg => $m{fps_points_mean},
		fps_var => $m{fps_points_var},
		fps_ge_18 => 100 * $m{fps_points_ge_18},
		fps_ge_25 => 100 * $m{fps_points_ge_25},
		fps_drop => $m{fps_drops_per_hour},
		ftime_avg => $m{ftime_mean_ms},
		ftime_ge_100 => 100 * $m{ftime_ge_100},
		ftime_delta => $m{ftime_steps_per_hour},
		jank_per_hour => $m{janks_per_10min}, # its name for janks per 10 minutes
		big_jank_per_hour => $m{big_janks_per_10min},
		stutter => 100 * $m{stutter},
	);
	is(sprintf('%.1f', $mine{$_}), sprintf('%.1f', $theirs->{$_}), "PerfDog's $_ is $theirs->{$_}")
		for sort keys %mine;
	# Without its points and its time the same shares, by points counted from the FTimes.
	my %own = stat_of('', "$tmp/perfdog.csv", '--column', 'ftime_ms');
	is(sprintf('%.1f', 100 * $own{fps_points_ge_18}), '49.1', 'points that are counted give the same share');
}

# All metrics over FTimes, computed here by their definitions.
sub expect {
	my (@f) = @_;
	my ($n, $time) = (scalar @f, sum @f);
	my @fps = map { 1000 / $_ } @f;
	my @sorted = sort { $a <=> $b } @f;
	my $rank = sub { $sorted[ceil($n * $_[0] / 1000) - 1] };
	my $slowest = sub { my $k = ceil($n * $_[0] / 1000); sum(@sorted[-$k .. -1]) / $k };
	my $var = sub { my $mean = sum(@_) / @_; sum(map { ($_ - $mean)**2 } @_) / @_ };
	my (@points, $t);
	for (@f) {
		$t += $_;
		$points[ceil($t / 1000) - 1]++;
	}
	$#points = floor($t / 1000) - 1;
	$_ //= 0 for @points;
	my %jank;
	for my $i (3 .. $#f) {
		my $mean = sum(@f[$i - 3 .. $i - 1]) / 3;
		next if $f[$i] <= 2 * $mean;
		$jank{$_} += $f[$i] > $_ * 1000 / 24 for 1 .. 3;
		next if $f[$i] <= 2000 / 24;
		$jank{time} += $f[$i];
		$jank{excess} += $f[$i] - $mean;
	}
	my $median_fps = 1000 / $rank->(500);
	my $points = @points;
	return (
		intervals => $n,
		time_s => $time / 1000,
		fps_mean => 1000 / ($time / $n),
		fps_var => $var->(@fps),
		ftime_mean_ms => $time / $n,
		ftime_var => $var->(@f),
		ftime_p50_ms => $rank->(500),
		ftime_p90_ms => $rank->(900),
		ftime_p95_ms => $rank->(950),
		ftime_p99_ms => $rank->(990),
		ftime_max_ms => $sorted[-1],
		fps_low_1 => 1000 / $slowest->(10),
		fps_low_01 => 1000 / $slowest->(1),
		fps_ge_18 => (grep { $_ >= 18 } @fps) / $n,
		fps_ge_25 => (grep { $_ >= 25 } @fps) / $n,
		ftime_ge_100 => (grep { $_ >= 100 } @f) / $n,
		ftime_steps_per_hour => $n > 1 ? (grep { $f[$_] - $f[$_ - 1] > 100 } 1 .. $#f) * 3600e3 / $time : '',
		small_janks_per_10min => $n > 3 ? ($jank{1} // 0) * 600e3 / $time : '',
		janks_per_10min => $n > 3 ? ($jank{2} // 0) * 600e3 / $time : '',
		big_janks_per_10min => $n > 3 ? ($jank{3} // 0) * 600e3 / $time : '',
		stutter => $n > 3 ? ($jank{time} // 0) / $time : '',
		stutter_excess => $n > 3 ? ($jank{excess} // 0) / $time : '',
		med_range => (grep { $_ >= 0.8 * $median_fps - 1e-9 && $_ <= 1.2 * $median_fps + 1e-9 } @fps) / $n,
		tiny_janks_per_10min => '',
		smooth => '',
		refresh_hz => '',
		frames => '',
		fps_points => $points,
		fps_points_mean => $points ? sum(@points) / $points : '',
		fps_points_var => $points ? $var->(@points) : '',
		fps_points_ge_18 => $points ? (grep { $_ >= 18 } @points) / $points : '',
		fps_points_ge_25 => $points ? (grep { $_ >= 25 } @points) / $points : '',
		fps_drops_per_hour => $points > 1
			? (grep { $points[$_ - 1] - $points[$_] > 8 } 1 .. $#points) * 3600e3 / $time : '',
	);
}

my $seed = 7;
sub random { return ($seed = $seed * 1103515245 + 12345 & 0x7fffffff) / 0x7fffffff }
my %lists = (
	'one interval' => [16],
	'three' => [16, 17, 18],
	'no jank' => [(16.6) x 200],
	'janks of all sizes' => [(16.6) x 10, 42, (16.6) x 10, 84, (16.6) x 10, 126, (16.6) x 10, 250, 3500, (12) x 200],
	'at the limits' => [(50) x 3, 99, (50) x 3, 100, (50) x 3, 100.001, 40, 40.001, 55.5, 55.6, (20) x 9, 40, (20) x 9,
		40.001, 1000, 900, 1000.001, (10) x 3, 110, 10, 110.001, 2000, 8, 8],
	'3000 of any length' => [map { 8 + 10 * random() + (random() < 0.03 ? 300 * random() : 0) } 1 .. 3000],
);
for my $name (sort keys %lists) {
	my @f = @{ $lists{$name} };
	spew("$tmp/list.csv", join "\n", 'x,ms', (map { "a,$_" } @f), '');
	my %m = stat_of('', "$tmp/list.csv", '--column', 'ms');
	my %want = expect(@f);
	near($m{$_}, $want{$_}, "$name: $_") for sort keys %want;
	my ($t, @times) = (5);
	push @times, $t += $_ for 0, @f;
	spew("$tmp/times.csv", join "\n", 'at', @times, '');
	my %of_times = stat_of('', "$tmp/times.csv", '--column', 'at', '--times');
	ok(abs($of_times{fps_mean} - $m{fps_mean}) < 1e-6 && $of_times{intervals} == @f, "$name: as present times");
}
spew("$tmp/ns.csv", "t_ns\n16000000\n32000000\n");
my %ns = stat_of('', "$tmp/ns.csv", '--column', 't_ns');
near($ns{ftime_mean_ms}, 24, 'a column in ns');

# Series of a recording, computed from its own rows.
my $demo = "$top/tests/data/demo.pftrace";
my @frames = read_csv((run_cmd($framewait, 'report', $demo, '-f', 'csv'))[1]);
my @fences = read_csv((run_cmd($framewait, 'report', $demo, '-t', 'fences'))[1]);
sub ftimes {
	my %at = map { $_ => 1 } @_;
	my @t = sort { $a <=> $b } keys %at;
	return map { $t[$_] - $t[$_ - 1] } 1 .. $#t;
}
my %screen = stat_of('screen', $demo);
my %want = expect(ftimes(map { $_->{actual_end_ms} }
	grep { $_->{kind} eq 'display' && $_->{present_type} ne 'Dropped Frame' } @frames));
ok(abs($screen{$_} - $want{$_}) < 1e-6 * max(1, $want{$_}), "the screen: $_") or diag("$screen{$_} $want{$_}")
	for qw(intervals fps_mean ftime_p99_ms stutter fps_points_mean);
my %run = stat_of('', $demo);
%want = expect(ftimes(map { $_->{event_ms} }
	grep { $_->{event} eq 'PresentFenceSignaled' && $_->{layer} =~ /scroll/ } @fences));
ok(abs($run{$_} - $want{$_}) < 1e-6 * max(1, $want{$_}), "the main layer, by present fences: $_")
	for qw(intervals fps_mean ftime_p99_ms stutter med_range);

# FrameTimeline's own.
my @of_layers = grep { $_->{kind} eq 'surface' } @frames;
sub share { my ($column, $value) = @_; return (grep { $_->{$column} eq $value } @of_layers) / @of_layers }
near($run{frames}, scalar @of_layers, 'frames');
near($run{jank_rate}, sum(map { share('jank_tag', $_) } 'Self Jank', 'Other Jank', 'Dropped Frame'), 'jank_rate');
near($run{self_jank_rate}, share('jank_tag', 'Self Jank'), 'self_jank_rate');
near($run{stuffing_rate}, share('jank_tag', 'Buffer Stuffing'), 'stuffing_rate, which jank_rate has not');
near($run{late_rate}, share('late', 1), 'late_rate');
near($run{dropped_rate}, share('present_type', 'Dropped Frame'), 'dropped_rate');
near($run{full_jank_rate}, share('jank_severity', 'Full'), 'full_jank_rate');
my @states = map { "${_}_ms" } qw(running runnable preempted sleeping blocked_io blocked_nonio
	blocked_unknown other unobserved);
my $ui = sum(map { my $r = $_; map { $r->{"ui_$_"} || 0 } @states } @of_layers);
near($run{ui_running_share}, sum(map { $_->{ui_running_ms} || 0 } @of_layers) / $ui, 'ui_running_share');
my @actual = sort { $a <=> $b } map { $_->{actual_ms} || () } @of_layers;
near($run{actual_p90_ms}, $actual[ceil(@actual * 0.9) - 1], 'actual_p90_ms');

# A frames.csv gives the same, but for the fences that it does not have.
spew("$tmp/frames.csv", (run_cmd($framewait, 'report', $demo, '-f', 'csv'))[1]);
my %again = stat_of('', "$tmp/frames.csv");
is($again{$_}, $run{$_}, "frames.csv: $_") for grep { /jank|rate|actual|share/ && !/10min/ } sort keys %run;
my %scroll = stat_of('', $demo, '-p', 'com.example.ticker');
near($scroll{frames}, scalar(grep { $_->{process} eq 'com.example.ticker' } @of_layers), '-p');
is_deeply({ stat_of('', "$tmp/frames.csv", '-l', '*Widget*', '--from', 300) },
	{ %{ { stat_of('', "$tmp/frames.csv", '-p', '5300', '--from', '300.0') } } }, '-l and -p choose alike');

# More layers than are told apart.
spew("$tmp/layers.csv", join '', "kind,process,layer,actual_ms\n", map { "surface,p,layer $_,5\n" } 1 .. 300, 1 .. 300);
is({ stat_of('', "$tmp/layers.csv") }->{frames}, 600, 'frames of all layers count');
my %layers = map { $_->{layer} => $_->{value} } grep { $_->{scope} eq 'layer' && $_->{metric} eq 'frames' }
	read_csv((run_cmd($framewait, 'stat', "$tmp/layers.csv", '-f', 'csv'))[1]);
is(join(' ', scalar keys %layers, $layers{'layer 1'}, $layers{'layer 256'}), '256 2 2', 'the first 256 are told apart');
like((run_cmd($framewait, 'stat', "$tmp/layers.csv"))[1], qr/only the first 256 layers are told apart/, 'and it is said');

# An iOS capture.
spew("$tmp/ios.raw", kd_file({}, map { kd_frame(1000 + 400_000 * $_) } 0 .. 60));
my %ios = stat_of('', "$tmp/ios.raw");
is(sprintf('%d %.3f', $ios{intervals}, $ios{ftime_mean_ms}), '60 16.667', 'an iOS capture');
is($ios{frames}, '', 'whose frames are not known');
my $nothing = qr/--mach-timebase does nothing here/;
unlike((run_cmd($framewait, 'stat', "$tmp/ios.raw", '--mach-timebase', '125/3'))[2], $nothing, '--mach-timebase of it');
like((run_cmd($framewait, 'stat', $_, '--mach-timebase', '125/3'))[2], $nothing, 'of what has no Mach ticks it is told')
	for $demo, "$tmp/frames.csv";

# Two files: rows of both.
my @both = read_csv((run_cmd($framewait, 'stat', $demo, "$tmp/ios.raw", '-f', 'csv'))[1]);
is(scalar(grep { $_->{metric} eq 'fps_mean' && $_->{scope} eq 'run' } @both), 2, 'two inputs');
my $parsed = JSON::PP->new->decode((run_cmd($framewait, 'stat', $demo, '-f', 'json'))[1]);
is((grep { $_->{scope} eq 'run' && $_->{metric} eq 'smooth' } @$parsed)[0]{value}, undef, 'json has null');
like((run_cmd($framewait, 'stat', $demo))[1], qr/^  smooth +unsupported$/m, 'text says unsupported');
like((run_cmd($framewait, 'stat', $demo))[1], qr/^  med_range .*\(candidate\)$/m, 'and candidate');

# Conditions.
sub gate {
	my ($expr, @args) = @_;
	my ($status, undef, $err) = run_cmd($framewait, 'stat', @args ? @args : $demo, '--fail-if', $expr);
	return wantarray ? ($status, $err) : $status;
}
is(gate('fps_mean < 1'), 0, 'false: 0');
is(gate('fps_mean > 1'), 1, 'true: 1');
like((gate('fps_mean > 1 and frames == 183'))[1], qr/holds: fps_mean = 61\.\d+, frames = 183$/, 'with its values');
is(gate($_), 1, "true: $_") for 'not fps_mean < 1', '-fps_mean < 0', '(frames - 3) * 2 / 4 == 90', '2 + 3 * 4 == 14',
	'frames != 1 or fps_drops_per_hour > 0', '1 < 2 and not (3 <= 2 or 2 >= 3)', '1e3 == 1000', '7 - 2 - 1 == 4';
is(gate($_), 1, "of candidates: $_") for 'buffer_stuffing_rate * frames == 13', 'io_block_rate > 0.01 and cpu_late_rate == 0';
is(gate($_, "$tmp/layers.csv"), 3, "of candidates, not known: $_") for 'gpu_late_rate > 0', 'not_enough_data_rate == 0';
is(gate($_), 0, "false: $_") for 'frames < 100 and fps_drops_per_hour > 0', 'not 1 < 2 or 2 < 1';
is(gate($_), 3, "not known: $_") for 'fps_drops_per_hour > 0', 'fps_drops_per_hour > 0 or frames < 100',
	'not fps_drops_per_hour > 0', 'frames / 0 > 1';
like((gate('fps_drops_per_hour > 0'))[1], qr/cannot be judged: fps_drops_per_hour = unknown/, 'and it says so');
like((gate('1 / 0 > 1'))[1], qr/cannot be judged$/, 'also where there are no names');
like((gate('smooth > 1'))[1], qr/smooth is unsupported/, 'a metric without a definition is said to be one');
like((gate('(' x 100_000))[1], qr/^.{60,200}$/m, 'a long condition is not repeated whole');
is(gate($_), 2, "wrong: $_") for '', 'fps', 'fps_mean', 'nothing > 1', 'smooth > 1', 'fps_mean > 1 >', '(1 < 2', '1 < 2)',
	'1 < 2 < 3', '1 + (2 < 3) > 1', 'not 1', '1 and 2 < 3', '1 < 2 or', '1.2.3 < 4', '1 & 2', '(' x 1000, '- ' x 2000 . '1 < 2',
	join(' and ', ('1 < 2') x 600);
is((run_cmd($framewait, 'report', $demo, '--fail-if', 'jank_rate > 0.04'))[0], 1, 'report --fail-if');
my ($status, $out) = run_cmd($framewait, 'report', $demo, '-f', 'csv', '--fail-if', 'jank_rate > 0.05');
ok($status == 0 && $out eq slurp("$tmp/frames.csv"), 'report -f csv --fail-if prints its rows');
is((run_cmd($framewait, 'report', $demo, '-l', '*Widget*', '-f', 'csv', '--fail-if', 'frames != 63'))[0], 0,
	'over the frames reported');
is((run_cmd($framewait, 'report', $demo, '-t', 'd-state', '--fail-if', 'frames > 0'))[0], 2, 'not with other tables');

# What is refused.
sub refused {
	my ($csv, $like, $what, @args) = @_;
	spew("$tmp/bad.csv", $csv);
	my ($s, undef, $err) = run_cmd($framewait, 'stat', "$tmp/bad.csv", @args ? @args : ('--column', 'a'));
	ok($s == 3 && $err =~ $like, $what) or diag("$s: $err");
}
refused("a,b\n1,2\n3\n", qr/line 3: 1 cells, but the header has 2 columns/, 'a short row');
refused("a\n1\nx\n", qr/line 3: a: 'x' is no number/, 'a word');
refused("a\n0x10\n", qr/no number/, 'hexadecimal');
refused("a\nnan\n", qr/no number/, 'nan');
refused("a,a\n1,2\n", qr/two columns named 'a'/, 'a name twice');
refused("b,c\n1,2\n", qr/no column is named a; it has b, c$/, 'no such column');
refused("kind;a\nx;1\n", qr/between its cells is ;, and should be a comma/, 'semicolons');
refused("kind\ta\nx\t1\n", qr/between its cells is a tab/, 'tabs');
refused(join(',', 'b' .. 'zz') . "\n", qr/it has b, c, .*\.\.\.$/, 'of many columns the first');
refused("a\n\"1\n", qr/ends within quotes/, 'an open quote');
refused("a\n1\"2\n", qr/quote inside/, 'a quote inside');
refused("a\n\"1\"2\n", qr/after a closing quote/, 'text after a quote');
refused('', qr/empty/, 'an empty file');
refused("a\n", qr/no values/, 'no rows');
refused("kind,actual_ms\nsurface,1e\n", qr/line 2: actual_ms: '1e' is no number/, 'a frames.csv with a bad cell', '-f', 'csv');
refused("kind,actual_ms\n,1\n", qr/kind is empty/, 'a frames.csv without a kind', '-f', 'csv');
spew("$tmp/odd.csv", "\xef\xbb\xbf\"a\"\r\n\"16\"\r\n\r\n-3\r\n0\r\n17");
my ($s, $o, $e) = run_cmd($framewait, 'stat', "$tmp/odd.csv", '--column', 'a', '-f', 'csv');
is($s, 0, 'a byte order mark, CRLF, quotes');
like($e, qr/2 values that are no times were refused.*may be cut/s, 'what is no time is counted, a cut is told');
is((run_cmd($framewait, 'stat', $demo, @$_))[0], 2, "wrong usage: @$_") for ['--duration', 5], ['--times'],
	['--column', 'a', '-p', 'b'], ['--column', 'a', '--mach-timebase', '125/3'], ['--list'], ['-f', 'yaml'], ['--duration', '-1', '--column', 'a'];

done_testing();
