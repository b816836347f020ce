# SPDX-License-Identifier: GPL-2.0-or-later
# Tests that run in a VM: several parts in one boot, their TAP made one.
package Framewait::VM;
use strict;
use warnings;
use Exporter 'import';
use File::Temp ();
use FindBin;

our @EXPORT = qw(vm_test @live);

# Those of tests/live that say something about a kernel. The others judge frames by the length of what was injected
# (framesim, candidates, animations, demo, bench; framesim itself runs as part fences), or what the program
# makes of streams, files and rights on any kernel (sf, atrace, follow, examples, security).
our @live = map { "live:$_" } qw(ends frames ftrace loss sums views workloads);

my ($top) = $FindBin::Bin =~ m{^(.*)/tests/};
my $build = $ENV{BUILD} || "$top/build";
my $n = 0;
my $failed = 0;

sub result {
	my ($held, $what) = @_;
	$n++;
	$failed++ unless $held;
	print $held ? '' : 'not ', "ok $n - $what\n";
}

sub copy {
	my ($to, @from) = @_;
	system('mkdir', '-p', $to) == 0 && system('cp', '-a', @from, $to) == 0 or die "$to: cannot copy";
}

# Debug information only makes loading slow.
sub stripped_module {
	my ($kernel, $dir) = @_;
	my $cross = $kernel =~ /arm64/ && `uname -m` !~ /aarch64/ ? 'aarch64-linux-gnu-' : '';
	my $ko = "$build/kmod/$kernel/kmod/framewait.ko";
	system("${cross}strip", '--strip-debug', '-o', "$dir/framewait.ko", $ko) == 0 or die "$ko: cannot strip";
}

# What is below / of the VM: the programs and the scripts of the parts in /t.
sub stage {
	my ($kernel) = @_;
	my $programs = $kernel =~ /arm64/ ? "$build/arm64" : $build;
	my $root = File::Temp->newdir('framewait-vm-XXXXXX', TMPDIR => 1);
	copy("$root/t", "$programs/framewait-static", glob("$top/tests/vm/guest/*.sh"),
		map { m{([^/]+)\.c$} && "$programs/tests/vm/$1" } glob "$top/tests/vm/*.c");
	stripped_module($kernel, "$root/t");
	return $root;
}

# vm_test(KERNEL, [PART...]): parts are in tests/vm/guest, with an argument after a colon.
sub vm_test {
	my ($kernel, $parts) = @_;
	my $arch = $kernel =~ /arm64/ ? 'arm64' : 'amd64';
	my $programs = $arch eq 'arm64' ? "$build/arm64" : $build;
	my $root = stage($kernel);

	# Parts in perl need perl, and what tests on this machine have.
	if (grep { /^(?:live|faults|fences|stream)/ } @$parts) {
		copy("$root/t/tests/vm", glob "$top/tests/vm/guest/*.pl");
		copy("$root/t/tests/live", glob "$top/tests/live/*.t");
		copy("$root/t/tests/lib", "$top/tests/lib/Framewait");
		copy("$root/t/build/tests/live", map { "$programs/tests/vm/live/$_" } qw(load ftrace));
		copy("$root/t", "$programs/framesim-static");
		copy("$root", glob "$build/vm/guest-$arch/*");
	}
	boot($kernel, $root, $parts);
}

sub boot {
	my ($kernel, $root, $parts) = @_;
	my %plan = (part => '', got => 0, want => undef);
	my %left = map { $_ => 1 } @$parts;

	local $| = 1;
	open my $vm, '-|', "$top/scripts/vm", '-t', $ENV{VM_SECONDS} || 1500, '-d', $root, "$build/vm/$kernel",
		"$top/tests/vm/guest/all.sh", @$parts
		or die "scripts/vm: $!";
	while (my $line = <$vm>) {
		if ($line =~ /^# part (\S+)/) {
			%plan = (part => $1, got => 0, want => undef);
		} elsif ($line =~ /^# end (\S+) (\d+)/) {
			delete $left{$1};
			result($2 == 0 && defined $plan{want} && $plan{want} == $plan{got},
				"$kernel: $1 ends with status $2 and its $plan{got} checks");
		} elsif ($line =~ /^(not )?ok \d+(?: - )?(.*)/) {
			$plan{got}++;
			result(!$1, "$kernel: $plan{part}: $2");
		} elsif ($line =~ /^1\.\.0 # SKIP (.*)/) {
			result(0, "$kernel: $plan{part}: nothing is left out here: $1");
		} elsif ($line =~ /^1\.\.(\d+)/) {
			$plan{want} = $1;
		} else {
			print "# $line" =~ s/^# # /# /r;
		}
	}
	close $vm;
	result($? == 0, "$kernel: the VM ends by itself");
	result(!%left, "$kernel: every part ran" . join '', map { ", but not $_" } sort keys %left);
	print "1..$n\n";
	exit($failed ? 1 : 0);
}

1;
