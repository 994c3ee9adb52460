// SPDX-License-Identifier: MIT
// The same program as C++: names are not mangled, and the header has nothing that C++ lacks.
#include "main.c"
