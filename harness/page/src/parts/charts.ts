// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountCharts(_app: App, _place: HTMLElement): void {}
