#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ftrace text in each of its wrappings gives the same rows; what was lost and what could not be read
# is told; the given recordings are read whole.
use strict;
use warnings;
use Compress::Zlib qw(compress memGzip);
use Encode qw(encode);
use Test::More;
use Framewait::Test;

my $events = <<'END';
          <idle>-0     (-----) [001] d..2   100.000100: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app main next_pid=50 next_prio=110
        app main-50    (   50) [001] ....   100.000200: tracing_mark_write: B|50|Choreographer#doFrame
        app main-50    (   50) [001] ....   100.000300: tracing_mark_write: E|50
        app main-50    (   50) [001] d..2   100.000400: sched_switch: prev_comm=app main prev_pid=50 prev_prio=110 prev_state=D ==> next_comm=swapper/1 next_pid=0 next_prio=120
          <idle>-0     (-----) [001] d.h4   100.000900: sched_wakeup: comm=app main pid=50 prio=110 target_cpu=001
          <idle>-0     (-----) [001] d.h4   100.000901: sched_blocked_reason: pid=50 iowait=1 caller=wait_on_page_bit+0x10/0x20
          <idle>-0     (-----) [001] d..2   100.001000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app main next_pid=50 next_prio=110
    RenderThread-51    (   50) [002] ....   100.000250: tracing_mark_write: B|50|DrawFrame
    RenderThread-51    (   50) [002] ....   100.000950: tracing_mark_write: E|50
        app main-50    (   50) [001] d..2   100.002000: sched_switch: prev_comm=app main prev_pid=50 prev_prio=110 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
END
my $header = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 10/10   #P:4\n#\n" .
	"#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n";
my $text = $header . $events;
my $block = qq(  <script class="trace-data" type="application/text">\n);
my $tasks = "PROCESS DUMP\nUSER PID PPID VSZ RSS WCHAN PC S NAME COMM\n" .
	"u0 50 1 0 0 0 0 S com.example [app main]\nUSER PID TID CMD\nu0 50 51 RenderThread\n";

sub crlf {
	return $_[0] =~ s/\n/\r\n/gr;
}

sub string_of {
	return join '', map { "$_\\n\\\n" } split /\n/, $_[0];
}

my %forms = (
	'plain' => $text,
	'headerless' => $events,
	'gzip' => memGzip($text),
	'atrace' => "capturing trace... done\nTRACE:\n$text",
	'atrace-z' => "capturing trace... done\nTRACE:\n" . compress($text),
	'atrace-z-and-old-bytes' => "TRACE:\n" . compress($text) . "\x00\xff\x12old",
	'atrace-z-through-a-terminal' => crlf("TRACE:\n" . compress($text)),
	'crlf' => crlf($text),
	'mark' => "\xef\xbb\xbf$text",
	'utf-16le' => "\xff\xfe" . encode('UTF-16LE', crlf($text)),
	'utf-16be' => "\xfe\xff" . encode('UTF-16BE', crlf($text)),
	'page' => "<!DOCTYPE html>\n<html>\n<script>\nx()\n</script>\n$block$text  </script>\n" .
		qq($block\{"traceEvents": []}\n  </script>\n</html>\n),
	'old-page' => "<html>\n<script>\n  var linuxPerfData = \"\\\n" . string_of($text) .
		"           dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0\\n\";\n" .
		"  </script>\n</html>\n",
	'page-utf-16le' => "\xff\xfe" . encode('UTF-16LE', "<!doctype html>\n$block$text</script>\n"),
);

sub table {
	my ($input, $table, @options) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', $input, '--table', $table, @options);
	is($status, 0, "$input: $table") or diag($err);
	return $out;
}

my @tables = qw(thread-state thread-marks states);
my %want = map { $_ => do { spew("$tmp/want", $text); table("$tmp/want", $_) } } @tables;
for my $form (sort keys %forms) {
	spew("$tmp/$form", $forms{$form});
	is(table("$tmp/$form", $_), $want{$_}, "$form: the same $_") for @tables;
	my ($status, $out) = run_cmd($framewait, 'inspect', "$tmp/$form");
	like($out, qr/nothing was lost and nothing refused/, "$form: read whole");
}

# What they say.
my @states = read_csv($want{'thread-state'});
is(join(' ', map { "$_->{state}:$_->{dur_ns}" } grep { $_->{tid} == 50 } @states),
	'running:300000 blocked:500000 runnable:100000 running:1000000 sleeping:',
	'sched_wakeup gives runnable time where there is no sched_waking');
my ($blocked) = grep { $_->{state} eq 'blocked' } @states;
is("$blocked->{io_wait} $blocked->{blocked_function}", '1 wait_on_page_bit', 'the blocked reason');
my ($runnable) = grep { $_->{state} eq 'runnable' } @states;
is($runnable->{irq_context}, 1, 'the flags say that an interrupt woke it');

# Frames of marks without an id, in a page with a table of tasks.
spew("$tmp/frames", "<!DOCTYPE html>\n$block$tasks</script>\n$block$text</script>\n");
my @frames = read_csv(table("$tmp/frames", 'frames'));
is(scalar @frames, 1, 'a frame of marks');
is(join(' ', @{ $frames[0] }{qw(kind process pid surface_token actual_ms ui_tid render_tid doframe_ms
	drawframes_ms)}), 'mark com.example 50  0.750000 50 51 0.100000 0.700000',
	'from doFrame to the end of DrawFrame, with its threads, without a token');
