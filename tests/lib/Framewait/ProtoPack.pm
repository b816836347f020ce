# SPDX-License-Identifier: GPL-2.0-or-later
# ProtoPack 2.0 files, as AGI and GAPID write them: chunks of types and objects.
package Framewait::ProtoPack;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(pack_file pack_type pack_object pb_varint pb_bytes pb_number);

sub pb_varint {
	my ($v) = @_;
	my $out = '';
	for (; $v >= 0x80; $v >>= 7) {
		$out .= chr($v & 0x7f | 0x80);
	}
	return $out . chr $v;
}

sub zigzag {
	my ($v) = @_;
	return pb_varint($v < 0 ? -2 * $v - 1 : 2 * $v);
}

sub pb_bytes {
	my ($field, $bytes) = @_;
	return pb_varint($field << 3 | 2) . pb_varint(length $bytes) . $bytes;
}

sub pb_number {
	my ($field, $v) = @_;
	return pb_varint($field << 3) . pb_varint($v);
}

sub pack_file {
	return join '', "ProtoPack\r\n2.0\n\0", @_;
}

# A type and the names of its fields.
sub pack_type {
	my ($name, @fields) = @_;
	my $n = 0;
	my $body = pb_varint(length $name) . $name . pb_bytes(1, $name =~ s/.*\.//r) .
		join '', map { pb_bytes(2, pb_bytes(1, $_) . pb_number(3, ++$n)) } @fields;
	return zigzag(-length $body) . $body;
}

# parent: how many chunks back, as a number below 0; 0 for a root. type: below 0 may have children;
# 0 ends the parent's.
sub pack_object {
	my ($parent, $type, $message) = @_;
	my $body = zigzag($parent) . zigzag($type) . ($message // '');
	return zigzag(length $body) . $body;
}

1;
