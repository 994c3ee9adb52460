// SPDX-License-Identifier: MIT
// What programs do with the npm package: behaviours of their own, events, questions about places, scenarios in other forms, arrays for graphics, workers.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { require as pageRequire } from "./driver.mjs";
import { shipped, textOf } from "./native.mjs";
import { inProject } from "./package.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ts = pageRequire("typescript");

const fileOf = (test, name) => join(test.npm, "package", name);
const packageOf = (test, name = "node.mjs") => import(pathToFileURL(fileOf(test, name)).href);

/** Calls with an engine, and checks that no flock is left. */
const withEngine = (call, options = {}) => async (test) => {
    const dunlin = await (await packageOf(test)).load(options);
    try {
        await call(dunlin, test);
    } finally {
        dunlin.close();
    }
};

const birds = (agents, more = "") => `world: {size: [60, 40]}
species: [{name: birds, agents: ${agents}, max_speed: 1, max_force: 0.1}]
interactions: [{separation: {radius: 2}, alignment: {radius: 4}}]
${more}`;

/* ---- behaviours of JavaScript ------------------------------------------------------------------------------------------- */

const addTo = (column, add) => column.forEach((_, i) => (column[i] += add(i)));

/** What two of the engine's behaviours do, with the same operations. */
const twins = [
    ["force: {vector: [0.02, -0.01]}", ({ force: [x, y] }) => (addTo(x, () => Math.fround(0.02)), addTo(y, () => Math.fround(-0.01)))],
    ["drag: {linear: 0.125}", ({ force, velocity }) => force.forEach((column, a) => addTo(column, (i) => -0.125 * velocity[a][i]))],
];

async function sameAsBuiltIn(dunlin, test) {
    await inProject(test, "module", async (folder) => {
        for (const [text, behaviour] of twins) {
            const flock = dunlin.open(birds(500));
            flock.addBehaviour(0, behaviour);
            flock.step(40);
            const file = join(folder, "twin.yaml");
            writeFileSync(file, birds(500, `behaviours: [{${text}}]`));
            assert.equal(flock.hash(), await test.native.hash(file, 40), text);
            assert.notEqual(flock.hash(), await test.native.hash((writeFileSync(file, birds(500)), file), 40));
            flock.destroy();
        }
    });
}

/** tests/program/test_page.c runs the same as a callback in C, and expects the same hash. */
async function sameAsCallback(dunlin) {
    const flock = dunlin.open(birds(500), { seed: 7n });
    flock.addBehaviour(0, ({ count, force, position, velocity, dies, random, spawn }) => {
        for (let i = 0; i < count; i++) {
            const [a, b, c, d] = random(i, 3);
            force[0][i] += Math.fround(a - 0.5);
            force[1][i] += Math.fround(b - 0.5);
            if (c < 0.0078125) dies[i] = 1;
            if (d < 0.015625) spawn(i, 0, position.map((column) => column[i]), velocity.map((column) => -column[i]));
        }
    });
    flock.step(50);
    const c = readFileSync(join(root, "tests/program/test_page.c"), "utf8");
    assert.equal(flock.hash(), /script_hash = 0x([0-9a-f]{16})/.exec(c)[1]);
    assert.notEqual(flock.stats().agents, 500);
}

async function goesWrong(dunlin) {
    const flock = dunlin.open(birds(50));
    flock.step(3);
    const before = flock.hash();
    const own = new Error("my own");
    const failing = [[() => { throw own; }, own], [() => { throw undefined; }, undefined], ...[
        [() => flock.step(), /a behaviour runs/], [() => flock.view(0), /a behaviour runs/], [() => flock.destroy(), /a behaviour runs/],
        [({ spawn }) => spawn(0, 5, [1, 1], [0, 0]), /species/], [({ spawn }) => spawn(1e6, 0, [1, 1], [0, 0]), /parent is 1000000: it must/],
        [({ random }) => random(-1), /agent is -1: it must be a whole number/], [({ spawn }) => spawn(0, 0, [1], [0, 0]), /position has 1 coord.*needs 2/]]];
    for (const [behaviour, wanted] of failing) {
        const remove = flock.addBehaviour(0, behaviour);
        try {
            flock.step();
            assert.fail(`${behaviour} is accepted`);
        } catch (error) {
            if (wanted instanceof RegExp) assert.match(error.message, wanted);
            else assert.equal(error, wanted);
        }
        remove();
        remove();
        assert.equal(flock.hash(), before);
    }
    flock.step();
    assert.equal(flock.stats().step, 4);
}

