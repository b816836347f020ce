# SPDX-License-Identifier: GPL-2.0-or-later
# Tests that run in a VM: several parts in one boot, their TAP made one.
package Framewait::VM;
use strict;
use warnings;
use Exporter 'import';
use File::Temp ();
use FindBin;

our @EXPORT = qw(vm_test);

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

# vm_test(KERNEL, [PART...], FILE...): parts are in tests/vm/guest, with an argument after a colon.
sub vm_test {
	my ($kernel, $parts, @files) = @_;
	my $programs = $kernel =~ /arm64/ ? "$build/arm64" : $build;
	my %plan = (part => '', got => 0, want => undef);
	my %left = map { s/:.*//r => 1 } @$parts;

	# Debug information only makes loading slow.
	my $ko = "$build/kmod/$kernel/kmod/framewait.ko";
	my $dir = File::Temp->newdir('framewait-vm-XXXXXX', TMPDIR => 1);
	my $strip = $kernel =~ /arm64/ && `uname -m` !~ /aarch64/ ? 'aarch64-linux-gnu-strip' : 'strip';
	system($strip, '--strip-debug', '-o', "$dir/framewait.ko", $ko) == 0 or die "$ko: cannot strip";
	my @put = ("$dir/framewait.ko", glob("$top/tests/vm/guest/*.sh"), @files);
	for my $source (glob "$top/tests/vm/*.c") {
		my ($name) = $source =~ m{([^/]+)\.c$};
		push @put, "$programs/tests/vm/$name";
	}
	push @put, "$programs/framewait-static";
	local $| = 1;
	open my $vm, '-|', "$top/scripts/vm", '-t', $ENV{VM_SECONDS} || 590, (map { ('-f', $_) } @put), "$build/vm/$kernel",
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
