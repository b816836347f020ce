#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# framewait report as a command: inputs in every wrapping, formats, filters, exit status, errors.
use strict;
use warnings;
use JSON::PP;
use POSIX 'mkfifo';
use Test::More;
use Framewait::Test;

my $demo = "$top/tests/data/demo.pftrace";

sub report {
	return run_cmd($framewait, 'report', @_);
}

my ($status, $frames) = report($demo, '-f', 'csv');
is($status, 0, 'csv');
my @rows = read_csv($frames);
cmp_ok(scalar @rows, '>', 200, 'has rows');

# The same recording in any wrapping gives the same rows.
for my $how ([], ['--gzip'], ['--compress', 'zlib'], ['--compress', 'zstd']) {
	run_cmd($gen, 'demo', @$how, '-o', "$tmp/wrapped");
	my ($s, $out, $err) = report("$tmp/wrapped", '-f', 'csv');
	is($s, 0, "reads it @$how") or diag($err);
	ok($out eq $frames, "the same rows @$how");
}
is(system("$framewait report - -f csv <$demo >$tmp/stdin.csv"), 0, 'reads standard input');
ok(slurp("$tmp/stdin.csv") eq $frames, 'the same rows from standard input');

# Formats say the same.
my ($s, $json) = report($demo, '-f', 'json');
my $list = decode_json($json);
is(scalar @$list, scalar @rows, 'json has as many objects as csv has rows');
my (undef, $jsonl) = report($demo, '-f', 'jsonl');
my @lines = map { decode_json($_) } split /\n/, $jsonl;
is_deeply(\@lines, $list, 'jsonl has the same objects');
my @nulls = grep {
	my ($row, $object) = ($rows[$_], $list->[$_]);
	grep { ($row->{$_} eq '') != !defined $object->{$_} } keys %$row;
} 0 .. $#rows;
is(scalar @nulls, 0, 'a cell is null where it is empty in csv');
my ($quoted) = grep { $_->{layer} =~ /"big"/ } @rows;
ok($quoted, 'a layer with a comma and quotes comes back whole');

# -o writes eight files, of which frames.csv is what -f csv prints.
is((report($demo, '-o', "$tmp/out"))[0], 0, '-o');
is(join(' ', sort map { m{([^/]+)$} } glob "$tmp/out/*"),
	'animations.csv fences.csv frames.csv gpu.csv health.csv intervals.csv recording.csv ' .
		'threads.csv',
	'eight files');
ok(slurp("$tmp/out/frames.csv") eq $frames, 'frames.csv is what -f csv prints');
is((report($demo, "$tmp/wrapped", '-o', "$tmp/many"))[0], 0, 'two inputs');
ok(-f "$tmp/many/demo.pftrace/frames.csv" && -f "$tmp/many/wrapped/frames.csv",
	'each in a directory of its name');

# States add up.
my @threads = read_csv(slurp("$tmp/out/threads.csv"));
my @off = grep {
	my $sum = 0;
	for my $state (qw(running runnable preempted sleeping blocked_io blocked_nonio
		blocked_unknown other unobserved)) {
		$sum += $_->{"${state}_ms"} =~ s/\.//r;
	}
	$sum != $_->{window_ms} =~ s/\.//r;
} @threads;
is(scalar @off, 0, 'the states of ' . @threads . ' thread rows add up to their windows');

# Filters.
sub some {
	my (undef, $out) = report($demo, '-f', 'csv', @_);
	return read_csv($out);
}
my @late = grep { $_->{late} eq '1' } @rows;
is(scalar(some('--late-only')), scalar @late, '--late-only');
is_deeply([some('-p', 'com.example.ticker')], [grep { $_->{process} eq 'com.example.ticker' } @rows],
	'-p NAME');
