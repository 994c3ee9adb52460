// SPDX-License-Identifier: MIT
// Watches the page's worker from within: its WebGL2 context, textures and WebAssembly memory.

/* Runs in the worker ahead of its own script. */
function watch() {
    const seen = (globalThis.seen = { gl: null, textures: new Set(), memory: null });
    const { getContext } = OffscreenCanvas.prototype;
    OffscreenCanvas.prototype.getContext = function (...how) {
        const context = getContext.apply(this, how);
        if (how[0] === "webgl2") seen.gl ??= context;
        return context;
    };
    const { createTexture, deleteTexture } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.createTexture = function () {
        const texture = createTexture.call(this);
        seen.textures.add(texture);
        return texture;
    };
    WebGL2RenderingContext.prototype.deleteTexture = function (texture) {
        seen.textures.delete(texture);
        deleteTexture.call(this, texture);
    };
    const isMemory = (value) => value instanceof WebAssembly.Memory;
    for (const name of ["instantiate", "instantiateStreaming"]) {
        const instantiate = WebAssembly[name];
        WebAssembly[name] = async (source, imports) => {
            const made = await instantiate(source, imports);
            seen.memory = [...Object.values((made.instance ?? made).exports), ...Object.values(imports).flatMap(Object.values)].find(isMemory);
            return made;
        };
    }
}

/* Runs in the page ahead of its script: every worker begins with what `before` says. */
function beginWorkersWith(before) {
    const PlainWorker = Worker;
    globalThis.Worker = class extends PlainWorker {
        constructor(script) {
            const lines = `(${before})();importScripts(${JSON.stringify(new URL(script, location.href).href)});`;
            super(URL.createObjectURL(new Blob([lines], { type: "text/javascript" })));
        }
    };
}

/** What Visit.open takes as `before` so that the functions below work. */
export const watching = `(${beginWorkersWith})(${JSON.stringify(String(watch))})`;

export function watchedWorker(visit) {
    return visit.tab.workers().find((worker) => worker.url().startsWith("blob:"));
}

/** Bytes and numbers of things that live now, after a garbage collection. */
export async function census(visit) {
    const worker = watchedWorker(visit);
    await worker.client.send("HeapProfiler.collectGarbage");
    const page = await visit.tab.createCDPSession();
    await page.send("HeapProfiler.collectGarbage");
    const pageHeap = (await page.send("Runtime.getHeapUsage")).usedSize;
    await page.detach();
    const workerHeap = (await worker.client.send("Runtime.getHeapUsage")).usedSize;
    const seen = await worker.evaluate(() => ({ textures: globalThis.seen.textures.size, memory: globalThis.seen.memory.buffer.byteLength }));
    return { pageHeap, workerHeap, ...seen };
}
