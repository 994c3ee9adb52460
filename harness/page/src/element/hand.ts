// SPDX-License-Identifier: MIT
// Pointer and finger over the element: the flock scatters from them.
import type { App } from "../app";
import { pullTool, type Touch } from "../hands/tools";
import { View } from "../hands/view";

/** The first finger or the left button acts; a finger by which the browser scrolls the page lets go. */
export function mountHand(app: App, canvas: HTMLCanvasElement): void {
    const tool = pullTool({ app, view: new View(app, canvas), preview: { ring() {} }, species: () => 0 }, false);
    const touchOf = ({ offsetX, offsetY, timeStamp }: PointerEvent): Touch => ({ x: offsetX, y: offsetY, time: timeStamp });
    let held = -1; // the pointer's id
    const on = (kind: "pointermove" | "pointerup" | "pointercancel", act: (at: Touch) => void) =>
        canvas.addEventListener(kind, (event) => {
            if (event.pointerId !== held) return;
            if (kind !== "pointermove") held = -1;
            act(touchOf(event));
        });
    canvas.addEventListener("pointerdown", (event) => {
        if (app.running === null || held >= 0 || event.button !== 0) return;
        canvas.setPointerCapture((held = event.pointerId));
        tool.press(touchOf(event));
    });
    on("pointermove", (at) => tool.drag!(at));
    on("pointerup", (at) => tool.release!(at));
    on("pointercancel", () => tool.cancel!());
}