/** Behaviours are removed in any order, between those of the pointer; building again removes them. */
async function comesAndGoes(dunlin) {
    const flock = dunlin.open(birds(50));
    const calls = [0, 0];
    const first = flock.addBehaviour(0, () => calls[0]++);
    flock.pull([30, 20], 20, 1);
    const second = flock.addBehaviour(0, () => calls[1]++);
    flock.step();
    first();
    flock.step(2);
    flock.pull([30, 20], 20, 0); // removes its own behaviour, and no other one
    flock.step();
    assert.deepEqual(calls.map((n) => n / calls[0]), [1, 4]);
    second();
    flock.step();
    assert.deepEqual(calls.map((n) => n / calls[0]), [1, 4]);
    flock.addBehaviour(0, () => assert.fail("it is removed"));
    flock.simulate({}, true);
    flock.step();
    assert.equal(flock.scenery().behaviours.length, 0);
}

async function onOneThread(dunlin) {
    const flock = dunlin.open(birds(50));
    assert.throws(() => flock.addBehaviour(0, () => {}), /threads is 3: it must be 1 in a flock with behaviours in JavaScript/);
    const single = dunlin.open(birds(50), { threads: 1 });
    let agents = 0;
    single.addBehaviour(0, ({ count }) => (agents += count));
    single.step(2);
    assert.equal(agents, 100);
}

/* ---- events -------------------------------------------------------------------------------------------------------------- */

/** Every agent that comes or goes is an event, once; the bits are those without listeners. */
async function tellsEvents(dunlin, test) {
    const flock = dunlin.open(textOf("ecosystem"));
    const seen = { birth: [], death: [], meal: [] };
    const ends = Object.keys(seen).map((kind) => flock.on(kind, (event) => seen[kind].push(event)));
    const ids = () => new Set(flock.about().species.flatMap((_, species) => [...flock.view(species).id]));
    const totals = { birth: 0, death: 0, meal: 0 };
    for (let step = 0; step < 150; step++) {
        const before = ids();
        flock.step();
        const after = ids();
        const gone = [...seen.death, ...seen.meal];
        assert.deepEqual(seen.birth.map(({ id }) => id).sort(), [...after].filter((id) => !before.has(id)).sort());
        assert.deepEqual(gone.map(({ id }) => id).sort(), [...before].filter((id) => !after.has(id)).sort());
        assert.ok(gone.length <= flock.stats().deaths); // grass that grows may be eaten in the same step
        for (const { eater } of seen.meal) assert.ok(before.has(eater));
        for (const { eater } of seen.death) assert.equal(eater, null);
        for (const { id, species, position } of seen.birth) {
            const { slot } = flock.agent(id);
            assert.deepEqual(position, flock.view(species).position.map((column) => column[slot]));
        }
        for (const kind of Object.keys(seen)) totals[kind] += seen[kind].splice(0).length;
    }
    assert.ok(Object.values(totals).every((count) => count > 5), JSON.stringify(totals));
    assert.equal(flock.hash(), await test.native.shippedHash("ecosystem", 150));
    ends.forEach((end) => end());
    flock.step(50);
    assert.deepEqual(seen, { birth: [], death: [], meal: [] });
}

/** A meal within reach, and the eater with the smallest id. */
async function saysWhoEats(dunlin) {
    const flock = dunlin.open(`world: {size: [100, 100], boundary: periodic}
species: [{name: hawks, agents: 0, max_speed: 0}, {name: mice, agents: 0, max_speed: 0}]
meals: [{eater: hawks, food: mice, radius: 3}]`);
    flock.spawn(0, [99, 2, 50, 10, 10, 10], [0, 0, 0, 0, 0, 0]);
    flock.spawn(1, [1, 30, 10, 10], [0, 0, 0, 0]);
    const meals = [];
    flock.on("meal", (event) => meals.push(event));
    flock.step();
    assert.deepEqual(meals, [{ kind: "meal", species: 1, id: 3, position: [1, 10], eater: 0 }]);
    flock.despawn([4, 0]);
    assert.equal(flock.stats().agents, 2);
    assert.throws(() => flock.despawn([2, 0]), /0/);
    flock.step(2);
    assert.equal(meals.length, 1);
}

