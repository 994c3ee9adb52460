// SPDX-License-Identifier: MIT
// Names for the numbers of the C API's enumerations.

const numbered = <Name extends string>(...names: Name[]) => Object.freeze(Object.fromEntries(names.map((name, i) => [name, i]))) as Readonly<Record<Name, number>>;

/** Obstacle.shape. */
export const ObstacleShape = numbered("ball", "box", "capsule");
/** About.boundary. */
export const Boundary = numbered("periodic", "teleport", "reflect", "open");
/** BehaviourShape.kind. */
export const BehaviourKind = numbered("seek", "flee", "arrive", "pursue", "evade", "wander", "contain", "follow_path", "avoid", "sidestep", "force",
    "drag", "flow", "wind", "custom", "pairs", "body", "adapt", "attract");
/** BehaviourShape.target. */
export const TargetKind = numbered("point", "agent", "nearest", "centre", "group_centre", "group_velocity", "group_leader");
