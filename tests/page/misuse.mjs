// SPDX-License-Identifier: MIT
// Every method of the npm package, found in its types, with every wrong type in the place of every argument and of every field of one: the
// call works as its type says, or throws an error that names the argument, what was given and what is allowed; the flock is as before.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { require } from "./driver.mjs";

const here = fileURLToPath(import.meta.url);
const ts = require("typescript");

const scenario = `world: {size: [100, 100]}
species: [{name: birds, agents: 10, max_speed: 1}]
fields: [{name: wind, cells: [4, 4], constant: {vector: [1, 0]}}, {name: scent, cells: [4, 4], trace: {}}]
`;
const settings = () => ({ agents: 10, seed: 1n, threads: 1, kernel: "auto", index: "auto", init: "" });

/** A call of each method that works. A method without a row here takes nothing. */
const good = {
    "load": () => [{ threads: 1 }],
    "Dunlin.open": () => [scenario, { ...settings(), name: "birds.yaml", set: {} }],
    "Dunlin.writeFile": () => ["folder/wind.csv", new Uint8Array([1])],
    "Flock.open": () => [scenario, "birds.yaml"],
    "Flock.mistake": () => [scenario, "birds.yaml"],
    "Flock.write": () => ["folder/wind.csv", new Uint8Array([1])],
    "Flock.simulate": () => [settings(), false],
    "Flock.step": () => [1],
    "Flock.set": () => ["world.time_step", 1],
    "Flock.agent": () => [1],
    "Flock.measure": () => [0],
    "Flock.view": () => [0],
    "Flock.field": () => [0],
    "Flock.trace": () => [0],
    "Flock.spawn": () => [0, [10, 20], [0, 0]],
    "Flock.addObstacle": () => [{ shape: 0, a: [1, 1], b: [2, 2], radius: 0.5 }],
    "Flock.blockByObstacles": () => [0, true],
    "Flock.addPath": () => [0, [1, 5, 1, 5], 1],
    "Flock.paintField": () => [0, [1, 1], [5, 5], 2],
    "Flock.setValues": () => [{ "world.boundary": "reflect" }],
    "Flock.despawn": () => [[1, 2]],
    "Flock.nearest": () => [0, [1, 1], 3],
    "Flock.within": () => [0, [1, 1], 5],
    "Flock.readInto": () => [0, new Float32Array(200), "state", 1],
    "Flock.animate": () => [() => {}, 1],
    "Flock.on": () => ["birth", () => {}],
    "Flock.addBehaviour": () => [0, () => {}],
    "Flock.pull": () => [[1, 1], 1, 1],
};

const values = [undefined, null, true, false, 0, 1, -1, 1.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, "", "1", "a\0b", "\ud800", "..", "/",
    "dev", 0n, 5n, -1n, 2n ** 64n, Symbol("sign"), () => 1, class {}, [], [1], ["1", "2"], [[1], [2]], [NaN, 1], [null, 1], [1e300, 1], Array(2), {},
    { length: 2 }, { length: -1 }, { length: "2" }, { length: 2 ** 40 }, { length: 2, 0: 1, 1: 2 }, new Date(0), new Map([[1, 2]]), new Set([1]), /a/,
    new Float64Array([1e300, 1]), new Float64Array(2), new BigInt64Array(2), new Uint8Array(1), new ArrayBuffer(8), new DataView(new ArrayBuffer(8)),
    Promise.resolve(1), new Error("an error"), Object.create(null), new String("text"), new Number(1), new Boolean(true)];

