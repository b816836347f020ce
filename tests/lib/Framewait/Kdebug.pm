# SPDX-License-Identifier: GPL-2.0-or-later
# iOS CoreProfile RAW v2 files: a header, a thread map, padding, kd_buf records.
package Framewait::Kdebug;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(kd_file kd_record kd_frame);

# kd_file({threads, frequency, padding}, RECORD...): padding is bytes before the records.
sub kd_file {
	my ($opts, @records) = @_;
	my $threads = $opts->{threads} // 0;
	my $head = pack('V V x12 V Q< x256', 0x55aa0200, $opts->{claims} // $threads, 1,
		$opts->{frequency} // 24_000_000);
	$head .= pack 'Q< V a20', 1000 + $_, 100 + $_, "thread $_" for 1 .. $threads;
	$head .= "\0" x (-length($head) % 64) . "\0" x ($opts->{padding} // 0);
	return join '', $head, @records;
}

# time, args (32 bytes), tid, debugid, cpu, unused
sub kd_record {
	my ($time, $debugid, %more) = @_;
	return pack 'Q< a32 Q< V V Q<', $time, $more{args} // '', $more{tid} // 1, $debugid,
		$more{cpu} // 0, $more{unused} // 0;
}

sub kd_frame {
	my ($time) = @_;
	return kd_record($time, 0x31800318);
}

1;
