// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two charts over the same time. Above, each frame stands where it began and is as high as it took;
 * a dash is its own deadline. Below, where the time of one role's thread went in each frame.
 * A selection moves a marker above the charts and draws nothing anew, so it costs nothing at any size.
 */
class Timeline {
	constructor(frames) {
		this.frames = frames;
		this.role = 'ui';
		this.cut = true;
		this.charts = [];
		this.markers = [];
		this.animations = this.#strips(new Table('animations'));
		byId('animation-key').hidden = !this.animations.length;
		frames.on('filter', () => this.build());
		frames.on('select', () => this.mark());
		byId('whole-height').addEventListener('change', e => {
			this.cut = !e.target.checked;
			this.build();
		});
		const roles = byId('role');
		for (const [role, name, what] of ROLES)
			roles.append(element('option', { value: role }, `${name}: ${what}`));
		roles.addEventListener('change', () => {
			this.role = roles.value;
			this.build();
		});
		byId('zoom-in').addEventListener('click', () => this.zoom(0.5));
		byId('zoom-out').addEventListener('click', () => this.zoom(2));
		byId('zoom-all').addEventListener('click', () => this.showAll());
		byId('previous').addEventListener('click', () => this.frames.step(-1));
		byId('next').addEventListener('click', () => this.frames.step(1));
		byId('state-legend').append(legend());
	}

