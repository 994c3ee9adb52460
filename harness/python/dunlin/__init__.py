# SPDX-License-Identifier: MIT
"""Dunlin: flocks of millions. World is where to begin; Simulation runs a scenario."""
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
from .callbacks import Tile as Tile
from .simulation import Simulation as Simulation
from .survey import Components as Components
from .survey import Correlation as Correlation
from .survey import Displacement as Displacement
from .survey import GroupSums as GroupSums
from .world import Attribute as Attribute
from .world import Behaviour as Behaviour
from .world import Field as Field
from .world import Interaction as Interaction
from .world import Meal as Meal
from .world import Obstacle as Obstacle
from .world import Path as Path
from .world import Species as Species
from .world import Trace as Trace
from .world import View as View
from .world import World as World
from .world import fluctuation_exponent as fluctuation_exponent
from .world import kernels as kernels

__version__: str = _ffi.string(_lib.dunlin_version()).decode()
