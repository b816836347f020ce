// SPDX-License-Identifier: GPL-2.0-or-later
// Questions to trace_processor: node trace_processor.mjs DIR TRACE <QUERIES >ANSWERS, both JSON: an array of SQL, and
// of arrays of rows, each an object by column; integers are texts. DIR has Perfetto's WebAssembly build of it and the
// UI's engine, which talk over a MessagePort as they do in a browser.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const [dir, trace] = process.argv.slice(2);

// What the engine's worker expects around it. Of its two builds the one with 64 bits asks for calls that Node has not.
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = Object;
Object.defineProperty(globalThis, 'location', { value: pathToFileURL(`${dir}/`) });
globalThis.trace_processor_wasm = fs.readFileSync(`${dir}/trace_processor.wasm`);
function edit(text, from, to) {
	if (!text.includes(from))
		throw new Error(`engine_bundle.node.js: no '${from}'`);
	return text.replace(from, to);
}
let worker = fs.readFileSync(`${dir}/engine_bundle.node.js`, 'utf8');
worker = edit(worker, 'useMemory64 = hasMemory64Support()', 'useMemory64 = false');
worker = edit(worker, 'locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.trace_processor_wasm,');
console.log = console.warn = () => {};
vm.runInThisContext(worker, 'engine_bundle.node.js');

const { EngineBase } = await import(pathToFileURL(`${dir}/engine.mjs`));
const { port1, port2 } = new MessageChannel();
class Engine extends EngineBase {
	id = trace;
	mode = 'WASM';
	rpcSendRequestBytes(bytes) {
		port1.postMessage(bytes);
	}
}
const engine = new Engine();
port1.onmessage = message => engine.onRpcResponseBytes(message.data);
self.onmessage({ data: port2 });

await engine.parse(new Uint8Array(fs.readFileSync(trace)));
await engine.notifyEof();
const answers = [];
for (const sql of JSON.parse(fs.readFileSync(0, 'utf8'))) {
	const result = await engine.query(sql), rows = [];
	for (const at = result.iter({}); at.valid(); at.next())
		rows.push(Object.fromEntries(result.columns().map(c => [c, at.get(c)])));
	answers.push(rows);
}
fs.writeSync(1, JSON.stringify(answers, (key, value) => typeof value === 'bigint' ? String(value) : value));
process.exit(0);
