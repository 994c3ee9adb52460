# SPDX-License-Identifier: MIT
# The model of docs/cluster_model.md: gnuplot model.gp, in this folder, draws model.svg and prints the tables.
# Times are in seconds, and N is the number of agents of the whole flock, p that of ranks, d that of dimensions.

# ---- measured on one thread of an AMD EPYC (Zen 5), avx512, 20 neighbours: docs/performance.md, docs/scaling.md, docs/cluster.md --
rate(d) = d == 2 ? 42.9e6 : 16.7e6      # agent-updates/s of one thread
sort(d) = d == 2 ? 4.6e-9 : 7.3e-9      # per agent: the snapshot
send(d) = 10e-9                         # per agent of the halo, on one thread of the rank that sends it: routes, lists, messages
merge(d) = 15e-9 - sort(d)              # likewise, of the rank that receives it
extra(d) = 1.1e-9                       # per own agent: who is seen by others? which are own?

# ---- assumed -----------------------------------------------------------------------------------------------------------------
threads = 64.
within(d) = d == 2 ? .89 : .91        # efficiency of 64 threads of a rank: the model of docs/scaling.md
memory = 369e9                        # bytes/s of a rank: twelve channels of DDR5-4800, four fifths of it
moved(d) = d == 2 ? 160. : 212.       # bytes per agent and frame
latency = 2e-6
network = 12.5e9                      # bytes/s of a rank, each way: 100 Gbit/s
agent(d) = 8. * d + 4                 # bytes
sums = 2                              # per step, and an all-to-all

max(a, b) = a > b ? a : b
min(a, b) = a < b ? a : b
log2(p) = ceil(log(p) / log(2) - 1e-9)

# ---- the model ---------------------------------------------------------------------------------------------------------------
share(n, d) = n * max(1. / (rate(d) * threads * within(d)), moved(d) / memory) # a frame of a rank alone
side(N, d) = floor(d == 2 ? sqrt(N * pi / 20) : (N * pi / 15) ** (1. / 3))     # of the world, in rows
# Slabs, in rows or planes: own ones, those that the halo adds. A slab of less than a plane sees two others, or three.
own(N, p, d) = 1. * side(N, d) / p
thick(N, p, d) = own(N, p, d) + 3
thin(N, p) = (1 - own(N, p, 3)) * 3 * (own(N, p, 3) + 3. / side(N, 3)) + own(N, p, 3) * 4
seen(N, p, d) = min(side(N, d), d == 3 && own(N, p, d) < 1 ? thin(N, p) : thick(N, p, d))
slabs(N, p, d) = p == 1 ? 0 : (seen(N, p, d) / own(N, p, d) - 1) * N / p # agents of a rank's halo
# Blocks: squares of rows, and those around them, as tests/cluster/test_halo.c counts them.
edge(N, p) = side(N, 3) / sqrt(1. * p)
blocks(N, p) = p == 1 ? 0 : ((1 + 2 / edge(N, p)) ** 2 - 1) * N / p
ring(N, p, d) = d == 2 ? slabs(N, p, d) : blocks(N, p)
# Messages are to the ranks around; sizes go by one all-to-all, in log2(p) messages of half of all numbers.
talk(p, messages) = p == 1 ? 0 : messages * latency + log2(p) * (latency + 4. * p / network) + sums * 2 * log2(p) * latency
wire(halo, p, d) = halo * agent(d) / network + talk(p, d == 2 ? 2 : 8)
worker(d) = threads * within(d)
halo(n, d, workers) = n * (sort(d) / worker(d) + (send(d) + merge(d)) / workers)
own_too(N, p, d) = share(N / p, d) + (p == 1 ? 0 : extra(d) * N / p / worker(d))
built(N, p, d) = own_too(N, p, d) + halo(ring(N, p, d), d, worker(d)) + wire(ring(N, p, d), p, d)
alone(N, p, d) = own_too(N, p, d) + halo(ring(N, p, d), d, 1) + wire(ring(N, p, d), p, d)              # messages on one thread
flat(N, p, d) = own_too(N, p, d) + halo(slabs(N, p, d), d, worker(d)) + wire(slabs(N, p, d), p, d)     # in slabs

# ---- tables ------------------------------------------------------------------------------------------------------------------
weak(p) = 4e6 * p
strong(p) = 4e9
ms = 1e3
percents(x) = x == 0 ? '' : sprintf(x < 10 ? '%.1f %%' : '%.0f %%', x)
# As built; with messages on one thread; in slabs.
line(N, p, d) = sprintf("| %s | %d | %.2f | %s | %.2f | %.2f | %.2f | %.2f | %.0f %% | %.0f %% | %.0f %% |", \
    d == 2 ? '2D' : '3D', p, share(N / p, d) * ms, percents(100 * ring(N, p, d) * p / N), halo(ring(N, p, d), d, worker(d)) * ms, \
    ring(N, p, d) * agent(d) / network * ms, talk(p, d == 2 ? 2 : 8) * ms, built(N, p, d) * ms, \
    100 * share(N / p, d) / built(N, p, d), 100 * share(N / p, d) / alone(N, p, d), 100 * share(N / p, d) / flat(N, p, d))
array P[3] = [4., 64., 1000.]
do for [d = 2:3] { do for [i = 1:3] { print line(weak(P[i]), P[i], d) } }
print ''
array Q[3] = [64., 1000., 10000.]
do for [d = 2:3] { do for [i = 1:3] { print line(strong(Q[i]), Q[i], d) } }

# ---- the picture -------------------------------------------------------------------------------------------------------------
set terminal svg noenhanced size 900,400 background '#ffffff' font 'sans-serif,13'
set output 'model.svg'
set border 3 linecolor rgb '#444444'
set tics nomirror
set grid linetype 1 linecolor rgb '#dddddd'
set logscale x
set xrange [2:1000]
set xtics (2, 4, 16, 64, 256, 1000)
set yrange [0:105]
set xlabel 'ranks of 64 threads'
set format y '%g %%'
set samples 400
set style line 1 linecolor rgb '#0072b2' linewidth 2.5
set style line 2 linecolor rgb '#d55e00' linewidth 2.5
set multiplot layout 1, 2 margins .06, .97, .14, .78 spacing .07
set key at screen .8, .98 right top maxrows 2 samplen 3
percent(alone, time) = 100 * alone / time
set title 'weak scaling: efficiency at 4 million agents per rank' offset 0, -.5
plot percent(share(4e6, 2), built(weak(x), x, 2)) ls 1 title '2D as built', percent(share(4e6, 3), built(weak(x), x, 3)) ls 2 title '3D as built', \
    percent(share(4e6, 2), alone(weak(x), x, 2)) ls 1 dt 2 title 'messages on one thread', percent(share(4e6, 3), alone(weak(x), x, 3)) ls 2 dt 2 title 'messages on one thread', \
    percent(share(4e6, 3), flat(weak(x), x, 3)) ls 2 dt 3 title '3D in slabs'
unset key
set xrange [16:10000]
set xtics (16, 64, 256, 1000, 4000, 10000)
set title 'strong scaling: efficiency of four billion agents' offset 0, -.5
plot percent(share(4e9 / x, 2), built(4e9, x, 2)) ls 1, percent(share(4e9 / x, 3), built(4e9, x, 3)) ls 2, \
    percent(share(4e9 / x, 2), alone(4e9, x, 2)) ls 1 dt 2, percent(share(4e9 / x, 3), alone(4e9, x, 3)) ls 2 dt 2, \
    percent(share(4e9 / x, 3), flat(4e9, x, 3)) ls 2 dt 3
unset multiplot
