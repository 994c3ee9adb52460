/* SPDX-License-Identifier: MIT */
/* Numbers of the command line, read strictly, and numbers for people. */
#ifndef DUNLIN_HARNESS_NUMBERS_H
#define DUNLIN_HARNESS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number within [low, high], as "1000000" or "1e6", which is read exactly; nothing else may stand beside it. */
bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* The same of a decimal number, as "0.5", "-90" or "1e-3". */
bool number_parse_decimal(const char *text, double low, double high, double *value);

#define NUMBER_LENGTH 32 /* bytes that hold any of the following texts, with the terminator */

/* "1 234 567" */
void number_group(uint64_t value, char text[NUMBER_LENGTH]);

/* "57.3 million"; three significant digits */
void number_short(double value, char text[NUMBER_LENGTH]);

/* "850 ms", "12.3 s", "4 min 05 s", "2 h 03 min" */
void number_duration(double seconds, char text[NUMBER_LENGTH]);

#endif
