#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The streams of SurfaceFlinger's events: through the program perfetto (a stand-in that also dies, stalls,
# writes half packets), from a file that grows, is cut and replaced.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Framewait::Live;
use Framewait::Packets;
use Framewait::Test;
use Test::More;

need_root();

my $trace = slurp("$top/tests/data/demo.pftrace");
my $kept = join '', wanted(packets($trace));
mkdir "$tmp/bin" or die;
symlink "$FindBin::Bin/perfetto.pl", "$tmp/bin/perfetto" or die;
mkdir "$tmp/files" or die;
$ENV{TMPDIR} = "$tmp/files";
$ENV{STANDIN_TRACE} = "$top/tests/data/demo.pftrace";
$ENV{PATH} = "$tmp/bin:$ENV{PATH}";

my $worker = fork() // die;
exec { $load } $load, 'sleep', 100000 or exit 127 if !$worker;

# A recording of the stand-in that does $do, in the background: an object with its files.
my $n = 0;
sub start {
	my ($do, @args) = @_;
	my %run = (id => 'sf' . $n++);
	$run{dir} = "$tmp/$run{id}";
	$run{fwc} = "$tmp/$run{id}.fwc";
	mkdir $run{dir} or die;
	local $ENV{STANDIN_DIR} = $run{dir};
	local $ENV{STANDIN_DO} = $do;
	$run{pid} = start_record($run{id}, '-p', $worker, '-o', $run{fwc}, @args);
	return \%run;
}

sub said {
	my ($run) = @_;
	my $file = "$tmp/record-$run->{id}.err";
	return -e $file ? slurp($file) : '';
}

# Until it said so.
sub says {
	my ($run, $what, $name) = @_;
	ok(wait_until(sub { said($run) =~ $what }), $name) or diag(said($run));
}

sub stop {
	my ($run, $signal) = @_;
	kill $signal // 'INT', $run->{pid};
	return finish($run->{pid});
}

sub done {
	my ($run) = @_;
	return wait_until(sub { -e "$run->{dir}/done" });
}

sub sf_bytes {
	my ($run) = @_;
	return join '', map { $_->{packets} } sf_chunks(slurp($run->{fwc}));
}

sub flags {
	my ($run) = @_;
	return join ' ', grep { $_ } map { $_->{flags} } sf_chunks(slurp($run->{fwc}));
}

# Nothing of it is left: no program, no file.
sub sf_nothing_left {
	my ($run, $name) = @_;
	my $pids = -e "$run->{dir}/runs" ? slurp("$run->{dir}/runs") : '';
	my @alive = grep { kill 0, $_ } split ' ', $pids;
	my @files = glob "$tmp/files/framewait-sf-*";
	ok(!@alive && !@files, "$name: no program and no file is left") or diag("@alive @files");
}

# Each chunk holds whole packets (packets() dies else).
sub whole {
	my ($run, $name) = @_;
	ok(eval { packets($_->{packets}) for sf_chunks(slurp($run->{fwc})); 1 }, "$name: whole packets only")
		or diag($@);
}

{
	my ($status, $out, $err) = run_cmd($framewait, 'record', '--sf-config');
	is($status, 0, '--sf-config: done');
	for (qw(android.surfaceflinger.frame android.surfaceflinger.frametimeline linux.process_stats)) {
		like($out, qr/^ +name: "\Q$_\E"$/m, "--sf-config: $_");
	}
	like($out, qr/^write_into_file: true\nfile_write_period_ms: \d+$/m, '--sf-config: into a file');
}

{
	my $run = start('', '--sf', 'perfetto', '--settle', '0.5');
	ok(done($run), 'perfetto: all is written');
	is(stop($run), 0, 'perfetto: exit status 0') or diag(said($run));
	ok(sf_bytes($run) eq $kept, 'perfetto: the packets of use stand in the capture, byte for byte');
	whole($run, 'perfetto');
	is(flags($run), '1', 'perfetto: one stream, no gap');
	my %meta = lines_of(slurp($run->{fwc}), 'META');
	is($meta{sf}, 'perfetto', 'perfetto: the head says it');
	is($meta{settle_ns}, 500000000, '--settle: the head has it in ns');
	my %end = lines_of(slurp($run->{fwc}), 'DONE');
	is("@end{qw(sf_packets sf_gaps sf_bytes_lost)}", scalar(packets($kept)) . ' 0 0',
		'perfetto: the end has the sums');
	like(said($run), qr/SurfaceFlinger: $end{sf_packets} packets, 0 gaps, 0 bytes lost/,
		'perfetto: so has the summary');
	sf_nothing_left($run, 'perfetto');

	# The wire format says what the text says.
	my @config = fields(slurp("$run->{dir}/config"));
	my @sources = map { (fields((fields($_->[1]))[0][1]))[0][1] } grep { $_->[0] == 2 } @config;
	my ($status, $text) = run_cmd($framewait, 'record', '--sf-config');
	is("@sources", join(' ', $text =~ /^ +name: "(.*)"$/mg), 'perfetto: its configuration has the sources');
	my %value = map { $_->[0] => $_->[1] } @config;
	my ($period) = $text =~ /^file_write_period_ms: (\d+)$/m;
	is("$value{8} $value{9}", "1 $period", 'perfetto: and the period of the file');
}

