/* SPDX-License-Identifier: MIT */
#include "tests/lib/recordings.h"

#include <math.h>
#include <stdio.h>

recording read_recording(const char *name, const char *file_name) {
    recording r = {0};
    char path[512], line[256];
    snprintf(path, sizeof path, "%s/vectors/%s/%s", DUNLIN_TESTS_DIR, name, file_name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "id,x,y,vx,vy\n");
    for (; fgets(line, sizeof line, file); r.count++) {
        assert_true(r.count < MOST_RECORDED);
        double *const n[] = {&r.number[0][r.count], &r.number[1][r.count], &r.number[2][r.count], &r.number[3][r.count]};
        assert_int_equal(sscanf(line, "%u,%lf,%lf,%lf,%lf", &r.id[r.count], n[0], n[1], n[2], n[3]), 5);
    }
    fclose(file);
    return r;
}

void spawn_recording(dunlin_world *world, const recording *r) {
    static float number[4][MOST_RECORDED];
    for (int column = 0; column < 4; column++)
        for (uint32_t row = 0; row < r->count; row++) number[column][row] = (float)r->number[column][row];
    dunlin_batch batch = dunlin_batch_default();
    batch.count = r->count;
    batch.ids = r->id;
    for (int a = 0; a < 2; a++) {
        batch.position[a] = number[a];
        batch.velocity[a] = number[2 + a];
    }
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
}

deviation deviation_from(dunlin_world *world, const recording *want) {
    const dunlin_world_def def = dunlin_world_get_def(world);
    const double side = fmax((double)def.size[0], (double)def.size[1]);
    const double max_speed = (double)dunlin_world_get_species(world, 0).max_speed;
    const dunlin_view view = dunlin_world_view(world, 0);
    deviation worst = {0, 0};
    assert_int_equal(view.count, want->count);
    for (uint32_t row = 0; row < want->count; row++) {
        const dunlin_slot slot = dunlin_world_find_agent(world, want->id[row]);
        assert_int_equal(slot.species, 0);
        for (int a = 0; a < 2; a++) {
            const double x = (double)view.position[a][slot.index] - want->number[a][row];
            const double v = (double)view.velocity[a][slot.index] - want->number[2 + a][row];
            worst.position = fmax(worst.position, fabs(x) / side);
            worst.velocity = fmax(worst.velocity, fabs(v) / max_speed);
        }
    }
    return worst;
}
