// SPDX-License-Identifier: GPL-2.0-or-later
/* All frames that the filter lets through, the worst first; a click on a heading sorts. Only rows in view are made. */
class FrameTable {
	constructor(frames) {
		this.frames = frames;
		this.height = 22;
		this.order = { by: frames.column('overrun_ms').some(c => c !== null) ? 'overrun_ms' : 'actual_ms', down: true };
		this.columns = [
			['actual_start_ms', 'began at, ms'], ['overrun_ms', 'late by, ms'], ['candidate', 'candidate'],
			['candidate_ms', 'explains, ms'], ['actual_ms', 'took, ms'], ['expected_ms', 'predicted, ms'],
			['deadline_delta_ms', 'past deadline, ms'], ['jank_type', 'jank type'], ['present_type', 'shown'],
			['jank_tag', 'jank tag'], ['surface_token', 'surface token'], ['display_token', 'display token'], ['', 'layer'],
		].filter(([name]) => !name || frames.table.index.has(name));
		this.host = byId('table-scroll');
		this.body = element('tbody', {});
		this.above = element('tr', { 'aria-hidden': true }, element('td', { colspan: this.columns.length }));
		this.below = this.above.cloneNode(true);
		this.head = element('tr', {}, ...this.columns.map(([name, label]) => this.heading(name, label)));
		this.table = element('table', { class: 'rows frames', 'aria-rowcount': frames.n + 1 },
			element('caption', { class: 'sr' }, 'Frames'), element('thead', {}, this.head), this.body);
		this.host.append(this.table);
		this.host.addEventListener('scroll', () => this.render());
		frames.on('filter', () => this.sort());
		frames.on('select', () => this.reveal());
	}

	numeric(name) {
		return name !== '' && this.frames.table.columns[this.frames.table.index.get(name)].type !== 'text';
	}

	heading(name, label) {
		const button = element('button', { type: 'button', onclick: () => this.sortBy(name) }, label);
		return element('th', { scope: 'col', 'data-by': name, class: this.numeric(name) ? 'number' : null }, button);
	}

	sortBy(name) {
		this.order = { by: name, down: this.order.by === name ? !this.order.down : this.numeric(name) };
		this.host.scrollTop = 0;
		this.sort();
	}

	/* Unknown cells stand last whichever way; equal ones stay in order of time. */
	sort() {
		const { by, down } = this.order, sign = down ? -1 : 1;
		const cells = by ? this.frames.column(by) : this.frames.names;
		const compare = this.numeric(by) ? (a, b) => a - b : (a, b) => a < b ? -1 : a > b ? 1 : 0;
		this.rows = [...this.frames.visible].sort((a, b) => {
			const x = cells[a], y = cells[b];
			if (x === null || y === null)
				return (x === null) - (y === null) || a - b;
			return sign * compare(x, y) || a - b;
		});
		for (const th of this.head.children)
			th.setAttribute('aria-sort', th.dataset.by !== by ? 'none' : down ? 'descending' : 'ascending');
		byId('table-count').textContent = plural(this.rows.length, 'frame');
		this.from = -1;
		this.render();
	}

	render(all) {
		const inView = Math.ceil(this.host.clientHeight / this.height) + 1;
		const from = all ? 0 : Math.max(0, Math.min(Math.floor(this.host.scrollTop / this.height) - 10, this.rows.length - inView));
		const to = Math.min(this.rows.length, all ? 40 : from + inView + 20);
		if (from === this.from && to === this.to)
			return;
		this.from = from;
		this.to = to;
		this.above.firstChild.style.height = `${from * this.height}px`;
		this.below.firstChild.style.height = `${all ? 0 : (this.rows.length - to) * this.height}px`;
		this.body.replaceChildren(this.above, ...this.rows.slice(from, to).map((row, i) => this.line(row, from + i)), this.below);
	}

	line(row, at) {
		const line = element('tr', { 'data-row': row, 'aria-rowindex': at + 2, 'aria-selected': String(row === this.frames.selected),
			onclick: () => this.frames.select(row) }, ...this.columns.map(([name]) => this.cell(name, row)));
		return line;
	}

	cell(name, row) {
		if (!name)
			return element('td', { class: 'name', title: this.frames.names[row] }, this.frames.names[row]);
		const cell = this.frames.table.cell(name, row);
		const column = this.frames.table.columns[this.frames.table.index.get(name)];
		if (cell === null)
			return element('td', { class: this.numeric(name) ? 'number' : null }, this.unknown(name, row));
		if (column.type === 'ms')
			return element('td', { class: 'number', title: `${exactMs(cell)} ms` }, msText(cell / 1e6));
		return element('td', { class: this.numeric(name) ? 'number' : null }, String(cell));
	}

	/* Some cells are empty because there is nothing to know. */
	unknown(name, row) {
		const inTime = this.frames.column('late')[row] === 0;
		const none = (['overrun_ms', 'candidate', 'candidate_ms'].includes(name) && inTime) ||
			(name === 'surface_token' && this.frames.column('kind')[row] === 'display');
		return none ? element('span', { class: 'unknown' }, '–') : notKnown();
	}

	reveal() {
		const row = this.frames.selected, at = this.rows.indexOf(row);
		for (const line of this.body.querySelectorAll('tr[data-row]'))
			line.setAttribute('aria-selected', String(Number(line.dataset.row) === row));
		if (at < 0)
			return;
		const y = at * this.height, { scrollTop, clientHeight } = this.host, head = this.table.tHead.offsetHeight;
		if (y < scrollTop || y + this.height > scrollTop + clientHeight - head)
			this.host.scrollTop = Math.max(0, y - clientHeight / 3);
	}
}
