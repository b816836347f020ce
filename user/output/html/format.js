// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers with their units, and elements: what comes from a recording is only ever a text node. */

function element(tag, attributes, ...children) {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (name.startsWith('on'))
			e.addEventListener(name.slice(2), value);
		else if (value !== null && value !== undefined && value !== false)
			e.setAttribute(name, value === true ? '' : value);
	}
	e.append(...children.filter(c => c !== null && c !== undefined));
	return e;
}

function svg(tag, attributes, ...children) {
	const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [name, value] of Object.entries(attributes))
		e.setAttribute(name, value);
	e.append(...children);
	return e;
}

function byId(id) {
	return document.getElementById(id);
}

function notKnown() {
	return element('span', { class: 'unknown' }, 'not known');
}

/* Nanoseconds as ms with six decimals: the digits of the CSV. */
function exactMs(ns) {
	let digits = BigInt(ns), sign = '';
	if (digits < 0n) {
		digits = -digits;
		sign = '-';
	}
	const text = digits.toString().padStart(7, '0');
	return `${sign}${text.slice(0, -6)}.${text.slice(-6)}`;
}

/* A cell as the CSV has it. */
function exactText(column, cell) {
	return column.type === 'ms' ? exactMs(cell) : String(cell);
}

/* ms with three decimals, for reading; "not known" for null. */
function msText(ms) {
	return ms === null || ms === undefined ? 'not known' : ms.toFixed(3);
}

function msCell(ms) {
	return ms === null || ms === undefined ? notKnown() : msText(ms);
}

function percent(part, whole) {
	return whole ? `${(100 * part / whole).toFixed(1)} %` : 'not known';
}

function plural(n, word) {
	return `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
}

/* The value below which a share of the sorted values lies, by nearest rank. */
function quantile(sorted, share) {
	return sorted.length ? sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] : null;
}

/* The first of sorted values that is not below one. */
function firstFrom(sorted, value) {
	let low = 0, high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Round steps for an axis. */
function niceStep(span, steps) {
	const raw = span / steps, power = 10 ** Math.floor(Math.log10(raw));
	return [1, 2, 5, 10].find(m => m * power >= raw) * power;
}

/* What a thread did, in the order in which it is stacked. */
const STATES = [
	['running', 'running'],
	['runnable', 'runnable (woken)'],
	['preempted', 'preempted'],
	['blocked_io', 'blocked, io_wait'],
	['blocked_nonio', 'blocked, no io_wait'],
	['blocked_unknown', 'blocked, io_wait not known'],
	['sleeping', 'sleeping'],
	['other', 'other'],
	['unobserved', 'not observed'],
];

const ROLES = [
	['ui', 'ui', 'main thread of the app'],
	['render', 'render', 'RenderThread of the app'],
	['sf', 'sf', 'SurfaceFlinger, main thread'],
	['re', 're', 'SurfaceFlinger, RenderEngine'],
	['hwc', 'hwc', 'composer'],
];

/* The state of an interval, as one of STATES. */
function stateOf(interval) {
	if (interval.state === 'blocked')
		return interval.io_wait === null ? 'blocked_unknown' : interval.io_wait ? 'blocked_io' : 'blocked_nonio';
	return STATES.some(s => s[0] === interval.state) ? interval.state : 'other';
}

function stateName(state) {
	return STATES.find(s => s[0] === state)[1];
}

/* A colour of the style sheet, for the canvas. */
const colors = new Map();

function colorOf(name) {
	if (!colors.has(name)) {
		const probe = document.body.appendChild(element('i', { style: `color: var(--${name})` }));
		colors.set(name, getComputedStyle(probe).color);
		probe.remove();
	}
	return colors.get(name);
}

function legend() {
	return element('div', { class: 'legend' },
		...STATES.map(([state, name]) => element('span', {}, element('i', { class: `swatch ${state}` }), name)));
}
