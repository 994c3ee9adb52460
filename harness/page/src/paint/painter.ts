// SPDX-License-Identifier: MIT
// Draws a flock on a canvas, from the engine's own arrays. A frame: ground and scenery, fields, light (density and trails),
// agents, the chosen agent.
import type { About, Agent, Flock, Scenery, Stats, View } from "../flock";
import type { Camera, Look, Ranges } from "../protocol";
import { clipMatrix, copies, eye, halfHeight, partInView, viewAxes, wholeWorld } from "./camera";
import { drawChosen } from "./chosen";
import { sampleField } from "./fields";
import { Column, type Uniforms } from "./gl";
import { type Drawing, Herd, Kit, units } from "./kit";
import { type Colour, grey, type Inks, inksOn, lightnessOf, mix } from "./palette";
import { drawLegend, keyOf } from "./legend";
import { drawScenery } from "./scenery";
import { textureWidth } from "./shaders";
import { boxAround, dotRadius, shapeOf } from "./shapes";
import { type Colouring, type Style, styleOf } from "./style";

const nowhere: Scenery = { fields: 0, traces: [], obstacles: [], paths: [], behaviours: [] };
const memory = 0.94; // how much of a trail's light a step leaves
const plain = 1;
/** The shaders' numbers. */
const colourings: Record<Colouring, number> = { heading: 0, species: plain, grey: plain, value: 2, speed: 3, group: 4 };
const mostCells = 4e6; // of a trace that is drawn
const findReach = 24; // CSS pixels

/** What a frame's passes need to know. */
interface Frame {
    flock: Flock;
    about: About;
    stats: Stats;
    inks: Inks;
    matrix: Float32Array;
    aspect: number;
    right: number[];
    up: number[];
    eye: number[];
    depths: number[];
    solid: boolean;
    /** Device pixels per world unit, at the centre. */
    scale: number;
    /** The numbers of the species that are drawn as a density, not agent by agent. */
    dense: boolean[];
}

export class Painter {
    look: Look = {
        shape: "scenario", densityFrom: 50000, trails: false, colour: "scenario", attribute: "", dark: true, scenery: true, size: 0,
        legend: true, covered: [0, 0], chosen: null, still: false,
    };
    camera: Camera = { centre: [50, 50], zoom: 1, yaw: 0.6, pitch: 0.5 };
    /** The numbers at the ends of the ramp, by the name of what it shows. */
    ranges: Ranges = {};
    private readonly gl: WebGL2RenderingContext;
    private kit: Kit;
    private about: About | null = null;
    private flock: Flock | null = null;
    private ratio = 1;
    private styles: Style[] = [];
    private known: boolean[] = []; // the species that have had agents
    private rooms: number[] = []; // of each species, world units; none: not known yet
    private longest = 0; // world units
    // What the context holds at present, by what it was made from.
    private agentsKey = "";
    private sceneryText = "";
    private sceneryKey = "";
    private sceneryAge = 0; // frames since it was asked for
    private paletteKey = "";
    private legendKey = "";
    private legendSize: [number, number] = [0, 0]; // pixels; 0: there is none
    private lightKey = "";
    private lightStep = 0;
    private lightTime = 0;

