/* SPDX-License-Identifier: MIT */
#include "tests/lib/public_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/float_modes.h"
#include "tests/lib/worlds.h"

enum { AGENTS = 700, SPARE_BYTES = 1 << 16, ROOM = 1 << 20 };

static const char scenario_text[] = "world: {size: [20, 20]}\n"
                                    "species:\n"
                                    "  - {name: agents, agents: 20, max_speed: 1.7}\n";

call_things things;
void (*in_callback)(callback_kind kind);

/* ---- arguments -------------------------------------------------------------------------------------------------------- */

typedef struct byte_source {
    const char *bytes;
    size_t count, at;
} byte_source;

/* What arguments point to. */
static struct {
    dunlin_world_def world_def;
    dunlin_species_def species_def;
    dunlin_batch batch;
    dunlin_scatter_def scatter_def;
    dunlin_write write;
    dunlin_group_sums group_sums;
    dunlin_interaction_def interaction_def;
    dunlin_view view;
    dunlin_clock clock;
    dunlin_attribute_def attribute_def;
    dunlin_path_def path_def;
    dunlin_field_def field_def;
    dunlin_field_source field_source;
    dunlin_trace_def trace_def;
    dunlin_obstacle_def obstacle_def;
    dunlin_behaviour_def behaviour_def;
    dunlin_meal_def meal_def;
    dunlin_metrics metrics;
    dunlin_components components;
    dunlin_density density;
    dunlin_correlation_def correlation_def;
    dunlin_correlation correlation;
    dunlin_state_info state_info;
    dunlin_found found;
    dunlin_ball ball;
    dunlin_box box;
    dunlin_cone cone;
    dunlin_nearest nearest;
    dunlin_ray ray;
    dunlin_displacements displacements;
    dunlin_transport transport;
    dunlin_scenario_def scenario_def;
    dunlin_scenario_number number;
    dunlin_scenario_setting setting;
    dunlin_simulation_def simulation_def;
    dunlin_world *new_world;
    dunlin_survey *new_survey;
    dunlin_displacement *new_displacement;
    dunlin_hold *new_hold;
    dunlin_scenario *new_scenario;
    dunlin_simulation *new_simulation;
    float numbers[AGENTS];
    const float *columns[3];
    uint32_t id;
    int number_of_new;
    char text[ROOM];
    byte_source from;
} a;

/* What is read: by functions of worlds, definitions, displacements and simulations. */
static char checkpoint[ROOM], definitions[ROOM], ways[ROOM], simulation_bytes[ROOM];
static char state_path[256], scenario_path[256];

bool is_called(const public_function *function, const char *name) {
    return strstr(function->name, name);
}

static uint64_t outcome; /* so far */

