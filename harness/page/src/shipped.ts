// SPDX-License-Identifier: MIT
// The shipped scenarios, as files beside the page.
import type { App } from "./app";
import { showAddress } from "./kept";

/** What harness/page/scenarios.mjs says of a scenario. */
export interface Shipped {
    name: string;
    group: string;
    title: string;
    description: string;
    source?: string;
    dimensions: number;
    agents: number;
}

async function load(path: string): Promise<Response> {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} is not there (${response.status})`);
    return response;
}

export async function listShipped(): Promise<Shipped[]> {
    return (await load("scenarios/index.json")).json() as Promise<Shipped[]>;
}

export async function textOfShipped(name: string): Promise<string> {
    return (await load(`scenarios/${encodeURIComponent(name)}.yaml`)).text();
}

/** Hashes of states that the native program reaches, by the scenario's file; null: the page was built without it. */
export async function loadHashes(): Promise<{ steps: number; hashes: Record<string, string> } | null> {
    return load("hashes.json").then((response) => response.json(), () => null);
}

let wanted = 0; // openings so far

/** Runs a shipped scenario, and says so in the address. Of several that load at the same time, the last one runs. */
export async function openShipped(app: App, name: string): Promise<void> {
    const own = ++wanted;
    const text = await textOfShipped(name);
    if (own !== wanted) return;
    showAddress(name === "default" ? location.pathname : `?scenario=${encodeURIComponent(name)}`);
    app.open(text, `${name}.yaml`);
    app.tell({ do: "play", on: true });
}
