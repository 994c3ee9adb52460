/* SPDX-License-Identifier: MIT */
#include "harness/report/gnuplot.h"
#include "harness/scale/scale.h"

#include <math.h>
#include <string.h>

static const char *const colours[4] = {[2] = "#0072b2", [3] = "#d55e00"};
static const char *const pale[4] = {[2] = "#8cc3e6", [3] = "#f2b48a"};

/* A plot being written. */
typedef struct sweep_plot {
    const struct plot_def *def;
    const machine *host;
    const sweep_rows *of; /* [dimensions] */
    json_t *json[4];      /* the same */
    int first, last;      /* dimensions that it shows, those with rows among them */
    plot script;
} sweep_plot;

typedef struct plot_def {
    sweep_kind sweep;
    const char *name, *title;
    bool is_split;     /* a plot for 2D and one for 3D */
    const char *x, *y; /* figures of the rows' JSON; of a bar, x is the text below */
    double scale;      /* of y */
    bool is_cost;      /* falls where the speed rises */
    bool has_bars;
    void (*set_up)(const sweep_plot *); /* the rest of the axes; NULL: `settings` say all */
    const char *settings;
} plot_def;

/* ---- data ------------------------------------------------------------------------------------------------------------- */

static const frame_row *last_row(const sweep_plot *p, int dimensions) {
    return &p->of[dimensions].row[p->of[dimensions].count - 1];
}

static double figure(const sweep_plot *p, int dimensions, int i, const char *name) {
    return json_figure(json_array_get(p->json[dimensions], (size_t)i), name);
}

static bool is_count(const sweep_plot *p) {
    return strcmp(p->def->x, "threads") == 0 || strcmp(p->def->x, "ranks") == 0;
}

/* Whether rows alternate: one thread and all threads. */
static bool is_paired(const sweep_plot *p, int dimensions) {
    return p->def->has_bars && last_row(p, dimensions)->threads != p->of[dimensions].row[0].threads;
}

/* "value minimum maximum", which follow the speeds of the repeats. */
static void write_spread(const sweep_plot *p, int dimensions, int i) {
    const frame_row *row = &p->of[dimensions].row[i];
    const double value = p->def->scale * figure(p, dimensions, i, p->def->y);
    const double low = row->agent_updates_per_second_min / row->agent_updates_per_second;
    const double high = row->agent_updates_per_second_max / row->agent_updates_per_second;
    fprintf(p->script.file, " %.4g %.4g %.4g", value, value * (p->def->is_cost ? 1.0 / high : low),
            value * (p->def->is_cost ? 1.0 / low : high));
}

/* "which place" of a bar before the spread, and the ratio to baseline-aos above it. The bars of 3D stand beside those of 2D. */
static void write_bar(const sweep_plot *p, int dimensions, int i) {
    const bool paired = is_paired(p, dimensions);
    const int before = p->first < dimensions ? p->of[2].count : 0;
    const double place = paired ? i / 2 + (i % 2 == 0 ? -0.2 : 0.2) : before + i;
    const double ratio = figure(p, dimensions, i, "times_baseline_aos");
    fprintf(p->script.file, "%d %g", paired ? i % 2 : 0, place);
    write_spread(p, dimensions, i);
    fprintf(p->script.file, isnan(ratio) ? " \"\"\n" : ratio < 1.0 ? " \"%.2f\u00d7\"\n" : " \"%.3g\u00d7\"\n", ratio);
}

/* What was measured in 2D as $d2, in 3D as $d3, a line per row. */
static void write_block(const sweep_plot *p, int dimensions) {
    fprintf(p->script.file, "$d%d << EOD\n", dimensions);
    for (int i = 0; i < p->of[dimensions].count; i++) {
        if (p->def->has_bars) {
            write_bar(p, dimensions, i);
        } else {
            fprintf(p->script.file, "%.10g", figure(p, dimensions, i, p->def->x));
            write_spread(p, dimensions, i);
            fputc('\n', p->script.file);
        }
    }
    fputs("EOD\n", p->script.file);
}

