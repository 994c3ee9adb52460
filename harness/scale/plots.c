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
    int first, last;      /* dimensions that it shows, those with rows among them */
    plot script;
} sweep_plot;

typedef struct plot_def {
    sweep_kind sweep;
    const char *name, *title;
    bool is_split;                      /* a plot for 2D and one for 3D */
    figure x, y;                        /* of a bar, x is the text below and `above` the ratio above it */
    figure above;                       /* FIGURE_NONE: lines */
    void (*set_up)(const sweep_plot *); /* the rest of the axes; NULL: `settings` say all */
    const char *settings;
} plot_def;

/* ---- data ------------------------------------------------------------------------------------------------------------- */

static const frame_row *last_row(const sweep_plot *p, int dimensions) {
    return &p->of[dimensions].row[p->of[dimensions].count - 1];
}

static bool is_count(figure which) {
    return which == FIGURE_THREADS || which == FIGURE_RANKS;
}

/* Whether rows alternate: one thread and all threads, or a distribution and the uniform one. */
static bool is_paired(const sweep_plot *p, int dimensions) {
    return p->def->sweep == SWEEP_DISTRIBUTION || last_row(p, dimensions)->threads != p->of[dimensions].row[0].threads;
}

/* "value minimum maximum", which follow the speeds of the repeats: a cost falls where the speed rises. */
static void write_spread(const sweep_plot *p, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    double scale = p->def->y == FIGURE_EFFICIENCY ? 100.0 : 1.0, value = scale * figure_of(rows, i, p->def->y);
    double low = row->agent_updates_per_second_min / row->agent_updates_per_second;
    double high = row->agent_updates_per_second_max / row->agent_updates_per_second;
    bool is_cost = p->def->y == FIGURE_PAIR;
    fprintf(p->script.file, " %.4g %.4g %.4g", value, value * (is_cost ? 1.0 / high : low),
            value * (is_cost ? 1.0 / low : high));
}

/* "which place" of a bar before the spread, and the text above it. The bars of 3D stand beside those of 2D. */
static void write_bar(const sweep_plot *p, const sweep_rows *rows, int i, bool is_after_2d) {
    int dimensions = rows->row[i].workload.dimensions;
    bool paired = is_paired(p, dimensions);
    double place = (is_after_2d ? (p->of[2].count + 1) / 2 : 0) + (paired ? i / 2 + (i % 2 == 0 ? -0.2 : 0.2) : i);
    double ratio = figure_of(rows, i, p->def->above);
    fprintf(p->script.file, "%d %g", paired ? i % 2 : 0, place);
    write_spread(p, rows, i);
    fprintf(p->script.file, isnan(ratio) ? " \"\"\n" : ratio < 1.0 ? " \"%.2f\u00d7\"\n" : " \"%.3g\u00d7\"\n", ratio);
}

/* What was measured in 2D as $d2, in 3D as $d3, a line per row. */
static void write_block(const sweep_plot *p, int dimensions) {
    const sweep_rows *rows = &p->of[dimensions];
    fprintf(p->script.file, "$d%d << EOD\n", dimensions);
    for (int i = 0; i < rows->count; i++) {
        if (p->def->above != FIGURE_NONE) {
            write_bar(p, rows, i, p->first < dimensions);
        } else {
            fprintf(p->script.file, "%.10g", figure_of(rows, i, p->def->x));
            write_spread(p, rows, i);
            fputc('\n', p->script.file);
        }
    }
    fputs("EOD\n", p->script.file);
}

/* ---- axes ------------------------------------------------------------------------------------------------------------- */

