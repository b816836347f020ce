#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What all commands share: --help, completion, defaults from files and the environment, manual pages.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

chdir $top or die;
my ($status, $out, $err) = run_cmd($framewait, '--help');
is($status, 0, '--help');
my @commands = $out =~ /^  ([a-z]+) /mg;
cmp_ok(scalar @commands, '>=', 9, 'it lists the commands');
my %options;
for my $cmd (@commands) {
	($status, $out, $err) = run_cmd($framewait, $cmd, '--help');
	is("$status$err", '0', "$cmd --help");
	is(join("\n", grep { length > 80 } split /\n/, $out), '', "$cmd --help: 80 columns");
	like($out, qr/^Examples:\n  \S/m, "$cmd --help has examples");
	$options{$cmd} = [$out =~ /^  (?:-\w, |    )--([a-z-]+)/mg];
	ok(-f "Documentation/framewait-$cmd.1", "$cmd has a manual page");
	my $page = slurp("Documentation/framewait-$cmd.1") =~ s{\\-}{-}gr;
	is(join(' ', grep { $page !~ /Fl Fl \Q$_\E\b/ } grep { !/^(?:help|quiet|verbose)$/ }
		@{ $options{$cmd} }), '', "$cmd: its manual page has all options");
	is((run_cmd($framewait, $cmd, '--no-such'))[0], 2, "$cmd --no-such: wrong usage");
}

# Completion: bash itself is asked.
sub bash {
	my @words = @_;
	my $n = $#words;
	my $script = "source <($framewait completion bash); COMP_WORDS=(" .
		join(' ', map { "'$_'" } @words) . "); COMP_CWORD=$n; _framewait; printf '%s\\n' \"\${COMPREPLY[\@]}\"";
	return join ' ', split /\n/, (run_cmd('bash', '-c', $script))[1];
}
is(bash('framewait', 'rep'), 'report', 'bash completes a command');
for my $cmd (@commands) {
	my %got = map { $_ => 1 } split ' ', bash('framewait', $cmd, '--');
	is(join(' ', grep { !$got{"--$_"} } @{ $options{$cmd} }), '', "bash completes the options of $cmd");
}
is(bash('framewait', 'record', '--fences', ''), 'targets all', 'bash completes an argument');
like(bash('framewait', 'report', '-t', 'thread-s'), qr/^thread-state$/, 'and a table');
spew("$tmp/a.fwc", '');
is(bash('framewait', 'report', "$tmp/a"), "$tmp/a.fwc", 'and a file');

SKIP: {
	skip 'zsh is not installed', 2 if system 'command -v zsh >/dev/null 2>&1';
	spew("$tmp/_framewait", (run_cmd($framewait, 'completion', 'zsh'))[1]);
	is((run_cmd('zsh', '-n', "$tmp/_framewait"))[0], 0, 'zsh takes its completion');
	($status, $out, $err) = run_cmd('zsh', '-f', '-c', <<"END");
autoload -U compinit; compinit -u -D
_arguments() { print -rl -- "\$@" }
source $tmp/_framewait
words=(framewait record --); CURRENT=3
_framewait
END
	is(join(' ', grep { $out !~ /--\Q$_\E[=\[]/ } @{ $options{record} }), '',
		'zsh gets the options of record') or diag($err);
}

# Defaults. --verbose says what was taken; wrong targets end before anything is loaded.
sub record {
	my ($env, @args) = @_;
	local @ENV{'HOME', 'XDG_CONFIG_HOME'} = ("$tmp/home", "$tmp/xdg");
	delete local $ENV{FRAMEWAIT_CONFIG};
	local @ENV{keys %$env} = values %$env;
	return run_cmd($framewait, 'record', '-v', @args, '--sf-config');
}
mkdir "$tmp/$_" for qw(home xdg xdg/framewait home/.config home/.config/framewait);
spew("$tmp/xdg/framewait/config", "# mine\n\n  process =  com.example.app \r\nbuffer=64\n");
($status, $out, $err) = record({});
is($status, 0, 'the user\'s file is read');
like($err, qr{xdg/framewait/config:3: process = com\.example\.app\n}, 'a target from it');
like($err, qr{xdg/framewait/config:4: buffer = 64\n}, 'the buffer from it');
($status, $out, $err) = record({ FRAMEWAIT_UID => '0', FRAMEWAIT_BUFFER => '8' });
unlike($err, qr/process =/, 'targets of the environment take the place of the file\'s');
like($err, qr/FRAMEWAIT_UID: uid = 0\n/, 'and are said');
like($err, qr/FRAMEWAIT_BUFFER: buffer = 8\n/, 'a value of the environment comes later');
is((record({}, $_))[0], 0, "$_ is an option") for '--duration=.5', '--duration=1.5';
is((record({}, $_))[0], 2, "$_ is wrong usage") for '--duration=.', '--duration=', '--duration=0', '--duration=0x10', '--comm=', '--process=';
unlike((record({}, $_))[2], qr/process =/, "$_ takes the place of configured targets") for '--all', '--uid=0';
unlike((run_cmd($framewait, 'report', '-v', '--help'))[2], qr/process/, 'report has no targets');
($status, $out, $err) = record({ FRAMEWAIT_CONFIG => '' });
is($err, '', 'FRAMEWAIT_CONFIG= reads none');
for (['bufer = 3', qr/config:1: bufer is no key/], ["\n\nbuffer", qr/config:3: expected key = value/],
	['buffer = ', qr/config:1: buffer has no value/], ['format = csv', qr/format is no key/],
	["buffer = x", qr/config:1: --buffer x: expected a number/], ['all = maybe', qr/config:1: all maybe: expected yes or no/]) {
	my ($text, $expected) = @$_;
	spew("$tmp/xdg/framewait/config", $text);
	($status, $out, $err) = record({});
	is($status, 2, "wrong: $text");
	like($err, $expected, 'is said with its line');
}
is((run_cmd($framewait, 'record', '--help'))[0], 0, 'a wrong file does not hide the help');
unlink "$tmp/xdg/framewait/config";
is((record({ FRAMEWAIT_CONFIG => "$tmp/none" }))[0], 2, 'a file that was asked for must be there');
{
	local $ENV{FRAMEWAIT_CONFIG} = "$tmp/roles";
	spew("$tmp/roles", "role = render=NoSuchThread\n");
	my $demo = 'tests/data/demo.pftrace';
	my ($plain) = read_csv((run_cmd($framewait, 'report', $demo, '-f', 'csv', '-r', 'render=RenderThread'))[1]);
	my ($none) = read_csv((run_cmd($framewait, 'report', $demo, '-f', 'csv'))[1]);
	is($none->{render_running_ms}, '', 'a configured role is used');
	isnt($plain->{render_running_ms}, '', 'the command line prevails');
	is((run_cmd($framewait, 'report', $demo, '-t', 'thread-state'))[0], 0, 'a configured role is no option that was given');
}

# A terminal: colours and progress are for it alone.
{
	my ($s, $o, $e) = run_cmd($framewait, 'report', 'tests/data/demo.pftrace');
	unlike($o . $e, qr/\033/, 'no escape sequences where there is no terminal');
}

done_testing();
