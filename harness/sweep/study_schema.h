/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SWEEP_STUDY_SCHEMA_H
#define DUNLIN_HARNESS_SWEEP_STUDY_SCHEMA_H

#include "harness/scenario/schema.h"

/* The fields of a study file. */
extern const table study_schema;

#endif
