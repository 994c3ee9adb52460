// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountExports(_app: App, _place: HTMLElement): void {}
