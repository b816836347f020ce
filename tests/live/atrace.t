#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# record --sf marks: the tags of Android's atrace are set while it records and restored however it ends.
# Android's getprop, setprop and service are stand-ins in PATH.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Packets;
use Framewait::Test;
use POSIX ();
use Test::More;

need_root();

my $tags = 'debug.atrace.tags.enableflags';
my $held = 'debug.framewait.atrace';
mkdir "$tmp/$_" or die for qw(bin props);
sub program {
	my ($name, $script) = @_;
	spew("$tmp/bin/$name", "#!/bin/sh\n$script\n");
	chmod 0755, "$tmp/bin/$name";
}
program('getprop', qq(cat "$tmp/props/\$1" 2>/dev/null || echo));
program('setprop', qq(echo "\$2" >"$tmp/props/\$1"));
program('service', qq(echo "\$@" >>"$tmp/poked"));
program('perfetto', 'exit 1');
my $path = $ENV{PATH};
$ENV{PATH} = "$tmp/bin:$path";

sub prop {
	my ($name) = @_;
	my $value = -e "$tmp/props/$name" ? slurp("$tmp/props/$name") : '';
	chomp $value;
	return $value;
}

sub set {
	my ($name, $value) = @_;
	spew("$tmp/props/$name", "$value\n");
}

my $worker = fork() // die;
exec { $load } $load, 'sleep', 100000 or exit 127 if !$worker;

my $n = 0;
sub start {
	my (@args) = @_;
	my %run = (id => 'marks' . $n++);
	$run{fwc} = "$tmp/$run{id}.fwc";
	$run{pid} = start_record($run{id}, '-p', $worker, '-o', $run{fwc}, @args);
	return \%run;
}

sub records {
	my ($run) = @_;
	return wait_until(sub { -e $run->{fwc} && -s $run->{fwc} > 100 });
}

sub stop {
	my ($run, $signal) = @_;
	kill $signal, $run->{pid};
	return finish($run->{pid});
}

sub said {
	my ($run) = @_;
	return slurp("$tmp/record-$run->{id}.err");
}

for my $signal (qw(INT TERM HUP)) {
	unlink "$tmp/poked";
	set($tags, '0x4');
	my $run = start('--sf', 'marks');
	ok(records($run), "SIG$signal: it records") or diag(said($run));
	is(prop($tags), '0xe', "SIG$signal: gfx and view are added to the tags that were set");
	is(prop($held), "0x4 $run->{pid}", "SIG$signal: who holds them, and what was there, is noted");
	is(stop($run, $signal), 0, "SIG$signal: exit status 0") or diag(said($run));
	is(prop($tags), '0x4', "SIG$signal: the tags are restored");
	is(prop($held), '', "SIG$signal: and nobody holds them");
	like(slurp("$tmp/poked"), qr/^(call activity 1599295570\ncall SurfaceFlinger 1599295570\n){2}$/,
		"SIG$signal: processes are told to look, both times");
	is({ lines_of(slurp($run->{fwc}), 'META') }->{sf}, 'marks', "SIG$signal: the head says it");
}

{
	set($tags, '');
	my $run = start('--sf', 'marks', '-d', '0.2');
	is(finish($run->{pid}), 0, 'no tags before: done');
	is(prop($tags), '0', 'no tags before: none after');
	set($tags, '0xa');
	$run = start('--sf', 'marks', '-d', '0.2');
	is(finish($run->{pid}), 0, 'the tags were set already: done');
	is(prop($tags), '0xa', 'the tags were set already: they stay');
}

{
	set($tags, '0');
	my $one = start('--sf', 'marks');
	my $two = (records($one), start('--sf', 'marks'))[-1];
	ok(records($two), 'two at once: both record');
	set($tags, '0x40a');
	is(stop($one, 'INT'), 0, 'two at once: the first ends');
	is(prop($tags), '0x40a', 'two at once: the tags stay for the second');
	is(stop($two, 'INT'), 0, 'two at once: the second ends');
	is(prop($tags), '0x400', 'two at once: now they go, but not what somebody else set meanwhile');
}

