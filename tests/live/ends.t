#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How a recording ends: killed, interrupted, two at once, refused, disk full.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use POSIX ();
use Test::More;
use Time::HiRes 'time';

need_root();

sub sleeping_load {
	my $pid = fork() // die;
	exec { $load } $load, 'sleep', 100000 or exit 127 if !$pid;
	return $pid;
}

my $worker = sleeping_load();

{
	my $fwc = "$tmp/killed.fwc";
	my $pid = start_record('killed', '-p', $worker, '-o', $fwc);
	ok(wait_until(sub { -e $fwc && -s $fwc > 2000 }), 'kill -9: it records');
	select undef, undef, undef, 1.3;
	my $size = -s $fwc;
	kill 'KILL', $pid;
	is(finish($pid), 'signal 9', 'kill -9: killed');
	cmp_ok(-s $fwc, '>=', $size, 'kill -9: the capture is there');
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'states', $fwc);
	is($status, 0, 'kill -9: and is read') or diag($err);
	my @rows = read_csv($out);
	cmp_ok(scalar @rows, '>', 300, 'kill -9: its whole seconds are there');
	($status, $out) = run_cmd($framewait, 'report', '-t', 'health', $fwc);
	like($out, qr/fw_capture_unfinished/, 'kill -9: the health table says that it has no end');
	ok(wait_until(sub { !attached() }), 'kill -9: nothing stays attached') or diag(join ' ', attached());
	# What only its owner can remove, the next recording does.
	run_cmd($framewait, 'record', '-q', '-p', $worker, '-d', '0.2', '-o', "$tmp/next.fwc");
	is(join(' ', instances()), '', 'kill -9: its tracefs instance is gone after the next recording');
}

{
	my $fwc = "$tmp/cut.fwc";
	my $whole = slurp("$tmp/killed.fwc");
	for my $cut (length($whole) - 1, int(length($whole) * 0.7), 1500) {
		spew($fwc, substr $whole, 0, $cut);
		my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'states', $fwc);
		is($status, 0, "cut at $cut: read up to the last whole chunk") or diag($err);
	}
	spew($fwc, substr $whole, 0, 20);
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'states', $fwc);
	is($status, 3, 'cut within its head: refused');
	like($err, qr/no head/, 'and it says why');
	# In the payload of the second chunk: a head that is damaged ends the file instead.
	my $second = 8 + 16 + unpack 'V', substr $whole, 12, 4;
	substr($whole, $second + 16, 1) ^= "\x55";
	spew($fwc, $whole);
	($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'health', $fwc);
	is($status, 0, 'one byte changed: read');
	like($out, qr/fw_bad_packets/, 'and the chunk that fails its checksum is counted');
}

for my $signal (qw(INT TERM)) {
	my $pid = start_record("sig$signal", '--all', '--pin', '-o', "$tmp/sig.fwc");
	ok(wait_until(sub { -e "$tmp/sig.fwc" && -e '/sys/fs/bpf/framewait/threads' }),
		"SIG$signal: it records, and its maps are pinned");
	select undef, undef, undef, 0.3;
	my $from = time;
	kill $signal, $pid;
	my $status = finish($pid);
	my $took = time - $from;
	is($status, 0, "SIG$signal: exit status 0") or diag(slurp("$tmp/record-sig$signal.err"));
	cmp_ok($took, '<', $emulated ? 30 : 1, sprintf "SIG$signal: it ends within a second (%.2f s)", $took);
	is(join(' ', attached()), '', "SIG$signal: nothing stays attached");
	ok(!-e '/sys/fs/bpf/framewait', "SIG$signal: nothing stays pinned");
	is(join(' ', instances()), '', "SIG$signal: no tracefs instance stays");
	unlink "$tmp/sig.fwc";
}

