/* SPDX-License-Identifier: MIT */
/*
 * A YAML file as a tree whose nodes know their lines, so that every mistake can be reported with file, line and field.
 *
 * A *place* names a node: `world.size[1]`, `species[0].start[2].centre`; the empty place is the whole file.
 */
#ifndef DUNLIN_HARNESS_YAML_TREE_H
#define DUNLIN_HARNESS_YAML_TREE_H

#include <cyaml/cyaml.h>
#include <dunlin/dunlin.h>

#define PLACE_LENGTH 160 /* bytes of the longest place, the terminator included */

typedef struct yaml_tree yaml_tree;

/* Parses `text`, within the bounds of yaml_work.h; `path` is for messages only. Both are copied or no longer needed afterwards.
 */
dunlin_result yaml_tree_create(const char *path, const char *text, size_t length, yaml_tree **tree, dunlin_error *error);

void yaml_tree_destroy(yaml_tree *tree);

/* The line of the node at `place`, or of the nearest node around it; from 1. */
size_t yaml_tree_line(const yaml_tree *tree, const char *place);

/* Fills `error` with `file:line: place: message` and returns `code`. */
dunlin_result yaml_tree_fail(const yaml_tree *tree, const char *place, dunlin_result code, dunlin_error *error,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * Puts `file:line: place: ` before the engine's message in `error`, which must hold one. Where that message begins with
 * `subject.field`, the subject is left out, and the line is the field's if the file gives it.
 */
dunlin_result yaml_tree_locate(const yaml_tree *tree, const char *place, const char *subject, dunlin_error *error);

/*
 * Holds the tree against a libcyaml schema, more strictly than libcyaml does (it reads `5abc` as 5, `010` as 8, `-1` as
 * 18446744073709551615 and `maybe` as true), and says what would have been allowed.
 */
dunlin_result yaml_tree_check(const yaml_tree *tree, const cyaml_schema_value_t *schema, dunlin_error *error);

/* The field of that name in a mapping's schema, or NULL. */
const cyaml_schema_field_t *yaml_schema_field(const cyaml_schema_value_t *schema, const char *key);

/* The names of all of its fields, "a, b, c"; what does not fit is left out. */
void yaml_schema_list(const cyaml_schema_value_t *schema, char *list, size_t size);

#endif
