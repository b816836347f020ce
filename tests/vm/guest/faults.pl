#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What happens to a machine while it records: CPUs go and come, it sleeps, its clock is set, its memory is
# eaten, somebody would take the module away. After each: the recording ends as asked, what was lost is
# counted, no row is wrong, and no time of a thread is missing that was not lost.
use strict;
use warnings;
use Framewait::Live;
use Framewait::Test;
use Test::More;
use Time::HiRes ();

need_root();
my $second_cpu = '/sys/devices/system/cpu/cpu1/online';

sub write_to {
	my ($path, $text) = @_;
	open my $out, '>', $path or return 0;
	print $out $text;
	return close $out;
}

sub pause {
	Time::HiRes::sleep($_[0]);
}

# Of the two threads of "load pipe": recorded from end to end.
sub whole {
	my ($spans, $loads, $name) = @_;
	for my $tid (@$loads) {
		is($spans->{$tid} ? $spans->{$tid}{holes} : 'not there', 0, "$name: thread $tid has no holes");
	}
}

# A workload of two processes that run in turns on one CPU: their ids.
sub start_pipe {
	my ($cpu) = @_;
	my $first = start_load($load, 'pipe', 100_000_000, $cpu);
	my $second;
	wait_until(sub { ($second) = slurp("/proc/$first/task/$first/children") =~ /(\d+)/ });
	return ($first, $second);
}

# Record while there is work on $cpu, let $meanwhile happen, end: spans of the rows, capture, processes.
sub record_while {
	my ($name, $cpu, $meanwhile) = @_;
	my @loads = start_pipe($cpu);
	my $id = $name =~ tr/a-zA-Z0-9/-/cr;
	my $fwc = "$tmp/$id.fwc";
	my $pid = start_record($id, '--all', '-o', $fwc);
	ok(wait_until(sub { -e $fwc && -s $fwc > 2000 }), "$name: it records") or diag(record_said($id));
	pause(1);
	$meanwhile->($pid);
	kill 'INT', $pid;
	is(finish($pid), 0, "$name: exit status 0") or diag(record_said($id));
	my $lost = counts_hold(record_said($id), $name);
	my $spans = rows_hold($fwc, $name);
	is($lost, 0, "$name: nothing is lost");
	whole($spans, \@loads, $name);
	end_load($loads[0]);
	nothing_left($name);
	return ($spans, $fwc, @loads);
}

# The threads that take CPU 1 down: { tid => how often each was switched out }.
sub keepers {
	my %n;
	for (glob '/proc/[0-9]*/status') {
		open my $in, '<', $_ or next;
		my $status = join '', <$in>;
		next if $status !~ /^Name:\s+(?:cpuhp|migration)\/1$/m;
		my ($tid) = $status =~ /^Pid:\s+(\d+)/m;
		$n{$tid} += $1 while $status =~ /ctxt_switches:\s+(\d+)/g;
	}
	return \%n;
}

# What a CPU did last is in the rows too.
sub runs_hold {
	my ($spans, $name, $from, $before) = @_;
	my $after = keepers();
	for my $tid (keys %$before) {
		my $runs = grep { $_ >= $from } @{ $spans->{$tid}{runs} || [] };
		cmp_ok($runs, '>=', $after->{$tid} - $before->{$tid}, "$name: each run of thread $tid is there: $runs");
	}
}

sub cpus {
	record_while('a CPU goes and comes', 1, sub {
		for (1 .. 3) {
			ok(write_to($second_cpu, 0), 'a CPU goes');
			pause(0.7);
			ok(write_to($second_cpu, 1), 'and comes');
			pause(0.7);
		}
	});
	my ($from, $before);
	my ($spans) = record_while('a CPU is off at the end', 1, sub {
		($from, $before) = (Time::HiRes::clock_gettime(7) * 1e9, keepers());
		ok(write_to($second_cpu, 0), 'a CPU goes');
		pause(1.5);
	});
	runs_hold($spans, 'a CPU is off at the end', $from, $before);
	record_while('a CPU is off at the beginning', 0, sub {
		ok(write_to($second_cpu, 1), 'it comes');
		pause(1.5);
	});
}

