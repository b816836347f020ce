#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What framesim animates, with both tracers' sections in the marks and their lines in a log, is joined: each
# animation with its frames, its reason to end and where it was begun.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Sim;
use Framewait::Test;
use Test::More;

need_root();
my %stack = (Anim => 'com.example.app.Card.show(Card.java:12)', Folme => 'com.example.app.Sheet.open(Sheet.java:40)');

spew("$tmp/sf.pftrace", '');
my ($status, $out, $err) = run_cmd($framewait, 'record', '-o', "$tmp/run.fwc", '--sf', "$tmp/sf.pftrace", '--',
	$framesim, '--frames', 220, '--fifo-ui', '--pftrace', "$tmp/sf.pftrace", '--animations', "$tmp/log");
is($status, 0, 'recorded') or diag($err);
# animation KIND ID: frames FIRST to LAST, REASON
my %played = map { ("$_->[0] $_->[1]" => $_) }
	map { [/^animation (\w+) (\d+): frames (\d+) to (\d+), (\w+)/] } grep { /^animation/ } split /\n/, $out;
cmp_ok(scalar keys %played, '>=', 8, 'framesim animated');

($status, $out, $err) = run_cmd($framewait, 'report', '-f', 'csv', '-t', 'animations', '--logcat', "$tmp/log",
	"$tmp/run.fwc");
is($status, 0, 'its animations are reported') or diag($err);
my %row = map { ("$_->{source} $_->{id}" => $_) } read_csv($out);
is(join(',', sort grep { $row{$_}{status} eq 'closed' } keys %row), join(',', sort keys %played),
	'each that ended, and no other, is closed');
my ($open) = grep { $_->{status} eq 'open' } values %row;
ok($open, 'one is still open at the end');
is($open->{end_reason}, '', 'for no reason');

($status, $out) = run_cmd($framewait, 'report', '-f', 'csv', "$tmp/run.fwc");
my @frames = grep { $_->{kind} eq 'surface' } read_csv($out);
for my $name (sort keys %played) {
	my ($source, $id, $first, $last, $reason) = @{ $played{$name} };
	my $r = $row{$name};
	is(join('|', @{$r}{qw(log_match end_reason stack_top)}), "id|$reason|$stack{$source}",
		"$name: its log says why it ended and where it was begun");
	my @in = grep { $_->{animations} =~ /\b$name\b/ } @frames;
	my %in = map { $_->{frame_number} => 1 } @in;
	is(scalar(grep { !$in{$_} } $first .. $last), 0, "$name: frames $first to $last name it");
	is($r->{frames}, scalar @in, "$name: and are counted");
}
done_testing();