    /** again: called when a lost context has come back and wants a frame. */
    constructor(private readonly canvas: OffscreenCanvas, again: () => void) {
        const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, preserveDrawingBuffer: true });
        if (gl === null) throw new Error("this browser has no WebGL2");
        this.gl = gl;
        this.kit = new Kit(gl);
        canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
        canvas.addEventListener("webglcontextrestored", () => {
            this.kit = new Kit(gl);
            this.forget();
            again();
        });
    }

    /** Another scenario: the camera shows all of it. */
    open(about: About, _scenery: Scenery): void {
        const same = this.about !== null && String(this.about.size) === String(about.size);
        this.about = about;
        if (!same) this.camera = wholeWorld(about);
        this.kit.keepHerds(about.species.length);
        this.known = [];
        this.forget();
    }

    resize(width: number, height: number, ratio: number): void {
        const [w, h] = [width, height].map((length) => Math.max(1, Math.round(length * ratio)));
        this.ratio = ratio;
        if (w === this.canvas.width && h === this.canvas.height) return; // setting them wipes the canvas
        this.canvas.width = w;
        this.canvas.height = h;
    }

    draw(flock: Flock): void {
        this.flock = flock;
        if (this.about === null || this.gl.isContextLost()) return;
        const frame = this.frame(flock, this.about);
        this.upload(frame);
        this.drawGround(frame);
        if (this.look.scenery) this.drawFields(frame);
        const isDense = frame.dense.includes(true);
        if (isDense || this.look.trails) this.drawLight(frame, isDense);
        else this.kit.dropSum();
        const agent = this.look.chosen === null ? null : flock.agent(this.look.chosen);
        this.drawAgents(frame, agent === null ? 1 : 0.4);
        if (agent !== null) this.drawChosen(frame, agent);
        if (this.look.legend) this.drawLegend(frame);
    }

    /** The id of the agent nearest to a point of the canvas, in CSS pixels; null: there is none near it. */
    find(flock: Flock, x: number, y: number): number | null {
        if (this.about === null) return null;
        const { matrix } = this.frame(flock, this.about);
        const [halfWidth, halfHeight] = [this.canvas.width / 2, this.canvas.height / 2];
        const [clipX, clipY] = [(x * this.ratio) / halfWidth - 1, 1 - (y * this.ratio) / halfHeight];
        const shifts = copies(this.about, this.camera, this.canvas.width / this.canvas.height);
        let found: number | null = null;
        let best = (findReach * this.ratio) ** 2;
        this.about.species.forEach((_, species) => {
            const { count, position: [px, py, pz], id } = flock.view(species);
            for (const [i, j] of shifts)
                for (let k = 0; k < count; k++) {
                    const [u, v, w] = [px[k] + i * this.about!.size[0], py[k] + j * this.about!.size[1], pz ? pz[k] : 0];
                    const depth = matrix[3] * u + matrix[7] * v + matrix[11] * w + matrix[15];
                    if (depth <= 0) continue;
                    const across = (matrix[0] * u + matrix[4] * v + matrix[8] * w + matrix[12]) / depth - clipX;
                    const upwards = (matrix[1] * u + matrix[5] * v + matrix[9] * w + matrix[13]) / depth - clipY;
                    const square = (across * halfWidth) ** 2 + (upwards * halfHeight) ** 2;
                    if (square >= best) continue;
                    best = square;
                    found = id[k];
                }
        });
        return found;
    }

    /** What there is to see now, as a PNG. */
    picture(): Promise<Blob> {
        if (this.flock !== null) this.draw(this.flock);
        return this.canvas.convertToBlob({ type: "image/png" });
    }

    /* ---- what the context holds ---------------------------------------------------------------------------------------- */

    private forget(): void {
        this.rooms = [];
        this.agentsKey = this.sceneryText = this.sceneryKey = this.paletteKey = this.legendKey = this.lightKey = "";
        this.sceneryAge = 0;
    }

    private frame(flock: Flock, about: About): Frame {
        const { width, height } = this.canvas;
        const aspect = width / height;
        const viewer = about.dimensions === 3 ? eye(about, this.camera, aspect) : [0, 0, 1];
        const distance = Math.hypot(...viewer.map((v, a) => v - (this.camera.centre[a] ?? 0)));
        const reach = Math.hypot(...about.size) / 2;
        const stats = flock.stats();
        const { right, up } = viewAxes(about, this.camera);
        return {
            right, up,
            flock, about, stats, aspect, inks: inksOn(this.look.dark), matrix: clipMatrix(about, this.camera, aspect), eye: viewer,
            depths: [distance - 0.9 * reach, distance + reach], solid: about.dimensions === 3,
            scale: height / 2 / halfHeight(about, this.camera, aspect),
            dense: this.denseSpecies(flock, about, aspect),
        };
    }

    /** Where there are many agents in view, few of another species, such as bodies, stay shapes. */
    private denseSpecies(flock: Flock, about: About, aspect: number): boolean[] {
        const from = this.look.densityFrom;
        const part = partInView(about, this.camera, aspect);
        const inView = about.species.map((_, species) => flock.view(species).count * part);
        const all = inView.reduce((sum, count) => sum + count, 0);
        return inView.map((count) => all >= from && count >= from / 25);
    }

    private upload(frame: Frame): void {
        if (this.paletteKey !== String(this.look.dark)) this.kit.setPalette(this.look.dark);
        this.paletteKey = String(this.look.dark);
        this.uploadAgents(frame);
        this.uploadScenery(frame);
    }

    private uploadAgents({ flock, about, stats }: Frame): void {
        const { colour, attribute, shape, dark } = this.look;
        const look = [colour, attribute, shape, dark].join();
        const key = [stats.generation, look].join();
        if (key === this.agentsKey) return;
        if (!this.agentsKey.endsWith(look)) [this.styles, this.ranges] = [about.species.map((_, s) => styleOf(about, s, this.look)), {}];
        this.agentsKey = key;
        const ends: Ranges = {};
        about.species.forEach((_, species) => {
            const style = this.styles[species];
            const view = flock.view(species);
            const value = view.attribute[style.value] ?? null;
            const id = style.shape === "butterfly" ? view.id : null;
            this.kit.herd(species).put(view, { value, scale: view.attribute[about.species[species].look.size_by] ?? null, id });
            if (style.colouring === "value" || style.colouring === "speed") widen((ends[style.shows] ??= [Infinity, -Infinity]), view, value);
        });
        for (const [name, now] of Object.entries(ends)) if (now[0] <= now[1]) this.ranges[name] = follow(this.ranges[name], now);
        this.measureRooms(flock);
    }

    /** Crowds change slowly, so that sizes do not flicker. */
    private measureRooms(flock: Flock): void {
        const { longest, species } = flock.rooms();
        this.longest = longest;
        this.rooms = species.map((now, i) => (this.rooms[i] ?? now) ** 0.95 * now ** 0.05);
    }

    /** Targets move, and hands add obstacles: what there is, is asked for in every frame, unless there is very much. */
    private uploadScenery({ flock, about, inks }: Frame): void {
        if (this.sceneryText.length < 20000 || this.sceneryAge++ % 30 === 0) this.sceneryText = flock.sceneryText();
        const key = `${this.look.dark}${this.look.scenery}${this.sceneryText}`;
        if (key === this.sceneryKey) return;
        this.sceneryKey = key;
        this.kit.scenery.put(drawScenery(about, this.look.scenery ? (JSON.parse(this.sceneryText) as Scenery) : nowhere, inks));
    }

    /* ---- passes -------------------------------------------------------------------------------------------------------- */

    private drawGround(frame: Frame): void {
        const gl = this.gl;
        const bare = frame.solid || frame.about.boundary.every((boundary) => boundary === 3);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        gl.depthMask(true);
        gl.clearColor(...(bare ? frame.inks.ground : frame.inks.outside), 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        if (frame.solid) gl.enable(gl.DEPTH_TEST);
        else gl.disable(gl.DEPTH_TEST);
        this.drawSketch(frame, this.kit.scenery, 0.75);
    }

    /** width: of lines, CSS pixels. */
    private drawSketch(frame: Frame, drawing: Drawing, width: number): void {
        const gl = this.gl;
        const { fill, stroke } = this.kit;
        drawing.draw(
            () => this.use(fill, frame),
            () => {
                this.use(stroke, frame);
                gl.depthMask(false);
                gl.uniform2f(stroke.at("halves"), this.canvas.width / 2, this.canvas.height / 2);
                gl.uniform1f(stroke.at("width"), (width * this.ratio) / 2 + 0.25);
            },
        );
        gl.depthMask(true);
    }

    /** Takes a program and sets what all programs in world units share. */
    private use(uniforms: Uniforms, frame: Frame): void {
        const gl = this.gl;
        gl.useProgram(uniforms.program);
        gl.uniformMatrix4fv(uniforms.at("camera"), false, frame.matrix);
        gl.uniform1i(uniforms.at("solid"), Number(frame.solid));
        gl.uniform3fv(uniforms.at("right"), frame.right);
        gl.uniform3fv(uniforms.at("up"), frame.up);
        gl.uniform3fv(uniforms.at("eye"), frame.eye);
        gl.uniform2fv(uniforms.at("depths"), frame.depths);
        gl.uniform3fv(uniforms.at("ground"), frame.inks.ground);
    }

    /** All fields' arrows have one scale. */
    private drawFields(frame: Frame): void {
        const { flock, inks, solid } = frame;
        const { fields, traces } = this.fieldNumbers();
        traces.forEach((field, i) => this.drawTrace(frame, field, i));
        if (fields.length === 0) return;
        const sampled = fields.map((i) => sampleField(flock.field(i), solid ? 9 : Math.min(this.canvas.width / this.ratio / 13, 48)));
        const longest = Math.max(...sampled.map((arrows) => arrows.longest));
        const program = this.useAgents(frame);
        this.setShape(program, "arrow");
        this.gl.uniform1f(program.at("longest"), Math.max(longest, 1e-30));
        this.gl.uniform1f(program.at("strength"), solid ? 0.6 : 1);
        sampled.forEach((arrows, i) => {
            const herd = (this.kit.arrows[i] ??= new Herd(this.gl));
            herd.put(arrows);
            this.setPlain(program, fields.length > 1 ? mix(inks.field, inks.rules[i % 3], 0.35) : inks.field);
            this.drawHerd(frame, program, herd, Math.min(0.8 * arrows.spacing * frame.scale, 30 * this.ratio), herd.count, [[0, 0]]);
        });
    }

    /** The numbers of the fields that are drawn as arrows, and of those that are traces. */
    private fieldNumbers(): { fields: number[]; traces: number[] } {
        const [, fields, list] = /"fields":(\d+),"traces":\[([\d,]*)\]/.exec(this.sceneryText) ?? ["", "0", ""];
        const traces = list === "" ? [] : list.split(",").map(Number);
        return { fields: [...Array(Number(fields)).keys()].filter((field) => !traces.includes(field)), traces };
    }

    /** A trace lies under the flock, or is a haze around it. */
    private drawTrace(frame: Frame, field: number, trace: number): void {
        const gl = this.gl;
        const { cells, min, max } = frame.flock.field(field);
        const numbers = frame.flock.trace(trace);
        const usual = usualNumber(numbers);
        if (usual === 0 || cells[0] * cells[1] * cells[2] > mostCells) return;
        const order = frame.solid ? layersAcross(viewAxes(frame.about, this.camera).back) : [0, 1, 2];
        const layers = cells[order[2]];
        const column = (this.kit.traces[trace] ??= new Column(gl, textureWidth));
        column.put(numbers);
        const program = this.kit.trace;
        gl.useProgram(program.program);
        column.bind(units.Value);
        gl.uniformMatrix4fv(program.at("camera"), false, frame.matrix);
        gl.uniform3fv(program.at("low"), min);
        gl.uniform3fv(program.at("high"), max);
        gl.uniform3iv(program.at("cells"), cells);
        gl.uniform3iv(program.at("order"), order);
        gl.uniform1f(program.at("usual"), usual);
        gl.uniform1f(program.at("most"), 1 - 0.2 ** (1 / layers));
        gl.uniform3fv(program.at("ink"), trace === 0 ? frame.inks.trace : mix(frame.inks.trace, frame.inks.rules[trace % 3], 0.6));
        gl.depthMask(false);
        for (const [i, j] of copies(frame.about, this.camera, frame.aspect)) {
            gl.uniform3f(program.at("shift"), i * frame.about.size[0], j * frame.about.size[1], 0);
            gl.drawArrays(gl.TRIANGLES, 0, 6 * layers);
        }
        gl.depthMask(true);
    }

    private useAgents(frame: Frame): Uniforms {
        const gl = this.gl;
        const program = this.kit.agents;
        this.use(program, frame);
        this.kit.bindPalette();
        this.kit.slots.bind(units.Slots);
        gl.uniform1i(program.at("picked"), 0);
        gl.uniform1i(program.at("scaled"), 0);
        gl.uniform1f(program.at("shortest"), 0);
        gl.uniform1f(program.at("rimWidth"), 0);
        gl.uniform1f(program.at("longest"), 0);
        gl.uniform1f(program.at("strength"), 1);
        gl.uniform1f(program.at("beat"), this.look.still ? 0 : (0.35 * frame.stats.step) % (2 * Math.PI));
        return program;
    }

    private setShape(program: Uniforms, name: string): void {
        const gl = this.gl;
        const shape = shapeOf(this.about!, name);
        gl.uniform1i(program.at("flaps"), Number(name === "butterfly"));
        gl.uniform1f(program.at("disc"), shape.radius);
        gl.uniform1f(program.at("still"), name === "arrow" ? 0 : dotRadius);
        gl.uniform1i(program.at("corners"), shape.corners.length / 2);
        if (shape.radius > 0) return;
        gl.uniform4fv(program.at("box"), boxAround(shape));
        gl.uniform2fv(program.at("outline"), shape.corners);
    }

    /** Agents differ in length where the scenario says so. */
    private setScale(frame: Frame, program: Uniforms, species: number): void {
        const gl = this.gl;
        const { size, size_by, typical } = frame.about.species[species].look;
        const absolute = size > 0 && this.look.size === 0;
        gl.uniform1i(program.at("scaled"), Number(size_by >= 0));
        gl.uniform1f(program.at("unit"), absolute ? 1 : 1 / typical);
        gl.uniform2fv(program.at("limits"), absolute ? [0, 1e30] : [0.25, 4]);
        gl.uniform1f(program.at("shortest"), (2 * this.ratio) / frame.scale);
    }

    private setPlain(program: Uniforms, colour: Colour): void {
        this.gl.uniform1i(program.at("colouring"), plain);
        this.gl.uniform3fv(program.at("plain"), colour);
    }

    private setColouring(program: Uniforms, { colouring, own, secondary, shows }: Style): void {
        const gl = this.gl;
        const [lowest, highest] = this.ranges[shows] ?? [0, 1];
        this.setPlain(program, own);
        gl.uniform1i(program.at("colouring"), colourings[colouring]);
        gl.uniform1i(program.at("secondary"), Number(secondary));
        gl.uniform3fv(program.at("colourless"), grey(lightnessOf(secondary, this.look.dark)));
        gl.uniform1f(program.at("lowest"), lowest);
        gl.uniform1f(program.at("highest"), highest);
    }

    /** length: pixels. A rim would only make small agents paler. */
    private setRim(program: Uniforms, { outline, rim }: Style, length: number): void {
        const width = outline ? Math.min(Math.max(0.08 * length, this.ratio), 2.5 * this.ratio) : Math.min(0.05 * (length - 6), 1);
        this.gl.uniform1f(program.at("rimWidth"), width > 0.1 ? width : 0);
        this.gl.uniform3fv(program.at("rim"), rim);
    }

    /** length: of an agent, in pixels. */
    private drawHerd(frame: Frame, program: Uniforms, herd: Herd, length: number, count: number, shifts: [number, number][]): void {
        const gl = this.gl;
        herd.bind(this.kit.nothing);
        gl.uniform1f(program.at("size"), length / frame.scale);
        gl.uniform1f(program.at("grain"), 1 / length);
        for (const [i, j] of shifts) {
            gl.uniform3f(program.at("shift"), i * frame.about.size[0], j * frame.about.size[1], 0);
            if (count > 0) gl.drawArrays(gl.TRIANGLES, 0, 6 * count);
        }
    }

    /** The species with the most agents comes first, so that a few hawks lie on top of many starlings, and bodies on top of what
     * they consist of. */
    private drawAgents(frame: Frame, strength: number): void {
        const program = this.useAgents(frame);
        this.gl.uniform1f(program.at("strength"), strength);
        const shifts = copies(frame.about, this.camera, frame.aspect);
        const order = frame.about.species.map((_, species) => species).sort((a, b) => this.kit.herd(b).count - this.kit.herd(a).count);
        for (const species of order.filter((one) => !frame.dense[one])) {
            const [herd, style, length] = [this.kit.herd(species), this.styles[species], this.lengthOf(frame, species)];
            this.setShape(program, style.shape);
            this.setScale(frame, program, species);
            this.setColouring(program, style);
            this.setRim(program, style, length);
            this.drawHerd(frame, program, herd, length, herd.count, shifts);
        }
    }

    /** Of an agent, in pixels, as in the program's pictures; on a small canvas it stays visible, on a part of the world it leaves room. */
    private lengthOf(frame: Frame, species: number): number {
        const { about, scale } = frame;
        const { look } = about.species[species];
        if (this.look.size > 0) return this.look.size * this.ratio;
        if (look.size > 0) return look.size * scale;
        const onCanvas = Math.max(this.canvas.width, this.canvas.height) / 36;
        const longest = Math.max(Math.min(scale * this.longest, onCanvas), 11 * this.ratio);
        return Math.max(Math.min(scale * this.rooms[species], longest), 4.5 * this.ratio) * look.scale;
    }

    /** CSS pixels from agent to agent, if they were spread evenly over the picture of the world. */
    private spacing(frame: Frame): number {
        return Math.sqrt(worldArea(frame) / Math.max(1, frame.stats.agents)) / this.ratio;
    }

    /* ---- light --------------------------------------------------------------------------------------------------------- */

    /** Adds the agents' light to that of the steps before (trails) or to none (density), and shows the sum as colours. */
    private drawLight(frame: Frame, isDense: boolean): void {
        const gl = this.gl;
        const { width, height } = this.canvas;
        const size = isDense ? this.ratio * Math.min(3, Math.max(1, 0.75 * this.spacing(frame))) : 1;
        const isNew = this.kit.makeSum(width, height);
        this.addLight(frame, isDense, size, isNew);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.useProgram(this.kit.tone.program);
        gl.activeTexture(gl.TEXTURE0 + units.sum);
        gl.bindTexture(gl.TEXTURE_2D, this.kit.sum!.texture);
        gl.uniform1f(this.kit.tone.at("usual"), this.portion() * this.usualLight(frame, isDense, size));
        gl.uniform3fv(this.kit.tone.at("full"), frame.inks.text);
        gl.uniform1i(this.kit.tone.at("soft"), Number(isDense));
        gl.uniform1f(this.kit.tone.at("most"), isDense ? 1 : 0.7);
        gl.disable(gl.DEPTH_TEST);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.bindTexture(gl.TEXTURE_2D, null);
        if (frame.solid) gl.enable(gl.DEPTH_TEST);
    }

    /** The light of one agent in one pixel. */
    private portion(): number {
        return this.kit.precise ? 1 : 1 / 24;
    }

    private usualLight(frame: Frame, isDense: boolean, size: number): number {
        if (!isDense) return 1;
        const trail = this.look.trails ? 0.3 / (1 - memory) : 1;
        const hazed = frame.solid ? 0.45 : 1;
        return trail * hazed * Math.max(0.6, (frame.stats.agents * size * size) / worldArea(frame));
    }

    private addLight(frame: Frame, isDense: boolean, size: number, isNew: boolean): void {
        const gl = this.gl;
        const { step, time, generation } = frame.stats;
        const scene = [...frame.matrix, this.look.trails, isDense, this.look.dark, this.look.colour, this.look.attribute].join();
        const key = `${generation} ${scene}`;
        if (!isNew && key === this.lightKey) return;
        const steps = step - this.lightStep;
        const goesOn = this.look.trails && !isNew && this.lightKey.endsWith(scene) && steps > 0 && steps < 60;
        const since = goesOn && !isDense ? time - this.lightTime : 0;
        [this.lightKey, this.lightStep, this.lightTime] = [key, step, time];
        this.dim(goesOn ? memory ** steps : 0);
        if (frame.solid) this.screenLight(frame);
        this.shine(frame, size, since);
        gl.depthMask(true);
    }

    /** Obstacles hide the light behind them. */
    private screenLight(frame: Frame): void {
        const gl = this.gl;
        gl.enable(gl.DEPTH_TEST);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.colorMask(false, false, false, false);
        this.use(this.kit.fill, frame);
        this.kit.scenery.surfaces.draw();
        gl.colorMask(true, true, true, true);
        gl.depthMask(false);
    }

    private dim(part: number): void {
        const gl = this.gl;
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.kit.sum!.frame);
        gl.disable(gl.DEPTH_TEST);
        if (part === 0) {
            gl.clearColor(0, 0, 0, 0);
            gl.clear(gl.COLOR_BUFFER_BIT);
            return;
        }
        gl.blendFunc(gl.ZERO, gl.SRC_ALPHA);
        gl.useProgram(this.kit.plain.program);
        gl.uniform4f(this.kit.plain.at("ink"), 0, 0, 0, part);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    private shine(frame: Frame, size: number, since: number): void {
        const gl = this.gl;
        const { light } = this.kit;
        this.use(light, frame);
        this.kit.bindPalette();
        gl.blendFunc(gl.ONE, gl.ONE);
        gl.uniform1f(light.at("pointSize"), size);
        gl.uniform1f(light.at("portion"), this.portion());
        gl.uniform1f(light.at("since"), since);
        const shifts = copies(frame.about, this.camera, frame.aspect);
        frame.about.species.forEach((_, species) => {
            const herd = this.kit.herd(species);
            if (!this.look.trails && !frame.dense[species]) return;
            this.setColouring(light, this.styles[species]);
            herd.bind(this.kit.nothing);
            for (const [i, j] of shifts) {
                gl.uniform3f(light.at("shift"), i * frame.about.size[0], j * frame.about.size[1], 0);
                if (since > 0) gl.drawArrays(gl.LINES, 0, 2 * herd.count);
                else gl.drawArrays(gl.POINTS, 0, herd.count);
            }
        });
        if (frame.solid) gl.enable(gl.DEPTH_TEST);
    }

    /* ---- the legend ---------------------------------------------------------------------------------------------------- */

    private makeLegend({ about, inks }: Frame): void {
        const { dark } = this.look;
        const known = about.species.map((_, species) => (this.known[species] ||= this.kit.herd(species).count > 0));
        const key = keyOf(about, this.styles, this.ranges, known);
        const most = Math.round(Math.min(0.6 * this.canvas.width, 260 * this.ratio));
        const text = JSON.stringify([key, dark, this.ratio, most]);
        if (text === this.legendKey) return;
        this.legendKey = text;
        const picture = drawLegend(key, inks, dark, lightnessOf(false, dark), 12 * this.ratio, most);
        this.legendSize = [picture?.width ?? 0, picture?.height ?? 0];
        if (picture !== null) this.kit.setLegend(picture);
    }

    /** In the upper right corner, or below what covers it; not where it would cover the middle of the picture. */
    private drawLegend(frame: Frame): void {
        const gl = this.gl;
        this.makeLegend(frame);
        const [width, height] = this.legendSize;
        if (width === 0) return;
        const [across, down] = [2 / this.canvas.width, 2 / this.canvas.height];
        const margin = Math.round(8 * this.ratio);
        const [right, bottom] = this.look.covered;
        const top = right * this.ratio > this.canvas.width - 2 * margin - width ? Math.round(bottom * this.ratio) + margin : margin;
        const end = top + height;
        if (end > (width + margin > this.canvas.width / 3 ? this.canvas.height / 3 : this.canvas.height / 2)) return;
        gl.useProgram(this.kit.plate.program);
        this.kit.bindLegend();
        gl.uniform4f(this.kit.plate.at("rectangle"), 1 - (margin + width) * across, 1 - top * down, width * across, height * down);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.disable(gl.DEPTH_TEST);
        gl.drawArrays(gl.TRIANGLES, 0, 6);
    }

    /* ---- the chosen agent ---------------------------------------------------------------------------------------------- */

    private drawChosen(frame: Frame, agent: Agent): void {
        const gl = this.gl;
        const views = frame.about.species.map((_, species) => frame.flock.view(species));
        const back = frame.solid ? viewAxes(frame.about, this.camera).back : undefined;
        gl.disable(gl.DEPTH_TEST);
        this.kit.chosen.put(drawChosen(frame.about, agent, views, frame.inks, back));
        this.drawSketch(frame, this.kit.chosen, 1.25);
        const program = this.useAgents(frame);
        gl.uniform1i(program.at("picked"), 1);
        for (const { observed, neighbours } of agent.sights) {
            this.setColouring(program, this.styles[observed]);
            this.drawPicked(frame, program, observed, neighbours, 1.15);
        }
        this.setPlain(program, frame.inks.text);
        this.drawPicked(frame, program, agent.species, [agent.slot], 1.5);
        if (frame.solid) gl.enable(gl.DEPTH_TEST);
    }

    private drawPicked(frame: Frame, program: Uniforms, species: number, slots: number[], larger: number): void {
        if (slots.length === 0) return;
        this.kit.slots.put(Uint32Array.from(slots));
        this.kit.slots.bind(units.Slots);
        this.setShape(program, this.styles[species].shape);
        this.setScale(frame, program, species);
        const length = larger * Math.max(this.lengthOf(frame, species), 8 * this.ratio);
        this.drawHerd(frame, program, this.kit.herd(species), length, slots.length, copies(frame.about, this.camera, frame.aspect));
    }
}

