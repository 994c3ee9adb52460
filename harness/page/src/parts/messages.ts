// SPDX-License-Identifier: MIT
// What went wrong, and other news, in plain words. What went wrong stays until it is dismissed; news go by themselves after some
// seconds, but not while they are looked at.
import type { App } from "../app";
import { iconButton, make } from "../dom";

const secondsShown = 14;
const most = 3; // news

/** What the page was doing, as a sentence. */
const headings: Record<string, string> = {
    start: "The engine did not start.",
    open: "The scenario cannot run.",
    act: "The flock did not take this change.",
    step: "The simulation stopped.",
    draw: "The flock cannot be drawn now.",
    restart: "The simulation cannot begin again.",
    threads: "The flock runs on one thread, because the build for several does not load.",
    dead: "The simulation has ended.",
    ask: "The engine did not answer.",
    page: "A part of the page is missing.",
};

export function mountMessages(app: App, place: HTMLElement): void {
    const shown = new Map<string, HTMLElement>();

    const add = (key: string, bad: boolean, ...content: (Node | string)[]) => {
        shown.get(key)?.remove();
        const close = () => {
            message.remove();
            shown.delete(key);
        };
        const message = make("div", { className: bad ? "message bad" : "message" },
            make("div", {}, ...content), iconButton("close", "Dismiss", close));
        if (!bad) goLater(message, close);
        shown.set(key, message);
        place.append(message);
        place.scrollTop = place.scrollHeight;
        const news = place.querySelectorAll<HTMLButtonElement>(":scope > .message:not(.bad) > button");
        if (news.length > most) news[0].click();
    };

    app.on("failed", ({ message, line, during }) => {
        const heading = headings[during];
        const shows = line > 0 && during !== "open"; // a text that does not open is not in the editor
        const content: (Node | string)[] = [plain(message, shows)];
        if (heading !== undefined) content.unshift(make("strong", {}, heading), " ");
        if (shows) content.push(" ", link(`Show line ${line}`, () => app.show("editor", line)));
        if (during === "dead" || during === "start") content.push(" ", link("Reload the page", () => location.reload()));
        add(message, true, ...content);
    });
    app.on("said", ({ message, offers }) => {
        add(message, false, message, ...offers.flatMap(({ label, act }) => [" ", link(label, act)]));
    });
}

/** The message as a sentence; linked: without the file's name and line, which a link names. */
function plain(message: string, linked: boolean): string {
    const bare = message.replace(/^Uncaught /, "").replace(/^Aborted\((.*)\)\. Build with .*/s, "$1"); // as browsers and Emscripten say
    const text = linked ? bare.replace(/^[^:]*:\d+:\s*/, "") : bare;
    const sentence = /^\S+\.\w+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
    return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function link(label: string, act: () => void): HTMLElement {
    return make("button", { type: "button", className: "link", onclick: act }, label);
}

function goLater(message: HTMLElement, close: () => void): void {
    let timer = 0;
    const begin = () => {
        clearTimeout(timer);
        timer = setTimeout(close, 1000 * secondsShown);
    };
    message.onpointerenter = () => clearTimeout(timer);
    message.addEventListener("focusin", () => clearTimeout(timer));
    message.addEventListener("focusout", begin);
    message.onpointerleave = begin;
    begin();
}
