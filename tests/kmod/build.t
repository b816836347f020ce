#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# How framewait.ko builds: without a word of the compiler (W=1) or of sparse (C=2), with the symbols that
# a GKI kernel exports, and inside a kernel tree.
use strict;
use warnings;
use Framewait::Test;
use Test::More;

my $build = $ENV{BUILD} || "$top/build";
my @kernels = qw(6.1-amd64 6.12-amd64 6.1-arm64 7-amd64);

sub symbols
{
	my ($ko) = @_;

	return map { /^\s+[Uw] (\S+)/ ? $1 : () } split /\n/, `nm -u '$ko'`;
}

my %allowed;
for (split /\n/, slurp("$top/kmod/symbols")) {
	$allowed{$2} = $1 if /^(listed|debian)\*?\s+(\S+)$/;
}
ok(keys %allowed > 50, 'kmod/symbols is read');

for my $k (@kernels) {
	if ($k =~ /^7/ && $>) {
		SKIP: { skip "$k: its compiler runs by chroot, which needs root", 2 }
		next;
	}
	my $ko = "$build/kmod/$k/kmod/framewait.ko";
	my $log = slurp("$build/kmod/$k.log");

	# That no BTF can be made without a vmlinux is no complaint about the code.
	$log =~ s/^(?:Skipping BTF generation .*|make\S*: .*)\n//mg;
	is($log, '', "$k: nothing to say under " . ($k =~ /^7/ ? 'W=1' : 'W=1 C=2'));
	my @unknown = grep { !$allowed{$_} } symbols($ko);
	is("@unknown", '', "$k: no symbol beside those of kmod/symbols");
}
like(`readelf -SW '$build/kmod/6.12-amd64/kmod/framewait.ko'`, qr/ \.BTF /, '6.12: with BTF');

# As for a kernel with trimmed exports.
my ($status, $out, $err) = run_cmd("$top/scripts/kmod-build", "$build/vm/6.1-arm64/headers",
	"$build/kmod/trimmed", 'KCFLAGS=-DFW_COMPAT_TRIMMED');
is($status, 0, 'it builds for trimmed exports') or diag($out, $err);
ok(!grep({ $_ eq 'dma_fence_signal_timestamp' } symbols("$build/kmod/trimmed/kmod/framewait.ko")),
	'and does without what they lack');

# In a kernel tree: its Kconfig sources ours, its Makefile descends into this directory.
my $tree = "$tmp/tree";
system('mkdir', '-p', "$tree/drivers") == 0 or die;
system("cd '$top' && cp -r Kconfig Kbuild kmod include '$tree/drivers/'") == 0 or die;
rename "$tree/drivers", "$tree/framewait";
spew("$tree/Kconfig", <<'EOK');
config MODULES
	def_bool y
	modules
config TRACEPOINTS
	def_bool y
config KPROBES
	def_bool y
config STACKTRACE
	def_bool y
config SYNC_FILE
	bool
source "framewait/Kconfig"
EOK
spew("$tree/.config", "CONFIG_FRAMEWAIT=m\n# CONFIG_FRAMEWAIT_BLOCKED_REASON is not set\n");
my $headers = "$build/vm/6.12-amd64/headers";
system("cd '$tree' && srctree=. KERNELVERSION=6.12 '$headers/scripts/kconfig/conf' --olddefconfig Kconfig "
	. ">'$tmp/conf' 2>&1");
is($?, 0, "a kernel's kconfig takes the Kconfig") or diag(slurp("$tmp/conf"));
my $config = slurp("$tree/.config");
like($config, qr/^CONFIG_FRAMEWAIT=m$/m, 'the module is chosen');
like($config, qr/^CONFIG_FRAMEWAIT_SYNC_FILE=y$/m, 'its parts are by default');
like($config, qr/^# CONFIG_FRAMEWAIT_BLOCKED_REASON is not set$/m, 'and can be left out');
like($config, qr/^CONFIG_SYNC_FILE=y$/m, 'what it needs is selected');
spew("$tree/Kbuild", "obj-y += framewait/\n");
my @options = map { /^(CONFIG_FRAMEWAIT\S*)=([ym])$/ ? "$1=$2" : () } split /\n/, $config;
my $defines = join ' ', map { /(.*)=y/ ? "-D$1=1" : () } @options;
($status, $out, $err) = run_cmd('make', '-s', '-C', $headers, "M=$tree", @options, "KCFLAGS=$defines",
	'modules');
is($status, 0, "a kernel's kbuild takes the tree") or diag($out, $err);
ok(-e "$tree/framewait/kmod/framewait.ko", 'and makes the module');
ok(!-e "$tree/framewait/kmod/blocked.o" && -e "$tree/framewait/kmod/sync_file.o",
	'of the chosen parts');

# What module.rst shows to type is run: make here, the others in the VMs. dkms.conf has a command too.
my ($section) = slurp("$top/Documentation/module.rst") =~ /^Build and load\n(.*?)^Android kernels/ms;
my %runs = (
	'make kmod' => '',
	'insmod build/kmod/this/kmod/framewait.ko' => 'insmod framewait.ko',
	'framewait check' => './framewait-static check',
);
is(join(', ', sort map { /^\t(\S.*)/ } split /\n/, $section), join(', ', sort keys %runs), 'module.rst: what it shows');
my $guest = join '', map { slurp($_) } glob "$top/tests/vm/guest/*.sh";
ok(index($guest, $runs{$_}) >= 0, "module.rst: $_: run") for sort keys %runs;
($status, $out, $err) = run_cmd('make', '-s', '-C', $top, 'kmod', "KDIR=$headers", "BUILD=$tmp/own");
is($status, 0, 'make kmod KDIR=') or diag($out, $err);
ok(-e "$tmp/own/kmod/this/kmod/framewait.ko", 'makes the module');
my $source = "$tmp/dkms/framewait/1/build";
system('mkdir', '-p', $source) == 0 or die;
system("cd '$top' && cp -r Kconfig Kbuild kmod include dkms.conf '$source/'") == 0 or die;
spew("$tmp/dkms.sh", <<"EOS");
dkms_tree=$tmp/dkms
kernel_source_dir=$headers
. $source/dkms.conf
\${MAKE[0]} && test -e "$source/\${BUILT_MODULE_LOCATION[0]}/\${BUILT_MODULE_NAME[0]}.ko"
EOS
($status, $out, $err) = run_cmd('bash', "$tmp/dkms.sh");
is($status, 0, 'the command in dkms.conf makes the module where it says') or diag($out, $err);
done_testing();
