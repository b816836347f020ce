// SPDX-License-Identifier: GPL-2.0-or-later
/* All frames, those that the filter lets through, and the selected one. */
class Frames {
	constructor() {
		this.table = new Table('frames');
		this.filter = { layer: '', late: false, tag: '', candidate: '', text: '' };
		this.selected = -1;
		this.listeners = { filter: [], select: [] };
		this.names = this.#names();
		this.displays = new Map();
		const kind = this.column('kind'), token = this.column('display_token');
		for (let i = 0; i < this.table.n; i++)
			if (kind[i] === 'display')
				this.displays.set(token[i], this.displays.has(token[i]) ? -1 : i);
		this.visible = [];
	}

	get n() {
		return this.table.n;
	}

	column(name) {
		return this.table.column(name);
	}

	ms(name) {
		return this.table.ms(name);
	}

	on(what, callback) {
		this.listeners[what].push(callback);
	}

	/* Where a frame belongs: a layer, the screen, or a program's marks. */
	#names() {
		const kind = this.column('kind'), layer = this.column('layer'), process = this.column('process');
		const pid = this.column('pid');
		return kind.map((k, i) => {
			if (k === 'display')
				return '(screen)';
			const who = process[i] ?? `pid ${pid[i]}`;
			return k === 'mark' ? `${who} (trace marks)` : layer[i] ?? `${who} (layer without a name)`;
		});
	}

	/* Names with their numbers of frames, the most first, the screen last. */
	layers() {
		const counts = new Map();
		for (const name of this.names)
			counts.set(name, (counts.get(name) ?? 0) + 1);
		return [...counts].sort((a, b) => (a[0] === '(screen)') - (b[0] === '(screen)') || b[1] - a[1]);
	}

	/* Values of a text column with their numbers, the most first; of layers and marks, and of the screen. */
	counts(name) {
		const cells = this.column(name), kind = this.column('kind'), counts = new Map();
		for (let i = 0; i < this.n; i++) {
			if (cells[i] === null)
				continue;
			const n = counts.get(cells[i]) ?? [0, 0];
			n[kind[i] === 'display' ? 1 : 0]++;
			counts.set(cells[i], n);
		}
		return [...counts].sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1]);
	}

	setFilter(change) {
		Object.assign(this.filter, change);
		this.visible = this.#passing();
		for (const callback of this.listeners.filter)
			callback();
	}

	#passing() {
		const { layer, late, tag, candidate, text } = this.filter, rows = [];
		const lates = this.column('late'), tags = this.column('jank_tag');
		const candidates = this.column('candidate'), needle = text.toLowerCase();
		const searched = needle ? ['process', 'layer', 'surface_token', 'display_token', 'present_type', 'jank_tag',
			'jank_type', 'candidate', 'other_candidates', 'flags'].map(c => this.column(c)) : [];
		for (let i = 0; i < this.n; i++) {
			if ((layer && this.names[i] !== layer) || (late && lates[i] !== 1) || (tag && tags[i] !== tag) ||
				(candidate && candidates[i] !== candidate))
				continue;
			if (needle && !searched.some(c => c[i] !== null && String(c[i]).toLowerCase().includes(needle)))
				continue;
			rows.push(i);
		}
		return rows;
	}

	select(row) {
		if (row === this.selected)
			return;
		this.selected = row;
		for (const callback of this.listeners.select)
			callback(row);
	}

	/* Before or after the selected one among those that are visible. */
	step(by) {
		if (!this.visible.length)
			return;
		let at = this.visible.findIndex(row => row >= this.selected);
		if (at < 0)
			at = this.visible.length;
		if (this.selected >= 0 && this.visible[at] === this.selected)
			at += by;
		else if (by < 0)
			at--;
		this.select(this.visible[Math.min(Math.max(at, 0), this.visible.length - 1)]);
	}

	/* The row of the one display frame that showed a frame, or -1. */
	displayOf(row) {
		const token = this.column('display_token')[row];
		return this.column('kind')[row] === 'surface' ? this.displays.get(token) ?? -1 : -1;
	}

	/* By how much it was late; where that is not known, after all others, how long it took. */
	badness(row) {
		return this.ms('overrun_ms')[row] ?? this.ms('deadline_delta_ms')[row] ?? (this.ms('actual_ms')[row] ?? 0) - 1e12;
	}

	/* The first frame with a token, or -1. */
	find(column, token) {
		return this.column(column).findIndex(cell => cell !== null && String(cell) === token);
	}
}
