// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows that the program wrote into the page; user/output/html_rows.h is the format. */

/* A column of a chunk as an array of cells: null is "not known". */
function decodeColumn(column, n) {
	if (column === null)
		return new Array(n).fill(null);
	if (Array.isArray(column))
		return column;
	const cells = [];
	if (column.r) {
		for (let i = 0; i < column.r.length; i += 2)
			for (let k = column.r[i + 1]; k > 0; k--)
				cells.push(column.r[i]);
		return cells;
	}
	let last = 0;
	for (const difference of column.d) {
		if (difference !== null)
			last += difference;
		cells.push(difference === null ? null : last);
	}
	return cells;
}

/* Some rows of a table. They are read from the page when a cell is asked for. */
class Chunk {
	constructor(table, element) {
		this.table = table;
		this.element = element;
		this.n = Number(element.dataset.n);
		this.first = Number(element.dataset.first);
		this.last = Number(element.dataset.last);
		this.columns = new Map();
	}

	column(name) {
		if (!this.columns.has(name)) {
			const at = this.table.index.get(name);
			if (at === undefined)
				return new Array(this.n).fill(null);
			this.json ??= JSON.parse(this.element.textContent);
			let cells = decodeColumn(this.json.columns[at], this.n);
			if (this.table.columns[at].type === 'text')
				cells = cells.map(c => c === null ? null : this.json.texts[c]);
			this.columns.set(name, cells);
		}
		return this.columns.get(name);
	}
}

class Table {
	constructor(name) {
		const element = document.querySelector(`script[data-table="${name}"]`);
		this.name = name;
		this.columns = element ? JSON.parse(element.textContent) : [];
		this.index = new Map(this.columns.map((c, i) => [c.name, i]));
		this.chunks = [...document.querySelectorAll(`script[data-rows="${name}"]`)]
			.map(e => new Chunk(this, e));
		this.n = this.chunks.reduce((n, c) => n + c.n, 0);
		this.whole = new Map();
	}

	/* All cells of a column. */
	column(name) {
		if (!this.whole.has(name))
			this.whole.set(name, [].concat(...this.chunks.map(c => c.column(name))));
		return this.whole.get(name);
	}

	cell(name, row) {
		return this.column(name)[row];
	}

	/* A column of durations or times, as numbers of ms. */
	ms(name) {
		const key = name + ' ms';
		if (!this.whole.has(key)) {
			const at = this.index.get(name);
			const ns = at !== undefined && this.columns[at].type === 'ms';
			this.whole.set(key, this.column(name).map(c => c === null ? null : ns ? c / 1e6 : c));
		}
		return this.whole.get(key);
	}

	/* A row as an object. */
	row(row) {
		let chunk = 0;
		while (row >= this.chunks[chunk].n)
			row -= this.chunks[chunk++].n;
		return this.rowOf(this.chunks[chunk], row);
	}

	rowOf(chunk, row) {
		return Object.fromEntries(this.columns.map(c => [c.name, chunk.column(c.name)[row]]));
	}

	/* The rows of the frame that these cells name; rows come in the order of frames. */
	rowsOfFrame(frame) {
		const keys = ['actual_start_ns', 'kind', 'pid', 'layer', 'surface_token', 'display_token'];
		const start = Number(frame.actual_start_ns), rows = [];
		for (const chunk of this.chunks) {
			if (chunk.last < start || chunk.first > start)
				continue;
			const cells = keys.map(k => chunk.column(k));
			for (let i = 0; i < chunk.n; i++)
				if (cells.every((c, k) => c[i] === frame[keys[k]]))
					rows.push(this.rowOf(chunk, i));
		}
		return rows;
	}
}
