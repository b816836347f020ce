# SPDX-License-Identifier: GPL-2.0-or-later
# Perfetto's packets and a capture's chunks, read and made without the program's own code.
package Framewait::Packets;
use strict;
use warnings;
use Compress::Zlib ();
use Exporter 'import';
use File::Temp ();

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

sub unpacked {
	my ($bytes) = @_;
	return Compress::Zlib::uncompress($bytes) if $bytes !~ /^\x28\xb5\x2f\xfd/;
	my $file = File::Temp->new;
	binmode $file;
	print $file $bytes;
	close $file;
	open my $out, '-|:raw', 'zstd', '-dcq', $file->filename or die "zstd: $!";
	local $/;
	return scalar <$out>;
}

# The same words of $n records, from eight planes.
sub words {
	my ($bytes, $pos, $n) = @_;
	my @planes = map { substr $bytes, $$pos + $_ * $n, $n } 0 .. 7;
	$$pos += 8 * $n;
	return map {
		my $i = $_;
		join '', map { substr $_, $i, 1 } @planes;
	} 0 .. $n - 1;
}

# Records from planes, as Documentation/capture.rst has it.
sub records {
	my ($bytes) = @_;
	my ($n, $pos, %of) = (unpack('V', $bytes), 8);
	my @records = words($bytes, \$pos, $n);
	push @{ $of{ ord substr $records[$_], 2, 1 } }, $_ for 0 .. $#records;
	for my $type (sort { $a <=> $b } keys %of) {
		my $most = $type >= 32 && $type <= 35 ? 2 : 16;
		for my $word (2 .. $most) {
			my @long = grep { unpack('v', $records[$_]) >= 8 * $word } @{ $of{$type} };
			my @words = words($bytes, \$pos, scalar @long);
			$records[ $long[$_] ] .= $words[$_] for 0 .. $#long;
		}
		for (@{ $of{$type} }) {
			my $rest = unpack('v', $records[$_]) - length $records[$_];
			$records[$_] .= substr $bytes, $pos, $rest;
			$pos += $rest;
		}
	}
	my ($last, @known) = (0);
	$_ = with_times($_, \$last, \@known) for @records;
	return join '', @records;
}

# A record with its times from differences; $$last is the one of the record before.
sub with_times {
	my ($record, $last, $known) = @_;
	my $u64 = sub { unpack 'Q<', substr $record, $_[0] };
	my ($size, $type, $ts) = (unpack('v C', $record), minus($$last, minus(0, $u64->(8))));
	$$last = $ts;
	substr $record, 8, 8, pack 'Q<', $ts;
	# Where a fw_waited or fw_ran begins.
	my ($waited, $ran) = @{ { 1 => [ undef, 16 ], 2 => [16], 3 => [ 16, 56 ] }->{$type} // [] };
	for (grep { defined } $waited, $ran) {
		my $slot = \$known->[ unpack('V', substr $record, $_) % 1024 ];
		substr $record, $_ + 8, 8, pack 'Q<', minus($$slot || $ts, $u64->($_ + 8));
		$$slot = $ts;
	}
	my $wake = $waited && $u64->($waited + 16);
	substr $record, $waited + 16, 8, pack 'Q<', minus($ts, $wake) if $wake && $wake != $ts;
	substr $record, 16, 8, pack 'Q<', minus($ts, $u64->(16)) if $type == 6;
	return $record;
}

# In 64 bits.
sub minus {
	use integer;
	return unpack 'Q', pack 'q', $_[0] - $_[1];
}

# The whole chunks of a capture: [type, payload], with records as RECS has them.
sub chunks {
	my ($bytes) = @_;
	my ($pos, @chunks) = (8);
	while ($pos + 16 <= length $bytes) {
		my ($type, $len, $crc, $raw) = unpack 'a4 V V V', substr $bytes, $pos, 16;
		last if $pos + 16 + $len > length $bytes;
		my $payload = substr $bytes, $pos + 16, $len;
		$pos += 16 + $len;
		$payload = unpacked($payload) if $raw;
		($type, $payload) = ('RECS', records($payload)) if $type eq 'RECP';
		push @chunks, [ $type, $payload ];
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
