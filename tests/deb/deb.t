#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# make deb, then in a clean Debian 12: install, use, build the module by dkms, remove, and nothing is left.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

chdir $top or die;
delete @ENV{qw(MAKEFLAGS MFLAGS)};
plan skip_all => 'chroot needs root' if $>;
for my $tool (qw(dpkg-buildpackage dh debootstrap unshare)) {
	plan skip_all => "$tool is not installed" if system "command -v $tool >/dev/null 2>&1";
}
my $build = $ENV{BUILD} || "$top/build";
my $log = "$tmp/log";
ok(system("scripts/deb >$log 2>&1") == 0, 'scripts/deb') or diag(slurp($log)), done_testing(), exit;
my @debs = glob "$build/deb/framewait_*.deb $build/deb/framewait-dkms_*.deb";
is(scalar @debs, 2, 'two packages');

my $in = "$build/deb/in";
system 'rm', '-rf', $in;
mkdir $in;
system 'cp', @debs, 'tests/data/demo.pftrace', $in;
spew("$tmp/script", <<'END');
set -e
# What depmod makes of the modules that there are is no package's.
before() { find / -xdev \( -path '/usr/lib/modules/*/modules.*' -o -path /proc -o -path /in -o -path /var -o -path /tmp -o -path '/etc/*-' \) -prune -o -print | sort; }
before >/tmp/before
export DEBIAN_FRONTEND=noninteractive
dpkg -i /in/framewait_*.deb && echo installed
dpkg -i /in/framewait-dkms_*.deb && echo dkms-installed
framewait --version
framewait report /in/demo.pftrace -o /tmp/out && echo "rows $(wc -l </tmp/out/frames.csv)"
man framewait-report >/tmp/page && [ -s /tmp/page ] && echo man
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader framewait; complete -p framewait'
version=$(basename /lib/modules/*)
dkms status framewait | grep -q "$version" ||
	dkms build framewait/"$(dkms status framewait | sed 's/^[^0-9]*\([0-9.]*\).*/\1/')" -k "$version" >/tmp/dkms 2>&1 ||
	{ cat /tmp/dkms /var/lib/dkms/framewait/*/build/make.log; exit 1; }
dkms status framewait
dpkg -P framewait framewait-dkms && echo removed
before >/tmp/after
diff /tmp/before /tmp/after && echo nothing-left
END
my ($status, $out, $err) = run_cmd('scripts/clean-chroot', "$build/deb", "$tmp/script");
is($status, 0, 'the clean Debian runs') or diag("$out\n$err");
like($out, qr/^$_$/m, $_) for qw(installed dkms-installed man removed nothing-left);
like($out, qr/^framewait \d/m, 'it says its version');
my $rows = () = (run_cmd($framewait, 'report', 'tests/data/demo.pftrace', '-f', 'csv'))[1] =~ /\n/g;
like($out, qr/^rows $rows$/m, 'it reads a recording');
like($out, qr/^complete .*_framewait framewait$/m, 'bash finds the completion');
like($out, qr/^framewait\/\S+, 6\.1\.\S+, \S+: (?:built|installed)$/m, 'dkms builds the module');

done_testing();
