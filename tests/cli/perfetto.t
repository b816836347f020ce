#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# report --format perfetto: as protoc, trace_processor and our own reader read it.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Framewait::Test;

my $demo = "$top/tests/data/demo.pftrace";
my $trace = "$tmp/out.pftrace";

sub report {
	return run_cmd($framewait, 'report', @_);
}

my ($status, undef, $err) = report($demo, '-f', 'perfetto', '-o', $trace);
is($status, 0, '--format perfetto') or diag($err);
is((report($demo, '-o', "$tmp/csv"))[0], 0, '-o');
my @frames = read_csv(slurp("$tmp/csv/frames.csv"));
my @intervals = read_csv(slurp("$tmp/csv/intervals.csv"));

# protoc knows every field, and reads the packets.
open my $in, '-|', "protoc --proto_path=$top/tests/cli --decode=Trace $top/tests/cli/trace.proto <$trace" or die;
my (@packets, @path, @unknown);
while (<$in>) {
	if (/^\s*(\w+) \{$/) {
		push @packets, [] if !@path;
		push @path, $1;
	} elsif (/^\s*\}$/) {
		push @{ $packets[-1] }, ['}', "@path"];
		pop @path;
	} elsif (/^\s*(\w+): (.*)$/) {
		my ($name, $value) = ($1, $2);
		$value =~ s/^"(.*)"$/$1/;
		push @{ $packets[-1] }, [join(' ', @path[1 .. $#path], $name), $value];
	}
	push @unknown, $_ if /^\s*\d+[:\s]/;
}
ok(close $in, 'protoc decodes it');
is(scalar @unknown, 0, 'every field is one of trace.proto') or diag(@unknown[0 .. 5]);
is(join(' ', sort keys %{{ map { $_->[0] =~ /^frame_timeline_event expected_(.*)/ ? ($1 => 1) : () } map { @$_ } @packets }}),
	join(' ', map({ "display_frame_start $_" } qw(cookie pid token)),
		map({ "surface_frame_start $_" } qw(cookie display_frame_token layer_name pid token))),
	'expected frames have only their own fields');

sub value {
	my ($packet, $name) = @_;
	my ($first) = grep { $_->[0] eq $name } @$packet;
	return $first ? $first->[1] : undef;
}

my (%tracks, %slices, %open, %flows, $unordered, $unbalanced, %parents);
for my $p (@packets) {
	my $uuid = value($p, 'track_descriptor uuid');
	if (defined $uuid) {
		my $name = value($p, 'track_descriptor name') // value($p, 'track_descriptor thread thread_name') //
			value($p, 'track_descriptor process process_name');
		ok(!$tracks{$uuid}, "track $name is described once") if $tracks{$uuid};
		$tracks{$uuid} = { name => $name, parent => value($p, 'track_descriptor parent_uuid'),
			tid => value($p, 'track_descriptor thread tid') };
		next;
	}
	my $type = value($p, 'track_event type') or next;
	my ($track, $ts) = (value($p, 'track_event track_uuid'), value($p, 'timestamp'));
	my $stack = $open{$track} //= [];
	$unordered++ if !$tracks{$track};
	if ($type eq 'TYPE_SLICE_END') {
		my $s = pop @$stack or $unbalanced++, next;
		$s->{end} = $ts;
		next;
	}
	my $event = { start => $ts, end => $type eq 'TYPE_INSTANT' ? $ts : undef, name => value($p, 'track_event name'),
		track => $track, type => $type, depth => scalar @$stack };
	push @{ $flows{ $_->[1] } }, $event for grep { $_->[0] eq 'track_event flow_ids' } @$p;
	push @{ $slices{$track} }, $event;
	push @$stack, $event if $type eq 'TYPE_SLICE_BEGIN';
}
is($unordered // 0, 0, 'each event is on a track described before it');
is($unbalanced // 0, 0, 'each end has a begin');

my @overlap;
for my $track (keys %slices) {
	my $end = 0;
	for my $s (sort { $a->{start} <=> $b->{start} } grep { !$_->{depth} && $_->{type} eq 'TYPE_SLICE_BEGIN' } @{ $slices{$track} }) {
		push @overlap, "$tracks{$track}{name}: $s->{name}" if $s->{start} < $end;
		$end = $s->{end} // 9e18;
	}
}
is("@overlap[0 .. ($#overlap > 4 ? 4 : $#overlap)]", '', 'no slices of a track overlap');

my ($version) = grep { value($_, 'track_event name') && value($_, 'track_event name') eq 'columns' } @packets;
my %recording = map { $_->{name} => $_->{value} } read_csv(slurp("$tmp/csv/recording.csv"));
is(value($version, 'track_event debug_annotations int_value'), $recording{schema}, 'the version of the columns');

sub on_tracks {
	my ($like) = @_;
	return map { @{ $slices{$_} // [] } } grep { ($tracks{$_}{name} // '') =~ $like } keys %tracks;
}

is(scalar(grep { $_->{type} eq 'TYPE_SLICE_BEGIN' } on_tracks(qr/^Frames/)), scalar @frames, 'a slice for each frame');
is(join(' ', sort map { "$_->{start}-" . ($_->{end} // '') } grep { $_->{type} eq 'TYPE_SLICE_BEGIN' } on_tracks(qr/^Frames/)),
	join(' ', sort map { "$_->{actual_start_ns}-$_->{actual_end_ns}" } @frames), 'at its times');
my %candidates;
$candidates{ $_->{candidate} }++ for grep { $_->{candidate} ne '' } @frames;
$candidates{ $_->{name} }-- for on_tracks(qr/^Candidates/);
is(join(' ', grep { $candidates{$_} } sort keys %candidates), '', 'a slice for each candidate');
for my $phase (qw(app_hold producer_fence_wait latch_to_present present_interval)) {
	my @want = grep { $_->{"${phase}_ms"} ne '' && $_->{"${phase}_ms"} > 0 } @frames;
	cmp_ok(scalar @want, '>', 50, "$phase: frames have it");
	is(scalar(on_tracks(qr/^$phase/)), scalar @want, "$phase: a slice each");
}

# A thread's states: the union of its windows, each instant once, the same time in each state.
my (%want, %got, %covered);
for my $i (@intervals) {
	my ($from, $to) = ($i->{start_ns}, $i->{start_ns} + $i->{duration_ns});
	$from = $covered{ $i->{tid} } if $from < ($covered{ $i->{tid} } // 0);
	next if $to <= $from;
	$covered{ $i->{tid} } = $to;
	$want{"$i->{tid} $i->{state}"} += $to - $from;
}
my %by_tid;
for my $track (keys %tracks) {
	my ($number) = ($tracks{$track}{name} // '') =~ /(?:^| )(\d+)$/;
	$by_tid{$track} = $tracks{$track}{tid} // $number;
}
my %framed = map { $_->{tid} => 1 } @intervals;
for my $track (grep { $by_tid{$_} && $framed{ $by_tid{$_} } } keys %slices) {
	$got{"$by_tid{$track} " . ($_->{name} =~ /^(\w+)/)[0]} += $_->{end} - $_->{start}
		for grep { $_->{type} eq 'TYPE_SLICE_BEGIN' } @{ $slices{$track} };
}
is_deeply(\%got, \%want, 'time in state of each thread');
ok((grep { /^blocked io: \w/ } map { $_->{name} } map { @$_ } values %slices), 'a blocked slice says in which function');

# Flows: of two ends, the first not after the second.
my @wakes = grep { $_->[0]{name} =~ /^wakes / } map { [sort { $a->{start} <=> $b->{start} || ($a->{type} cmp $b->{type}) } @$_] } values %flows;
cmp_ok(scalar @wakes, '>', 100, 'flows from wakers');
is(scalar(grep { @$_ != 2 || $_->[1]{name} ne 'runnable' } @wakes), 0, 'to the one that is woken');
my @fences = grep { $_->[0]{name} =~ /^\d+:\d+$/ } map { [sort { $a->{start} <=> $b->{start} } @$_] } values %flows;
my @to_frames = grep { my $f = $_; grep { $_->{name} eq 'acquire fence signaled' && $_->{depth} == 1 } @$f } @fences;
is(scalar @to_frames, scalar(grep { $_->{acquire_fence_context} ne '' } @frames), 'flows from acquire fences into the slices of their frames');
ok((grep { my $f = $_; grep { $_->{name} eq 'present fence signaled' } @$f } @fences), 'flows from present fences');

# Our own reader finds SurfaceFlinger's frames again.
my ($s, $again) = report($trace, '-f', 'csv');
is($s, 0, 'our reader reads it');
my @again = read_csv($again);
my @columns = qw(kind pid layer surface_token display_token is_buffer late actual_start_ns actual_end_ns actual_ms
	expected_count expected_ms deadline_delta_ms present_type on_time_finish gpu_composition jank_tag jank_type
	jank_mask jank_severity jank_score prediction_type present_delay_ms vsync_jitter_ms display_count display_ms
	display_jank_tag display_jank_type display_present_type display_expected_ms display_delta_ms overrun_ms);
is_deeply([map { [@{$_}{@columns}] } @again], [map { [@{$_}{@columns}] } @frames], 'the same frames');
like((run_cmd($framewait, 'inspect', $trace))[1], qr/nothing was lost and nothing refused/, 'nothing in it is refused');

# Names from outside stay names.
my ($big) = grep { ($tracks{$_}{name} // '') =~ /^Frames: .*\\"big\\"/ } keys %tracks;
ok($big, 'a layer with quotes');

# trace_processor takes it, and its answers are ours.
SKIP: {
	my $dir = trace_processor_dir() or skip 'no trace_processor (scripts/install-deps check)', 1;
	my %ask = (
		errors => q{SELECT name, value FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0},
		frames => q{SELECT s.ts AS start, s.dur FROM slice s JOIN track t ON t.id = s.track_id
			WHERE t.name GLOB 'Frames*' AND s.depth = 0},
		timeline => q{SELECT display_frame_token AS display, surface_frame_token AS surface, ts AS start, dur
			FROM actual_frame_timeline_slice},
		expected => q{SELECT count(*) AS n FROM expected_frame_timeline_slice},
		states => q{SELECT tid, s.name, sum(s.dur) AS dur FROM slice s JOIN thread_track t ON t.id = s.track_id JOIN thread USING (utid)
			WHERE s.name NOT GLOB 'wakes *' GROUP BY tid, s.name},
		threads => q{SELECT DISTINCT pid, tid FROM thread JOIN process USING (upid)},
		flows => q{SELECT o.name AS source, i.name AS target FROM flow JOIN slice o ON o.id = slice_out JOIN slice i ON i.id = slice_in},
		schema => q{SELECT extract_arg(arg_set_id, 'debug.schema') AS schema FROM slice WHERE name = 'columns'},
	);
	my @names = sort keys %ask;
	spew("$tmp/ask.json", encode_json([@ask{@names}]));
	my $out = `node $top/tests/lib/trace_processor.mjs $dir $trace <$tmp/ask.json 2>$tmp/tp.txt`;
	is($?, 0, 'trace_processor opens it') or diag(slurp("$tmp/tp.txt")), skip 'no answers', 1;
	my %said;
	@said{@names} = @{ decode_json($out) };
	is_deeply($said{errors}, [], 'trace_processor: nothing lost or refused');
	is_deeply([sort map { "$_->{start} $_->{dur}" } @{ $said{frames} }],
		[sort map { "$_->{actual_start_ns} " . ($_->{actual_end_ns} - $_->{actual_start_ns}) } @frames],
		'trace_processor: a slice for each frame at its times');
	is_deeply([sort map { "$_->{display} $_->{start} $_->{dur} " . ($_->{surface} // '') } @{ $said{timeline} }],
		[sort map { "$_->{display_token} $_->{actual_start_ns} " . ($_->{actual_end_ns} - $_->{actual_start_ns}) . " $_->{surface_token}" } @frames],
		'trace_processor: the FrameTimeline');
	cmp_ok($said{expected}[0]{n}, '>', 100, 'trace_processor: expected frames');
	my %dur;
	$dur{"$_->{tid} " . ($_->{name} =~ /^(\w+)/)[0]} += $_->{dur} for @{ $said{states} };
	is_deeply(\%dur, { map { $_ => $want{$_} } grep { exists $dur{$_} } keys %want }, 'trace_processor: time in state');
	is(scalar(keys %dur), scalar(grep { my ($tid) = split ' '; grep { $_->{tid} eq $tid } @{ $said{threads} } } keys %want), 'of each thread');
	my @wakes = grep { $_->{source} =~ /^wakes / } @{ $said{flows} };
	is(scalar(grep { $_->{target} ne 'runnable' } @wakes), 0, 'trace_processor: flows from waker to wakee');
	cmp_ok(scalar @wakes, '>', 100, 'that there are');
	is(scalar(grep { $_->{source} =~ /^\d+:\d+$/ && $_->{target} eq 'acquire fence signaled' } @{ $said{flows} }),
		scalar(grep { $_->{acquire_fence_context} ne '' } @frames), 'trace_processor: flows from fence to frame');
	is($said{schema}[0]{schema}, $recording{schema}, 'trace_processor: the version of the columns');
}

is((report($demo, '-f', 'perfetto'))[0], 2, 'needs -o');
done_testing();