is(join(' ', @{ $frames[0] }{qw(ui_running_ms ui_blocked_io_ms ui_runnable_ms)}),
	'0.200000 0.500000 0.050000', 'and the states of its main thread');

# Lines out of order are put in order; lines of one time keep their place.
my @lines = split /^/, $events;
spew("$tmp/shuffled", $header . join '', reverse @lines);
is(table("$tmp/shuffled", $_), $want{$_}, "lines from the last to the first: the same $_")
	for qw(thread-state thread-marks);

# Loss. CPU 2 may have run any thread from its last event on.
my $lossy = $events =~ s/^(.*0\.001000.*\n)/CPU:1 [LOST 12 EVENTS]\n$1/mr;
spew("$tmp/lossy", "# entries-in-buffer/entries-written: 10/500   #P:4\n$lossy" .
	"CPU:2 [EVENTS DROPPED]\n");
my %health = map { ("$_->{name}$_->{idx}" => $_->{value}) } read_csv(table("$tmp/lossy", 'health'));
is_deeply(\%health, { fw_text_lost1 => 12, fw_text_lost2 => 1, fw_text_overwritten => 490 },
	'lost and overwritten events are told');
is(join(' ', map { $_->{state} } grep { $_->{tid} == 50 }
	read_csv(table("$tmp/lossy", 'thread-state'))), 'running blocked runnable running',
	'states begin anew after a loss');
my ($status) = run_cmd($framewait, 'report', "$tmp/lossy", '-o', "$tmp/lossy.d", '--strict');
is($status, 5, '--strict fails of it');

# Lines that cannot be read.
spew("$tmp/odd", $text . "what is this\n" . ("and \x01 that\n" x 9) .
	"x-1 [000] .... 1.0: sched_switch: prev_comm=x\n");
my $out;
($status, $out) = run_cmd($framewait, 'inspect', "$tmp/odd");
is($status, 0, 'odd lines do not stop the reading');
like($out, qr/11  error: fw_text_refused/, 'they are counted');
like($out, qr/^  line 16: what is this$/m, 'the first of them are shown, by number');
is(scalar(() = $out =~ /^  line \d+: /mg), 5, 'only the first ones');
spew("$tmp/none", "# tracer: nop\nwhat is this\n");
($status, undef, my $err) = run_cmd($framewait, 'inspect', "$tmp/none");
is($status, 3, 'a text without events is refused');
like($err, qr/none of its 2 lines is an event/, 'and why');
spew("$tmp/empty-trace", $header);
is(table("$tmp/empty-trace", 'thread-state') =~ tr/\n//, 1, 'a trace without events has no rows');

# A compressed part that was damaged, and one that would fill the disk.
spew("$tmp/cut", substr($forms{'atrace-z'}, 0, length($forms{'atrace-z'}) / 2));
($status, $out) = run_cmd($framewait, 'inspect', "$tmp/cut");
is($status, 0, 'a cut one is read as far as it goes');
like($out, qr/fw_bad_compressed/, 'and said to be cut');
spew("$tmp/bomb", "TRACE:\n" . compress($lines[0] . ("\n" x 100_000_000)));
($status, $out) = run_cmd($framewait, 'inspect', "$tmp/bomb");
like($out, qr/fw_bad_compressed/, 'a bomb is cut, and said to be');

SKIP: {
	my $traces = "$shared/traces";
	skip "no recordings in $traces", 1 if !-d "$traces/text";
	for my $input (glob "$traces/text/* $traces/*.html.gz") {
		($status, $out) = run_cmd($framewait, 'inspect', $input);
		like($out, qr/nothing was lost and nothing refused/, "$input: read whole");
	}
	my ($z, $plain) = map { "$traces/text/${_}compressed_atrace_data.txt" } '', 'de';
	for my $table (@tables, 'async-marks', 'counters') {
		is(table($z, $table), table($plain, $table), "compressed atrace: $table as of its twin");
	}
	is(table($z, 'threads', '--trace-processor-compat'),
		table($plain, 'threads', '--trace-processor-compat'), 'and its threads');
	# The page of 2021: no sched_waking, no ids in its marks, fences.
	my $page = "$traces/xiaomi_launcher.systrace.html.gz";
	my %n;
	$n{ $_->{state} }++ for read_csv(table($page, 'thread-state'));
	cmp_ok($n{runnable}, '>', 30_000, 'xiaomi: runnable time');
	@frames = read_csv(table($page, 'frames'));
	is(scalar(grep { $_->{doframe_count} == 1 } @frames), 890, 'xiaomi: a frame for each doFrame');
	is(scalar(grep { $_->{drawframes_count} } @frames), 44, 'xiaomi: with each DrawFrame');
	my @fences = read_csv(table($page, 'fences'));
	cmp_ok(scalar(grep { $_->{timeline} ne '' && $_->{signaled_ms} ne '' } @fences), '>', 400,
		'xiaomi: fences');
	my @states = map { "${_}_ms" } qw(running runnable preempted sleeping blocked_io blocked_nonio
		blocked_unknown other unobserved);
	my @off = grep {
		my $row = $_;
		my $sum = 0;
		$sum += $row->{$_} =~ s/\.//r for @states;
		$sum != $row->{window_ms} =~ s/\.//r;
	} read_csv(table($page, 'threads'));
	is(scalar @off, 0, 'xiaomi: the states of each window add up');
}

done_testing();
