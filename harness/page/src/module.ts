// SPDX-License-Identifier: MIT
// What Emscripten makes of harness/page/engine: addresses and numbers.

/** A function of page.h. Addresses, numbers and results are all numbers. */
type Call = (...numbers: number[]) => number;

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
        writeFile(path: string, bytes: Uint8Array | string): void;
        unlink(path: string): void;
    };
    /** Only where there are threads. */
    PThread?: { terminateAllThreads(): void };
    _malloc: Call;
    _free: Call;
    _page_create: Call;
    _page_destroy: Call;
    _page_error: Call;
    _page_open: Call;
    _page_check: Call;
    _page_fly: Call;
    _page_step: Call;
    _page_set_number: Call;
    _page_save: Call;
    _page_about: Call;
    _page_numbers: Call;
    _page_schema: Call;
    _page_scenery: Call;
    _page_stats: Call;
    _page_hash: Call;
    _page_measure: Call;
    _page_view: Call;
    _page_field: Call;
    _page_trace: Call;
    _page_agent: Call;
    _page_spawn: Call;
    _page_add_obstacle: Call;
    _page_block: Call;
    _page_add_path: Call;
    _page_pull: Call;
}

/** Emscripten's function that makes a module. */
export type CreateModule = (options: {
    wasmBinary?: ArrayBufferView | ArrayBuffer;
    /** Workers that are started beforehand, for as many threads beside the caller's, of all flights that live at the same time. */
    threads?: number;
    mainScriptUrlOrBlob?: string;
    locateFile?: (name: string) => string;
    print?: (line: string) => void;
    printErr?: (line: string) => void;
}) => Promise<Module>;
