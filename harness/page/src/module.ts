// SPDX-License-Identifier: MIT
// What Emscripten makes of harness/page/engine: addresses and numbers.

/** A function of page.h. Addresses, numbers and results are all numbers. */
type Call = (...numbers: number[]) => number;

/** A thread's worker, as browsers and node have it. */
export interface ThreadWorker {
    onerror: ((event: { preventDefault?(): void }) => void) | null;
    terminate(): unknown;
}

/** The module, once it is ready. */
export interface Module {
    HEAPU8: Uint8Array;
    HEAPU32: Uint32Array;
    HEAPF32: Float32Array;
    HEAPF64: Float64Array;
    UTF8ToString(address: number): string;
    stringToUTF8(text: string, address: number, room: number): void;
    lengthBytesUTF8(text: string): number;
    FS: {
        readFile(path: string): Uint8Array;
        writeFile(path: string, bytes: Uint8Array): void;
        mkdirTree(path: string): void;
        unlink(path: string): void;
    };
    /** Only where there are threads. */
    PThread?: { runningWorkers: ThreadWorker[]; unusedWorkers: ThreadWorker[]; terminateAllThreads(): void };
    /** Calls the behaviour of that number with the tile at that address. */
    behave?: (number: number, tile: number) => void;
    _malloc: Call;
    _free: Call;
    _page_create: Call;
    _page_destroy: Call;
    _page_error: Call;
    _page_open: Call;
    _page_check: Call;
    _page_run: Call;
    _page_step: Call;
    _page_set_number: Call;
    _page_set_values: Call;
    _page_watch_step: Call;
    _page_event_count: Call;
    _page_events: Call;
    _page_save: Call;
    _page_about: Call;
    _page_numbers: Call;
    _page_schema: Call;
    _page_scenery: Call;
    _page_stats: Call;
    _page_hash: Call;
    _page_rooms: Call;
    _page_measure: Call;
    _page_view: Call;
    _page_field: Call;
    _page_trace: Call;
    _page_agent: Call;
    _page_find: Call;
    _page_add_script: Call;
    _page_remove_script: Call;
    _page_fail_script: Call;
    _page_bear: Call;
    _page_draw: Call;
    _page_spawn: Call;
    _page_despawn: Call;
    _page_add_obstacle: Call;
    _page_block: Call;
    _page_add_path: Call;
    _page_pull: Call;
}

export interface ModuleOptions {
    wasmBinary?: ArrayBufferView | ArrayBuffer;
    instantiateWasm?: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => object;
    /** Workers that are started beforehand, for as many threads beside the caller's, of all simulations that live at the same time. */
    threads?: number;
    mainScriptUrlOrBlob?: string;
    locateFile?: (name: string) => string;
    print?: (line: string) => void;
    printErr?: (line: string) => void;
    /** Only where there are threads, once the module is being made. */
    PThread?: { terminateAllThreads(): void };
}

/** Emscripten's function that makes a module. */
export type CreateModule = (options: ModuleOptions) => Promise<Module>;

const patience = 15; // seconds

/** Calls `make`, and hears of all errors of the workers that it starts. */
function hearWorkers<Made>(make: () => Made, hear: (event: ErrorEvent) => void): Made {
    const Plain = globalThis.Worker;
    globalThis.Worker = class extends Plain {
        constructor(script: string | URL, options?: WorkerOptions) {
            super(script, options);
            this.addEventListener("error", hear);
        }
    };
    try {
        return make();
    } finally {
        globalThis.Worker = Plain;
    }
}

/**
 * Makes a module with threads in a browser, or says why there is none. Emscripten itself waits for ever for the worker of a thread that
 * does not come up. After one error others may follow; what fails once the module is made is as it would be without all this.
 */
export async function makeThreaded(create: CreateModule, options: ModuleOptions, wasm: Promise<WebAssembly.Module>): Promise<Module> {
    let fail = (_: string): void => {};
    let made = false;
    const failure = new Promise<never>((_, reject) => (fail = (message) => reject(new Error(message))));
    const hear = (event: ErrorEvent) => {
        if (made) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        fail(event.message || "the script of a thread does not load");
    };
    const worker = options.locateFile?.("dunlin-threads.worker.js");
    const hearOwn = (event: ErrorEvent) => (event.filename === worker || event.filename.includes("dunlin-threads")) && hear(event);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => (timer = setTimeout(() => fail(`a thread did not start within ${patience} s`), 1000 * patience));
    wasm.then(wait, () => {}); // until then it is a matter of the network
    Object.assign(options, instantiates(wasm, ({ message }) => fail(message)));
    addEventListener("error", hearOwn);
    try {
        const module = await Promise.race([hearWorkers(() => create(options), hear), failure]);
        made = true;
        return module;
    } catch (error) {
        options.PThread?.terminateAllThreads();
        throw error;
    } finally {
        clearTimeout(timer);
    }
}

/** Compiles while the file still comes; a host that sends it by another type than application/wasm has it compiled once it is there. */
export async function compile(address: string): Promise<WebAssembly.Module> {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    const streams = response.headers.get("content-type") === "application/wasm";
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Options for a module that still compiles while the workers of its threads load. */
function instantiates(wasm: Promise<WebAssembly.Module>, fail: (error: Error) => void): Pick<ModuleOptions, "instantiateWasm"> {
    return {
        instantiateWasm: (imports, receive) => {
            wasm.then(async (module) => receive(await WebAssembly.instantiate(module, imports), module)).catch(fail);
            return {};
        },
    };
}

/** Makes a module without threads. Emscripten itself does not say that it fails to compile. */
export function makeSingle(create: CreateModule, options: ModuleOptions, wasm: Promise<WebAssembly.Module>): Promise<Module> {
    return new Promise((resolve, reject) => create({ ...options, ...instantiates(wasm, reject) }).then(resolve, reject));
}