static void add_outcome(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) outcome = (outcome ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

static void bring(void *context, uint64_t numbers[DUNLIN_STEP_SUMS]) {
    (void)context, (void)numbers;
}

static bool take(void *context, const void *bytes, size_t count) {
    (void)context;
    add_outcome(bytes, count);
    if (in_callback) in_callback(CALLBACK_WRITE);
    return true;
}

static bool give(void *context, void *bytes, size_t count) {
    byte_source *from = context ? context : &a.from;
    if (in_callback) in_callback(CALLBACK_READ);
    if (count > from->count - from->at) return false;
    memcpy(bytes, from->bytes + from->at, count);
    from->at += count;
    return true;
}

static bool take_at(void *context, const void *bytes, size_t count, uint64_t at) {
    (void)at;
    return take(context, bytes, count);
}

static bool give_at(void *context, void *bytes, size_t count, uint64_t at) {
    byte_source *from = context ? context : &a.from;
    from->at = at < from->count ? (size_t)at : from->count;
    return give(context, bytes, count);
}

static char *bytes_for(const public_function *function) {
    return is_called(function, "simulation")     ? simulation_bytes
           : is_called(function, "displacement") ? ways
           : is_called(function, "create_")      ? definitions
                                                 : checkpoint;
}

static const char *path_for(const public_function *function) {
    return is_called(function, "_number")         ? "species[0].max_speed"
           : is_called(function, "scenario_open") ? scenario_path
                                                  : state_path;
}

int parameter_of(const public_function *function, const char *name) {
    for (int i = 0; i < function->parameters; i++)
        if (strcmp(function->parameter[i], name) == 0) return i;
    return -1;
}

static size_t size_for(const public_call *c) {
    const int text = parameter_of(c->function, "text");
    return text >= 0 && c->null & 1u << text ? 0 : SPARE_BYTES;
}

static void tile_callback(void *user, const dunlin_tile *tile);
static void group_callback(void *user, const dunlin_packet *packet);

static void connect(void *context, int behaviour, dunlin_behaviour_def *def) {
    (void)context, (void)behaviour;
    def->custom = tile_callback;
    def->pairs.callback = group_callback;
}

/* The first member of each. */
static void remove_cookies(void) {
    int *const cookies[] = {&a.world_def.cookie,     &a.species_def.cookie,  &a.batch.cookie,
                            &a.write.cookie,         &a.scatter_def.cookie,  &a.interaction_def.cookie,
                            &a.attribute_def.cookie, &a.path_def.cookie,     &a.field_def.cookie,
                            &a.field_source.cookie,  &a.trace_def.cookie,    &a.obstacle_def.cookie,
                            &a.behaviour_def.cookie, &a.meal_def.cookie,     &a.correlation_def.cookie,
                            &a.transport.cookie,     &a.scenario_def.cookie, &a.simulation_def.cookie,
                            &a.found.cookie};
    for (size_t i = 0; i < sizeof cookies / sizeof *cookies; i++) *cookies[i] = 0;
}

/* What no call sets a pointer to. */
static void *no_thing(void) {
    return &a;
}

static int int_of(const public_call *c, const char *name, int good) {
    return c->odd && strcmp(c->odd, name) == 0 ? c->odd_number : good;
}

static void arguments_make(const public_call *c) {
    const public_function *function = c->function;
    memset(&a, 0, sizeof a);
    a.world_def = dunlin_world_get_def(things.world);
    a.species_def = dunlin_species_def_default();
    a.species_def.name = "others";
    a.species_def.groups = 2;
    a.batch = dunlin_batch_default();
    a.batch.count = 1;
    a.write = dunlin_write_default();
    a.write.count = AGENTS;
    for (int d = 0; d < 3; d++) a.batch.position[d] = a.batch.velocity[d] = a.write.position[d] = a.columns[d] = a.numbers;
    a.scatter_def = dunlin_scatter_def_default(things.world);
    a.scatter_def.count = 3;
    a.interaction_def = dunlin_interaction_def_default();
    a.interaction_def.observer = 1;
    a.interaction_def.rules[0].radius = 1.0f;
    a.clock = dunlin_world_get_clock(things.world);
    a.attribute_def = dunlin_attribute_def_default();
    a.attribute_def.name = "another";
    a.path_def = dunlin_path_def_default(things.world);
    a.path_def.count = 2;
    a.path_def.points[0] = a.path_def.points[1] = a.numbers;
    a.field_def = dunlin_field_def_default(things.world);
    a.field_source = dunlin_field_source_default(things.world, DUNLIN_FIELD_CONSTANT);
    a.trace_def = dunlin_trace_def_default();
    a.obstacle_def = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    a.behaviour_def = dunlin_behaviour_def_default(things.world, DUNLIN_BEHAVIOUR_FORCE);
    a.meal_def = dunlin_meal_def_default();
    a.correlation_def = dunlin_correlation_def_default(things.world);
    a.transport = dunlin_transport_default();
    a.found = dunlin_found_default();
    a.ball.radius = a.nearest.radius = a.cone.length = a.ray.length = a.cone.direction[0] = a.ray.direction[0] = 1.0f;
    a.scenario_def = dunlin_scenario_def_default();
    a.setting = (dunlin_scenario_setting){"steps", "7"};
    a.simulation_def = dunlin_simulation_def_default();
    if (is_called(function, "open_text")) strcpy(a.text, scenario_text);
    a.from = (byte_source){bytes_for(function), ROOM, 0};
    if (c->without_cookie) remove_cookies();
    a.new_world = no_thing();
    a.new_survey = no_thing();
    a.new_displacement = no_thing();
    a.new_hold = no_thing();
    a.new_scenario = no_thing();
    a.new_simulation = no_thing();
}

/* What the call has set a pointer to, which is NULL if it has failed. */
static void *made_by(public_call *c, void *thing) {
    c->set += thing != no_thing();
    c->made += thing && thing != no_thing();
    return thing == no_thing() ? NULL : thing;
}

static void count_what_is_made(public_call *c) {
    c->set = c->made = 0;
    a.new_world = made_by(c, a.new_world);
    a.new_survey = made_by(c, a.new_survey);
    a.new_displacement = made_by(c, a.new_displacement);
    a.new_hold = made_by(c, a.new_hold);
    a.new_scenario = made_by(c, a.new_scenario);
    a.new_simulation = made_by(c, a.new_simulation);
}

static void arguments_free(void) {
    dunlin_world_destroy(a.new_world);
    dunlin_survey_destroy(a.new_survey);
    dunlin_displacement_destroy(a.new_displacement);
    dunlin_hold_release(a.new_hold);
    dunlin_scenario_close(a.new_scenario);
    dunlin_simulation_destroy(a.new_simulation);
}

/* clang-format off */
#define argument_char_p(name)                       name##_of(c)
#define name_of(c)                                  "agents"
#define message_of(c)                               "a message"
#define page_of(c)                                  "a page without tables\n"
#define path_of(c)                                  path_for((c)->function)
#define text_of(c)                                  a.text
#define argument_double(name)                       1.3 /* no whole number, which most modes would leave as it is */
#define argument_float(name)                        1.0f
#define argument_int(name)                          int_of(c, #name, int_##name)
enum { int_species, int_attribute = 0, int_axis = 0, int_behaviour = 0, int_field = 0, int_interaction = 0, int_meal = 0, int_obstacle = 0,
       int_path = 0, int_position = 0, int_trace = 0, int_count = 1, int_octaves = 1, int_dimensions = 2 };
#define argument_int_p(name)                        &a.number_of_new
#define argument_size_t(name)                       size_t_##name(c)
#define size_t_count(c)                             (is_called((c)->function, "scenario_set") ? (size_t)1 : (size_t)ROOM)
#define size_t_length(c)                            strlen(a.text)
#define size_t_size(c)                              size_for(c)
#define argument_uint32_t(name)                     uint32_t_##name
enum { uint32_t_child, uint32_t_id = 0, uint32_t_parent = 0, uint32_t_position = 0, uint32_t_stream = 0, uint32_t_count = 1 };
#define argument_uint32_t_p(name)                   &a.id
#define argument_uint64_t(name)                     1
#define argument_float_p(name)                      a.numbers
#define argument_float_pp(name)                     a.columns
#define argument_void_p(name)                       void_##name(c)
#define void_bytes(c)                               bytes_for((c)->function)
#define void_context(c)                             &a.from
#define argument_dunlin_result(name)                DUNLIN_OK
#define argument_dunlin_behaviour_kind(name)        DUNLIN_BEHAVIOUR_FORCE
#define argument_dunlin_field_kind(name)            DUNLIN_FIELD_NOISE
#define argument_dunlin_obstacle_shape(name)        DUNLIN_OBSTACLE_BOX
#define argument_dunlin_shape(name)                 DUNLIN_SHAPE_FISH
#define argument_dunlin_colour(name)                DUNLIN_COLOUR_SPEED
#define argument_dunlin_connect_fn_p(name)          connect
#define argument_dunlin_read_fn_p(name)             give
#define argument_dunlin_write_fn_p(name)            take
#define argument_dunlin_read_at_fn_p(name)          give_at
#define argument_dunlin_write_at_fn_p(name)         take_at
#define argument_dunlin_sum_fn_p(name)              bring
#define argument_dunlin_world_p(name)               things.world
#define argument_dunlin_survey_p(name)              things.survey
#define argument_dunlin_displacement_p(name)        things.displacement
#define argument_dunlin_hold_p(name)                things.hold
#define argument_dunlin_scenario_p(name)            things.scenario
#define argument_dunlin_simulation_p(name)              things.simulation
#define argument_dunlin_tile_p(name)                things.tile
#define argument_dunlin_world_pp(name)              &a.new_world
#define argument_dunlin_survey_pp(name)             &a.new_survey
#define argument_dunlin_displacement_pp(name)       &a.new_displacement
#define argument_dunlin_hold_pp(name)               &a.new_hold
#define argument_dunlin_scenario_pp(name)           &a.new_scenario
#define argument_dunlin_simulation_pp(name)             &a.new_simulation
#define argument_dunlin_world_def_p(name)           &a.world_def
#define argument_dunlin_species_def_p(name)         &a.species_def
#define argument_dunlin_batch_p(name)               &a.batch
#define argument_dunlin_scatter_def_p(name)         &a.scatter_def
#define argument_dunlin_write_p(name)               &a.write
#define argument_dunlin_group_sums_p(name)          &a.group_sums
#define argument_dunlin_interaction_def_p(name)     &a.interaction_def
#define argument_dunlin_view_p(name)                &a.view
#define argument_dunlin_clock_p(name)               &a.clock
#define argument_dunlin_attribute_def_p(name)       &a.attribute_def
#define argument_dunlin_path_def_p(name)            &a.path_def
#define argument_dunlin_field_def_p(name)           &a.field_def
#define argument_dunlin_field_source_p(name)        &a.field_source
#define argument_dunlin_trace_def_p(name)           &a.trace_def
#define argument_dunlin_obstacle_def_p(name)        &a.obstacle_def
#define argument_dunlin_behaviour_def_p(name)       &a.behaviour_def
#define argument_dunlin_meal_def_p(name)            &a.meal_def
#define argument_dunlin_metrics_p(name)             &a.metrics
#define argument_dunlin_components_p(name)          &a.components
#define argument_dunlin_density_p(name)             &a.density
#define argument_dunlin_correlation_def_p(name)     &a.correlation_def
#define argument_dunlin_correlation_p(name)         &a.correlation
#define argument_dunlin_state_info_p(name)          &a.state_info
#define argument_dunlin_found_p(name)               &a.found
#define argument_dunlin_ball_p(name)                &a.ball
#define argument_dunlin_box_p(name)                 &a.box
#define argument_dunlin_cone_p(name)                &a.cone
#define argument_dunlin_nearest_p(name)             &a.nearest
#define argument_dunlin_ray_p(name)                 &a.ray
#define argument_dunlin_displacements_p(name)       &a.displacements
#define argument_dunlin_transport_p(name)           &a.transport
#define argument_dunlin_scenario_def_p(name)        &a.scenario_def
#define argument_dunlin_scenario_number_p(name)     &a.number
#define argument_dunlin_scenario_setting_p(name)    &a.setting
#define argument_dunlin_simulation_def_p(name)          &a.simulation_def
/* clang-format on */

#include "public_calls.inc"

/* ---- things ----------------------------------------------------------------------------------------------------------- */

static public_call *waiting; /* for a callback */

static void add_world(const dunlin_world *world) {
    const uint64_t hash = world ? dunlin_world_state_hash(world) : 0;
    add_outcome(&hash, sizeof hash);
}

static void add_scenario(const dunlin_scenario *scenario) {
    static char text[ROOM];
    if (scenario) add_outcome(text, dunlin_scenario_write(scenario, text, sizeof text));
}

/* Of what has no addresses in it. A step later, since definitions show in it; but not where callbacks make calls of their own.
 */
static uint64_t outcome_of(const public_call *c) {
    const bool is_gone = is_called(c->function, "world_destroy") || is_called(c->function, "simulation_destroy");
    add_outcome(&c->result, sizeof c->result);
    add_outcome(&c->number, sizeof c->number);
    add_outcome(&c->whole, sizeof c->whole);
    add_outcome(a.numbers, sizeof a.numbers);
    add_outcome(&a.density, sizeof a.density);
    add_outcome(&a.displacements, sizeof a.displacements);
    add_outcome(&a.found.count, sizeof a.found.count);
    add_outcome(&a.metrics.polarization, sizeof a.metrics.polarization);
    add_outcome(&a.metrics.mean_speed, sizeof a.metrics.mean_speed);
    add_outcome(a.text, strnlen(a.text, ROOM));
    add_scenario(a.new_scenario);
    if (a.new_simulation) add_world(dunlin_simulation_world(a.new_simulation));
    add_world(a.new_world);
    if (is_gone || in_callback) return outcome;
    (void)dunlin_world_step(things.world, NULL);
    add_world(things.world);
    add_world(dunlin_simulation_world(things.simulation));
    return outcome;
}

static void call_in_mode(public_call *c) {
    float_mode_set(c->float_mode);
    c->function->call(c);
    c->mode_kept = float_mode_kept();
    float_mode_set(0);
}

static void tile_callback(void *user, const dunlin_tile *tile) {
    (void)user;
    if (waiting) {
        public_call *c = waiting;
        waiting = NULL;
        things.tile = tile;
        call_in_mode(c);
        things.tile = NULL;
    }
    if (in_callback) in_callback(CALLBACK_TILE);
}

static void group_callback(void *user, const dunlin_packet *packet) {
    (void)user, (void)packet;
    if (in_callback) in_callback(CALLBACK_GROUP);
}

static void run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    (void)context;
    if (in_callback) in_callback(CALLBACK_RUN);
    for (uint32_t w = 0; w < workers; w++) work(job, w);
}

