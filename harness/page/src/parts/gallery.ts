// SPDX-License-Identifier: MIT
import type { App } from "../app";

export function mountGallery(_app: App, _place: HTMLElement): void {}
