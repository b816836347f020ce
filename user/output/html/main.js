// SPDX-License-Identifier: GPL-2.0-or-later
/* The page: its parts, the filter, the theme and the keys. */
const frames = new Frames();
const timeline = new Timeline(frames);
const view = new FrameView(frames);
const table = new FrameTable(frames);
const summary = new Summary(frames);

function fillSelect(id, all, values) {
	byId(id).append(element('option', { value: '' }, all),
		...values.map(([value, n]) => element('option', { value }, `${value} (${n.toLocaleString('en')})`)));
}

function readFilter() {
	frames.setFilter({ layer: byId('layer').value, late: byId('late').checked, tag: byId('tag').value,
		candidate: byId('candidate').value, text: byId('search').value });
}

/* As if the user had chosen it; the same once more lets all through again. */
function setFilterControl(id, value) {
	byId(id).value = byId(id).value === value ? '' : value;
	readFilter();
}

/* Auto follows the system. */
function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	byId('theme').textContent = `theme: ${theme}`;
	redrawCharts();
}

function nextTheme() {
	const themes = ['auto', 'light', 'dark'];
	setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]);
}

const keys = {
	ArrowLeft: () => frames.step(-1),
	ArrowRight: () => frames.step(1),
	PageUp: () => frames.step(-10),
	PageDown: () => frames.step(10),
	Home: () => frames.step(-frames.n),
	End: () => frames.step(frames.n),
	'+': () => timeline.zoom(0.5),
	'=': () => timeline.zoom(0.5),
	'-': () => timeline.zoom(2),
	0: () => timeline.showAll(),
};

/* Arrows work all over the page but in fields; the other keys where the timeline has the focus. */
function onKey(e) {
	const arrow = e.key === 'ArrowLeft' || e.key === 'ArrowRight';
	const inTimeline = byId('selector').contains(document.activeElement);
	if (!keys[e.key] || e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) ||
		!(arrow || inTimeline))
		return;
	e.preventDefault();
	keys[e.key]();
	timeline.reveal();
}

fillSelect('layer', 'all layers and the screen', frames.layers());
fillSelect('tag', 'all jank tags', frames.counts('jank_tag').map(([v, n]) => [v, n[0] + n[1]]));
fillSelect('candidate', 'all candidates', frames.counts('candidate').map(([v, n]) => [v, n[0] + n[1]]));
for (const id of ['layer', 'late', 'tag', 'candidate'])
	byId(id).addEventListener('change', readFilter);
byId('search').addEventListener('input', readFilter);
byId('clear').addEventListener('click', () => {
	byId('filter').reset();
	readFilter();
});
byId('filter').addEventListener('submit', e => e.preventDefault());
byId('theme').addEventListener('click', nextTheme);
document.addEventListener('keydown', onKey);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawCharts);
new ResizeObserver(() => requestAnimationFrame(resizeCharts)).observe(document.body);
/* On paper it is light, and the table begins with its first row. */
let screenTheme;
addEventListener('beforeprint', () => {
	screenTheme = document.documentElement.dataset.theme;
	setTheme('light');
	table.host.scrollTop = 0;
	table.render(true);
});
addEventListener('afterprint', () => {
	setTheme(screenTheme);
	table.render();
});

/* report.html#surface_token=1248 selects that frame. */
function selectNamed() {
	const [column, token] = location.hash.slice(1).split('=');
	const row = ['surface_token', 'display_token'].includes(column) ? frames.find(column, token) : -1;
	if (row >= 0) {
		if (!frames.visible.includes(row))
			byId('clear').click();
		frames.select(row);
		timeline.reveal();
	}
}
addEventListener('hashchange', selectNamed);

/* The layer with the most frames, and in it the worst. */
byId('layer').value = frames.layers()[0]?.[0] ?? '';
setTheme('auto');
readFilter();
frames.select(frames.visible.reduce((worst, row) => worst < 0 || frames.badness(row) > frames.badness(worst) ? row : worst, -1));
view.show(frames.selected);
selectNamed();
