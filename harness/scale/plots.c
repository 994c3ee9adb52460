/* SPDX-License-Identifier: MIT */
#include "harness/scale/plots.h"
#include "harness/report/gnuplot.h"
#include "harness/scale/scaling.h"
#include "harness/report/numbers.h"

#include <math.h>
#include <string.h>

static const char *const colours[4] = {[2] = "#0072b2", [3] = "#d55e00"};
static const char *const pale[4] = {[2] = "#8cc3e6", [3] = "#f2b48a"};

/* A plot being written. `list` receives its name. */
typedef struct sweep_plot {
    const char *folder;
    const machine *host;
    sweep_kind sweep;
    const sweep_rows *of; /* [dimensions] */
    plot_list *list;
    plot script;
} sweep_plot;

/* ---- common to all ---------------------------------------------------------------------------------------------------- */

static const frame_row *any_row(const sweep_plot *p) {
    return p->of[2].count > 0 ? &p->of[2].row[0] : &p->of[3].row[0];
}

/* "AMD EPYC 7B13, avx2, 20 neighbours, commit ed67577" */
static void describe(const sweep_plot *p, const char *what, char *text, size_t size) {
    snprintf(text, size, "%.60s, %s, commit %.40s", p->host->cpu, what, p->host->commit);
}

static dunlin_result begin(sweep_plot *p, const char *name, const char *title, const char *what, dunlin_error *error) {
    char subtitle[256];
    char *kept = p->list->name[p->list->count++];
    snprintf(kept, PLOT_NAME, "%s", name);
    describe(p, what, subtitle, sizeof subtitle);
    return plot_open(&p->script, p->folder, kept, title, subtitle, error);
}

/* A line with whiskers from the minimum to the maximum of the repeats. */
static void add_line(sweep_plot *p, int dimensions, const char *columns) {
    plot_curve(&p->script,
               "$d%d using %s with yerrorlines linewidth 2 pointtype %d pointsize 0.8 linecolor rgb '%s' title '%dD'",
               dimensions, columns, dimensions == 2 ? 7 : 5, colours[dimensions], dimensions);
}

typedef void write_row_fn(FILE *file, const sweep_rows *rows, int row);

/* What was measured in 2D as $d2, in 3D as $d3, a line per row. */
static void write_block(const sweep_plot *p, int dimensions, const char *columns, write_row_fn *write_row) {
    const sweep_rows *rows = &p->of[dimensions];
    if (rows->count == 0) return;
    fprintf(p->script.file, "$d%d << EOD\n# %s\n", dimensions, columns);
    for (int i = 0; i < rows->count; i++) write_row(p->script.file, rows, i);
    fputs("EOD\n", p->script.file);
}

static void write_blocks(const sweep_plot *p, const char *columns, write_row_fn *write_row) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) write_block(p, dimensions, columns, write_row);
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

static void write_scaling_row(FILE *file, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i], *one = &rows->row[0];
    double low = row->agent_updates_per_second_min / row->agent_updates_per_second;
    double high = row->agent_updates_per_second_max / row->agent_updates_per_second;
    double speed_up = scaling_speed_up(row, one), percent = 100.0 * scaling_efficiency(row, one);
    fprintf(file, "%d %.4g %.4g %.4g %.4g %.4g %.4g\n", row->threads, speed_up, low * speed_up, high * speed_up, percent,
            low * percent, high * percent);
}

static const sweep_rows *most_rows(const sweep_plot *p) {
    return p->of[2].count >= p->of[3].count ? &p->of[2] : &p->of[3];
}

static void write_thread_tics(const sweep_plot *p, const char *axis) {
    const sweep_rows *rows = most_rows(p);
    fprintf(p->script.file, "set %stics (", axis);
    for (int i = 0; i < rows->count; i++) fprintf(p->script.file, "%s%d", i > 0 ? ", " : "", rows->row[i].threads);
    fputs(")\n", p->script.file);
}

static void write_thread_axis(const sweep_plot *p) {
    const sweep_rows *rows = most_rows(p);
    int most = rows->row[rows->count - 1].threads, cores = p->host->cores;
    fprintf(p->script.file, "set xlabel 'threads'\nset logscale x 2\nset xrange [0.87:%g]\n", most > 1 ? most * 1.15 : 2.0);
    write_thread_tics(p, "x");
    if (cores < 1 || cores >= most) return;
    fprintf(p->script.file,
            "set arrow from %d, graph 0 to %d, graph 1 nohead dashtype 3 linecolor rgb '#888888'\n"
            "set label '%d cores' at %d, graph 0.06 right offset -0.5, 0 font ',13' textcolor rgb '#555555'\n",
            cores, cores, cores, cores);
}