/* ---- questions ------------------------------------------------------------------------------------------------------------ */

/** All pairs in binary64. */
async function findsPlaces(dunlin) {
    for (const [text, size] of [[birds(700).replace("world: {", "world: {boundary: periodic, "), [60, 40]], [birds(700).replace("world: {", "world: {boundary: reflect, "), null],
        ["world: {dimensions: 3, boundary: periodic, size: [20, 20, 30]}\nspecies: [{name: birds, agents: 700, max_speed: 1}]", [20, 20, 30]]]) {
        const flock = dunlin.open(text);
        flock.step(5);
        const { id, position } = flock.view(0);
        for (const share of [0.02, 0.99, 0.5]) {
            const place = flock.about().size.map((width) => share * width);
            const all = [...id].map((own, slot) => ({ id: own, slot, distance: Math.hypot(...position.map((column, a) => {
                const offset = column[slot] - place[a];
                return size ? offset - size[a] * Math.round(offset / size[a]) : offset;
            })) })).sort((one, other) => one.distance - other.distance);
            const same = (found, wanted) => {
                assert.deepEqual(found.map(({ slot, id: own }) => [slot, own]), wanted.map(({ slot, id: own }) => [slot, own]));
                found.forEach(({ distance }, i) => assert.ok(Math.abs(distance - wanted[i].distance) < 1e-4));
            };
            same(flock.nearest(0, place), all.slice(0, 1));
            same(flock.nearest(0, place, 40), all.slice(0, 40));
            same(flock.nearest(0, place, 1000), all);
            same(flock.within(0, place, 7), all.filter(({ distance }) => distance <= 7));
            assert.ok(all.filter(({ distance }) => distance <= 7).length > 3);
        }
        assert.deepEqual([flock.nearest(9, [1, 1, 1]), flock.within(0, [1, 1, 1], 0)], [[], []]);
        flock.destroy();
    }
}

/* ---- scenarios ------------------------------------------------------------------------------------------------------------ */

async function opensObjects(dunlin, test) {
    const { parse } = pageRequire("yaml");
    const all = (await packageOf(test, "scenarios.mjs")).scenarios;
    assert.deepEqual(createRequire(import.meta.url)(fileOf(test, "scenarios.js")).scenarios, all);
    assert.deepEqual(Object.keys(all), [...shipped].sort());
    const step = (scenario) => {
        const flock = dunlin.open(scenario, { agents: 200 });
        flock.step(3);
        const hash = flock.hash();
        flock.destroy();
        return hash;
    };
    for (const [name, text] of Object.entries(all)) assert.equal(step(parse(text)), step(text), name);
    const object = { world: { size: [60, 40] }, species: [{ name: "birds", agents: 10, max_speed: -1 }] };
    assert.throws(() => dunlin.open(object, { name: "mine" }), ({ name, message, line }) => name === "FlockError" && line > 0 && /^mine:\d+: species\[0\].max_speed/.test(message));
    assert.throws(() => dunlin.open({ steps: 5n }), { name: "TypeError", message: /scenario is an object: it must be what JSON can hold/ });
}

async function setsValues(dunlin, test) {
    const set = { "world.boundary": "reflect", "world.size": [300, 200], "species.dunlins.max_speed": 0.7, "interactions[0].cohesion": { radius: 9, weight: 0.5 },
        "species[0].obstacles_block": true };
    const flock = dunlin.open(textOf("default"), { set, agents: 500 });
    flock.step(20);
    const words = Object.entries(set).map(([path, value]) => `--set=${path}=${typeof value === "string" ? value : JSON.stringify(value).replaceAll('"', "").replaceAll(/[:,]/g, "$& ")}`);
    assert.equal(flock.hash(), await test.native.shippedHash("default", 20, "--agents=500", ...words));
    assert.throws(() => dunlin.open(textOf("default"), { set: { "world.boundary": "round" } }), { name: "FlockError", message: /world\.boundary.*round.*periodic/ });
    assert.throws(() => dunlin.open(textOf("default"), { set: { "world.time_step": undefined } }), /values\["world.time_step"\] is undefined: it must/);
}

