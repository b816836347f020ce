// SPDX-License-Identifier: GPL-2.0-or-later
/* What the charts have in common: colours of the page, axes, a redraw when the page's theme or width changes. */
const charts = new Set();

function axis(label, options) {
	return {
		stroke: () => colorOf('text-2'),
		font: '11px system-ui, sans-serif',
		labelFont: '11px system-ui, sans-serif',
		label,
		labelSize: 16,
		labelGap: 2,
		gap: 4,
		grid: { stroke: () => colorOf('grid'), width: 1 },
		ticks: { stroke: () => colorOf('grid'), width: 1, size: 4 },
		...options,
	};
}

function chartWidth(parent) {
	return Math.max(240, Math.floor(parent.getBoundingClientRect().width));
}

function addChart(parent, options, data) {
	const chart = new uPlot({ width: chartWidth(parent), legend: { show: false }, ...options }, data, parent);
	charts.add(chart);
	return chart;
}

function removeChart(chart) {
	charts.delete(chart);
	chart.destroy();
}

function redrawCharts() {
	colors.clear();
	for (const chart of charts)
		chart.redraw(false, true);
}

function resizeCharts() {
	for (const chart of charts) {
		const width = chartWidth(chart.root.parentElement);
		if (width !== chart.width)
			chart.setSize({ width, height: chart.height });
	}
}

/* Rectangles of one colour, in the plot's pixels; cut at its edges. */
function drawIn(chart, draw) {
	const { ctx, bbox } = chart;
	ctx.save();
	ctx.beginPath();
	ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
	ctx.clip();
	draw(ctx, bbox);
	ctx.restore();
}

/* How often values lie where; values beyond the 99.5th percentile are in the last bar. */
function histogram(parent, values, label) {
	const sorted = values.filter(v => v !== null).sort((a, b) => a - b);
	if (!sorted.length) {
		parent.append(element('p', { class: 'none' }, 'No frame of which this is known.'));
		return null;
	}
	const low = quantile(sorted, 0.005), high = quantile(sorted, 0.995);
	const step = niceStep(Math.max(high - low, 0.001), 40);
	const from = Math.floor(low / step), bins = Math.floor(high / step) - from + 1;
	const xs = Array.from({ length: bins }, (_, i) => (from + i + 0.5) * step), ns = new Array(bins).fill(0);
	for (const v of sorted)
		ns[Math.min(Math.max(Math.floor(v / step) - from, 0), bins - 1)]++;
	return addChart(parent, {
		height: 170,
		scales: { x: { time: false, range: [from * step, (from + bins) * step] },
			y: { range: (u, min, max) => [0, max * 1.05 || 1] } },
		axes: [axis(label, { size: 28 }), axis('frames', { size: 44 })],
		series: [{}, { label: 'frames', stroke: () => colorOf('accent'), fill: () => colorOf('accent'), width: 0,
			paths: uPlot.paths.bars({ size: [0.92, 64] }), points: { show: false } }],
		cursor: { drag: { x: false, y: false }, y: false },
	}, [xs, ns]);
}
