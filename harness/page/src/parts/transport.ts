// SPDX-License-Identifier: MIT
// Start, pause, step, restart, and what happens now in figures.
import { type App, isPlaced } from "../app";
import { grouped, icon, iconButton, make } from "../dom";
import type { Action, Story } from "../protocol";
import { mountUndo } from "./undo";

const sparing = { trails: "without trails", resolution: "less sharply" };

export function mountTransport(app: App, place: HTMLElement): void {
    mountButtons(app, place);
    mountFigures(app, place);
}

function mountButtons(app: App, place: HTMLElement): void {
    let playing = false;
    const play = make("button", { type: "button", id: "play", onclick: () => app.tell({ do: "play", on: !playing }) });
    const show = (now: boolean) => {
        if (now === playing && play.firstChild !== null) return;
        playing = now;
        play.replaceChildren(icon(playing ? "pause" : "play"));
        play.ariaLabel = play.title = playing ? "Pause" : "Start";
    };
    const step = () => {
        if (playing) app.tell({ do: "play", on: false });
        app.tell({ do: "step" });
    };
    place.append(make("div", { className: "buttons", role: "toolbar", ariaLabel: "Simulation" },
        iconButton("restart", "Restart", () => void restart(app)), play, iconButton("step", "One step", step)));
    mountUndo(app, place.querySelector<HTMLElement>(".buttons")!);
    app.on("frame", (frame) => show(frame.playing));
    show(false);
}

/** Begins again; what was placed is not in the text, and comes back if the visitor wants it. */
async function restart(app: App): Promise<void> {
    const { text } = app;
    const story = await app.ask<Story | null>("story").catch(() => null);
    app.restart();
    const placed = story?.actions.filter(([, action]) => isPlaced(action)).map(([, action]): [number, Action] => [0, action]) ?? [];
    if (placed.length > 0) app.say("The simulation begins again, without what you placed.",
        { label: "Keep what I placed", act: () => app.openStory({ ...story!, text, actions: placed, step: 0 }) });
}

function mountFigures(app: App, place: HTMLElement): void {
    const agents = make("b", {}, "–");
    const frames = make("b", {}, "–");
    const step = make("b", {}, "–");
    place.append(make("div", { className: "figures" }, make("span", {}, agents, " agents"),
        make("span", { title: "Frames per second" }, frames, " fps"), make("span", { className: "wide" }, "step ", step)));
    app.on("frame", ({ stats, framesPerSecond, playing, spared }) => {
        if (spared !== null) app.say(`Frames came slowly, so the flock is drawn ${sparing[spared]} now.`);
        agents.textContent = grouped(stats.agents);
        step.textContent = grouped(stats.step);
        frames.textContent = !playing ? "–" : framesPerSecond.toFixed(framesPerSecond < 9.95 ? 1 : 0);
    });
}
