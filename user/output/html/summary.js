// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands above and below the charts: the recording, its health, metrics, jank, distributions, animations. */
class Summary {
	constructor(frames) {
		this.frames = frames;
		this.recording = new Table('recording');
		this.health = new Table('health');
		this.metrics = new Table('stat');
		this.animations = new Table('animations');
		this.histograms = [];
		this.showRecording();
		this.showHealth();
		this.showTiles();
		this.showCounts('tags', 'jank_tag', 'tag', 'The recording says of no frame whose jank it was.');
		this.showCounts('candidates', 'candidate', 'candidate', 'No late frame has a candidate.');
		this.showMetrics();
		this.showAnimations();
		frames.on('filter', () => this.showDistributions());
	}

	showRecording() {
		const about = JSON.parse(byId('about').textContent);
		document.title = `${about.input} – framewait`;
		byId('input').textContent = about.input;
		byId('made').textContent = `framewait ${about.version}, columns version ${about.schema}`;
		const facts = new Map(this.recording.column('name').map((n, i) => [n, this.recording.cell('value', i)]));
		const shown = [['device', 'device'], ['format', 'recording'], ['kernel', 'kernel'], ['machine', 'machine'], ['cpus', 'CPUs'],
			['android', 'Android'], ['sdk', 'SDK'], ['clock', 'clock'], ['recorder', 'recorder']];
		const pairs = shown.filter(([name]) => facts.get(name)).map(([name, label]) => [label, facts.get(name)]);
		if (facts.get('span_ns'))
			pairs.push(['span', `${(Number(facts.get('span_ns')) / 1e9).toFixed(3)} s`]);
		byId('facts').append(...pairs.map(([label, value]) =>
			element('div', {}, element('dt', {}, label), element('dd', {}, value))));
		byId('recording').append(this.list(this.recording, ['name', 'value', 'meaning']));
	}

	list(table, names) {
		const columns = names.map(n => table.columns[table.index.get(n)]);
		return element('div', { class: 'scroll' }, element('table', { class: 'rows' },
			element('thead', {}, element('tr', {}, ...columns.map(c => element('th', { scope: 'col', title: c.meaning }, c.name)))),
			element('tbody', {}, ...Array.from({ length: table.n }, (_, row) => element('tr', {}, ...columns.map(c => {
				const cell = table.cell(c.name, row);
				const number = c.type !== 'text';
				return element('td', { class: number ? 'number' : null }, cell === null ? notKnown() : exactText(c, cell));
			}))))));
	}

	showHealth() {
		const h = this.health, severity = h.column('severity');
		const say = row => {
			const idx = h.cell('idx', row);
			return element('li', { class: severity[row] }, element('b', {}, h.cell('value', row).toLocaleString('en')),
				` ${h.cell('meaning', row)}${idx === null ? '' : ` [${idx}]`} `, element('span', { class: 'quiet' }, h.cell('name', row)));
		};
		const rows = kind => [...severity.keys()].filter(i => severity[i] === kind);
		const lost = rows('loss'), errors = rows('error'), info = rows('info');
		const box = byId('health');
		box.className = lost.length ? 'health loss' : errors.length ? 'health error' : 'health good';
		box.append(element('h2', {}, lost.length ? 'Data was lost: what is below is not all that happened' :
			errors.length ? 'Some of the recording could not be used' : 'Health: nothing was lost, refused or misunderstood'));
		if (lost.length || errors.length)
			box.append(element('ul', {}, ...lost.concat(errors).map(say)));
		if (info.length)
			box.append(element('details', {}, element('summary', {}, plural(info.length, 'counter') + ' of what is worth knowing'),
				element('ul', {}, ...info.map(say))));
	}

	/* The metrics of the run itself, by name. */
	run() {
		const scope = this.metrics.column('scope'), name = this.metrics.column('metric'), value = this.metrics.column('value');
		return new Map(name.map((n, i) => [n, i]).filter(([, i]) => scope[i] === 'run').map(([n, i]) => [n, value[i]]));
	}

