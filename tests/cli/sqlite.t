#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# report --format sqlite, as the real sqlite3 program sees it: whole, and the same numbers as CSV.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

plan skip_all => 'sqlite3 is not installed (scripts/install-deps check)'
	if system 'command -v sqlite3 >/dev/null 2>&1';

my $demo = "$top/tests/data/demo.pftrace";
my $db = "$tmp/run.db";

sub report {
	return run_cmd($framewait, 'report', @_);
}

sub query {
	my ($sql, $file) = @_;
	my ($status, $out, $err) = run_cmd('sqlite3', '-readonly', '-csv', $file // $db, $sql);
	is($err, '', "sqlite3: $sql") if $status || $err ne '';
	return $out;
}

my ($status, undef, $err) = report($demo, '-f', 'sqlite', '-o', $db);
is($status, 0, '--format sqlite') or diag($err);
is((report($demo, '-o', "$tmp/csv"))[0], 0, '-o');
is(query('PRAGMA integrity_check'), "ok\n", 'integrity_check');
is(query('PRAGMA foreign_key_check'), '', 'foreign_key_check');

my %recording = map { $_->{name} => $_->{value} } read_csv(slurp("$tmp/csv/recording.csv"));
is(query('PRAGMA user_version'), "$recording{schema}\n", 'user_version is the schema version');

# Each cell of each table; ms to the nanosecond, ids above 2^63 as they are.
my (undef, $columns) = run_cmd($framewait, 'columns');
my %unit;
$unit{ $_->{table} }{ $_->{column} } = $_->{unit} for grep { $_->{kind} eq 'frame' } read_csv($columns);
my $float = qr/^(present_delay_ms|vsync_jitter_ms|animation_time_ms|jank_score|jank_debug_metadata|candidate_share)$/;
sub same_cells {
	my ($dir, $file) = @_;
	for my $table (sort keys %unit) {
		my $text = slurp("$dir/$table.csv");
		my ($header) = $text =~ /^(.*)\n/;
		my $list = join ', ', map {
			$unit{$table}{$_} eq 'ms' ? "CASE typeof(\"$_\") WHEN 'real' THEN printf('%.6f', \"$_\") END" : "\"$_\""
		} split /,/, $header;
		my $got = query("SELECT $list FROM \"$table\" ORDER BY rowid", $file);
		my @want = map { [@{$_}{split /,/, $header}] } read_csv($text);
		my @got = map { my $r = $_; [map { $r->{$_} } split /,/, $header] } read_csv("$header\n" . $got =~ s/\r\n/\n/gr);
		# What SurfaceFlinger says as a float keeps its own decimals in CSV.
		my @names = split /,/, $header;
		my @real = grep { $names[$_] =~ $float } 0 .. $#names;
		for my $row (@want, @got) {
			$row->[$_] ne '' and $row->[$_] = sprintf '%.6f', $row->[$_] for @real;
		}
		is_deeply(\@got, \@want, "$table: the same cells as $table.csv (" . @want . ' rows)');
	}
}
same_cells("$tmp/csv", $db);
is(query('SELECT count(*) FROM threads WHERE frame_id IS NULL'), "0\n", 'each thread row has its frame');
is(query('SELECT count(*) FROM intervals WHERE frame_id IS NULL'), "0\n", 'each interval too');
is(query('SELECT count(*) FROM threads t JOIN frames f USING (frame_id) WHERE t.surface_token IS NOT f.surface_token OR t.layer IS NOT f.layer'), "0\n", 'and it is that frame');

# The columns' meaning stands inside.
my ($meaning) = map { $_->{meaning} } grep { $_->{table} eq 'frames' && $_->{column} eq 'late' } read_csv($columns);
is((read_csv('meaning' . "\n" . query("SELECT meaning FROM columns WHERE \"table\" = 'frames' AND \"column\" = 'late'") =~ s/\r//gr))[0]{meaning},
	$meaning, 'what a column means');
is(query("SELECT count(*) FROM columns c LEFT JOIN pragma_table_info(c.\"table\") p ON p.name = c.\"column\" WHERE p.name IS NULL"),
	"0\n", 'each documented column is there');

# The views, against sums made here.
my @frames = read_csv(slurp("$tmp/csv/frames.csv"));
my @late = grep { $_->{late} eq '1' } @frames;
cmp_ok(scalar @late, '>', 5, 'the demo has late frames');
is(query('SELECT count(*) FROM worst_frames'), @late . "\n", 'worst_frames');
my ($worst) = sort { $b <=> $a } map { $_->{overrun_ms} || 0 } @late;
is(0 + query('SELECT overrun_ms FROM worst_frames LIMIT 1'), 0 + $worst, 'the worst comes first');
my (%tags, %candidates);
$tags{ $_->{jank_tag} }++ for @frames;
is(query('SELECT jank_tag, sum(frames) FROM jank_by_tag GROUP BY 1') =~ s/["\r]//gr,
	join('', map { "$_,$tags{$_}\n" } sort keys %tags), 'jank_by_tag');
$candidates{ $_->{candidate} }++ for grep { $_->{candidate} ne '' } @frames;
is(query('SELECT candidate, sum(frames) FROM candidate_counts GROUP BY 1') =~ s/\r//gr,
	join('', map { "$_,$candidates{$_}\n" } sort keys %candidates), 'candidate_counts');
my ($waited, $n) = (0, 0);
for (@frames) {
	next if !$_->{acquire_fence_context} || !$_->{producer_fence_wait_ms} || $_->{producer_fence_wait_ms} <= 0;
	$waited += $_->{producer_fence_wait_ms};
	$n++;
}
is(query("SELECT sum(waits), printf('%.6f', sum(sum_ms)) FROM waits_by_fence WHERE wait = 'producer_fence_wait'") =~ s/\r//gr,
	sprintf("%d,%.6f\n", $n, $waited), 'waits_by_fence');
my %asleep;
for (read_csv(slurp("$tmp/csv/intervals.csv"))) {
	$asleep{"$_->{role},$_->{state}"} += $_->{duration_ms} if $_->{state} =~ /^(sleeping|blocked)$/;
}
is(query("SELECT role, state, printf('%.6f', sum(sum_ms)) FROM waits_by_wchan GROUP BY 1, 2") =~ s/\r//gr,
	join('', map { sprintf "%s,%.6f\n", $_, $asleep{$_} } sort keys %asleep), 'waits_by_wchan');
like(query("SELECT function FROM waits_by_wchan WHERE function IS NOT NULL"), qr/\w/, 'functions have names there');
is(query('SELECT sum(abs(window_ms - running_ms - runnable_ms - preempted_ms - sleeping_ms - blocked_io_ms - blocked_nonio_ms - blocked_unknown_ms - other_ms - unobserved_ms) > 0.000001) FROM time_in_state'),
	"0\n", 'time_in_state adds up');

# A second write takes the place of the first, whole; a failed one leaves it.
is((report($demo, '-f', 'sqlite', '-o', $db, '--late-only'))[0], 0, 'a second write');
is(query('SELECT count(*) FROM frames'), @late . "\n", 'takes the place of the first');
spew("$tmp/broken.pftrace", substr(slurp($demo), 0, 100) . "\xff" x 5000);
($status, undef, $err) = report("$tmp/broken.pftrace", '-f', 'sqlite', '-o', $db);
is(query('SELECT count(*) FROM frames'), @late . "\n", 'a failed write leaves what was there') if $status;
is(join(' ', grep { /tmp$/ } glob "$tmp/*.tmp"), '', 'nothing is left beside it');

# The real recordings, where they are.
SKIP: {
	my @traces = grep { -f } map { "$shared/traces/$_" } 'android15_startup.perfetto-trace', 'android12_pixel4.perfetto-trace';
	skip 'no recordings in ' . "$shared/traces", 1 if !@traces;
	for my $trace (@traces) {
		is((report($trace, '-f', 'sqlite', '-o', "$tmp/real.db"))[0], 0, "$trace");
		report($trace, '-o', "$tmp/real");
		is(query('PRAGMA integrity_check', "$tmp/real.db"), "ok\n", 'integrity_check');
		same_cells("$tmp/real", "$tmp/real.db");
	}
}

# Wrong use.
for (['-f', 'sqlite'], ['-f', 'sqlite', '-t', 'frames', '-o', "$tmp/x.db"]) {
	is((report($demo, @$_))[0], 2, "wrong usage: @$_");
}
is((report($demo, $demo, '-f', 'sqlite', '-o', "$tmp/x.db"))[0], 2, 'two inputs do not fit into one file');
($status, undef, $err) = report($demo, '-f', 'sqlite', '-o', "$tmp/none/x.db");
is($status, 3, 'a directory that is not there');
like($err, qr{none/x\.db.*cannot create}, 'the file is named');
done_testing();
