// SPDX-License-Identifier: MIT
// Another project's page: it runs a scenario itself, then in a module worker, on one thread and on three.
import { hash } from "./hash.js";

async function inWorker(threads) {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const answer = await new Promise((tell) => {
        worker.onmessage = ({ data }) => tell(data);
        worker.onerror = (event) => tell(`the worker fails: ${event.message}`);
        worker.postMessage(threads);
    });
    worker.terminate();
    return answer;
}

globalThis.results = [await hash(1), await inWorker(1), await inWorker(3)];
