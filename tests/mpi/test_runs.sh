#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_runs.sh MPI DUNLIN DUNLIN-MPI TESTS: runs on ranks leave what the plain program leaves, continue with any number of ranks, and
# end together, whatever happens to one of them. In a folder of its own below the present one.
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1
mpi=$1 dunlin=$2 program=$3 tests=$4
launch=$tests/mpi/launch.sh
folder=$PWD/runs-$mpi
everything="$tests/files/everything.yaml --quiet --hash"
records="--metrics m.csv --measure displacement,groups --trajectory t.h5 --every 5"

rm -rf "$folder"
mkdir -p "$folder/plain" "$folder/ranks"
cd "$folder"

job=
trap '[[ -z $job ]] || kill $job 2>/dev/null || true' EXIT
fail() { echo "$*" >&2; exit 1; }

# on RANKS ARGUMENTS: its output is `said`.
on() {
    local ranks=$1 status=0
    shift
    said=$(cd ranks && timeout 900 "$launch" "$mpi" "$ranks" "$program" "$@" 2>../error) || status=$?
    ((status == 0)) || fail "$ranks ranks: $*: status $status: $(cat error)"
}

plain() { said=$(cd plain && "$dunlin" "$@" 2>../error) || fail "$*: $(cat error)"; }

# The two last runs have left the same, as CSV what they have recorded.
same() {
    for where in plain ranks; do
        if [[ -e $where/t.h5 ]]; then
            (cd $where && "$dunlin" export t.h5 --to csv --output t.csv >/dev/null 2>&1 && rm t.h5 t.xmf)
        fi
    done
    diff -r plain ranks >difference || fail "$1: $(head difference)"
    rm -rf plain/* ranks/*
}

# ---- what runs leave ---------------------------------------------------------------------------------------------------------

for run in "2 predators" "3 ecosystem" "4 emitter" "7 starlings" "5 gusts" "2 million" "3 million_3d"; do
    read -r ranks scenario <<<"$run"
    arguments="run $scenario --agents 600 --steps 30 --quiet --hash"
    plain $arguments
    hash=$said
    on "$ranks" $arguments
    [[ $said == "$hash" ]] || fail "$scenario on $ranks ranks: $said instead of $hash"
done

# Deaths in a world that is one cell wide.
for run in "2 corridor" "3 corridor_lives" "5 corridor"; do
    read -r ranks scenario <<<"$run"
    arguments="run $tests/files/$scenario.yaml --steps 4 --quiet --hash"
    plain $arguments
    hash=$said
    on "$ranks" $arguments
    [[ $said == "$hash" ]] || fail "$scenario on $ranks ranks: $said instead of $hash"
done

files="--final s.csv --state-every 10 --picture p.png --picture-every 20 --picture-size 200 --curves c.csv"
plain run $everything --steps 40 $records $files
hash=$said
on 3 run $everything --steps 40 $records $files
[[ $said == "$hash" ]] || fail "with all files: $said instead of $hash"
same "all files"

# The report has what ranks send: few calls per step, and those of cuts.
"$launch" "$mpi" 3 "$program" run "$tests/files/everything.yaml" --steps 20 >output 2>error || fail "a report: $(cat error)"
for line in 'exchange +[0-9.]+ .*bytes in [0-9.]+ .*messages per step' 'collectives +[0-9]{1,2}[.][0-9]{2} calls per step'; do
    grep -qE "^  $line" output || fail "the report has no line '$line'"
done

# Agents that are read: from a state, from a frame, with another seed.
(cd plain && "$dunlin" run $everything --steps 5 --final s.csv --trajectory t.h5 >/dev/null)
for init in "$folder/plain/s.csv" "$folder/plain/t.h5@3" "$folder/plain/s.csv --seed 77 --reseed"; do
    plain run $everything --steps 9 --init $init
    hash=$said
    on 3 run $everything --steps 9 --init $init
    [[ $said == "$hash" ]] || fail "--init $init: $said instead of $hash"
done
rm plain/*

# ---- continuing with other ranks -----------------------------------------------------------------------------------------------

plain run $everything --steps 80 $records
hash=$said
on 3 run $everything --steps 30 $records --checkpoint f.ckpt --checkpoint-every 20
on 5 resume f.ckpt --steps 55
(cd ranks && "$dunlin" resume f.ckpt --steps 70 >/dev/null)
mv ranks/f.ckpt ranks/f.ckpt.1
on 2 resume f.ckpt --steps 80
[[ $said == "$hash" ]] || fail "from ranks to ranks: $said instead of $hash"
[[ $(grep -c "f.ckpt is missing; continuing from f.ckpt.1" error) == 1 ]] || fail "a checkpoint is missing: $(cat error)"
rm ranks/f.ckpt*
same "from ranks to ranks"

# What comes before the program's own sections, whose times differ: the last number of the file says how much that is.
plain run $everything --steps 40 $records --checkpoint f.ckpt --checkpoint-every 20
on 3 run $everything --steps 40 $records --checkpoint f.ckpt --checkpoint-every 20
for name in f.ckpt f.ckpt.1; do
    bytes=$(tail -c 8 plain/$name | od -An -t u8 | tr -d ' ')
    cmp <(head -c "$bytes" plain/$name) <(head -c "$bytes" ranks/$name) >difference || fail "$name: $(cat difference)"
done
rm ranks/f.ckpt* plain/f.ckpt*
same "bytes of checkpoints"

# As before there were blocks.
cp "$tests/files/version_1.ckpt" plain/f.ckpt
cp "$tests/files/version_1.ckpt" ranks/f.ckpt
plain resume f.ckpt --steps 20 --checkpoint f.ckpt --hash --quiet
hash=$said
on 3 resume f.ckpt --steps 20 --checkpoint f.ckpt --hash --quiet
[[ $said == "$hash" ]] || fail "version 1: $said instead of $hash"
rm plain/* ranks/*

# ---- mistakes ----------------------------------------------------------------------------------------------------------------

# refused WORDS ARGUMENTS: one message, on rank 0, and all end.
refused() {
    local words=$1 status=0
    shift
    timeout 300 "$launch" "$mpi" 3 "$program" "$@" >output 2>error || status=$?
    ((status != 0 && status != 124)) || fail "$*: status $status"
    [[ $(grep -c '^dunlin' error) == 1 ]] || fail "$*: not one message: $(cat error)"
    grep -q "^dunlin.*$words" error || fail "$*: $words: $(cat error)"
}

refused "No such file" run nosuch
refused "unknown option" run default --nosuch
refused "boundary is open" run circles
refused "index is 'tree'" run default --index tree
refused "cannot be read" run default --init nosuch.csv
refused "it does not begin as one" resume "$tests/files/everything.yaml"
refused "No such file" resume nosuch
refused "cannot write" run default --metrics nosuch/m.csv
refused "No space left" run default --agents 500 --metrics /dev/full --steps 2000 --quiet
refused "one rank" bench

# A byte of an agent is another one.
plain run $everything --steps 2 --checkpoint f.ckpt
bytes=$(tail -c 8 plain/f.ckpt | od -An -t u8 | tr -d ' ')
printf '\377\001\376' | dd of=plain/f.ckpt bs=1 seek=$((bytes - 2000)) conv=notrunc 2>/dev/null
refused "plain/f.ckpt: the checkpoint is damaged in section" resume plain/f.ckpt
rm plain/*

# Where rank 1 sees another file system, it cannot write what rank 0 has made. Reading is left to rank 0 then.
if unshare --mount true 2>/dev/null; then
    apart=(bash -c 'cd ranks; if [[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} == 1 ]]; then
        exec unshare --mount bash -c "mount -t tmpfs none \"\$PWD\" && exec \"\$@\"" "$0" "$@"; fi; exec "$@"' "$program" "$program")
    status=0
    timeout 300 "$launch" "$mpi" 3 "${apart[@]}" run $everything --steps 3 --checkpoint f.ckpt >output 2>error || status=$?
    ((status != 0 && status != 124)) || fail "file systems apart: status $status"
    grep -q "^dunlin: rank 1 cannot write the new f.ckpt that rank 0 has made: No such.*; all ranks need one file system" error ||
        fail "file systems apart: $(cat error)"
    [[ -z $(find ranks -name '.dunlin-*') && ! -e ranks/f.ckpt ]] || fail "file systems apart: $(ls -A ranks)"
    on 3 run $everything --steps 3 --checkpoint f.ckpt
    timeout 300 "$launch" "$mpi" 3 "${apart[@]}" resume "$folder/ranks/f.ckpt" --steps 5 --final s.csv \
        --checkpoint "$folder/g.ckpt" >output 2>error || fail "apart: $(cat error)"
    plain run $everything --steps 5 --final s.csv
    cmp plain/s.csv ranks/s.csv || fail "file systems apart: another state"
    rm -f plain/* ranks/* g.ckpt*
else
    echo "no mount namespaces: not tested where ranks see different file systems"
fi

# ---- launchers of others -----------------------------------------------------------------------------------------------------

"$launch" "$mpi" 1 "$program" --version >output
grep -Eq "^dunlin-mpi [0-9.]+[^ ]* \((Open MPI v|MPICH Version )[0-9.]+[^ ]*\)$" output || fail "--version: $(cat output)"
on 3 run "$tests/files/everything.yaml" --steps 2 --threads 1
grep -Eq "^  ranks +3 \((Open MPI|MPICH).*\), with as many threads each$" <<<"$said" || fail "ranks are not reported: $said"

# Each rank believes that it is alone, whatever its launcher says.
for variable in PMI_SIZE=2 OMPI_COMM_WORLD_SIZE=2 SLURM_STEP_NUM_TASKS=2 PMIX_RANK=1; do
    status=0
    env $variable "$program" run $everything --steps 2 --final s.csv >output 2>error || status=$?
    ((status == 2)) || fail "$variable: status $status: $(cat error)"
    [[ ! -e s.csv ]] || fail "$variable: it has run"
    grep -q "^dunlin: ${variable%=*} is .*one rank.*mpirun" error || fail "$variable: $(cat error)"
done
other=mpich
[[ $mpi == openmpi ]] || other=openmpi
if command -v "mpirun.$other" >/dev/null; then
    status=0
    timeout 300 "$launch" $other 2 "$program" run $everything --steps 2 --final s.csv >output 2>error || status=$?
    ((status != 0 && status != 124)) || fail "mpirun.$other: status $status"
    [[ ! -e s.csv ]] || fail "mpirun.$other: it has run"
    grep -q "^dunlin: .* finds one rank" error || fail "mpirun.$other: $(cat error)"
fi
rm -f output error

# ---- signals -----------------------------------------------------------------------------------------------------------------

runs() { [[ -s ranks/m.csv ]]; } # metrics are written when there are many of them
has_saved() { [[ -e ranks/f.ckpt.1 ]]; }

# begin RANKS EVERY SO: a long run in the background, of which SO is true. Its launcher is `job`, its ranks are `crew`.
begin() {
    rm -f ranks/* error
    (cd ranks && exec "$launch" "$mpi" "$1" "$program" run $everything --steps 1000000 --metrics m.csv --metrics-every 10 \
        --checkpoint f.ckpt --checkpoint-every "$2") >output 2>error &
    job=$!
    for ((i = 0; i < 600; i++)); do
        ! $3 || break
        kill -0 $job 2>/dev/null || fail "the run has ended: $(cat error)"
        sleep 0.1
    done
    $3 || fail "nothing comes for a minute: $(cat error)"
    crew=()
    for process in /proc/[0-9]*; do
        if [[ $(readlink "$process/cwd" 2>/dev/null) == "$folder/ranks" && $(readlink "$process/exe" 2>/dev/null) == "$program" ]]; then
            crew+=("${process#/proc/}")
        fi
    done
    ((${#crew[@]} == $1)) || fail "${#crew[@]} ranks run instead of $1: $(cat error)"
}

# ends SECONDS WHAT: the run ends by then, and no rank is left. Its status is `status`, unless the launcher forgets it.
ends() {
    for ((i = 0; i < 10 * $1; i++)); do
        kill -0 $job 2>/dev/null || break
        sleep 0.1
    done
    kill -0 $job 2>/dev/null && fail "$2: the run goes on after $1 seconds"
    status=0
    wait $job || status=$?
    for process in "${crew[@]}"; do
        for ((i = 0; i < 50; i++)); do
            kill -0 "$process" 2>/dev/null || break
            sleep 0.1
        done
        kill -0 "$process" 2>/dev/null && fail "$2: a rank is left"
    done
    return 0
}

# The last checkpoint is whole, and the plain program continues from it as if nothing had happened.
goes_on() {
    local more last
    (cd ranks && "$dunlin" resume f.ckpt --steps 1 --final s.csv >/dev/null) || fail "$1: the checkpoint is bad"
    last=$(sed -n 's/^# step //p' ranks/s.csv)
    ((last > 0)) || fail "$1: the only checkpoint is the first"
    more=$((last + 25))
    rm -f ranks/s.csv
    (cd ranks && "$dunlin" resume f.ckpt --steps $more --hash) >output || fail "$1: the run does not go on"
    plain run $everything --steps $more --metrics m.csv --metrics-every 10
    [[ $(cat output) == "$said" ]] || fail "$1: $(cat output) instead of $said"
    diff plain/m.csv ranks/m.csv >difference || fail "$1: other metrics: $(head -3 difference)"
}

begin 3 1h runs
kill -TERM "${crew[2]}"
ends 20 "SIGTERM for a rank"
((status == 143)) || fail "SIGTERM for a rank: status $status"
goes_on "SIGTERM for a rank"

begin 2 1h runs
kill -TERM $job
ends 20 "SIGTERM for the launcher"
goes_on "SIGTERM for the launcher"

# A rank cannot write any more: all end, the last checkpoint is whole, and the new one leaves nothing.
begin 3 20 has_saved
for process in "${crew[@]}"; do
    if tr '\0' '\n' <"/proc/$process/environ" | grep -Eq '^(OMPI_COMM_WORLD_RANK|PMI_RANK)=2$'; then prlimit --fsize=0 --pid "$process"; fi
done
ends 60 "a rank cannot write"
((status != 0)) || fail "a rank cannot write: status 0"
grep -q "^dunlin: cannot write f.ckpt on rank 2: File too large$" error || fail "a rank cannot write: $(cat error)"
[[ -z $(find ranks -name '.dunlin-*') ]] || fail "a rank cannot write: $(ls -A ranks)"
goes_on "a rank cannot write"

begin 3 50 has_saved
kill -KILL "${crew[1]}"
ends 20 "a rank is killed"
((status != 0)) || fail "a rank is killed: status 0"
goes_on "a rank is killed"

cd ..
rm -rf "$folder"
