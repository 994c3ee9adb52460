/* SPDX-License-Identifier: MIT */
#include "harness/page/engine/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(page_json *json, size_t more) {
    if (json->length + more < json->room) return true;
    const size_t room = 2 * (json->length + more) + 256;
    char *text = realloc(json->text, room);
    if (!text) {
        json->out_of_memory = true;
        return false;
    }
    json->text = text;
    json->room = room;
    return true;
}

void page_json_begin(page_json *json) {
    json->length = 0;
    json->out_of_memory = false;
}

void page_json_put(page_json *json, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (reserve(json, (size_t)length + 1)) {
        vsnprintf(json->text + json->length, (size_t)length + 1, format, again);
        json->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void page_json_put_string(page_json *json, const char *text) {
    page_json_put(json, "\"");
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            page_json_put(json, "\\%c", byte);
        else if (byte < ' ')
            page_json_put(json, "\\u%04x", byte);
        else
            page_json_put(json, "%c", byte);
    }
    page_json_put(json, "\"");
}

void page_json_put_number(page_json *json, double number) {
    if (isfinite(number))
        page_json_put(json, "%.17g", number);
    else
        page_json_put(json, "null");
}

const char *page_json_end(page_json *json) {
    return json->out_of_memory ? NULL : json->text;
}
