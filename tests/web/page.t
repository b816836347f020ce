#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The HTML report in a real Chromium: it loads without a word on the console, its numbers are the CSV's, frames are
# selected by mouse and keyboard, the table sorts and filters, hostile names do nothing, and 10,000 frames work.
use strict;
use warnings;
use Test::More;
use Framewait::Browser;
use Framewait::Test;

my ($status, undef, $said) = run_cmd($framewait, 'report', "$top/tests/data/demo.fwc", '-f', 'html', '-o', "$tmp/demo.html");
if ($said =~ /built without the HTML page/ && !$ENV{CI}) {
	plan skip_all => 'framewait was built without the HTML page: no npm';
}
my @missing = find_browser();
plan skip_all => "@missing: not installed" if @missing && !$ENV{CI};
is($status, 0, 'report -f html -o') or diag($said);

my $web = Framewait::Browser->new;

# A page of a recording, with nothing on the console.
sub load {
	my ($path, $what) = @_;
	$web->open($path);
	is(join("\n", $web->console), '', "$what: nothing on the console");
	return;
}

sub csv {
	my ($table, @args) = @_;
	my ($s, $out, $err) = run_cmd($framewait, 'report', @args, '-t', $table, '-f', 'csv');
	is($s, 0, "$table as CSV") or diag($err);
	return read_csv($out);
}

# Every cell of a table as the page has it, against the CSV.
sub same_table {
	my ($name, $what, @args) = @_;
	my @rows = csv($name, @args);
	my $page = $web->run(<<'JS', $name);
const t = new Table(arguments[0]);
return { names: t.columns.map(c => c.name), cells: t.columns.map(c => t.column(c.name).map(v => v === null ? '' : exactText(c, v))) };
JS
	my ($cells, @bad) = (0);
	for my $c (0 .. $#{ $page->{names} }) {
		my ($column, $values) = ($page->{names}[$c], $page->{cells}[$c]);
		is(scalar @$values, scalar @rows, "$what: $name.$column: rows") if @$values != @rows;
		for my $i (0 .. $#rows) {
			my ($mine, $theirs) = ($values->[$i], $rows[$i]{$column});
			utf8::decode(my $text = $theirs);
			$cells++;
			push @bad, "row $i, $column: page '$mine', csv '$theirs'" if $mine ne $text && !same_real($mine, $theirs);
		}
	}
	ok(!@bad, "$what: $cells cells of $name are the CSV's") or diag(join "\n", splice @bad, 0, 10);
	return @rows;
}

# Numbers that are no times are printed by each side's own rules.
sub same_real {
	my ($x, $y) = @_;
	return $x =~ /^-?[\d.]+(e[-+]?\d+)?$/ && $y =~ /^-?[\d.]+(e[-+]?\d+)?$/ && $x !~ /^-?\d{10,}$/ && $x == $y;
}

sub text_of {
	return $web->run('return document.querySelector(arguments[0])?.textContent ?? null', $_[0]);
}

sub selected {
	return $web->run('return frames.selected');
}

# The demo recording.
load("$tmp/demo.html", 'demo');
my @frames = same_table('frames', 'demo', "$top/tests/data/demo.fwc");
same_table($_, 'demo', "$top/tests/data/demo.fwc") for qw(fences intervals health recording animations);
is(text_of('#input'), 'demo.fwc', 'the page names the recording');
my @tiles = @{ $web->run('return [...document.querySelectorAll("#tiles dd")].map(e => e.firstChild.textContent)') };
my $count = sub { scalar grep { $_[0]->() } @frames };
is_deeply([@tiles[0 .. 3]], [$count->(sub { $_->{kind} ne 'display' }), $count->(sub { $_->{kind} ne 'display' && $_->{late} eq '1' }),
	$count->(sub { $_->{kind} eq 'display' }), $count->(sub { $_->{kind} eq 'display' && $_->{late} eq '1' })],
	'the numbers of frames and late frames are the CSV\'s');