/* ---- arrays --------------------------------------------------------------------------------------------------------------- */

async function fillsArrays(dunlin) {
    for (const text of [birds(100), "world: {dimensions: 3, size: [20, 20, 30]}\nspecies: [{name: birds, agents: 100, max_speed: 1}]"]) {
        const flock = dunlin.open(text);
        flock.spawn(0, flock.about().size.map((width) => width / 2), flock.about().size.map(() => 0)); // at rest
        const { count, position, velocity } = flock.view(0);
        const axes = position.length;
        const place = (i) => position.map((column) => column[i]);
        const heading = (i) => velocity.map((column) => column[i]);
        const target = new Float32Array(16 * count + 1).fill(NaN);
        assert.equal(flock.readInto(0, target), count);
        for (let i = 0; i < count; i++) assert.deepEqual([...target.subarray(2 * axes * i, 2 * axes * (i + 1))], [...place(i), ...heading(i)]);
        assert.equal(flock.readInto(0, target, "position"), count);
        for (let i = 0; i < count; i++) assert.deepEqual([...target.subarray(axes * i, axes * (i + 1))], place(i));
        assert.equal(flock.readInto(0, target, "matrix", 3), count);
        assert.ok(Number.isNaN(target.at(-1)));
        for (let i = 0; i < count; i++) {
            const [x, y, z, to] = [0, 4, 8, 12].map((at) => [...target.subarray(16 * i + at, 16 * i + at + 4)]);
            const inner = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
            const speed = Math.hypot(...heading(i));
            const wanted = speed > 0 ? heading(i).map((v) => (3 * v) / speed) : [3, 0];
            [...wanted, 0, 0].slice(0, 3).forEach((value, a) => assert.ok(Math.abs(x[a] - value) < 1e-5));
            for (const [a, b] of [[x, y], [y, z], [z, x]]) assert.ok(Math.abs(inner(a, b)) < 1e-4 && Math.abs(inner(a, a) - 9) < 1e-4);
            assert.ok(x[0] * y[1] - x[1] * y[0] >= 0 && Math.abs(x[1] * y[2] - x[2] * y[1] - z[0] * 3) < 1e-4 && z[2] >= 0, "right-handed");
            assert.deepEqual(to, [...place(i), 0].slice(0, 3).concat(1));
        }
        assert.throws(() => flock.readInto(0, new Float32Array(10)), new RegExp(`target has 10 numbers: it needs ${2 * axes * count}, ${2 * axes} for each of ${count} agents`));
        flock.destroy();
    }
}

/** A mesh as three.js has it gets the matrices of an array, and as many instances. */
async function fillsMeshes(dunlin) {
    const flock = dunlin.open(birds(100));
    const [array, target] = [new Float32Array(16 * 120), new Float32Array(16 * 120)];
    const mesh = { count: 120, instanceMatrix: { array, needsUpdate: false } };
    assert.equal(flock.readInto(0, mesh, "matrix", 2), 100);
    flock.readInto(0, target, "matrix", 2);
    assert.deepEqual(mesh, { count: 100, instanceMatrix: { array: target, needsUpdate: true } });
    assert.throws(() => flock.readInto(0, mesh), { name: "RangeError", message: /layout is "state": it must be "matrix" for an InstancedMesh/ });
    assert.throws(() => flock.readInto(0, { ...mesh, instanceMatrix: { array: new Float32Array(16) } }, "matrix"), /target has 16 numbers: it needs 1600/);
}

/** Steps and calls alternate until the animation, its flock or its engine ends. */
async function animates(dunlin, test) {
    const other = await (await packageOf(test)).load();
    const frames = (flock, end, steps) => new Promise((resolve) => {
        let calls = 0;
        const stop = flock.animate((self) => {
            assert.equal(self, flock);
            assert.equal(flock.stats().step, ++calls * (steps ?? 1));
            if (calls === 3) end(stop);
            if (calls === 3) setTimeout(() => resolve(calls), 100);
        }, steps);
        assert.equal(flock.stats().step, 0, "not before the next frame");
    });
    const flock = dunlin.open(birds(20));
    assert.equal(await frames(flock, (stop) => stop()), 3);
    assert.equal(flock.stats().step, 3);
    flock.destroy();
    const second = dunlin.open(birds(20));
    assert.equal(await frames(second, () => second.destroy(), 5), 3);
    assert.equal(await frames(other.open(birds(20)), () => other.close()), 3);
}

