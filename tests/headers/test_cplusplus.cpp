// SPDX-License-Identifier: MIT
// A C++ program calls every function of the library: names are not mangled, and the shared library is found.
#include "../install/foreign/main.c"
