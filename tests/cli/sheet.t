#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# frames.csv in a spreadsheet: chosen columns, CR LF, separators, and what LibreOffice makes of it.
use strict;
use warnings;
use Test::More;
use Framewait::Test;

my $demo = "$top/tests/data/demo.pftrace";

sub report {
	return run_cmd($framewait, 'report', @_);
}

my $full = (report($demo, '-f', 'csv'))[1];
my @full = read_csv($full);
my @names = split /,/, ($full =~ /^(.*)\n/)[0];

sub columns {
	my ($status, $out, $err) = report($demo, '-f', 'csv', '--columns', $_[0]);
	is($status, 0, "--columns $_[0]") or diag($err);
	my @rows = read_csv($out);
	my @got = split /,/, ($out =~ /^(.*)\n/)[0];
	is_deeply([map { [@{$_}{@got}] } @rows], [map { [@{$_}{@got}] } @full], "--columns $_[0]: the same cells");
	return @got;
}

is(join(',', columns('full')), join(',', @names), 'full has all');
my @short = columns('short');
cmp_ok(scalar @short, '<', 40, 'short is short');
is(join(',', columns('-irq')), join(',', grep { !/irq_ms$/ } @names), '-irq');
my %plus = map { $_ => 1 } @short, grep { /fence/ } @names;
is(join(',', columns('+fences,-irq')), join(',', grep { $plus{$_} } @names), '+fences,-irq');
is(join(',', columns('short,-*,+late,+queue_*')), join(',', grep { /^(late|queue_.*)$/ } @names), 'columns and globs');
is((report($demo, '-f', 'csv', '--columns', $_))[0], 2, "--columns '$_' is refused") for '', 'nope', '+nope', '-all', '+fences,short', 'late';

my $crlf = (report($demo, '-f', 'csv', '--csv-crlf', '--csv-bom', '--csv-sep', ';'))[1];
is($crlf =~ s/^\xef\xbb\xbf//, 1, '--csv-bom');
is(scalar(() = $crlf =~ /\r\n/g), scalar(() = $full =~ /\n/g), '--csv-crlf');
is(($crlf =~ /^(.*?)\r\n/)[0], join(';', @names), '--csv-sep');
is((report($demo, '-f', @$_))[0], 2, "refused: @$_") for ['json', '--csv-crlf'], ['csv', '--csv-sep', ''], ['csv', '--csv-sep', '"'], ['csv', '--csv-sep', 'ab'];

# Layers that a spreadsheet would run, or change: names of the same length in the demo's packets.
my $bytes = slurp($demo);
my $layer = 'com.example.scroll/com.example.scroll.MainActivity#101';
sub named {
	my ($name) = @_;
	my $file = "$tmp/named.pftrace";
	my $new = substr $name . ' ' x 100, 0, 5 + length $layer;
	spew($file, $bytes =~ s/TX - \Q$layer\E/$new/gr);
	report($file, '-o', "$tmp/sheet", '--columns', 'sheet');
	return $new;
}

# LibreOffice as a user has it: US English, numbers and dates found by itself, formulas evaluated.
sub office {
	my ($csv) = @_;
	my $log = `HOME=$tmp soffice --headless "-env:UserInstallation=file://$tmp/office" --infilter='CSV:44,34,76,1,,1033,false,true,false,false,false,-1,true' --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false,false' --outdir $tmp/converted $csv 2>&1`;
	my ($name) = $csv =~ m{([^/]+)$};
	return -e "$tmp/converted/$name" ? read_csv(slurp("$tmp/converted/$name") =~ s/\r\n/\n/gr) : die $log;
}

for my $name ('12e5', 'mar 1', '+1+1', '@SUM(1)', '-2', ' 7') {
	named($name);
	my @texts = grep { /^'?\Q$name\E/ } map { $_->{layer} } read_csv(slurp("$tmp/sheet/frames.csv"));
	ok(@texts && !(grep { !/^'/ } @texts), "a layer named '$name' has an apostrophe before it");
}

SKIP: {
	skip 'LibreOffice is not installed (scripts/install-deps check)', 1 if system 'command -v soffice >/dev/null 2>&1';
	for my $name ("=cmd|' /C calc'!A0", '1-2-2026') {
		my $new = named($name);
		my @want = read_csv(slurp("$tmp/sheet/frames.csv"));
		my @got = office("$tmp/sheet/frames.csv");
		is(scalar @got, scalar @want, "a layer named $name: as many rows");
		ok((grep { ($_->{layer} // '') =~ /^'\Q$name\E/ } @got), 'its name is a text as it was');
		next if $name ne '1-2-2026';
		ok(!(grep { /_ns$/ } keys %{ $want[0] }), 'no raw ns');
		my @off;
		for my $i (0 .. $#want) {
			for my $c (keys %{ $want[$i] }) {
				my ($w, $g) = ($want[$i]{$c}, $got[$i]{$c} // '');
				my $same = $w =~ /^-?\d+(\.\d+)?$/ ? $g ne '' && $g =~ /^-?[\d.]+$/ && abs($g - $w) < 5e-7 : $w eq $g;
				push @off, "$c: $w is $g" if !$same;
			}
		}
		is(join("\n", @off[0 .. ($#off > 5 ? 5 : $#off)]), '', 'every cell has the same number or text');
	}
}
done_testing();
