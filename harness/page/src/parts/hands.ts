// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountHands(_app: App, _sky: HTMLCanvasElement, _place: HTMLElement): void {}
