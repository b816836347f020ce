# SPDX-License-Identifier: GPL-2.0-or-later
# Made-up runs as frames.csv: one app's layer at 60 Hz. Its work on a frame is log-normal, depends on
# the frame before, and each run has a speed of its own; what misses its vsync is shown at the next.
package Framewait::Runs;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(seed_runs make_run);

my $state = 1;

sub seed_runs {
	($state) = @_;
}

sub uniform {
	$state = $state * 1103515245 + 12345 & 0x7fffffff;
	return ($state + 0.5) / 0x80000000;
}

# Of mean 0 and deviation 1.
sub normal {
	return sqrt(-2 * log uniform()) * cos(6.283185307179586 * uniform());
}

# make_run(frames => 1000, slow => 1.05, jitter => 0.01, runnable => 2, candidate => 'cpu_late'): the
# text of a frames.csv. slow and runnable are factors on the work and on the wait for a CPU, jitter is
# how much whole runs differ by themselves, a late frame has the candidate.
sub make_run {
	my %o = (frames => 1000, slow => 1, jitter => 0.01, runnable => 1, candidate => undef, @_);
	my $speed = exp($o{jitter} * normal());
	my ($t, $ar, $shown) = (5, 0, -1);
	my $out = 'kind,process,pid,layer,is_buffer,late,actual_start_ms,actual_ms,present_type,jank_tag,' .
		"display_start_ms,display_ms,ui_running_ms,ui_runnable_ms,ui_sleeping_ms" .
		(defined $o{candidate} ? ",candidate\n" : "\n");
	for (1 .. $o{frames}) {
		$ar = 0.3 * $ar + 0.95 * normal();
		my $work = 9 * exp(0.12 * $ar) * $speed * $o{slow};
		$work += 12 * uniform() if uniform() < 0.01;
		my $late = $work > 14.6667;
		my $vsync = int(($t + $work + 2) / 16.666667) + 1;
		$vsync = $shown + 1 if $vsync <= $shown;
		$shown = $vsync;
		my $runnable = 0.2 * uniform() * $o{runnable};
		my $running = 0.6 * $work;
		$out .= sprintf "surface,app,1,TX - app#1,1,%d,%.6f,%.6f,%s,%s,%.6f,%.6f,%.6f,%.6f,%.6f", $late, $t, $work,
			$late ? 'Late Present' : 'On-time Present', $late ? 'Self Jank' : 'No Jank',
			$vsync * 16.666667 - 4, 4, $running, $runnable, $work - $running - $runnable;
		$out .= defined $o{candidate} ? ',' . ($late ? $o{candidate} : '') . "\n" : "\n";
		$t += 16.666667;
		$t += 16.666667 while $t + 14 < $vsync * 16.666667 - 16.666667;
	}
	return $out;
}

1;
