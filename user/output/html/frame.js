// SPDX-License-Identifier: GPL-2.0-or-later
/* The selected frame: its windows, marks, phases, fences and threads to scale, and what they waited for. */
class FrameView {
	constructor(frames) {
		this.frames = frames;
		this.intervals = new Table('intervals');
		this.fences = new Table('fences');
		this.animations = new Table('animations');
		this.gpuRows = new Table('gpu');
		frames.on('select', row => this.show(row));
	}

	show(row) {
		const panel = byId('frame');
		if (row < 0) {
			panel.replaceChildren(element('p', { class: 'none' }, 'No frame is selected.'));
			return;
		}
		const frame = this.frames.table.row(row);
		const displayRow = this.frames.displayOf(row);
		const display = displayRow < 0 ? null : this.frames.table.row(displayRow);
		this.row = row;
		panel.replaceChildren(this.title(row, frame), this.facts(frame), this.candidate(frame),
			this.scale(frame, display), this.waits(), this.roles(frame), ...this.gpu(frame), this.cells(frame));
	}

	title(row, frame) {
		const tokens = frame.kind === 'display' ? `display token ${frame.display_token}` :
			frame.surface_token === null ? `pid ${frame.pid}` : `surface token ${frame.surface_token}`;
		const late = frame.late === null ? null :
			element('span', { class: `badge ${frame.late ? 'late' : 'on-time'}` }, frame.late ? 'late' : 'on time');
		return element('h3', {}, element('span', { class: 'name' }, this.frames.names[row]),
			element('span', { class: 'quiet' }, ` ${tokens} `), late);
	}

	facts(frame) {
		const ms = name => {
			const cell = frame[name];
			return cell === null ? notKnown() : element('span', { title: `${exactMs(cell)} ms` }, `${msText(cell / 1e6)} ms`);
		};
		const text = name => frame[name] === null ? notKnown() : frame[name];
		const facts = [
			['process', text('process')], ['began at', ms('actual_start_ms')], ['took', ms('actual_ms')],
			['prediction gave', ms('expected_ms')], ['end less deadline', ms('deadline_delta_ms')],
			['shown', text('present_type')], ['jank', text('jank_type')], ['buffer', this.bufferText(frame)],
		];
		return element('dl', { class: 'facts' }, ...facts.map(([name, value]) =>
			element('div', {}, element('dt', {}, name), element('dd', {}, value))));
	}

	bufferText(frame) {
		return frame.tracer_match === null ? notKnown() : frame.buffer_id === null ? `match: ${frame.tracer_match}` :
			`frame number ${frame.frame_number ?? 'not known'}, match: ${frame.tracer_match}`;
	}

	candidate(frame) {
		if (frame.candidate === null)
			return element('p', { class: 'quiet' }, frame.late === 0 ? 'In time: no candidate is looked for.' :
				frame.late === null ? 'Whether it was late is not known: no candidate.' : 'No candidate.');
		const explains = frame.candidate_ms === null ? '' : ` explains ${msText(frame.candidate_ms / 1e6)} ms` +
			(frame.overrun_ms === null ? '' : ` of ${msText(frame.overrun_ms / 1e6)} ms late`);
		return element('div', { class: 'candidate' },
			element('b', {}, `Candidate: ${frame.candidate}`), explains,
			frame.other_candidates === null ? null : element('span', {}, `; then ${frame.other_candidates}`),
			element('div', { class: 'quiet' }, 'Where to look first, no verdict. Evidence: ',
				frame.candidate_evidence ?? notKnown()));
	}

