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

# How far a cell is off what framesim says, in ms beyond what framesim does not know itself; undef: not
# comparable. A sum of columns has + between them.
sub off {
	my ($t, $row) = @_;
	my @cells = map { $row->{$_} // '' } split /\+/, $t->{column};
	return if $t->{slack_ms} eq '' || grep { !/^-?[\d.]+$/ } @cells;
	my $off = -$t->{value};
	$off += $_ for @cells;
	return $off > $t->{slack_ms} ? $off - $t->{slack_ms} : $off < -$t->{slack_ms} ? $off + $t->{slack_ms} : 0;
}

# Cells that are not what framesim says: descriptions. A time may be off by $bound ms and by what framesim
# does not know itself.
#
# framesim has the waits for a CPU from the kernel, whose account is not always right: a sleeper whose
# dequeue was delayed and that is migrated meanwhile counts as waiting (load balancing enqueues it); and the
# other way round, framewait has only the scheduler's account of a thread that the kernel put on a CPU
# without an event, which knows no waits of a virtual CPU. So $excused times the states of a thread may
# be off. What was injected is never excused, but for this: a wake that reaches its virtual CPU late is still
# sleep for the kernel's account, and runnable or running for framewait. Of such, as much as the host took from the
# virtual CPUs, $stolen ms, is excused beside.
sub wrong_cells {
	my ($truth, $rows, $bound, $excused, $stolen) = @_;
	my $is_late = sub {
		my ($ms) = @_;
		return $ms > 0 && $ms <= $stolen && ($stolen -= $ms, 1);
	};
	my (%row, %off, @wrong);
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
		my $off = off($t, $found[0]);
		next if defined $off && $off >= -$bound && ($t->{op} eq '>=' || $off <= $bound);
		next if defined $off && $t->{op} eq '>=' && $t->{column} =~ /^(\w+?)_(?:blocked|sleeping)/ &&
			$off + $found[0]{"$1_runnable_ms"} >= -$bound && ($is_late->(-$off) || $excused-- > 0);
		my $what = "$key: frame $t->{frame}: $t->{column} is $is, not $t->{op} $t->{value} (slack $t->{slack_ms}) $t->{inject}";
		if (defined $off && $t->{op} eq '=' && $t->{column} =~ /^(ui|render|sf|re|hwc)_/) {
			push @{ $off{"$key $1"} }, { off => $off, sleep => scalar($t->{column} =~ /_(?:sleeping|blocked)/), what => $what };
			next;
		}
		push @wrong, $what;
	}
	for my $states (values %off) {
		my ($least) = sort { $a <=> $b } map { $_->{off} } grep { $_->{sleep} } @$states;
		push @wrong, map { $_->{what} } @$states if !$is_late->(-($least // 0)) && $excused-- <= 0;
	}
	return @wrong;
}

1;
