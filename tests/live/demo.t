#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What make demo runs after the build: live as root, and from the recording in the tree for others.
use strict;
use warnings;
use File::Copy qw(copy);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Sim;
use Framewait::Test;
use Test::More;

need_root();

# A tree of its own: the demo writes into the build directory and the top of the tree.
my $tree = "$tmp/tree";
mkdir "$tree$_" or die for '', qw(/scripts /tests /tests/data /build);
copy("$top/tests/data/demo.fwc", "$tree/tests/data/demo.fwc") or die;
spew("$tree/scripts/demo", slurp("$top/scripts/demo"));
copy($framewait, "$tree/build/framewait") or die;
copy($framesim, "$tree/build/framesim") or die;
chmod 0755, "$tree/build/framewait", "$tree/build/framesim";

$ENV{BUILD} = 'build';
my @wrong = (
	[30, 'ui_running_ms'], [50, 'ui_preempted_ms'], [70, 'render_runnable_ms'], [90, 'ui_blocked_nonio_ms'],
	[110, 'ui_blocked_io_ms'], [130, 'producer_fence_wait_ms']
);

sub check_demo {
	my ($name, $out) = @_;
	like($out, qr/^Frames: 18\d of layers, 1\d\d of the screen$/m, "$name: the summary of its frames");
	like($out, qr/^Worst frames/m, "$name: with the worst of them");
	my @frames = grep { $_->{kind} eq 'surface' } read_csv(slurp("$tree/frames.csv"));
	cmp_ok(scalar @frames, '>=', 180, "$name: frames.csv has a row for each frame");
	my %frame;
	$frame{ $_->{frame_number} } //= $_ for grep { $_->{frame_number} ne '' } @frames;
	for (@wrong) {
		my ($n, $column) = @$_;
		cmp_ok($frame{$n}{$column} // 0, '>=', 29, "$name: frame $n has its 30 ms in $column");
	}
	is((grep { $_->{present_type} eq 'Dropped Frame' && $_->{frame_number} eq 160 } @frames), 1,
		"$name: frame 160 was dropped");
	like(slurp("$tree/report.html"), qr/<title>framewait/, "$name: and the page");
}

{
	my ($status, $out, $err) = run_cmd('bash', "$tree/scripts/demo");
	is($status, 0, 'live: it ends well') or diag($err);
	unlike($out, qr/Nothing is recorded/, 'live: it recorded');
	like($out, qr/^frame 110: io_wait: [\d.]+ ms in ui_blocked_io_ms/m, 'live: framesim says what it did');
	check_demo('live', $out);
	unlink "$tree/frames.csv", "$tree/report.html", "$tree/build/demo.fwc", "$tree/build/demo-check.txt";
}

# Without the right to load BPF programs.
{
	chmod 0755, $tmp;
	system('chmod', '-R', 'a+rwX', $tree) == 0 or die;
	my ($status, $out, $err) =
		run_cmd('setpriv', '--reuid', 65534, '--regid', 65534, '--clear-groups', 'bash', "$tree/scripts/demo");
	is($status, 0, 'not root: it ends well') or diag($err);
	like($out, qr/^Nothing is recorded live: .*\w/m, 'not root: it says why nothing is recorded');
	check_demo('not root', $out);
}
done_testing();
