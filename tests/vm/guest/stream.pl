#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# FrameTracer's events with the signal times that play read of its fences by SYNC_IOC_FILE_INFO, in
# a stream that a recording of play follows: each must find its fence, two of one stamp neither.
use strict;
use warnings;
use Framewait::Test;
use Test::More;

my ($fwc, $stream, $truth) = map { "$tmp/$_" } qw(run.fwc stream.pftrace truth);

sub varint {
	my ($v) = @_;
	my $bytes = '';
	for (; $v > 0x7f; $v >>= 7) {
		$bytes .= chr($v & 0x7f | 0x80);
	}
	return $bytes . chr $v;
}

sub number {
	my ($id, $v) = @_;
	return varint($id << 3) . varint($v);
}

sub bytes {
	my ($id, $v) = @_;
	return varint($id << 3 | 2) . varint(length $v) . $v;
}

# An AcquireFenceSignaled at a time of CLOCK_MONOTONIC
sub acquired {
	my ($n, $layer, $stamp) = @_;
	my $event = number(1, $n) . number(2, 4) . bytes(3, $layer) . number(5, $n);
	return bytes(1, number(8, $stamp) . number(58, 3) . number(10, 7) . bytes(57, bytes(1, $event)));
}

# play's lines: kind,driver,timeline,context,seqno,stamp,rest. The stream is written when play is done.
if (@ARGV) {
	my ($n, %stamp, %members) = (0);
	my @lines = map { [split /,/] } grep { /^(?:fence|member),/ } split /\n/, slurp($ARGV[0]);
	open my $out, '>>:raw', $ARGV[1] or die;
	my $clocks = join '', map { bytes(1, number(1, $_) . number(2, $lines[0][5])) } 3, 6;
	print $out bytes(1, number(10, 7) . number(13, 1) . bytes(6, $clocks . number(2, 6)));
	for my $l (@lines) {
		my ($kind, undef, undef, $context, $seqno, $stamp, $rest) = @$l;
		next if !$stamp;
		$members{$rest} = $stamp if $kind eq 'member' && $stamp > ($members{$rest} // 0);
		print $out acquired(++$n, "$context:$seqno", $stamp) if $kind eq 'fence';
	}
	print $out acquired(++$n, "merged $_", $members{$_}) for sort keys %members;
	close $out or die;
	exit 0;
}

spew($stream, '');
my ($status, $out, $err) = run_cmd($framewait, 'record', '--sf', $stream, '--settle', 600, '-o', $fwc, '--',
	'sh', '-c', "/t/play $truth && perl $0 $truth $stream && sleep 1");
is($status, 0, 'recorded') or diag($err);
($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'fences', '-f', 'csv', $fwc);
is($status, 0, 'reported') or diag($err);
my @rows = grep { $_->{event_ns} ne '' } read_csv($out);
my %row = map { ($_->{layer} => $_) } @rows;
my (%times, %last, $single, $twins);
my @lines = map { [split /,/] } split /\n/, slurp($truth);
my @fences = grep { $_->[0] eq 'fence' && $_->[5] } @lines;
$times{ $_->[5] }++ for @fences;
for my $f (@fences) {
	my (undef, $driver, $timeline, $context, $seqno, $stamp) = @$f;
	my $r = $row{"$context:$seqno"};
	if ($times{$stamp} > 1) {
		$twins++;
		is(join(' ', map { $r->{$_} // '' } qw(match candidates context driver)), 'ambiguous 2  ',
			"$timeline $context:$seqno, two of one stamp: ambiguous, and none is named");
		next;
	}
	$single++;
	is(join(' ', map { $r->{$_} // '' } qw(match candidates driver timeline context seqno event_ns stamp_ns)),
		"exact 1 $driver $timeline $context $seqno $stamp $stamp", "$timeline $context:$seqno: exact");
}
cmp_ok($single, '>=', 15, "$single fences of one stamp each");
is($twins, 2, 'and two that share one');
for my $m (grep { $_->[0] eq 'member' } @lines) {
	$last{ $m->[6] } = $m if !$last{ $m->[6] } || $m->[5] > $last{ $m->[6] }[5];
}
for my $id (sort keys %last) {
	my $r = $row{"merged $id"};
	is("$r->{match} $r->{context} $r->{seqno}", "exact @{$last{$id}}[3, 4]",
		"merged $id: the member that signaled last");
}
is(scalar keys %last, 1, 'one merged sync_file');
done_testing();
