#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The candidates of late frames in a recording whose troubles are known: each trouble's is the first of its
# frames, with its evidence; a recording without troubles has none; and without the source that a rule needs there
# is not enough data, which says what is unknown.
use strict;
use warnings;
use Framewait::Packets;
use Framewait::Test;
use Test::More;

# The frames' rows by surface token, those of display frames by 'display' and the display token.
sub rows_of {
	my ($name) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', "$tmp/$name", '-f', 'csv');
	is($status, 0, "$name: reported") or diag($err);
	return map { (($_->{kind} eq 'display' ? "display $_->{display_token}" : $_->{surface_token}) => $_) }
		grep { $_->{layer} !~ /ticker/ } read_csv($out);
}

run_cmd($gen, 'demo', '-o', "$tmp/demo", '--truth', "$tmp/truth.csv");
my %troubled;
for my $t (read_csv(slurp("$tmp/truth.csv"))) {
	my $key = $t->{surface_token} eq '' ? "display $t->{display_token}" : $t->{surface_token};
	$troubled{ $t->{trouble} }{$key} = 1 if $t->{trouble} ne '';
}
my %demo = rows_of('demo');

# The late frames of a trouble.
sub late_of {
	my ($trouble) = @_;
	return grep { $demo{$_} && $demo{$_}{late} eq '1' } sort keys %{ $troubled{$trouble} };
}

my %want = (
	io_wait => [ 'io_block', qr/ui_blocked_io_ms=\d.*ui_top_function=folio_wait_bit_common/ ],
	lock_wait => [ 'kernel_block', qr/ui_blocked_nonio_ms=14\.\d.*ui_top_function=rwsem_down_read_slowpath/ ],
	gpu_late => [ 'gpu_late', qr/queue_ms=\d.*expected_end_ms=\d.*acquire_ms=\d.*acquire_fence_driver=mali/ ],
	buffer_stuffing => [ 'buffer_stuffing', qr/jank_type=Buffer Stuffing; display_jank_type=None/ ],
);
for my $trouble (sort keys %want) {
	my ($candidate, $evidence) = @{ $want{$trouble} };
	my @late = late_of($trouble);
	cmp_ok(scalar @late, '>', 0, "$trouble: late frames");
	for my $r (map { $demo{$_} } @late) {
		is($r->{candidate}, $candidate, "$trouble: $candidate first");
		like($r->{candidate_evidence}, $evidence, 'with its evidence');
		cmp_ok($r->{candidate_share}, '>', 0.9, 'and its share') if $r->{candidate_ms} ne '';
	}
}
my ($sf) = grep { $_->{kind} eq 'display' && $_->{late} eq '1' } values %demo;
is($sf->{candidate}, 'composition_late', 'sf_late: composition_late of the display frame');
for my $r (grep { $_->{kind} eq 'surface' && $_->{display_token} eq $sf->{display_token} } values %demo) {
	is($r->{candidate}, 'composition_late', 'and of what it shows');
	like($r->{candidate_evidence}, qr/jank_type=SurfaceFlinger CPU.*sf_running_ms=1[67]\./, 'with its evidence');
}
my @dropped = grep { $_->{present_type} eq 'Dropped Frame' } values %demo;
is(scalar @dropped, 1, 'one frame was dropped, and its app was in time');
is("$dropped[0]{candidate} $dropped[0]{overrun_ms}", 'not_enough_data ', 'what for nothing says');
like($dropped[0]{candidate_evidence}, qr/present_type=Dropped Frame.*tracer_match=exact; acquire_ms=\d/, 'but that it was');
is(scalar(grep { $_->{late} eq '0' && $_->{candidate} ne '' } values %demo), 0, 'none of those that were in time');

# Up to the pause in it, after which SurfaceFlinger calls a frame late.
run_cmd($gen, 'demo', '--clean', '--frames', 50, '-o', "$tmp/clean");
my %clean = rows_of('clean');
cmp_ok(scalar keys %clean, '>=', 50, 'clean: frames');
is(join(' ', map { "$_: $clean{$_}{candidate}" } grep { $clean{$_}{candidate} ne '' } sort keys %clean), '', 'clean: no candidate');

# What is left without a source: trouble => candidate, evidence.
my $not = 'not_enough_data';
my @removed = (
	[ 'no kernel events', [1], {
		lock_wait => [ $not, qr/render_tid unknown; ui_unobserved_ms=[1-9]/ ],
		gpu_late => ['gpu_late'], buffer_stuffing => ['buffer_stuffing'] } ],
	[ 'no FrameTracer', [57], { gpu_late => [ $not, qr/tracer_match unknown; acquire_ms unknown/ ], lock_wait => ['kernel_block'] } ],
	[ 'no expected frames', [ 76, 3 ], { gpu_late => [ $not, qr/expected_count=0/ ], lock_wait => ['kernel_block'] } ],
	[ 'no FrameTimeline', [76], {} ],
);
for (@removed) {
	my ($name, $fields, $left) = @$_;
	spew("$tmp/$name", without(slurp("$tmp/demo"), @$fields));
	my %row = rows_of($name);
	for my $trouble (sort keys %$left) {
		my ($candidate, $evidence) = @{ $left->{$trouble} };
		for my $r (map { $row{$_} } late_of($trouble)) {
			is($r->{candidate}, $candidate, "$name: $trouble: $candidate");
			like($r->{candidate_evidence}, $evidence, 'which says why') if $evidence;
		}
	}
	next if %$left;
	cmp_ok(scalar keys %row, '>', 0, "$name: frames of marks");
	is(scalar(grep { $_->{candidate} ne '' || $_->{late} ne '' } values %row), 0, 'that nobody calls late');
}
done_testing();
