#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_gallery.sh PROGRAM PAGE FOLDER [NAME ...]: runs the shipped scenarios, all or those named. It leaves a picture of each in
# FOLDER, films of those that only a film explains, and PAGE, a grid of thumbnails of all of them.
set -euo pipefail
program=$1 page=$2 folder=$3
shift 3

# The groups of the page, each in its order. A scenario that none of them names is in the part of features. Sketches follow the book's chapter.
sketches="friction attractor noc_5_01_seek noc_ex_5_01_flee noc_ex_5_02_roads_and_mud noc_5_02_arrive noc_5_03_walls noc_ex_5_05_within_circle
    noc_5_04_flow_field noc_ex_5_07_changing_field noc_ex_5_08_dark_to_light noc_5_06_path noc_ex_5_11_moving_path noc_5_07_separation noc_5_07_by_size
    noc_ex_5_12_cohere noc_ex_5_13_crowd_path noc_5_08_separate_seek noc_ex_5_14_over_time noc_ex_5_14_per_vehicle noc_ex_5_14_hunger
    noc_ex_5_14_crowd noc_5_09_flock noc_ex_5_15_behind_walls noc_ex_5_18_all_change river cc124_flock doherty_boids doherty_wishes mason_flockers netlogo_flocking
    opensteer_boids"
literature="circles couzin matching olfati_saber topological vicsek"
large="default million million_3d creatures starlings predators"

# How many steps until there is something to see. Other scenarios run as many as their files say.
declare -A steps=([default]=400 [million]=1000 [million_3d]=300 [starlings]=250 [flee]=120 [breathing]=375 [gusts]=150
    [ecosystem]=1500 [mixed_flocks]=100 [noc_5_01_seek]=120 [noc_5_02_arrive]=90 [noc_5_03_walls]=150 [noc_5_07_separation]=150
    [noc_5_08_separate_seek]=150 [noc_5_09_flock]=300 [cc124_flock]=300 [doherty_boids]=200 [mason_flockers]=300
    [netlogo_flocking]=200 [opensteer_boids]=400 [trails]=500 [creatures]=1000 [schools_split]=600 [hysteresis]=900 [noc_ex_5_08_dark_to_light]=150
    [noc_ex_5_14_crowd]=650 [leader]=300 [moving_obstacle]=150 [doherty_wishes]=400)
# From seed 16 the group turns in the plane of the picture. All of the mixed flocks, and all creatures, are too many for one picture.
tenth="--set world.size=[600,600] --set species.cells.agents=100000 --set species.cells.groups=100
    --set species.cells.attributes[0].in_turn=[0,99]"
quarter="--set world.size=[80,50] --set species.dunlins.agents=750 --set species.knots.agents=500"
declare -A options=([variety]="--colour max_speed" [schools_split]="--colour group"
    [hysteresis]="--colour cohesion_weight --colour-range 0,1.5" [evolving_foragers]="--colour radius_scale --colour-range 0.05,0.25"
    [couzin]="--seed 16" [two_flocks]="--colour species" [noc_ex_5_01_flee]="--colour species"
    [noc_ex_5_02_roads_and_mud]="--colour pace" [noc_ex_5_14_per_vehicle]="--colour separation_weight"
    [noc_ex_5_14_hunger]="--colour appetite" [noc_ex_5_14_crowd]="--colour patience_lost" [leader]="--colour species"
    [moving_obstacle]="--colour species"
    [mixed_flocks]="--colour species $quarter" [creatures]="$tenth")

