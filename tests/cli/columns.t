#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# framewait columns: its formats, the version of the schema in each output, and Ajv's word on the JSON
# of each table by its JSON Schema.
use strict;
use warnings;
use JSON::PP;
use Test::More;
use Framewait::Test;

my ($status, $csv) = run_cmd($framewait, 'columns');
is($status, 0, 'columns');
my @all = read_csv($csv);
my %seen;
my @tables = grep { !$seen{ $_->{table} }++ } @all;
my $version = $all[0]{schema};
like($version, qr/^[1-9]\d*$/, 'a version of the schema');
is(scalar(grep { $_->{schema} ne $version } @all), 0, 'of all tables');
my @json = @{ decode_json((run_cmd($framewait, 'columns', '-f', 'json'))[1]) };
is_deeply([map { my $row = $_; +{ map { $_ => $row->{$_} // '' } keys %$row } } @json], \@all, '-f json says the same');

# Each object of JSON has the version, whichever command wrote it.
my @inputs = map { "$top/tests/data/demo.$_" } qw(pftrace fwc);
for my $cmd (['report', $inputs[0]], ['stat', $inputs[0]], ['stat', '--list'], ['inspect', $inputs[0]],
	['compare', $inputs[0], '--', $inputs[1]], ['columns', '--candidates']) {
	my (undef, $array) = run_cmd($framewait, $cmd->[0], '-f', 'json', @$cmd[1 .. $#$cmd]);
	my (undef, $lines) = run_cmd($framewait, $cmd->[0], '-f', 'jsonl', @$cmd[1 .. $#$cmd]);
	my @objects = (@{ decode_json($array) }, map { decode_json($_) } split /\n/, $lines);
	cmp_ok(scalar @objects, '>', 1, "@$cmd: rows");
	is(scalar(grep { ($_->{schema} // 0) != $version } @objects), 0, "@$cmd: each has the version");
}

sub schema_of { return (run_cmd($framewait, 'columns', $_[0], '-f', 'json-schema'))[1] }

for my $name (map { $_->{table} } @tables) {
	my %count;
	my $schema = decode_json(schema_of($name));
	is(join(' ', sort keys %{ $schema->{items}{properties} }),
		join(' ', sort grep { !$count{$_}++ } 'schema', map { $_->{column} } grep { $_->{table} eq $name && ($_->{kind} ne 'trace' || !grep { $_->{kind} ne 'trace' && $_->{table} eq $name } @all) } @all),
		"$name: the schema has its columns");
}
is((run_cmd($framewait, 'columns', '-f', 'json-schema'))[0], 2, 'a schema is of one table');
is((run_cmd($framewait, 'columns', '-f', 'xml'))[0], 2, 'a format that is none');

SKIP: {
	my $npm = npm_dir('ajv') or skip 'no Ajv (scripts/install-deps check)', 1;
	my (@jobs, %fixed);
	my %printed = (stat => [['stat', @inputs]], metrics => [['stat', '--list']], compare => [['compare', $inputs[0], '--', $inputs[1]]],
		inspect => [map { ['inspect', $_] } @inputs], columns => [['columns']], candidates => [['columns', '--candidates']]);
	run_cmd($framewait, 'report', $inputs[0], '-f', 'json', '-o', "$tmp/part", '--partition', 'sdk');
	for my $table (grep { $_->{kind} ne 'dump' } @tables) {
		my $name = $table->{table};
		my @documents = $name eq 'runs' ? slurp(glob "$tmp/part/*/*/runs.json") :
			map { (run_cmd($framewait, $_->[0], '-f', 'json', @$_[1 .. $#$_]))[1] }
			@{ $printed{$name} // [map { ['report', $_, '-t', $name] } @inputs] };
		push @jobs, { name => $name, schema => schema_of($name), documents => \@documents };
	}
	my $frames = (grep { $_->{name} eq 'frames' } @jobs)[0];
	my ($row) = @{ decode_json($frames->{documents}[0]) };
	my %wrong = (text => { %$row, pid => 'x' }, more => { %$row, elephants => 1 }, null => { %$row, kind => undef },
		fraction => { %$row, surface_token => 0.5 }, version => { %$row, schema => $version + 1 });
	delete(($wrong{less} = {%$row})->{pid});
	push @jobs, map { { name => "wrong: $_", schema => $frames->{schema}, documents => [encode_json([$wrong{$_}])] } } sort keys %wrong;
	spew("$tmp/jobs.json", encode_json(\@jobs));
	spew("$tmp/run.js", <<'JS');
const { createRequire } = require('module');
const Ajv = createRequire(process.argv[2] + '/')('ajv/dist/2020');
const answers = JSON.parse(require('fs').readFileSync(process.argv[3])).map(job => {
	const ajv = new Ajv({ allowUnionTypes: true });
	ajv.addVocabulary(['unit', 'empty']);
	const fits = ajv.compile(JSON.parse(job.schema));
	return [job.name, job.documents.flatMap(text => fits(JSON.parse(text)) ? [] : fits.errors.map(e => `${e.instancePath} ${e.message}`))];
});
console.log(JSON.stringify(answers));
JS
	my $out = `node $tmp/run.js $npm $tmp/jobs.json 2>$tmp/node.txt`;
	is($?, 0, 'Ajv takes the schemas') or diag(slurp("$tmp/node.txt")), skip 'no answers', 1;
	for (@{ decode_json($out) }) {
		my ($name, $errors) = @$_;
		if ($name =~ /^wrong/) {
			isnt("@$errors", '', "frames, $name: Ajv refuses it");
		} else {
			is(join("\n", splice @$errors, 0, 5), '', "$name: Ajv finds the rows as the schema says");
		}
	}
}

done_testing();
