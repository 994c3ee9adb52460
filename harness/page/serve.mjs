// SPDX-License-Identifier: MIT
// serve.mjs FOLDER [PORT] [--plain]: serves a folder at a local address, with the headers that threads need unless --plain. A browser keeps
// what it has loaded, and asks whether it is still the same; of FILE with a FILE.br beside it, it gets the compressed one.
import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
    ".css": "text/css", ".yaml": "text/plain", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png" };

/** The file within the folder that an address names; null: the address is malformed. */
function fileOf(folder, address) {
    try {
        const path = normalize(decodeURIComponent(address.replace(/[?#].*/s, "")));
        const whole = path.endsWith("/") ? `${path}index.html` : path;
        return path.startsWith("/") && !path.includes("\0") ? join(folder, whole) : null;
    } catch {
        return null;
    }
}

/** The file as it is sent, with its headers; null: there is none. A compressed one that is older is of another file. */
async function load(file, encodings) {
    const [plain, packed] = await Promise.all([file, `${file}.br`].map((path) => stat(path).catch(() => null)));
    if (plain === null) return null;
    const isPacked = /\bbr\b/.test(encodings) && packed !== null && packed.mtimeMs >= plain.mtimeMs;
    const bytes = await readFile(isPacked ? `${file}.br` : file).catch(() => null);
    const headers = { "content-type": types[extname(file)] ?? "application/octet-stream", vary: "accept-encoding",
        ...(isPacked ? { "content-encoding": "br" } : {}), etag: `"${Math.round(plain.mtimeMs)}-${bytes?.length}"`, "content-length": bytes?.length };
    return bytes && { bytes, headers };
}

/** Begins to serve; resolves to the server once it listens. Port 0: any free port. */
export function serve(folder, port = 0, isolated = true) {
    const headers = { "cache-control": "no-cache" };
    if (isolated) {
        headers["cross-origin-opener-policy"] = "same-origin";
        headers["cross-origin-embedder-policy"] = "require-corp";
    }
    const server = createServer(async (request, response) => {
        const answer = (status, more = {}, bytes = undefined) => response.writeHead(status, { ...headers, ...more }).end(bytes);
        if (!["GET", "HEAD"].includes(request.method)) return answer(405, { allow: "GET, HEAD" });
        const file = fileOf(folder, request.url);
        if (file === null) return answer(400);
        const found = await load(file, String(request.headers["accept-encoding"] ?? ""));
        if (found === null) return answer(404);
        if (request.headers["if-none-match"] === found.headers.etag) return answer(304, { etag: found.headers.etag });
        answer(200, found.headers, found.bytes);
    });
    // To a request for a tunnel, a server answers on the connection itself.
    server.on("connect", (_, socket) => socket.on("error", () => {}).end("HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nConnection: close\r\n\r\n"));
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
