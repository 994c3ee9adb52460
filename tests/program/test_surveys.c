/* SPDX-License-Identifier: MIT */
/* dunlin run --measure: surveys are columns of the metrics and of the report, where they are asked for. */
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/rows.h"
#include "tests/lib/worlds.h"

static char text[OUTPUT];

/* The last row has the last species. */
static const char *last_field(const char *column) {
    return field_in_row("metrics.csv", -1, column);
}

static double last_number(const char *column) {
    return number_in_row("metrics.csv", -1, column);
}

static void expect_number(const char *column, double want) {
    const double got = last_number(column);
    if (!(fabs(got - want) <= 1e-8 * fabs(want))) fail_msg("%s is %.12g instead of %.12g", column, got, want);
}

/* The agents that a run left in final.csv. */
static dunlin_world *final_world(void) {
    dunlin_world_def def = dunlin_world_def_default();
    def.size[0] = 640;
    def.size[1] = 240;
    def.boundary = DUNLIN_BOUNDARY_TELEPORT;
    def.margin = 3;
    dunlin_state_info info;
    ACCEPT(dunlin_state_read_info("final.csv", &info, &refusal));
    def.seed = info.seed;
    dunlin_world *world = world_create(&def);
    world_add_named(world, "boids");
    ACCEPT(dunlin_world_load(world, "final.csv", &refusal));
    return world;
}

#define SIMULATION "run noc_5_09_flock --steps 600 --quiet --metrics metrics.csv --final final.csv "

/* The means over agents of what --groups writes of each group; fields: spread and polarization are the last two. */
TEST(kin_is_the_mean_of_the_groups) {
    write_file(
        "kin.yaml",
        "world: {size: [100, 50]}\nspecies:\n"
        "  - {name: birds, agents: 5}\n"
        "  - {name: fish, agents: 90, groups: 4, attributes: [{role: group, in_turn: [0, 2]}], start: [{group_radius: 4}]}\n"
        "interactions:\n  - {observer: fish, observed: fish, separation: {radius: 6}}\n");
    expect_success("run kin.yaml --steps 20 --quiet --measure kin --metrics metrics.csv --groups kin.csv --groups-every 20");
    double groups = 0, agents = 0, spread = 0, polarization = 0;
    char *row, *rest = text;
    read_file("kin.csv", text);
    while ((row = strsep(&rest, "\n"))) {
        double members, last[2];
        char *tail = strrchr(row, ',');
        if (strncmp(row, "20,fish,", 8) != 0) continue;
        assert_int_equal(sscanf(row, "20,fish,%*d,%lf", &members), 1);
        while (tail[-1] != ',') tail--;
        assert_int_equal(sscanf(tail, "%lf,%lf", &last[0], &last[1]), 2);
        groups++;
        agents += members;
        spread += members * last[0];
        polarization += members * last[1];
    }
    assert_true(groups == 3 && agents == 90 && polarization < 89.9);
    expect_number("kin_groups", 3);
    expect_number("kin_size", 30);
    expect_number("kin_spread", spread / agents);
    expect_number("kin_polarization", polarization / agents);
}

/* In every column of --groups: a group of one agent is where this agent is. */
TEST(groups_of_one_are_their_agents) {
    static char agents[OUTPUT];
    write_file("alone.yaml", "world: {dimensions: 3, size: [100, 50, 70]}\nspecies:\n"
                             "  - {name: fish, agents: 3, groups: 3, attributes: [{role: group, in_turn: [0, 2]}]}\n");
    expect_success("run alone.yaml --steps 5 --quiet --groups alone.csv --groups-every 5 --final final.csv");
    read_file("alone.csv", text);
    read_file("final.csv", agents);
    assert_ptr_equal(strstr(text, "step,species,group,agents,leader,x,y,z,vx,vy,vz,spread,polarization\n"), text);
    assert_non_null(strstr(agents, "\nid,species,x,y,z,vx,vy,vz,"));
    int groups = 0;
    for (const char *row = strstr(text, "\n5,"); row; row = strstr(row + 1, "\n5,"), groups++) {
        double got[6], want[6];
        char agent[40];
        int group, id;
        assert_int_equal(sscanf(row, "\n5,fish,%d,1,%d,%lf,%lf,%lf,%lf,%lf,%lf", &group, &id, got, got + 1, got + 2, got + 3,
                                got + 4, got + 5),
                         8);
        snprintf(agent, sizeof agent, "\n%d,fish,", id);
        const char *at = strstr(agents, agent);
        assert_true(group == groups && at);
        assert_int_equal(
            sscanf(at + strlen(agent), "%lf,%lf,%lf,%lf,%lf,%lf", want, want + 1, want + 2, want + 3, want + 4, want + 5), 6);
        for (int i = 0; i < 6; i++) assert_true(fabs(got[i] - want[i]) <= 1e-5 * fabs(want[i]));
    }
    assert_int_equal(groups, 3);
}