my ($s, $stat) = run_cmd($framewait, 'stat', "$top/tests/data/demo.fwc", '-f', 'csv');
my %metric = map { $_->{metric} => $_->{value} } grep { $_->{scope} eq 'run' } read_csv($stat);
is($tiles[4], sprintf('%.2f fps', $metric{fps_mean}), 'fps_mean is what framewait stat says');
my %tags;
$tags{ $_->{jank_tag} }[$_->{kind} eq 'display']++ for grep { $_->{jank_tag} ne '' } @frames;
is_deeply({ map { $_->[0] => [@$_[1, 2]] } @{ $web->run('return [...document.querySelectorAll("#tags tbody tr")].map(r => [...r.cells].slice(0, 3).map(c => c.textContent))') } },
	{ map { my $t = $_; $t => [map { $tags{$t}[$_] // 0 } 0, 1] } keys %tags }, 'jank by tag is the CSV\'s');

# The worst frame is selected; all its columns are the CSV's.
sub shown_columns_are_csv {
	my ($what) = @_;
	my $row = $frames[selected()];
	$web->run('document.querySelector("details.cells").open = true');
	my $cells = $web->run(<<'JS');
return new Promise(done => requestAnimationFrame(() => setTimeout(() => done(Object.fromEntries(
	[...document.querySelectorAll('details.cells td[data-column]')].map(e => [e.dataset.column, e.textContent]))), 50)));
JS
	my @bad = grep { $cells->{$_} ne ($row->{$_} eq '' ? 'not known' : $row->{$_}) && !same_real($cells->{$_}, $row->{$_}) } keys %$row;
	ok(keys %$cells == keys %$row && !@bad, "$what: all columns, exactly; empty ones are \"not known\"") or diag("@bad");
	return;
}
my ($worst) = sort { $b->{overrun_ms} <=> $a->{overrun_ms} } map { +{ %$_, overrun_ms => $_->{overrun_ms} || 0 } } grep { $_->{kind} eq 'surface' } @frames;
is($frames[selected()]{overrun_ms}, $worst->{overrun_ms}, 'the worst frame is selected');
shown_columns_are_csv('the worst frame');
my $candidate = $frames[selected()]{candidate};
like(text_of('#frame .candidate'), qr/^Candidate: \Q$candidate\E.*no verdict/s, 'its candidate is called one');
cmp_ok($web->run('return document.querySelectorAll("#frame svg .bar").length'), '>', 10, 'it is drawn');

# Drawn to scale: each bar of a thread against the CSV's intervals.
my $bars = $web->run(<<'JS');
const svg = document.querySelector('#frame svg'), f = frames.table.row(frames.selected);
const bars = new Table('intervals').rowsOfFrame(f).length;
return { n: bars, wide: svg.getBoundingClientRect().width, deadline: svg.querySelectorAll('line.deadline').length };
JS
my $sel = $frames[selected()];
my @mine = grep { my $i = $_; !grep { $i->{$_} ne $sel->{$_} } qw(kind pid layer surface_token display_token actual_start_ns) }
	csv('intervals', "$top/tests/data/demo.fwc");
is($bars->{n}, scalar @mine, 'as many intervals as the CSV has of it');
is($bars->{deadline}, 1, 'its deadline is drawn');

# By keyboard: arrows anywhere, Home and End on the timeline.
my @layer = @{ $web->run('return frames.visible') };
my ($at) = grep { $layer[$_] == selected() } 0 .. $#layer;
$web->press('Right');
is(selected(), $layer[$at + 1], 'the right arrow selects the next frame');
$web->press('Left', 'Left');
is(selected(), $layer[$at - 1], 'the left arrow the one before');
$web->run('document.getElementById("selector").focus()');
$web->press('End');
is(selected(), $layer[-1], 'End selects the last');
$web->press('Home');
is(selected(), $layer[0], 'Home the first');
shown_columns_are_csv('the first frame');
like($web->run('return document.getElementById("selector").getAttribute("aria-valuetext")'), qr/^frame 1, at [\d.]+ ms/, 'a screen reader hears which');
isnt($web->run('return getComputedStyle(document.getElementById("selector")).outlineStyle'), 'none', 'the focus is seen');

# By name.
$web->run('location.hash = "#surface_token=" + arguments[0]', $frames[$layer[30]]{surface_token});
$web->run('return new Promise(done => setTimeout(done, 100))');
is(selected(), $layer[30], 'a token behind the page\'s name selects its frame');

# By mouse: on the timeline where a frame stands, and on a row of the table.
my $where = $web->run(<<'JS', $layer[20]);
const chart = timeline.charts[0], box = chart.over.getBoundingClientRect();
return chart.valToPos(frames.ms('actual_start_ms')[arguments[0]], 'x') + timeline.barWidth(chart) / devicePixelRatio / 2 - box.width / 2;
JS
$web->run('document.querySelector("#timeline").scrollIntoView({ block: "center" })');
$web->drag('#timeline .u-over', [$where, 0]);
is(selected(), $layer[20], 'a click on the timeline selects the frame there');
my $before = $web->run('return timeline.range');
$web->drag('#timeline .u-over', [-300, 0], [-100, 0], [100, 0]);
my $range = $web->run('return timeline.range');
ok($range->[1] - $range->[0] < ($before->[1] - $before->[0]) / 2, 'a drag zooms');
is_deeply($web->run('const s = timeline.charts[1].scales.x; return [s.min, s.max]'), $range, 'and the chart of states follows');
is(selected(), $layer[20], 'but selects nothing');
$web->click('#zoom-all');
is_deeply($web->run('return timeline.range'), $before, 'and back');

# The table sorts by each heading, and filters.
sub column_shown {
	return @{ $web->run('return table.rows.map(r => { const v = frames.table.cell(arguments[0], r); return v === null ? null : Number(v); })', $_[0]) };
}
$web->run('document.querySelector("#table-scroll").scrollIntoView({ block: "center" })');
$web->click('th[data-by="actual_ms"] button');
my @down = grep { defined } column_shown('actual_ms');
is_deeply(\@down, [sort { $b <=> $a } @down], 'a click on a heading sorts');
is($web->run('return document.querySelector("th[data-by=actual_ms]").getAttribute("aria-sort")'), 'descending', 'and says so');
$web->click('th[data-by="actual_ms"] button');
my @up = grep { defined } column_shown('actual_ms');
is_deeply(\@up, [sort { $a <=> $b } @up], 'another one the other way');
$web->click('#table-scroll tbody tr[data-row]');
is($web->run('return String(frames.selected)'), $web->run('return document.querySelector("#table-scroll tr[data-row]").dataset.row'),
	'a click on a row selects its frame');
$web->run('scrollTo(0, 0)');
$web->click('#late');
is($web->run('return table.rows.length'), $count->(sub { $_->{kind} eq 'surface' && $_->{late} eq '1' }), 'late only');
$web->click('#clear');
is($web->run('return table.rows.length'), scalar @frames, 'show all');
my ($token) = grep { $_ } map { $_->{surface_token} } @frames;
$web->type('#search', $token);
is($web->run('return table.rows.length'), scalar(grep { grep { /\Q$token\E/ } @$_{qw(process layer surface_token display_token present_type
	jank_tag jank_type candidate other_candidates flags)} } @frames), 'a search');
$web->click('#clear');
my ($tag) = map { $_->{jank_tag} } grep { $_->{late} eq '1' } @frames;
$web->run('[...document.querySelectorAll("#tags button")].find(e => e.textContent === arguments[0]).click()', $tag);
is($web->run('return table.rows.length'), $count->(sub { $_->{jank_tag} eq $tag }), 'a click on a jank tag filters');

# Themes, a narrow window, paper.
my $paper = $web->run('return getComputedStyle(document.body).backgroundColor');
$web->click('#theme');
$web->click('#theme');
isnt($web->run('return getComputedStyle(document.body).backgroundColor'), $paper, 'the dark theme is another one');
$web->call(POST => "$web->{session}/window/rect", { width => 500, height => 900 });
$web->run('return new Promise(done => setTimeout(done, 300))');
is($web->run('return document.documentElement.scrollWidth <= innerWidth'), JSON::PP::true, 'a narrow window needs no sideways scrolling');
my $pdf = $web->pdf;
like($pdf, qr/^%PDF/, 'it prints');
is($web->run('return document.documentElement.dataset.theme'), 'dark', 'and keeps its theme');
is(join("\n", $web->console), '', 'after all that: nothing on the console');
$web->call(POST => "$web->{session}/window/rect", { width => 1400, height => 1000 });

# Names that are markup, scripts and ends of scripts, of the same length as those that they replace.
my %hostile = (
	'com.example.scroll/com.example.scroll.MainActivity#101' => '</script><script>window.owned = 1</script><!--<script>',
	'com.example.ticker/com.example.ticker.Widget, "big"#117' => '<img src=x onerror="window.owned = 2">]]>--></style>\'`',
	'com.example.scroll' => '<b id=owned></b>&#',
	'm.example.scroll' => '__proto__',
	'mali.timeline' => '<svg onload="',
);
my $bytes = slurp("$top/tests/data/demo.pftrace");
for my $name (sort { length $b <=> length $a } keys %hostile) {
	my $with = substr $hostile{$name} . '.' x length $name, 0, length $name;
	$bytes =~ s/\Q$name\E/$with/g;
}
spew("$tmp/hostile.pftrace", $bytes);
is((run_cmd($framewait, 'report', "$tmp/hostile.pftrace", '-f', 'html', '-o', "$tmp/hostile.html"))[0], 0, 'hostile names');
load("$tmp/hostile.html", 'hostile names');
my @theirs = same_table('frames', 'hostile names', "$tmp/hostile.pftrace");
like($theirs[-1]{layer} . $theirs[0]{layer} . $theirs[50]{layer}, qr{</script>}, 'they are in it');
$web->run('for (let i = 0; i < 40; i++) frames.step(1); readFilter();');
$web->click('#clear');
is($web->run('return [window.owned === undefined, document.getElementById("owned"), document.querySelector("img"), document.scripts.length - document.querySelectorAll("script[type]").length].join()'),
	'true,,,2', 'no name became an element or ran');
like(text_of('#table-scroll'), qr{</script><script>}, 'they are shown as they are');
is(join("\n", $web->console), '', 'hostile names, selected and filtered: nothing on the console');

# The GPU beside a frame.
run_cmd($gen, 'gpu', '-o', "$tmp/gpu.pftrace");
is((run_cmd($framewait, 'report', "$tmp/gpu.pftrace", '-f', 'html', '-o', "$tmp/gpu.html"))[0], 0, 'a GPU');
load("$tmp/gpu.html", 'a GPU');
my @gpu = same_table('gpu', 'a GPU', "$tmp/gpu.pftrace");
my ($with) = grep { $gpu[0]{actual_start_ns} eq $_->{actual_start_ns} && $gpu[0]{kind} eq $_->{kind} } csv('frames', "$tmp/gpu.pftrace");
$web->run('byId("clear").click(); frames.select(frames.find("surface_token", arguments[0]))', $with->{surface_token});
my @beside = grep { my $row = $_; !grep { $row->{$_} ne $with->{$_} } qw(kind pid layer surface_token display_token actual_start_ns) } @gpu;
my @columns = qw(source gpu name id owner_pid samples mean min max last unit busy_ms);
my $shown = $web->run('return [...document.querySelectorAll("details.gpu tbody tr")].map(r => [...r.cells].map(c => c.textContent))');
is(scalar @$shown, scalar @beside, 'a frame shows its rows of the GPU');
my @differ = grep { my ($r, $c) = (int $_ / @columns, $_ % @columns); my ($x, $y) = ($shown->[$r][$c], $beside[$r]{ $columns[$c] });
	utf8::decode($y); $x ne $y && !same_real($x, $y) } 0 .. @beside * @columns - 1;
is("@differ", '', 'as the CSV has them');

# Nothing in it, and marks without SurfaceFlinger.
spew("$tmp/empty.pftrace", "\x0a\x02\x40\x01");
is((run_cmd($framewait, 'report', "$tmp/empty.pftrace", '-f', 'html', '-o', "$tmp/empty.html"))[0], 0, 'an empty recording');
load("$tmp/empty.html", 'an empty recording');
$web->press('Right', 'End');
like(text_of('#timeline'), qr/no frames/, 'an empty recording says that it has no frames');
is(text_of('#tiles dd'), '0', 'and none of them is what it counts');
like(text_of('#tiles div:nth-child(5) dd'), qr/^not known$/, 'what is not known is no 0');
is(join("\n", $web->console), '', 'an empty recording, keys: nothing on the console');

# Ten thousand frames.
is((run_cmd($gen, 'demo', '--frames', 10_000, '-o', "$tmp/long.pftrace"))[0], 0, 'a long recording');
is((run_cmd($framewait, 'report', "$tmp/long.pftrace", '-f', 'html', '-o', "$tmp/long.html"))[0], 0, 'its page');
diag(sprintf 'its page has %.1f MB', (-s "$tmp/long.html") / 1e6);
load("$tmp/long.html", '10,000 frames');
cmp_ok($web->run('return frames.n'), '>=', 10_000, 'all of them are there');
$web->run(<<'JS');
window.long = [];
new PerformanceObserver(list => long.push(...list.getEntries().map(e => e.duration))).observe({ type: 'longtask' });
JS
$web->run('document.getElementById("selector").focus()');
$web->press('Home', ('Right') x 50);
is($web->run('return frames.visible.indexOf(frames.selected)'), 50, 'fifty arrows select the fifty-first');
$web->drag('#timeline .u-over', [-400, 0], [-395, 0], [-390, 0]) for 1 .. 2;
$web->drag('#timeline .u-over', [100, 0]);
my $seen = $web->run('const [a, b] = timeline.range, t = frames.ms("actual_start_ms")[frames.selected]; return [t >= a, t <= b, b - a, frames.visible.length]');
ok($seen->[0] && $seen->[1], 'zoomed in, a click selects a frame in view');
$web->click('#zoom-all');
$web->run('document.querySelector("#table-scroll").scrollTop = 1e9');
cmp_ok($web->run('return document.querySelectorAll("#table-scroll tr[data-row]").length'), '<', 200, 'the table makes only the rows in view');
my @long = @{ $web->run('return long') };
diag(sprintf '%d tasks over 50 ms, the longest %.0f ms', scalar @long, (sort { $b <=> $a } @long, 0)[0]);
is(join("\n", $web->console), '', '10,000 frames: nothing on the console');

done_testing();
