// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountTransport(_app: App, _place: HTMLElement): void {}