	showTiles() {
		const { frames } = this, kind = frames.column('kind'), late = frames.column('late');
		const count = (k, only) => kind.filter((c, i) => (c === 'display') === k && (only === undefined || late[i] === only)).length;
		const tile = (label, value, note) => element('div', { class: 'tile' }, element('dt', {}, label),
			element('dd', {}, value === null ? notKnown() : value, note ? element('small', {}, note) : null));
		const tiles = [], marks = kind.includes('mark') && !kind.includes('surface');
		for (const [screen, what] of [[false, marks ? 'frames of trace marks' : 'frames of layers'], [true, 'frames of the screen']]) {
			const all = count(screen), lates = count(screen, 1), judged = lates + count(screen, 0);
			tiles.push(tile(what, all.toLocaleString('en')));
			tiles.push(tile('of these late', judged ? lates.toLocaleString('en') : null,
				judged ? ` ${percent(lates, judged)}` : null));
		}
		const run = this.run(), number = (n, unit) => run.get(n) === null || run.get(n) === undefined ? null : `${run.get(n).toFixed(2)} ${unit}`;
		tiles.push(tile('fps_mean', number('fps_mean', 'fps')), tile('ftime_p50_ms', number('ftime_p50_ms', 'ms')),
			tile('ftime_p99_ms', number('ftime_p99_ms', 'ms')));
		byId('tiles').append(...tiles);
	}

	/* A table of values with bars; a click filters. */
	showCounts(id, column, filter, none) {
		const counts = this.frames.counts(column), host = byId(id);
		if (!counts.length) {
			host.append(element('p', { class: 'none' }, none));
			return;
		}
		const most = Math.max(...counts.map(c => c[1][0] + c[1][1]));
		host.append(element('table', { class: 'rows counts' }, element('thead', {}, element('tr', {},
			...[column, 'layers', 'screen', ''].map((h, i) => element('th', { scope: 'col', class: i ? 'number' : null }, h)))),
			element('tbody', {}, ...counts.map(([value, [layers, screen]]) => element('tr', {},
				element('td', {}, element('button', { type: 'button', class: 'link', title: 'show only these frames',
					onclick: () => setFilterControl(filter, value) }, value)),
				element('td', { class: 'number' }, layers.toLocaleString('en')),
				element('td', { class: 'number' }, screen.toLocaleString('en')),
				element('td', { class: 'bar' }, element('i', { class: 'layers', style: `width:${100 * layers / most}%` }),
					element('i', { class: 'screen', style: `width:${100 * screen / most}%` })))))));
	}

	showMetrics() {
		const m = this.metrics, host = byId('metrics');
		if (!m.n) {
			host.append(element('p', { class: 'none' }, 'No metrics.'));
			return;
		}
		host.append(this.list(m, ['metric', 'value', 'unit', 'scope', 'layer', 'basis', 'state']));
	}

	showDistributions() {
		const { frames } = this;
		this.histograms.filter(h => h).forEach(removeChart);
		this.histograms = [['actual_ms', 'duration, ms'], ['deadline_delta_ms', 'end less deadline, ms: above 0 it was missed'],
			['present_interval_ms', 'from present to present, ms']].map(([name, label]) => {
			const host = byId(`dist-${name}`), values = frames.visible.map(r => frames.ms(name)[r]);
			const sorted = values.filter(v => v !== null).sort((a, b) => a - b);
			host.replaceChildren(element('h3', {}, name), element('p', { class: 'quiet' },
				`${sorted.length.toLocaleString('en')} of ${plural(values.length, 'frame')} known` + (sorted.length ? '; ' +
					[['p50', 0.5], ['p90', 0.9], ['p99', 0.99], ['max', 1]].map(([n, q]) => `${n} ${msText(quantile(sorted, q))} ms`).join(', ') : '')));
			return histogram(host, values, label);
		});
	}

	showAnimations() {
		const a = this.animations, host = byId('animations');
		if (!a.n) {
			host.append(element('p', { class: 'none' }, 'The recording names no animation.'));
			return;
		}
		host.append(this.list(a, ['source', 'id', 'process', 'status', 'start_ms', 'duration_ms', 'type', 'target', 'properties', 'ease',
			'planned_ms', 'frames', 'janky_frames', 'longest_frame_ms', 'end_reason', 'stack_top']));
	}
}