static dunlin_result plot_threads(sweep_plot *p, const char *name, const char *title, bool as_efficiency, dunlin_error *error) {
    const frame_row *row = any_row(p);
    char what[128], agents[NUMBER_LENGTH];
    number_group(row->workload.agents, agents);
    snprintf(what, sizeof what, "%s, %s agents%s", row->kernel, agents, p->sweep == SWEEP_WEAK ? " per thread" : "");
    dunlin_result result = begin(p, name, title, what, error);
    if (result != DUNLIN_OK) return result;
    FILE *file = p->script.file;
    write_blocks(p, "threads speed-up min max efficiency/% min max", write_scaling_row);
    write_thread_axis(p);
    if (as_efficiency) {
        fputs("set ylabel 'efficiency (% of ideal)'\nset yrange [0:110<*]\nset key bottom left\n", file);
    } else {
        fprintf(file,
                "set ylabel 'speed-up (times one thread)'\nset logscale y 2\nset autoscale yfixmin\nset yrange [*<0.8:%g]\n",
                1.4 * most_rows(p)->row[most_rows(p)->count - 1].threads);
        write_thread_tics(p, "y");
    }
    plot_curve(&p->script, "%s with lines dashtype 2 linewidth 2 linecolor rgb '#888888' title 'ideal'",
               as_efficiency ? "100" : "x");
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        if (p->of[dimensions].count > 0) add_line(p, dimensions, as_efficiency ? "1:5:6:7" : "1:2:3:4");
    }
    return plot_close(&p->script, error);
}

static dunlin_result plot_strong(sweep_plot *p, dunlin_error *error) {
    dunlin_result result = plot_threads(p, "strong_speedup", "Strong scaling: speed-up", false, error);
    if (result == DUNLIN_OK) result = plot_threads(p, "strong_efficiency", "Strong scaling: efficiency", true, error);
    return result;
}

static dunlin_result plot_weak(sweep_plot *p, dunlin_error *error) {
    return plot_threads(p, "weak_efficiency", "Weak scaling: efficiency", true, error);
}

/* ---- density ---------------------------------------------------------------------------------------------------------- */

static void write_pair_time(FILE *file, const frame_row *row) {
    double ns = row_ns_per_useful_pair(row), usual = row->agent_updates_per_second;
    fprintf(file, "%.4g %.4g %.4g", ns, ns * usual / row->agent_updates_per_second_max,
            ns * usual / row->agent_updates_per_second_min);
}

static void write_density_row(FILE *file, const sweep_rows *rows, int i) {
    fprintf(file, "%.4g ", rows->row[i].neighbours_found);
    write_pair_time(file, &rows->row[i]);
    fputc('\n', file);
}

static void describe_flock(const frame_row *row, char *text, size_t size) {
    char agents[NUMBER_LENGTH];
    number_group(row->workload.agents, agents);
    snprintf(text, size, "%s, %s agents, %d thread%s", row->kernel, agents, row->threads, row->threads > 1 ? "s" : "");
}

static dunlin_result plot_density(sweep_plot *p, dunlin_error *error) {
    char what[128];
    describe_flock(any_row(p), what, sizeof what);
    dunlin_result result = begin(p, "density", "Cost per useful pair, by density", what, error);
    if (result != DUNLIN_OK) return result;
    write_blocks(p, "neighbours ns/useful-pair min max", write_density_row);
    fputs("set xlabel 'neighbours within the radius (mean)'\nset logscale x\nset xtics (5, 10, 20, 50, 100, 200)\n"
          "set xrange [4:250]\nset ylabel 'thread time per useful pair (ns)'\nset yrange [0:*]\nset key top right\n",
          p->script.file);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        if (p->of[dimensions].count > 0) add_line(p, dimensions, "1:2:3:4");
    }
    return plot_close(&p->script, error);
}

/* ---- bars ------------------------------------------------------------------------------------------------------------- */

/* The rows of block $dD with `which`: a bar with whiskers, and a text above. Columns: which, place, name, value, low, high,
 * text.
 */
static void add_bars(sweep_plot *p, int dimensions, int which, const char *colour, const char *title) {
    plot_curve(&p->script, "$d%d using ($1==%d?$2:1/0):4:5:6:(0.38) with boxerrorbars fillcolor rgb '%s' title '%s'",
               dimensions, which, colour, title);
    plot_curve(&p->script, "$d%d using ($1==%d?$2:1/0):6:7 with labels offset 0, 0.7 font ',12' notitle", dimensions, which);
}

static void write_bar_style(FILE *file, const char *what) {
    fprintf(file,
            "set style fill solid noborder\nset errorbars linecolor rgb '#333333'\nset ylabel '%s'\nset yrange [0:*]\nset "
            "offsets 0, 0, graph "
            "0.16, 0\nset key top left horizontal\n",
            what);
}

