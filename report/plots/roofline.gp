# Drawn by dunlin. To draw it again: gnuplot roofline.gp

reset
set encoding utf8
set label 1 'Roofline: adds, multiplies, divides, roots of all lanes' at screen 0.02, 0.95 font ',19'
set label 2 'AMD EPYC, 3 000 agents, 20 neighbours, 4 threads, commit 153d9c2-dirty' at screen 0.02, 0.895 font ',13' textcolor rgb '#555555'
set tmargin at screen 0.84
set rmargin 3
set border 3 linecolor rgb '#444444'
set tics nomirror
set format '%g'
set grid ytics linetype 1 linecolor rgb '#dddddd'
set key top left Left reverse samplen 2 spacing 1.2
set datafile missing 'nan'

SLOPE = 30
set rmargin 14
set logscale xy
set samples 1000
set xrange [0.052121:395.66]
set yrange [0.0099028:108.27]
set xlabel 'operations per byte'
set ylabel 'billion operations per second'
set key bottom right
set label 'L1, 64.91 GB/s' at 0.059939, 3.8909 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'L2, 14.63 GB/s' at 0.059939, 0.87666 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'L3, 11.2 GB/s' at 0.47951, 5.3685 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'memory, 5.652 GB/s' at 3.8361, 21.681 rotate by SLOPE offset 0.4, 0.9 font ',12' textcolor rgb '#555555'
set label 'scalar: 54.1' at graph 1.01, first 54.134 font ',12' textcolor rgb '#555555'
$p0_0 << EOD
33.239 8.4579 2D
EOD
$p1_0 << EOD
98.914 2.4857 3D
EOD
$p0_1 << EOD
6.2924 0.039611 2D
EOD
$p1_1 << EOD
18.735 0.20464 3D
EOD

set terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,15' fontscale 1.15
set output 'roofline.svg'
plot x*64.914<=54.134 ? x*64.914 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    x*14.626<=54.134 ? x*14.626 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    x*11.196<=54.134 ? x*11.196 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    x*5.6518<=54.134 ? x*5.6518 : 1/0 with lines linewidth 1.5 dashtype 2 linecolor rgb '#888888' notitle, \
    54.134 with lines linewidth 1.5 linecolor rgb '#555555' notitle, \
    $p0_0 with points pointtype 7 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p0_0 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    $p1_0 with points pointtype 7 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p1_0 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    1/0 with points pointtype 7 pointsize 1.2 linecolor rgb '#333333' title 'interact', \
    $p0_1 with points pointtype 6 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p0_1 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    $p1_1 with points pointtype 6 pointsize 1.2 linecolor rgb '#555555' notitle, \
    $p1_1 using 1:2:3 with labels left offset 0.8, 0 font ',11' textcolor rgb '#555555' notitle, \
    1/0 with points pointtype 6 pointsize 1.2 linecolor rgb '#333333' title 'frame'
set terminal pngcairo noenhanced size 1660,1040 background '#ffffff' font 'sans-serif,15' fontscale 2 \
    linewidth 2 pointscale 2
set output 'roofline.png'
replot
set output
