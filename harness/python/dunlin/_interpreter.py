# SPDX-License-Identifier: MIT
"""Refuses sub-interpreters before NumPy is imported, which would fail in the main one afterwards."""
import ctypes  # NumPy imports it, too

_current = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", ctypes.pythonapi))
_number = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(("PyInterpreterState_GetID", ctypes.pythonapi))

if _number(_current()) != 0:
    raise ImportError("dunlin cannot be imported in a sub-interpreter, as NumPy cannot: use threads or processes")
