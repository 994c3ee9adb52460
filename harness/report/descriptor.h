/* SPDX-License-Identifier: MIT */
/* Calls on open files that a signal does not break, for what is written in place. */
#ifndef DUNLIN_HARNESS_DESCRIPTOR_H
#define DUNLIN_HARNESS_DESCRIPTOR_H

#include "engine/base/stream.h"

#endif