{
	my ($one, $two) = ("$tmp/one.fwc", "$tmp/two.fwc");
	my $a = start_record('one', '-p', $worker, '-d', '2', '-o', $one);
	my $b = start_record('two', '--all', '-d', '1', '-o', $two);
	is(finish($b), 0, 'two at once: the second is done');
	is(finish($a), 0, 'two at once: the first is done');
	for ([ 'first', $one, 1.9 ], [ 'second', $two, 0.9 ]) {
		my ($which, $fwc, $least) = @$_;
		my @mine = only(states($fwc), tid => $worker);
		my ($sum, $gaps) = (0, 0);
		for my $i (0 .. $#mine) {
			$sum += $mine[$i]{seen_until_ns} - $mine[$i]{start_ns};
			$gaps++ if $i && $mine[$i]{start_ns} != $mine[$i - 1]{seen_until_ns};
		}
		is($gaps, 0, "two at once: the $which has no holes");
		cmp_ok($sum, '>', $least * 1e9, "two at once: the $which has its whole time");
	}
}

{
	my $from = time;
	my ($status, $out, $err) = run_cmd($framewait, 'record', '-o', "$tmp/d.fwc", '-p', $worker, '-d', '0.5');
	is($status, 0, '-d: done');
	like($err, qr/own cost: collector [\d.]+ % of a CPU, [\d.]+ KiB\/s/, '-d: the summary has its own cost');
	($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-o', "$tmp/c.fwc", '--', 'sh', '-c', 'exit 3');
	is($status, 0, 'a command: its own exit status is not the recording\'s');
	like($err, qr/^framewait: sh: the command ended with status 3$/m, 'a command: but it is said');
	($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-o', "$tmp/c.fwc", '--', 'sh', '-c', 'kill -9 $$');
	like($err, qr/^framewait: sh: signal 9 ended the command$/m, 'a command that is killed: it is said');
	for my $command ("$tmp/nonexistent", 'fw-nonexistent', $tmp) {
		($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-o', "$tmp/none.fwc", '--', $command);
		is($status, 2, "$command: no command, wrong usage");
		like($err, qr/\Q$command\E: the command cannot be started: \w/, "$command: it says why");
		ok(!-e "$tmp/none.fwc", "$command: there is no capture");
	}
	($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-o', "$tmp/none/c.fwc", '-d', '1', '--all');
	is($status, 3, 'a capture that cannot be written: exit status 3');
	like($err, qr{none/c\.fwc: No such file}, 'and it says why');
	($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-o', '/dev/full', '-d', '3', '--all');
	is($status, 3, 'a full disk: exit status 3');
	like($err, qr{/dev/full: No space left}, 'and it says so');
	($status) = run_cmd($framewait, 'record', '-d', '1');
	is($status, 2, 'no target: wrong usage');
	($status, $out, $err) = run_cmd($framewait, 'record', '-p', '99999999', '-d', '1');
	is($status, 2, 'no such process: wrong usage');
	like($err, qr/-p 99999999: no such process/, 'and it says so');
	($status, $out, $err) = run_cmd($framewait, 'record', '-q', '-p', 'fw-nobody', '--comm', 'fw-nob*', '-d', '0.2',
		'-o', "$tmp/e.fwc");
	is($status, 0, 'a name that nobody has yet: recorded');
	like($err, qr/^framewait: no process matches fw-nobody yet\nframewait: no thread matches fw-nob\* yet$/m,
		'a name that nobody has yet: it is said');
	($status, $out, $err) = run_cmd($framewait, 'record', '-d', '0', '--all');
	like($err, qr/--duration 0: expected a number above 0/, '-d 0: the option is named');
}

SKIP: {
	my @nobody = getpwnam 'nobody';
	skip 'no user nobody', 3 if !@nobody;
	my ($out, $err) = ("$tmp/nobody.out", "$tmp/nobody.err");
	chmod 0755, "$tmp";
	my $pid = fork() // die;
	if (!$pid) {
		open STDOUT, '>', $out or die;
		open STDERR, '>', $err or die;
		POSIX::setgid($nobody[3]);
		POSIX::setuid($nobody[2]);
		exec { $framewait } $framewait, 'record', '--all', '-d', '1', '-o', '/dev/null' or exit 127;
	}
	is(finish($pid), 4, 'without privilege: exit status 4');
	like(slurp($err), qr/CAP_BPF and CAP_PERFMON/, 'without privilege: it names what is missing');
	my ($status, $text) = run_cmd('setpriv', '--reuid', $nobody[2], '--regid', $nobody[3], '--clear-groups',
		$framewait, 'check');
	is($status, 4, 'without privilege: so does check') or diag($text);
}

kill 'KILL', $worker;
waitpid $worker, 0;
done_testing();
