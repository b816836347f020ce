#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The documentation: man pages are clean, every command in it runs, and what comes from the program
# is what the program says.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

chdir $top or die;
my @pages = glob 'Documentation/*.[15]';
my @texts = ('README.md', glob 'Documentation/*.rst');

SKIP: {
	skip 'mandoc is not installed', scalar @pages if system 'command -v mandoc >/dev/null 2>&1';
	for my $page (@pages) {
		my @said = grep { !/: referenced manual not found: Xr (framewait\S*) ([15])/ ||
			!-f "Documentation/$1.$2" } `mandoc -Tlint $page 2>&1`;
		is(join('', @said), '', "mandoc -Tlint $page");
	}
}

# $ framewait ... and $ make ... in the texts; a line of a man page has .Dl before it.
my (%seen, @commands, @makes);
for my $path (@texts, @pages) {
	next if !-f $path;
	for (split /\n/, slurp($path)) {
		next if !/^(?:\.Dl )?\s*\$ ((?:framewait|make)\b.*)/;
		my $cmd = $1 =~ s{\\-}{-}gr;
		next if $seen{$cmd}++;
		push @{ $cmd =~ /^make/ ? \@makes : \@commands }, [$path, $cmd];
	}
}
cmp_ok(scalar @commands, '>=', 5, 'the texts show commands');

# The examples of --help too.
for my $name (`$framewait --help` =~ /^  ([a-z]+) /mg) {
	for my $cmd (`$framewait $name --help` =~ /^  \$ (framewait .*)/mg) {
		push @commands, ["$name --help", $cmd] if !$seen{$cmd}++;
	}
}

# They run where the demo recording lies under the names that the texts use.
my $dir = "$tmp/docs";
mkdir $dir or die;
my $demo = slurp("$top/tests/data/demo.pftrace");
spew("$dir/$_", $demo) for 'demo.pftrace', 'recording.pftrace';
mkdir "$dir/build";
spew("$dir/build/demo.fwc", slurp("$top/tests/data/demo.fwc"));
mkdir "$dir/bin";
symlink $framewait, "$dir/bin/framewait" or die;
$ENV{PATH} = "$dir/bin:$ENV{PATH}";
for (@commands) {
	my ($path, $cmd) = @$_;
	my $status = system "cd $dir && { $cmd; } >out.txt 2>err.txt";
	ok($status == 0, "$path: $cmd") or diag(slurp("$dir/err.txt"));
	ok(-s "$dir/out.txt" || $cmd =~ / -o /, "$path: $cmd: says something");
}

my $makefile = slurp('Makefile');
for (@makes) {
	my ($path, $cmd) = @$_;
	my @targets = grep { !/=/ } split ' ', $cmd =~ s/^make\s*//r;
	ok(!(grep { my $t = $_; $makefile !~ /^\Q$t\E:/m } @targets), "$path: $cmd: is a target");
}

for my $word ('make demo', 'make check') {
	like(slurp('README.md'), qr/^\$ \Q$word\E$/m, "README.md names $word");
}

# The screen in README.md is what the program prints; "..." stands for lines left out.
my ($screen) = slurp('README.md') =~ /^```\n(build\/demo\.fwc: .*?)^```$/ms;
system "cd $dir && framewait report build/demo.fwc >screen.txt";
my @printed = split /\n/, slurp("$dir/screen.txt");
my @not_printed = grep {
	my $line = $_;
	shift @printed while $line ne '  ...' && @printed && $printed[0] ne $line;
	$line ne '  ...' && !@printed;
} split /\n/, $screen // '  no screen';
is(join("\n", @not_printed), '', 'README.md shows what the program prints');

# columns.rst is made from the program's own table.
is((run_cmd('scripts/columns-rst', $framewait))[1], slurp('Documentation/columns.rst'),
	'Documentation/columns.rst is what framewait columns says (scripts/columns-rst)');

# metrics.rst is made from the table of metrics.
is((run_cmd('scripts/metrics-rst', $framewait))[1], slurp('Documentation/metrics.rst'),
	'Documentation/metrics.rst is what framewait stat --list says (scripts/metrics-rst)');

done_testing();
