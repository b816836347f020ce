#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Stands in for the program perfetto as framewait uses it: "perfetto --query" and
# "perfetto -c - -o FILE". It writes the packets of a given Perfetto file at a pace, and by order of
# its environment goes wrong:
#   STANDIN_DIR     a directory: "config" gets the configuration, "pid" the process id, "runs" a line for
#                   each start; the file "done" is made when all is written
#   STANDIN_TRACE   the Perfetto file
#   STANDIN_PIECE   bytes for each write, whatever the packets (1000)
#   STANDIN_MS      pause after each write (5)
#   STANDIN_DO      service: the service does not answer; hang: nor does --query end; refuse: ends at
#                   once; die: the first run ends in mid-packet; stall: half is written, then
#                   nothing; deaf: SIGTERM does not end it; cut: ends its file in mid-packet;
#                   empty: nothing is written
use strict;
use warnings;
use FindBin;
use lib "$FindBin::RealBin/../lib";
use Framewait::Packets;
use Time::HiRes 'sleep';

my $do = $ENV{STANDIN_DO} // '';
my $dir = $ENV{STANDIN_DIR} or die 'STANDIN_DIR is not set';

sub note {
	my ($name, $bytes) = @_;
	open my $out, '>>:raw', "$dir/$name" or die "$dir/$name: $!";
	print $out $bytes;
	close $out;
}

if (($ARGV[0] // '') eq '--query') {
	sleep 60 if $do eq 'hang';
	if ($do eq 'service') {
		print STDERR "Could not connect to the traced socket.\n";
		exit 1;
	}
	print "DATA SOURCES REGISTERED:\n\n",
		"android.surfaceflinger.frame             surfaceflinger (2)\n",
		"android.surfaceflinger.frametimeline     surfaceflinger (2)\n";
	exit 0;
}
die "unexpected arguments: @ARGV" if "@ARGV[0 .. 2]" ne '-c - -o' || @ARGV != 4;

my $config = do { local $/; <STDIN> };
note('config', $config);
note('runs', "$$\n");
note('pid', $$);
if ($do eq 'refuse') {
	print STDERR "The configuration was refused.\n";
	exit 3;
}

my $ended = 0;
$SIG{TERM} = sub { $ended = 1 };
$SIG{TERM} = 'IGNORE' if $do eq 'deaf';
open my $out, '>:raw', $ARGV[3] or die "$ARGV[3]: $!";
open my $in, '<:raw', $ENV{STANDIN_TRACE} or die "STANDIN_TRACE: $!";
my $trace = do { local $/; <$in> };
my ($first_run) = do { open my $runs, '<', "$dir/runs" or die; scalar(() = <$runs>) == 1 };
my $size = length $trace;
my $middle = do {
	my ($from, $to) = (fields($trace))[ scalar(packets($trace)) / 2 ]->@[ 2, 3 ];
	int(($from + $to) / 2);
};
$size = $middle if $do =~ /^(stall|cut)$/ || $do eq 'die' && $first_run;
$size = 0 if $do eq 'empty';
my $piece = $ENV{STANDIN_PIECE} // 1000;
# When it is told to end it writes its rest, as the service does.
for (my $pos = 0; $pos < $size; $pos += $piece) {
	my $n = $piece < $size - $pos ? $piece : $size - $pos;
	syswrite $out, $trace, $n, $pos;
	sleep(($ENV{STANDIN_MS} // 5) / 1000) if !$ended;
}
if ($do eq 'die' && $first_run) {
	print STDERR "one line\nout of luck\n";
	exit 1;
}
note('done', '');
sleep 0.1 while !$ended;
exit 0;