{
	local $ENV{STANDIN_MS} = 50;
	my $run = start('', '--sf', 'perfetto');
	ok(wait_until(sub { -e $run->{fwc} && sf_bytes($run) ne '' }), 'at the end: packets come');
	is(stop($run, 'TERM'), 0, 'at the end: SIGTERM');
	ok(sf_bytes($run) eq $kept, 'at the end: what perfetto writes when told to end is read');
	sf_nothing_left($run, 'at the end');
}

{
	local $ENV{STANDIN_PIECE} = 37;
	local $ENV{STANDIN_MS} = 0;
	my $run = start('', '--sf', 'perfetto', '--strict');
	ok(done($run), 'halves: all is written');
	is(stop($run), 0, 'halves: exit status 0, nothing was lost') or diag(said($run));
	ok(sf_bytes($run) eq $kept, 'halves: half packets wait for their rest');
	whole($run, 'halves');
}

{
	my $run = start('die', '--sf', 'perfetto');
	says($run, qr/perfetto ended \(exit status 1: out of luck\)/, 'death: it is said, with the last words');
	says($run, qr/perfetto runs again/, 'death: it is started again');
	ok(done($run), 'death: and writes');
	is(stop($run), 0, 'death: exit status 0');
	is(flags($run), '1 2 1', 'death: a stream, a gap, a stream');
	my %end = lines_of(slurp($run->{fwc}), 'DONE');
	is($end{sf_gaps}, 1, 'death: one gap');
	cmp_ok($end{sf_bytes_lost}, '>', 0, 'death: the half packet is counted');
	whole($run, 'death');
	like(sf_bytes($run), qr/\Q$kept\E$/, 'death: the second run is there from its beginning');
	sf_nothing_left($run, 'death');
}

{
	my $run = start('stall', '--sf', 'perfetto');
	ok(done($run), 'stall: it writes half and falls silent');
	says($run, qr/no FrameTimeline packet and no FrameTracer packet in 5 s: perfetto's file does not grow/,
		'stall: said while it lasts, with the reason');
	is(stop($run), 0, 'stall: exit status 0');
	my %end = lines_of(slurp($run->{fwc}), 'DONE');
	cmp_ok($end{sf_bytes_lost}, '>', 0, 'stall: half a packet at the end is counted');
	whole($run, 'stall');
}

{
	my $run = start('deaf', '--sf', 'perfetto', '--strict');
	ok(done($run), 'deaf: all is written');
	is(stop($run), 5, 'deaf: --strict: its end may be missing');
	like(said($run), qr/perfetto did not end in 0\.7 s and is killed/, 'deaf: and says why');
	ok(sf_bytes($run) eq $kept, 'deaf: what it wrote is there');
	sf_nothing_left($run, 'deaf');
}

{
	my $run = start('refuse', '--sf', 'perfetto');
	is(finish($run->{pid}), 4, 'refused: exit status 4');
	like(said($run), qr/--sf perfetto: the program perfetto ended: exit status 3: The config.* was refused/,
		'refused: in its own words');
	sf_nothing_left($run, 'refused');
	$run = start('service', '--sf', 'perfetto');
	is(finish($run->{pid}), 4, 'no service: exit status 4');
	like(said($run), qr/traced.* does not answer: Could not connect/, 'no service: it is said');
	$run = start('hang', '--sf', 'perfetto');
	is(finish($run->{pid}), 4, 'a service that hangs: exit status 4');
	like(said($run), qr/--query gives no answer/, 'a service that hangs: it is said');
}

