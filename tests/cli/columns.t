#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# framewait columns: its formats, and the JSON Schemas against the rows that report prints.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Framewait::Test;

my ($status, $csv) = run_cmd($framewait, 'columns');
is($status, 0, 'columns');
my @all = read_csv($csv);
my (undef, $json) = run_cmd($framewait, 'columns', '-f', 'json');
is(scalar @{ decode_json($json) }, scalar @all, '-f json has as many');
my %seen;
my @tables = grep { $_->{kind} ne 'dump' && !$seen{ $_->{table} }++ } @all;

# The cells of a line as they stand there: JSON::PP would turn large numbers into texts.
sub cells {
	my ($line) = @_;
	my @cells;
	push @cells, [$1, $2] while $line =~ /\G[{,]"(\w+)":("(?:[^"\\]|\\.)*"|[^",}]+)/gc;
	die $line if substr($line, pos $line) ne '}';
	return @cells;
}

sub fits {
	my ($cell, $type, $minimum) = @_;
	return 1 if !defined $type;
	return (grep { fits($cell, $_, $minimum) } @$type) > 0 if ref $type;
	return $cell eq 'null' if $type eq 'null';
	return $cell =~ /^"/ if $type eq 'string';
	return $cell =~ /^-?\d+$/ && !(defined $minimum && $cell =~ /^-/) if $type eq 'integer';
	return $cell =~ /^-?\d+(\.\d+)?(e[-+]\d+)?$/;
}

for my $table (@tables) {
	my $name = $table->{table};
	my ($s, $text) = run_cmd($framewait, 'columns', $name, '-f', 'json-schema');
	is($s, 0, "$name: json-schema");
	my $schema = decode_json($text);
	is($schema->{version} // '', $table->{schema}, "$name: its version");
	my ($of, @bad) = ($schema->{items}{properties});
	for my $input ('demo.pftrace', 'demo.fwc') {
		my (undef, $rows) = run_cmd($framewait, 'report', "$top/tests/data/$input", '-t', $name, '-f', 'jsonl');
		for my $line (split /\n/, $rows) {
			my @cells = cells($line);
			push @bad, 'names' if "@{ $schema->{items}{required} }" ne join ' ', map { $_->[0] } @cells;
			push @bad, map { "$_->[0]: $_->[1]" }
				grep { my $p = $of->{ $_->[0] }; !fits($_->[1], $p->{type}, $p->{minimum}) } @cells;
		}
	}
	is(join(', ', splice @bad, 0, 5), '', "$name: the rows are as the schema says");
	is(join(' ', sort keys %$of), join(' ', sort @{ $schema->{items}{required} }), "$name: each property is required");
}
is((run_cmd($framewait, 'columns', 'framestats', '-f', 'json-schema'))[0], 0, 'of a dump too');
is((run_cmd($framewait, 'columns', '-f', 'json-schema'))[0], 2, 'a schema is of one table');
is((run_cmd($framewait, 'columns', '-f', 'xml'))[0], 2, 'a format that is none');

done_testing();