/* What JavaScript, Emscripten and the engine's C say of themselves. */
const internals = /is not a function|not iterable|Cannot (?!be )|undefined \(|_page_|errno|FS error|to a BigInt|memory access|unreachable|reading '|destructure|Abort|heap/i;

/* ---- types ------------------------------------------------------------------------------------------------------------------ */

/** The public methods of the package: name, and for each argument its name, its type and whether it may be left out. */
function methodsOf(npm) {
    const program = ts.createProgram([join(npm, "package/index.d.ts")], { skipLibCheck: true, strict: true, lib: ["lib.es2022.d.ts"] });
    const checker = program.getTypeChecker();
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(npm, "package/index.d.ts"))));
    const target = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    const describe = (name, declaration) => ({ name, parameters: declaration.parameters.map((parameter) => ({
        name: parameter.name.getText(), optional: checker.isOptionalParameter(parameter), type: typeOf(checker.getTypeAtLocation(parameter)) })) });

    function typeOf(type) {
        const plain = checker.getNonNullableType(type);
        const text = checker.typeToString(plain);
        if (plain.getCallSignatures().length > 0) return { text: "function" };
        if (plain.flags & ts.TypeFlags.Object && checker.getIndexInfosOfType(plain).length > 0 && !/^(ArrayLike|\w+Array)|\[\]$/.test(text)) return { text: "object" };
        if (plain.isUnion() || plain.symbol === undefined || /^(ArrayLike|Uint8Array|Float32Array)|\[\]$/.test(text)) return { text };
        return { text, fields: checker.getPropertiesOfType(plain).map((field) => ({ name: field.name, optional: !!(field.flags & ts.SymbolFlags.Optional),
            type: typeOf(checker.getTypeOfSymbol(field)) })) };
    }

    return exported.map(target).flatMap((symbol) => {
        const [declaration] = symbol.declarations;
        if (ts.isFunctionDeclaration(declaration)) return [describe(symbol.name, declaration)];
        if (!ts.isClassDeclaration(declaration) || symbol.name === "FlockError") return [];
        const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword];
        const isPublic = (member) => ts.isMethodDeclaration(member) && !member.modifiers?.some(({ kind }) => hidden.includes(kind));
        // Those of the class that it extends, too.
        const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map((property) => property.valueDeclaration);
        return members.filter((member) => isPublic(member) && ts.isIdentifier(member.name)).map((member) => describe(`${symbol.name}.${member.name.text}`, member));
    });
}

/** Whether a value has the type. */
function fits({ text, fields }, optional, value) {
    if (value === undefined) return optional;
    const tag = Object.prototype.toString.call(value);
    if (fields !== undefined)
        return tag === "[object Object]" && Object.keys(value).every((key) => fields.some(({ name }) => name === key)) &&
            fields.every((field) => fits(field.type, field.optional, value[field.name]));
    if (text === "ArrayLike<number>" || text === "number[]")
        return typeof value === "object" && value !== null && Number.isInteger(value.length) && value.length >= 0 && value.length < 1000 &&
            Array.from(value).every((one) => typeof one === "number");
    return text.replace(/<.*>/, "").split(" | ").some((one) =>
        /Array$/.test(one) ? tag === `[object ${one}]` : ["object", "Scenario"].includes(one) ? tag === "[object Object]" : /^"/.test(one) ? one === JSON.stringify(value)
            : typeof value === one);
}

/** The argument, and what its fields may be replaced by: [what is wrong, the argument, names of which the error names one]. */
function* wrongs({ name, type, optional }, valid) {
    for (const value of values) yield { value, names: [name, ...(type.fields ?? []).map((field) => field.name)], fits: fits(type, optional, value) };
    for (const field of type.fields ?? []) {
        for (const value of values) yield { value: { ...valid, [field.name]: value }, names: [field.name], fits: fits(field.type, field.optional, value) };
        const { [field.name]: _, ...rest } = valid;
        yield { value: rest, names: [field.name], fits: field.optional };
    }
    if (type.fields) yield { value: { ...valid, unknown: 1 }, names: ["unknown"], fits: false };
}

/* ---- calls, in a process of their own ---------------------------------------------------------------------------------------- */

const show = (value) => require("node:util").inspect(value, { depth: 2, breakLength: Infinity, maxArrayLength: 4, maxStringLength: 40 });

