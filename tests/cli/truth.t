#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The generator knows what each thread of each frame really did: the report must say the same, to
# the nanosecond, and find the buffers and fences that the frames really had.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

run_cmd($gen, 'demo', '-o', "$tmp/demo", '--truth', "$tmp/truth.csv", '--text', "$tmp/text");
my ($status, undef, $err) = run_cmd($framewait, 'report', "$tmp/demo", '-o', "$tmp/out");
is($status, 0, 'the report is made') or diag($err);

sub ns {
	my ($ms) = @_;
	my ($whole, $frac) = $ms =~ /^(\d+)\.(\d{6})$/ or return "not ms: $ms";
	return $whole * 1000000 + $frac;
}

my %got;
for my $row (read_csv(slurp("$tmp/out/threads.csv"))) {
	$got{"$row->{role} $row->{surface_token} $row->{display_token} $row->{tid}"} = $row;
}

# Columns of the report by those of the truth.
my @same = (
	[running_ms => 'running_ns'], [runnable_ms => 'runnable_ns'],
	[preempted_ms => 'preempted_ns'], [sleeping_ms => 'sleeping_ns'],
	[blocked_io_ms => 'blocked_io_ns'], [blocked_nonio_ms => 'blocked_noio_ns'],
	[other_ms => 'idle_ns', 'dead_ns'], [unobserved_ms => 'unobserved_ns'],
	[irq_ms => 'irq_ns'], [softirq_ms => 'softirq_ns'],
	[longest_wait_ms => 'longest_cpu_wait_ns'],
);

my (%wrong, %rows, $missing);
for my $t (read_csv(slurp("$tmp/truth.csv"))) {
	my $key = "$t->{role} $t->{surface_token} $t->{display_token} $t->{tid}";
	my $row = $got{$key};
	if (!$row) {
		diag("no row for $key") if !$missing++;
		next;
	}
	$rows{ $t->{trouble} }++;
	my @bad;
	push @bad, 'window' if ns($row->{window_ms}) ne $t->{end_ns} - $t->{start_ns};
	for my $pair (@same) {
		my ($column, @of) = @$pair;
		my $want = 0;
		$want += $t->{$_} for @of;
		push @bad, "$column $row->{$column} want $want" if ns($row->{$column}) ne $want;
	}
	push @bad, "top_function '$row->{top_function}' want '$t->{blocked_function}'"
		if $row->{top_function} ne $t->{blocked_function};
	push @{ $wrong{ $t->{trouble} } }, "$key: " . join ', ', @bad if @bad;
}
is($missing // 0, 0, 'every thread of the truth has its row');
for my $trouble (sort keys %rows) {
	ok(!$wrong{$trouble}, "$rows{$trouble} rows, " . ($trouble || 'no trouble')) or
		diag(join "\n", splice @{ $wrong{$trouble} }, 0, 5);
}

# A buffer's number counts the app's frames, and so does the seqno of its acquire fence.
my (%number, %match, @join, @fence, @present);
my @frames = grep { $_->{kind} eq 'surface' } read_csv(slurp("$tmp/out/frames.csv"));
cmp_ok(scalar @frames, '>=', 120, 'surface frames');
for my $f (sort { $a->{surface_token} <=> $b->{surface_token} } @frames) {
	my $n = ++$number{ $f->{layer} };
	my $context = $f->{layer} =~ /ticker/ ? 790 : 1046;
	push @join, "$f->{surface_token}: $f->{tracer_match} $f->{frame_number} want $n"
		if $f->{tracer_match} ne 'exact' || $f->{frame_number} ne $n;
	my $fence = join ' ', @$f{qw(acquire_fence_driver acquire_fence_timeline
		acquire_fence_context acquire_fence_seqno)};
	push @fence, "$f->{surface_token}: $f->{acquire_fence_match} $fence want $n"
		if $fence ne "mali mali.timeline $context $n";
	$match{ $f->{acquire_fence_match} }++;
	next if $f->{present_type} eq 'Dropped Frame';
	push @present, "$f->{surface_token}: $f->{present_fence_match} $f->{present_fence_timeline}"
		if "$f->{present_fence_driver} $f->{present_fence_timeline}" ne 'drm crtc-0';
	$match{ $f->{present_fence_match} }++;
}
is(join("\n", @join), '', 'each frame has the buffer that was drawn for it');
is(join("\n", @fence), '', 'and the acquire fence of that buffer');
is(join("\n", @present), '', 'and, when it was shown, a present fence');
is(join(' ', sort keys %match), 'context near', 'by nearness, or by context where several are near');
cmp_ok($match{near}, '>', 20 * $match{context}, "near $match{near}, context $match{context}");

# The same kernel events as ftrace text: what is true of the recording is true of it. Who woke a thread
# before a CPU's first switch only the text says.
sub table {
	my ($input, $table) = @_;
	my @rows = read_csv((run_cmd($framewait, 'report', $input, '--table', $table))[1]);
	delete @$_{qw(pid process thread)} for @rows;
	return @rows;
}

sub as_lines {
	return join "\n", sort map { my $r = $_; join ' ', map { "$_=$r->{$_}" } sort keys %$r } @_;
}

for my $table (qw(states thread-state irq frequency thread-marks)) {
	my @want = table("$tmp/demo", $table);
	my @got = table("$tmp/text", $table);
	cmp_ok(scalar @want, '>', 5, "$table: " . @want . ' rows');
	for my $rows (\@want, \@got) {
		$_->{waker_tid} ||= '' for grep { exists $_->{waker_tid} } @$rows;
	}
	is(as_lines(@got), as_lines(@want), "$table: the text says the same");
}

done_testing();
