# SPDX-License-Identifier: GPL-2.0-or-later
# prove's own output, then the reasons of skips and one plain line: N passed, N failed
package Framewait::Summary;
use strict;
use warnings;
use parent 'TAP::Formatter::Console';

sub summary {
	my ($self, $aggregate, @rest) = @_;
	my ($passed, $failed, $skipped) = (0, 0, 0);
	my %why;

	$self->SUPER::summary($aggregate, @rest);
	for my $parser ($aggregate->parsers($aggregate->descriptions)) {
		my $bad = $parser->failed;
		# A crash, a broken plan or a bad exit status without a failed check is a failure too.
		$bad = 1 if !$bad && $parser->has_problems;
		$failed += $bad;
		my $skips = $parser->skipped;
		$skipped += $skips;
		$passed += $parser->passed - $skips;
		$why{ $parser->skip_all }++ if $parser->skip_all;
	}
	print "$skipped checks skipped; their lines above or in \"prove -v\" name the reason\n"
		if $skipped;
	print "skipped a whole file: $_\n" for sort keys %why;
	print "$passed passed, $failed failed\n";
}

1;
