/* SPDX-License-Identifier: MIT */
#include "scenario.c"
