/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/sidecar.h"
#include "engine/base/replace_file.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/trajectory/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
                           "<Grid Name=\"simulation\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                  tail[] = "</Grid>\n</Domain>\n</Xdmf>\n";

static dunlin_result fail_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the trajectory's XDMF");
}

static void print_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        if (strchr("&<>\"", *text))
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    }
}

/* Of [frames][rows] or [frames][rows][3] values, those of one frame. */
static void print_values(FILE *file, const sidecar *x, const trajectory_file *of, const field *f, uint64_t number,
                         uint64_t rows) {
    const bool is_vector = f->components == 3, is_species = f->value_bytes == sizeof(int8_t);
    fprintf(file, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%" PRIu64 "%s\">", rows, is_vector ? " 3" : "");
    fprintf(file, "<DataItem Dimensions=\"3 %d\" Format=\"XML\">%" PRIu64 " 0%s 1 1%s 1 %" PRIu64 "%s</DataItem>",
            is_vector ? 3 : 2, number, is_vector ? " 0" : "", is_vector ? " 1" : "", rows, is_vector ? " 3" : "");
    fprintf(file, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%" PRIu64 " %llu%s\">",
            f->is_number ? "Float"
            : is_species ? "Char"
                         : "Int",
            is_species ? 1 : 4, number + 1, (unsigned long long)of->rows, is_vector ? " 3" : "");
    print_escaped(file, x->name);
    fprintf(file, ":" TRAJECTORY_AGENTS "/%s/value</DataItem></DataItem>", f->link);
}

static void print_field(FILE *file, const sidecar *x, const trajectory_file *of, const field *f, uint64_t number,
                        uint64_t rows) {
    const bool is_position = f == &of->fields[0];
    const int column = f->column;
    if (is_position) {
        fputs("<Geometry GeometryType=\"XYZ\">", file);
    } else {
        fputs("<Attribute Name=\"", file);
        print_escaped(file, f->is_number && f->components == 1 ? of->selected->columns[column].name : f->link);
        fprintf(file, "\" AttributeType=\"%s\" Center=\"Node\">", f->components == 3 ? "Vector" : "Scalar");
    }
    print_values(file, x, of, f, number, rows);
    fputs(is_position ? "</Geometry>\n" : "</Attribute>\n", file);
}

/* A grid without points is none for XDMF. */
static void print_frame(FILE *file, const sidecar *x, const trajectory_file *of, uint64_t number) {
    const sidecar_frame *f = &x->frames[number];
    if (f->rows == 0) return;
    fprintf(file, "<Grid Name=\"agents\"><Time Value=\"%.17g\"/>\n", f->time);
    fprintf(file, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRIu64 "\"/>\n", f->rows);
    for (int i = 0; i < of->field_count; i++) print_field(file, x, of, &of->fields[i], number, f->rows);
    fputs("</Grid>\n", file);
}

char *sidecar_path(const char *path) {
    char *made;
    return asprintf(&made, "%.*s.xmf", path_length_before_ending(path), path) < 0 ? NULL : made;
}

dunlin_result sidecar_begin(sidecar *x, const char *path, dunlin_error *error) {
    x->path = sidecar_path(path);
    x->name = strdup(path_name(path));
    return x->path && x->name ? DUNLIN_OK : fail_memory(error);
}

void sidecar_print(const sidecar *x, const trajectory_file *of, FILE *file) {
    fputs(head, file);
    for (uint64_t i = 0; i < x->count; i++) print_frame(file, x, of, i);
    fputs(tail, file);
}

dunlin_result sidecar_add(sidecar *x, double time, uint64_t rows, dunlin_error *error) {
    if (x->count == x->room) {
        const uint64_t room = 2 * x->room + 64;
        sidecar_frame *grown = realloc(x->frames, room * sizeof *grown);
        if (!grown) return fail_memory(error);
        x->frames = grown;
        x->room = room;
    }
    x->frames[x->count++] = (sidecar_frame){time, rows};
    return DUNLIN_OK;
}

dunlin_result sidecar_write(sidecar *x, const trajectory_file *of, bool is_last, dunlin_error *error) {
    dun_replacement file;
    if (!is_last && x->count < x->written + 1 + x->written / SIDECAR_PART) return DUNLIN_OK;
    bool is_written = dun_replace_begin(&file, x->path);
    if (is_written) {
        file.is_quick = !is_last;
        sidecar_print(x, of, file.stream);
        is_written = dun_replace_commit(&file);
    }
    if (!is_written) return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", x->path, strerror(errno));
    x->written = x->count;
    return DUNLIN_OK;
}

void sidecar_free(sidecar *x) {
    free(x->path);
    free(x->name);
    free(x->frames);
}