# Scenarios with a film: its steps, of which a frame shows every so many, and its width if it is not 240. The others have only a picture:
# their films would be large, as a million agents move, or thousands cross the whole picture, or all of the ground changes.
declare -A films=([creatures]="600 12 320" [fish_of_fish]="600 12 320" [schools_split]="800 16 320" [hysteresis]="750 25 320"
    [trails]="600 12 320" [evolving_foragers]="3000 60 320"
    [attractor]="200 4" [noc_5_01_seek]="200 4" [noc_ex_5_01_flee]="200 4" [noc_5_02_arrive]="160 4"
    [noc_5_03_walls]="160 4" [noc_ex_5_05_within_circle]="240 6" [noc_5_04_flow_field]="160 4" [noc_ex_5_07_changing_field]="240 6"
    [noc_ex_5_08_dark_to_light]="240 6" [noc_5_06_path]="160 4" [noc_ex_5_11_moving_path]="320 8" [noc_5_07_separation]="160 4"
    [noc_5_07_by_size]="160 4" [noc_ex_5_12_cohere]="320 8" [noc_ex_5_13_crowd_path]="160 4" [noc_5_08_separate_seek]="200 4"
    [noc_ex_5_14_over_time]="480 12" [noc_ex_5_14_per_vehicle]="200 4" [noc_ex_5_14_hunger]="240 6" [noc_ex_5_14_crowd]="640 16"
    [noc_5_09_flock]="320 8" [noc_ex_5_15_behind_walls]="240 6" [noc_ex_5_18_all_change]="480 12" [river]="480 8" [cc124_flock]="320 8"
    [doherty_boids]="240 6" [doherty_wishes]="320 8" [mason_flockers]="320 8" [netlogo_flocking]="240 6" [opensteer_boids]="400 10"
    [emitter]="480 12" [field_of_view]="300 8" [firework]="40 1" [flee]="200 5" [gusts]="480 12" [leader]="320 8"
    [moving_obstacle]="320 8" [obstacles]="240 6" [sidestep]="400 10" [variety]="320 8" [wander]="240 6" [couzin]="800 20"
    [matching]="100 3" [olfati_saber]="480 12" [topological]="320 8" [vicsek]="160 4" [starlings]="320 8" [predators]="320 8")

film() { # NAME STEPS EVERY [WIDTH]
    # shellcheck disable=SC2086 # several words
    "$program" run "$1" --steps "$2" --every "$3" ${options[$1]:-} --quiet --film "$folder/$1.webp" --size "${4:-240}" --fps 12
}

wanted() {
    local name=$1
    shift
    [[ $# -eq 0 || " $* " == *" $name "* ]]
}

names_of() { # GROUP: one name a line
    local named="$sketches $literature $large"
    case $1 in
        features) cut -d ' ' -f 1 <<<"$scenarios" | grep -vxFf <(printf '%s\n' $named) ;;
        *) printf '%s\n' ${!1} ;;
    esac
}

# A table of three thumbnails per row, each with its scenario's name and description.
write_grid() {
    local column=0 name description
    echo "<table>"
    for name in $(names_of "$1"); do
        description=$(awk -v name="$name" '$1 == name { sub(/^[^ ]+ +/, ""); print }' <<<"$scenarios")
        [[ -n $description ]] || { echo "make_gallery.sh names $name, which is not shipped" >&2; exit 1; }
        ((column % 3 == 0)) && echo "<tr>"
        echo "<td width=\"33%\" valign=\"top\"><a href=\"images/gallery/$name.png\"><img src=\"images/gallery/$name.png\" width=\"260\" alt=\"$name\"></a><br>"
        echo "<b><code>$name</code></b>${films[$name]:+ · <a href=\"images/gallery/$name.webp\">film</a>}<br>$description</td>"
        ((++column % 3 == 0)) && echo "</tr>"
    done
    ((column % 3 == 0)) || echo "</tr>"
    echo "</table>"
}

scenarios=$("$program" scenarios)
{
    echo "# Gallery"
    echo
    echo "This page shows every shipped scenario after some steps. \`dunlin run NAME\` runs one; \`make gallery\` draws the pictures again."
    echo "Click a picture to see it in full size. Colours show headings, species or an attribute, and a legend explains them; in"
    echo "\`schools_split\` each school has a colour of its own. The picture of \`mixed_flocks\` shows a quarter of its world, with a quarter of the"
    echo "agents, and that of \`creatures\` a tenth. Targets, walls, paths, fields and obstacles are grey. [scenarios.md](scenarios.md) explains"
    echo "scenario files."
    for part in "large:Large flocks" "sketches:Sketches that taught flocking" "features:What Dunlin can do" "literature:From the literature"; do
        echo
        echo "## ${part#*:}"
        echo
        write_grid "${part%%:*}"
    done
} >"$page"

mkdir -p "$folder"
while read -r name _; do
    wanted "$name" "$@" || continue
    echo "$name"
    # shellcheck disable=SC2086 # several words
    "$program" run "$name" ${steps[$name]:+--steps "${steps[$name]}"} ${options[$name]:-} --quiet --picture-size 720 \
        --picture "$folder/$name.png"
    # shellcheck disable=SC2086
    [[ -z ${films[$name]:-} ]] || film "$name" ${films[$name]}
    pngquant --force --skip-if-larger --ext .png "$folder/$name.png" || [[ $? == 98 ]] # 98: it would be larger
done <<<"$scenarios"
