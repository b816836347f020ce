#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# check, top, the maps for bpftool, and whom a recording follows.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use JSON::PP;
use Test::More;

need_root();
# Seconds a recording lasts unless it is interrupted
my $most = $emulated ? 300 : 20;

{
	my ($status, $out) = run_cmd($framewait, 'check');
	is($status, 0, 'check: recording works here');
	like($out, qr/^yes\s+$_\b/m, "check: has $_") for qw(btf sched task_iter irq symbols),
		-e '/sys/kernel/tracing/options/copy_trace_marker' ? 'marks' : ();
	like($out, qr/empty without it: .*\n\s+what brings it: /, 'check: a missing rung says what it costs');
	like($out, qr/^yes\s+pid_namespace\b/m, 'check: process ids are the kernel\'s');
	my @apart = (qw(unshare -pf --mount-proc), $framewait);
	($status, $out) = run_cmd(@apart, 'check');
	like($out, qr/^no\s+pid_namespace\b/m, 'check: in a PID namespace of its own they are not');
	($status, undef, my $err) = run_cmd(@apart, qw(record --all -d 0.2 -o), "$tmp/apart.fwc");
	like($err, qr/PID namespace/, 'record says so too');
	($status, $out) = run_cmd($framewait, 'check', '--json');
	my $json = decode_json($out);
	ok($json->{can_record}, 'check --json: recording works here');
	is((grep { !exists $_->{empty_without} || !exists $_->{brought_by} } @{ $json->{capabilities} }), 0,
		'check --json: each rung says what it costs');
}

# Ended below; longer than all that looks at it.
my $pid = fork() // die;
exec { $load } $load, 'account', $emulated ? 900000 : 60000 or exit 127 if !$pid;

{
	my ($status, $out, $err) = run_cmd($framewait, 'top', '--once', '--json', '-p', $pid);
	is($status, 0, 'top --once --json') or diag($err);
	my $json = decode_json($out);
	my ($me) = grep { $_->{tid} == $pid } @{ $json->{threads} };
	my $span = $json->{to_ns} - $json->{from_ns};
	my $sum = 0;
	$sum += $me->{"${_}_ns"} for qw(running runnable preempted sleeping blocked other);
	is($sum, $span, 'top: the states add up to the second');
	cmp_ok($me->{running_ns}, '>', 0, 'top: it runs');
	is($me->{wchan}, 'hrtimer_nanosleep', 'top: and sleeps where it sleeps');
	cmp_ok($me->{runnable_max_ns}, '>=', $me->{runnable_p50_ns}, 'top: the longest wait is no shorter than the median');
	($status, $out) = run_cmd($framewait, 'top', '--once', '-s', 'runnable');
	is($status, 0, 'top --once');
	like($out, qr/^\s*$pid fw-account\s+[\d.]+/m, 'top: a line for the thread');
	($status) = run_cmd($framewait, 'top', '-s', 'nonsense');
	is($status, 2, 'top: a wrong key is wrong usage');
}

# Names that command a terminal or are no text. Setting $0 renames the thread too.
{
	my %names = (
		"\e]0;owned\a" => "\e]0;owned\a", "\e[2J" => "\e[2J", "\xc2\x9b2J" => "\x{9b}2J", "\x9b2J" => "\x{fffd}2J",
		"\xe2\x80\xaexe.txt" => "\x{202e}xe.txt", "a\xffb" => "a\x{fffd}b", "a\r\nb" => "a\r\nb",
		"\xe5\x90\x8d" => "\x{540d}",
		"cut \xe5\x90\x8d\xe5\x90\x8d\xe5\x90\x8d\xe5\x90" => "cut \x{540d}\x{540d}\x{540d}\x{fffd}",
	);
	my %hostile;
	for my $name (keys %names) {
		my $kid = fork() // die;
		if (!$kid) {
			alarm 600;
			$0 = $name;
			select undef, undef, undef, 0.005 while 1;
		}
		$hostile{$kid} = $names{$name};
	}
	my @whom = map { ('-p', $_) } sort keys %hostile;
	ok(wait_until(sub { !grep { slurp("/proc/$_/comm") eq slurp("/proc/$$/comm") } keys %hostile }), 'top: hostile names');
	my ($status, $out, $err) = run_cmd($framewait, 'top', '--once', @whom);
	is($status, 0, 'top: of hostile names') or diag($err);
	is((grep { $out =~ /^\s*$_ /m } keys %hostile), keys %hostile, 'top: each has its line');
	ok(utf8::decode(my $text = $out), 'top: and that is UTF-8');
	unlike($text, qr/(?!\n)[[:cntrl:]]|[\x{202a}-\x{202e}\x{2066}-\x{2069}]/, 'top: no command to the terminal');
	($status, $out) = run_cmd($framewait, 'top', '--once', '--json', @whom);
	unlike($out, qr/(?!\n)[^ -~]/, 'top --json: neither');
	my %said = map { $_->{tid} => $_->{name} } grep { defined } @{ decode_json($out)->{threads} };
	# How many bytes one U+FFFD stands for is everybody's own choice.
	s/\x{fffd}+/\x{fffd}/g for values %said;
	is_deeply(\%said, \%hostile, 'top --json: the names as they are');
	kill 'KILL', keys %hostile;
	waitpid $_, 0 for keys %hostile;
}

