// SPDX-License-Identifier: MIT
// A flock in a window of SDL2 flees the mouse. `window FRAMES PICTURE.bmp` draws so many frames, and saves the last one.
#include <SDL.h>
#include <dunlin/dunlin.hpp>
#include <cmath>

static constexpr int width = 160, height = 100, scale = 8; // world units, and pixels for each
static dunlin_world_def define_world() {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = width, def.size[1] = height, def.time_step = 0.4f;
    return def;
}
// Two triangles in the colour of the heading: a dart, and a tail that fades.
static void add_dart(std::vector<SDL_Vertex> &corners, float x, float y, float vx, float vy) {
    const float speed = std::hypot(vx, vy) + 1e-9f, hx = vx / speed, hy = vy / speed;
    const auto shade = [](float share) { return Uint8(150 + 105 * share); };
    const auto corner = [&](float along, float across, Uint8 alpha) {
        const SDL_Color colour = {shade(hx), shade(0.87f * hy - 0.5f * hx), shade(-0.87f * hy - 0.5f * hx), alpha};
        return SDL_Vertex{{x * scale + hx * along - hy * across, y * scale + hy * along + hx * across}, colour, {0, 0}};
    };
    corners.insert(corners.end(), {corner(-3, 2, 160), corner(-3, -2, 160), corner(-32, 0, 0)});
    corners.insert(corners.end(), {corner(6, 0, 255), corner(-3, 3, 255), corner(-3, -3, 255)});
}

int main(int argc, char **argv) {
    SDL_Window *window = nullptr;
    SDL_Renderer *renderer = nullptr;
    SDL_Init(SDL_INIT_VIDEO);
    if (SDL_CreateWindowAndRenderer(width * scale, height * scale, 0, &window, &renderer))
        return SDL_Log("%s", SDL_GetError()), 1;
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    dunlin::world world(define_world());
    world.add_species(dunlin_species_def_default());
    world.add_interaction(dunlin_interaction_boids(4));
    world.add_behaviour(dunlin_behaviour_def_default(world.get(), DUNLIN_BEHAVIOUR_WANDER));
    dunlin_behaviour_def flee = dunlin_behaviour_def_default(world.get(), DUNLIN_BEHAVIOUR_FLEE);
    flee.radius = 15, flee.weight = 3;
    const int fleeing = world.add_behaviour(flee);
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world.get());
    everywhere.count = 3000;
    world.scatter(0, everywhere);
    std::vector<SDL_Vertex> corners;
    for (int left = argc > 2 ? std::stoi(argv[1]) : -1; left != 0 && !SDL_QuitRequested(); left--, corners.clear()) {
        int x, y;
        SDL_GetMouseState(&x, &y);
        flee.target.position[0] = float(x) / scale, flee.target.position[1] = float(y) / scale;
        world.call(dunlin_world_set_behaviour, fleeing, &flee);
        world.step();
        const auto px = world.position(0, 0), py = world.position(0, 1), vx = world.velocity(0, 0), vy = world.velocity(0, 1);
        for (std::size_t i = 0; i < px.size(); i++) add_dart(corners, px[i], py[i], vx[i], vy[i]);
        SDL_SetRenderDrawColor(renderer, 14, 18, 30, 255);
        SDL_RenderClear(renderer);
        SDL_RenderGeometry(renderer, nullptr, corners.data(), int(corners.size()), nullptr, 0);
        SDL_Surface *picture = left == 1 ? SDL_CreateRGBSurface(0, width * scale, height * scale, 32, 0, 0, 0, 0) : nullptr;
        if (picture && !SDL_RenderReadPixels(renderer, nullptr, picture->format->format, picture->pixels, picture->pitch))
            SDL_SaveBMP(picture, argv[2]);
        SDL_RenderPresent(renderer);
        SDL_Delay(16);
    }
}
