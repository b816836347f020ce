# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of live recording share: recording a workload, its intervals, sums over them.
package Framewait::Live;
use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(:flock);
use File::Spec;
use Framewait::Test;
use Test::More;

our @EXPORT = qw($load $emulated need_root record_load states total only by_tid summary_counts traced_file
	start_record record_said finish wait_until kill_named attached instances start_load end_load
	nothing_left rows_hold counts_hold);

my $lock;
my %others;    # programs of recordings that are none of the test's
my $build = $ENV{BUILD} || "$top/build";
our $load = "$build/tests/live/load";
# A VM without KVM: slower by some ten times, so there is less work and no length of time is judged.
our $emulated = $ENV{FRAMEWAIT_EMULATED};

# Recording needs root and a kernel with BTF; where they are not, the reason stands in the report.
sub need_root {
	plan skip_all => 'recording needs root' if $>;
	# One test at a time: they look for what others might have attached or pinned meanwhile.
	open $lock, '>', File::Spec->tmpdir . '/framewait-live-test.lock' or die "lock: $!";
	flock $lock, LOCK_EX or die "lock: $!";
	plan skip_all => 'this kernel has no BTF' if !-r '/sys/kernel/btf/vmlinux';
	system 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null'
		if !-d '/sys/kernel/tracing/events';
	system 'mount -t bpf bpf /sys/fs/bpf 2>/dev/null' if !-e '/sys/fs/bpf/maps.debug';
	%others = map { $_->[0] => 1 } programs();
}

# Record one run of the workload: (exit status, rows of table states, stdout, stderr).
sub record_load {
	my ($opts, @args) = @_;
	my $fwc = "$tmp/load.fwc";
	my ($status, $out, $err) = run_cmd($framewait, 'record', '-o', $fwc, @$opts, '--', $load, @args);
	return ($status, $status ? [] : states($fwc), $out, $err, $fwc);
}

sub states {
	my ($fwc) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'states', $fwc);
	die "report: $err" if $status;
	return [read_csv($out)];
}

sub duration {
	my ($row) = @_;
	return $row->{seen_until_ns} - $row->{start_ns};
}

# Rows that have all these values.
sub only {
	my ($rows, %want) = @_;
	return grep {
		my $row = $_;
		!grep { ($row->{$_} // '') ne $want{$_} } keys %want;
	} @$rows;
}

# Their time in ns.
sub total {
	my ($rows, %want) = @_;
	my $sum = 0;
	$sum += duration($_) for only($rows, %want);
	return $sum;
}

sub by_tid {
	my ($rows) = @_;
	my %tids;
	push @{ $tids{ $_->{tid} } }, $_ for @$rows;
	return \%tids;
}

# The line "records: P written ... = C taken + L lost" of the summary.
sub summary_counts {
	my ($err) = @_;
	return $err =~ /records: (\d+) written by the kernel = (\d+) taken \+ (\d+) lost/;
}

# A recording in the background: its pid. Its stderr goes to $tmp/record-ID.err.
sub start_record {
	my ($id, @args) = @_;
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open STDIN, '<', '/dev/null' or die;
		open STDOUT, '>', "$tmp/record-$id.out" or die;
		open STDERR, '>', "$tmp/record-$id.err" or die;
		exec { $framewait } $framewait, 'record', @args or exit 127;
	}
	return $pid;
}

sub record_said {
	my ($id) = @_;
	return slurp("$tmp/record-$id.err");
}

sub finish {
	my ($pid) = @_;
	waitpid $pid, 0;
	return $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
}

# Until the condition holds, for at most 20 seconds; emulated, where to look is dear, for two minutes.
sub wait_until {
	my ($condition) = @_;
	my ($times, $pause) = $emulated ? (240, 0.5) : (400, 0.05);
	for (1 .. $times) {
		return 1 if $condition->();
		select undef, undef, undef, $pause;
	}
	return 0;
}

# Processes of that name, which outlive the recording that began them.
sub kill_named {
	my ($name) = @_;
	for my $comm (glob '/proc/[0-9]*/comm') {
		open my $in, '<', $comm or next;
		kill 'KILL', $comm =~ /(\d+)/ if (<$in> // '') eq "$name\n";
	}
}

# A workload with all its processes, which end_load() ends: its pid.
sub start_load {
	my @cmd = @_;
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		setpgrp 0, 0;
		exec { $cmd[0] } @cmd or exit 127;
	}
	return $pid;
}

sub end_load {
	for my $pid (@_) {
		kill '-KILL', $pid or kill 'KILL', $pid;
		waitpid $pid, 0;
	}
}

# Where there is no bpftool, the names of those that were compiled.
sub programs {
	my @shown = map { /^(\d+): .*name (fw_\w+)/ ? [$1, $2] : () } `bpftool prog show 2>/dev/null`;
	return @shown if $? == 0;
	return map { /\bbpf_prog_[0-9a-f]+_(fw_\w+)/ ? [$1, $1] : () } split /\n/, slurp('/proc/kallsyms');
}

# Our programs that are attached anywhere since the test began.
sub attached {
	return map { $_->[1] } grep { !$others{ $_->[0] } } programs();
}

# The tracefs instances of recordings that run no more.
sub instances {
	return grep { !/framewait-test/ && (!/-(\d+)$/ || !kill 0, $1) }
		glob '/sys/kernel/tracing/instances/framewait-*';
}

# After a recording, whatever ended it.
sub nothing_left {
	my ($name) = @_;
	ok(wait_until(sub { !attached() && !-e '/sys/fs/bpf/framewait' }), "$name: nothing stays attached")
		or diag(join ' ', attached());
	is(join(' ', instances()), '', "$name: no tracefs instance stays");
}

# Of each thread: no two states at one time. Row by row, for there are many:
# { tid => { start, end, holes, runs } }, where runs are the times at which it began to run.
sub rows_hold {
	my ($fwc, $name) = @_;
	my ($rows, $overlaps, %span) = (0, 0);
	open my $in, '-|', $framewait, 'report', '-t', 'states', $fwc or die "report: $!";
	<$in>;
	while (<$in>) {
		my ($start, undef, $until, $tid, $state) = (split /,/)[0 .. 3, 6];
		my $span = $span{$tid} ||= { start => $start, end => $start, holes => 0, runs => [] };
		$rows++;
		$overlaps++ if $start < $span->{end};
		$span->{holes}++ if $start > $span->{end};
		$span->{end} = $until;
		push @{ $span->{runs} }, $start if $state eq 'running';
	}
	close $in;
	is($?, 0, "$name: it is read");
	cmp_ok($rows, '>', 0, "$name: it has rows");
	is($overlaps, 0, "$name: no two states at one time");
	return \%span;
}

# What record printed at its end adds up. Returns what was lost.
sub counts_hold {
	my ($err, $name) = @_;
	my ($produced, $consumed, $lost) = summary_counts($err);
	is($produced // -1, ($consumed // 0) + ($lost // 0),
		"$name: " . ($produced // 'no') . ' produced = consumed + lost, exactly');
	return $lost;
}

1;
