// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountMessages(_app: App, _place: HTMLElement): void {}
