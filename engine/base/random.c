/* SPDX-License-Identifier: MIT */
#include "engine/base/random.h"

#include <dunlin/dunlin.h>

void dun_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xd2511f53u * c[0], b = (uint64_t)0xcd9e8d57u * c[2];
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                                  (uint32_t)a};
        for (int i = 0; i < 4; i++) c[i] = next[i];
        k[0] += 0x9e3779b9u;
        k[1] += 0xbb67ae85u;
    }
    for (int i = 0; i < 4; i++) out[i] = c[i];
}

uint32_t dun_stream(dun_purpose purpose, uint32_t number) {
    return (uint32_t)purpose | number << 8;
}

void dun_random(uint64_t seed, uint32_t agent, uint32_t stream, uint64_t draw, float out[4]) {
    const uint32_t counter[4] = {agent, (uint32_t)draw, stream, (uint32_t)(draw >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t bits[4];
    dun_philox(counter, key, bits);
    for (int i = 0; i < 4; i++) out[i] = (float)(bits[i] >> 8) * 0x1p-24f;
}

void dunlin_draw(uint64_t seed, uint32_t id, uint64_t step, uint32_t stream, float numbers[4]) {
    dun_random(seed, id, dun_stream(DUN_DRAW_CALLER, stream), step, numbers);
}

/* Draws points in the square or cube until one lies in the ball. This takes no sine, so it gives the same bits everywhere. */
void dun_random_in_ball(uint64_t seed, uint32_t agent, dun_purpose purpose, int dimensions, float v[3]) {
    for (uint32_t draw = 0;; draw++) {
        float u[4], length2 = 0.0f;
        dun_random(seed, agent, purpose, draw, u);
        for (int a = 0; a < dimensions; a++) {
            v[a] = 2.0f * u[a] - 1.0f;
            length2 += v[a] * v[a];
        }
        if (length2 <= 1.0f && length2 > 0.0f) return;
    }
}
