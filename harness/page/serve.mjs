// SPDX-License-Identifier: MIT
// serve.mjs FOLDER [PORT] [--plain]: serves a folder at a local address, with the headers that threads need unless --plain.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
    ".css": "text/css", ".yaml": "text/plain", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png" };

/** Begins to serve; resolves to the server once it listens. Port 0: any free port. */
export function serve(folder, port = 0, isolated = true) {
    const headers = { "cache-control": "no-store" };
    if (isolated) {
        headers["cross-origin-opener-policy"] = "same-origin";
        headers["cross-origin-embedder-policy"] = "require-corp";
    }
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
        const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
        try {
            const bytes = await readFile(file);
            response.writeHead(200, { ...headers, "content-type": types[extname(file)] ?? "application/octet-stream" }).end(bytes);
        } catch {
            response.writeHead(404, headers).end();
        }
    });
    return new Promise((resolve, reject) => {
        server.on("error", reject);
        server.listen(port, "127.0.0.1", () => resolve(server));
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, port = "8123"] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
    const server = await serve(folder, Number(port), !process.argv.includes("--plain"));
    console.log(`The page: http://localhost:${server.address().port}/ (Ctrl-C ends it)`);
}
