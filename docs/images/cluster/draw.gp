# SPDX-License-Identifier: MIT
# Draws slabs.svg, blocks.svg and step.svg, the pictures of docs/cluster.md: gnuplot draw.gp, in this folder.
blue = '#cfe3f2'; orange = '#f7dcc7'; green = '#cdeadf'; purple = '#f0d9e6'; ink = '#444444'
set encoding utf8
unset key; unset border; unset tics
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0

# ---- slabs.svg: a world of 12 rows, cut into 4 stretches of cells; rank 1's part of it -----------------------------------

set terminal svg noenhanced size 900,470 background '#ffffff' font 'sans-serif,13'
set output 'slabs.svg'
set xrange [0:90]
set yrange [0:47]
W = 34.; X = 2.; Y = 5.; H = 3. # the world's width and corner, and the height of a row
y(row) = Y + H * row
# The cells from `share` of row a to `share` of row b.
stretch(a, p, b, q) = sprintf("%g,%g to %g,%g to %g,%g to %g,%g to %g,%g to %g,%g to %g,%g to %g,%g to %g,%g", \
    X + p * W, y(a), X + W, y(a), X + W, y(b), X + q * W, y(b), X + q * W, y(b + 1), X, y(b + 1), X, y(a + 1), X + p * W, y(a + 1), X + p * W, y(a))
set macros
S0 = stretch(0, 0, 2, .7); S1 = stretch(2, .7, 5, .4); S2 = stretch(5, .4, 9, .2); S3 = stretch(9, .2, 11, 1.)
eval 'set object 1 polygon from '.S0.' fc rgb blue fs solid noborder behind'
eval 'set object 2 polygon from '.S1.' fc rgb orange fs solid noborder behind'
eval 'set object 3 polygon from '.S2.' fc rgb green fs solid noborder behind'
eval 'set object 4 polygon from '.S3.' fc rgb purple fs solid noborder behind'
# What rank 1 sees of others: a row below, a row above, and the rest of the rows that it shares.
LOW = stretch(1, 0, 2, .7); HIGH = stretch(5, .4, 6, 1.)
eval 'set object 5 polygon from '.LOW.' fc rgb "#0072b2" fs transparent pattern 4 noborder front'
eval 'set object 6 polygon from '.HIGH.' fc rgb "#009e73" fs transparent pattern 4 noborder front'
do for [r = 0:12] { set arrow from X, y(r) to X + W, y(r) nohead lc rgb '#ffffff' lw 1 back }
set object 7 polygon from X + .7 * W, y(2) to X + W, y(2) to X + W, y(5) to X + .4 * W, y(5) to X + .4 * W, y(6) to X, y(6) \
    to X, y(3) to X + .7 * W, y(3) to X + .7 * W, y(2) fc rgb '#b34700' fs empty border lc rgb '#b34700' lw 2.5 front
set label 1 'the world, 12 rows of cells' at X, 44.5 font ',15'
set label 2 'storage order: along x, row by row →' at X, 2.5 textcolor rgb ink
set label 10 'rank 3' at X + 1, y(10.5) font ',14'
set label 11 'rank 2' at X + 1, y(7.5) font ',14'
set label 12 'rank 1' at X + 1, y(4.5) font ',14'
set label 13 'rank 0' at X + 1, y(0.5) font ',14'

# The bar of the whole flock, and what rank 1 has of it.
B = 42.; L = 45. # where bars begin, and their length
low = 1. / 12; high = 7. / 12
bar(place) = B + L * place
cut1 = 2.7 / 12; cut2 = 5.4 / 12; cut3 = 9.2 / 12
set label 20 'all agents, in storage order' at B, 40 font ',15'
set object 20 rect from bar(0), 34 to bar(cut1), 38 fc rgb blue fs solid noborder
set object 21 rect from bar(cut1), 34 to bar(cut2), 38 fc rgb orange fs solid noborder
set object 22 rect from bar(cut2), 34 to bar(cut3), 38 fc rgb green fs solid noborder
set object 23 rect from bar(cut3), 34 to bar(1), 38 fc rgb purple fs solid noborder
set label 21 'rank 0' at bar(.04), 36 center
set label 22 'rank 1' at bar((cut1 + cut2) / 2), 36 center
set label 23 'rank 2' at bar((high + cut3) / 2), 36 center
set label 24 'rank 3' at bar((cut3 + 1) / 2), 36 center

