#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Names that are commands to a terminal, a spreadsheet or a browser; absurd times, names and counts. Each
# is read to its end or refused with a word, in little memory, and does nothing.
use strict;
use warnings;
use Compress::Zlib ();
use JSON::PP ();
use Test::More;
use Framewait::Test;

my $head = "# tracer: nop\n#\n";
my $ts = 100;
# What a terminal obeys: C0 and C1 controls, and what turns the text behind it around.
my $commands = qr/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]/;

# A line of ftrace text.
sub line {
	my ($comm, $tid, $event) = @_;
	return sprintf "%16s-%-7d [000] .... %.6f: %s\n", $comm, $tid, $ts += 0.001, $event;
}

sub frame_of {
	my ($name) = @_;
	return line($name, 500, "tracing_mark_write: B|500|Choreographer#doFrame 1") .
		line($name, 500, "sched_switch: prev_comm=$name prev_pid=500 prev_prio=120 prev_state=S ==> " .
			"next_comm=$name next_pid=501 next_prio=120") .
		line($name, 501, "sched_switch: prev_comm=$name prev_pid=501 prev_prio=120 prev_state=S ==> " .
			"next_comm=$name next_pid=500 next_prio=120") .
		line($name, 500, 'tracing_mark_write: E|500');
}

# At most 256 MiB of address space beyond the program's own, and 60 s.
sub limited {
	my ($file, @args) = @_;
	return run_cmd('/bin/sh', '-c', 'ulimit -v 700000; ulimit -t 60; exec "$@"', 'sh', $framewait, 'report', $file,
		@args);
}