/** Device pixels that the world covers on the canvas, roughly. */
function worldArea({ about, scale, solid }: Frame): number {
    const volume = about.size.reduce((product, length) => product * length, 1);
    return scale * scale * (solid ? 1.4 * volume ** (2 / 3) : volume);
}

/** The axes with the one last along which the viewer looks, more or less: layers across it hide the gaps between them. */
function layersAcross(back: number[]): number[] {
    const last = [0, 1, 2].reduce((most, axis) => (Math.abs(back[axis]) > Math.abs(back[most]) ? axis : most));
    return [(last + 1) % 3, (last + 2) % 3, last];
}

/** The mean of a trace's numbers, weighted by themselves, by some of them: most cells of a trail are nearly empty. */
function usualNumber(numbers: Float32Array): number {
    const stride = Math.max(1, Math.floor(numbers.length / 20011));
    let [sum, squares] = [0, 0];
    for (let i = 0; i < numbers.length; i += stride) {
        sum += numbers[i];
        squares += numbers[i] * numbers[i];
    }
    return sum > 0 ? squares / sum : 0;
}

/** Widens a range by some of the values; null: by speeds. */
function widen(ends: [number, number], view: View, values: Float32Array | null): void {
    const stride = Math.max(1, Math.floor(view.count / 1000));
    for (let i = 0; i < view.count; i += stride) {
        const value = values !== null ? values[i] : Math.hypot(...view.velocity.map((axis) => axis[i]));
        ends[0] = Math.min(ends[0], value);
        ends[1] = Math.max(ends[1], value);
    }
}

/** The range to draw with: it widens at once and narrows slowly, so that colours do not flicker. */
function follow(before: [number, number] | undefined, now: [number, number]): [number, number] {
    if (before === undefined) return now;
    return [Math.min(now[0], before[0] + 0.02 * (now[0] - before[0])), Math.max(now[1], before[1] + 0.02 * (now[1] - before[1]))];
}
