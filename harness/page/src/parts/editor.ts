// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountEditor(_app: App, _place: HTMLElement): void {}
