# SPDX-License-Identifier: MIT
"""What the generated classes stand on: errors, enumerations, definitions of which only a part is given, handles, results."""
from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

import numpy as np

from ._dunlin import ffi, lib

if TYPE_CHECKING:
    import numpy.typing as npt

    from .world import World

    Array = npt.NDArray[Any]
Read = TypeVar("Read")
Write = TypeVar("Write")
Own = TypeVar("Own", bound="Enumeration")


# ---- errors ----------------------------------------------------------------------------------------------------------------

class Error(Exception):
    """Dunlin has refused something; the message names the field, its value and what is allowed."""
    __module__ = "dunlin"  # as tracebacks name it

    def __init_subclass__(cls) -> None:
        cls.__module__ = Error.__module__


class InvalidValue(Error, ValueError):
    """An argument or a field is out of its range."""


class FileError(Error, OSError):
    """A file cannot be read or written, or its contents are not allowed."""


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""


class Unsupported(Error, NotImplementedError):
    """The kernel, index or executor is unknown, or cannot run on this machine."""


class CallbackError(Error, RuntimeError):
    """A callback has failed."""


class Stale(Error, ReferenceError):
    """A view is older than its world's agents, or what a handle stands for was removed."""


_errors = {lib.DUNLIN_ERROR_VALUE: InvalidValue, lib.DUNLIN_ERROR_FILE: FileError, lib.DUNLIN_ERROR_MEMORY: OutOfMemory,
           lib.DUNLIN_ERROR_UNSUPPORTED: Unsupported, lib.DUNLIN_ERROR_CALLBACK: CallbackError}


def check(result: int, error: Any) -> None:
    """Raises what a function of the library has returned."""
    if result != lib.DUNLIN_OK:
        raise _errors[result](ffi.string(error.message).decode("utf-8", "replace"))


def not_none(**fields: Any) -> dict[str, Any]:
    """The fields that are given."""
    return {name: value for name, value in fields.items() if value is not None}


def text_of(write: Any, *arguments: Any) -> str:
    """What a function writes as snprintf() does."""
    room = ffi.new("char[]", write(*arguments, ffi.NULL, 0) + 1)
    write(*arguments, room, len(room))
    return bytes(ffi.string(room)).decode()


def within(name: str, value: Any, low: float, high: float = math.inf) -> Any:
    """The value, or an error where it is outside its range."""
    if not low <= value <= high:  # NaN, too
        raise InvalidValue(f"{name} is {value}; allowed: {low} " + ("or more" if high == math.inf else f".. {high}"))
    return value


def whole(what: str, count: int) -> int:
    """A number of things, which is not negative."""
    try:
        count = operator.index(count)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {count!r}") from None
    return int(within(what, count, 0))


def unknown(kind: str, name: object, known: Any, owner: str = "") -> str:
    """A message about a name that there is not, with the nearest one, as the program's: the kind of thing, and what would have it."""
    import difflib  # for mistakes only

    names = [str(one) for one in known]
    near = difflib.get_close_matches(str(name), names, 1)
    return (f"unknown {kind} {name!r}" + (f" of {owner}" if owner else "") +
            (f"; did you mean {near[0]!r}?" if near else f"; allowed: {', '.join(names)}" if names else ""))


# ---- enumerations ----------------------------------------------------------------------------------------------------------

class Enumeration(IntEnum):
    """An enumeration of the headers. Wherever one is wanted, a member's name does, too, in any case: "periodic"."""

    @classmethod
    def of(cls: type[Own], value: object) -> Own:
        """The member with that name or number."""
        return cls(value)  # type: ignore[arg-type]

    @classmethod
    def _missing_(cls: type[Own], value: object) -> Own:
        names = {name.lower(): member for name, member in cls.__members__.items()}
        if isinstance(value, str) and (member := names.get(value.lower().replace("-", "_").replace(" ", "_"))) is not None:
            return member
        raise InvalidValue(unknown(cls.__name__, value, names))


# ---- definitions -----------------------------------------------------------------------------------------------------------

_dtypes = {"float": np.float32, "double": np.float64, "uint32_t": np.uint32, "uint64_t": np.uint64}


def numbers(values: npt.ArrayLike, dtype: type = np.float32) -> Array:
    """The values as an array of that type, or an error where they are no numbers of it."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"numbers are wanted, not {array.dtype}")
    if dtype in (np.uint32, np.uint64) and array.dtype.kind == "b":
        raise TypeError("whole numbers are wanted, not True and False: of a mask take species.id[mask]")
    if dtype in (np.uint32, np.uint64) and array.size > 0:
        most = np.iinfo(dtype).max
        if not (np.isfinite(array).all() and (array >= 0).all() and (array <= most).all() and (array == np.floor(array)).all()):
            raise InvalidValue(f"whole numbers from 0 to {most} are wanted")
    with np.errstate(all="ignore"):
        return array.astype(dtype, copy=False)


def read_only(rows: Array) -> Array:
    """A copy that a program does not take for the world's own."""
    rows.flags.writeable = False
    return rows


