#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of examples/: record runs (by a recorder that is played), judge them, keep them.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

# record is played, so that no root is needed; it loses data in its first run. All else is the program.
spew("$tmp/framewait", <<"END");
#!/bin/sh
if [ "\$1" != record ]; then exec $framewait "\$@"; fi
echo "\$*" >>$tmp/calls
while [ "\$1" != -o ]; do shift; done
cp $top/tests/data/demo.fwc "\$2"
if [ ! -e $tmp/lost ]; then : >$tmp/lost; exit 5; fi
END
chmod 0755, "$tmp/framewait";
local $ENV{FRAMEWAIT} = "$tmp/framewait";

my ($status, $out, $err) = run_cmd("$top/examples/record-runs", 2, "$tmp/runs", '-p', 'com.example.app', '-d', 1);
is($status, 0, 'two runs') or diag($err);
like($err, qr/01\.fwc: data was lost, try 1/, 'a run with a loss is recorded again');
is(join(' ', map { s{.*/}{}r } glob "$tmp/runs/*"), '01.fwc 02.fwc', 'and there are two captures');
is(() = slurp("$tmp/calls") =~ /--strict -o \S+ -p com\.example\.app -d 1$/mg, 3, 'three recordings were made');

is((run_cmd("$top/examples/gate", 'frames > 1000000', "$tmp/runs"))[0], 0, 'a gate that holds for none');
my @rows = read_csv(slurp("$tmp/runs/metrics.csv"));
cmp_ok(scalar @rows, '>', 2, 'the metrics are kept');
($status, $out, $err) = run_cmd("$top/examples/gate", 'frames > 10', "$tmp/runs");
is($status, 1, 'a gate that holds');
like($err, qr/01\.fwc.*02\.fwc/s, 'says for which runs');
is((run_cmd("$top/examples/gate", 'no_such > 10', "$tmp/runs"))[0], 2, 'a metric that is none');
is((run_cmd("$top/examples/gate", 'frames > 10', $top))[0], 3, 'no recordings');

($status, $out, $err) = run_cmd("$top/examples/archive", "$tmp/runs", "$tmp/runs.tar.zst");
is($status, 0, 'archive') or diag($err);
mkdir "$tmp/back";
is(system("tar x --zstd -f $tmp/runs.tar.zst -C $tmp/back && cd $tmp/back/runs && sha256sum --quiet -c SHA256SUMS"), 0,
	'unpacked, all sums are right');
is(slurp("$tmp/back/runs/02/frames.csv"), (run_cmd($framewait, 'report', "$tmp/runs/02.fwc", '-f', 'csv'))[1],
	'the rows are those of the report');

done_testing();
