#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# record --follow: rows come while it records, standard output has nothing else, and who reads them may
# go away.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use POSIX ();
use Test::More;

need_root();

my $framesim = ($ENV{BUILD} || "$top/build") . '/framesim';
my @sim = ($framesim, '--timers', '--rate', 30, '--pftrace');

sub rows_of {
	my ($fwc, $format) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '--format', $format, $fwc);
	diag($err) if $status;
	return $out;
}

for my $format ('csv', 'jsonl') {
	my ($trace, $fwc) = map { "$tmp/$format.$_" } qw(pftrace fwc);
	my @follow = $format eq 'csv' ? ('--follow') : ('--follow', $format);
	my $pid = start_record($format, @follow, '--sf', $trace, '-o', $fwc, '--', @sim, $trace, '--seconds', 7);
	my $out = "$tmp/record-$format.out";
	ok(wait_until(sub { -e $out && (() = slurp($out) =~ /\n/g) > 5 && !waitpid $pid, POSIX::WNOHANG() }),
		"$format: rows come while it records") or diag(slurp("$tmp/record-$format.err"));
	is(finish($pid), 0, "$format: exit status 0");
	my $live = slurp($out);
	cmp_ok(scalar(() = $live =~ /\n/g), '>=', 100, "$format: a row for each frame");
	ok($live eq rows_of($fwc, $format), "$format: the rows of the capture, byte for byte");
	like(slurp("$tmp/record-$format.err"), qr/surface frames, \d+ display frames presented/,
		"$format: what the command prints is on standard error");
}

# The reader goes away: the capture is none the worse.
{
	my ($trace, $fwc, $err) = map { "$tmp/closed.$_" } qw(pftrace fwc err);
	pipe my $read, my $write or die;
	my $pid = fork() // die;
	if (!$pid) {
		close $read;
		open STDOUT, '>&', $write or die;
		open STDERR, '>', $err or die;
		exec $framewait, 'record', '--follow', '--sf', $trace, '-o', $fwc, '--', @sim, $trace, '--seconds', 6
			or exit 127;
	}
	close $write;
	ok(defined readline $read, 'closed pipe: rows come');
	close $read;
	is(finish($pid), 3, 'closed pipe: exit status 3');
	like(slurp($err), qr/no more rows are printed; the recording goes on/, 'closed pipe: it is said at once');
	my @rows = read_csv(rows_of($fwc, 'csv'));
	cmp_ok(scalar @rows, '>=', 100, 'closed pipe: the capture is whole');
	unlike(run_health($fwc), qr/fw_capture_unfinished/, 'closed pipe: and has its end');
}

# A reader that never reads: the recording ends, the rows wait, and a second signal ends that too.
{
	my ($trace, $fwc, $err) = map { "$tmp/stuck.$_" } qw(pftrace fwc err);
	pipe my $read, my $write or die;
	my $pid = fork() // die;
	if (!$pid) {
		close $read;
		open STDOUT, '>&', $write or die;
		open STDERR, '>', $err or die;
		exec $framewait, 'record', '--follow', '--sf', $trace, '-o', $fwc, '--', @sim, $trace, '--seconds', 5
			or exit 127;
	}
	close $write;
	ok(wait_until(sub { -s $err && slurp($err) =~ /own cost/ }), 'stuck reader: the recording ends all the same');
	unlike(run_health($fwc), qr/fw_capture_unfinished/, 'stuck reader: the capture is whole');
	is(waitpid($pid, POSIX::WNOHANG()), 0, 'stuck reader: the rows wait');
	kill 'INT', $pid;
	is(finish($pid), 3, 'stuck reader: a signal ends that, with exit status 3');
	close $read;
}

sub run_health {
	my ($fwc) = @_;
	return (run_cmd($framewait, 'report', '-t', 'health', $fwc))[1];
}

sub follower_of {
	my ($parent) = @_;
	my ($pid) = `pgrep -P $parent -x framewait-rows` =~ /(\d+)/;
	return $pid;
}

# The process that prints them is killed.
{
	my $fwc = "$tmp/killed.fwc";
	my $pid = start_record('killed', '--follow', '--sf', 'none', '-o', $fwc, '--all');
	my $rows;
	ok(wait_until(sub { -s $fwc && ($rows = follower_of($pid)) }), 'killed follower: there is one');
	kill 'KILL', $rows;
	ok(wait_until(sub { slurp("$tmp/record-killed.err") =~ /the recording goes on/ }),
		'killed follower: it is said');
	kill 'INT', $pid;
	is(finish($pid), 3, 'killed follower: exit status 3');
	unlike(run_health($fwc), qr/fw_capture_unfinished/, 'killed follower: the capture is whole');
}

# Ctrl-C reaches both, as at a terminal.
{
	my $fwc = "$tmp/ctrl-c.fwc";
	my $pid = start_record('ctrl-c', '--follow', '--sf', 'none', '-o', $fwc, '--all');
	my $rows;
	ok(wait_until(sub { -s $fwc && ($rows = follower_of($pid)) }), 'Ctrl-C: it records');
	kill 'INT', $pid, $rows;
	is(finish($pid), 0, 'Ctrl-C: exit status 0');
	ok(!kill(0, $rows), 'Ctrl-C: nothing is left');
	ok(slurp("$tmp/record-ctrl-c.out") =~ /^\w+,\w+,/, 'Ctrl-C: the header');
	ok(slurp("$tmp/record-ctrl-c.out") eq rows_of($fwc, 'csv'), 'Ctrl-C: the rows of the capture');
}

# The recorder is killed: so the rows end.
{
	my $fwc = "$tmp/recorder.fwc";
	my $pid = start_record('recorder', '--follow', '--sf', 'none', '-o', $fwc, '--all');
	my $rows;
	ok(wait_until(sub { -s $fwc && ($rows = follower_of($pid)) }), 'killed recorder: it records');
	kill 'KILL', $pid;
	finish($pid);
	ok(wait_until(sub { !kill 0, $rows }), 'killed recorder: the rows end');
}

{
	my ($status, $out, $err) = run_cmd($framewait, 'record', '--follow=xml', '--all');
	is($status, 2, '--follow=xml: wrong usage');
	like($err, qr/--follow=xml: csv or jsonl/, '--follow=xml: it says which');
	($status, $out, $err) = run_cmd($framewait, 'record', '--follow', '-o', '-', '--all');
	is($status, 2, '--follow with -o -: wrong usage');
	($status, $out, $err) = run_cmd($framewait, 'record', '--follow', '-o', "$tmp/none/x.fwc", '--all');
	is($status, 3, 'a capture that cannot be written: exit status 3');
	is($out, '', 'a capture that cannot be written: no rows');
	($status, $out) = run_cmd($framewait, 'record', '-q', '-d', '0.3', '--sf', 'none', '-o', '-', '--', 'echo', 'noise');
	like($out, qr/^FWCAPT1\n/, '-o -: a capture');
	unlike($out, qr/noise/, '-o -: without what the command prints');
}

done_testing();
