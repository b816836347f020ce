# SPDX-License-Identifier: GPL-2.0-or-later
# What the command tests share: where the programs are, running them, reading CSV.
package Framewait::Test;
use strict;
use warnings;
use Exporter 'import';
use File::Temp ();
use FindBin;

our @EXPORT = qw($top $framewait $gen $shared $tmp run_cmd slurp spew read_csv npm_dir
	trace_processor_dir);

our ($top) = $FindBin::Bin =~ m{^(.*)/tests/};
my $build = $ENV{BUILD} || "$top/build";
our $framewait = $ENV{FRAMEWAIT} || "$build/framewait";
our $gen = $ENV{FRAMEWAIT_GEN} || "$build/framewait-gen";
our $shared = $ENV{FRAMEWAIT_SHARED} || "$top/../shared";
our $tmp = File::Temp->newdir('framewait-test-XXXXXX', TMPDIR => 1);

# Run a command without a shell: (exit status or "signal N", stdout, stderr).
sub run_cmd {
	my @cmd = @_;
	my ($out, $err) = ("$tmp/.stdout", "$tmp/.stderr");
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open STDIN, '<', '/dev/null' or die;
		open STDOUT, '>', $out or die;
		open STDERR, '>', $err or die;
		exec { $cmd[0] } @cmd or exit 127;
	}
	waitpid $pid, 0;
	my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
	return ($status, slurp($out), slurp($err));
}

sub slurp {
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!";
	local $/;
	return scalar <$in> // '';
}

sub spew {
	my ($path, $bytes) = @_;
	open my $out, '>:raw', $path or die "$path: $!";
	print $out $bytes;
	close $out or die "$path: $!";
}

# Where scripts/install-deps put a package of npm; false where it did not, but CI skips nothing.
sub npm_dir {
	my ($package) = @_;
	return fetched('npm', "node_modules/$package");
}

sub trace_processor_dir { return fetched('trace_processor', 'installed') }

sub fetched {
	my ($dir, $path) = @_;
	return "$build/$dir" if -e "$build/$dir/$path";
	die "no $path in $build/$dir (scripts/install-deps check)" if $ENV{CI};
	return;
}

# RFC 4180: a list of rows, each a hash by column name.
sub read_csv {
	my ($text) = @_;
	my (@rows, @row);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/gc) {
		my ($quoted, $plain, $end) = ($1, $2, $3);
		$quoted =~ s/""/"/g if defined $quoted;
		push @row, $quoted // $plain;
		next if $end eq ',';
		push @rows, [@row];
		@row = ();
	}
	die 'not CSV at byte ' . (pos $text // 0) if (pos $text // 0) != length $text;
	my $header = shift @rows or return;
	return map { my %r; @r{@$header} = @$_; \%r } @rows;
}

1;
