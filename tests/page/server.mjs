// SPDX-License-Identifier: MIT
// serve.mjs survives every request, answers what it cannot serve with a status of 4xx, and serves nothing from outside its folder.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../harness/page/serve.mjs", import.meta.url));
const get = (address, method = "GET", more = "") => `${method} ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;

/** The same bytes on every machine: x' = 16807 x mod (2^31 - 1). */
function makeDice() {
    let state = 20261;
    return (sides) => (state = (state * 16807) % 2147483647) % sides;
}

function randomRequests(count) {
    const dice = makeDice();
    const bytes = () => Buffer.from(Array.from({ length: 1 + dice(60) }, () => dice(256)));
    const address = () => Array.from({ length: 1 + dice(20) }, () => ["%", "/", ".", "..", "\\", "?", "#", ":", "@", "a", "0", "%2e", "%2f", "%00", "%ff"][dice(15)]).join("");
    return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? get(`/${address()}`) : Buffer.concat([bytes(), Buffer.from("\r\n\r\n")])));
}

const wrong = ["/%", "/%zz", "/%e0%a4", "/%ff", "//:99999", "http://", "http://[", "*", "no-slash", "/\u0001", "/a b", "/%00", "/index.html%00", 
    "/../secret.txt", "/../../../../etc/passwd", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt", "/%252e%252e/secret.txt", "/folder",
    "/index.html/", "/index.html/x", "/missing", `/${"a/".repeat(3000)}`, `/${"long".repeat(2000)}`, `/${"huge".repeat(10000)}`].map((address) => get(address));
const methods = ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "NONE"].map((method) => get("/", method));
const others = [get("localhost:80", "CONNECT"), get("/", "POST", "Content-Length: -1\r\n"), get("/", "POST", "Transfer-Encoding: no\r\n"),
    get("/missing", "GET", "Upgrade: websocket\r\n"), get("/", "GET", "Expect: nothing\r\n"), get("/", "GET", `X: ${"x".repeat(20000)}\r\n`),
    get("/", "GET", "no colon\r\n"), "GET\r\n\r\n", "\u0000\r\n\r\n"];

/** What the server sends to these bytes until it closes the connection. */
function send(port, bytes) {
    return new Promise((resolve) => {
        let text = "";
        const socket = connect(port, "127.0.0.1", () => socket.write(bytes)); // to end it would take the answer away
        socket.on("data", (part) => (text += part.toString("latin1")));
        socket.on("error", () => {}); // closed before everything was sent
        socket.on("close", () => resolve(text));
    });
}

/** Calls with the port of a server of its own process, which must live on until the end. */
async function withServer(call) {
    const outside = mkdtempSync(join(tmpdir(), "dunlin-served-"));
    const folder = join(outside, "site");
    mkdirSync(join(folder, "folder"), { recursive: true });
    writeFileSync(join(outside, "secret.txt"), "a secret");
    writeFileSync(join(folder, "index.html"), "the page");
    writeFileSync(join(folder, "index.html.br"), "packed");
    for (const name of ["old.html.br", "gone.html.br"]) writeFileSync(join(folder, name), "packed");
    utimesSync(join(folder, "old.html.br"), 1, 1);
    writeFileSync(join(folder, "old.html"), "new");
    const server = spawn(process.execPath, [script, folder, "0"], { stdio: ["ignore", "pipe", "inherit"] });
    let ended = null;
    server.on("exit", (code) => (ended = `the server ended with ${code}`));
    try {
        const port = await new Promise((resolve, reject) => {
            server.stdout.on("data", (line) => resolve(Number(/localhost:(\d+)/.exec(line)[1])));
            server.on("exit", () => reject(new Error(ended)));
        });
        await call(port, () => ended);
    } finally {
        server.kill();
        rmSync(outside, { recursive: true, force: true });
    }
}

async function survives() {
    await withServer(async (port, ended) => {
        for (const bytes of [...wrong, ...methods, ...others, ...randomRequests(1000)]) {
            const [said, answer] = [JSON.stringify(bytes.toString("latin1").slice(0, 80)), await send(port, bytes)];
            assert.equal(ended(), null, `after ${said}`);
            const isPage = answer.endsWith("\r\n\r\nthe page"); // some random addresses name it
            assert.match(answer, isPage ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 4\d\d /, `to ${said}: ${answer}`);
            assert.ok(!/secret|root:/.test(answer), `to ${said}: ${answer}`);
            if ([...wrong, ...methods].includes(bytes)) assert.ok(!isPage, `the page to ${said}`);
        }
        assert.match(await send(port, get("/?query#part")), /^HTTP\/1\.1 200 OK\r\n[^]*text\/html[^]*\r\n\r\nthe page$/);
        const head = await send(port, get("/index.html", "HEAD"));
        assert.match(head, /^HTTP\/1\.1 200 OK\r\n[^]*content-length: 8\r\n/i);
        assert.ok(head.endsWith("\r\n\r\n"), "HEAD has no body");
        const [, etag] = /etag: (.*)\r\n/i.exec(head);
        assert.match(await send(port, get("/", "GET", `If-None-Match: ${etag}\r\n`)), /^HTTP\/1\.1 304 /);
        assert.match(await send(port, get("/", "GET", 'If-None-Match: "other"\r\n')), /^HTTP\/1\.1 200 [^]*the page$/);
        assert.match(await send(port, get("/", "GET", "Accept-Encoding: gzip, br\r\n")), /content-encoding: br[^]*packed$/i);
        assert.match(await send(port, get("/old.html", "GET", "Accept-Encoding: br\r\n")), /^HTTP\/1\.1 200 [^]*new$/);
        assert.match(await send(port, get("/gone.html", "GET", "Accept-Encoding: br\r\n")), /^HTTP\/1\.1 404 /);
    });
}

export const tests = [["the page's server survives malformed, long, random and foreign requests, and answers with 4xx", survives]];
