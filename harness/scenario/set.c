/* SPDX-License-Identifier: MIT */
/* Values that the caller sets in a tree that has been read. */
#include "harness/scenario/read.h"
#include "engine/base/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETTING = 100 }; /* bytes of `path=value` in messages */

/* The texts of `from` become the tree's, and its nodes refer to them there. */
static bool append_texts(const checker *check, yaml *from) {
    tree *to = check->to;
    char *text = malloc(to->text_size + from->used + 1);
    if (!text) return dun_fail_at(check->name, to->slots, DUNLIN_ERROR_MEMORY, check->error, "out of memory");
    if (to->text_size > 0) memcpy(text, to->text, to->text_size);
    memcpy(text + to->text_size, from->text, from->used);
    for (slot *at = to->slots; at < to->slots + to->count; at++) {
        if (at->type == VALUE_TEXT && at->text) at->text = text + (at->text - to->text);
    }
    for (yaml_node *node = from->nodes; node < from->nodes + from->count; node++) {
        if (node->kind == YAML_SCALAR) node->text = text + to->text_size + (node->text - from->text);
    }
    free(to->text);
    to->text = text;
    to->text_size += from->used;
    return true;
}

/* A text needs no quotes, so that it may hold what YAML reads as more than a text. */
static bool read_setting(const checker *check, const char *value, bool is_text, yaml *from) {
    const size_t length = strlen(value);
    if (!is_text) return dun_yaml_read(check->name, value, length, LINE_SETTING, from, check->error);
    *from = (yaml){.nodes = malloc(sizeof *from->nodes), .count = 1, .text = strdup(value), .used = length + 1};
    if (!from->nodes || !from->text)
        return dun_fail_at(check->name, check->to->slots, DUNLIN_ERROR_MEMORY, check->error, "out of memory");
    from->nodes[0] = (yaml_node){.kind = YAML_SCALAR, .end = from->nodes + 1, .text = from->text, .length = length};
    return true;
}

static bool fill(const checker *check, const char *value, uint32_t at) {
    yaml from;
    const bool is_text = SLOT(at)->type == VALUE_TEXT;
    SLOT(at)->line = LINE_SETTING;
    bool done = read_setting(check, value, is_text, &from);
    if (done && from.count == 0) done = FAIL(SLOT(at), "the value is empty");
    if (done && append_texts(check, &from)) {
        const uint8_t type = SLOT(at)->type;
        dun_clear(SLOT(at));
        SLOT(at)->type = type; /* of an item of a list, for which the row has the list's */
        SLOT(at)->line = LINE_SETTING;
        done = dun_read_value(check, from.nodes, at);
    } else {
        done = false;
    }
    free(from.nodes);
    free(from.text);
    return done;
}

bool dun_tree_set(tree *changed, const char *path, const char *value, dunlin_error *error) {
    char name[MAX_SETTING], problem[PROBLEM_LENGTH];
    const checker checked = {.to = changed, .name = name, .sets = true, .error = error}, *check = &checked;
    uint32_t at;
    snprintf(name, sizeof name, "%.60s=%.30s", path, value);
    if (!dun_reserve(check, MAX_PATH_SLOTS)) return false;
    if (dun_find_any(changed, path, &at, problem) && at > 0) return fill(check, value, at);
    error->code = DUNLIN_ERROR_VALUE;
    snprintf(error->message, sizeof error->message, "%s: %.200s", name, *path ? problem : "the path is empty");
    dun_escape(error->message, sizeof error->message);
    return false;
}

/* Slots inside others come after them, so one pass finds those that nothing leads to. */
static bool drop_replaced(const checker *check) {
    const uint32_t gone = UINT32_MAX;
    tree *to = check->to;
    uint32_t *moved = malloc(to->count * sizeof *moved), count = 0;
    if (!moved) return dun_fail_at(check->name, to->slots, DUNLIN_ERROR_MEMORY, check->error, "out of memory");
    for (uint32_t i = 0; i < to->count; i++) {
        const slot *at = &to->slots[i], *parent = dun_parent(at);
        const bool stays = i == 0 || (moved[i - at->parent] != gone && at->parent - parent->first < parent->count);
        moved[i] = stays ? count++ : gone;
    }
    for (uint32_t i = 0; i < to->count; i++) {
        slot at = to->slots[i];
        if (moved[i] == gone) continue;
        if ((at.type == VALUE_ENTRY || at.type == VALUE_LIST) && at.count > 0) at.first = moved[i + at.first] - moved[i];
        if (at.line == LINE_SETTING) at.line = LINE_SET;
        if (i > 0) at.parent = moved[i] - moved[i - at.parent];
        to->slots[moved[i]] = at;
    }
    to->count = count;
    free(moved);
    return true;
}

bool dun_tree_settle(tree *changed, dunlin_error *error) {
    const checker checked = {.to = changed, .name = changed->name, .error = error}, *check = &checked;
    bool done = drop_replaced(check);
    for (uint32_t i = 0; i < changed->count && done; i++) {
        if (SLOT(i)->type == VALUE_ENTRY && SLOT(i)->count > 0) done = dun_check_fields(check, SLOT(i));
    }
    return done && dun_check_shapes(check);
}