	/* The rows of the drawing: a label and bars of [from ms, to ms, class, text]. */
	lanes(frame, display) {
		const lanes = [];
		const add = (label, bars, options) => {
			const known = bars.filter(b => b[0] !== null && b[1] !== null);
			if (known.length)
				lanes.push({ label, bars: known, ...options });
		};
		const at = (row, name) => row[name] === null ? null : row[name] / 1e6;
		const window = (row, what) => {
			add(`${what}, predicted`, [[at(row, 'expected_start_ms'), at(row, 'expected_end_ms'), 'expected', 'predicted']]);
			add(`${what}, actual`, [[at(row, 'actual_start_ms'), at(row, 'actual_end_ms') ?? at(row, 'actual_start_ms'),
				row.late === 1 ? 'late' : row.late === 0 ? 'on-time' : 'unjudged', 'actual']]);
		};
		const duration = (start, ms, name) =>
			[at(frame, start), frame[start] === null || frame[ms] === null ? null : (frame[start] + frame[ms]) / 1e6, 'mark', name];

		window(frame, frame.kind === 'display' ? 'display frame' : 'frame');
		add('marks', [duration('doframe_start_ms', 'doframe_ms', 'Choreographer#doFrame'),
			duration('drawframes_start_ms', 'drawframes_ms', 'DrawFrames')]);
		for (const [name, bar] of this.animationsIn(frame))
			add('animation', [[...bar, 'animation', name]]);
		this.threadLanes(frame, lanes);
		add('buffer', this.phases(frame));
		for (const fence of this.fencesOf(frame))
			add(`${fence.event === 'PresentFenceSignaled' ? 'present' : 'acquire'} fence`, this.fenceBars(fence));
		if (display) {
			window(display, 'display frame');
			this.threadLanes(display, lanes);
		}
		return lanes;
	}

	/* Animations that ran while the frame did, cut at its ends: [name, [from, to]]. */
	animationsIn(frame) {
		const a = this.animations, from = frame.actual_start_ms, to = frame.actual_end_ms ?? frame.actual_start_ms;
		const start = a.column('start_ms'), end = a.column('end_ms'), pid = a.column('pid'), found = [];
		for (let i = 0; i < a.n && found.length < 8; i++)
			if (pid[i] === frame.pid && start[i] !== null && start[i] <= to && (end[i] === null || end[i] >= from))
				found.push([animationName(a, i), [Math.max(start[i], from) / 1e6, Math.min(end[i] ?? to, to) / 1e6]]);
		return found;
	}

	phases(frame) {
		const at = name => frame[name] === null ? null : frame[name] / 1e6;
		const phase = (from, to, name) => {
			const [a, b] = [at(from), at(to)];
			return a !== null && b !== null && b < a ? [b, b, 'phase', `${name} (${frame[`${name}_status`]})`] : [a, b, `phase ${name}`, name];
		};
		return [phase('dequeue_ms', 'queue_ms', 'app_hold'), phase('queue_ms', 'acquire_ms', 'producer_fence_wait'),
			phase('acquire_ms', 'latch_ms', 'acquire_to_latch'), phase('latch_ms', 'present_ms', 'latch_to_present')];
	}

	fencesOf(frame) {
		if (frame.buffer_id === null || frame.layer === null)
			return [];
		const f = this.fences, rows = [], at = [frame.acquire_ms, frame.present_ms];
		const event = f.column('event_ms'), buffer = f.column('buffer_id'), number = f.column('frame_number');
		for (let i = 0; i < f.n; i++)
			if (buffer[i] === frame.buffer_id && number[i] === frame.frame_number && at.includes(event[i]))
				rows.push(f.row(i));
		return rows;
	}

	fenceBars(fence) {
		const ms = v => v === null ? null : v / 1e6;
		const who = fence.match === 'none' || fence.match === 'ambiguous' ? `no kernel fence (match: ${fence.match})` :
			`${fence.driver ?? 'driver not known'} ${fence.timeline ?? 'timeline not known'} ` +
			`${fence.context ?? '?'}:${fence.seqno ?? '?'} (match: ${fence.match})`;
		const from = ms(fence.init_ms ?? fence.emit_ms), to = ms(fence.signaled_ms ?? fence.event_ms);
		return [[from ?? to, to, 'fence', who]];
	}

	threadLanes(frame, lanes) {
		const byThread = new Map();
		for (const interval of this.intervals.rowsOfFrame(frame)) {
			const key = `${interval.role} ${interval.tid}`;
			if (!byThread.has(key))
				byThread.set(key, []);
			byThread.get(key).push(interval);
		}
		const order = ROLES.map(r => r[0]);
		for (const list of [...byThread.values()].sort((a, b) => order.indexOf(a[0].role) - order.indexOf(b[0].role)))
			lanes.push({ label: list[0].role, name: `${list[0].thread ?? 'not known'} ${list[0].tid}`, thread: true, tid: list[0].tid,
				bars: list.map(i => [i.start_ms / 1e6, (i.start_ms + i.duration_ms) / 1e6, stateOf(i), this.says(i), i]) });
		this.shown = (this.shown ?? []).concat(...byThread.values());
	}

