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
	start_record finish wait_until kill_named attached instances start_load end_load);

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

sub programs {
	return map { /^(\d+): .*name (fw_\w+)/ ? [$1, $2] : () } `bpftool prog show 2>/dev/null`;
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

1;
