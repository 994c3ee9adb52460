// SPDX-License-Identifier: MIT
// The flock and the page look as they did when a person last looked at the pictures in tests/page/pictures. run.mjs --rewrite
// keeps new ones; then look at each.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./native.mjs";
import { inkOf, sameAreas, sameDrawing, shrink } from "./picture.mjs";

/** Keeps a picture, or compares it with the one that is kept. */
function compare(test, name, png, same) {
    const kept = join(test.pictures, `${name}.png`);
    if (test.rewrite) writeFileSync(kept, png);
    writeFileSync(join(test.scratch, `${name}.png`), png);
    assert.ok(existsSync(kept), `${kept} is missing; run with --rewrite`);
    same(png, readFileSync(kept));
}

/** What a visit begins with. */
const plain = { shape: "scenario", size: 0, colour: "scenario", attribute: "", densityFrom: 50_000, trails: false, scenery: true, legend: true, chosen: null };

/** The canvas alone. Simulations are the same bits everywhere, so that only smooth edges may differ. */
function flockAlone(name, scenario, look, agents, step, { theme = "dark", frames = 1, camera = {} } = {}) {
    return async (test) => {
        const visit = await test.again({ size: [1000, 600], media: [{ name: "prefers-color-scheme", value: theme }] });
        await visit.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))); // the page's own size is said
        await visit.evaluate(() => dunlinPage.tell({ do: "resize", width: 640, height: 400, ratio: 1 }));
        await visit.simulate(scenario.includes("\n") ? scenario : textOf(scenario), agents === undefined ? {} : { agents }, step);
        await visit.evaluate((view) => dunlinPage.tell({ do: "camera", camera: view }), camera);
        await visit.tell({ do: "look", look: { ...plain, ...look } });
        for (let i = 1; i < frames; i++) await visit.tell({ do: "step" });
        const half = shrink(await visit.picture(), 2);
        compare(test, name, half, (got, wanted) => sameDrawing(got, wanted, 0.015));
    };
}

/** The whole page, paused, with a panel. Letters differ from machine to machine, so that only areas of 16 by 16 pixels count. */
function wholePage(name, size, theme, panel) {
    return async (test) => {
        const visit = await test.visit({ size, media: [{ name: "prefers-color-scheme", value: theme }] });
        await visit.simulate(textOf("default"), {}, 200, [], "default.yaml");
        await visit.evaluate((id) => (id === null ? document.querySelector("#panels section:not([hidden]) .panel-head button")?.click() :
            dunlinPage.show(id)), panel);
        await visit.until(() => document.querySelector("#proof output").textContent !== "" &&
            [...document.querySelectorAll(".card img")].slice(0, 4).every((image) => image.complete || image.offsetParent === null));
        await visit.evaluate(() => document.fonts.ready);
        await visit.tell({ do: "look", look: {} });
        await visit.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        compare(test, name, shrink(await visit.tab.screenshot(), 4), (got, wanted) => sameAreas(got, wanted, 4, 0.03));
    };
}

/** The picture of a flock that hardly moves changes by its butterflies' wings alone. */
async function flap(test, motion) {
    const visit = await test.visit({ media: [{ name: "prefers-reduced-motion", value: motion }] });
    await visit.simulate(textOf("noc_5_09_flock"), { agents: 60 }, 60);
    await visit.tell({ do: "act", action: { kind: "set", path: "world.time_step", value: 1e-6 } });
    await visit.tell({ do: "look", look: { shape: "butterfly", size: 40 } });
    const before = await visit.picture();
    for (let i = 0; i < 3; i++) await visit.tell({ do: "step" });
    const after = await visit.picture();
    if (motion === "reduce") sameDrawing(after, before, 0.01);
    else assert.throws(() => sameDrawing(after, before, 0.01), "the wings move");
}

/** The mark of a target is a cross and a ring. */
async function turnOff(test) {
    const visit = await test.visit({});
    await visit.simulate("world: {size: [90, 60]}\nspecies: [{agents: 1}]\nbehaviours: [{seek: {target: [45, 30], radius: 20}}]\n");
    const before = inkOf(await visit.picture());
    await visit.tell({ do: "act", action: { kind: "set", path: "behaviours[0].seek.weight", value: 0 } });
    await visit.tell({ do: "step" });
    const after = inkOf(await visit.picture());
    assert.ok(after < before - 500, `the target has ${before} pixels, and ${after} when its behaviour is off`);
}

const shape = (name) => [`a flock drawn by ${name} looks as it did`, flockAlone(name, "noc_5_09_flock", { shape: name, size: 40 }, 60, 100)];

/** Two species that leave traces in 3D. */
const scents = `
world: {dimensions: 3, size: [60, 60, 60]}
species:
  - {name: moths, agents: 200, max_speed: 1, start: [{region: ball, centre: [15, 30, 30], extent: [8]}]}
  - {name: bees, agents: 200, max_speed: 1, start: [{region: ball, centre: [45, 30, 40], extent: [8]}]}
  - {name: ghosts, agents: 0}
fields:
  - {name: of moths, cells: [20, 24, 28], trace: {species: moths, diffusion: 0.3, evaporation: 0.02}}
  - {name: of bees, cells: [20, 24, 28], trace: {species: bees, diffusion: 0.3, evaporation: 0.02}}
  - {name: of ghosts, cells: [20, 24, 28], trace: {species: ghosts}}
`;

const [wide, narrow] = [[1280, 800], [390, 844]];

export const tests = [
    shape("dart"),
    shape("triangle"),
    shape("butterfly"),
    ["a flock in 3D looks as it did", flockAlone("solid", "starlings", { size: 12 }, 2000, 100)],
    ["obstacles and a field look as they did, in the light", flockAlone("obstacles", "obstacles", {}, 800, 100, { theme: "light" })],
    ["a flock whose density is drawn looks as it did", flockAlone("density", "default", { densityFrom: 1000 }, 20000, 200), "nightly"],
    ["trails and the colours of species look as they did",
        flockAlone("trails", "two_flocks", { trails: true, colour: "species" }, 400, 200, { frames: 40 }), "nightly"],
    ["a chosen agent's radii, view and neighbours look as they did",
        flockAlone("chosen", "field_of_view", { chosen: 105 }, 1000, 100, { camera: { centre: [100, 12], zoom: 5 } })],
    ["groups and their bodies have the groups' colours, as they did",
        flockAlone("groups", "fish_of_fish", { colour: "attribute", attribute: "group" }, undefined, 200), "nightly"],
    ["a trace that ants leave looks as it did", flockAlone("trace", "trails", {}, undefined, 300), "nightly"],
    ["traces in 3D, one of which no agent leaves, look as they did, in the light",
        flockAlone("traces_solid", scents, {}, undefined, 60, { theme: "light" }), "nightly"],
    ["a target is not drawn while its behaviour has weight 0", turnOff, "nightly"],
    ["butterflies flap, but not for visitors that want less motion", async (test) => {
        for (const motion of ["no-preference", "reduce"]) await flap(test, motion);
    }, "nightly"],
    ["the page looks as it did: wide, dark, with the rules", wholePage("wide_dark", wide, "dark", "controls"), "nightly"],
    ["the page looks as it did: wide, light, with the scenarios", wholePage("wide_light", wide, "light", "gallery"), "nightly"],
    ["the page looks as it did: narrow, dark, the flock alone", wholePage("narrow_dark", narrow, "dark", null), "nightly"],
    ["the page looks as it did: narrow, light, with a lesson", wholePage("narrow_light", narrow, "light", "lessons"), "nightly"],
];
