# SPDX-License-Identifier: GPL-2.0-or-later
# ProtoPack 2.0 files, as AGI and GAPID write them: chunks of types and objects.
package Framewait::ProtoPack;
use strict;
use warnings;
use Exporter 'import';
use Framewait::Packets ();

our @EXPORT = qw(pack_file pack_type pack_object pb_varint pb_bytes pb_number);

*pb_varint = \&Framewait::Packets::put_varint;
*pb_bytes = \&Framewait::Packets::bytes;
*pb_number = \&Framewait::Packets::number;

sub zigzag {
	my ($v) = @_;
	return pb_varint($v < 0 ? -2 * $v - 1 : 2 * $v);
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
