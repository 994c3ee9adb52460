#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make.sh PROGRAM: flies what docs/files.md shows, opens it with other people's viewers, and leaves their pictures here. Needs what
# `make test-files` installs, and gnuplot-nox, xvfb, xauth and pngquant.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONDONTWRITEBYTECODE=1

"$program" run starlings --agents 20000 --steps 240 --every 20 --trajectory starlings.h5 --quiet
"$program" run predators --set species.starlings.agents=3000 --set species.hawks.agents=12 --steps 600 --every 10 --trajectory hunt.h5 --quiet
for format in vtkhdf xyz lammps gsd csv; do "$program" export hunt.h5 --to "$format" --quiet; done

# On a busy machine an X server takes its time.
show_in_paraview() { xvfb-run -a -w 10 -s '-screen 0 1280x1024x24' pvpython "$here/paraview_view.py" "$@"; }
show_in_paraview starlings.xmf 200 paraview_xdmf.png
show_in_paraview hunt_vtkhdf/frames.vtkhdf.series 600 paraview_vtkhdf.png
for viewer in mdanalysis ase gsd; do /usr/bin/python3 -W ignore "$here/${viewer}_view.py" "$viewer.png"; done
lmp -log none -nocite -in "$here/lammps_view.in" >/dev/null
gnuplot "$here/csv_view.gp"
pngquant --force --ext .png 64 -- *.png
cp -- *.png "$here"
