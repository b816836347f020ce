#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The commands that man pages show after a "#", which need root: each runs, with stand-ins for the programs beside
# framewait, and ends well when it is interrupted.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Test;
use Test::More;

need_root();
chdir $tmp or die;
mkdir 'bin';
symlink $framewait, 'bin/framewait' or die;
$ENV{PATH} = "$tmp/bin:$ENV{PATH}";
my %program = (
	'benchmark' => 'sleep 0.2',
	'watch-frames' => 'trap "" INT; cat >/dev/null',
	'bin/perfetto' => 'touch sf.pftrace',
);
for my $name (keys %program) {
	spew($name, "#!/bin/sh\n$program{$name}\n");
	chmod 0755, $name;
}

# Interrupted as from a terminal, all of the command, if it goes on: what was begun in the background too.
sub run_shown {
	my ($cmd) = @_;
	my $pid = fork() // die;
	if (!$pid) {
		setpgrp;
		open STDOUT, '>', "$tmp/out" or die;
		open STDERR, '>', "$tmp/err" or die;
		exec 'bash', '-o', 'pipefail', '-c', $cmd or exit 127;
	}
	local $SIG{ALRM} = sub { kill 'INT', -$pid };
	alarm 8;
	my $status = finish($pid);
	alarm 0;
	return $status;
}

my $n = 0;
for my $page (glob "$top/Documentation/*.1") {
	for my $cmd (map { /^# (.*)/ } split /\n/, slurp($page)) {
		$cmd =~ s{\\-}{-}g;
		$cmd =~ s{/data/\S*/}{}g;
		$n++;
		is(run_shown($cmd), 0, $page =~ s{.*/}{}r . ": $cmd") or diag(slurp("$tmp/err"));
	}
}
cmp_ok($n, '>=', 5, 'man pages show commands for root');
chdir '/';
done_testing();
