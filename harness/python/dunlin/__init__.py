# SPDX-License-Identifier: MIT
"""Dunlin: flocks of millions.

    import dunlin

    world = dunlin.World(size=(1000, 1000), boundary="periodic", seed=1)
    birds = world.add_species("dunlins", 20_000, max_speed=1)
    world.add_interaction(birds, separation=4, alignment=8, cohesion=8)
    world.step(100)
    print(birds.position, birds.velocity, birds.measure().polarization, world.hash())
    world.plot("flock.png")

    flock = dunlin.Simulation("starlings", agents=2000)  # scenarios() lists the names
    flock.animate(100).save("flock.png")

World is where to begin; Simulation, a World, runs a scenario. World.add_species(), add_interaction(), add_behaviour() and their like return
what they have added: help(dunlin.Species), help(dunlin.Interaction), help(dunlin.Behaviour), … have the fields, with units and ranges, and
help(dunlin.Rule), help(dunlin.Target), help(dunlin.BehaviourKind), … what they consist of.
"""
from . import _interpreter as _interpreter  # isort: skip
from ._base import CallbackError as CallbackError
from ._base import Error as Error
from ._base import FileError as FileError
from ._base import InvalidValue as InvalidValue
from ._base import OutOfMemory as OutOfMemory
from ._base import Stale as Stale
from ._base import Unsupported as Unsupported
from ._dunlin import ffi as _ffi
from ._dunlin import lib as _lib
from ._generated import *  # noqa: F403
from .callbacks import Forces as Forces
from .callbacks import Tile as Tile
from .convert import open_trajectory as open_trajectory
from .scenario import Finding as Finding
from .scenario import Scenario as Scenario
from .scenario import findings as findings
from .scenario import outline as outline
from .scenario import scenarios as scenarios
from .scenario import schema as schema
from .pictures import Animation as Animation
from .pictures import Picture as Picture
from .callbacks import draw as draw
from .simulation import Simulation as Simulation
from .query import Found as Found
from .survey import Components as Components
from .survey import Correlation as Correlation
from .survey import Displacement as Displacement
from .survey import GroupSums as GroupSums
from .study import sweep as sweep
from .things import Attribute as Attribute
from .things import Behaviour as Behaviour
from .things import Field as Field
from .things import Interaction as Interaction
from .things import Meal as Meal
from .things import Obstacle as Obstacle
from .things import Path as Path
from .things import Species as Species
from .things import Trace as Trace
from .things import View as View
from .things import nearest as nearest
from .world import World as World
from .world import fluctuation_exponent as fluctuation_exponent
from .world import kernels as kernels
from .world import read_state_info as read_state_info

__version__: str = _ffi.string(_lib.dunlin_version()).decode()
