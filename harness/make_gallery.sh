#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_gallery.sh PROGRAM PAGE FOLDER [NAME ...]: flies the shipped scenarios, all or those, leaves a picture of each in FOLDER and
# the page that shows all of them.
set -euo pipefail
program=$1 page=$2 folder=$3
shift 3

# How many steps until there is something to see. Others fly as many as their file says.
declare -A steps=([default]=400 [million]=60 [million_3d]=30 [starlings]=250 [flee]=90 [breathing]=375 [gusts]=150 [ecosystem]=1500 [noc_5_01_seek]=120 [noc_5_02_arrive]=90
    [noc_5_03_walls]=150 [noc_5_07_separation]=150 [noc_5_08_separate_seek]=150 [noc_5_09_flock]=300 [cc124_flock]=300
    [doherty_boids]=200 [mason_flockers]=300 [netlogo_flocking]=200 [opensteer_boids]=400)
declare -A colour=([variety]=max_speed) # an attribute
declare -A size=([million]=400 [million_3d]=400) # pixels: noise compresses badly

wanted() {
    local name=$1
    shift
    [[ $# -eq 0 || " $* " == *" $name "* ]]
}

mkdir -p "$folder"
{
    echo "# Gallery"
    echo
    echo "Every shipped scenario, some steps into its flight: \`dunlin run NAME\`. \`make gallery\` makes the pictures anew. Colours say where"
    echo "an agent flies, as [scenarios.md](scenarios.md) explains; what agents steer by besides each other is grey."
    "$program" scenarios | while read -r name description; do
        echo
        echo "## $name"
        echo
        echo "$description${colour[$name]:+ Here colours say how much \`${colour[$name]}\` an agent has: from gold, the least, to violet.}"
        echo
        echo "![$name](images/gallery/$name.png)"
    done
} >"$page"

"$program" scenarios | while read -r name _; do
    wanted "$name" "$@" || continue
    echo "$name"
    "$program" run "$name" ${steps[$name]:+--steps "${steps[$name]}"} ${colour[$name]:+--colour "${colour[$name]}"} --quiet \
        --picture-size "${size[$name]:-720}" --picture "$folder/$name.png"
done