{
	my $rec = start_record('pin', '-p', $pid, '--pin', '-d', $most, '-o', "$tmp/pin.fwc");
	ok(wait_until(sub { -e '/sys/fs/bpf/framewait/threads' }), '--pin: the map is there');
	my $dump;
	ok(wait_until(sub {
		$dump = `bpftool -j map dump pinned /sys/fs/bpf/framewait/threads 2>/dev/null`;
		my @waits = $dump =~ /"runnable_us":\[([^\]]*)\]/g;
		return $dump =~ /"running_ns":[1-9]\d{8}/ && grep { eval(tr/,/+/r) > 10 } @waits;
	}), 'bpftool map dump: totals with named fields') or diag($dump);
	my ($row) = grep { $_->{formatted}{key} == $pid } @{ decode_json($dump) };
	my $t = $row->{formatted}{value};
	is($t->{tid}, $pid, 'bpftool: tid');
	cmp_ok($t->{sleeping_ns}, '>', 0, 'bpftool: sleeping_ns');
	my $waits = 0;
	$waits += $_ for @{ $t->{runnable_us} };
	cmp_ok($waits, '>', 10, 'bpftool: a histogram of waits');
	my $text = `bpftool map dump pinned /sys/fs/bpf/framewait/health`;
	like($text, qr/"produced": \[/, 'bpftool: health by name');
	`bpftool map dump pinned /sys/fs/bpf/framewait/$_ 2>&1`, is($?, 0, "bpftool: map $_ is there")
		for qw(fences fence_names);
	my ($status, $out, $err) = run_cmd($framewait, 'record', '--pin', '-d', '1', '--all', '-o', "$tmp/x.fwc");
	is($status, 4, 'a second --pin is refused');
	like($err, qr/is of the recording with pid $rec/, 'and names the first');
	kill 'INT', $rec;
	is(finish($rec), 0, '--pin: done');
	ok(!-e '/sys/fs/bpf/framewait', '--pin: the maps are gone');
}
kill 'KILL', $pid;
waitpid $pid, 0;

# Whom it follows: a name that comes while it records, threads by their own name, users.
{
	my $rec = start_record('name', '-p', 'fw-fut*', '-p', 'fw-pi[np]g*', '-d', $most, '-o', "$tmp/name.fwc");
	ok(wait_until(sub { -s "$tmp/name.fwc" }), 'by name: it records');
	system $load, 'futex', 300;
	system $load, 'sleep', 20;
	kill 'INT', $rec;
	is(finish($rec), 0, 'by name: done');
	my $rows = states("$tmp/name.fwc");
	cmp_ok(scalar only($rows, thread => 'fw-ping'), '>', 20, 'by name: a process that came later');
	cmp_ok(scalar only($rows, thread => 'fw-pong'), '>', 20, 'by name: and its other thread');
	is(scalar only($rows, thread => 'fw-sleep'), 0, 'by name: and nobody else');

	# Long enough for the recorder to see the thread's name while the process still runs.
	$rec = start_record('comm', '--comm', 'fw-pong', '-d', $most, '-o', "$tmp/comm.fwc");
	ok(wait_until(sub { -s "$tmp/comm.fwc" }), 'by thread: it records');
	system $load, 'futex', 300, 2000;
	kill 'INT', $rec;
	is(finish($rec), 0, 'by thread: done');
	$rows = states("$tmp/comm.fwc");
	cmp_ok(scalar only($rows, thread => 'fw-pong'), '>', 20, 'by thread: that thread');
	is(scalar only($rows, thread => 'fw-ping'), 0, 'by thread: and no other of its process');
}

SKIP: {
	my @nobody = getpwnam 'nobody';
	skip 'no user nobody, or no setpriv', 2 if !@nobody || system 'command -v setpriv >/dev/null';
	my $rec = start_record('uid', '--uid', $nobody[2], '-d', $most, '-o', "$tmp/uid.fwc");
	ok(wait_until(sub { -s "$tmp/uid.fwc" }), 'by user: it records');
	system 'setpriv', '--reuid', $nobody[2], '--clear-groups', 'sleep', '0.1';
	system 'sleep', '0.1';
	kill 'INT', $rec;
	finish($rec);
	my %names = map { $_->{thread} => 1 } @{ states("$tmp/uid.fwc") };
	is(join(' ', sort keys %names), 'sleep', 'by user: only that user\'s process');
}

SKIP: {
	my $root = "$tmp/cgroup";
	mkdir $root;
	skip 'cgroup2 cannot be mounted', 2 if system "mount -t cgroup2 none $root 2>/dev/null";
	mkdir "$root/fw-test";
	my $rec = start_record('cgroup', '--cgroup', "$root/fw-test", '-d', $most, '-o', "$tmp/cg.fwc");
	ok(wait_until(sub { -s "$tmp/cg.fwc" }), 'by cgroup: it records');
	system 'sh', '-c', "echo \$\$ > $root/fw-test/cgroup.procs && exec $load sleep 30";
	system $load, 'futex', 30;
	kill 'INT', $rec;
	finish($rec);
	my %names = map { $_->{thread} => 1 } @{ states("$tmp/cg.fwc") };
	ok($names{'fw-sleep'} && !$names{'fw-ping'}, 'by cgroup: who was moved into it and nobody else')
		or diag(join ' ', keys %names);
	rmdir "$root/fw-test";
	system 'umount', $root;
}
done_testing();