	/* Animations as strips in up to five rows: [from, to, row]. */
	#strips(table) {
		const start = table.ms('start_ms'), end = table.ms('end_ms'), ends = [];
		const known = [...start.keys()].filter(i => start[i] !== null).sort((a, b) => start[a] - start[b]);
		return known.map(i => {
			const to = end[i] ?? start[i];
			let row = ends.findIndex(e => e < start[i]);
			row = row < 0 ? Math.min(ends.length, 4) : row;
			ends[row] = to;
			return [start[i], to, row];
		});
	}

	build() {
		const { frames } = this;
		const range = this.range;
		this.charts.forEach(removeChart);
		this.charts = [];
		this.markers = [];
		this.rows = frames.visible;
		this.starts = this.rows.map(r => frames.ms('actual_start_ms')[r]);
		byId('timeline-count').textContent = `${plural(this.rows.length, 'frame')} of ${frames.n.toLocaleString('en')}`;
		for (const id of ['timeline', 'states'])
			byId(id).replaceChildren();
		if (!this.rows.length) {
			byId('timeline').append(element('p', { class: 'none' },
				frames.n ? 'The filter lets no frame through.' : 'The recording has no frames.'));
			return;
		}
		this.buildDurations();
		this.buildStates();
		this.setRange(range && range[1] > this.all()[0] && range[0] < this.all()[1] ? range : this.all());
		this.mark();
	}

	all() {
		const { starts } = this;
		const span = Math.max(starts[starts.length - 1] - starts[0], 1);
		return [starts[0] - span * 0.01 - 1, starts[starts.length - 1] + span * 0.01 + 1];
	}

	/* The height of a chart: the highest, or somewhat more than most are where a few are far higher. */
	height(values) {
		const sorted = values.filter(v => v !== null).sort((a, b) => a - b);
		const highest = quantile(sorted, 1) ?? 1, most = quantile(sorted, 0.97) ?? 1;
		return 1.06 * (this.cut && highest > 3 * most && most > 0 ? 2 * most : highest || 1);
	}

	buildDurations() {
		const { frames, rows } = this;
		const end = frames.ms('expected_end_ms'), start = frames.ms('actual_start_ms');
		const took = frames.ms('actual_ms');
		this.took = rows.map(r => took[r]);
		this.deadline = rows.map(r => end[r] === null ? null : end[r] - start[r]);
		this.late = rows.map(r => frames.column('late')[r]);
		const top = this.height(this.took.concat(this.deadline));
		this.addTimeChart('timeline', 230, this.took, top, chart => this.drawDurations(chart, top), 'ms since the frame began');
	}

	buildStates() {
		const { frames, rows } = this;
		this.parts = STATES.map(([state]) => {
			const ms = frames.ms(`${this.role}_${state}_ms`);
			return rows.map(r => ms[r]);
		});
		const sums = rows.map((_, i) => this.parts.every(p => p[i] === null) ? null :
			this.parts.reduce((sum, p) => sum + (p[i] ?? 0), 0));
		const known = sums.filter(s => s !== null).length;
		byId('states-known').textContent = known === rows.length ? '' :
			`not known of ${plural(rows.length - known, 'frame')}`;
		if (!known) {
			byId('states').append(element('p', { class: 'none' },
				`No frame here has a thread of the role ${this.role} whose states are known.`));
			return;
		}
		const top = this.height(sums);
		this.addTimeChart('states', 170, sums, top, chart => this.drawStates(chart, top), 'ms in state');
	}

	addTimeChart(id, height, values, top, draw, label) {
		const parent = byId(id);
		const chart = addChart(parent, {
			height,
			scales: { x: { time: false }, y: { range: [0, top] } },
			axes: [axis('time since the recording began, ms', { size: 28 }), axis(label, { size: 52 })],
			series: [{}, { paths: () => null, points: { show: false } }],
			cursor: { y: false, points: { show: false }, drag: { x: true, y: false, uni: 8 } },
			hooks: { draw: [draw], setSize: [() => this.mark()], setScale: [(u, key) => key === 'x' && this.followRange(u)] },
		}, [this.starts, values]);
		const marker = element('div', { class: 'marker' });
		chart.over.append(marker);
		this.markers.push(marker);
		this.charts.push(chart);
		this.pick(chart);
	}

	/* A click that is no drag selects the nearest frame; the readout names the one under the pointer. */
	pick(chart) {
		let down = 0;
		chart.over.addEventListener('mousedown', e => {
			down = e.clientX;
		});
		chart.over.addEventListener('mouseup', e => {
			if (Math.abs(e.clientX - down) < 4)
				this.frames.select(this.rows[this.nearest(chart, e)]);
		});
		chart.over.addEventListener('mousemove', e => this.readout(this.nearest(chart, e)));
		chart.over.addEventListener('mouseleave', () => this.readout(-1));
	}

	nearest(chart, event) {
		const left = event.clientX - chart.over.getBoundingClientRect().left - this.barWidth(chart) / devicePixelRatio / 2;
		const at = firstFrom(this.starts, chart.posToVal(left, 'x'));
		const distance = i => Math.abs(chart.valToPos(this.starts[i], 'x') - left);
		return at > 0 && (at === this.rows.length || distance(at - 1) < distance(at)) ? at - 1 : at;
	}

	readout(i) {
		const text = byId('readout');
		if (i < 0) {
			text.textContent = '';
			return;
		}
		const slack = this.deadline[i] === null || this.took[i] === null ? null : this.took[i] - this.deadline[i];
		text.textContent = `at ${msText(this.starts[i])} ms: took ${msText(this.took[i])} ms, deadline after ` +
			`${msText(this.deadline[i])} ms` + (slack === null ? '' : slack > 0 ? `, ${msText(slack)} ms past it` :
				`, ${msText(-slack)} ms before it`);
	}

	/* In the canvas's pixels: most of the distance from frame to frame. */
	barWidth(chart) {
		const { min, max } = chart.scales.x;
		const inView = Math.max(1, firstFrom(this.starts, max) - firstFrom(this.starts, min));
		return Math.min(Math.max(0.7 * chart.bbox.width / inView, devicePixelRatio), 12 * devicePixelRatio);
	}

	/* Calls back for each frame in view, with the left edge of its bar. */
	eachInView(chart, callback) {
		const { min, max } = chart.scales.x, width = this.barWidth(chart);
		const before = width / chart.bbox.width * (max - min);
		for (let i = firstFrom(this.starts, min - before); i < this.rows.length && this.starts[i] <= max; i++)
			callback(i, chart.valToPos(this.starts[i], 'x', true));
	}

	drawDurations(chart, top) {
		const width = this.barWidth(chart);
		const layers = [['unjudged', null], ['on-time', 0], ['late', 1]];
		const y = v => chart.valToPos(Math.min(v, top), 'y', true), zero = y(0);
		drawIn(chart, ctx => {
			for (const [color, late] of layers) {
				ctx.fillStyle = colorOf(color);
				this.eachInView(chart, (i, x) => {
					if (this.late[i] === late && this.took[i] !== null)
						ctx.fillRect(x, y(this.took[i]), width, zero - y(this.took[i]));
				});
			}
			/* Those that are cut end in a notch. */
			ctx.fillStyle = colorOf('panel');
			this.eachInView(chart, (i, x) => {
				if (this.took[i] > top)
					ctx.fillRect(x, chart.bbox.top + 3 * devicePixelRatio, width, 2 * devicePixelRatio);
			});
			ctx.fillStyle = colorOf('animation');
			for (const [from, to, row] of this.animations) {
				const x = chart.valToPos(from, 'x', true);
				ctx.fillRect(x, chart.bbox.top + row * 4 * devicePixelRatio, Math.max(chart.valToPos(to, 'x', true) - x, 1), 3 * devicePixelRatio);
			}
			ctx.fillStyle = colorOf('deadline');
			const over = width > 3 ? devicePixelRatio : 0, thick = Math.max(1, Math.round(1.5 * devicePixelRatio));
			this.eachInView(chart, (i, x) => {
				if (this.deadline[i] !== null && this.deadline[i] <= top)
					ctx.fillRect(x - over, y(this.deadline[i]) - thick / 2, width + 2 * over, thick);
			});
		});
	}

	drawStates(chart, top) {
		const width = this.barWidth(chart), { top: high, height } = chart.bbox;
		const y = v => high + height * (1 - Math.min(v, top) / top);
		const from = new Float64Array(this.rows.length);
		drawIn(chart, ctx => {
			STATES.forEach(([state], s) => {
				ctx.fillStyle = colorOf(state);
				this.eachInView(chart, (i, x) => {
					const part = this.parts[s][i];
					if (!part)
						return;
					ctx.fillRect(x, y(from[i] + part), width, y(from[i]) - y(from[i] + part));
					from[i] += part;
				});
			});
		});
	}

	/* One chart was zoomed: the other one follows. */
	followRange(chart) {
		const { min, max } = chart.scales.x;
		if (min === null || min === undefined)
			return;
		this.range = [min, max];
		for (const other of this.charts)
			if (other !== chart && (other.scales.x.min !== min || other.scales.x.max !== max))
				other.setScale('x', { min, max });
		this.mark();
	}

	setRange([min, max]) {
		for (const chart of this.charts)
			chart.setScale('x', { min, max });
	}

	showAll() {
		if (this.charts.length)
			this.setRange(this.all());
	}

	/* About the selected frame where it is in view, else about the middle. */
	zoom(factor) {
		if (!this.charts.length)
			return;
		let [min, max] = this.range;
		const at = this.frames.selected < 0 ? null : this.frames.ms('actual_start_ms')[this.frames.selected];
		const center = at !== null && at >= min && at <= max ? at : (min + max) / 2;
		const half = Math.max((max - min) * factor / 2, 0.5);
		const [first, last] = this.all();
		min = Math.max(center - half, first);
		max = Math.min(center + half, last);
		if (max > min)
			this.setRange([min, max]);
	}

	/* The marker of the selected frame; a frame out of view is brought into it. */
	mark() {
		const row = this.frames.selected;
		const found = row < 0 || !this.charts.length ? -1 : firstFrom(this.rows, row);
		const at = this.rows?.[found] === row ? found : -1;
		byId('selector').setAttribute('aria-valuenow', at + 1);
		byId('selector').setAttribute('aria-valuemax', this.rows?.length ?? 0);
		byId('selector').setAttribute('aria-valuetext', at < 0 ? 'no frame selected' :
			`frame ${at + 1}, at ${msText(this.starts[at])} ms, took ${msText(this.took[at])} ms`);
		this.charts.forEach((chart, i) => {
			const marker = this.markers[i];
			marker.hidden = at < 0;
			if (at < 0)
				return;
			const width = Math.max(this.barWidth(chart) / devicePixelRatio, 3);
			marker.style.left = `${chart.valToPos(this.starts[at], 'x') - 1.5}px`;
			marker.style.width = `${width}px`;
		});
	}

	/* Keeps the selected frame in view as the keyboard walks along. */
	reveal() {
		const row = this.frames.selected;
		if (row < 0 || !this.charts.length)
			return;
		const at = this.frames.ms('actual_start_ms')[row], [min, max] = this.range, span = max - min;
		if (at < min)
			this.setRange([at - span * 0.2, at + span * 0.8]);
		else if (at > max)
			this.setRange([at - span * 0.8, at + span * 0.2]);
	}
}
