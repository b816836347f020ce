#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The GPU beside the frame: every figure of a recording whose sums can be made by hand, and those
# of a real one against sums made here.
use strict;
use warnings;
use Test::More;
use Framewait::Packets;
use Framewait::ProtoPack;
use Framewait::Test;

# The rows of a frame, "source gpu name id" => "owner_pid unit samples mean min max last busy".
sub rows_of {
	my ($file, $token) = @_;
	my ($status, $out, $err) = run_cmd($framewait, 'report', $file, '--table', 'gpu');
	is($status, 0, 'a table is printed') or diag($err);
	my @figures = qw(owner_pid unit samples mean min max last busy_ms);
	return map {
		(join('|', @$_{qw(source gpu name id)}) => join '|', @$_{@figures})
	} grep { $_->{kind} eq 'surface' && $_->{surface_token} == $token } read_csv($out);
}

my ($status, undef, $err) = run_cmd($gen, 'gpu', '-o', "$tmp/gpu");
is($status, 0, 'a recording is made') or diag($err);

# Frame 1 is [10, 20) ms. Samples stamped at 9 and 21 ms are not its, the one at 20 ms is.
my %want = (
	'counter|0|GPU % Utilization|1' => '|%|3|40.166666666666664|20|60|60|',
	'counter|0|Read Total|3' => '|B/s|3|3000|1000|6000|6000|',
	'counter|0||77' => '||3|1|1|1|1|',
	'counter|1|Clock|1' => '|Hz|2|6.005e+08|5e+08|7.01e+08|7.01e+08|',
	# Render [8, 12) [11, 13) [18, 22), Compute [12, 14)
	'gpu|0||' => '|ms|3|2.6666666666666665|2|4|4|6.000000',
	'queue|0|Fragment queue|1' => '|ms|3|2.6666666666666665|2|4|4|6.000000',
	'stage|0|Render|10' => '|ms|2|3|2|4|4|5.000000',
	'stage|0|Compute|11' => '|ms|1|2|2|2|2|2.000000',
	'context|0||12379813738877118345' => '2000|ms|2|3|2|4|4|5.000000',
	'context|0||3567' => '3000|ms|1|2|2|2|2|2.000000',
	# low_overhead, described inline: [13, 17)
	'gpu|1||' => '|ms|1|4|4|4|4|4.000000',
	'queue|1|Q1|1' => '|ms|1|4|4|4|4|4.000000',
	'stage|1|Workload|1' => '|ms|1|4|4|4|4|4.000000',
	'context|1||7' => '2000|ms|1|4|4|4|4|4.000000',
	# Submitted at 11 and 12 ms, retired at 15 and 18; one was seen to be queued.
	'kgsl||submit to retire|5' => '|ms|2|5|4|6|6|',
	'kgsl||queue to submit|5' => '|ms|2|0.5|0.5|0.5|0.5|',
	'mali||fence wait|9' => '2000|ms|1|3|3|3|3|',
	'mali||fence signal|9' => '2000||1|||||',
	'vulkan_memory||vulkan.mem.device.memory.type.1.allocation|' => '2000|B|1|1500|1500|1500|1500|',
	'log||ERROR|' => '||2|||||',
);
is_deeply({ rows_of("$tmp/gpu", 1) }, \%want, 'the figures of the first frame');

my (undef, $table) = run_cmd($framewait, 'report', "$tmp/gpu", '--table', 'gpu');
is_deeply([ map { "$_->{name}: $_->{text}" } grep { $_->{text} ne '' } read_csv($table) ],
	['ERROR: producer: it is still missing'], 'the last message of the log in the window');

%want = (
	'counter|0|GPU % Utilization|1' => '|%|1|90|90|90|90|',
	'counter|0|Read Total|3' => '|B/s|1|500|500|500|500|',
	'counter|0||77' => '||1|1|1|1|1|',
	'counter|1|Clock|1' => '|Hz|1|3e+08|3e+08|3e+08|3e+08|',
	# One stage began before it and ran until 22 ms.
	'gpu|0||' => '|ms|0|||||2.000000',
	'queue|0|Fragment queue|1' => '|ms|0|||||2.000000',
	'stage|0|Render|10' => '|ms|0|||||2.000000',
	'context|0||12379813738877118345' => '2000|ms|0|||||2.000000',
	'vulkan_memory||vulkan.mem.device.memory.type.1.allocation|' => '2000|B|1|500|500|500|500|',
);
is_deeply({ rows_of("$tmp/gpu", 2) }, \%want, 'and of the second');

sub frames_of {
	my ($file) = @_;
	my ($status, $out) = run_cmd($framewait, 'report', $file, '--table', 'frames');
	return map {
		my $f = $_;
		join '|', @$f{qw(kind gpu_freq_mean_khz gpu_freq_min_khz gpu_freq_max_khz
			gpu_mem_total_bytes gpu_mem_process_bytes)};
	} read_csv($out);
}
is_deeply([ frames_of("$tmp/gpu") ], [
	'surface|600000|400000|800000|10000000|5000000',
	'surface|800000|800000|800000|12000000|5000000',
	'display|800000|800000|800000|12000000|',
], 'frequency by time, memory at the end of the frame, empty where nothing says');