/** What is wrong with an error; "": nothing. */
function fault(error, names, fitting) {
    if (!(error instanceof Error) || !["FlockError", "RangeError", "TypeError"].includes(error.name)) return "is of a strange kind";
    if (internals.test(error.message)) return "speaks of internals";
    if (fitting) return error.message === "" ? "says nothing" : "";
    const known = names.some((name) => new RegExp(`\\b${name}\\b.* (is|has|are) .*: .*(must|needs)`).test(error.message));
    return known ? "" : `does not name ${names[0]}, what was given and what is allowed`;
}

/** Calls a method with one argument wrong; adds to the faults. */
async function callAll(method, makeSelf, faults) {
    let calls = 0;
    for (const [i, parameter] of method.parameters.entries())
        for (const wrong of wrongs(parameter, good[method.name]()[i])) {
            const { self, call, check } = await makeSelf();
            const words = good[method.name]();
            words[i] = wrong.value;
            calls++;
            const what = `${method.name}(${words.map(show).join(", ")})`;
            try {
                await call(...words);
                if (!wrong.fits) faults.push(`${what} is accepted`);
            } catch (error) {
                const said = fault(error, wrong.names, wrong.fits);
                if (said !== "") faults.push(`${what}: the error ${said}: ${error?.name}: ${error?.message}`);
                const after = check();
                if (after !== "") faults.push(`${what}: ${after}`);
            }
            self?.destroy?.();
        }
    return calls;
}

async function misuse(npm, threads) {
    const { load } = await import(pathToFileURL(join(npm, "package/node.mjs")).href);
    const methods = methodsOf(npm);
    for (const { name, parameters } of methods) if (parameters.length > 0) assert.ok(good[name], `${name} is new: give it a row of good calls`);
    for (const name of Object.keys(good)) assert.ok(methods.some((method) => method.name === name), `${name} is gone`);
    const dunlin = await load({ threads });
    const faults = [];
    let calls = 0;

    const makers = {
        load: async () => ({ call: (options) => load(options).then((other) => other.close()), check: () => "" }),
        Dunlin: (name) => async () => ({ call: (...words) => dunlin[name](...words)?.destroy(), check: () => "" }),
        Flock: (name) => async () => {
            const self = dunlin.open(scenario, settings());
            const before = self.hash();
            const check = () => (self.hash() === before && self.step() === undefined && self.stats().step === 1 ? "" : "the flock is not as before");
            return { self, call: (...words) => self[name](...words), check };
        },
    };
    for (const method of methods.filter(({ parameters }) => parameters.length > 0)) {
        const [kind, name] = method.name.split(".");
        calls += await callAll(method, name === undefined ? makers.load : makers[kind](name), faults);
    }

    /* After destroy() and close() every method says so, and none waits for a thread. */
    const flocks = [dunlin.open(scenario), dunlin.open(scenario)];
    const refuses = (owner, kind, wanted) => {
        for (const { name } of methods.filter((method) => method.name.startsWith(`${kind}.`) && !/\.(destroy|close)$/.test(method.name)))
            try {
                owner[name.split(".")[1]](...(good[name]?.() ?? []));
                faults.push(`${name} is accepted after the end`);
            } catch (error) {
                if (error.message !== wanted) faults.push(`${name} after the end: ${error}`);
            }
    };
    flocks[0].destroy();
    flocks[0].destroy();
    refuses(flocks[0], "Flock", "the flock is destroyed");
    dunlin.close();
    dunlin.close();
    refuses(flocks[1], "Flock", "the engine is closed");
    refuses(dunlin, "Dunlin", "the engine is closed");
    flocks[1].destroy();
    console.log(JSON.stringify({ calls, methods: methods.length, faults }));
}

if (process.argv[1] === here) await misuse(resolve(process.argv[2]), Number(process.argv[3]));

/* ---- tests ------------------------------------------------------------------------------------------------------------------- */

function survivesMisuse(threads) {
    return (test) => {
        const { calls, methods, faults } = JSON.parse(execFileSync(process.execPath, [here, test.npm, String(threads)], { encoding: "utf8", timeout: 600_000,
            maxBuffer: 2 ** 28 }));
        assert.equal(faults.slice(0, 30).join("\n"), "", `${faults.length} faults`);
        assert.ok(calls > 2500 && methods > 25, `${calls} calls of ${methods} methods`);
    };
}