/* Speeds per thread, so that one thread and all threads can stand side by side. */
static void write_kernel_row(FILE *file, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i], *baseline = scaling_baseline(rows, row->threads);
    int which = row->threads == rows->row[0].threads ? 0 : 1;
    bool paired = rows->row[rows->count - 1].threads != rows->row[0].threads;
    double place = paired ? i / 2 + (which == 0 ? -0.2 : 0.2) : i;
    double million = 1e-6 / row->threads;
    fprintf(file, "%d %g \"%s\" %.4g %.4g %.4g \"", which, place, row->kernel, million * row->agent_updates_per_second,
            million * row->agent_updates_per_second_min, million * row->agent_updates_per_second_max);
    if (baseline) fprintf(file, "%.3g\u00d7", scaling_speed_up(row, baseline));
    fputs("\"\n", file);
}

static dunlin_result plot_kernels_of(sweep_plot *p, int dimensions, dunlin_error *error) {
    const sweep_rows *rows = &p->of[dimensions];
    int first = rows->row[0].threads, last = rows->row[rows->count - 1].threads, step = first == last ? 1 : 2;
    char name[PLOT_NAME], title[64], what[128], agents[NUMBER_LENGTH], legend[64];
    snprintf(name, sizeof name, "kernels_%dd", dimensions);
    snprintf(title, sizeof title, "Kernels in %dD, times baseline-aos", dimensions);
    number_group(rows->row[0].workload.agents, agents);
    snprintf(what, sizeof what, "%s agents, %.0f neighbours", agents, rows->row[0].workload.neighbours);
    dunlin_result result = begin(p, name, title, what, error);
    if (result != DUNLIN_OK) return result;
    FILE *file = p->script.file;
    write_block(p, dimensions, "bar place kernel million/s/thread min max text", write_kernel_row);
    write_bar_style(file, "million agent-updates/s per thread");
    fputs("set xtics scale 0 (", file);
    for (int i = 0; i < rows->count; i += step) fprintf(file, "%s'%s' %d", i > 0 ? ", " : "", rows->row[i].kernel, i / step);
    fprintf(file, ")\nset xrange [-0.6:%g]\n", (rows->count - 1) / step + 0.6);
    add_bars(p, dimensions, 0, colours[dimensions], first == 1 ? "1 thread" : "all threads");
    snprintf(legend, sizeof legend, "%d threads at once", last);
    if (step == 2) add_bars(p, dimensions, 1, pale[dimensions], legend);
    return plot_close(&p->script, error);
}

static dunlin_result plot_kernels(sweep_plot *p, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int dimensions = 2; dimensions <= 3 && result == DUNLIN_OK; dimensions++) {
        if (p->of[dimensions].count > 0) result = plot_kernels_of(p, dimensions, error);
    }
    return result;
}

/* 2D's pairs of bars stand at 0 and 1, 3D's at 2 and 3. */
static void write_distribution_row(FILE *file, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    double ratio = scaling_against_uniform(rows, i);
    double place = (row->workload.dimensions - 2) * 2 + i / 2 + (i % 2 == 0 ? -0.2 : 0.2);
    fprintf(file, "%d %g \"%s\" ", i % 2, place, bench_distribution_name(row->workload.distribution));
    write_pair_time(file, row);
    if (isnan(ratio))
        fputs(" \"\"\n", file);
    else
        fprintf(file, " \"%.2f\u00d7\"\n", ratio);
}

static dunlin_result plot_distribution(sweep_plot *p, dunlin_error *error) {
    char what[128];
    describe_flock(any_row(p), what, sizeof what);
    dunlin_result result = begin(p, "distribution", "Cost per useful pair, by distribution", what, error);
    if (result != DUNLIN_OK) return result;
    FILE *file = p->script.file;
    write_blocks(p, "bar place distribution ns/useful-pair min max text", write_distribution_row);
    write_bar_style(file, "thread time per useful pair (ns)");
    fprintf(file, "set xrange [%g:%g]\n", p->of[2].count > 0 ? -0.6 : 1.4, p->of[3].count > 0 ? 3.6 : 1.6);
    fputs("set xtics scale 0 ('clumped 2D' 0, 'flocked 2D' 1, 'clumped 3D' 2, 'flocked 3D' 3)\n", file);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        bool first = dimensions == 2 || p->of[2].count == 0;
        if (p->of[dimensions].count == 0) continue;
        add_bars(p, dimensions, 0, colours[2], first ? "clumped, flocked" : "");
        add_bars(p, dimensions, 1, pale[2], first ? "uniform, as dense" : "");
    }
    return plot_close(&p->script, error);
}