is_deeply([some('-p', '5300')], [grep { $_->{pid} eq '5300' } @rows], '-p PID');
is_deeply([some('-l', '*MainActivity*')], [grep { $_->{layer} =~ /MainActivity/ } @rows], '-l GLOB');
for my $way (['-f', 'csv'], ['-t', 'threads'], ['-o', "$tmp/none"], ['-f', 'perfetto', '-o', "$tmp/none.pftrace"]) {
	my ($s, undef, $err) = report($demo, @$way, '-p', 'nobody');
	is($s, 0, "@$way: no frame is let through");
	like($err, qr/\Q$demo\E: the options let no frame through/, "@$way: and that is said");
}
is_deeply([some('--from', '400', '--to', '500.5')],
	[grep { $_->{actual_start_ms} >= 400 && $_->{actual_start_ms} < 500.5 } @rows], '--from --to');

# Tables by name: the files of -o, but for trace_processor's own.
for my $table (qw(frames threads fences intervals health recording)) {
	ok((report($demo, '-t', $table))[1] eq slurp("$tmp/out/$table.csv"), "-t $table is $table.csv");
}
my %in = map { $_->{surface_token} => 1 }
	grep { $_->{surface_token} && $_->{actual_start_ms} >= 400 && $_->{actual_start_ms} < 500 } @rows;
my %of = map { $_->{surface_token} => 1 }
	grep { $_->{surface_token} } read_csv((report($demo, '-t', 'threads', '--from', 400, '--to', 500))[1]);
is_deeply(\%of, \%in, '-t threads takes --from and --to');
like((report($demo, '-t', 'threads', '--trace-processor-compat'))[1], qr/^tid,thread,/,
	'-t threads --trace-processor-compat');
my @kinds = map { $_->{kind} } read_csv((run_cmd($framewait, 'columns', 'threads'))[1]);
is(join(' ', grep { $_ eq 'trace' } @kinds), 'trace trace trace trace trace', 'columns has both');

# The summary.
my (undef, $summary) = report($demo);
like($summary, qr/\bcom\.example\.scroll\b/, 'the summary names the app');
like($summary, qr/android17/, 'and the kernel');
is((grep { length > 100 } split /\n/, $summary), 0, 'within 100 columns');

# A cut recording: its whole part is read, the rest is said to be lost.
spew("$tmp/cut", substr slurp($demo), 0, -1000);
my ($cut_status, $cut_rows, $cut_err) = report("$tmp/cut", '-f', 'csv');
is($cut_status, 0, 'a cut recording is read') or diag($cut_err);
like((report("$tmp/cut"))[1], qr/\d+ +bytes at the end of the file that make no whole packet/, 'the summary says what is missing');
is((report("$tmp/cut", '--strict', '-f', 'csv'))[0], 5, '--strict makes it exit status 5');
is((report($demo, '--strict', '-f', 'csv'))[0], 0, 'a whole recording passes --strict');

# Names that are no text, of a process that the recording does not name: a frame by hand, as
# perfetto/trace/android/frame_timeline_event.proto has it.
sub varint {
	my ($n) = @_;
	return $n < 128 ? chr $n : chr($n % 128 | 128) . varint($n >> 7);
}
sub field {
	my ($id, $value) = @_;
	return varint($id << 3 | 2) . varint(length $$value) . $$value if ref $value;
	return varint($id << 3) . varint($value);
}
sub packet {
	my ($ts, $event) = @_;
	return field(1, \(field(8, $ts) . field(76, \$event)));
}
my $layer = "TX - a\xff\0,\xc3\xa9#1";
spew("$tmp/odd", packet(1000000, field(4, \(field(1, 7) . field(2, 8) . field(3, 9) . field(4, 77) .
	field(5, \$layer)))) . packet(5000000, field(5, \field(1, 7))));