/* ---- axes ------------------------------------------------------------------------------------------------------------- */

/* Of threads, or of ranks, which are the same wherever they are plotted. */
static void set_up_counts(const sweep_plot *p) {
    const bool of_ranks = strcmp(p->def->x, "ranks") == 0;
    const int most = (int)figure(p, p->first, p->of[p->first].count - 1, p->def->x), cores = of_ranks ? 0 : p->host->cores;
    fprintf(p->script.file, "set xlabel '%s'\nset logscale x 2\nset xrange [0.87:%g]\n", p->def->x,
            most > 1 ? most * 1.15 : 2.0);
    if (strcmp(p->def->y, "speed_up") == 0 && p->def->sweep != SWEEP_RANKS_SPLIT)
        fprintf(p->script.file, "set yrange [*<0.8:%g]\n", 1.4 * most);
    if (cores < 1 || cores >= most) return;
    fprintf(p->script.file,
            "set arrow from %d, graph 0 to %d, graph 1 nohead dashtype 3 linecolor rgb '#888888'\n"
            "set label '%d core%s' at %d, graph 0.06 right offset -0.5, 0 font ',13' textcolor rgb '#555555'\n",
            cores, cores, cores, cores > 1 ? "s" : "", cores);
}

/* The names below the bars. */
static void set_up_bars(const sweep_plot *p) {
    int place = 0;
    fputs("set xtics scale 0 rotate by 20 right (", p->script.file);
    for (int dimensions = p->first; dimensions <= p->last; dimensions++) {
        for (int i = 0; i < p->of[dimensions].count; i += is_paired(p, dimensions) ? 2 : 1) {
            const char *space = p->def->is_split ? "" : dimensions == 2 ? " 2D" : " 3D";
            const json_t *name = json_object_get(json_array_get(p->json[dimensions], (size_t)i), p->def->x);
            fprintf(p->script.file, "%s'%s%s' %d", place > 0 ? ", " : "", json_string_value(name), space, place);
            place++;
        }
    }
    fprintf(p->script.file,
            ")\nset xrange [-0.6:%g]\nset yrange [0:*]\nset offsets 0, 0, graph 0.22, 0\n"
            "set style fill solid noborder\nset errorbars linecolor rgb '#333333'\n",
            place - 0.4);
}

/* The bytes of all caches of that level that so many threads have, one thread per core as long as there are cores. */
static double cache_bytes(const machine *host, const machine_cache *cache, int threads) {
    double threads_a_core = host->cores > 0 ? (double)host->threads / host->cores : 1.0;
    double cores = threads < host->cores ? threads : host->cores;
    return (double)cache->bytes * ceil(cores * threads_a_core / (cache->shared_by > 0 ? cache->shared_by : 1));
}

/* Vertical lines at the numbers of agents that fill the caches. */
static void set_up_sizes(const sweep_plot *p) {
    const frame_row *last = last_row(p, p->first);
    double right = last->workload.agents;
    for (int i = 0; i < p->host->cache_count; i++) {
        double bytes = cache_bytes(p->host, &p->host->caches[i], last->threads), agents = bytes / last->bytes_per_agent;
        int thousands = (int)(log2(bytes) / 10.0);
        fprintf(p->script.file,
                "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dashtype 2 linecolor rgb '#888888'\n"
                "set label 'L%d: %.3g %ciB' at %.6g, graph 0.03 left rotate by 90 offset -0.8, 0 font ',13' "
                "textcolor rgb '#555555'\n",
                agents, agents, p->host->caches[i].level, bytes / pow(1024.0, thousands), " KMGT"[thousands], agents);
        right = fmax(right, agents);
    }
    fprintf(p->script.file, "set xrange [%g:%g]\n", 0.6 * p->of[p->first].row[0].workload.agents, 1.6 * right);
}

/* ---- curves ----------------------------------------------------------------------------------------------------------- */

