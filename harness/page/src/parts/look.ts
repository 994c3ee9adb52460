// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountLook(_app: App, _place: HTMLElement): void {}
