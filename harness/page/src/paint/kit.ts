// SPDX-License-Identifier: MIT
// What lives in the WebGL context: made again when a lost context comes back.
import type { View } from "../flock";
import { Column, makeProgram, Mesh, Sum, Uniforms } from "./gl";
import { paletteLength, paletteTexels } from "./palette";
import {
    agentFragments, agentVertices, fillFragments, fillVertices, lightFragments, lightVertices, plainFragments, plateFragments,
    plateVertices, sheetVertices,
    strokeFragments, strokeVertices, textureWidth, toneFragments, traceFragments, traceVertices,
} from "./shaders";
import type { Sketch } from "./sketch";

/** Texture units, by the names of the samplers. */
export const units = { X: 0, Y: 1, Z: 2, U: 3, V: 4, W: 5, Value: 6, Id: 7, Slots: 8, palette: 9, sum: 10, Scale: 11, plate: 12 } as const;

/** Columns besides place and way. null: the agents' look does not need it. */
export interface Columns {
    /** What is coloured. */
    value?: Float32Array | null;
    /** What sizes depend on. */
    scale?: Float32Array | null;
    id?: Uint32Array | null;
}

/** Columns of a species' agents, or of arrows. */
export class Herd {
    count = 0;
    private readonly place: Column[];
    private readonly way: Column[];
    private readonly value: Column;
    private readonly scale: Column;
    private readonly id: Column;
    private solid = false;
    private valued = false;
    private scaled = false;
    private identified = false;

    constructor(gl: WebGL2RenderingContext) {
        const column = () => new Column(gl, textureWidth);
        this.place = [column(), column(), column()];
        this.way = [column(), column(), column()];
        this.value = column();
        this.scale = column();
        this.id = new Column(gl, textureWidth, true);
    }

    put(view: Pick<View, "count" | "position" | "velocity">, { value = null, scale = null, id = null }: Columns = {}): void {
        this.count = view.count;
        this.solid = view.position.length === 3;
        [this.valued, this.scaled, this.identified] = [value !== null, scale !== null, id !== null];
        view.position.forEach((axis, a) => this.place[a].put(axis));
        view.velocity.forEach((axis, a) => this.way[a].put(axis));
        if (value !== null) this.value.put(value);
        if (scale !== null) this.scale.put(scale);
        if (id !== null) this.id.put(id);
    }

    /** Units that are not needed get what is there, since none may stay empty. */
    bind(nothing: Column): void {
        for (let a = 0; a < 3; a++) {
            const axis = a < 2 || this.solid ? a : 0;
            this.place[axis].bind(units.X + a);
            this.way[axis].bind(units.U + a);
        }
        (this.valued ? this.value : this.place[0]).bind(units.Value);
        (this.scaled ? this.scale : this.place[0]).bind(units.Scale);
        (this.identified ? this.id : nothing).bind(units.Id);
    }

    free(): void {
        for (const column of [...this.place, ...this.way, this.value, this.scale, this.id]) column.free();
    }
}

/** A sketch on its way to the canvas. */
export class Drawing {
    readonly surfaces: Mesh;
    private readonly lines: Mesh;

    constructor(gl: WebGL2RenderingContext) {
        this.surfaces = new Mesh(gl, [3, 3, 4]);
        this.lines = new Mesh(gl, [3, 3, 4]);
    }

    put(sketch: Sketch): void {
        this.surfaces.put(sketch.surfaces);
        this.lines.put(sketch.lines);
    }

    draw(useFill: () => void, useStroke: () => void): void {
        useFill();
        this.surfaces.draw();
        useStroke();
        this.lines.draw();
    }
}

export class Kit {
    readonly agents: Uniforms;
    readonly light: Uniforms;
    readonly tone: Uniforms;
    readonly plain: Uniforms;
    readonly fill: Uniforms;
    readonly stroke: Uniforms;
    readonly trace: Uniforms;
    readonly plate: Uniforms;
    readonly scenery: Drawing;
    readonly chosen: Drawing;
    readonly arrows: Herd[] = [];
    readonly traces: Column[] = [];
    readonly slots: Column;
    readonly nothing: Column;
    /** Whether light adds up in floating point; else in bytes, in small portions. */
    readonly precise: boolean;
    sum: Sum | null = null;
    private readonly herds: Herd[] = [];
    private readonly palette: WebGLTexture;
    private readonly legend: WebGLTexture;

    constructor(readonly gl: WebGL2RenderingContext) {
        const program = (vertices: string, fragments: string) => this.program(vertices, fragments);
        this.agents = program(agentVertices, agentFragments);
        this.light = program(lightVertices, lightFragments);
        this.tone = program(sheetVertices, toneFragments);
        this.plain = program(sheetVertices, plainFragments);
        this.fill = program(fillVertices, fillFragments);
        this.stroke = program(strokeVertices, strokeFragments);
        this.trace = program(traceVertices, traceFragments);
        this.plate = program(plateVertices, plateFragments);
        this.scenery = new Drawing(gl);
        this.chosen = new Drawing(gl);
        this.slots = new Column(gl, textureWidth, true);
        this.nothing = new Column(gl, textureWidth, true);
        for (const column of [this.slots, this.nothing]) column.put(new Uint32Array(1));
        this.precise = (gl.getExtension("EXT_color_buffer_float") ?? gl.getExtension("EXT_color_buffer_half_float")) !== null;
        this.palette = gl.createTexture()!;
        this.legend = gl.createTexture()!;
    }

    herd(species: number): Herd {
        return (this.herds[species] ??= new Herd(this.gl));
    }

    /** Frees the columns of species that are no longer there. */
    keepHerds(count: number): void {
        for (const herd of this.herds.splice(count)) herd.free();
    }

    /** A picture for light, as large as the canvas; true: it is new and dark. */
    makeSum(width: number, height: number): boolean {
        if (this.sum !== null && this.sum.width === width && this.sum.height === height) return false;
        this.sum?.free();
        this.sum = new Sum(this.gl, width, height, this.precise);
        return true;
    }

    dropSum(): void {
        this.sum?.free();
        this.sum = null;
    }

    setPalette(dark: boolean): void {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + units.palette);
        gl.bindTexture(gl.TEXTURE_2D, this.palette);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, paletteLength, 3, 0, gl.RGBA, gl.UNSIGNED_BYTE, paletteTexels(dark));
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }

    setLegend(picture: OffscreenCanvas): void {
        const gl = this.gl;
        this.bindLegend();
        gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
        gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    }

    bindLegend(): void {
        this.gl.activeTexture(this.gl.TEXTURE0 + units.plate);
        this.gl.bindTexture(this.gl.TEXTURE_2D, this.legend);
    }

    bindPalette(): void {
        this.gl.activeTexture(this.gl.TEXTURE0 + units.palette);
        this.gl.bindTexture(this.gl.TEXTURE_2D, this.palette);
    }

    private program(vertices: string, fragments: string): Uniforms {
        const uniforms = new Uniforms(this.gl, makeProgram(this.gl, vertices, fragments));
        this.gl.useProgram(uniforms.program);
        for (const [name, unit] of Object.entries(units)) this.gl.uniform1i(uniforms.at(name), unit);
        return uniforms;
    }
}
