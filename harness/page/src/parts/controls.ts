// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountControls(_app: App, _place: HTMLElement): void {}