/* ---- size ------------------------------------------------------------------------------------------------------------- */

static void write_size_row(FILE *file, const sweep_rows *rows, int i) {
    const frame_row *row = &rows->row[i];
    fprintf(file, "%u %.4g %.4g %.4g\n", row->workload.agents, 1e-6 * row->agent_updates_per_second,
            1e-6 * row->agent_updates_per_second_min, 1e-6 * row->agent_updates_per_second_max);
}

/* The bytes of all caches of that level that so many threads have, one thread per core as long as there are cores. */
static double cache_bytes(const machine *host, const machine_cache *cache, int threads) {
    double threads_a_core = host->cores > 0 ? (double)host->threads / host->cores : 1.0;
    double cores = threads < host->cores ? threads : host->cores;
    return (double)cache->bytes * ceil(cores * threads_a_core / (cache->shared_by > 0 ? cache->shared_by : 1));
}

static void write_bytes(double bytes, char *text, size_t size) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; bytes >= 1024.0 && unit < 3; unit++) bytes /= 1024.0;
    snprintf(text, size, "%.3g %s", bytes, units[unit]);
}

/* Vertical lines at the numbers of agents that fill the caches; returns the rightmost. */
static double write_caches(const sweep_plot *p, const frame_row *row) {
    double rightmost = 0.0;
    for (int i = 0; i < p->host->cache_count; i++) {
        const machine_cache *cache = &p->host->caches[i];
        double bytes = cache_bytes(p->host, cache, row->threads), agents = bytes / row->bytes_per_agent;
        char text[32];
        write_bytes(bytes, text, sizeof text);
        fprintf(p->script.file,
                "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dashtype 2 linecolor rgb '#888888'\n"
                "set label 'L%d: %s' at %.6g, graph 0.03 left rotate by 90 offset -0.8, 0 font ',13' "
                "textcolor rgb '#555555'\n",
                agents, agents, cache->level, text, agents);
        if (agents > rightmost) rightmost = agents;
    }
    return rightmost;
}

static dunlin_result plot_size_of(sweep_plot *p, int dimensions, dunlin_error *error) {
    const sweep_rows *rows = &p->of[dimensions];
    const frame_row *last = &rows->row[rows->count - 1];
    char name[PLOT_NAME], title[64], what[128];
    snprintf(name, sizeof name, "size_%dd", dimensions);
    snprintf(title, sizeof title, "Agent-updates per second by size, in %dD", dimensions);
    snprintf(what, sizeof what, "%s, %d thread%s, %.0f neighbours, %.0f bytes per agent", last->kernel, last->threads,
             last->threads > 1 ? "s" : "", last->workload.neighbours, last->bytes_per_agent);
    dunlin_result result = begin(p, name, title, what, error);
    if (result != DUNLIN_OK) return result;
    write_block(p, dimensions, "agents million/s min max", write_size_row);
    double right = fmax(write_caches(p, last), last->workload.agents);
    fprintf(p->script.file,
            "set xlabel 'agents (dashed: as many as the caches of these threads hold)'\n"
            "set logscale x\nset format x '%%.0s %%c'\nset xrange [%g:%g]\n"
            "set ylabel 'million agent-updates/s'\nset yrange [0:*]\nset offsets 0, 0, graph 0.1, 0\nunset key\n",
            0.6 * rows->row[0].workload.agents, 1.6 * right);
    add_line(p, dimensions, "1:2:3:4");
    return plot_close(&p->script, error);
}

static dunlin_result plot_size(sweep_plot *p, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int dimensions = 2; dimensions <= 3 && result == DUNLIN_OK; dimensions++) {
        if (p->of[dimensions].count > 0) result = plot_size_of(p, dimensions, error);
    }
    return result;
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

dunlin_result plots_write(const char *folder, const machine *host, sweep_kind sweep, const scale_results *results,
                          plot_list *list, dunlin_error *error) {
    static dunlin_result (*const draw[SWEEPS])(sweep_plot *, dunlin_error *) = {
        [SWEEP_STRONG] = plot_strong,   [SWEEP_WEAK] = plot_weak, [SWEEP_DENSITY] = plot_density,
        [SWEEP_KERNELS] = plot_kernels, [SWEEP_SIZE] = plot_size, [SWEEP_DISTRIBUTION] = plot_distribution,
    };
    sweep_plot p = {.folder = folder, .host = host, .sweep = sweep, .of = results->of[sweep], .list = list};
    list->count = 0;
    if (p.of[2].count + p.of[3].count == 0) return DUNLIN_OK;
    return draw[sweep](&p, error);
}
