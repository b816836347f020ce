#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# report --partition: folders of many runs, hostile names, and the queries of fleet.rst in DuckDB.
use strict;
use warnings;
use File::Path 'make_path';
use JSON::PP;
use Test::More;
use Framewait::Test;

my $demo = "$top/tests/data/demo.pftrace";
my $bytes = slurp($demo);
my $device = 'framewait/generated/generated:17/GEN1.260101.001/1:userdebug/dev-keys';
like($bytes, qr/\Q$device\E/, 'the demo has a device');
make_path("$tmp/runs");
spew("$tmp/runs/a.pftrace", $bytes);
spew("$tmp/runs/b.pftrace", $bytes);
# A device of the same length that would leave its folder.
my $hostile = substr('../../..' . "/%00'\"\$(id) =x\n" . 'y' x 100, 0, length $device);
spew("$tmp/runs/c.pftrace", $bytes =~ s/\Q$device\E/$hostile/gr);

my $root = "$tmp/out";
my ($status, undef, $err) = run_cmd($framewait, 'report', glob("$tmp/runs/*"), '-o', $root, '--partition', 'device,date');
is($status, 0, '--partition') or diag($err);
my @files = map { substr $_, length "$root/" } split /\n/, `find $root -type f | sort`;
run_cmd($framewait, 'report', $demo, '-o', "$tmp/plain");
my $tables = () = glob "$tmp/plain/*.csv";
is(scalar @files, 3 * ($tables + 1), 'of each run the files of -o, and runs.csv');
my %dirs = map { m{^(.*)/}; $1 => 1 } @files;
is(scalar(grep { m{^device=[\w.%-]+/date=\d{4}-\d\d-\d\d/run=[abc]\.pftrace$} } keys %dirs), 3, 'in a folder each') or
	diag(join "\n", keys %dirs);
ok((grep { m{^device=%2E\.%2F\.\.%2F} } keys %dirs), 'a device named ../.. stays in its folder');
is(join(' ', grep { !m{/out$} } glob "$tmp/out* $tmp/*passwd"), '', 'nothing beside it');
my ($dir) = grep { /run=a/ } keys %dirs;
is(slurp("$root/$dir/$_.csv"), slurp("$tmp/plain/$_.csv"), "$_.csv is what -o writes")
	for qw(frames threads fences intervals gpu animations health);
my ($run) = read_csv(slurp("$root/$dir/runs.csv"));
is("$run->{run} $run->{device} $run->{lost}", "a.pftrace $device 0", 'runs.csv');
my %recording = map { $_->{name} => $_->{value} } read_csv(slurp("$tmp/plain/recording.csv"));
cmp_ok($run->{span_ms}, '>', 1000, 'its span');
is(sprintf('%.6f', $recording{span_ns} / 1e6), $run->{span_ms}, 'is the recording\'s');
is($run->{schema}, $recording{schema}, 'and its schema version');
like($dir, qr{/date=$run->{date}/}, 'the date is that of the folder');
my $was = slurp("$root/$dir/frames.csv");
is((run_cmd($framewait, 'report', "$tmp/runs/a.pftrace", '-o', $root, '--partition', 'device,date'))[0], 0, 'again');
is(join("\n", map { substr $_, length "$root/" } split /\n/, `find $root -type f | sort`), join("\n", @files), 'the same files');

# What is not said, and SQLite.
is((run_cmd($framewait, 'report', "$top/tests/data/demo.fwc", '-o', "$tmp/db", '--partition', 'device', '-f', 'sqlite'))[0], 0, 'sqlite');
ok(-s "$tmp/db/device=__HIVE_DEFAULT_PARTITION__/run=demo.fwc/$_", "$_ of an unknown device") for 'framewait.db', 'runs.csv';
for (['--partition', 'nope', '-o', "$tmp/x"], ['--partition', 'device,device', '-o', "$tmp/x"], ['--partition', 'device'], ['--partition', '', '-o', "$tmp/x"]) {
	is((run_cmd($framewait, 'report', $demo, @$_))[0], 2, "wrong usage: @$_[0, 1]");
}

# The documented queries, in DuckDB.
SKIP: {
	my $duckdb = npm_dir('@duckdb/node-api') or skip 'no DuckDB (scripts/install-deps check)', 1;
	my @queries = slurp("$top/Documentation/fleet.rst") =~ /code-block:: sql\n\n((?:   .*\n|\n)+)/g;
	cmp_ok(scalar @queries, '>=', 3, 'fleet.rst has queries');
	spew("$tmp/queries.json", encode_json(\@queries));
	spew("$tmp/run.js", <<'JS');
const { createRequire } = require('module');
const { DuckDBInstance } = createRequire(process.argv[2] + '/')('@duckdb/node-api');
(async () => {
	const db = await (await DuckDBInstance.create(':memory:')).connect();
	const out = [];
	for (const sql of JSON.parse(require('fs').readFileSync(process.argv[3])))
		out.push((await db.runAndReadAll(sql)).getRowObjectsJson());
	console.log(JSON.stringify(out));
})().catch(e => { console.error(e.message); process.exit(1); });
JS
	my $out = `cd $tmp && node run.js $duckdb queries.json 2>$tmp/node.txt`;
	is($?, 0, 'DuckDB runs them') or diag(slurp("$tmp/node.txt")), skip 'no answers', 1;
	my ($devices, $candidates, $waits) = @{ decode_json($out) };
	my @frames = grep { $_->{kind} eq 'surface' } read_csv($was);
	my $late = grep { $_->{late} eq '1' } @frames;
	my ($ours) = grep { $_->{device} =~ /^framewait/ } @$devices;
	is("$ours->{device} $ours->{runs} $ours->{frames} $ours->{late}", "$device 2 " . 2 * @frames . ' ' . 2 * $late,
		'the frames of the device, as in CSV');
	is(scalar @$devices, 2, 'both devices');
	my %want;
	$want{ $_->{candidate} } += 3 for grep { $_->{candidate} ne '' } read_csv($was);
	is_deeply({ map { $_->{candidate} => 0 + $_->{frames} } @$candidates }, \%want, 'candidates, joined with the runs');
	my %blocked;
	$blocked{"$_->{role} $_->{function}"} += 3 * $_->{duration_ms} for grep { $_->{state} eq 'blocked' } read_csv(slurp("$tmp/plain/intervals.csv"));
	is_deeply({ map { ("$_->{role} " . ($_->{function} // '') => sprintf '%.3f', $_->{sum_ms}) } @$waits },
		{ map { $_ => sprintf '%.3f', $blocked{$_} } keys %blocked }, 'waits by function');
}
done_testing();