# Of itself: perfetto where it answers.
{
	my $run = start('');
	ok(done($run), 'by default: perfetto is started');
	is(stop($run), 0, 'by default: exit status 0');
	is({ lines_of(slurp($run->{fwc}), 'META') }->{sf}, 'perfetto', 'by default: the head says so');
	$run = start('refuse', '-d', '0.3');
	is(finish($run->{pid}), 0, 'by default: where it ends at once the recording goes on');
	like(said($run), qr/the recording has no frames of SurfaceFlinger/, 'by default: which is said');
	$run = start('service', '-d', '0.3');
	is(finish($run->{pid}), 0, 'by default, without a service: recorded');
	is({ lines_of(slurp($run->{fwc}), 'META') }->{sf}, 'none', 'by default, without a service: none');
	unlike(said($run), qr/perfetto|SurfaceFlinger/, 'by default, without a service: not a word');
	$run = start('', '--sf', 'none', '-d', '0.3');
	is(finish($run->{pid}), 0, '--sf none: done');
	ok(!-e "$run->{dir}/runs", '--sf none: perfetto is not started');
	is(scalar(sf_chunks(slurp($run->{fwc}))), 0, '--sf none: no packets');
}

{
	my $run = start('', '--sf', 'perfetto');
	ok(done($run), 'kill -9: it records');
	ok(wait_until(sub { !(() = glob "$tmp/files/framewait-sf-*") }), 'kill -9: the file has no name any more');
	stop($run, 'KILL');
	ok(wait_until(sub { !grep { kill 0, $_ } split ' ', slurp("$run->{dir}/runs") }),
		'kill -9: perfetto ends too');
	sf_nothing_left($run, 'kill -9');
	# Before its first bytes the file still has a name; the next recording takes it away.
	spew("$tmp/files/framewait-sf-$run->{pid}-abcdef", '');
	spew("$tmp/files/framewait-sf-$$-abcdef", '');
	$run = start('', '--sf', 'perfetto', '-d', '0.2');
	is(finish($run->{pid}), 0, 'after kill -9: the next one');
	is(join(' ', glob "$tmp/files/framewait-sf-*"), "$tmp/files/framewait-sf-$$-abcdef",
		'after kill -9: has removed the file of the dead, and not that of the living');
	unlink glob "$tmp/files/framewait-sf-*";
}

# A file that somebody else writes.
sub append {
	my ($file, $bytes) = @_;
	open my $out, '>>:raw', $file or die "$file: $!";
	syswrite $out, $bytes;
	close $out;
}

sub has_packets {
	my ($run, $bytes) = @_;
	return wait_until(sub { -e $run->{fwc} && sf_bytes($run) eq $bytes });
}

my @packets = packets($trace);
{
	my $file = "$tmp/grows.pftrace";
	my $run = start('', '--sf', $file);
	says($run, qr/--sf \Q$file\E: No such file or directory; waiting for it/, 'file: it need not be there');
	append($file, join '', @packets[0 .. 499]);
	ok(has_packets($run, join '', wanted(@packets[0 .. 499])), 'file: what it has is read');
	append($file, substr $packets[500], 0, 3);
	append($file, substr($packets[500], 3) . join '', @packets[501 .. 999]);
	my $so_far = join '', wanted(@packets[0 .. 999]);
	ok(has_packets($run, $so_far), 'file: and what comes');

	append($file, substr $packets[1000], 0, 5);
	select undef, undef, undef, 0.3;
	truncate $file, 0;
	append($file, join '', @packets[0 .. 99]);
	says($run, qr/\Q$file\E was cut or replaced/, 'file: that it was cut is said');
	$so_far .= join '', wanted(@packets[0 .. 99]);
	ok(has_packets($run, $so_far), 'file: it is read from its beginning');
	is(flags($run), '1 3', 'file: as a gap and a new stream');

	spew("$file.new", join '', @packets[0 .. 299]);
	rename "$file.new", $file;
	$so_far .= join '', wanted(@packets[0 .. 299]);
	ok(has_packets($run, $so_far), 'file: another one in its place is read');
	is(flags($run), '1 3 3', 'file: a gap and a new stream');

	# As long as before, so that only its bytes tell.
	my $other = join '', @packets[1000 .. 1400];
	open my $over, '+<:raw', $file or die;
	syswrite $over, $other;
	truncate $over, length $other;
	close $over;
	$so_far .= join '', wanted(@packets[1000 .. 1400]);
	ok(has_packets($run, $so_far), 'file: overwritten');

	my $garbage = "\x07 this is no trace \x07";
	append($file, $garbage);
	says($run, qr/what comes now is no Perfetto trace/, 'file: bytes that are no packet');
	append($file, $packets[0]);
	unlink $file;
	select undef, undef, undef, 0.2;
	spew($file, join '', @packets[0 .. 9]);
	$so_far .= join '', wanted(@packets[0 .. 9]);
	ok(has_packets($run, $so_far), 'file: removed, and made anew');
	append($file, substr $packets[10], 0, 4);
	is(stop($run), 0, 'file: exit status 0');
	my %end = lines_of(slurp($run->{fwc}), 'DONE');
	is($end{sf_gaps}, 4, 'file: each gap counts once');
	is($end{sf_bytes_lost}, 5 + length($garbage . $packets[0]) + 4, 'file: each byte that made no packet counts');
	is($end{sf_packets}, scalar(packets($so_far)), 'file: and each packet');
	whole($run, 'file');
	is({ lines_of(slurp($run->{fwc}), 'META') }->{sf}, 'file', 'file: the head says so');
	my ($status, $out, $err) = run_cmd($framewait, 'report', '-t', 'health', $run->{fwc});
	is($status, 0, 'file: the capture is read') or diag($err);
}

