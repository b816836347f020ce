# SPDX-License-Identifier: GPL-2.0-or-later
# framesim, and what its frames must show against what framewait says of them.
package Framewait::Sim;
use strict;
use warnings;
use Exporter 'import';
use Framewait::Test;

our @EXPORT = qw($framesim row_key truth_of wrong_cells);

my $build = $ENV{BUILD} || "$top/build";
our $framesim = "$build/framesim";

# What tells a row of frames.csv from all others; marks have no layer and no display token.
sub row_key {
	my ($r) = @_;
	return join ' ', $r->{kind}, $r->{kind} eq 'display' ? () : $r->{pid}, map { $r->{$_} } $r->{kind} eq 'mark' ? 'surface_token' :
		qw(layer surface_token display_token);
}

# The lines of a truth file that are of these kinds of rows.
sub truth_of {
	my ($path, @kinds) = @_;
	my %kind = map { $_ => 1 } @kinds;
	return grep { $kind{ $_->{kind} } } read_csv(slurp($path));
}

# Cells that are not what framesim says: descriptions. A time may be off by $bound ms and by what
# framesim does not know itself.
sub wrong_cells {
	my ($truth, $rows, $bound) = @_;
	my (%row, @wrong);
	push @{ $row{ row_key($_) } }, $_ for @$rows;
	for my $t (@$truth) {
		my $key = row_key($t);
		my @found = @{ $row{$key} // [] };
		if (@found != 1) {
			push @wrong, "$key: " . @found . ' rows';
			next;
		}
		my $is = join '+', map { $found[0]{$_} // 'no such column' } split /\+/, $t->{column};
		next if $is eq $t->{value} || ($is eq '' && $t->{op} eq '?');
		if ($t->{slack_ms} ne '' && $is =~ /^[\d.+-]+$/) {
			my $sum = 0;
			$sum += $_ for split /\+/, $is;
			my $off = $sum - $t->{value};
			next if $off >= -$bound - $t->{slack_ms} && ($t->{op} eq '>=' || $off <= $bound + $t->{slack_ms});
		}
		push @wrong, "$key: frame $t->{frame}: $t->{column} is $is, not $t->{op} $t->{value} (slack $t->{slack_ms}) $t->{inject}";
	}
	return @wrong;
}

1;
