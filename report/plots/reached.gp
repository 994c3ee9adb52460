# Drawn by dunlin. To draw it again: gnuplot reached.gp

reset
set encoding utf8
set label 1 'How much of its bound each kernel reaches' at screen 0.02, 0.95 font ',19'
set label 2 'AMD EPYC, 3 000 agents, 20 neighbours, 4 threads, commit 153d9c2-dirty' at screen 0.02, 0.895 font ',13' textcolor rgb '#555555'
set tmargin at screen 0.84
set rmargin 3
set border 3 linecolor rgb '#444444'
set tics nomirror
set format '%g'
set grid ytics linetype 1 linecolor rgb '#dddddd'
set key top left Left reverse samplen 2 spacing 1.2
set datafile missing 'nan'

$rows << EOD
# kernel percent ...
"scalar\n2D" 65.85 36.46 0.2001
"scalar\n3D" 10.07 11.79 1.007
EOD
set style fill solid noborder
set boxwidth 0.25
set yrange [0:100<*]
set xrange [-0.6:1.6]
set ylabel 'share of the bound (%)'
set offsets 0, 0, graph 0.12, 0
set key top left horizontal
set xtics scale 0 font ',10'
set bmargin 3.5

set terminal svg noenhanced size 830,520 dynamic background '#ffffff' font 'sans-serif,15' fontscale 1.15
set output 'reached.svg'
plot $rows using ($0+-0.27):2 with boxes fillcolor rgb '#56b4e9' title 'snapshot', \
    $rows using ($0+-0.27):2:(sprintf('%.0f', $2)) with labels offset 0, 0.6 font ',10' notitle, \
    $rows using ($0+0):3:xticlabels(1) with boxes fillcolor rgb '#0072b2' title 'interact', \
    $rows using ($0+0):3:(sprintf('%.0f', $3)) with labels offset 0, 0.6 font ',10' notitle, \
    $rows using ($0+0.27):4 with boxes fillcolor rgb '#d55e00' title 'frame', \
    $rows using ($0+0.27):4:(sprintf('%.0f', $4)) with labels offset 0, 0.6 font ',10' notitle
set terminal pngcairo noenhanced size 1660,1040 background '#ffffff' font 'sans-serif,15' fontscale 2 \
    linewidth 2 pointscale 2
set output 'reached.png'
replot
set output
