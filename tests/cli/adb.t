#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/adb-record against a stand-in for adb (tests/lib/adb) whose device is a directory with a busybox.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

plan skip_all => 'chroot needs root' if $>;
my ($busybox) = grep { -x } '/bin/busybox', '/usr/bin/busybox';
plan skip_all => 'busybox-static is not installed' if !$busybox;
my $device = "$tmp/device";
mkdir for $device;
mkdir "$device/$_" for qw(bin tmp data data/local data/local/tmp);
system 'cp', $busybox, "$device/bin/busybox";
symlink 'busybox', "$device/bin/$_" for qw(sh id mkdir chmod rm cp echo cat);
# What Android has beside; the static recorder is played by a script that gives a capture.
for my $tool (qw(input wm insmod rmmod)) {
	spew("$device/bin/$tool", "#!/bin/sh\nexit 0\n");
	chmod 0755, "$device/bin/$tool";
}
system 'cp', "$top/tests/data/demo.fwc", "$device/demo.fwc";
spew("$tmp/recorder", <<'END');
#!/bin/sh
[ "$1" = record ] || exit 2
for word in "$@"; do echo "<$word>" >>/args; done
[ ! -f /fail ] || exit 4
cp /demo.fwc "$3"
END
chmod 0755, "$tmp/recorder";
spew("$tmp/framewait.ko", 'module');

local $ENV{ADB} = "$top/tests/lib/adb";
local $ENV{FAKE_DEVICE} = $device;
local $ENV{FRAMEWAIT} = $framewait;
local $ENV{PATH} = "/bin:/usr/bin:/sbin:/usr/sbin:$ENV{PATH}";
my @base = ("$top/scripts/adb-record", '-s', 'DEVICE1', '-b', "$tmp/recorder");

my ($status, $out, $err) = run_cmd(@base, '-o', "$tmp/out", '-L', 'off', '-k', "$tmp/framewait.ko", '--',
	'-p', "it's \$HOME *", '-d', '10');
is($status, 0, 'records') or diag($err);
is(slurp("$tmp/out/run.fwc"), slurp("$top/tests/data/demo.fwc"), 'the capture is here');
like($out, qr/^Worst frames/m, 'the summary is printed');
cmp_ok(scalar(read_csv(slurp("$tmp/out/frames.csv"))), '>', 300, 'the rows are there');
is(slurp("$device/args"), "<record>\n<-o>\n</data/local/tmp/framewait/run.fwc>\n<-p>\n<it's \$HOME *>\n<-d>\n<10>\n",
	'the options reach the recorder as they are');
my $log = slurp("$device.log");
like($log, qr/^input keyevent KEYCODE_SLEEP$/m, 'the screen was turned off');
like($log, qr/insmod .*^rmmod framewait$/ms, 'the module was loaded and unloaded');
ok(!-e "$device/data/local/tmp/framewait", 'nothing is left on the device');

($status, $out, $err) = run_cmd(@base, '-o', "$tmp/out2", '-L', 'on', '--', '--all', '-d', '1');
is($status, 0, 'records with the screen on');
like(slurp("$device.log"), qr/KEYCODE_WAKEUP; wm dismiss-keyguard$/m, 'the screen was woken');

spew("$device/fail", '');
($status, $out, $err) = run_cmd(@base, '-o', "$tmp/out3", '--', '--all');
is($status, 4, 'the recorder\'s status is this one\'s');
like($err, qr/framewait check/, 'with a hint');
ok(!-e "$device/data/local/tmp/framewait", 'nothing is left then either');
is((run_cmd(@base))[0], 2, 'nobody to record: wrong usage');
is((run_cmd("$top/scripts/adb-record", '-b', "$tmp/none", '--', '--all'))[0], 2, 'no binary: wrong usage');

done_testing();