def vectors(what: str, rows: npt.ArrayLike, count: int, dimensions: int) -> Array:
    """The rows as (count, dimensions) float32, of which one vector, or one number, may be given for all."""
    values = numbers(rows)
    try:
        return np.broadcast_to(values, (count, dimensions))
    except ValueError:
        raise InvalidValue(f"{what} has the shape ({count}, {dimensions}), not {values.shape}") from None


def address(values: npt.ArrayLike, kind: Any, keep: list[Any]) -> Any:
    """A pointer to values of a C type, which `keep` keeps alive."""
    array = np.ascontiguousarray(numbers(values, _dtypes[kind.item.cname.removeprefix("const ")]))
    keep.append(array)
    return ffi.cast(kind, array.ctypes.data)


_not_for_python = {"cookie", "run", "run_context", "allocator", "user"}


def _species_of(field: str, definition: Any) -> int:
    """The number of the species of which a field names an attribute; -1: the definition is of no species."""
    return int(getattr(definition, {"energy": "eater", "worth": "food"}.get(field, "species"), -1))


class Struct:
    """A struct of the headers by its fields."""
    _ctype: ClassVar[str]
    _enums: ClassVar[dict[str, type[Enumeration]]]
    _parts: ClassVar[dict[str, type[Part]]]
    _numbers: ClassVar[dict[str, str]]

    @classmethod
    def _types(cls) -> dict[str, Any]:
        return {name: field.type for name, field in ffi.typeof(cls._ctype).fields}

    @classmethod
    def _put(cls, c: Any, given: Mapping[str, Any], world: World | None, keep: list[Any], whole: Any = None) -> None:
        """Sets the fields that are given; whole: the definition of which c is a part."""
        types = cls._types()
        for name, value in given.items():
            if name not in types:
                raise TypeError(unknown("field", name, [one for one in types if one not in _not_for_python], cls.__name__.removesuffix("Fields")))
            try:
                cls._put_one(c, name, types[name], value, world, keep, c if whole is None else whole)
            except (OverflowError, TypeError) as error:
                raise type(error)(f"{name}: {error}") from None

    @classmethod
    def _put_one(cls, c: Any, name: str, kind: Any, value: Any, world: World | None, keep: list[Any], whole: Any) -> None:
        if name in cls._parts:
            part, inner = cls._parts[name], getattr(c, name)
            for target, one in zip(inner, value) if kind.kind == "array" else [(inner, value)]:
                if one is not None:
                    part._put(target, part._fields_of(one), world, keep, whole)
        elif name in cls._enums:
            one_of = cls._enums[name]
            setattr(c, name, [one_of(one) for one in value] if kind.kind == "array" else one_of(value))
        elif name in cls._numbers and world is not None:
            setattr(c, name, world._number(cls._numbers[name], value, _species_of(name, whole)))
        elif kind.kind == "array" and kind.item.kind == "pointer":
            rows = numbers(value, _dtypes[kind.item.item.cname.removeprefix("const ")])
            setattr(c, name, [address(row, kind.item, keep) for row in rows])
        elif kind.kind == "array":
            row = numbers(value, float)
            if row.ndim > 1 or row.size > kind.length:
                raise InvalidValue(f"{name} has at most {kind.length} numbers, not the shape {row.shape}")
            if world is not None and name != "axis" and row.ndim == 1 and kind.length == 3 and row[world._dimensions:].any():
                raise InvalidValue(f"{name} has {row.size} numbers, and the world has {world._dimensions} dimensions")
            for i, one in enumerate(np.broadcast_to(row, kind.length) if row.ndim == 0 else row):
                getattr(c, name)[i] = int(one) if kind.item.cname in ("int", "uint32_t") else one
        elif kind.kind == "pointer" and kind.item.cname in ("char", "char const"):
            if not isinstance(value, str):
                raise TypeError(f"a text is wanted, not {value!r}")
            keep.append(ffi.new("char[]", value.encode()))
            setattr(c, name, keep[-1])
        elif kind.kind == "pointer" and not isinstance(value, ffi.CData):
            setattr(c, name, address(value, kind, keep))
        else:
            setattr(c, name, value)

    @classmethod
    def _get(cls, c: Any, name: str, world: World | None = None, whole: Any = None) -> Any:
        """A field as Python has it; whole: the definition of which c is a part."""
        whole = c if whole is None else whole
        value = getattr(c, name)
        if name in cls._parts:
            part = cls._parts[name]
            return tuple(part._of(one, world, whole) for one in value) if ffi.typeof(value).kind == "array" else part._of(value, world, whole)
        if name in cls._enums:
            return tuple(cls._enums[name](one) for one in value) if isinstance(value, ffi.CData) else cls._enums[name](value)
        if name in cls._numbers and world is not None:
            return world._thing(cls._numbers[name], value, _species_of(name, whole))
        if not isinstance(value, ffi.CData):
            return value
        kind = ffi.typeof(value)
        if kind.kind == "array":
            if kind.item.cname == "char":
                return ffi.string(value).decode()
            return tuple(value) if kind.item.kind == "primitive" else None
        if value == ffi.NULL:
            return None
        return ffi.string(value).decode() if kind.cname in ("char *", "char const *") else None


