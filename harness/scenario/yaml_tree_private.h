/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_YAML_TREE_PRIVATE_H
#define DUNLIN_HARNESS_YAML_TREE_PRIVATE_H

#include "harness/scenario/yaml_tree.h"

#include <yaml.h>

struct yaml_tree {
    char *path;
    yaml_document_t document;
};

/* The node with that index of the document. libyaml's accessors are not const, hence this. */
static inline const yaml_node_t *yaml_tree_node(const yaml_tree *tree, int index) {
    return &tree->document.nodes.start[index - 1];
}

static inline const char *yaml_scalar(const yaml_node_t *node) {
    return (const char *)node->data.scalar.value;
}

#endif
