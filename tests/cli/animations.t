#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Animations: sections of both tracers, the frames that they were seen in, and the log.
use strict;
use warnings;
use Test::More;
use Framewait::Packets;
use Framewait::Test;

my $boot_less_mono = 3_600_123_456_789;    # tests/gen/rec.c
my $demo = slurp("$top/tests/data/demo.pftrace");
spew("$tmp/demo", $demo);
my @frames = read_csv((run_cmd($framewait, 'report', "$tmp/demo", '-f', 'csv'))[1]);
my $first = sprintf '%.0f', $frames[0]{actual_start_ns} - $frames[0]{actual_start_ms} * 1e6;

# A recording may have packets in any order: marks at the end of the demo's.
# [ms since the start, text]
sub marks {
	return prints(map { [ $first + $_->[0] * 1e6, 4200, $_->[1] ] } @_);
}

my $fade = 'Anim|12|Obj|ImageView{1f}|alpha:0.0->1.0,+1|LinearInterpolator|300ms';
my $slide = 'Folme|7|open|card|x:0->9|spring(0.9,0.3)';
my $again = 'Anim|12|Obj|TextView{2a}|alpha:1.0->0.0|LinearInterpolator|100ms';
my $other = 'Anim|12|Val||:0->1|Path|100ms';
spew("$tmp/animated", $demo . marks(
	[100, "S|4200|$fade|1"], [150, "S|4200|$slide|2"], [400, "F|4200|$fade|1"],
	[450, "S|4200|$again|3"], [460, 'S|4200|Anim|20|Obj|x|a:0->1|L|9ms'],
	[500, "S|4200|Anim|13|Obj|a.very.long.Na...|4"], [520, "S|4200|Anim|13|Obj|b|a:0->1|L|9ms|5"],
	[550, "F|4200|$again|3"], [560, 'G|4200|tracer|Folme|8|close|card|x:9->0|linear()|6'],
	[600, 'H|4200|tracer|6'], [610, 'F|4200|Anim|19|Obj|v|a:0->1|L|9ms|8'],
	[650, 'S|4200|Anim|21|Obj|' . 'x' x 5000 . '|a:0->1|L|9ms|9'], [700, "S|5300|$other|1"], [800, "F|5300|$other|1"]));

sub animations {
	my ($status, $out, $err) = run_cmd($framewait, 'report', "$tmp/animated", '-t', 'animations', @_);
	is($status, 0, "animations @_") or diag($err);
	return read_csv($out);
}

my @rows = animations();
is(join(' ', map { "$_->{source}/$_->{id}/$_->{pid}/$_->{status}" } @rows),
	'Anim/19/4200/no-begin Anim/12/4200/closed Folme/7/4200/open Anim/12/4200/closed ' .
		'Anim/13/4200/restarted Anim/13/4200/open Folme/8/4200/closed Anim/12/5300/closed',
	'every section has a row');
my %by = map { ("$_->{source} $_->{id} $_->{start_ms}" => $_) } @rows;
my $row = $by{'Anim 12 100.000000'};
is(join('|', @{$row}{qw(type target properties property_count property property_from property_to ease
		planned_ms cut process)}),
	'Obj|ImageView{1f}|alpha:0.0->1.0|2|alpha|0.0|1.0|LinearInterpolator|300.000000|0|com.example.scroll',
	'what its name says');
is(join('|', @{$row}{qw(start_ms end_ms duration_ms sections_of_id log_match)}),
	'100.000000|400.000000|300.000000|3|', 'when it ran');
$row = $by{'Folme 7 150.000000'};
is(join('|', @{$row}{qw(type target ease ease_factors planned_ms end_ms duration_ms)}),
	'open|card|spring|0.9,0.3|||', 'Folme, without an end');
is($by{'Anim 13 500.000000'}{cut} . $by{'Anim 13 500.000000'}{target}, '1a.very.long.Na...', 'a cut name');
my ($health) = grep { $_->{name} eq 'fw_animation_bad' }
	read_csv((run_cmd($framewait, 'report', "$tmp/animated", '-t', 'health'))[1]);
is($health->{value}, 2, 'a section that cannot be read is counted, and one longer than the kernel writes');

# Frames, by hand.
my ($status, $out) = run_cmd($framewait, 'report', "$tmp/animated", '-f', 'csv');
my %runs = ('Anim 12' => [[100, 400], [450, 550]], 'Folme 7' => [[150, 1e9]], 'Anim 13' => [[500, 1e9]],
	'Folme 8' => [[560, 600]], 'Anim 19' => [[-1, 610]]);
