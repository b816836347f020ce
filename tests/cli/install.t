#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# make install puts the program and its manual pages where PREFIX and DESTDIR say.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

chdir $top or die;
delete $ENV{MAKEFLAGS};
my $build = $ENV{BUILD} || 'build';
is(system("make -s install BUILD=$build DESTDIR=$tmp/root PREFIX=/usr >$tmp/log 2>&1"), 0,
	'make install') or diag(slurp("$tmp/log"));
my ($status, $out) = run_cmd("$tmp/root/usr/bin/framewait", '--version');
is($status, 0, 'the installed program runs');
like($out, qr/^framewait \d/, 'and says its version');
my @pages = sort map { m{([^/]+)$} } glob 'Documentation/*.[15]';
is(join(' ', sort map { m{([^/]+)$} } glob "$tmp/root/usr/share/man/man[15]/*"), "@pages",
	'all manual pages are there');
for (['bash', 'share/bash-completion/completions/framewait'], ['zsh', 'share/zsh/site-functions/_framewait']) {
	my ($shell, $path) = @$_;
	is(slurp("$tmp/root/usr/$path"), (run_cmd($framewait, 'completion', $shell))[1], "completion of $shell");
}
ok(-f "$tmp/root/usr/include/framewait/capture.h", 'the headers of a capture');
ok(-f "$tmp/root/usr/share/doc/framewait/semantics.rst", 'the documentation');

SKIP: {
	skip 'not a git checkout', 2 if system 'git rev-parse --git-dir >/dev/null 2>&1';
	is(system("make -s dist BUILD=$tmp/dist >$tmp/log 2>&1"), 0, 'make dist') or
		diag(slurp("$tmp/log"));
	like(scalar `tar tzf $tmp/dist/framewait.tar.gz`, qr{^framewait/Makefile$}m,
		'the archive has one directory of its name');
}

done_testing();
