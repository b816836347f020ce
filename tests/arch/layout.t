#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The house rules that a machine can see: one-way layers, licences, format, sizes, no foreign paths.
use strict;
use warnings;
use FindBin;
use Test::More;

chdir "$FindBin::Bin/../.." or die;
plan skip_all => 'not a git checkout' if system('git rev-parse --git-dir >/dev/null 2>&1');

my @files = grep { -f } split /\0/, `git ls-files -z`;
my @sources = grep { /\.[ch]$/ } @files;

sub slurp {
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!";
	local $/;
	return scalar <$in> // '';
}

sub none {
	my ($what, @bad) = @_;
	ok(!@bad, $what) or diag(join "\n", splice @bad, 0, 20);
}

# Which directories of user/ each one may include, besides itself.
my %may = (
	base   => [],
	input  => [qw(base)],
	live   => [qw(base)],
	model  => [qw(base input live)],
	frame  => [qw(base input live model)],
	table  => [qw(base input live model)],
	metrics => [qw(base input live model frame table)],
	output => [qw(base input live model frame table metrics)],
	cmd    => [qw(base input live model frame table metrics output)],
);
my @wrong;
for my $path (grep { m{^user/\w+/} } @sources) {
	my ($layer) = $path =~ m{^user/(\w+)/};
	if (!$may{$layer}) {
		push @wrong, "$path: user/$layer is no layer of the house";
		next;
	}
	my %allowed = map { $_ => 1 } $layer, @{ $may{$layer} };
	for (slurp($path) =~ m{^\s*#\s*include\s*"([^"]+)"}mg) {
		my ($dir) = m{^(\w+)/} or next;
		push @wrong, "$path includes $_" if $may{$dir} && !$allowed{$dir};
		push @wrong, "$path includes $_: not from user/" if m{\.\.};
	}
}
none('user/: each layer includes only those to its left', @wrong);

# One mistake must not hide another.
none('the generator shares no code with the program',
	grep { m{^tests/gen/} && slurp($_) =~ m{#include "(base|input|model|frame|output)/} } @sources);

my @needs_licence = grep { m{\.(c|h|pl|pm|t|sh|rst|1)$} || m{(^|/)(Makefile|Kbuild|Kconfig)$} ||
	m{^(scripts|\.ci)/} } @files;
none('an SPDX line stands at the top of each file', grep {
	my $head = join "\n", (split /\n/, substr(slurp($_), 0, 400))[0 .. 2];
	$head !~ m{SPDX-License-Identifier: GPL-2\.0(-or-later|-only)?\b};
} @needs_licence);
none('bpf/ and kmod/ are GPL-2.0, everything else GPL-2.0-or-later', grep {
	my ($id) = substr(slurp($_), 0, 400) =~ m{SPDX-License-Identifier: (\S+)};
	defined $id && ($id eq 'GPL-2.0-or-later') == !!m{^(bpf|kmod)/};
} @needs_licence);

# Spelled in parts, so that this file does not find itself.
my $foreign = join '|', map { quotemeta } '/wo' . 'rk/', '/.lib' . 'rary/', 'deb.deb' . 'ian.org',
	'security.deb' . 'ian.org', 'registry.npm' . 'js.org', 'pypi.' . 'org', 'crates.' . 'io';
none('no path of one machine and no host of a registry', grep { slurp($_) =~ /$foreign/ } @files);

my $open = join '|', 'TO' . 'DO', 'FIX' . 'ME', 'X' . 'XX', 'HA' . 'CK';
none('nothing is left open in the code',
	grep { !m{^LICENSES/} && slurp($_) =~ /\b(?:$open)\b/ } @files);
none('the programs start no shell',
	grep { m{^(user|bpf|kmod)/} && slurp($_) =~ m{\b(?:system|popen|wordexp)\s*\(|/bin/sh\b} } @files);
none('no source is over 1,000 lines',
	grep { (() = slurp($_) =~ /\n/g) > 1000 }
	grep { !m{^LICENSES/} && !m{^tests/data/} && $_ ne 'Documentation/columns.rst' } @files);
none('no tracked file is over 2 MiB', grep { -s $_ > 2 << 20 } @files);
none('text files end in a newline, without trailing blanks or CR', grep {
	my $text = slurp($_);
	$text !~ /\0/ && !m{^LICENSES/} && length $text &&
		($text !~ /\n\z/ || $text =~ /[ \t]$/m && !m{\.(patch|md)$} || $text =~ /\r/);
} grep { !m{^tests/data/} && !m{\.gz$} } @files);

SKIP: {
	my $tool = (grep { !system "command -v $_ >/dev/null 2>&1" } 'clang-format-14', 'clang-format')[0];
	skip 'clang-format 14 is not installed', 1
		if !$tool || `$tool --version` !~ /version 14\./;
	my $said = `scripts/format --check 2>&1`;
	is($?, 0, 'the sources are formatted as .clang-format says') or
		diag(join "\n", (split /\n/, $said)[0 .. 20]);
}

SKIP: {
	skip 'no recordings to compare with', 1 if !-d '../shared/traces';
	my %theirs = map { /^(\S+)/; ($1 => 1) }
		`find ../shared -type f -size +100c -print0 | xargs -0 sha256sum`;
	my @sums = `git ls-files -z | xargs -0 sha256sum`;
	none('no file of the shared folder was copied in', grep { /^(\S+)/; $theirs{$1} } @sums);
}

done_testing();
