# SPDX-License-Identifier: MIT
# Draws speed.svg from speed.csv: gnuplot speed.gp, in this folder. Dunlin's points by number of agents are those of
# docs/performance.md. Where two numbers are known of a program, a line joins them.
if (!exists("type")) type = 'svg'
if (type eq 'svg') set terminal svg noenhanced size 830,470 background '#ffffff' font 'sans-serif,14'
if (type eq 'png') set terminal pngcairo noenhanced size 830,470 background '#ffffff' font 'sans-serif,11'
set output 'speed.' . type
set datafile separator ','
set label 1 'Million agent-updates per second, one thread' at screen 0.02, 0.95 font ',19'
set label 2 'measured by us on an AMD EPYC (Zen 4, 3.7 GHz), 20 neighbours per agent' \
    at screen 0.02, 0.89 font ',13' textcolor rgb '#555555'
set multiplot
set border 1 linecolor rgb '#444444'
set tics nomirror
set logscale x
set xrange [0.01:60]
set xtics (0.01, 0.1, 1, 10)
set grid xtics linetype 1 linecolor rgb '#dddddd'
set lmargin at screen 0.29
set rmargin at screen 0.66
set tmargin at screen 0.80
set bmargin at screen 0.14
set yrange [10.6:-0.6]
set ytics scale 0
set xlabel 'a million agents, by program'
set key bottom right Left reverse samplen 1
set style line 1 linecolor rgb '#0072b2' linewidth 3 pointtype 7 pointsize 0.9
set style line 2 linecolor rgb '#d55e00' linewidth 3 pointtype 5 pointsize 0.9
plot 'speed.csv' skip 1 using 2:($0-0.12):($3-$2):(0):ytic(1) with vectors nohead linestyle 1 notitle, \
    '' skip 1 using 4:($0+0.12):($5-$4):(0) with vectors nohead linestyle 2 notitle, \
    '' skip 1 using 2:($0-0.12) with points linestyle 1 title '2D', '' skip 1 using 3:($0-0.12) with points linestyle 1 notitle, \
    '' skip 1 using 4:($0+0.12) with points linestyle 2 title '3D', '' skip 1 using 5:($0+0.12) with points linestyle 2 notitle
unset label
unset ytics
unset grid
unset key
set border 3
$dunlin << EOD
200,21.5
10000,29.2
1000000,27
EOD
set lmargin at screen 0.74
set rmargin at screen 0.97
set xrange [100:3e6]
set xtics ('200' 200, '10k' 10000, '1M' 1000000)
set yrange [0:35]
set ytics 10 nomirror scale 1
set grid ytics linetype 1 linecolor rgb '#dddddd'
set xlabel 'Dunlin in 2D, by agents'
set label 3 'naive C++ with a grid' at 130, 4.4 font ',12' textcolor rgb '#555555'
plot $dunlin using 1:2 with linespoints linestyle 1, \
    '-' using 1:2 with points pointtype 7 pointsize 0.9 linecolor rgb '#888888'
1000000,2.7
e
unset multiplot
