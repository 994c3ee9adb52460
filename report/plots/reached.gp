# Drawn by dunlin. To draw it again: gnuplot reached.gp

set encoding utf8
set label 1 'How much of its bound each kernel reaches' at screen 0.02, 0.95 font ',19'
set label 2 'AMD EPYC, 3 000 agents, 20 neighbours, 1 thread, commit 2a865bc-dirty' at screen 0.02, 0.895 font ',13' textcolor rgb '#555555'
set tmargin at screen 0.84
set rmargin 3
set border 3 linecolor rgb '#444444'
set tics nomirror
set format '%g'
set grid ytics linetype 1 linecolor rgb '#dddddd'
set key top left Left reverse samplen 2 spacing 1.2
set datafile missing 'nan'

$bar0 << EOD
# place percent
-0.27 8.06 "8"
0.73 7.673 "8"
EOD
$bar1 << EOD
# place percent
0 44.33 "44"
1 58.45 "58"
EOD
$bar2 << EOD
# place percent
0.27 45.2 "45"
1.27 56.95 "57"
EOD
set style fill solid noborder
set boxwidth 0.25
set yrange [0:100<*]
set ylabel 'reached of the measured bound (%)'
set offsets 0, 0, graph 0.12, 0
set key top left horizontal
set xtics scale 0 ("scalar\n2D" 0, "scalar\n3D" 1)
set bmargin 3.5
set xrange [-0.6:1.6]

set terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,15' fontscale 1.15
set output 'reached.svg'
plot $bar0 using 1:2 with boxes fillcolor rgb '#56b4e9' title 'snapshot', \
    $bar0 using 1:2:3 with labels offset 0, 0.6 font ',12' notitle, \
    $bar1 using 1:2 with boxes fillcolor rgb '#0072b2' title 'interact', \
    $bar1 using 1:2:3 with labels offset 0, 0.6 font ',12' notitle, \
    $bar2 using 1:2 with boxes fillcolor rgb '#d55e00' title 'frame', \
    $bar2 using 1:2:3 with labels offset 0, 0.6 font ',12' notitle
set terminal pngcairo noenhanced size 1660,1040 background '#ffffff' font 'sans-serif,15' fontscale 2 \
    linewidth 2 pointscale 2
set output 'reached.png'
replot
set output
