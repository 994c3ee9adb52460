#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_guide.sh MPI DUNLIN-MPI GUIDE LAUNCH: runs the commands of docs/cluster.md with few agents and steps: those of mpirun for one machine,
# and the script for SLURM with an srun of two ranks. The hosts of the last command would need sixteen cores.
set -euo pipefail
mpi=$1 program=$2 guide=$3 launch=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMP_NUM_THREADS=1

fail() { echo "$*" >&2; exit 1; }

# ---- mpirun ----

count=0
while read -r line; do
    read -r _ _ ranks line <<<"${line%%#*}"
    [[ $mpi == openmpi ]] || line=${line/--bind-to none/-bind-to none}
    read -ra words <<<"${line/build\/dunlin-mpi/$program}"
    few=(--agents 2000 --steps 3 --quiet)
    [[ $line != *resume* ]] || few=(--quiet)
    "$launch" "$mpi" "$ranks" "${words[@]}" "${few[@]}" </dev/null || fail "docs/cluster.md says 'mpirun -n $ranks $line', and that fails"
    count=$((count + 1))
done < <(grep '^mpirun -n' "$guide")
((count == 3)) || fail "docs/cluster.md has $count commands of mpirun for one machine"
[[ -e run.ckpt ]] || fail "no checkpoint was written"

# ---- SLURM ----

rm run.ckpt
mkdir bin
awk '/^#!\/bin\/bash$/ { on = 1 } /^```$/ { on = 0 } on' "$guide" >job.sh
cat >bin/srun <<END
#!/usr/bin/env bash
shift # --cpu-bind, of srun's own
few=(--agents 2000 --steps 3 --checkpoint-every 1)
[[ \$2 == run ]] || few=()
echo "\$2" >>"$folder/said"
exec "$launch" "$mpi" 2 "\$@" "\${few[@]}" --quiet
END
ln -s "$program" bin/dunlin-mpi
chmod +x bin/srun
module() { :; }
export -f module
export PATH="$folder/bin:$PATH" SLURM_SUBMIT_DIR="$folder" SLURM_CPUS_PER_TASK=1
for turn in first second; do bash job.sh </dev/null || fail "the $turn job of docs/cluster.md fails"; done
[[ $(paste -sd ' ' said) == "run resume" ]] || fail "the jobs of docs/cluster.md said $(<said)"
