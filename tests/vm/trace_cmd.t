#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# trace-cmd records in a VM, for the machine that runs the tests may refuse it: its file, in both
# versions, and the text that it prints have the same intervals.
use strict;
use warnings;
use File::Temp ();
use FindBin;

my ($top) = $FindBin::Bin =~ m{^(.*)/tests/};
my $build = $ENV{BUILD} || "$top/build";
chomp(my $trace_cmd = `sh -c "command -v trace-cmd"`);
if (!$trace_cmd || `uname -m` !~ /x86_64/) {
	print "1..0 # SKIP trace-cmd is not installed, or is not for the VM's machine\n";
	exit 0;
}

# The program, its libraries, and what loads them.
my $dir = File::Temp->newdir('framewait-vm-XXXXXX', TMPDIR => 1);
my @put = ("$build/framewait-static", $trace_cmd, "$top/tests/vm/guest/lib.sh");
for (`ldd $trace_cmd`) {
	my ($path) = m{(/\S+) \(0x} or next;
	my ($name) = m{^\s*(?:/\S+/)?([^/\s]+)};
	$name = 'ld.so' if $name =~ /^ld-linux/;
	system('cp', '-L', $path, "$dir/$name") == 0 or die "$path: cannot copy";
	push @put, "$dir/$name";
}
my $status = system "$top/scripts/vm", '-m', '-t', $ENV{VM_SECONDS} || 400, (map { ('-f', $_) } @put), "$build/vm/6.1-amd64",
	"$top/tests/vm/guest/trace_cmd.sh";
exit($status ? 1 : 0);