/* A line with whiskers from the minimum to the maximum of the repeats. Numbers of threads are tics. */
static void add_line(sweep_plot *p, int dimensions) {
    plot_curve(&p->script,
               "$d%d using 1:2:3:4%s with yerrorlines linewidth 2 pointtype %d pointsize 0.8 linecolor rgb '%s' "
               "title '%dD'",
               dimensions, is_count(p) ? ":xtic(1)" : "", dimensions == 2 ? 7 : 5, colours[dimensions], dimensions);
}

/* The bars of block $dD with `which`, with whiskers, and texts above. */
static void add_bars(sweep_plot *p, int dimensions, int which) {
    const int threads = p->of[dimensions].row[which].threads;
    char title[64] = "";
    if (p->def->is_split) snprintf(title, sizeof title, "%d thread%s", threads, threads > 1 ? "s at once" : "");
    plot_curve(&p->script, "$d%d using ($1==%d?$2:1/0):3:4:5:(0.38) with boxerrorbars fillcolor rgb '%s' title '%s'",
               dimensions, which, (which == 0 ? colours : pale)[dimensions], title);
    plot_curve(&p->script, "$d%d using ($1==%d?$2:1/0):5:6 with labels offset 0, 0.7 font ',12' notitle", dimensions, which);
}

static void add_curves(sweep_plot *p, int dimensions) {
    if (p->of[dimensions].count == 0) return;
    if (!p->def->has_bars) {
        add_line(p, dimensions);
        return;
    }
    add_bars(p, dimensions, 0);
    if (is_paired(p, dimensions) && p->of[dimensions].count > 1) add_bars(p, dimensions, 1);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

#define EFFICIENCY 100.0, false, false, set_up_counts, "set ylabel 'efficiency (% of ideal)'\nset yrange [0:110<*]\n"
#define SPEED_UP(per)                                                                                                          \
    1.0, false, false, set_up_counts, "set ylabel 'speed-up (times one " per ")'\nset logscale y 2\nset autoscale yfixmin\n"
#define PAIR_AXIS "set ylabel 'thread time per useful pair (ns)'\nset yrange [0:*]\n"

static const plot_def plots[] = {
    {SWEEP_STRONG, "strong_speedup", "Strong scaling: speed-up", false, "threads", "speed_up", SPEED_UP("thread")},
    {SWEEP_STRONG, "strong_efficiency", "Strong scaling: efficiency", false, "threads", "efficiency", EFFICIENCY},
    {SWEEP_WEAK, "weak_efficiency", "Weak scaling: efficiency", false, "threads", "efficiency", EFFICIENCY},
    {SWEEP_DENSITY, "density", "Cost per useful pair, by density", false, "neighbours_found", "thread_ns_per_useful_pair", 1.0,
     true, false, NULL,
     PAIR_AXIS "set xlabel 'neighbours within the radius (mean)'\nset logscale x\nset xtics (5, 10, 20, 50, 100, 200)\n"
               "set xrange [4:250]\n"},
    {SWEEP_KERNELS, "kernels", "Kernels beside baselines", true, "kernel", "updates_per_second_per_thread", 1e-6, false, true,
     set_up_bars, "set ylabel 'million agent-updates/s per thread'\n"},
    {SWEEP_DISTRIBUTION, "distribution", "Cost per useful pair, by distribution", false, "distribution",
     "thread_ns_per_useful_pair", 1.0, true, true, set_up_bars, PAIR_AXIS},
    {SWEEP_SIZE, "size", "Agent-updates per second by size", true, "agents", "agent_updates_per_second", 1e-6, false, false,
     set_up_sizes,
     "set xlabel 'agents (dashed: as many as the caches of these threads hold)'\nset logscale x\nset format x '%.0s %c'\n"
     "set ylabel 'million agent-updates/s'\nset yrange [0:*]\nset offsets 0, 0, graph 0.1, 0\nunset key\n"},
    {SWEEP_RANKS_STRONG, "strong_speedup", "Strong scaling: speed-up", false, "ranks", "speed_up", SPEED_UP("rank")},
    {SWEEP_RANKS_STRONG, "strong_efficiency", "Strong scaling: efficiency", false, "ranks", "efficiency", EFFICIENCY},
    {SWEEP_RANKS_WEAK, "weak_efficiency", "Weak scaling: efficiency", false, "ranks", "efficiency", EFFICIENCY},
    {SWEEP_RANKS_SPLIT, "split", "Ranks or threads", false, "ranks", "speed_up", 1.0, false, false, set_up_counts,
     "set ylabel 'speed (times one rank)'\nset yrange [0:1.1<*]\n"},
};
enum { PLOTS = sizeof plots / sizeof *plots };

/* "Kernels in 2D", "AMD EPYC 7B13, avx2, 20 neighbours, commit ed67577" */
static dunlin_result open_plot(sweep_plot *p, const scale_run *run, const char *name, dunlin_error *error) {
    char title[96], subtitle[256] = "";
    FILE *text = fmemopen(subtitle, sizeof subtitle, "w");
    snprintf(title, sizeof title, p->def->is_split ? "%s in %dD" : "%s", p->def->title, p->first);
    if (text) {
        fprintf(text, "%.60s, ", run->host.cpu);
        sweep_describe(text, p->def->sweep, last_row(p, p->first));
        fprintf(text, "commit %.40s", run->host.commit);
        fclose(text);
    }
    return plot_open(&p->script, run->folder, name, title, subtitle, error);
}

static dunlin_result write_plot(sweep_plot *p, const scale_run *run, const char *name, dunlin_error *error) {
    dunlin_result result = open_plot(p, run, name, error);
    if (result != DUNLIN_OK) return result;
    for (int dimensions = p->first; dimensions <= p->last; dimensions++) write_block(p, dimensions);
    /* The key stands where it hides nothing: beside the title, or, too wide for that, above the bars. */
    fprintf(p->script.file, "set key %s horizontal\n", p->def->has_bars ? "top left" : "at screen 0.98, 0.98 right top");
    fputs(p->def->settings, p->script.file);
    if (p->def->set_up) p->def->set_up(p);
    if (is_count(p))
        plot_curve(&p->script, "%s with lines dashtype 2 linewidth 2 linecolor rgb '#888888' title 'ideal'",
                   p->def->scale == 100.0               ? "100"
                   : p->def->sweep == SWEEP_RANKS_SPLIT ? "1"
                                                        : "x");
    for (int dimensions = p->first; dimensions <= p->last; dimensions++) add_curves(p, dimensions);
    return plot_close(&p->script, error);
}

/* Of the dimensions first .. last, as far as they were measured. */
static dunlin_result draw(scale_run *run, const plot_def *def, int first, int last, dunlin_error *error) {
    sweep_plot p = {.def = def, .host = &run->host, .of = run->results[def->sweep], .first = first, .last = last};
    char name[PLOT_NAME];
    while (p.first <= p.last && p.of[p.first].count == 0) p.first++;
    while (p.first <= p.last && p.of[p.last].count == 0) p.last--;
    if (p.first > p.last) return DUNLIN_OK;
    snprintf(name, sizeof name, def->is_split ? "%s_%dd" : "%s", def->name, p.first);
    for (int d = p.first; d <= p.last; d++) p.json[d] = sweep_json(def->sweep, &p.of[d]);
    dunlin_result result = write_plot(&p, run, name, error);
    for (int d = p.first; d <= p.last; d++) json_decref(p.json[d]);
    if (result == DUNLIN_OK && plot_draw(run->folder, name))
        memcpy(run->drawn[def->sweep].name[run->drawn[def->sweep].count++], name, sizeof name);
    return result;
}

dunlin_result scale_plots_draw(scale_run *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (const plot_def *def = plots; def < plots + PLOTS && result == DUNLIN_OK; def++) {
        result = draw(run, def, 2, def->is_split ? 2 : 3, error);
        if (result == DUNLIN_OK && def->is_split) result = draw(run, def, 3, 3, error);
    }
    return result;
}