{
	set($tags, '0x2');
	my $run = start('--sf', 'marks');
	ok(records($run), 'kill -9: it records');
	stop($run, 'KILL');
	is(prop($tags), '0xa', 'kill -9: the tags are left set');
	$run = start('--sf', 'marks', '-d', '0.2');
	is(finish($run->{pid}), 0, 'kill -9: the next one');
	is(prop($tags), '0x2', 'kill -9: restores what was there before the first');
	is(prop($held), '', 'kill -9: nobody holds them');
}

{
	set($tags, '0');
	my $run = start('--sf', 'marks', '-o', "$tmp/none/x.fwc");
	is(finish($run->{pid}), 3, 'an error: exit status 3');
	is(prop($tags), '0', 'an error: the tags are restored');
	$run = start();
	ok(records($run), 'by default, on Android without perfetto: it records');
	is(stop($run, 'INT'), 0, 'by default: done');
	is({ lines_of(slurp($run->{fwc}), 'META') }->{sf}, 'marks', 'by default: marks');
	is(prop($tags), '0', 'by default: the tags are restored');

	program('setprop', 'echo "Failed to set property" >&2; exit 1');
	$run = start('--sf', 'marks', '-d', '0.2');
	is(finish($run->{pid}), 4, 'setprop fails: exit status 4');
	like(said($run), qr/setprop $held .*: failed \(1\) Failed to set/, 'setprop fails: it is said');
	my ($status, $out, $err) = run_cmd($framewait, 'record', '--sf', 'marks', '--no-marks', '--all');
	is($status, 2, '--sf marks with --no-marks: wrong usage');
	($status, $out) = run_cmd($framewait, 'check');
	like($out, qr/^yes  atrace .*\n.*tags now: 0\)/m, 'check: the tags');
}

# Without Android's programs: marks as programs write them.
$ENV{PATH} = $path;
SKIP: {
	my ($status, $text) = run_cmd($framewait, 'check');
	like($text, qr/^no   atrace .*\n.*no program getprop: not Android/m, 'check: not Android');
	skip 'this kernel has no copy_trace_marker', 4 if $text !~ /^yes  marks/m;
	skip 'a SurfaceFlinger runs here, whose marks are recorded too', 4
		if !system 'pgrep -x surfaceflinger >/dev/null || pgrep -f "^(/.*/)?surfaceflinger" >/dev/null';
	my $fwc = "$tmp/writes.fwc";
	my $script = q(sleep 6; echo "B|$$|DrawFrames 17" >/sys/kernel/tracing/trace_marker; sleep 0.3);
	my ($done, $out, $err) = run_cmd($framewait, 'record', '--sf', 'marks', '-o', $fwc, '--', 'sh', '-c', $script);
	is($done, 0, 'marks: recorded') or diag($err);
	like($err, qr/no mark of a frame \(.*\) in 5 s: /, 'marks: silence is said') or diag($err);
	like($err, qr/the first mark of a frame \(.*\), after \d/, 'marks: and its end');
	like((run_cmd($framewait, 'inspect', $fwc))[1], qr/^ +1  mark /m, 'marks: the mark is in the capture');
}

# Who writes marks notices nothing of recordings that begin and end.
{
	my $count = "$tmp/writer.out";
	my $writer = fork() // die;
	if (!$writer) {
		my ($refused, $over) = (0, 0);
		$SIG{TERM} = sub { $over = 1 };
		open my $mark, '>', '/sys/kernel/tracing/trace_marker' or exit 1;
		while (!$over) {
			syswrite $mark, "B|$$|x" or $refused++;
			select undef, undef, undef, 0.0002;
		}
		spew($count, "$refused\n");
		POSIX::_exit(0);
	}
	for (1 .. 3) {
		my $run = start('--sf', 'none', '-d', '0.1');
		finish($run->{pid});
	}
	kill 'TERM', $writer;
	waitpid $writer, 0;
	is(slurp($count), "0\n", 'a program that writes marks: none is refused while recordings begin and end');
}

kill 'KILL', $worker;
waitpid $worker, 0;
done_testing();