static void add_behaviour(dunlin_behaviour_kind kind) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(things.world, kind);
    connect(NULL, 0, &def);
    world_add_behaviour(things.world, &def);
}

/* One thing of each kind, of which fields have a second one that is a trace; species 0 has groups. */
static void add_parts(dunlin_world *world) {
    dunlin_species_def species = dunlin_species_def_default();
    dunlin_interaction_def interaction = dunlin_interaction_def_default();
    dunlin_attribute_def value = dunlin_attribute_def_default(), group = value;
    const dunlin_meal_def meal = dunlin_meal_def_default();
    dunlin_trace_def trace = dunlin_trace_def_default();
    const dunlin_obstacle_def obstacle = dunlin_obstacle_def_default(DUNLIN_OBSTACLE_BALL);
    static const float points[2];
    dunlin_path_def path = dunlin_path_def_default(world);
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    species.groups = 2;
    interaction.rules[DUNLIN_RULE_COHESION].radius = 5.0f;
    value.name = "agents";
    group.name = "group";
    group.role = DUNLIN_ROLE_GROUP;
    group.value = 1.0f;
    path.count = 2;
    path.points[0] = path.points[1] = points;
    trace.field = 1;
    scatter.count = AGENTS;
    world_add_species(world, &species);
    species.name = "food";
    world_add_species(world, &species);
    world_add_interaction(world, &interaction);
    world_add_attribute(world, &value);
    world_add_attribute(world, &group);
    world_add_meal(world, &meal);
    for (int i = 0; i < 2; i++) world_add_field(world, NULL);
    world_add_trace(world, &trace);
    world_add_obstacle(world, &obstacle);
    world_add_path(world, &path);
    ACCEPT(dunlin_world_scatter(world, 0, &scatter, &refusal));
    ACCEPT(dunlin_world_measure_in_step(world, &refusal));
}