my $bad = "\xef\xbf\xbd";
like((report("$tmp/odd", '-f', 'csv'))[1], qr/"TX - a$bad$bad,\xc3\xa9#1"/, 'csv is UTF-8');
like((report("$tmp/odd", '-f', 'tsv'))[1], qr/\tTX - a$bad$bad,\xc3\xa9#1\t/, 'tsv is UTF-8');

my (undef, $unnamed) = report("$tmp/odd");
like($unnamed, qr/^ +1 .*  77 +TX - a/m, 'the summary names a process without a name by its pid');
like($unnamed, qr/^ +77  /m, 'and so do its worst frames');

# Errors: status, and a sentence that names the object.
sub fails {
	my ($want, $like, $name, @args) = @_;
	my ($s, $out, $err) = run_cmd($framewait, @args);
	is($s, $want, "$name: exit status $want");
	like($err, $like, "$name: says so");
}
spew("$tmp/text", "not a recording\n");
fails(3, qr/nowhere\.pftrace/, 'no such file', 'report', '/nowhere.pftrace');
fails(3, qr/\Q$tmp\E\/text/, 'no recording', 'report', "$tmp/text");
fails(3, qr/\Q$tmp\E/, 'a directory', 'report', "$tmp");
fails(2, qr/input/, 'no input', 'report');
fails(2, qr/nonsense/, 'an unknown option', 'report', $demo, '--nonsense');
fails(2, qr/elephants/, 'an unknown table', 'report', $demo, '-t', 'elephants');
fails(2, qr/threads/, "a filter on trace_processor's threads", 'report', $demo, '-t', 'threads', '--from', 1,
	'--trace-processor-compat');
fails(2, qr/xml/, 'an unknown format', 'report', $demo, '-f', 'xml');
fails(2, qr/--process: an empty name/, 'a process without a name', 'report', $demo, '-p', '');
fails(2, qr/--layer: an empty name/, 'a layer without one', 'stat', $demo, '-l', '');
fails(2, qr/soon/, 'a bad time', 'report', $demo, '--from', 'soon');
fails(2, qr/dance/, 'an unknown command', 'dance');
fails(2, qr/./, 'no command');
fails(3, qr/./, 'a directory that cannot be made', 'report', $demo, '-o', "$tmp/text/out");
fails(2, qr/needs --table/, 'trace_processor without a table', 'report', $demo,
	'--trace-processor-compat');
fails(2, qr/fences/, 'trace_processor has no fences table', 'report', $demo, '-t', 'fences',
	'--trace-processor-compat');
fails(2, qr/empty/, 'an empty directory name', 'report', $demo, '-o', '');
fails(3, qr{/nowhere}, 'one input of two is not there', 'report', '/nowhere', $demo, '-o', "$tmp/second");
ok(-f "$tmp/second/demo.pftrace/frames.csv", 'one input of two is not there: the other is written');
fails(3, qr{/nowhere}, 'a loss does not hide it', 'report', '--strict', '/nowhere', "$tmp/cut", '-o',
	"$tmp/third");
mkdir "$tmp/$_" for 'a', 'b';
symlink $demo, "$tmp/$_/t" for 'a', 'b';
fails(2, qr{/a/t.*/b/t}, 'two inputs of one name', 'report', "$tmp/a/t", "$tmp/b/t", '-o', "$tmp/one");
ok(!-e "$tmp/one", 'two inputs of one name: nothing is written');
is(system("$framewait report $demo -f csv >/dev/full 2>$tmp/err"), 3 << 8, 'a full disk');
like(slurp("$tmp/err"), qr/./, 'a full disk: says so');
# A limit on a file's size stands for the full disk.
for my $dir ("$tmp/out", "$tmp/full") {
	my @before = map { $_, slurp($_) } glob "$dir/*";
	is(system('bash', '-c', "trap '' XFSZ; ulimit -f 8; $framewait report $demo -o $dir 2>$tmp/err"),
		3 << 8, "a full disk with -o $dir");
	like(slurp("$tmp/err"), qr/\Q$dir\E.*cannot write/, 'a full disk with -o: says so');
	is_deeply([map { $_, slurp($_) } glob "$dir/{*,.??*}"], \@before, 'a full disk with -o: nothing cut is left');
}
ok(!-e "$tmp/full", 'a full disk with -o: nor a directory that was made');

# With descriptors closed, messages must not go into what is opened next.
my @none = ('report', $demo, '--layer', 'nothing', '-o');
is(system($framewait, @none, "$tmp/with", '-q'), 0, 'no frame let through');
is(system('sh', '-c', 'exec "$@" <&- >&- 2>&-', 'sh', $framewait, @none, "$tmp/without"), 0, 'nor with all closed');
is_deeply([map { slurp($_) } glob "$tmp/without/*"], [map { slurp($_) } glob "$tmp/with/*"], 'the same files');
is(system("$framewait report $demo >&- 2>$tmp/err"), 3 << 8, 'a closed standard output');
like(slurp("$tmp/err"), qr/standard output: cannot write/, 'a closed standard output: says so');

fails(2, qr/--logcat is for the table animations/, 'a log that nothing would be made of', 'report', $demo, '--logcat', '/nope',
	@$_) for [], ['-f', 'csv'], ['-t', 'threads'];
fails(3, qr{/nope}, 'a log that is not there', 'report', $demo, '--logcat', '/nope', '-t', 'animations');

# An output is no input.
spew("$tmp/input", slurp($demo));
link "$tmp/input", "$tmp/linked" or die;
symlink "$tmp/input", "$tmp/symlinked" or die;
for my $format (qw(html perfetto)) {
	fails(2, qr/is an input too/, "$format in the place of its recording", 'report', $_, '-f', $format, '-o', "$tmp/input")
		for "$tmp/input", "$tmp/linked", "$tmp/symlinked";
}
fails(2, qr/is an input too/, "html in the place of SurfaceFlinger's trace", 'report', "$top/tests/data/demo.fwc", '--sf',
	"$tmp/input", '-f', 'html', '-o', "$tmp/input");
fails(2, qr/is an input too/, "html in the place of $_", 'report', $demo, $_, "$tmp/input", '-f', 'html', '-o', "$tmp/input")
	for qw(--framestats --latency --frame-plans --logcat);
is(slurp("$tmp/input"), slurp($demo), 'an output is no input: it is as it was');
fails(2, qr/is the capture too/, 'a page in the place of its capture', 'record', '--all', '-d', 0.1, '-o', "$tmp/x", '--html', "$tmp/x");

# Small enough to wait in memory until it is read.
system 'bash', '-c', "trap '' XFSZ; ulimit -f 8; head -c 100000 $demo | TMPDIR=$tmp $framewait report - >$tmp/said 2>$tmp/err";
is($? >> 8, 3, 'no room for standard input');
is(slurp("$tmp/said"), '', 'no room for standard input: no report of a part of it');
like(slurp("$tmp/err"), qr/\Q$tmp\E: cannot write a temporary file: .*; set TMPDIR/, 'no room for standard input: says so');

# A signal while the files are open: a side file that never comes keeps the report waiting there.
mkfifo("$tmp/fifo", 0600) or die;
mkdir "$tmp/kill";
for (['TERM', '-o', "$tmp/kill/dir"], ['INT', '-o', "$tmp/kill/many", $demo, "$tmp/wrapped"],
	['HUP', '-f', 'perfetto', '-o', "$tmp/kill/trace"], ['TERM', '-f', 'sqlite', '-o', "$tmp/kill/db"],
	['TERM', '--partition', 'device', '-o', "$tmp/kill/root"]) {
	my ($signal, @args) = @$_;
	push @args, $demo if !grep { $_ eq $demo } @args;
	my $pid = fork() // die;
	if (!$pid) {
		$SIG{$signal} = 'DEFAULT';
		exec $framewait, 'report', @args, '--logcat', "$tmp/fifo" or exit 127;
	}
	for (1 .. 600) {
		last if `find $tmp/kill -name '*.tmp'`;
		select undef, undef, undef, 0.05;
	}
	isnt(`find $tmp/kill -name '*.tmp'`, '', "@args: is writing");
	kill $signal, $pid;
	waitpid $pid, 0;
	is($? & 127, { HUP => 1, INT => 2, TERM => 15 }->{$signal}, "@args: SIG$signal ends it");
	is(join(' ', glob "$tmp/kill/*"), '', "@args: nothing is left");
}
is(system("bash -c '$framewait report $demo -f csv 2>$tmp/err | head -c 1 >/dev/null; " .
	"exit \${PIPESTATUS[0]}'"), 3 << 8, 'a closed pipe');

done_testing();
