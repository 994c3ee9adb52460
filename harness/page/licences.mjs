// SPDX-License-Identifier: MIT
// The licences of what others wrote and the page or the npm package contains.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const own = readFileSync(join(here, "../../LICENSE"), "utf8");

/* Parts of the WebAssembly that come with the compiler, under the same words as Dunlin. */
const compiled = `Of LLVM's compiler-rt (Apache-2.0 with LLVM exceptions) compiled code needs no notice. Of the others:

Copyright (c) 2010-2022 The Emscripten Authors (Emscripten)
Copyright (c) 2005-2020 Rich Felker, et al. (musl)
Copyright (c) 2013-2021 Evan Nemerson and others (SIMDe)

${own.slice(own.indexOf("Permission is hereby granted"))}`;

/** The first comment of xxHash's header. */
function xxhash(sysroot) {
    const header = readFileSync(join(sysroot, "usr/include/xxhash.h"), "utf8");
    return header.slice(header.indexOf("/*") + 2, header.indexOf("*/")).replace(/^ \* ?/gm, "").trim();
}

/** Writes LICENCES.txt into a folder. sysroot: of make_wasm_sysroot.sh; packages: names of npm packages that are bundled. */
export function writeLicences(folder, sysroot, packages = []) {
    const sources = { libyaml: "libyaml/License", libpng: "libpng1.6/LICENSE", zlib: "zlib/LICENSE" };
    const parts = [
        ["Dunlin", own],
        ...Object.entries(sources).map(([name, path]) => [name, readFileSync(join(sysroot, "src", path), "utf8")]),
        ["xxHash", xxhash(sysroot)],
        ["Emscripten, musl, SIMDe, compiler-rt", compiled],
        ...packages.map((name) => [name, readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8")]),
    ];
    writeFileSync(join(folder, "LICENCES.txt"), parts.map(([name, text]) => `==== ${name}\n\n${text.trim()}\n`).join("\n"));
}