async function disposes(dunlin, test) {
    const { load } = await packageOf(test);
    const other = await load();
    const flock = other.open(birds(5));
    flock[Symbol.dispose]();
    assert.throws(() => flock.step(), /the flock is destroyed/);
    other[Symbol.dispose]();
    assert.throws(() => other.open(birds(5)), /the engine is closed/);
}

/** A thread that fails while its engine is closed ends nothing else. */
async function closesThreads(test) {
    const { load } = await packageOf(test);
    const dunlin = await load({ threads: 3 });
    dunlin.open(birds(5000)).step();
    const { runningWorkers, unusedWorkers } = dunlin.module.PThread;
    const workers = [...runningWorkers, ...unusedWorkers];
    assert.ok(runningWorkers.length >= 2, `${runningWorkers.length} threads run`);
    dunlin.close();
    for (const worker of workers) worker.emit("error", new Error("the thread begins without its data"));
    await Promise.all(workers.map((worker) => worker.terminate()));
}

/* ---- workers -------------------------------------------------------------------------------------------------------------- */

async function inWorker(test) {
    await inProject(test, "module", async (folder) => {
        writeFileSync(join(folder, "worker.js"), `import { parentPort } from "node:worker_threads";\nimport { load } from "dunlin";
import { serve } from "dunlin/worker";\nserve(load, parentPort);\n`);
        const { connect } = await packageOf(test, "worker.mjs");
        const worker = new Worker(join(folder, "worker.js"));
        try {
            const dunlin = await connect(worker, { threads: 2 });
            assert.equal(dunlin.threads, 2);
            const flock = await dunlin.open(textOf("default"), { agents: 1000 });
            await flock.step(20);
            assert.equal(await flock.hash(), await test.native.shippedHash("default", 20, "--agents=1000"));
            const { count, position } = await flock.view(0);
            const target = new Float32Array(4 * count);
            const filled = await flock.readInto(0, target);
            assert.deepEqual([target.length, filled.length, filled[0], position[0].length], [0, 4 * count, position[0][0], count]);
            assert.ok(position[0].buffer instanceof ArrayBuffer && position[0].buffer.byteLength === 4 * count, "a copy");
            await assert.rejects(dunlin.open("steps: -1"), { name: "FlockError", line: 1, message: /steps/ });
            await assert.rejects(flock.wheel(), { name: "TypeError", message: /method is "wheel": it must/ });
            await flock.destroy();
            await dunlin.close();
        } finally {
            await worker.terminate();
        }
    });
}

/* ---- types and names ------------------------------------------------------------------------------------------------------ */

/** Each interface and type that the exported ones name is exported, too. */
async function exportsTypes(test) {
    const program = ts.createProgram(["index.d.ts", "worker.d.ts"].map((name) => fileOf(test, name)), { skipLibCheck: true, lib: ["lib.es2022.d.ts"] });
    const checker = program.getTypeChecker();
    const exportsOf = (entry) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(fileOf(test, entry))));
    for (const entry of ["index.d.ts", "worker.d.ts"]) {
        const exported = new Set([...exportsOf("index.d.ts"), ...exportsOf(entry)].map(({ name }) => name));
        const plain = new Set(["Module", "Host", "PageFlock"]); // the engine's own
        const missing = new Set();
        const known = new Set();
        const visit = (symbol) => {
            const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
            const [declaration] = target.declarations ?? [];
            if (!declaration || known.has(target) || !declaration.getSourceFile().fileName.startsWith(test.npm)) return;
            known.add(target);
            const look = (node) => {
                if (node.modifiers?.some(({ kind }) => [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword].includes(kind))) return;
                if (ts.isTypeReferenceNode(node)) {
                    const found = checker.getSymbolAtLocation(node.typeName);
                    const { name } = node.typeName.getText ? { name: node.typeName.getText() } : found;
                    const isOurs = found?.declarations?.some((one) => one.getSourceFile().fileName.startsWith(test.npm) && !ts.isTypeParameterDeclaration(one));
                    if (isOurs && !exported.has(name) && !plain.has(name)) missing.add(name);
                    if (found && !plain.has(name)) visit(found);
                }
                ts.forEachChild(node, look);
            };
            look(declaration);
        };
        exportsOf(entry).forEach(visit);
        assert.deepEqual([...missing], [], entry);
        assert.ok(known.size > (entry === "index.d.ts" ? 30 : 5), `${known.size}`);
    }
}