my (@wrong, %seen, %janky, %longest);
for my $f (grep { $_->{kind} eq 'surface' && $_->{pid} == 4200 } read_csv($out)) {
	my ($from, $to) = ($f->{actual_start_ms}, $f->{actual_end_ms});
	$to = $from if $to eq '';
	my @want = map { my $name = $_; map { $name } grep { $_->[0] < $to && $_->[1] > $from } @{ $runs{$name} } } keys %runs;
	# Both of the ID that began again.
	push @want, 'Anim 13' if $from < 520 && $to > 520;
	my @got = map { /^(\w+ \d+)/ } split /; /, $f->{animations};
	push @wrong, "$from: @got, not @want" if join(',', sort @got) ne join(',', sort @want) ||
		$f->{animation_count} ne @want;
	next if $to <= 150;    # Folme 7
	$seen{n}++;
	$janky{n}++ if $f->{jank_mask} > 1;
	%longest = (ms => $f->{actual_ms}, token => $f->{surface_token})
		if $f->{actual_ms} ne '' && $f->{actual_ms} > ($longest{ms} // 0);
}
is("@wrong", '', 'each frame names those that ran in its window');
$row = $by{'Folme 7 150.000000'};
is("@{$row}{qw(frames janky_frames longest_frame_ms longest_frame_token)}",
	"$seen{n} $janky{n} $longest{ms} $longest{token}", 'frames, janky ones and the longest');
ok($out =~ /,"?Anim 12 ImageView\{1f\}\.alpha; Anim 19 v\.a; Folme 7 card\.x"?$/m, 'by name');
is(join(' ', map { $_->{pid} } animations('-p', 'com.example.ticker')), '5300', '-p');

# The log: a begin with its stack and an end for some; an ID of two processes; one that nobody knows.
my @begin = ("begin $fade", "\tat com.tracer.AnimatorTracer.begin(AnimatorTracer.java:9)",
	"\tat com.example.Card.show(Card.java:12)", "\tat com.example.Main.onClick(Main.java:3)");
my $head = '11-30 10:00:00.100  %d  %d I %-13s: %s';
my $log = "--------- beginning of main\n";
sub say_log {
	my ($pid, $tag, @lines) = @_;
	$log .= sprintf("$head\n", $pid, $pid, $tag, $_) for @lines;
}
say_log(4200, 'AnimatorTracer', @begin[0, 1]);
say_log(5300, 'AnimatorTracer', "begin $other", "\tat com.example.Tick.run(Tick.java:1)");
say_log(4200, 'Choreographer', 'Skipped 31 frames!');
say_log(4200, 'AnimatorTracer', @begin[2, 3]);
say_log(4200, 'AnimatorTracer', "end $fade reason=cancel");
say_log(4200, 'FolmeTracer', 'begin Folme|7|open', "\tat com.example.Card.open(Card.java:40)");
say_log(4200, 'AnimatorTracer', "begin $again", 'end Anim|12 complete');
say_log(5300, 'AnimatorTracer', 'end Anim|12 replaced');
say_log(4200, 'FolmeTracer', 'begin Folme|99|x', 'end Folme|99 complete');
spew("$tmp/log", $log);
@rows = animations('--logcat', "$tmp/log");
%by = map { ("$_->{source} $_->{id} $_->{start_ms}" => $_) } @rows;
is(join('|', @{ $by{'Anim 12 100.000000'} }{qw(log_match end_reason log_begin stack_top logs_of_id)}),
	'order|cancel|11-30 10:00:00.100|com.example.Card.show(Card.java:12)|3',
	'an ID used twice: by the order');
is($by{'Anim 12 100.000000'}{stack}, 'com.tracer.AnimatorTracer.begin(AnimatorTracer.java:9) < ' .
		'com.example.Card.show(Card.java:12) < com.example.Main.onClick(Main.java:3)', 'its stack');
is(join('|', @{ $by{'Anim 12 450.000000'} }{qw(log_match end_reason)}), 'order|complete', 'the second');
is(join('|', @{ $by{'Anim 12 700.000000'} }{qw(log_match end_reason stack_top)}),
	'id|replaced|com.example.Tick.run(Tick.java:1)', 'the same ID of another process');
is(join('|', @{ $by{'Folme 7 150.000000'} }{qw(log_match end_reason stack_top log_end)}),
	'id||com.example.Card.open(Card.java:40)|', 'a log without its end');
is($by{'Anim 13 520.000000'}{log_match}, 'no-log', 'a section without its log');
is(join('|', @{ $by{'Folme 99 '} }{qw(status log_match end_reason pid sections_of_id)}),
	'log-only|no-section|complete|4200|0', 'a log without its section');

# One more log of the ID than there are sections, with and without times that can be placed.
my $extra = $log;
say_log(4200, 'AnimatorTracer', 'begin Anim|12|Obj|x', 'end Anim|12 complete');
spew("$tmp/log2", $log);
@rows = grep { $_->{id} eq '12' && $_->{pid} == 4200 } animations('--logcat', "$tmp/log2");
is(join(' ', map { "$_->{status}:$_->{log_match}" } @rows),
	'log-only:ambiguous log-only:ambiguous log-only:ambiguous closed:ambiguous closed:ambiguous',
	'nothing decides');
my $timed = '';
for ([100.2, $fade], [300, 'Anim|12|Obj|x'], [450.7, $again]) {
	my $s = sprintf '%.6f', ($first - $boot_less_mono + $_->[0] * 1e6) / 1e9;
	$timed .= sprintf "%14s  4200  4200 I AnimatorTracer: begin %s\n", $s, $_->[1];
	$timed .= sprintf "%14s  4200  4200 I AnimatorTracer: at com.example.T.t%d(T.java:1)\n", $s, $_->[0];
}
spew("$tmp/log3", $timed);
@rows = grep { $_->{id} eq '12' && $_->{pid} ne '5300' } animations('--logcat', "$tmp/log3");
is(join(' ', map { "$_->{status}:$_->{log_match}:$_->{stack_top}" } @rows),
	'log-only:no-section:com.example.T.t300(T.java:1) closed:time:com.example.T.t100(T.java:1) ' .
		'closed:time:com.example.T.t450(T.java:1)', 'times decide where they can be placed');

spew("$tmp/nolog", "nothing\nof a log\n");
my (undef, undef, $err) = run_cmd($framewait, 'report', "$tmp/animated", '-t', 'animations', '--logcat', "$tmp/nolog");
like($err, qr/nolog: is no log/, 'what is no log is refused');

done_testing();