# The report's files at the end have its frames.
{
	my $run = start('', '--sf', $ENV{STANDIN_TRACE}, '-d', '0.2', '--csv', "$tmp/csv");
	is(finish($run->{pid}), 0, '--csv: exit status 0') or diag(said($run));
	my @frames = read_csv(slurp("$tmp/csv/frames.csv"));
	ok((grep { $_->{layer} } @frames) > 10, '--csv: frames.csv has frames of layers');
}

# What stood there before the recording is read before its first check (record type 38): it is not late.
{
	my $file = "$tmp/before.pftrace";
	spew($file, $trace x 60);
	my $run = start('', '--sf', $file, '-d', '0.2');
	is(finish($run->{pid}), 0, 'a file from before: exit status 0');
	ok(sf_bytes($run) eq $kept x 60, 'a file from before: read whole');
	my @chunks = chunks(slurp($run->{fwc}));
	my ($check) = grep {
		my ($payload, $pos, $has) = ($chunks[$_][1], 0, 0);
		while ($chunks[$_][0] eq 'RECS' && $pos < length $payload) {
			my ($size, $type) = unpack 'v C', substr $payload, $pos;
			$has ||= $type == 38;
			$pos += $size;
		}
		$has;
	} 0 .. $#chunks;
	my ($last_sf) = grep { $chunks[$_][0] eq 'SFPK' } reverse 0 .. $#chunks;
	cmp_ok($last_sf, '<', $check, 'a file from before: read before anything is called late');
}

{
	my $file = "$tmp/gzip.pftrace";
	spew($file, "\x1f\x8b\x08 and so on");
	my $run = start('', '--sf', $file);
	says($run, qr/compressed with gzip, which cannot be followed/, 'gzip: it is said');
	is(stop($run), 0, 'gzip: exit status 0');
	$run = start('', '--sf', $tmp);
	is(finish($run->{pid}), 4, 'a directory: exit status 4');
	like(said($run), qr/--sf \Q$tmp\E: not a file/, 'a directory: it is said');
	$run = start('', '--sf', '/dev/null');
	is(finish($run->{pid}), 4, 'a device: exit status 4');

	# A packet of more than is ever written is passed over, what follows is read.
	$file = "$tmp/big.pftrace";
	my $big = "\x0a" . pack('C4', 0x80 | (9 << 20 & 0x7f), 0x80 | (9 << 20 >> 7 & 0x7f),
		0x80 | (9 << 20 >> 14 & 0x7f), 9 << 20 >> 21) . 'x' x (9 << 20);
	spew($file, $packets[0] . $big . join '', @packets[1 .. 20]);
	$run = start('', '--sf', $file);
	ok(has_packets($run, join '', wanted(@packets[0 .. 20])), 'a packet too large: passed over');
	is(stop($run), 0, 'a packet too large: exit status 0');
	is({ lines_of(slurp($run->{fwc}), 'DONE') }->{sf_bytes_lost}, length $big,
		'a packet too large: its bytes count as lost');
}

{
	my ($status, $out) = do {
		local @ENV{qw(STANDIN_DIR STANDIN_DO)} = ("$tmp", '');
		run_cmd($framewait, 'check');
	};
	like($out, qr/^yes  traced .*\n.*SurfaceFlinger has registered both data sources/m,
		'check: perfetto and its service');
	($status, $out) = do {
		local @ENV{qw(STANDIN_DIR STANDIN_DO)} = ("$tmp", 'service');
		run_cmd($framewait, 'check');
	};
	like($out, qr/^no   traced .*\n.*does not answer: Could not connect/m, 'check: no service');
}

kill 'KILL', $worker;
waitpid $worker, 0;
done_testing();
