# SPDX-License-Identifier: MIT
# The ways of hawks, by gnuplot from the long table.
set terminal pngcairo size 900,560 font "sans,11"
set output "csv.png"
set datafile separator ","
set size ratio -1
set title "gnuplot: starlings at step 600, and hawks in the 200 steps before, coloured by step"
set key off
set xlabel "x"
set ylabel "y"
set xrange [0:320]
set yrange [0:200]
set cbrange [400:600]
plot "hunt.csv" using ($1 == 600 && strcol(4) eq "starlings" ? $5 : NaN):6 with points pt 7 ps 0.25 lc rgb "#5b7fa6", \
     "hunt.csv" using ($1 > 400 && strcol(4) eq "hawks" ? $5 : NaN):6:1 with points pt 7 ps 0.5 lc palette
