// SPDX-License-Identifier: MIT
// Where the viewer is, as the pointer and the keyboard move it.
import type { App } from "../app";
import { wholeWorld, worldPlace } from "../paint/camera";
import type { Camera } from "../protocol";

const mostZoom = 400;
const leastZoom = 0.2;
const steepest = Math.PI / 2;

/** A point of the canvas, in CSS pixels from its upper left corner. */
export interface Spot {
    x: number;
    y: number;
}

export class View {
    private camera: Camera = { centre: [50, 50], zoom: 1, yaw: 0.6, pitch: 0.5 };
    private world = "";

    constructor(private readonly app: App, private readonly sky: HTMLCanvasElement) {
        // The painter keeps its camera while worlds have the same size, and so does the page: its own is the newer one.
        app.on("running", ({ about, camera }) => {
            if (String(about.size) !== this.world) this.camera = camera;
            this.world = String(about.size);
        });
    }

    get solid(): boolean {
        return this.app.running?.about.dimensions === 3;
    }

    /** The place in the world under a spot; in 3D in the plane through the camera's centre. */
    place({ x, y }: Spot): number[] {
        const [width, height] = [this.sky.clientWidth, this.sky.clientHeight];
        return worldPlace(this.app.running!.about, this.camera, width / height, (2 * x) / width - 1, 1 - (2 * y) / height);
    }

    /** The canvas's shorter side in CSS pixels. */
    get shorter(): number {
        return Math.min(this.sky.clientWidth, this.sky.clientHeight);
    }

    /** World units per CSS pixel, at the camera's centre. */
    get pixel(): number {
        const [a, b] = [this.place({ x: 0, y: 0 }), this.place({ x: 1, y: 0 })];
        return Math.hypot(...a.map((v, i) => b[i] - v));
    }

    /** Moves what is seen by so many pixels. */
    pan(dx: number, dy: number): void {
        const [from, to] = [this.place({ x: 0, y: 0 }), this.place({ x: dx, y: dy })];
        this.move({ centre: this.keepNear(this.camera.centre.map((c, a) => c + from[a] - to[a])) });
    }

    /** Enlarges what is seen; what is under the spot stays there. */
    zoom(factor: number, spot: Spot): void {
        const before = this.place(spot);
        this.camera.zoom = Math.min(Math.max(this.camera.zoom * factor, leastZoom), mostZoom);
        const after = this.place(spot);
        const centre = this.camera.centre.map((c, a) => c + before[a] - after[a]);
        this.move({ zoom: this.camera.zoom, centre: this.keepNear(centre) });
    }

    /** 3D: walks around the centre. */
    orbit(dx: number, dy: number): void {
        const pitch = Math.min(Math.max(this.camera.pitch + dy * 0.006, -steepest), steepest);
        this.move({ yaw: this.camera.yaw - dx * 0.006, pitch });
    }

    /** Shows the whole world. */
    whole(): void {
        if (this.app.running !== null) this.move(wholeWorld(this.app.running.about));
    }

    /** The centre stays in the world, or the visitor would not find the flock again; in an open world it may follow the flock. */
    private keepNear(centre: number[]): number[] {
        const { size, boundary } = this.app.running!.about;
        return centre.map((c, a) => (boundary[a] === 3 ? c : Math.min(Math.max(c, 0), size[a])));
    }

    private move(camera: Partial<Camera>): void {
        this.camera = { ...this.camera, ...camera };
        this.app.tell({ do: "camera", camera });
    }
}