/** A simulation that is built again with its agents continues with the settings with which it was built. */
async function keepsSettings(test) {
    const { load } = await import(pathToFileURL(join(test.npm, "package/node.mjs")).href);
    const dunlin = await load({ threads: 3 });
    const text = `${scenario}behaviours: [{species: birds, wander: {}}]\ninteractions: [{cohesion: {radius: 9}}]\n`;
    const chosen = { seed: 7n, threads: 2, kernel: "scalar", index: "brute" };
    const settingsOf = (flock) => {
        const { seed, threads, kernel, index } = flock.about();
        return { seed: BigInt(seed), threads, kernel, index };
    };
    const end = (again) => {
        const flock = dunlin.open(text, { ...chosen, agents: 300 });
        flock.step(5);
        again(flock);
        flock.step(20);
        const result = { hash: flock.hash(), ...settingsOf(flock), working: flock.stats().threads };
        flock.destroy();
        return result;
    };
    const whole = end(() => {});
    assert.deepEqual(whole, { hash: whole.hash, ...chosen, working: whole.working });
    assert.deepEqual(end((flock) => flock.simulate({}, true)), whole);
    assert.deepEqual(end((flock) => flock.simulate({ ...chosen }, true)), whole);
    assert.deepEqual(end((flock) => flock.simulate({ kernel: "simd128" }, true)), { ...whole, kernel: "simd128" });
    assert.notEqual(end((flock) => flock.simulate({ seed: 8n }, true)).hash, whole.hash);
    const other = end((flock) => flock.set("seed", 8) || flock.simulate({}, true));
    assert.equal(other.seed, 8n, "a seed that is set by its path counts");
    const flock = dunlin.open(text);
    assert.throws(() => flock.simulate({ agents: 5 }, true), /agents is 5: it must be left out where the agents are kept/);
    flock.step();
    assert.equal(flock.stats().threads, 3, "as many as were loaded");
    flock.simulate({ threads: 1 });
    flock.step();
    assert.equal(flock.stats().threads, 1);
    assert.throws(() => flock.simulate({ threads: 4 }), /threads is 4: it must be a whole number from 1 to 3/);
    dunlin.close();
    const plain = await load();
    assert.throws(() => plain.open(text, { threads: 2 }), /threads is 2: it must be a whole number from 1 to 1/);
    assert.throws(() => plain.open(`${text}\n\0rest`, { name: "nul.yaml" }), ({ name, line, message }) =>
        name === "FlockError" && line === text.split("\n").length + 1 && /^nul\.yaml:\d+: the text holds a NUL/.test(message));
}

/** A state that the caller keeps in the module's files survives save(). */
async function writesFiles(test) {
    const { load } = await import(pathToFileURL(join(test.npm, "package/node.mjs")).href);
    const dunlin = await load();
    const flock = dunlin.open(scenario);
    flock.step(3);
    const [state, hash] = [flock.save(), flock.hash()];
    for (const name of ["state.csv", "deep/er/state.csv", "/x/./y//state.csv"]) {
        flock.write(name, state);
        assert.deepEqual(flock.save(), state);
        flock.simulate({ init: name.startsWith("/") ? "/x/y/state.csv" : `/${name}` });
        assert.equal(flock.hash(), hash, name);
    }
    dunlin.writeFile("text.csv", "# dunlin");
    assert.throws(() => flock.simulate({ init: "/text.csv" }), { name: "FlockError" });
    assert.equal(flock.hash(), hash);
}

export const tests = [
    ["every method of the package works as typed or refuses in words every wrong type, also after its end: plain", survivesMisuse(1)],
    ["every method of the package works as typed or refuses in words every wrong type, also after its end: threads", survivesMisuse(3), "nightly"],
    ["simulate({}, true) keeps seed, threads, kernel and index; no flock has more threads than were loaded", keepsSettings],
    ["files lie in folders, and saving a state touches none of them", writesFiles],
];
