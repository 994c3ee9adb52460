// SPDX-License-Identifier: MIT
// What leaves the page: links, files, pictures and films; and files that come in.
import type { App } from "../app";
import { make, save } from "../dom";
import { Opener } from "../files";
import type { Story } from "../protocol";
import { loadLessons } from "../shipped";
import { inCourse, placeInCourse } from "../kept";
import { linkOf, longestLink, writeStory } from "../story";

const films = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The name of the scenario's file without its ending. */
function stem(app: App): string {
    return (app.running?.name ?? "flock").replace(/\.ya?ml$/, "");
}

function button(app: App, words: string, doc: string, act: () => unknown): HTMLButtonElement {
    const onclick = async () => {
        try {
            await act();
        } catch (error) {
            app.complain(`${words}: ${(error as Error).message}`, "share");
        }
    };
    return make("button", { type: "button", textContent: words, title: doc, onclick });
}

/** A heading, a row of controls and what there is to say. */
function group(words: string, ...children: HTMLElement[]): HTMLElement {
    return make("section", { className: "share" }, make("h3", {}, words), ...children);
}

/* ---- link -------------------------------------------------------------------------------------------------------------- */

async function storyOf(app: App): Promise<Story> {
    const story = await app.ask<Story | null>("story");
    if (story === null) throw new Error("nothing runs yet");
    return story;
}

async function saveSimulation(app: App): Promise<void> {
    save(writeStory(await storyOf(app)), "application/json", `${stem(app)}.simulation.json`);
}

/** Only secure pages have a clipboard. */
async function copyText(text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
}

function linkGroup(app: App): HTMLElement {
    const link = make("input", { type: "text", readOnly: true, hidden: true, ariaLabel: "The link", onfocus: () => link.select() });
    const said = make("p", { className: "doc", role: "status" },
        "It repeats this simulation: scenario, settings, seed, everything you did, and the step.");

    async function copy(): Promise<void> {
        const story = await storyOf(app);
        link.value = await linkOf(story, inCourse(location.origin + location.pathname));
        link.hidden = link.value.length > longestLink;
        if (link.hidden) {
            said.replaceChildren(`The link would have ${link.value.length} characters; many programs cut links of more than ${longestLink}. `,
                make("button", { type: "button", className: "link", textContent: "Save the simulation as a file", onclick: () => saveSimulation(app) }),
                " instead: dropped on this page, it does the same.");
            return;
        }
        const copied = await copyText(link.value).then(() => true, () => false);
        if (!copied) link.focus();
        const place = placeInCourse();
        const isLesson = place !== null && (await loadLessons()).course[Number(place) - 1] === stem(app);
        said.textContent = `${copied ? "Copied. The link" : "The link"} ${isLesson ? `opens lesson ${place} and ` : ""}repeats this simulation up to step ${story.step}.`;
        said.title = `state hash ${story.hash}`;
    }
    return group("Link", make("div", { className: "row" }, button(app, "Copy link", "A link that repeats this simulation", copy)), link, said);
}

function compareGroup(app: App): HTMLElement {
    const compare = async () => {
        const { text, name, settings, files } = { ...(await storyOf(app)), text: app.text };
        location.assign(await linkOf({ text, name, settings, actions: [], step: 0, ...(files ? { files } : {}) }, new URL("compare.html", location.href).href));
    };
    return group("Compare", make("div", { className: "row" },
        button(app, "Compare two", "This scenario twice, side by side, from its beginning, with one number that differs", compare)),
    make("p", { className: "doc" }, "This scenario twice, side by side, with one difference."));
}

/* ---- film -------------------------------------------------------------------------------------------------------------- */

/** Films what the canvas shows until its stop() is called. */
function film(sky: HTMLCanvasElement, type: string): { stop: () => Promise<Blob> } {
    const stream = sky.captureStream(30);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12e6 });
    const parts: Blob[] = [];
    const ended = new Promise<void>((resolve, reject) => {
        recorder.ondataavailable = ({ data }) => parts.push(data);
        recorder.onstop = () => resolve();
        recorder.onerror = () => reject(new Error("the browser stopped recording"));
    });
    recorder.start(1000);
    return {
        stop: async () => {
            recorder.stop();
            await ended;
            for (const track of stream.getTracks()) track.stop();
            return new Blob(parts, { type });
        },
    };
}