my (undef, $health) = run_cmd($framewait, 'report', "$tmp/gpu", '--table', 'health');
unlike($health, qr/^fw_(gpu|bad)/m, 'nothing was lost or refused');

# Without the GPU's packets the table has no row, and inspect says what is missing.
spew("$tmp/none", join '', grep {
	my ($packet) = fields($_);
	!grep { $_->[0] =~ /^(?:1|52|53|62|63|71)$/ } fields($packet->[1]);
} packets(slurp("$tmp/gpu")));
is_deeply({ rows_of("$tmp/none", 1) }, {}, 'no source, no row');
is((frames_of("$tmp/none"))[0], 'surface|||||', 'and empty columns');
my @sources = ('gpu counters', 'gpu render stages', 'gpu memory', 'gpu submissions',
	'vulkan memory', 'gpu log');
my (undef, $missing) = run_cmd($framewait, 'inspect', "$tmp/none");
my (undef, $there) = run_cmd($framewait, 'inspect', "$tmp/gpu");
like($missing, qr/absence proves nothing/, 'inspect does not conclude from what is missing');
like($missing, qr/^  \Q$_\E; empty without it/m, "inspect misses $_") for @sources;
unlike($there, qr/^  \Q$_\E; empty without it/m, "inspect finds $_") for @sources;

# A real recording of counters has no frames: some are put beside it.
# The value of a GpuCounter: int_value or double_value.
sub value_of {
	my ($counter) = @_;
	for my $f (fields($counter)) {
		return $f->[1] if $f->[0] == 2;
		return unpack 'd<', substr $counter, $f->[3] - 8, 8 if $f->[0] == 3;
	}
	return undef;
}

sub frame {
	my ($start, $end, $token) = @_;
	my $identity = pb_number(1, $token) . pb_number(2, $token) . pb_number(3, $token) .
		pb_number(4, 1234) . pb_bytes(5, 'TX - a');
	return join '', map { pb_bytes(1, pb_number(8, $_->[0]) . pb_bytes(76, $_->[1])) }
		[ $start, pb_bytes(4, $identity) ], [ $end, pb_bytes(5, pb_number(1, $token)) ];
}

SKIP: {
	my $trace = "$shared/traces/android11_gpu_counters.pftrace";
	skip "$trace is not there", 13 if !-e $trace;
	my (%name, @samples);
	for my $packet (packets(slurp($trace))) {
		my ($whole) = fields($packet);
		my ($ts, $event);
		for my $f (fields($whole->[1])) {
			$ts = $f->[1] if $f->[0] == 8;
			$event = $f->[1] if $f->[0] == 52;
		}
		next if !defined $event;
		for my $f (fields($event)) {
			if ($f->[0] == 1) {
				for my $spec (grep { $_->[0] == 1 } fields($f->[1])) {
					my %spec = map { $_->[0] => $_->[1] } fields($spec->[1]);
					$name{ $spec{1} } = $spec{2};
				}
			} elsif ($f->[0] == 2) {
				my ($id) = map { $_->[1] } grep { $_->[0] == 1 } fields($f->[1]);
				push @samples, [ $ts, $id, value_of($f->[1]) ];
			}
		}
	}
	cmp_ok(scalar @samples, '>', 5000, 'a real recording has samples');
	@samples = sort { $a->[0] <=> $b->[0] } grep { $_->[0] } @samples;
	my $first = $samples[0][0];
	my @windows = map { [ $first + $_ * 16_666_667, $first + ($_ + 1) * 16_666_667 ] } 0 .. 2;
	# A window that ends on a sample.
	push @windows, [ $samples[500][0], $samples[900][0] ];
	my $n = 0;
	spew("$tmp/real", join '', slurp($trace), map { frame(@$_, ++$n) } @windows);
	for my $k (1 .. @windows) {
		my ($start, $end) = @{ $windows[ $k - 1 ] };
		my %got = rows_of("$tmp/real", $k);
		my %sum;
		for my $s (grep { $_->[0] > $start && $_->[0] <= $end } @samples) {
			push @{ $sum{ $s->[1] } }, $s->[2];
		}
		my @wrong;
		for my $id (sort keys %sum) {
			my @v = @{ $sum{$id} };
			my $row = $got{ join '|', 'counter', 0, $name{$id} // '', $id } // '';
			my (undef, undef, $count, $mean, $min, $max) = split /\|/, $row;
			my ($lo, $hi) = (sort { $a <=> $b } @v)[ 0, -1 ];
			my $total = 0;
			$total += $_ for @v;
			push @wrong, $id if !$count || $count != @v || $min != $lo || $max != $hi
				|| abs($mean - $total / @v) > 1e-9 * abs $total;
		}
		is(scalar keys %got, scalar keys %sum, "frame $k: as many counters as have samples in it");
		ok(!@wrong && %sum, "frame $k: their numbers, means, least and greatest values")
			or diag("counters @wrong");
	}
}

done_testing();
