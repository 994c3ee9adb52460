#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs what the tests read, in the present folder: NAME.h5 with its frames, and in NAME/ the state of each frame as the engine
# writes it, which is the truth.
set -euo pipefail

# In 2D: three species of which two have an attribute, births, deaths, meals, growth.
# In 3D and open: births by growth, deaths.
run() {
    local name=$1 every=$3
    mkdir "$name"
    "$DUNLIN" run "$2" --quiet --every "$every" --trajectory "$name.h5" --state-every "$every" --final "$name/state.csv" "${@:4}"
}

# In 3D: groups, births, meals, deaths, and crossings of all edges. A state of every step shows each crossing.
run reef "$(dirname "$0")/reef.yaml" 5 --state-every 1

run ecosystem ecosystem 20 --steps 240 --agents 3000
run firework firework 10 --steps 120
# Groups that split and merge, and traces.
run schools schools_split 20 --steps 60 --groups schools/groups.csv --groups-every 20
run trails trails 10 --steps 30 --agents 500
run starlings starlings 7 --steps 30 --agents 800
run one default 5 --steps 10 --agents 1
run none default 5 --steps 10 --agents 0