set object 24 rect from bar(low), 34 to bar(cut1), 38 fc rgb '#0072b2' fs transparent pattern 4 noborder front
set object 25 rect from bar(cut2), 34 to bar(high), 38 fc rgb '#009e73' fs transparent pattern 4 noborder front
set arrow from bar(low), 33.6 to bar(low), 26.4 nohead dt 2 lc rgb ink
set arrow from bar(high), 33.6 to bar(high), 26.4 nohead dt 2 lc rgb ink
set object 26 rect from bar(low), 22 to bar(cut1), 26 fc rgb '#0072b2' fs transparent pattern 4 noborder
set object 27 rect from bar(cut1), 22 to bar(cut2), 26 fc rgb orange fs solid border lc rgb '#b34700' lw 2.5
set object 28 rect from bar(cut2), 22 to bar(high), 26 fc rgb '#009e73' fs transparent pattern 4 noborder
set label 25 "rank 1's snapshot: a part of the same order" at bar(low) + .6, 29.5 font ',15'
set label 26 'own' at bar((cut1 + cut2) / 2), 24 center
set label 27 'own_begin' at bar(cut1), 20.6 center font ',11'
set label 28 'own_end' at bar(cut2), 20.6 center font ',11'
set label 30 'own: they are moved, and written to the next state' at B, 16.5
set object 30 rect from B - 3, 15.5 to B - .8, 17.5 fc rgb orange fs solid border lc rgb '#b34700' lw 2
set label 31 'halo: all rows that an own agent may see' at B, 12.5
set object 31 rect from B - 3, 11.5 to B - 1.9, 13.5 fc rgb '#0072b2' fs transparent pattern 4 noborder
set object 32 rect from B - 1.9, 11.5 to B - .8, 13.5 fc rgb '#009e73' fs transparent pattern 4 noborder
set label 32 'In a periodic world rank 0 also sees the last row, and rank 3 the first.' at B, 8.5 textcolor rgb ink
plot NaN
unset object; unset label; unset arrow

# ---- blocks.svg: a world in 3D of 12 slabs of 12 rows, seen along x, with 7 ranks in 3 bands; rank 2's part of it ----------

set terminal svg noenhanced size 900,470 background '#ffffff' font 'sans-serif,13'
set output 'blocks.svg'
set xrange [0:90]
set yrange [0:47]
array FIRST[7] = [0, 0, 3, 3, 7, 7, 7]; array LAST[7] = [3, 3, 7, 7, 12, 12, 12]
array LEFT[7] = [0, 6, 0, 6, 0, 4, 8]; array RIGHT[7] = [6, 12, 6, 12, 4, 8, 12]
array FILL[7] = [blue, green, orange, purple, green, blue, purple]
x(line) = X + W * line / 12.
do for [r = 1:7] {
    set object r rect from x(LEFT[r]), y(FIRST[r]) to x(RIGHT[r]), y(LAST[r]) fc rgb FILL[r] fs solid noborder behind
    set label r sprintf('rank %d', r - 1) at (x(LEFT[r]) + x(RIGHT[r])) / 2, (y(FIRST[r]) + y(LAST[r])) / 2 center font ',14'
}
do for [r = 0:12] {
    set arrow from X, y(r) to X + W, y(r) nohead lc rgb '#ffffff' lw 1 back
    set arrow from x(r), y(0) to x(r), y(12) nohead lc rgb '#ffffff' lw 1 back
}
# Rank 2's halo: lines on both sides, of which one is across the edge, and slabs below and above.
set object 10 rect from x(0), y(2) to x(7), y(3) fc rgb '#0072b2' fs transparent pattern 4 noborder front
set object 11 rect from x(6), y(3) to x(7), y(7) fc rgb '#0072b2' fs transparent pattern 4 noborder front
set object 12 rect from x(0), y(7) to x(7), y(8) fc rgb '#0072b2' fs transparent pattern 4 noborder front
set object 13 rect from x(11), y(2) to x(12), y(8) fc rgb '#0072b2' fs transparent pattern 4 noborder front
set object 14 rect from x(0), y(3) to x(6), y(7) fc rgb '#b34700' fs empty border lc rgb '#b34700' lw 2.5 front
set label 10 'the world: each square is a row of cells along x' at X, 44.5 font ',15'
set label 11 'storage order: slab by slab (up), in a slab line by line →' at X, 2.5 textcolor rgb ink
set label 12 'slabs 3 to 6 in storage order: two ranks share them' at B, 40 font ',15'
do for [k = 0:3] {
    left = B + 11.2 * k
    set object 20 + 2 * k rect from left, 34 to left + 5.6, 38 fc rgb orange fs solid border lc rgb '#b34700' lw 2.5
    set object 21 + 2 * k rect from left + 5.6, 34 to left + 11.2, 38 fc rgb purple fs solid noborder
    set label 20 + 2 * k 'rank 2' at left + 2.8, 36 center
    set label 21 + 2 * k 'rank 3' at left + 8.4, 36 center
    set label 30 + k sprintf('key %d', k + 3) at left + 5.6, 32.8 center font ',11'
    set object 40 + k rect from B + 5.6 * k, 22 to B + 5.6 * (k + 1), 26 fc rgb orange fs solid border lc rgb '#b34700' lw 2.5
    set arrow from left + 2.8, 31.8 to B + 5.6 * k + 2.8, 26.4 nohead dt 2 lc rgb ink
}
set object 50 rect from B + 22.4, 22 to B + 34, 26 fc rgb '#0072b2' fs transparent pattern 4 noborder
set label 40 "rank 2's snapshot: its pieces, then its halo" at B, 19.5 font ',15'
set label 41 'own: four pieces, whose places follow each other' at B, 14.5
set object 51 rect from B - 3, 13.5 to B - .8, 15.5 fc rgb orange fs solid border lc rgb '#b34700' lw 2
set label 42 'halo: all rows that an own agent may see' at B, 10.5
set object 52 rect from B - 3, 9.5 to B - .8, 11.5 fc rgb '#0072b2' fs transparent pattern 4 noborder
set label 43 'Ranges of candidates are listed in the order of the whole flock, so' at B, 6.5 textcolor rgb ink
set label 44 'sums do not show where in memory a row lies.' at B, 4.3 textcolor rgb ink
plot NaN
unset object; unset label; unset arrow

