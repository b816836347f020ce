#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# AGI/GAPID captures: unpacked to the last object, or up to where they are cut; report names them.
use strict;
use warnings;
use Test::More;
use Framewait::ProtoPack;
use Framewait::Test;

# The details by their first word, the objects by type, the health counters.
sub inspect {
	my ($bytes) = @_;
	spew("$tmp/x.gfxtrace", $bytes);
	my ($status, $out, $err) = run_cmd($framewait, 'inspect', '-f', 'csv', "$tmp/x.gfxtrace");
	return { error => $err } if $status;
	my %r = (details => {}, object => {}, health => {});
	for my $row (read_csv($out)) {
		if ($row->{kind} eq 'detail') {
			my ($key, $value) = split ' ', $row->{name}, 2;
			$r{details}{$key} = $value;
		} else {
			$r{ $row->{kind} }{ $row->{name} } = $row->{n};
		}
	}
	return \%r;
}

my $device = pb_bytes(3, 'Pixel 9') . pb_bytes(2, 'SERIAL') . pb_bytes(4,
	pb_bytes(1, pb_number(1, 4) . pb_bytes(2, 'Android') . pb_bytes(3, 'AP1A')) .
	pb_bytes(2, pb_bytes(1, 'tokay') . pb_bytes(3, pb_bytes(1, 'Mali-G715') . pb_bytes(2, 'ARM'))) .
	pb_bytes(4, pb_bytes(2, pb_bytes(3, pb_number(1, 1 << 22 | 3 << 12 | 7) . pb_number(2, 0x1234) .
		pb_bytes(5, 'Mali-G715')))));
my @chunks = (
	pack_type('capture.Header', qw(device ABI version start_time)),
	pack_type('vulkan.vkQueueSubmit', 'queue'),
	pack_type('vulkan.vkQueuePresentKHR', 'queue'),
	pack_type('api.CmdCall'),
	pack_type('vulkan.vkCmdDraw', 'count'),
	pack_object(0, 1, pb_bytes(1, $device) .
		pb_bytes(2, pb_bytes(1, 'arm64-v8a') . pb_number(2, 4) . pb_number(3, 2)) .
		pb_number(3, 8) . pb_number(4, 12345)),
	pack_object(0, 5, pb_number(1, 3)),
	pack_object(0, -2, pb_number(1, 99)),
	pack_object(-1, 4),
	pack_object(-2, 0),
	map { (pack_object(0, -3, pb_number(1, 7)), pack_object(-1, 4), pack_object(-2, 0)) } 1 .. 3,
);
my $whole = pack_file(@chunks);
my $r = inspect($whole);
is_deeply($r->{details}, {
	device => 'Pixel 9 SERIAL',
	hardware => 'tokay',
	OS => 'Android AP1A',
	GPU => 'Mali-G715 ARM',
	Vulkan => 'Mali-G715, API 1.3.7, driver version 0x1234',
	ABI => 'arm64-v8a (armv8-a, Android)',
	version => 'capture format 4',
	start => "12345, in the device's own units",
	types => '5 described, with 7 fields',
	objects => '10: 6 roots, 4 below them, 1 deep; 0 are not ended',
	frames => '3 presents, with 1 queue submits and 1 draws',
	whole => 'to its last object, 19 chunks',
}, 'the header, and the tree counted') or diag explain $r;
is_deeply($r->{object}, {
	'capture.Header' => 1,
	'vulkan.vkQueueSubmit' => 1,
	'vulkan.vkQueuePresentKHR' => 3,
	'api.CmdCall' => 4,
	'vulkan.vkCmdDraw' => 1,
}, 'objects by type');
is_deeply($r->{health}, {}, 'nothing was lost');

my ($status, $out, $err) = run_cmd($framewait, 'inspect', "$tmp/x.gfxtrace");
like($out, qr/beside a frame record.*its commands have no times/s, 'what can stand beside a frame record');
($status, $out, $err) = run_cmd($framewait, 'report', "$tmp/x.gfxtrace");
is($status, 3, 'report refuses it');
like($err, qr/capture of AGI or GAPID.*framewait inspect/, 'and says what it is, and what reads it');

# Cut anywhere: everything before the chunk that is cut, and where that is.
my @starts = (16);
push @starts, $starts[-1] + length for @chunks;
my @wrong;
for my $len ($starts[5] + 1 .. length($whole) - 1) {
	next if $len % 7 && $len < $starts[6];
	my ($n) = grep { $starts[$_ + 1] > $len } 0 .. $#chunks;
	my $cut = inspect(substr $whole, 0, $len);
	my $says = $cut->{details}{cut} // $cut->{details}{whole} // $cut->{error};
	push @wrong, "$len: $says" if $len == $starts[$n] ? $says !~ /^to its last object, $n chunks/
		: $says !~ /^at offset $starts[$n] of $len, chunk $n: /;
	push @wrong, "$len: not lost" if $len > $starts[$n] &&
		($cut->{health}{fw_truncated_bytes} // 0) != $len - $starts[$n];
}
is_deeply(\@wrong, [], 'a cut one says at which offset, and in which chunk');

my %bad = (
	'type that was not described' => pack_object(0, 99),
	'parent is none' => pack_object(-1, 1) ,
	'no protobuf message' => pack_object(0, 1, "\x0a\x7f"),
	'chunk has no size' => "\0",
	'description of a type is damaged' => do { my $b = "\x01a\xff"; chr(2 * length($b) - 1) . $b },
);
for my $why (sort keys %bad) {
	my $d = inspect($whole . $bad{$why} . pack_object(0, 1));
	like($d->{details}{cut} // '', qr/^at offset @{[length $whole]} of \d+, chunk 19: .*\Q$why\E/, $why);
}
like(inspect("ProtoPack\r\n3.0\n\0x")->{error}, qr/offset 11 expected version 2\.0/, 'another version');
like(inspect("ProtoPack\r\n2.0\n\0")->{error}, qr/offset 16 a chunk was expected/, 'an empty one');

SKIP: {
	my $real = "$shared/traces/other/vulkan_sample.gfxtrace";
	skip 'no capture here (shared/traces/other)', 4 if !-f $real;
	my $bytes = slurp($real);
	my $s = inspect($bytes);
	is($s->{details}{whole}, 'to its last object, 804 chunks', 'a real one, to its last object');
	is($s->{details}{objects}, '200: 90 roots, 110 below them, 1 deep; 0 are not ended', 'its tree');
	is($s->{object}{'vulkan.vkQueuePresentKHR'}, 2, 'its presents');
	my $cut = inspect(substr $bytes, 0, 3_000_000);
	like($cut->{details}{cut}, qr/^at offset \d+ of 3000000, chunk \d+: an object is cut/, 'and cut');
}

done_testing();
