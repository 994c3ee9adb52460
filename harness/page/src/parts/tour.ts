// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountTour(_app: App, _place: HTMLElement): void {}
