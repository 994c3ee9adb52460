# Drawn by dunlin. To draw it again: gnuplot roofline.gp

set encoding utf8
set label 1 'Roofline: adds, multiplies, divides, roots of all lanes' at screen 0.02, 0.95 font ',19'
set label 2 'AMD EPYC, 3 000 agents, 20 neighbours, 1 thread, commit 2a865bc-dirty' at screen 0.02, 0.895 font ',13' textcolor rgb '#555555'
set tmargin at screen 0.84
set rmargin 3
set border 3 linecolor rgb '#444444'
set tics nomirror
set format '%g'
set grid ytics linetype 1 linecolor rgb '#dddddd'
set key top left Left reverse samplen 2 spacing 1.2
set datafile missing 'nan'

SLOPE = 51
set rmargin 14
set logscale xy
set samples 1000
set xrange [0.125:260.91]
set yrange [0.64682:26.13]
set xlabel 'operations a byte'
set ylabel 'billion operations a second'
set key bottom left
set label 'L1, 477 GB/s' at 0.14375, 68.565 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'L2, 237 GB/s' at 0.14375, 34.046 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'L3, 104 GB/s' at 0.14375, 14.996 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'memory, 37.7 GB/s' at 0.14375, 5.4184 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'scalar: 13.1' at graph 1.01, first 13.065 font ',12' textcolor rgb '#555555'
$p0_1 << EOD
27.87 2.5539 2D
EOD
$p0_4 << EOD
5.8226 2.5873 2D
EOD
$p1_1 << EOD
65.228 3.0445 3D
EOD
$p1_4 << EOD
13.359 3.0197 3D
EOD

set terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,15' fontscale 1.15
set output 'roofline.svg'
plot x*476.97<=13.065 ? x*476.97 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    x*236.84<=13.065 ? x*236.84 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    x*104.32<=13.065 ? x*104.32 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    x*37.693<=13.065 ? x*37.693 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    13.065 with lines linewidth 1.5 linecolor rgb '#555555' notitle, \
    $p0_1 with points pointtype 7 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p0_1 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    $p0_4 with points pointtype 6 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p0_4 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    $p1_1 with points pointtype 7 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p1_1 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    $p1_4 with points pointtype 6 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p1_4 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    1/0 with points pointtype 7 pointsize 1.2 linecolor rgb '#333333' title 'interact', \
    1/0 with points pointtype 6 pointsize 1.2 linecolor rgb '#333333' title 'frame'
set terminal pngcairo noenhanced size 1660,1040 background '#ffffff' font 'sans-serif,15' fontscale 2 \
    linewidth 2 pointscale 2
set output 'roofline.png'
replot
set output