TEST(columns_are_the_surveys_of_the_last_state) {
    expect_success(SIMULATION "--measure groups=20,density=33,correlation=44");
    dunlin_world *world = final_world();
    dunlin_survey *survey;
    dunlin_components groups;
    dunlin_density density;
    dunlin_correlation correlation;
    ACCEPT(dunlin_survey_create(&survey, &refusal));
    ACCEPT(dunlin_survey_components(survey, world, 0, 20, &groups, &refusal));
    assert_true(groups.count > 1 && groups.largest > 1);
    expect_number("groups", groups.count);
    expect_number("largest_group", groups.largest);
    expect_number("mean_group_size", groups.mean_size);
    expect_number("typical_group_size", groups.typical_size);
    expect_number("group_radius", 20);
    ACCEPT(dunlin_survey_density(survey, world, 0, 33, &density, &refusal));
    expect_number("density", density.mean_density);
    expect_number("density_deviation", sqrt(density.density_variance));
    expect_number("box_size", 33);
    dunlin_density densities[3]; /* of 8, 24 and 96 boxes; of the next there are more than agents */
    for (int i = 0; i < 3; i++) ACCEPT(dunlin_survey_density(survey, world, 0, 160.0 / (1 << i), &densities[i], &refusal));
    expect_number("fluctuation_exponent", dunlin_fluctuation_exponent(densities, 3));
    dunlin_correlation_def def = dunlin_correlation_def_default(world);
    def.max_radius = 44;
    ACCEPT(dunlin_survey_correlation(survey, world, &def, &correlation, &refusal));
    expect_number("velocity_fluctuation", correlation.fluctuation);
    expect_number("correlation_radius", 44);
    expect_number("correlation_length", correlation.length);
    dunlin_survey_destroy(survey);
}

TEST(lengths_that_are_not_given_are_chosen) {
    expect_success(SIMULATION "--measure correlation,groups --hash");
    static char hash[OUTPUT];
    strcpy(hash, out);
    expect_number("group_radius", last_number("neighbour_radius"));
    expect_number("correlation_radius", 120);
    assert_true(last_number("correlation_length") > 0 && last_number("correlation_length") < 120);
    assert_null(last_field("density"));
    expect_success(SIMULATION "--measure density --hash");
    assert_string_equal(out, hash);
    expect_number("box_size", 40);
    assert_null(last_field("groups"));
    expect_success(SIMULATION "--hash");
    assert_string_equal(out, hash);
    assert_null(last_field("density"));
}

/* A species that does not observe itself has no radius for groups, and an open world no exponent. */
TEST(what_cannot_be_measured_is_empty) {
    expect_success("run firework --steps 20 --quiet --metrics metrics.csv --measure groups,density,correlation");
    assert_string_equal(last_field("groups"), "");
    assert_string_equal(last_field("group_radius"), "");
    assert_true(last_number("density") > 0);
}

/* ---- no agents --------------------------------------------------------------------------------------------------------- */

