// SPDX-License-Identifier: MIT
// A script of its own, so that who only looks at the flock does not load it.
export { default } from "uplot";