# ---- step.svg: one step on three ranks -------------------------------------------------------------------------------------

set terminal svg noenhanced size 900,560 background '#ffffff' font 'sans-serif,13'
set output 'step.svg'
set yrange [56:0]
lane(r) = 7.5 + 13 * r
set label 1 'rank 0' at lane(0), 2 center font ',15'
set label 2 'rank 1' at lane(1), 2 center font ',15'
set label 3 'rank 2' at lane(2), 2 center font ',15'
# A box on each lane, and words beside the last.
n = 100
box(top, bottom, colour, text) = sprintf(\
    "do for [r = 0:2] { n = n + 1; set object n rect from lane(r) - 5, %g to lane(r) + 5, %g fc rgb '%s' fs solid border lc rgb '#999999'; set label n '%s' at lane(r), %g center }", \
    top, bottom, colour, text, (top + bottom) / 2.)
note(top, text) = sprintf("n = n + 1; set label n \"%s\" at 42.5, %g textcolor rgb ink", text, top)
all(top, word) = sprintf(\
    "n = n + 1; set arrow from lane(0) - 6, %g to lane(2) + 6, %g heads size .6,30 lc rgb '#b34700' lw 2; set label n '%s' at 42.5, %g font ',13' textcolor rgb '#b34700'", \
    top, top, word, top)
eval box(4, 9, blue, 'find rows')
eval note(5.5, 'cells from the whole counts, which the step before has given;')
eval note(7.5, 'each agent is listed for every other rank that sees its row')
eval all(11, 'sizes: an all-to-all of how many agents each rank sends')
eval box(13, 15, '#f2f4f6', 'reserve')
eval all(17, 'memory: an all-reduce of errors; until here nothing has changed')
eval box(19, 21, '#f2f4f6', 'send')
set arrow from lane(0), 21.3 to lane(1) - .5, 25.7 size .6,30 lc rgb '#b34700' lw 2
set arrow from lane(1), 21.3 to lane(0) + .5, 25.7 size .6,30 lc rgb '#b34700' lw 2
set arrow from lane(1), 21.3 to lane(2) - .5, 25.7 size .6,30 lc rgb '#b34700' lw 2
set arrow from lane(2), 21.3 to lane(1) + .5, 25.7 size .6,30 lc rgb '#b34700' lw 2
set label 90 'exchange: each agent goes to all other ranks that see its row' at 42.5, 23.5 textcolor rgb '#b34700'
eval box(26, 31, blue, 'merge, sort')
eval note(27.5, 'pieces by their keys, and then by ranks; the stable sort then')
eval note(29.5, 'gives the order that one world has')
eval box(33, 42, green, 'tiles')
eval note(36, 'interact, steer, behave and integrate, of own agents only:')
eval note(38, 'no rank waits for another')
eval all(44, 'with births or meals: an all-to-all of births and gains')
eval box(46, 48, purple, 'life')
eval note(47, 'deaths; the newborn become a segment')
eval all(50, 'end: an all-reduce of errors, counts and sums')
eval note(53, 'The halo is dropped. What is left is the state.')
plot NaN