# What CLOCK_BOOTTIME has more than CLOCK_MONOTONIC: the time that the machine slept.
sub slept {
	return Time::HiRes::clock_gettime(7) - Time::HiRes::clock_gettime(1);
}

# BOOTTIME less MONOTONIC in ns, as the rows have it of the fences that a run of play made: each distance
# once. The runs give their fences the same names: $which is 0 for the first, -1 for the last.
sub fence_offsets {
	my ($fwc, $truth, $which) = @_;
	my (%stamps, %stamp, %offsets);
	push @{ $stamps{"$_->{context} $_->{seqno}"} }, $_->{stamp_ns}
		for read_csv((run_cmd($framewait, 'report', '-t', 'fences', $fwc))[1]);
	$stamp{$_} = (sort { $a <=> $b } grep { $_ ne '' } @{ $stamps{$_} })[$which] for keys %stamps;
	for (split /\n/, slurp($truth)) {
		my ($kind, undef, undef, $context, $seqno, $stamp) = split /,/;
		$offsets{ $stamp{"$context $seqno"} - $stamp }++ if $kind eq 'fence' && $stamp;
	}
	return sort keys %offsets;
}

# To memory: qemu's clock wakes the machine. Its CPU 1 goes and comes on the way.
sub suspended {
	my $alarm = '/sys/class/rtc/rtc0/wakealarm';
	my $before = slept();
	my ($spans, $fwc, @loads) = record_while('suspend', 1, sub {
		is(system('/t/play /tmp/before >/dev/null'), 0, 'suspend: fences come and go');
		write_to($alarm, 0);
		ok(write_to($alarm, '+3'), 'suspend: an alarm is set');
		ok(write_to('/sys/power/state', 'mem'), 'suspend: it sleeps and wakes');
		is(system('/t/play /tmp/after >/dev/null'), 0, 'suspend: and others');
		pause(1);
	});
	my $slept = slept() - $before;
	cmp_ok($slept, '>', 1, "suspend: for $slept s");
	my $span = $spans->{ $loads[0] };
	cmp_ok(($span->{end} - $span->{start}) / 1e9, '>', $slept + 1, 'suspend: the rows go on over it');
	my @before = fence_offsets($fwc, '/tmp/before', 0);
	my @after = fence_offsets($fwc, '/tmp/after', -1);
	is(@before . ' ' . @after, '1 1', 'suspend: to the nanosecond each fence has its stamp, before and after');
	cmp_ok(abs(($after[0] - $before[0]) / 1e9 - $slept), '<', 1e-2, 'suspend: the sleep is between them');
}

sub clock {
	record_while('the clock is set', 1, sub {
		my $now = time;
		for my $step (3600, -7200, 86400 * 4000, -86400 * 4000) {
			is(system('date', '-s', '@' . (time + $step)), 0, "the clock is set by $step s");
			pause(0.7);
		}
	});
}

sub module {
	record_while('the module', 1, sub {
		isnt(system('rmmod framewait 2>/dev/null'), 0, 'the module cannot be taken away while it is used');
		pause(0.5);
	});
	ok(wait_until(sub { system('rmmod framewait 2>/dev/null') == 0 }), 'the module: and afterwards it can');
	record_while('the module comes while it records', 1, sub {
		is(system('insmod /t/framewait.ko'), 0, 'the module comes');
		pause(0.5);
		is(system('rmmod framewait'), 0, 'and goes, for the recording does not know of it');
		pause(0.5);
	});
	is(system('insmod /t/framewait.ko'), 0, 'the module is there again');
}

# A process that takes memory until the kernel ends it.
sub memory {
	record_while('memory is eaten', 1, sub {
		my $hog = fork() // die;
		if (!$hog) {
			write_to("/proc/$$/oom_score_adj", 1000);
			my @all;
			push @all, 'x' x (1 << 22) while 1;
		}
		is(finish($hog), 'signal 9', 'memory is eaten until the kernel ends it');
		pause(1);
	});
}

my %faults = (cpus => \&cpus, suspend => \&suspended, clock => \&clock, module => \&module, memory => \&memory);
for (@ARGV) {
	$faults{$_}->();
}
done_testing();
