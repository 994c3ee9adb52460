// SPDX-License-Identifier: MIT
// The state's hash, with a tick where it is the native program's, or the one that a link promises.
import type { App } from "../app";
import { grouped, make } from "../dom";
import type { Proof, Story } from "../protocol";
import { loadHashes, nameOf, textOfShipped } from "../shipped";

/** The native program's hash of the state that is proved; null: unknown. */
async function nativeHash(app: App, proof: Proof): Promise<string | null> {
    const { name = "", text = "" } = app.running ?? {};
    const known = await loadHashes();
    if (!proof.pristine || known?.steps !== proof.step || known.hashes[name] === undefined) return null;
    return (await textOfShipped(nameOf(name))) === text ? known.hashes[name] : null;
}

/** What a proof says; "": nothing, as there is nothing to compare with. */
async function judge(app: App, proof: Proof): Promise<string> {
    const after = `after ${grouped(proof.step)} steps`;
    if (proof.expected !== null)
        return proof.hash === proof.expected ? `✓ the state that was shared, ${after}` :
            `✗ not the state that was shared: ${proof.hash} ${after}, not ${proof.expected}`;
    const native = await nativeHash(app, proof).catch(() => null);
    if (native === null) return "";
    return proof.hash === native ? `✓ same bits as the native program ${after}` :
        `✗ not the native program's state: ${proof.hash} ${after}, not ${native}`;
}

export function mountProof(app: App, place: HTMLElement): void {
    const verdict = make("output");
    const hash = make("button", { type: "button", className: "link", textContent: "State hash" });
    place.append(verdict, hash);
    let latest: Proof | null = null;

    async function show(proof: Proof | null): Promise<void> {
        latest = proof;
        const words = proof === null ? "" : await judge(app, proof);
        if (latest !== proof) return;
        verdict.textContent = words;
        verdict.title = proof === null ? "" : `State hash ${proof.hash} after ${proof.step} steps`;
        verdict.className = words.startsWith("✓") ? "good" : "bad";
    }

    hash.onclick = async () => {
        const story = await app.ask<Story | null>("story").catch(app.unanswered);
        if (story !== null) hash.textContent = `${story.hash} at step ${grouped(story.step)}`;
    };
    app.on("proof", ({ proof }) => void show(proof));
    app.on("running", ({ proof }) => {
        if (proof === null || proof.hash !== latest?.hash) void show(proof);
    });
}
