// SPDX-License-Identifier: MIT
// The page's service worker. It adds the headers that threads need where the host sends none, and answers from a copy of the page where
// there is no network. While there is one, every answer is the host's, so that no old build is ever shown.

export {}; // a module, so that `self` is declared here
declare const self: ServiceWorkerGlobalScope;
/** harness/page/offline.mjs fills it in: of all files together, and of each. */
declare const built: { version: string; files: Record<string, string> };

const prefix = "dunlin ";
const copy = `${prefix}${built.version}`;

/** Keeps a copy of this build. It is whole or not at all: a file of another build is refused by its hash. */
async function keep(): Promise<void> {
    const requests = Object.entries(built.files).map(([name, integrity]) => new Request(name, { cache: "no-cache", integrity }));
    await (await caches.open(copy)).addAll(requests);
    await self.skipWaiting();
}

async function takeOver(): Promise<void> {
    const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== copy);
    await Promise.all(others.map((name) => caches.delete(name)));
    await self.clients.claim();
}

/** The answer with the headers that isolate the page, if the host sends none. */
function isolated(response: Response): Response {
    if (response.status === 0 || response.headers.has("cross-origin-embedder-policy")) return response;
    const headers = new Headers(response.headers);
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-embedder-policy", "require-corp");
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** A file's address without what only the page reads. */
function fileOf(address: string): string {
    const { origin, pathname } = new URL(address);
    return origin + pathname.replace(/\/$/, "/index.html");
}

/** From the network. Pictures are kept once they were seen: all together they are much larger than the page. */
async function load(request: Request): Promise<Response> {
    const response = await fetch(request);
    const file = fileOf(request.url);
    if (file.endsWith(".png") && response.ok) await (await caches.open(copy)).put(file, response.clone()).catch(() => {});
    return response;
}

async function answer(request: Request): Promise<Response> {
    try {
        return isolated(await load(request));
    } catch (error) {
        const kept = await caches.match(fileOf(request.url), { cacheName: copy });
        if (kept === undefined) throw error;
        return isolated(kept);
    }
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
    const { method, url } = event.request;
    if (method === "GET" && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