/* Of threads, or of ranks, which are the same wherever they are plotted. */
static void set_up_counts(const sweep_plot *p) {
    const bool of_ranks = p->def->x == FIGURE_RANKS;
    const sweep_rows *rows = &p->of[p->first];
    int most = (int)figure_of(rows, rows->count - 1, p->def->x), cores = of_ranks ? 0 : p->host->cores;
    fprintf(p->script.file, "set xlabel '%s'\nset logscale x 2\nset xrange [0.87:%g]\n", of_ranks ? "ranks" : "threads",
            most > 1 ? most * 1.15 : 2.0);
    if (p->def->y == FIGURE_SPEED_UP && p->def->sweep != SWEEP_RANKS_SPLIT)
        fprintf(p->script.file, "set yrange [*<0.8:%g]\n", 1.4 * most);
    if (cores < 1 || cores >= most) return;
    fprintf(p->script.file,
            "set arrow from %d, graph 0 to %d, graph 1 nohead dashtype 3 linecolor rgb '#888888'\n"
            "set label '%d cores' at %d, graph 0.06 right offset -0.5, 0 font ',13' textcolor rgb '#555555'\n",
            cores, cores, cores, cores);
}

/* The names below the bars. */
static void set_up_bars(const sweep_plot *p) {
    int place = 0;
    /* A plot of kernels has many long names. */
    fprintf(p->script.file, "set xtics scale 0 %s(", p->def->is_split ? "rotate by 20 right " : "");
    for (int dimensions = p->first; dimensions <= p->last; dimensions++) {
        const sweep_rows *rows = &p->of[dimensions];
        for (int i = 0; i < rows->count; i += is_paired(p, dimensions) ? 2 : 1) {
            const char *space = p->def->is_split ? "" : dimensions == 2 ? " 2D" : " 3D";
            fprintf(p->script.file, "%s'%s%s' %d", place > 0 ? ", " : "", figure_text(&rows->row[i], p->def->x), space, place);
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
               dimensions, is_count(p->def->x) ? ":xtic(1)" : "", dimensions == 2 ? 7 : 5, colours[dimensions], dimensions);
}

/* The bars of block $dD with `which`, with whiskers, and texts above. */
static void add_bars(sweep_plot *p, int dimensions, int which) {
    static const char *const distributions[] = {"clumped, flocked", "uniform, as dense"};
    const frame_row *row = &p->of[dimensions].row[which];
    char title[64] = "";
    if (dimensions == p->first && p->def->sweep == SWEEP_DISTRIBUTION)
        snprintf(title, sizeof title, "%s", distributions[which]);
    else if (dimensions == p->first)
        snprintf(title, sizeof title, "%d thread%s", row->threads, row->threads > 1 ? "s at once" : "");
    plot_curve(&p->script, "$d%d using ($1==%d?$2:1/0):3:4:5:(0.38) with boxerrorbars fillcolor rgb '%s' title '%s'",
               dimensions, which, (which == 0 ? colours : pale)[p->first], title);
    plot_curve(&p->script, "$d%d using ($1==%d?$2:1/0):5:6 with labels offset 0, 0.7 font ',12' notitle", dimensions, which);
}

static void add_curves(sweep_plot *p, int dimensions) {
    if (p->of[dimensions].count == 0) return;
    if (p->def->above == FIGURE_NONE) {
        add_line(p, dimensions);
        return;
    }
    add_bars(p, dimensions, 0);
    if (is_paired(p, dimensions) && p->of[dimensions].count > 1) add_bars(p, dimensions, 1);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

#define EFFICIENCY_AXIS "set ylabel 'efficiency (% of ideal)'\nset yrange [0:110<*]\n"
#define PAIR_AXIS       "set ylabel 'thread time per useful pair (ns)'\nset yrange [0:*]\n"

static const plot_def plots[] = {
    {SWEEP_STRONG, "strong_speedup", "Strong scaling: speed-up", false, FIGURE_THREADS, FIGURE_SPEED_UP, FIGURE_NONE,
     set_up_counts, "set ylabel 'speed-up (times one thread)'\nset logscale y 2\nset autoscale yfixmin\n"},
    {SWEEP_STRONG, "strong_efficiency", "Strong scaling: efficiency", false, FIGURE_THREADS, FIGURE_EFFICIENCY, FIGURE_NONE,
     set_up_counts, EFFICIENCY_AXIS},
    {SWEEP_WEAK, "weak_efficiency", "Weak scaling: efficiency", false, FIGURE_THREADS, FIGURE_EFFICIENCY, FIGURE_NONE,
     set_up_counts, EFFICIENCY_AXIS},
    {SWEEP_DENSITY, "density", "Cost per useful pair, by density", false, FIGURE_NEIGHBOURS, FIGURE_PAIR, FIGURE_NONE, NULL,
     PAIR_AXIS "set xlabel 'neighbours within the radius (mean)'\nset logscale x\nset xtics (5, 10, 20, 50, 100, 200)\n"
               "set xrange [4:250]\n"},
    {SWEEP_KERNELS, "kernels", "Kernels beside baselines", true, FIGURE_KERNEL, FIGURE_SPEED_PER_THREAD, FIGURE_TIMES_AOS,
     set_up_bars, "set ylabel 'million agent-updates/s per thread'\n"},
    {SWEEP_DISTRIBUTION, "distribution", "Cost per useful pair, by distribution", false, FIGURE_DISTRIBUTION, FIGURE_PAIR,
     FIGURE_TIMES_UNIFORM, set_up_bars, PAIR_AXIS},
    {SWEEP_SIZE, "size", "Agent-updates per second by size", true, FIGURE_AGENTS, FIGURE_SPEED, FIGURE_NONE, set_up_sizes,
     "set xlabel 'agents (dashed: as many as the caches of these threads hold)'\nset logscale x\nset format x '%.0s %c'\n"
     "set ylabel 'million agent-updates/s'\nset yrange [0:*]\nset offsets 0, 0, graph 0.1, 0\nunset key\n"},
    {SWEEP_RANKS_STRONG, "strong_speedup", "Strong scaling: speed-up", false, FIGURE_RANKS, FIGURE_SPEED_UP, FIGURE_NONE,
     set_up_counts, "set ylabel 'speed-up (times one rank)'\nset logscale y 2\nset autoscale yfixmin\n"},
    {SWEEP_RANKS_STRONG, "strong_efficiency", "Strong scaling: efficiency", false, FIGURE_RANKS, FIGURE_EFFICIENCY, FIGURE_NONE,
     set_up_counts, EFFICIENCY_AXIS},
    {SWEEP_RANKS_WEAK, "weak_efficiency", "Weak scaling: efficiency", false, FIGURE_RANKS, FIGURE_EFFICIENCY, FIGURE_NONE,
     set_up_counts, EFFICIENCY_AXIS},
    {SWEEP_RANKS_SPLIT, "split", "Ranks or threads", false, FIGURE_RANKS, FIGURE_SPEED_UP, FIGURE_NONE, set_up_counts,
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
    bool has_bars = p->def->above != FIGURE_NONE;
    fprintf(p->script.file, "set key %s horizontal\n", has_bars ? "top left" : "at screen 0.98, 0.98 right top");
    fputs(p->def->settings, p->script.file);
    if (p->def->set_up) p->def->set_up(p);
    if (is_count(p->def->x))
        plot_curve(&p->script, "%s with lines dashtype 2 linewidth 2 linecolor rgb '#888888' title 'ideal'",
                   p->def->y == FIGURE_EFFICIENCY       ? "100"
                   : p->def->sweep == SWEEP_RANKS_SPLIT ? "1"
                                                        : "x");
    for (int dimensions = p->first; dimensions <= p->last; dimensions++) add_curves(p, dimensions);
    return plot_close(&p->script, error);
}

/* Of the dimensions first .. last, as far as they were measured. */
static dunlin_result draw(scale_run *run, const plot_def *def, int first, int last, dunlin_error *error) {
    sweep_plot p = {.def = def, .host = &run->host, .of = run->results.of[def->sweep], .first = first, .last = last};
    char name[PLOT_NAME];
    while (p.first <= p.last && p.of[p.first].count == 0) p.first++;
    while (p.first <= p.last && p.of[p.last].count == 0) p.last--;
    if (p.first > p.last) return DUNLIN_OK;
    snprintf(name, sizeof name, def->is_split ? "%s_%dd" : "%s", def->name, p.first);
    dunlin_result result = write_plot(&p, run, name, error);
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
