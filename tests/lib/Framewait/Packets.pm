# SPDX-License-Identifier: GPL-2.0-or-later
# Perfetto's packets and a capture's chunks, read and made without the program's own code.
package Framewait::Packets;
use strict;
use warnings;
use Compress::Zlib ();
use Exporter 'import';

our @EXPORT = qw(packets without chunks sf_chunks fields lines_of wanted number bytes prints);

# A varint at the position of $$bytes; undef where it is cut.
sub varint {
	my ($bytes, $pos) = @_;
	my ($v, $shift) = (0, 0);
	while ($$pos < length $$bytes) {
		my $b = ord substr $$bytes, $$pos++, 1;
		$v |= ($b & 0x7f) << $shift;
		return $v if $b < 0x80;
		$shift += 7;
	}
	return undef;
}

# The fields of a message: [id, value or bytes, where it begins, where it ends]; dies where it is cut.
sub fields {
	my ($bytes) = @_;
	my ($pos, @fields) = (0);
	while ($pos < length $bytes) {
		my $from = $pos;
		my $tag = varint(\$bytes, \$pos) // die 'a cut tag';
		my $wire = $tag & 7;
		my $v = $wire == 5 || $wire == 1 ? 0 : varint(\$bytes, \$pos) // die 'a cut value';
		if ($wire == 2) {
			die 'a cut field' if $pos + $v > length $bytes;
			my $part = substr $bytes, $pos, $v;
			$pos += $v;
			$v = $part;
		} elsif ($wire) {
			$pos += $wire == 5 ? 4 : 8;
		}
		push @fields, [ $tag >> 3, $v, $from, $pos ];
	}
	return @fields;
}

# A trace as its packets, each with tag and length; dies where one is not whole.
sub packets {
	my ($trace) = @_;
	return map { substr $trace, $_->[2], $_->[3] - $_->[2] } fields($trace);
}

# A trace without the packets that have this field, or with a second number those whose message has that one.
sub without {
	my ($trace, $field, $member) = @_;
	return join '', grep {
		my ($packet) = fields($_);
		my ($found) = grep { $_->[0] == $field } fields($packet->[1]);
		!($found && (!$member || grep { $_->[0] == $member } fields($found->[1])));
	} packets($trace);
}

# Those of them that a capture keeps: of use for frames.
my %use = map { $_ => 1 } 2, 6, 33, 35, 41, 42, 45, 50, 57, 59, 69, 76, 133;

sub wanted {
	return grep {
		my ($packet) = fields($_);
		grep { $use{ $_->[0] } || $_->[0] == 13 && $_->[1] & 1 } fields($packet->[1]);
	} @_;
}

# Fields to write: a number, and bytes or a message.
sub put_varint {
	my ($n) = @_;
	my $s = '';
	for (; $n > 127; $n >>= 7) { $s .= chr($n & 127 | 128) }
	return $s . chr $n;
}
sub number { return put_varint($_[0] << 3) . put_varint($_[1]) }
sub bytes { return put_varint($_[0] << 3 | 2) . put_varint(length $_[1]) . $_[1] }

# A packet with trace marks of CPU 0: [ns, tid, text].
sub prints {
	return bytes(1, bytes(1, join '', number(1, 0), map {
		my ($ns, $tid, $text) = @$_;
		bytes(2, number(1, $ns) . number(2, $tid) . bytes(3, number(1, 0) . bytes(2, "$text\n")));
	} @_) . number(10, 77));
}

# The whole chunks of a capture: [type, payload].
sub chunks {
	my ($bytes) = @_;
	my ($pos, @chunks) = (8);
	while ($pos + 16 <= length $bytes) {
		my ($type, $len, $crc, $raw) = unpack 'a4 V V V', substr $bytes, $pos, 16;
		last if $pos + 16 + $len > length $bytes;
		my $payload = substr $bytes, $pos + 16, $len;
		$pos += 16 + $len;
		push @chunks, [ $type, $raw ? Compress::Zlib::uncompress($payload) : $payload ];
	}
	return @chunks;
}

# Those of SurfaceFlinger: { arrival, flags, packets }.
sub sf_chunks {
	my ($bytes) = @_;
	return map {
		my ($arrival, $flags) = unpack 'Q< V', $_->[1];
		{ arrival => $arrival, flags => $flags, packets => substr $_->[1], 16 };
	} grep { $_->[0] eq 'SFPK' } chunks($bytes);
}

# The lines key=value of META or DONE.
sub lines_of {
	my ($bytes, $type) = @_;
	my ($chunk) = grep { $_->[0] eq $type } chunks($bytes);
	return $chunk ? $chunk->[1] =~ /^(\w+)=(.*)$/mg : ();
}

1;
