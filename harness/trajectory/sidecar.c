/* SPDX-License-Identifier: MIT */
#include "harness/trajectory/sidecar.h"
#include "harness/report/message.h"
#include "harness/report/descriptor.h"
#include "harness/report/path.h"
#include "harness/trajectory/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
                           "<Grid Name=\"flight\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                  tail[] = "</Grid>\n</Domain>\n</Xdmf>\n";

char *sidecar_path(const char *path) {
    char *made;
    return asprintf(&made, "%.*s.xmf", path_length_before_ending(path), path) < 0 ? NULL : made;
}

static dunlin_result fail(const sidecar *x, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %.200s: %s", x->path, strerror(errno));
}

/* On a full disk there is still room for what was there before. */
static dunlin_result put_back_tail(const sidecar *x, dunlin_error *error) {
    const dunlin_result result = fail(x, error);
    const off_t end = x->end + (off_t)(sizeof tail - 1);
    const bool is_back = dun_write_at(x->descriptor, tail, sizeof tail - 1, x->end) && dun_truncate(x->descriptor, end) == 0;
    (void)is_back;
    return result;
}

/* Writes a text and the closing tags after it. */
static dunlin_result append(sidecar *x, const char *text, size_t length, dunlin_error *error) {
    char *whole;
    if (asprintf(&whole, "%.*s%s", (int)length, text, tail) < 0)
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the trajectory's XDMF");
    const bool is_written = dun_write_at(x->descriptor, whole, length + sizeof tail - 1, x->end);
    free(whole);
    if (!is_written) return put_back_tail(x, error);
    x->end += (off_t)length;
    return DUNLIN_OK;
}

static void print_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        if (strchr("&<>\"", *text))
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    }
}

/* ---- frames ----------------------------------------------------------------------------------------------------------- */

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

dunlin_result sidecar_begin(sidecar *x, const trajectory_file *file, dunlin_error *error) {
    const char *slash = strrchr(file->def->path, '/');
    x->name = strdup(slash ? slash + 1 : file->def->path);
    if (!x->name) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    return append(x, head, sizeof head - 1, error);
}

/* A grid without points is none for XDMF. */
dunlin_result sidecar_append(sidecar *x, const trajectory_file *file, uint64_t number, double time, uint64_t rows,
                             dunlin_error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *memory = rows > 0 ? open_memstream(&text, &length) : NULL;
    if (rows == 0) return DUNLIN_OK;
    if (!memory) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the trajectory's XDMF");
    fprintf(memory, "<Grid Name=\"agents\"><Time Value=\"%.17g\"/>\n", time);
    fprintf(memory, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRIu64 "\"/>\n", rows);
    for (int i = 0; i < file->field_count; i++) print_field(memory, x, file, &file->fields[i], number, rows);
    fputs("</Grid>\n", memory);
    const bool is_whole = fclose(memory) == 0;
    const dunlin_result result = is_whole ? append(x, text, length, error)
                                          : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the trajectory's XDMF");
    free(text);
    return result;
}

void sidecar_free(sidecar *x) {
    if (x->descriptor > 0) close(x->descriptor);
    free(x->path);
    free(x->name);
}