	says(i) {
		const parts = [stateName(stateOf(i)), `${msText(i.duration_ms / 1e6)} ms`];
		if (i.cpu !== null)
			parts.push(`on CPU ${i.cpu}`);
		if (i.function !== null)
			parts.push(`in ${i.function}`);
		if (i.waker_tid !== null || i.waker !== null)
			parts.push(`woken by ${this.waker(i)}`);
		return parts.join(', ');
	}

	waker(i) {
		if (i.waker_irq === 1)
			return `an interrupt (on ${i.waker ?? 'thread'} ${i.waker_tid ?? ''})`;
		return `${i.waker ?? 'not known'} ${i.waker_tid ?? ''}`.trim();
	}

	scale(frame, display) {
		this.shown = [];
		const lanes = this.lanes(frame, display);
		const zero = frame.actual_start_ms / 1e6;
		const deadline = frame.expected_end_ms === null ? null : frame.expected_end_ms / 1e6;
		return new FrameDrawing(lanes, zero, deadline).element;
	}

	/* The longest waits of the threads in the drawing. */
	waits() {
		const waits = this.shown.filter(i => i.state !== 'running').sort((a, b) => b.duration_ms - a.duration_ms);
		if (!this.shown.length)
			return element('p', { class: 'none' }, 'No states of its threads are known.');
		const first = this.frames.table.cell('actual_start_ms', this.row);
		const after = new Map();
		for (const i of this.shown)
			after.set(`${i.role} ${i.tid} ${i.start_ms}`, i);
		const woken = i => {
			const next = after.get(`${i.role} ${i.tid} ${i.start_ms + i.duration_ms}`);
			if (i.waker_tid !== null || i.waker !== null)
				return this.waker(i);
			if (next)
				return next.waker_tid !== null || next.waker !== null ? this.waker(next) : '';
			return i.state === 'sleeping' || i.state === 'blocked' ? element('span', { class: 'quiet' }, 'past the window') : '';
		};
		return element('div', { class: 'scroll' }, element('table', { class: 'rows' },
			element('caption', {}, `Longest waits (${Math.min(waits.length, 12)} of ${waits.length.toLocaleString('en')})`),
			element('thead', {}, element('tr', {}, ...['thread', 'state', 'after, ms', 'for, ms', 'kernel function (wchan)', 'woken by']
				.map((h, i) => element('th', { scope: 'col', class: i === 2 || i === 3 ? 'number' : null }, h)))),
			element('tbody', {}, ...waits.slice(0, 12).map(i => element('tr', {},
				element('td', {}, `${i.role} · ${i.thread ?? 'not known'} ${i.tid}`),
				element('td', {}, element('i', { class: `swatch ${stateOf(i)}` }), stateName(stateOf(i))),
				element('td', { class: 'number' }, msText((i.start_ms - first) / 1e6)),
				element('td', { class: 'number' }, msText(i.duration_ms / 1e6)),
				element('td', {}, i.function ?? (['sleeping', 'blocked'].includes(i.state) ? notKnown() : '')),
				element('td', {}, woken(i)))))));
	}

	roles(frame) {
		const shown = ROLES.filter(([r]) => frame[`${r}_tid`] !== null && frame[`${r}_tid`] !== undefined);
		if (!shown.length)
			return element('p', { class: 'none' }, 'No thread of a role is known.');
		const ms = cell => element('td', { class: 'number' }, cell === null ? notKnown() : msText(cell / 1e6));
		return element('div', { class: 'scroll' }, element('table', { class: 'rows' },
			element('caption', {}, 'Time in state, ms; the states of a thread add up to its window'),
			element('thead', {}, element('tr', {}, ...['role', 'tid', ...STATES.map(s => s[1]), 'blocked longest in', 'slept longest in', 'woken most by']
				.map((h, i) => element('th', { scope: 'col', class: i > 0 && i < 2 + STATES.length ? 'number' : null }, h)))),
			element('tbody', {}, ...shown.map(([r]) => element('tr', {}, element('th', { scope: 'row' }, r),
				element('td', { class: 'number' }, String(frame[`${r}_tid`])),
				...STATES.map(([s]) => ms(frame[`${r}_${s}_ms`])),
				...['top_function', 'top_sleep_function', 'top_waker'].map(c =>
					element('td', {}, frame[`${r}_${c}`] ?? '')))))));
	}

