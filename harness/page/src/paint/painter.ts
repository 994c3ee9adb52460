// SPDX-License-Identifier: MIT
// Draws a flock on a canvas, from the engine's own arrays.
import type { About, Flock, Scenery, View } from "../flock";
import type { Camera, Look } from "../protocol";
import { clipMatrix, wholeWorld } from "./camera";
import { Column, makeProgram, Uniforms } from "./gl";
import { agentFragments, agentVertices, textureWidth } from "./shaders";

/** Triangles of an agent, along its heading and across, in halves of its length. */
const shapes: Record<Look["shape"], number[]> = {
    dart: [1, 0, -1, 0.6, -0.5, 0, 1, 0, -0.5, 0, -1, -0.6],
    triangle: [1, 0, -0.7, 0.7, -0.7, -0.7],
    butterfly: [0.3, 0, 0.9, 1, -0.1, 0.9, 0, 0, -0.2, 0.8, -0.9, 0.7, 0.3, 0, 0.9, -1, -0.1, -0.9, 0, 0, -0.2, -0.8, -0.9, -0.7],
};

/** The species' colours, on light and dark ground alike. */
const tints = [[0.2, 0.5, 0.9], [0.9, 0.35, 0.15], [0.2, 0.65, 0.3], [0.75, 0.4, 0.8], [0.85, 0.65, 0.1], [0.3, 0.7, 0.75]];

export class Painter {
    look: Look = {
        shape: "dart", densityFrom: 50000, trails: false, colour: "heading", attribute: 0, dark: true, scenery: true, size: 0,
        chosen: null, still: false,
    };
    camera: Camera = { centre: [50, 50], zoom: 1, yaw: 0.6, pitch: 0.5 };
    private readonly gl: WebGL2RenderingContext;
    private readonly agents: Uniforms;
    private readonly columns: Column[];
    private about: About | null = null;
    private ratio = 1;

    constructor(private readonly canvas: OffscreenCanvas) {
        const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
        if (gl === null) throw new Error("this browser has no WebGL2");
        this.gl = gl;
        this.agents = new Uniforms(gl, makeProgram(gl, agentVertices, agentFragments));
        this.columns = [..."XYZUVWA"].map(() => new Column(gl, textureWidth));
    }

    /** Another scenario: the camera shows all of it. */
    open(about: About, _scenery: Scenery): void {
        const same = this.about !== null && String(this.about.size) === String(about.size);
        this.about = about;
        if (!same) this.camera = wholeWorld(about);
    }

    resize(width: number, height: number, ratio: number): void {
        this.canvas.width = Math.max(1, Math.round(width * ratio));
        this.canvas.height = Math.max(1, Math.round(height * ratio));
        this.ratio = ratio;
    }

    draw(flock: Flock): void {
        const gl = this.gl;
        if (this.about === null || gl.isContextLost()) return;
        gl.viewport(0, 0, this.canvas.width, this.canvas.height);
        const ground = this.look.dark ? [0.05, 0.07, 0.1] : [0.97, 0.97, 0.95];
        gl.clearColor(ground[0], ground[1], ground[2], 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        if (this.about.dimensions === 3) gl.enable(gl.DEPTH_TEST);
        else gl.disable(gl.DEPTH_TEST);
        this.about.species.forEach((_, species) => this.drawSpecies(flock.view(species), species));
    }

    /** The id of the agent nearest to a point of the canvas, in CSS pixels; null: there is none near it. */
    find(_flock: Flock, _x: number, _y: number): number | null {
        return null;
    }

    /** What is drawn now, as a PNG. */
    picture(): Promise<Blob> {
        return this.canvas.convertToBlob({ type: "image/png" });
    }

    private drawSpecies(view: View, species: number): void {
        const gl = this.gl;
        const about = this.about!;
        if (view.count === 0) return;
        const { program } = this.agents;
        gl.useProgram(program);
        const solid = about.dimensions === 3;
        [...view.position, ...(solid ? [] : [view.position[0]]), ...view.velocity].forEach((values, i) => {
            if (solid || i !== 2) this.columns[i].put(i, values);
        });
        ["X", "Y", "Z", "U", "V", "W", "Value"].forEach((name, i) => gl.uniform1i(this.agents.at(name), solid || i % 3 !== 2 ? i : i - 1));
        const aspect = this.canvas.width / this.canvas.height;
        gl.uniformMatrix4fv(this.agents.at("camera"), false, clipMatrix(about, this.camera, aspect));
        gl.uniform1i(this.agents.at("solid"), Number(solid));
        gl.uniform1f(this.agents.at("size"), this.agentSize());
        const corners = shapes[this.look.shape];
        gl.uniform1i(this.agents.at("corners"), corners.length / 2);
        gl.uniform2fv(this.agents.at("shape"), corners);
        gl.uniform1i(this.agents.at("colouring"), this.look.colour === "heading" ? 0 : 1);
        gl.uniform3fv(this.agents.at("tint"), tints[species % tints.length]);
        gl.drawArrays(gl.TRIANGLES, 0, (corners.length / 2) * view.count);
    }

    /** World units: half the length of an agent. */
    private agentSize(): number {
        const pixel = Math.max(...this.about!.size) / this.camera.zoom / (this.canvas.width / this.ratio);
        return (this.look.size || 8) * 0.5 * pixel;
    }
}