def given_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The locals() of a generated method as fields: those that are given, and others, which do not exist and get a message later."""
    return {name: value for name, value in {**arguments, **arguments.get("others", {})}.items()
            if value is not None and name not in ("self", "__class__", "others")}


class Part(Struct):
    """A part of a definition. Of what is left out, the library's default counts."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given_of(given)
        for name in self._given.keys() - self._types().keys():
            raise TypeError(unknown("field", name, self._types(), type(self).__name__))

    @classmethod
    def _fields_of(cls, value: Any) -> Mapping[str, Any]:
        if isinstance(value, cls):
            return value._given
        if isinstance(value, Mapping):
            return value
        if isinstance(value, (tuple, list, np.ndarray)) and "position" in cls._types():
            return {"position": value}  # a place
        raise TypeError(f"a dunlin.{cls.__name__} is wanted, or a dict of its fields, not {value!r}")

    @classmethod
    def _of(cls, c: Any, world: World | None, whole: Any) -> Part:
        part = cls.__new__(cls)
        part._given = {name: value for name in cls._types() if (value := cls._get(c, name, world, whole)) is not None}
        return part

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._types():
            raise AttributeError(unknown("field", name, [] if name.startswith("_") else self._types(), type(self).__name__))
        return self._given.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_given":
            raise AttributeError(f"this {type(self).__name__} is a copy: assign another one to what has it, such as dunlin.{type(self).__name__}({name}={value!r})")
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._given == other._given  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._given.items())})"


class Result(Struct):
    """Numbers that the library has returned."""

    def __init__(self, c: Any) -> None:
        self.__dict__.update((name, self._get(c, name)) for name in self._types())

    def asdict(self) -> dict[str, Any]:
        """The numbers by their names."""
        return dict(self.__dict__)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is a result, which stays as it is")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


# ---- handles ---------------------------------------------------------------------------------------------------------------

class Value(Generic[Read, Write]):
    """A field of a thing's definition. It can be read, and set between steps."""

    def __init__(self, words: str) -> None:
        self.__doc__ = words

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, thing: None, owner: type) -> Value[Read, Write]: ...
    @overload
    def __get__(self, thing: Thing, owner: type) -> Read: ...

    def __get__(self, thing: Thing | None, owner: type) -> Any:
        return self if thing is None else thing._get(thing._read(), self.name, thing.world)

    def __set__(self, thing: Thing, value: Write) -> None:
        thing.change(**{self.name: value})


class Thing(Struct):
    """What a world holds. The handle stays right when others are removed."""
    _kind: ClassVar[str]
    world: World

    def __init__(self, world: World) -> None:
        self.world = world
        self._at = -1  # its number; -1: it was removed

    def __setattr__(self, name: str, value: Any) -> None:
        """A program may keep what it likes beside the fields, but not by a name that looks like a mistake."""
        if not name.startswith("_") and name != "world" and not hasattr(type(self), name):
            import difflib  # for mistakes, and names of the program's own

            if near := difflib.get_close_matches(name, [one for one in dir(type(self)) if not one.startswith("_")], 1, 0.8):
                raise AttributeError(unknown("field", name, near, type(self).__name__))
        super().__setattr__(name, value)

    @property
    def number(self) -> int:
        """The number by which the engine knows it at present."""
        if self._at < 0:
            raise Stale(f"this {self._kind} was removed")
        return self._at

    def _place(self) -> tuple[int, ...]:
        return (self.number,)

    def _read(self) -> Any:
        return getattr(lib, f"dunlin_world_get_{self._kind}")(self.world._open(), *self._place())

    def change(self, **fields: Any) -> None:
        """Sets several fields at once, between steps."""
        c, keep = ffi.new(f"{self._ctype} *", self._read()), list[Any]()
        self._put(c, fields, self.world, keep)
        self.world._call(f"set_{self._kind}", *self._place(), c)

    def remove(self) -> None:
        """Removes it from its world. That something else uses it is an error that names the user."""
        self.world._call(f"remove_{self._kind}", *self._place())
        self.world._forget(self)

    def __copy__(self) -> Self:
        return self  # another one would not know when things are removed

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(f"{self!r} stands for something in its world, and cannot be pickled without it")

    def __repr__(self) -> str:
        try:
            return f"<{type(self).__name__} {self.number}>"
        except Stale:
            return f"<{type(self).__name__}: removed>"