/* Into one of the arrays of bytes, each with room for all. */
static bool keep(void *context, const void *bytes, size_t count) {
    char **to = context;
    memcpy(*to, bytes, count);
    *to += count;
    return true;
}

static void keep_bytes(void) {
    char *at = definitions;
    ACCEPT(dunlin_world_save_definitions_to(things.world, keep, &at, &refusal));
    at = ways;
    ACCEPT(dunlin_displacement_save_to(things.displacement, keep, &at, &refusal));
    ACCEPT(dunlin_world_save_memory(things.world, checkpoint, sizeof checkpoint, &refusal));
    ACCEPT(dunlin_simulation_save_memory(things.simulation, simulation_bytes, sizeof simulation_bytes, &refusal));
}

/* A state without agents can be loaded into any world. */
static void write_files(void) {
    snprintf(state_path, sizeof state_path, "%s/calls.csv", DUNLIN_TEST_FOLDER);
    snprintf(scenario_path, sizeof scenario_path, "%s/calls.yaml", DUNLIN_TEST_FOLDER);
    FILE *state = fopen(state_path, "w"), *scenario = fopen(scenario_path, "w");
    assert_true(state && scenario);
    fputs("id,species,x,y,vx,vy\n", state);
    fputs(scenario_text, scenario);
    assert_true(fclose(state) == 0 && fclose(scenario) == 0);
}

