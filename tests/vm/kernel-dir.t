#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/vm with a kernel tree of one's own, as a build leaves it: image, modules, output and status.
use strict;
use warnings;
use Framewait::Test;
use Test::More;

my $build = $ENV{BUILD} || "$top/build";
my $from = "$build/vm/6.12-amd64";
my $tree = "$tmp/tree";
system('mkdir', '-p', "$tree/arch/x86/boot") == 0 or die;
system('cp', '-L', "$from/vmlinuz", "$tree/arch/x86/boot/bzImage") == 0 or die;
symlink "$from/lib", "$tree/lib" or die;
spew("$tmp/script", <<'EOS');
uname -r
ls modules | tr '\n' ' '; echo
insmod framewait.ko && ls /dev/framewait
./framewait-static check | grep '^yes *module'
echo "arguments: $*"
exit 7
EOS
my ($status, $out, $err) = run_cmd("$top/scripts/vm", '-f', "$build/kmod/6.12-amd64/kmod/framewait.ko",
	'-f', "$build/framewait-static", $tree, "$tmp/script", 'one', 'two words');
is($status, 7, "the status is the script's") or diag($err);
my $version = slurp("$from/version");
like($out, qr/^\Q$version\E/, 'the kernel of the tree runs');
like($out, qr/\bvgem\.ko\b/, 'its modules are there');
like($out, qr{^/dev/framewait$}m, 'and one from beside it loads');
like($out, qr/^yes\s+module\b/m, 'and framewait knows it');
like($out, qr/^arguments: one two words$/m, 'arguments reach the script');

($status, $out, $err) = run_cmd("$top/scripts/vm", $tmp, "$tmp/script");
is($status, 98, 'a directory without a kernel is refused');
like($err, qr/no kernel image/, 'and it says why');
done_testing();
