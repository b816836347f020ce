#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Every table of every case with a known answer, against trace_processor's answer: the same bytes.
#   tests/cases/cases.t [PATTERN]   only the cases whose folder matches
# Rows that differ on purpose stand in tests/cases/differences, each with its reason.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $cases = "$shared/cases";
plan skip_all => "no cases with known answers in $cases" if !-d "$cases/synthetic";

my @tables = map { m{/([^/]+)\.sql$} } sort glob "$cases/tables/*.sql";
my %differs = read_differences("$top/tests/cases/differences");
my $pattern = shift // '';

# "case table" lines, then rows that are trace_processor's (-) or ours (+), then a blank line.
sub read_differences {
	my ($path) = @_;
	my (%d, $key);
	for (split /\n/, -f $path ? slurp($path) : '') {
		next if /^#/;
		if (/^([-+])(.*)/) {
			push @{ $d{$key}{$1} }, $2;
		} elsif (/\S/) {
			$key = $_;
		}
	}
	return %d;
}

sub answer {
	my ($dir, $table) = @_;
	return slurp("$dir/$table.csv") if -f "$dir/$table.csv";
	return scalar `gzip -dc '$dir/$table.csv.gz'` if -f "$dir/$table.csv.gz";
	return undef;
}

# The first lines in which two texts differ, for the log.
sub first_difference {
	my ($got, $want) = map { [split /\n/, $_, -1] } @_;
	my $i = 0;
	$i++ while $i < @$got && $i < @$want && $got->[$i] eq $want->[$i];
	return sprintf "line %d of %d (want %d)\n got: %s\nwant: %s", $i + 1, scalar @$got,
		scalar @$want, $got->[$i] // '(nothing)', $want->[$i] // '(nothing)';
}

sub check_table {
	my ($case, $dir, $input, $table) = @_;
	my $want = answer($dir, $table);
	my ($status, $got, $err) = run_cmd($framewait, 'report', $input, '--table', $table,
		'--trace-processor-compat');
	if ($status ne '0') {
		fail("$case: $table");
		diag("exit status $status: $err");
		return;
	}
	if (!defined $want) {
		# trace_processor has no rows here: the header alone.
		ok(($got =~ tr/\n//) == 1, "$case: $table has no rows") or diag($got);
		return;
	}
	if (my $d = delete $differs{"$case $table"}) {
		my (%theirs, %ours);
		$theirs{$_}++ for split /\n/, $want;
		$ours{$_}++ for split /\n/, $got;
		my @missing = sort grep { ($theirs{$_} // 0) > ($ours{$_} // 0) } keys %theirs;
		my @extra = sort grep { ($ours{$_} // 0) > ($theirs{$_} // 0) } keys %ours;
		is_deeply([\@missing, \@extra], [[sort @{ $d->{'-'} // [] }], [sort @{ $d->{'+'} // [] }]],
			"$case: $table, but for the rows in tests/cases/differences");
		return;
	}
	ok($got eq $want, "$case: $table") or diag(first_difference($got, $want));
}

for my $dir (sort glob "$cases/synthetic/*") {
	my ($case) = $dir =~ m{([^/]+)$};
	next if $case !~ /$pattern/;
	my ($input) = grep { -f } map { "$dir/input.$_" } qw(pftrace systrace);
	if (!$input) {
		fail("$case has an input");
		next;
	}
	check_table($case, $dir, $input, $_) for @tables;
}
for my $dir (sort glob "$cases/real/*") {
	my ($case) = $dir =~ m{([^/]+)$};
	next if $case !~ /$pattern/;
	my ($input) = grep { -f } map { "$shared/traces/$case.$_" } qw(perfetto-trace pftrace
		systrace.html.gz);
	if (!$input) {
		fail("$case has a recording");
		next;
	}
	check_table($case, $dir, $input, $_) for @tables;
}
is(join(' ', sort keys %differs), '', 'no difference is listed in vain') if $pattern eq '';

my $n = grep { $_->{ok} && $_->{type} ne 'skip' } Test::More->builder->details;
note("$n of " . Test::More->builder->current_test . ' tables equal');
print "# $n of " . Test::More->builder->current_test . " checks passed\n";
done_testing();
