#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# trace.dat in every shape gives the same rows; they are what trace-cmd itself prints of the same file.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $have_trace_cmd = !system 'command -v trace-cmd >/dev/null 2>&1';

sub table {
	my ($file, $table) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', $table, $file);
	die "report -t $table $file: $err" if $status;
	return $out;
}

sub generated {
	my ($name, @opts) = @_;
	my ($status, undef, $err) = run_cmd($gen, 'tracedat', '-o', "$tmp/$name", @opts);
	die "framewait-gen tracedat @opts: $err" if $status;
	return "$tmp/$name";
}

# What trace-cmd says of each switch: time, cpu, who runs then.
sub printed_switches {
	my ($file) = @_;
	my ($status, $text) = run_cmd('trace-cmd', 'report', '-t', $file);
	my @rows;
	die "trace-cmd report $file: $status" if $status;
	for (split /\n/, $text) {
		my ($ts, $tid) = /\] *(\d+\.?\d+): sched_switch: .*==> .*:(\d+) \[-?\d+\]/ or next;
		$ts =~ s/\.//;
		push @rows, "$ts $tid" if $tid;
	}
	return [sort @rows];
}

# Ours; without a gap where events were lost, for trace-cmd prints on.
sub our_switches {
	my ($file) = @_;
	my ($status, $out) = run_cmd($framewait, 'report', '-t', 'thread-state',
		'--trace-processor-compat', $file);
	return [sort map { "$_->{ts_ns} $_->{tid}" }
		grep { $_->{state} eq 'Running' && $_->{tid} } read_csv($out)];
}

# The text of trace-cmd, as a file: by the kernel's formats, for trace-cmd's own plugins leave out the
# "+" of a preempted state.
sub printed {
	my ($file) = @_;
	my ($status, $text) = run_cmd('trace-cmd', 'report', '-t', '-N', $file);
	die "trace-cmd report -N $file: $status" if $status;
	spew("$file.txt", $text);
	return "$file.txt";
}

# A machine of either width and order, every version and compression: one and the same.
my $base = generated('base.dat', '--frames', 40);
my %rows = map { $_ => table($base, $_) } qw(states fences irq intervals);
my @shapes = map { my $v = $_; map { [@$v, @$_] } [], ['--big'], ['--long', 4], ['--long', 4, '--big'] }
	[qw(--version 6)], [qw(--version 7)], [qw(--version 7 --compress zlib)],
	[qw(--version 7 --compress zstd)];
for my $shape (@shapes) {
	my $file = generated('shape.dat', '--frames', 40, @$shape);
	is_deeply({ map { $_ => table($file, $_) } keys %rows }, \%rows, "@$shape: the same rows");
	SKIP: {
		skip 'trace-cmd is not installed', 2 if !$have_trace_cmd;
		skip 'trace-cmd is built without zlib', 2 if "@$shape" =~ /zlib/;
		is_deeply(our_switches($file), printed_switches($file), "@$shape: trace-cmd agrees");
		is(table(printed($file), 'states'), $rows{states}, "@$shape: its text has the same intervals");
	}
}
run_cmd('gzip', '-k', $base);
is(table("$base.gz", 'states'), $rows{states}, 'gzip: the same rows');

# What stands in it.
my @states = read_csv($rows{states});
my @blocked = grep { $_->{state} eq 'blocked' } @states;
ok(@blocked && !(grep { $_->{function} ne 'folio_wait_bit_common' || $_->{io_wait} ne '1' } @blocked),
	'each blocked sleep has its function, from kallsyms, and its io_wait');
is((grep { $_->{state} eq 'preempted' && $_->{thread} eq 'RenderThread' } @states) > 0, 1,
	'preempted is told from asleep');
my @fences = read_csv($rows{fences});
is(scalar @fences, 40, 'every fence');
is_deeply([@{ $fences[3] }{qw(driver timeline context seqno status signaled_in)}],
	['gpu-driver', 'ring0', 42, 503, 'signaled', 'irq'], 'with its names, number and signal');
is($fences[3]{init_to_signal_ms}, '3.100000', 'and times to the nanosecond');
my ($status, $out) = run_cmd($framewait, 'report', '-f', 'csv', $base);
my @frames = read_csv($out);
is(scalar @frames, 26, 'frames come of the marks, but of those with more than a number');

# Events that were lost.
($status, $out) = run_cmd($framewait, 'inspect', $base);
like($out, qr/^clock +times are mono$/m, 'the clock');
like($out, qr/^kernel +6\.18\.0-gen$/m, 'the kernel');
like($out, qr/^ +8  loss: ftrace_cpu_has_data_loss\[1\]/m, 'pages that follow a loss');
like($out, qr/^ +9  ftrace_cpu_overrun_delta\[1\]/m, 'the kernel\'s own counts');
is((run_cmd($framewait, 'report', '--strict', $base))[0], 5, '--strict: data was lost');