	/* What the GPU did in its window, where that was recorded. */
	gpu(frame) {
		const rows = this.gpuRows.rowsOfFrame(frame);
		if (!rows.length)
			return [];
		const names = ['source', 'gpu', 'name', 'id', 'owner_pid', 'samples', 'mean', 'min', 'max', 'last', 'unit', 'busy_ms'];
		const columns = names.map(name => this.gpuRows.columns[this.gpuRows.index.get(name)]);
		return [element('details', { class: 'gpu' }, element('summary', {}, `GPU (${plural(rows.length, 'row')})`),
			element('div', { class: 'scroll' }, element('table', { class: 'rows' },
				element('thead', {}, element('tr', {}, ...columns.map(c => element('th', { scope: 'col', title: c.meaning }, c.name)))),
				element('tbody', {}, ...rows.map(row => element('tr', {}, ...columns.map(c =>
					element('td', { title: row[c.name] === null ? c.empty : null }, row[c.name] === null ? '' : exactText(c, row[c.name])))))))))];
	}

	/* The whole row, as the CSV has it. */
	cells(frame) {
		const details = element('details', { class: 'cells' }, element('summary', {}, 'All columns of this frame'));
		details.addEventListener('toggle', () => {
			if (details.open && details.children.length === 1)
				details.append(element('table', { class: 'rows' }, element('tbody', {}, ...this.frames.table.columns.map(c =>
					element('tr', { title: c.meaning }, element('th', { scope: 'row' }, c.name),
						element('td', { 'data-column': c.name }, frame[c.name] === null ? notKnown() : exactText(c, frame[c.name])),
						element('td', { class: 'quiet' }, frame[c.name] === null ? c.empty ?? '' : c.unit))))));
		});
		return details;
	}
}

/* What an animation is called in a few words. */
function animationName(table, row) {
	const words = ['source', 'id', 'type', 'target', 'property'].map(c => table.cell(c, row));
	return words.filter(w => w !== null).join(' ');
}

/* Lanes of bars over one axis of time; ms since @zero. */
class FrameDrawing {
	constructor(lanes, zero, deadline) {
		this.lanes = lanes;
		this.zero = zero;
		this.deadline = deadline;
		this.label = 190;
		this.lane = 20;
		const ends = lanes.flatMap(l => l.bars.flatMap(b => [b[0], b[1]]));
		this.from = ends.reduce((a, b) => Math.min(a, b), zero);
		this.to = ends.reduce((a, b) => Math.max(a, b), this.from + 0.001);
		const margin = (this.to - this.from) * 0.01;
		this.from -= margin;
		this.to += margin;
		this.says = element('p', { class: 'says', 'aria-live': 'polite' }, '\u00a0');
		this.host = element('div', { class: 'drawing' });
		this.element = element('div', {}, this.host, this.says);
		this.observer = new ResizeObserver(() => requestAnimationFrame(() => this.draw()));
		this.observer.observe(this.host);
	}

