# SPDX-License-Identifier: MIT
"""Bytes that the library writes and reads piece by piece, such as checkpoints."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._dunlin import ffi, lib

Source = "str | os.PathLike[str] | bytes | bytearray | memoryview"


class Stream:
    """Bytes with a place from which the library reads, or to which it writes."""

    def __init__(self, content: bytes | memoryview = b"") -> None:
        self.content, self.at, self.written = memoryview(content), 0, bytearray()
        self.handle = ffi.new_handle(self)


@ffi.def_extern(onerror=lambda *_: False)  # type: ignore[misc]
def dunlin_python_write(context: Any, pieces: Any, count: int) -> bool:
    ffi.from_handle(context).written += ffi.buffer(pieces, count)
    return True


@ffi.def_extern(onerror=lambda *_: False)  # type: ignore[misc]
def dunlin_python_read(context: Any, pieces: Any, count: int) -> bool:
    stream = ffi.from_handle(context)
    if stream.at + count > len(stream.content):
        return False
    ffi.buffer(pieces, count)[:] = stream.content[stream.at:stream.at + count]
    stream.at += count
    return True


write, read = lib.dunlin_python_write, lib.dunlin_python_read


def load(source: str | os.PathLike[str] | bytes | bytearray | memoryview) -> Stream:
    """The bytes, or those of a file."""
    return Stream(memoryview(source) if isinstance(source, (bytes, bytearray, memoryview)) else Path(source).read_bytes())


def store(content: bytes, path: str | os.PathLike[str] | None) -> bytes:
    """Writes a file whole or not at all, if there is a path; returns the bytes."""
    if path is not None:
        beside = Path(f"{os.fspath(path)}.{os.getpid()}.part")
        try:
            beside.write_bytes(content)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    return content