# Cut and damaged ones.
my $bytes = slurp($base);
for my $at (12, 200, 1000, 7000, 9000, length($bytes) - 4097) {
	spew("$tmp/cut.dat", substr $bytes, 0, $at);
	my ($s, $o, $e) = run_cmd($framewait, 'report', $at < 9500 ? () : ('--strict'), "$tmp/cut.dat");
	ok($s == 3 && $e =~ /offset \d+|ends at/ || $s == 5, "cut at $at: $e" =~ s/\n//r);
}
spew("$tmp/bad.dat", $bytes =~ s/tracing6/tracing5/r);
($status, $out, my $err) = run_cmd($framewait, 'report', "$tmp/bad.dat");
is($status, 3, 'another version is refused');
like($err, qr/version '5'; framewait reads 6 and 7/, 'by name');
spew("$tmp/bad.dat", $bytes =~ s/\Q[mono] mono_raw\E/[counter] none    /r);
($status, $out, $err) = run_cmd($framewait, 'report', "$tmp/bad.dat");
is($status, 3, 'so is a clock that counts no time');
like($err, qr/its clock, counter, does not count ns/, 'by name');

# Real ones.
SKIP: {
	my $dir = "$shared/traces/tracedat";
	skip 'no trace.dat here (shared/traces/tracedat)', 1 if !-f "$dir/amdgpu.dat.gz";
	subtest 'arm64_sched.dat' => sub {
		system "zcat $dir/arm64_sched.dat.gz >$tmp/arm64.dat";
		my @switches = @{ our_switches("$dir/arm64_sched.dat.gz") };
		cmp_ok(scalar @switches, '>', 300, 'switches');
		plan skip_all => 'trace-cmd is not installed' if !$have_trace_cmd;
		is_deeply(\@switches, printed_switches("$tmp/arm64.dat"), 'as trace-cmd prints them');
		is(table(printed("$tmp/arm64.dat"), 'states'), table("$tmp/arm64.dat", 'states'),
			'its text has the same intervals');
		for my $compress (qw(none zstd)) {
			run_cmd('trace-cmd', 'convert', '-i', "$tmp/arm64.dat", '-o', "$tmp/v7.dat",
				'--file-version', 7, '--compression', $compress);
			is(table("$tmp/v7.dat", 'states'), table("$tmp/arm64.dat", 'states'),
				"the same from version 7 as trace-cmd converts it ($compress)");
		}
	};
	# trace-cmd takes option 8, here a table of processes, for a number of cpus and gives up. With
	# another number it passes the table over.
	subtest 'amdgpu.dat, which trace-cmd refuses' => sub {
		my @fences = read_csv(table("$dir/amdgpu.dat.gz", 'fences'));
		is(scalar @fences, 1976, 'fences');
		my ($first) = grep { $_->{seqno} == 1735030 } @fences;
		is_deeply([@{$first}{qw(driver timeline context signaled_tid)}],
			['amd_sched', 'sdma0', 122, 199], 'one of them');
		my ($s, $summary) = run_cmd($framewait, 'inspect', "$dir/amdgpu.dat.gz");
		like($summary, qr/^kernel +4\.11\.0-rc4\+$/m, 'kernel');
		like($summary, qr/128 threads named, their processes saved/, 'names and processes');
		plan skip_all => 'trace-cmd is not installed' if !$have_trace_cmd;
		my $raw = `zcat $dir/amdgpu.dat.gz`;
		spew("$tmp/amdgpu.dat", $raw =~ s/options  \0\K\x08/\x63/r);
		my ($status, $text) = run_cmd('trace-cmd', 'report', '-t', "$tmp/amdgpu.dat");
		my (@want, $start);
		for (split /\n/, $text) {
			/-(\d+) +\[\d+\] +(\d+)\.(\d+): (\w+):/ or next;
			my ($tid, $ns, $event) = ($1, "$2$3", $4);
			$start = $ns if !defined $start || $ns < $start;
			push @want, [$ns, "$1 $2 $3 $4 $tid"]
				if /dma_fence_signaled: +driver=(\S+) timeline=(\S+) context=(\d+) seqno=(\d+)/;
		}
		is_deeply([sort map { my $ms = $_->{signaled_ms};
				"$_->{driver} $_->{timeline} $_->{context} $_->{seqno} $_->{signaled_tid} $ms" }
				@fences],
			[sort map { sprintf '%s %d.%06d', $_->[1], ($_->[0] - $start) / 1e6,
				($_->[0] - $start) % 1_000_000 } @want],
			'every fence as trace-cmd prints it: driver, timeline, context, seqno, thread, time');
		is_deeply(our_switches("$dir/amdgpu.dat.gz"), printed_switches("$tmp/amdgpu.dat"),
			'every switch');
		# The text does not tell of which process a thread is.
		my ($dat, $txt) = map { my $t = table($_, 'states'); $t =~ s/^(\d*,\d*,\d*,\d+,)\d*/$1/mg; $t }
			"$dir/amdgpu.dat.gz", printed("$tmp/amdgpu.dat");
		ok($dat eq $txt, 'every interval');
	};
}

done_testing();