	draw() {
		const width = Math.floor(this.host.clientWidth);
		if (!width || width === this.width)
			return;
		this.width = width;
		this.label = width < 620 ? 96 : 190;
		const height = this.lanes.length * this.lane + 26;
		const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
			'aria-label': 'The frame, its marks, threads, buffer and fences over time' });
		this.axis(root, height);
		this.lanes.forEach((lane, i) => this.drawLane(root, lane, 4 + i * this.lane));
		this.drawWakes(root);
		if (this.deadline !== null && this.deadline >= this.from && this.deadline <= this.to)
			root.append(svg('line', { class: 'deadline', x1: this.x(this.deadline), x2: this.x(this.deadline), y1: 0,
				y2: height - 20 }));
		this.host.replaceChildren(root);
	}

	x(ms) {
		return this.label + (ms - this.from) / (this.to - this.from) * (this.width - this.label - 8);
	}

	axis(root, height) {
		const step = niceStep(this.to - this.from, Math.max(2, (this.width - this.label) / 80));
		for (let k = Math.ceil((this.from - this.zero) / step); k * step + this.zero <= this.to; k++) {
			const x = this.x(k * step + this.zero);
			root.append(svg('line', { class: 'grid', x1: x, x2: x, y1: 0, y2: height - 20 }),
				svg('text', { class: 'tick', x, y: height - 7, 'text-anchor': 'middle' }, `${Number((k * step).toPrecision(6))} ms`));
		}
	}

	drawLane(root, lane, y) {
		const text = svg('text', { class: 'lane', x: 0, y: y + 13 }, lane.label);
		if (lane.name && this.label > 100)
			text.append(svg('tspan', { class: 'quiet', dx: 6 }, lane.name.length > 20 ? `${lane.name.slice(0, 19)}…` : lane.name));
		root.append(text);
		for (const bar of this.merged(lane.bars))
			this.drawBar(root, bar, y, lane);
	}

	/* Where there are very many, those that would be no pixel wide become one: in the state of most of its time. */
	merged(bars) {
		if (bars.length < 400)
			return bars;
		const merged = [];
		let few = [];
		const flush = () => {
			if (few.length) {
				const longest = few.reduce((a, b) => b[1] - b[0] > a[1] - a[0] ? b : a);
				merged.push([few[0][0], few[few.length - 1][1], longest[2],
					few.length === 1 ? longest[3] : `${few.length} short states, the longest: ${longest[3]}`]);
			}
			few = [];
		};
		for (const bar of bars) {
			if (this.x(bar[1]) - this.x(bar[0]) >= 0.5) {
				flush();
				merged.push(bar);
			} else {
				few.push(bar);
				if (this.x(bar[1]) - this.x(few[0][0]) >= 0.5)
					flush();
			}
		}
		flush();
		return merged;
	}

	/* From a waker to the thread that it woke, where both are here. */
	drawWakes(root) {
		const laneOf = new Map(this.lanes.map((lane, i) => [lane.thread ? lane.tid : null, i]));
		this.lanes.forEach((lane, to) => {
			for (const [start, , kind, , interval] of lane.thread && lane.bars.length < 400 ? lane.bars : []) {
				const from = kind === 'runnable' && interval.waker_irq !== 1 ? laneOf.get(interval.waker_tid) : undefined;
				if (from === undefined || from === to || interval.waker_tid === null)
					continue;
				const x = this.x(start), y = i => 4 + i * this.lane + (from < to ? (i === from ? 16 : 2) : (i === from ? 2 : 16));
				const tip = from < to ? -4 : 4;
				root.append(svg('path', { class: 'wake', d: `M${x} ${y(from)}V${y(to)}m-3 ${tip}l3 ${-tip}l3 ${tip}` }));
			}
		});
	}

	drawBar(root, [from, to, kind, says], y, lane) {
		const x = this.x(from), width = Math.max(this.x(to) - x, 1);
		const height = lane.thread && kind === 'sleeping' ? 4 : 14;
		const rect = svg('rect', { class: `bar ${kind}`, x, y: y + 14 - height + 2, width, height },
			svg('title', {}, `${says}, from ${msText(from - this.zero)} ms for ${msText(to - from)} ms`));
		rect.addEventListener('mouseenter', () => {
			this.says.textContent = `${lane.label}: ${says}, from ${msText(from - this.zero)} ms to ${msText(to - this.zero)} ms`;
		});
		root.append(rect);
		const room = Math.floor((width - 8) / 6.2);
		if (!lane.thread && room >= 3) {
			const text = `${says} ${msText(to - from)} ms`;
			root.append(svg('text', { class: `in ${kind}`, x: x + 4, y: y + 13 }, text.length > room ? `${text.slice(0, room - 1)}…` : text));
		}
	}
}
