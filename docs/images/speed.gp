# SPDX-License-Identifier: MIT
# Draws speed.svg from speed.csv and kernels.csv: gnuplot speed.gp, in this folder. `make chart` measures kernels.csv; speed.csv has
# other people's programs, where a line joins two numbers that are known of one.
if (!exists("type")) type = 'svg'
if (type eq 'svg') set terminal svg noenhanced size 900,470 background '#ffffff' font 'sans-serif,14'
if (type eq 'png') set terminal pngcairo noenhanced size 900,470 background '#ffffff' font 'sans-serif,11'
set output 'speed.' . type
set datafile separator ','
stats 'kernels.csv' using (cpu = strcol('cpu'), commit = strcol('commit'), column('dimensions')) name 'DIMENSIONS' nooutput
stats 'kernels.csv' using (column('agent_updates_per_second') / 1e6) name 'SPEED' nooutput
kernels = DIMENSIONS_records / 2
set label 1 'Million agent-updates per second, one thread' at screen 0.02, 0.95 font ',19'
set label 2 'a million agents with 20 neighbours each, measured by us' at screen 0.02, 0.89 font ',13' textcolor rgb '#555555'
set multiplot
set border 1 linecolor rgb '#444444'
set tics nomirror
set grid xtics linetype 1 linecolor rgb '#dddddd'
set ytics scale 0
set tmargin at screen 0.82
set bmargin at screen 0.20
set key at screen 0.96, 0.95 right horizontal Left reverse samplen 1
set style line 1 linecolor rgb '#0072b2' linewidth 3 pointtype 7 pointsize 0.9
set style line 2 linecolor rgb '#d55e00' linewidth 3 pointtype 5 pointsize 0.9
set lmargin at screen 0.26
set rmargin at screen 0.59
set logscale x
set xrange [0.01:60]
set xtics (0.01, 0.1, 1, 10)
set yrange [12.6:-0.6]
set xlabel "programs, by powers of ten,\nAMD EPYC (Zen 4), a quiet machine"
plot 'speed.csv' skip 1 using 2:($0-0.12):($3-$2):(0):ytic(1) with vectors nohead linestyle 1 notitle, \
    '' skip 1 using 4:($0+0.12):($5-$4):(0) with vectors nohead linestyle 2 notitle, \
    '' skip 1 using 2:($0-0.12) with points linestyle 1 title '2D', '' skip 1 using 3:($0-0.12) with points linestyle 1 notitle, \
    '' skip 1 using 4:($0+0.12) with points linestyle 2 title '3D', '' skip 1 using 5:($0+0.12) with points linestyle 2 notitle
unset label
unset key
set lmargin at screen 0.76
set rmargin at screen 0.98
unset logscale x
set xrange [0:*]
set xtics SPEED_max > 30 ? 10 : 5
set yrange [kernels - 0.4:-0.6]
set xlabel "kernels and baselines,\n".cpu.', commit '.commit
# 2D comes first in the file, and both with the same kernels.
row(dimensions) = (int(column(0)) - 1) % kernels + (dimensions == 2 ? -0.12 : 0.12)
speed(dimensions) = column('dimensions') == dimensions ? column('agent_updates_per_second') / 1e6 : NaN
plot 'kernels.csv' using (speed(2)):(row(2)):ytic(strcol('kernel')) with points linestyle 1, \
    '' using (speed(3)):(row(3)) with points linestyle 2
unset multiplot
