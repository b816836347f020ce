#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may read what a recording writes, through what it is not written, what the collector still may do
# while it runs, and that nothing tells where the kernel lies in memory.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Packets;
use Framewait::Test;
use Test::More;

need_root();
umask 022;

sub mode { return sprintf '%o', (stat $_[0])[2] & 07777 }

sub record { return run_cmd($framewait, 'record', '-q', '-d', '0.2', '-p', $$, @_) }

{
	my ($status, $out, $err) = record('-o', "$tmp/a.fwc", '--csv', "$tmp/csv");
	is($status, 0, 'recorded') or diag($err);
	is(mode("$tmp/a.fwc"), 600, 'a capture: mode 0600');
	is(mode("$tmp/csv"), 700, 'the directory of the rows: mode 0700');
	is(join(' ', grep { mode($_) ne '600' } glob "$tmp/csv/*"), '', 'the rows: mode 0600');
	($status) = run_cmd($framewait, '--umask', '022', 'record', '-q', '-d', '0.2', '-p', $$, '-o', "$tmp/b.fwc",
		'--csv', "$tmp/csv2");
	is($status, 0, '--umask 022: recorded');
	is(join(' ', map { mode($_) } "$tmp/b.fwc", "$tmp/csv2", "$tmp/csv2/frames.csv"), '644 755 644',
		'--umask 022: everyone may read them');
	run_cmd($framewait, 'record', '-q', '-o', "$tmp/c.fwc", '--', 'touch', "$tmp/touched");
	is(mode("$tmp/touched"), 644, "the command's files have the umask that it was started with");
}

{
	spew("$tmp/precious", 'precious');
	symlink "$tmp/precious", "$tmp/link.fwc" or die;
	my ($status, $out, $err) = record('-o', "$tmp/link.fwc");
	is($status, 3, 'a symbolic link: exit status 3');
	like($err, qr/link\.fwc: a symbolic link is not written through/, 'a symbolic link: it says so');
	is(slurp("$tmp/precious"), 'precious', 'a symbolic link: what it names is as it was');
	symlink "$tmp/nowhere", "$tmp/dangling.fwc" or die;
	is((record('-o', "$tmp/dangling.fwc"))[0], 3, 'a link to nothing: exit status 3');
	ok(!-e "$tmp/nowhere", 'a link to nothing: nothing is made');
	link "$tmp/precious", "$tmp/hard.fwc" or die;
	open my $reader, '<', "$tmp/hard.fwc" or die;
	is((record('-o', "$tmp/hard.fwc"))[0], 0, 'a file that is there: made anew');
	is(slurp("$tmp/precious"), 'precious', 'a file that is there: its other name is as it was');
	is(mode("$tmp/hard.fwc"), 600, 'a file that is there: with a mode of its own');
}

# What report writes: as private as the capture, and through no link.
for (['sqlite', 'rows.db'], ['perfetto', 'rows.pftrace'], ['html', 'page.html']) {
	my ($format, $name) = @$_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-f', $format, '-o', "$tmp/$name", "$tmp/a.fwc");
	is($status, 0, "report -f $format -o: done") or diag($err);
	is(mode("$tmp/$name"), 600, "report -f $format -o: mode 0600");
	symlink "$tmp/precious", "$tmp/link-$name" or die;
	run_cmd($framewait, 'report', '-f', $format, '-o', "$tmp/link-$name", "$tmp/a.fwc");
	is(slurp("$tmp/precious"), 'precious', "report -f $format -o: what a link names is as it was");
}

# Names that a shell would act on, of a process and of its marks.
{
	my $made = "$tmp/made-by-a-shell";
	my $name = '`>m`;$(>m)|>m';
	mkdir "$tmp/cwd" or die;
	my $pid = fork() // die;
	if (!$pid) {
		chdir "$tmp/cwd" or die;
		spew("$tmp/cwd/load", "#!/bin/sh\nprintf '%s' '$name' >/proc/\$\$/comm\n" .
			"echo \"B|\$\$|doFrame \\`touch $made\\`\" >/sys/kernel/tracing/trace_marker\nsleep 0.3\n" .
			"echo \"E|\$\$\" >/sys/kernel/tracing/trace_marker\nsleep 0.2\n");
		chmod 0700, "$tmp/cwd/load";
		open STDERR, '>', "$tmp/shell.err" or die;
		exec { $framewait } $framewait, 'record', '-q', '--frame-mark', 'doFrame', '--csv', 'csv', '--html',
			'page.html', '-o', 'run.fwc', '--', './load' or exit 127;
	}
	is(finish($pid), 0, 'names that a shell would act on: recorded') or diag(slurp("$tmp/shell.err"));
	like((run_cmd($framewait, 'report', '-t', 'states', "$tmp/cwd/run.fwc"))[1], qr/,\Q$name\E,/,
		'names that a shell would act on: they are there');
	ok(!-e $made && !-e "$tmp/cwd/m", 'names that a shell would act on: and nobody acted');
}

# The capabilities of a process, by their numbers in linux/capability.h.
sub caps {
	my ($pid, $set) = @_;
	my ($hex) = slurp("/proc/$pid/status") =~ /^$set:\s*([0-9a-f]+)/m;
	my @halves = map { hex } $hex =~ /^(.{8})(.{8})$/;
	return join ' ', grep { $halves[$_ < 32] >> $_ % 32 & 1 } 0 .. 63;
}

{
	my $pid = start_record('caps', '-p', $$, '--sf', 'none', '-o', "$tmp/caps.fwc");
	ok(wait_until(sub { -e "$tmp/caps.fwc" && -s "$tmp/caps.fwc" > 500 && caps($pid, 'CapEff') !~ /\b21\b/ }),
		'it records');
	# DAC_READ_SEARCH, SYS_PTRACE, PERFMON, BPF
	is(caps($pid, $_), '2 19 38 39', "while it records: $_") for qw(CapEff CapPrm CapBnd);
	is(caps($pid, $_), '', "while it records: $_") for qw(CapInh CapAmb);
	kill 'INT', $pid;
	is(finish($pid), 0, 'and ends as ever') or diag(slurp("$tmp/record-caps.err"));
	is(join(' ', attached()), '', 'with nothing left');
}

{
	my $pid = start_load($load, 'pipe', 100_000_000, 1);
	my ($status) = run_cmd($framewait, 'record', '-q', '--sleep-wchan', '0.001', '-d', '1', '-p', $pid, '-o',
		"$tmp/addr.fwc");
	end_load($pid);
	is($status, 0, 'sleeps are recorded, with functions');
	my ($functions, $addresses) = (0, 0);
	for (chunks(slurp("$tmp/addr.fwc"))) {
		my ($type, $payload) = @$_;
		next if $type ne 'RECS';
		# Words whose upper half is all ones: kernel addresses of both architectures.
		$addresses += grep { $_ >> 47 == 0x1ffff } unpack 'Q<*', $payload;
	}
	is($addresses, 0, 'no kernel address stands in the capture');
	for my $table (qw(states intervals thread-state d-state blocked)) {
		my ($s, $out) = run_cmd($framewait, 'report', '-t', $table, "$tmp/addr.fwc");
		next if $s;
		$functions += () = $out =~ /pipe_read\b/g;
		unlike($out, qr/\b(?:0x)?ffff[0-9a-f]{12}\b/, "nor in the table $table");
	}
	cmp_ok($functions, '>', 0, 'but the names of the functions do');
}

done_testing();