/** The enumerations that the package names, with the prefix of their values. */
const named = { obstacle_shape: ["ObstacleShape", "OBSTACLE"], boundary: ["Boundary", "BOUNDARY"], behaviour_kind: ["BehaviourKind", "BEHAVIOUR"],
    target_kind: ["TargetKind", "TARGET"] };
/* The others: their numbers are in definitions, which scenarios are for JavaScript, or they are errors, which have messages. */
const inScenarios = ["adapt_response", "corner", "distribution", "falloff", "field_kind", "integrator", "kin", "lookup", "off_segment", "prediction", "region", "response",
    "result", "role", "rule_kind", "signal"];

/** The enumerations of the public headers, with the numbers of their values. */
function readEnumerations() {
    const folder = join(root, "engine/include/dunlin");
    const headers = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8").replace(/\/\*[^]*?\*\//g, "")).join("");
    return [...headers.matchAll(/\benum (?:dunlin_)?(\w*) ?\{([^}]*)\}/g)].map(([, type, body]) => {
        let next = 0;
        const values = body.split(",").map((one) => one.trim()).filter(Boolean).map((one) => {
            const [, name, given] = /^DUNLIN_(\w+)(?: = (-?\d+))?$/.exec(one) ?? assert.fail(`enum ${type} has ${one}`);
            if (given !== undefined) next = Number(given);
            return [name, next++];
        });
        return [type, values];
    });
}

/** Each value of each enumeration is named, without what only counts or stands for a default. */
async function namesConstants(_, test) {
    const [all, enumerations] = [await packageOf(test), readEnumerations()];
    assert.deepEqual(enumerations.map(([type]) => type).sort(), [...Object.keys(named), ...inScenarios].sort(), "an enumeration is new or gone");
    for (const [type, values] of enumerations.filter(([one]) => one in named)) {
        const [name, prefix] = named[type];
        const wanted = values.map(([one, value]) => [one.replace(`${prefix}_`, "").toLowerCase(), value]).filter(([one]) => !["count", "same"].includes(one));
        assert.deepEqual(all[name], Object.fromEntries(wanted), name);
    }
    assert.deepEqual(Object.keys(all).filter((name) => /^[A-Z]/.test(name) && typeof all[name] === "object").sort(), Object.values(named).map(([name]) => name).sort());
}

export const tests = [
    ["a behaviour in JavaScript has the bits of the engine's own", withEngine(sameAsBuiltIn)],
    ["a behaviour in JavaScript that draws, kills and bears has the bits of a callback in C", withEngine(sameAsCallback)],
    ["an error in a behaviour reaches the caller, and the flock is as before", withEngine(goesWrong)],
    ["behaviours in JavaScript come and go", withEngine(comesAndGoes)],
    ["behaviours in JavaScript run in flocks of one thread", withEngine(onOneThread, { threads: 3 })],
    ["every birth, death and meal is one event, with the native bits", withEngine(tellsEvents)],
    ["a meal says who eats, and agents are removed by id", withEngine(saysWhoEats)],
    ["the agents near a place are found, across edges", withEngine(findsPlaces)],
    ["scenarios are opened by name and as objects", withEngine(opensObjects)],
    ["values of any type are set before a scenario is built, with the native bits", withEngine(setsValues)],
    ["agents are read into arrays, interleaved and as matrices", withEngine(fillsArrays)],
    ["agents are read into a mesh of three.js", withEngine(fillsMeshes)],
    ["an animation steps the flock until it, the flock or the engine ends", withEngine(animates)],
    ["flocks and engines are disposed of", withEngine(disposes)],
    ["a thread that fails while its engine is closed ends nothing else", closesThreads],
    ["a flock in a worker answers as one at hand, with the native bits", inWorker],
    ["every type that the package returns is exported", exportsTypes],
    ["the package names the numbers of the C API's enumerations", withEngine(namesConstants)],
];