function filmGroup(app: App, sky: HTMLCanvasElement): HTMLElement {
    const type = typeof MediaRecorder === "function" ? films.find((one) => MediaRecorder.isTypeSupported(one)) : undefined;
    if (type === undefined) return group("Film", make("p", { className: "doc" }, "This browser records no WebM films."));
    const said = make("p", { className: "doc", role: "status" }, "WebM, as the flock is drawn here.");
    const length = make("span", { className: "length" });
    const record = button(app, "Record", "Record a film of the flock", toggle);
    let running: ReturnType<typeof film> | null = null;
    let begun = 0;
    let timer = 0;

    function tick(): void {
        const seconds = Math.floor((performance.now() - begun) / 1000);
        length.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    }

    function begin(): void {
        running = film(sky, type as string);
        begun = performance.now();
        timer = setInterval(tick, 250);
        said.textContent = "";
        tick();
    }

    async function end(recording: ReturnType<typeof film>): Promise<void> {
        clearInterval(timer);
        running = null;
        const blob = await recording.stop();
        length.textContent = "";
        said.textContent = `Saved: ${(blob.size / 1e6).toFixed(1)} MB.`;
        save(blob, type as string, `${stem(app)}.webm`);
    }

    async function toggle(): Promise<void> {
        try {
            if (running === null) begin();
            else await end(running);
        } catch (error) {
            app.complain(`No film: ${(error as Error).message}`, "film");
        }
        record.textContent = running === null ? "Record" : "Stop and save";
        record.classList.toggle("recording", running !== null);
    }
    return group("Film", make("div", { className: "row" }, record, length), said);
}

/* ---- files ------------------------------------------------------------------------------------------------------------- */

function saveGroup(app: App): HTMLElement {
    const state = async () => save(await app.ask<Uint8Array<ArrayBuffer>>("state"), "text/csv", `${stem(app)}.csv`);
    const picture = async () => save(await app.ask<Blob>("picture"), "image/png", `${stem(app)}.png`);
    return group("Save", make("div", { className: "row" },
        button(app, "Scenario", "The scenario as it runs now, in YAML", () => save(app.text, "application/yaml", `${stem(app)}.yaml`)),
        button(app, "Agents", "All agents in CSV, as dunlin run --init and this page read them", state),
        button(app, "Picture", "The flock as it is drawn now, in PNG", picture),
        button(app, "Simulation", "The whole simulation so far, to be repeated by this page", () => saveSimulation(app))));
}

function openGroup(app: App, opener: Opener): HTMLElement {
    const chooser = make("input", { type: "file", multiple: true, accept: ".yaml,.yml,.csv,.json,.png", hidden: true });
    chooser.onchange = async () => {
        await opener.open([...(chooser.files ?? [])]);
        chooser.value = ""; // so that the same file can be chosen again
    };
    return group("Open", make("div", { className: "row" }, button(app, "Open files…", "Scenarios, states, simulations, and what scenarios name", () => chooser.click()), chooser),
        make("p", { className: "doc" }, "Or drop them anywhere on the page: scenarios (.yaml), agents (.csv), simulations (.json), and the pictures that scenarios name."));
}

/** Files may be dropped anywhere. */
function takeDrops(opener: Opener): void {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent, on: boolean) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        document.body.classList.toggle("dropping", on);
    };
    document.addEventListener("dragover", (event) => over(event, true));
    document.addEventListener("dragleave", (event) => {
        if (event.relatedTarget === null) over(event, false);
    });
    document.addEventListener("drop", (event) => {
        over(event, false);
        if (hasFiles(event)) void opener.open([...(event.dataTransfer?.files ?? [])]);
    });
}

export function mountExports(app: App, place: HTMLElement, sky: HTMLCanvasElement): void {
    const opener = new Opener(app);
    place.append(linkGroup(app), compareGroup(app), saveGroup(app), filmGroup(app, sky), openGroup(app, opener));
    takeDrops(opener);
}
