// SPDX-License-Identifier: MIT
// What the shipped WebAssembly holds: SIMD instructions in the one kernel and none in the other, and few bytes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { require } from "./driver.mjs";

const kilobytes = 1000;
const modules = ["dunlin", "dunlin-threads"];

const bytesOf = (file) => gzipSync(readFileSync(file), { level: 9 }).length;

/** SIMD instructions of each function, and which functions the table holds. */
function disassemble(file) {
    const text = execFileSync("wasm-dis", ["--all-features", file], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
    const simd = new Map();
    let name = "";
    let table = [];
    for (const line of text.split("\n")) {
        const begun = /^ \(func (\S+)/.exec(line);
        if (begun) simd.set((name = begun[1]), 0);
        else if (/\((v128|[if]\d+x\d+)\./.test(line)) simd.set(name, simd.get(name) + 1);
        else if (line.startsWith(" (elem (i32.const 1) ")) table = [null, ...line.match(/\$[^\s)]+/g)];
    }
    return { simd, of: (pointer) => simd.get(table[pointer]) };
}

/** The addresses of a text in the module's memory. */
function addressesOf(bytes, text) {
    const found = [];
    const wanted = Buffer.from(`${text}\0`); // perhaps the end of a longer text
    for (let at = Buffer.from(bytes.buffer).indexOf(wanted); at >= 0; at = Buffer.from(bytes.buffer).indexOf(wanted, at + 1)) found.push(at);
    return found;
}

/** Pointers to functions that struct dun_kernel (kernels/contract/kernel.h) of this name holds. */
function pointersOf(module, name) {
    const heap = module.HEAPU32;
    const names = addressesOf(module.HEAPU8, name);
    const start = heap.findIndex((word, i) => names.includes(word) && [1, 4].includes(heap[i + 1]) && heap[i + 3] + 8 === heap[i + 4]);
    assert.ok(start > 0, `the registry has no kernel ${name}`);
    const [, , choose, select, , , minId, minMax, candidates, respond, integrate, behave, , number, bound] = heap.subarray(start, start + 15);
    const list = (address, count) => [...heap.subarray(address >>> 2, (address >>> 2) + count)];
    return { others: [choose, minId, minMax], loops: [candidates, respond, integrate, number, bound, ...list(select, 6), ...list(behave, 4)] };
}

async function hasRealSimd(test, name) {
    const create = require(join(test.npm, "package", `${name}.js`));
    const wasmBinary = readFileSync(join(test.npm, "package", `${name}.wasm`));
    const module = await create({ wasmBinary, threads: 1 });
    module.PThread?.terminateAllThreads();
    const { simd, of } = disassemble(join(test.npm, "package", `${name}.wasm`));
    for (const pointer of pointersOf(module, "simd128").loops) assert.ok(of(pointer) >= 10, `function ${pointer} of simd128 has ${of(pointer)}`);
    const scalar = pointersOf(module, "scalar");
    for (const pointer of [...scalar.loops, ...scalar.others]) assert.equal(of(pointer), 0, `function ${pointer} of scalar`);
    const vectorized = [...simd.values()].filter((count) => count > 0).length;
    // Interactions have a function for each combination of rules.
    assert.ok(vectorized > 100 && vectorized < simd.size / 3, `${vectorized} of ${simd.size} functions have SIMD instructions`);
}

export const tests = [
    ...modules.map((name) => [`${name}.wasm has SIMD instructions in the kernel simd128 and none in scalar`, (test) => hasRealSimd(test, name)]),
    ...modules.map((name) => [`${name}.wasm is at most 400 KB compressed`, (test) => {
        const bytes = bytesOf(join(test.page, `${name}.wasm`));
        assert.ok(bytes <= 400 * kilobytes && statSync(join(test.page, `${name}.wasm`)).size > bytes, `${bytes} bytes`);
    }]),
];