void things_make(const char *executor, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    const bool custom = strcmp(executor, "custom") == 0;
    def.executor = executor;
    def.threads = threads;
    def.run = custom ? run : NULL;
    def.size[0] = def.size[1] = 20.0f;
    ACCEPT(dunlin_world_create(&def, &things.world, &refusal));
    add_parts(things.world);
    add_behaviour(DUNLIN_BEHAVIOUR_CUSTOM);
    add_behaviour(DUNLIN_BEHAVIOUR_PAIRS);
    ACCEPT(dunlin_survey_create(&things.survey, &refusal));
    ACCEPT(dunlin_displacement_create(things.world, &things.displacement, &refusal));
    ACCEPT(dunlin_world_hold(things.world, &things.hold, &refusal));
    ACCEPT(dunlin_scenario_open_text(scenario_text, strlen(scenario_text), NULL, &things.scenario, &refusal));
    ACCEPT(dunlin_simulation_create(things.scenario, NULL, &things.simulation, &refusal));
    keep_bytes();
    write_files();
}

void things_free(void) {
    dunlin_simulation_destroy(things.simulation);
    dunlin_scenario_close(things.scenario);
    dunlin_displacement_destroy(things.displacement);
    dunlin_hold_release(things.hold);
    dunlin_survey_destroy(things.survey);
    dunlin_world_destroy(things.world);
    things = (call_things){0};
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

/* Whether the call frees its first argument. */
static void forget_what_is_freed(const public_function *function) {
    if (is_called(function, "world_destroy")) things.world = NULL;
    if (is_called(function, "survey_destroy")) things.survey = NULL;
    if (is_called(function, "displacement_destroy")) things.displacement = NULL;
    if (is_called(function, "hold_release")) things.hold = NULL;
    if (is_called(function, "scenario_close")) things.scenario = NULL;
    if (is_called(function, "simulation_destroy")) things.simulation = NULL;
}

/* A callback's call comes while another one still has its arguments. */
void call_within(public_call *c) {
    static char kept[sizeof a];
    memcpy(kept, &a, sizeof a);
    arguments_make(c);
    c->function->call(c);
    count_what_is_made(c);
    arguments_free();
    memcpy(&a, kept, sizeof a);
}

void call_make(public_call *c) {
    outcome = 0xcbf29ce484222325u;
    c->number = 0.0;
    c->whole = 0;
    arguments_make(c);
    if (parameter_of(c->function, "tile") >= 0) {
        waiting = c;
        ACCEPT(dunlin_world_step(things.world, &refusal));
    } else {
        call_in_mode(c);
    }
    count_what_is_made(c);
    c->outcome = outcome_of(c);
    if (!(c->null & 1u)) forget_what_is_freed(c->function);
    arguments_free();
}