/* Of a row, whose columns `heads` names: of no agents only counts and a setting have values; of agents the speed has one. */
static int check_row(char *row, const char *heads) {
    char copy[1024], *head = copy, *name;
    double agents = -1;
    int missing = 0;
    snprintf(copy, sizeof copy, "%s", heads);
    while ((name = strsep(&head, ","))) {
        const char *field = strsep(&row, ",");
        assert_non_null(field);
        if (strcmp(name, "agents") == 0) agents = atof(field);
        if (strcmp(name, "mean_speed") == 0 && agents > 0 && !*field) fail_msg("%g agents have no speed", agents);
        static const char *const always[] = {"step", "species", "agents", "outside", "neighbour_radius"};
        bool has_value = false;
        for (int i = 0; i < 5; i++) has_value = has_value || strcmp(name, always[i]) == 0;
        if (agents == 0 && !has_value && *field) fail_msg("%s of no agents is %s", name, field);
        missing += agents == 0 && !has_value;
    }
    assert_null(row);
    return missing;
}

/* Of a species that is extinct from the start, and of one that is eaten on the way; measured in passing, and at once. */
TEST(metrics_of_no_agents_are_missing) {
    static const char *const surveys[] = {"", "--measure groups=2,density,correlation,displacement,kin"};
    write_file("extinct.yaml",
               "world: {size: [100, 100]}\nspecies:\n"
               "  - {name: absent, agents: 0, groups: 2, attributes: [{role: group, value: 0}]}\n"
               "  - {name: prey, min_speed: 0.3, max_speed: 0.3, agents: 4, groups: 2, attributes: [{role: group, value: 0}],\n"
               "     start: [{centre: [50, 50], extent: [0, 0], velocity: [0.3, 0]}]}\n"
               "  - {name: wolf, max_speed: 2, agents: 1, start: [{centre: [30, 50], extent: [0, 0], velocity: [1, 0]}]}\n"
               "interactions:\n  - {observer: prey, alignment: {radius: 3}}\n"
               "meals:\n  - {eater: wolf, food: prey, radius: 1}\n");
    for (int i = 0; i < 2; i++) {
        char arguments[256];
        int rows = 0, missing = 0;
        snprintf(arguments, sizeof arguments, "run extinct.yaml --steps 40 --metrics metrics.csv %s", surveys[i]);
        expect_success(arguments);
        assert_non_null(strstr(out, "- ")); /* the report shows them so */
        read_file("metrics.csv", text);
        char *row, *rest = text, *heads = strsep(&rest, "\n");
        for (; (row = strsep(&rest, "\n")) && *row; rows++) missing += check_row(row, heads) > 0;
        assert_true(rows == 3 * 41 && missing > 41 + 5 && missing < 2 * 41 - 5);
    }
}

/* The points of one curve in curves.csv: how many, and the sums of y and of their counts. */
static int add_curve(const char *curve, double *y, double *count) {
    int points = 0;
    *y = *count = 0;
    read_file("curves.csv", text);
    for (char *line = text, *end; *line; line = end + 1) {
        char name[32];
        double x, value, behind;
        end = strchr(line, '\n');
        if (sscanf(line, "boids,%31[^,],%lf,%lf,%lf", name, &x, &value, &behind) != 4 || strcmp(name, curve) != 0) continue;
        points++;
        *y += value;
        *count += behind;
    }
    return points;
}

TEST(curves_are_those_behind_the_metrics) {
    double y, count;
    expect_success(SIMULATION "--measure groups=20,density,correlation=20 --curves curves.csv");
    assert_true(add_curve("groups", &y, &count) > 1);
    assert_true(fabs(y - 1) < 1e-8);
    expect_number("groups", count);
    assert_true(add_curve("density", &y, &count) == 3 && count == 8 + 24 + 96);
    assert_true(add_curve("correlation", &y, &count) > 10 && count > 100);
    read_file("curves.csv", text);
    assert_int_equal(strncmp(text, "species,curve,x,y,count\n", 24), 0);
    assert_non_null(strstr(text, "boids,correlation,0.2,"));
    assert_non_null(strstr(text, "boids,correlation,19.8,"));
    expect_success(SIMULATION "--measure groups=20 --curves curves.csv");
    assert_true(add_curve("density", &y, &count) == 0 && add_curve("groups", &y, &count) > 1);
}