for my $name ("=cmd|' /C calc'!A0", '@SUM(1)', '+1+cmd', '-2+3', "<script>alert(1)</script>", "\e]0;owned\a\e[2J",
	"\xc2\x9b2J", "a\xff\xfeb", "\x9b2J", "\xe2\x80\xaexe.txt", "\xe2\x81\xa6x", "\r=1") {
	my $shown = $name =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ger;
	spew("$tmp/name", $head . frame_of($name));
	my ($status, $out, $err) = limited("$tmp/name");
	unlike("$out$err", $commands, "$shown: no control character in the summary");
	for my $format (qw(csv tsv)) {
		($status, $out, $err) = limited("$tmp/name", '-t', 'states', '-f', $format);
		is($status, 0, "$shown: $format") or diag($err);
		unlike($out, qr/(?:^|[,\t])"?(?:[=@]|[+-](?![0-9.]+(?:[,\t\n]|$)))/m, "$shown: no formula in $format");
	}
	($status, $out, $err) = limited("$tmp/name", '-t', 'states', '-f', 'jsonl');
	unlike($out, qr/[\x00-\x09\x0b-\x1f]/, "$shown: JSON has it escaped");
	($status, $out, $err) = run_cmd($framewait, 'report', "$tmp/" . $name =~ tr{/}{}dr);
	is($status, 3, "$shown: a file of that name that is not there");
	unlike($err, $commands, "$shown: no control character in the message");
	ok(utf8::decode($err), "$shown: which is UTF-8");
	($status, undef, $err) = run_cmd($framewait, 'columns', $name);
	is($status, 2, "$shown: an argument of that name");
	unlike($err, $commands, "$shown: no control character in what is said of it");
}

# The same as a layer's name, in every output of the frames.
my $plain = slurp("$top/tests/data/two-frames.pftrace");
my $layer = 'TX - com.example.scroll/com.example.scroll.MainActivity#101';
my $sqlite = !system 'command -v sqlite3 >/dev/null 2>&1';
my $scripts;
for my $name ('', "=cmd|' /C calc'!A0", '<script>alert(1)</script>', '</script><script>alert(1)</script>', '<!--<script>',
	q{"); alert(1); ("}, q{'); DROP TABLE frames;--}, "\e]0;owned\a\e[2J", "\xc2\x9b2J", "a\xff\xfeb", "\xe2\x80\xaexe.txt",
	"a\0b", "\r\n=1") {
	my $shown = 'a layer ' . ($name =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ger || 'as it was');
	my $file = "$tmp/layer.pftrace";
	my $layer_named = $name . substr $layer, length $name;
	spew($file, $plain =~ s/\Q$layer\E/$layer_named/gr);
	my %out;
	for my $format (qw(csv tsv json jsonl html)) {
		(my $status, $out{$format}, my $err) = run_cmd($framewait, 'report', $file, '-f', $format);
		is($status, 0, "$shown: $format") or diag($err);
	}
	my @layers = grep { length } map { $_->{layer} } read_csv($out{csv});
	is(scalar(grep { /^[=@\t\r]/ } @layers, $out{tsv} =~ /(?:^|\t)([=@][^\t\n]*)/mg), 0, "$shown: no formula");
	is(scalar(() = $out{tsv} =~ /\n/g), 6, "$shown: as many lines of TSV");
	is(scalar(@layers), 3, "$shown: as many rows of CSV");
	for my $format (qw(csv tsv json jsonl html)) {
		ok($format !~ /json|html/ || $out{$format} !~ /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]/,
			"$shown: no control character in $format");
		ok(utf8::decode(my $copy = $out{$format}), "$shown: UTF-8 in $format");
	}
	my @json = map { eval { JSON::PP->new->utf8->decode($_) } } split /^/, $out{jsonl};
	is(scalar(grep { ref } @json), 5, "$shown: JSON of every frame");
	ok(eval { JSON::PP->new->utf8->decode($out{json}) }, "$shown: JSON");
	my $tags = () = $out{html} =~ m{<(?:/?script|!--)}gi;
	$scripts //= $tags;
	is($tags, $scripts, "$shown: no tag of its own in the page");
	for my $form (qw(sqlite perfetto)) {
		next if $form eq 'sqlite' && !$sqlite;
		my ($status, undef, $err) = run_cmd($framewait, 'report', $file, '-f', $form, '-o', "$tmp/layer.out");
		is($status, 0, "$shown: $form") or diag($err);
		my @read = $form eq 'sqlite' ? ('sqlite3', '-readonly', "$tmp/layer.out",
			"PRAGMA integrity_check; SELECT count(*) FROM frames WHERE instr(layer, 'MainActivity#101')")
			: ($framewait, 'inspect', "$tmp/layer.out");
		($status, my $out, $err) = run_cmd(@read);
		is($status, 0, "$shown: $form is read back") or diag($err);
		is($out, "ok\n2\n", "$shown: with its frames") if $form eq 'sqlite' && $name !~ /\0/;
		unlink "$tmp/layer.out";
	}
	for my $command (['report'], ['inspect'], ['stat'], ['report', '-t', 'frames', '--layer', $name || 'x']) {
		my ($first, @more) = @$command;
		next if "@more" =~ /\0/;
		my (undef, $out, $err) = run_cmd($framewait, $first, $file, @more);
		unlike(@more ? $err : "$out$err", $commands,
			"$shown: no control character of $first @{[scalar @more]}");
	}
}

my %absurd = (
	'a name of a megabyte' => frame_of('n' x (1 << 20)),
	'NUL in names' => frame_of("a\0b"),
	'times of 2^63' => line('a', 5, 'sched_waking: comm=a pid=6 prio=120 target_cpu=000') .
		"  a-5 [000] .... 9223372036.854775807: sched_waking: comm=a pid=6 prio=120 target_cpu=000\n" .
		"  a-5 [000] .... 99999999999999999999.9: sched_waking: comm=a pid=6 prio=120 target_cpu=000\n",
	'a CPU of 2^31' => "  a-5 [2147483648] .... 5.000000: sched_waking: comm=a pid=6 prio=120 target_cpu=000\n",
	'sections that never end' => join('', map { line('a', 5, "tracing_mark_write: B|5|x$_") } 1 .. 100_000),
	'cookies that never end' => join('', map { line('a', 5, "tracing_mark_write: S|5|x|$_") } 1 .. 100_000),
	'lines of brackets' => join('', map { "$_\n" x 400 } ')[0]' x 15_000, '-1[0]' x 12_000,
		'  a-5 [000] .... 5.000000: sched_switch: ' . ':1 [' x 15_000),
	'a million threads' => join('', map {
		"  a-$_ [000] .... " . sprintf('%.6f', 5 + $_ * 1e-6) .
			": sched_waking: comm=t pid=" . ($_ + 1_000_000) . " prio=120 target_cpu=000\n"
	} 1 .. 500_000),
);
for my $what (sort keys %absurd) {
	spew("$tmp/absurd", $head . $absurd{$what});
	for my $table (qw(frames states async-marks)) {
		my ($status, $out, $err) = limited("$tmp/absurd", '-t', $table, '-f', 'csv');
		ok($status =~ /^[03]$/, "$what: table $table ends with $status") or diag(substr $err, 0, 500);
		ok($status eq '0' || length $err, "$what: table $table, an error has its sentence");
	}
}

# 512 MiB of zeros in half a megabyte; and of a text that is read.
for my $inside ("\0" x (1 << 20), line('a', 5, 'sched_waking: comm=a pid=6 prio=120 target_cpu=000') x 10_000) {
	my $bomb = Compress::Zlib::memGzip($inside);
	my $n = 512;
	spew("$tmp/bomb.gz", $bomb x ($n * (1 << 20) / length $inside));
	my ($status, $out, $err) = limited("$tmp/bomb.gz", '-t', 'states');
	ok($status =~ /^[03]$/, "a zip bomb of $n MiB: ends with $status, in little memory") or diag($err);
}

done_testing();
