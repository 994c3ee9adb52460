// SPDX-License-Identifier: MIT
// The page's service worker (offline.ts). Browsers have none in sandboxes, for plain http, or where storage is blocked: the page then runs
// as its host sends it.
import type { App, Offer } from "./app";
import { hasNoOrigin } from "./beside";

let isolates = false;

/** Registers the service worker once the flock has moved for a while. */
export async function keepPage(app: App): Promise<void> {
    if (hasNoOrigin) return;
    try {
        const { serviceWorker } = navigator;
        const reload = serviceWorker.controller === null; // else this page came with its headers already
        await app.drawn;
        await new Promise((resolve) => setTimeout(resolve, 3000));
        await serviceWorker.register("offline.js");
        await serviceWorker.ready;
        isolates = reload && !crossOriginIsolated && window.top === window;
    } catch {
        // There is none.
    }
}

/** What runs the page on several threads, if it does not yet and could. */
export function offerThreads(): Offer[] {
    return isolates ? [{ label: "Reload for several threads", act: () => location.reload() }] : [];
}
