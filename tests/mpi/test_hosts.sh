#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_hosts.sh DUNLIN DUNLIN-MPI TESTS: ranks on two hosts leave what the plain program leaves. The hosts are network namespaces that a
# cable joins, each with a name of its own, and all messages between them go by TCP. Making them needs root; status 77: not here.
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1
dunlin=$1 program=$2 tests=$3
name=dunlin-$$

folder=$(mktemp -d)
trap 'rm -rf "$folder"; for host in 1 2; do ip netns del $name-$host 2>/dev/null || true; done' EXIT
cd "$folder"

fail() { echo "$*" >&2; exit 1; }
try() { "$@" 2>error || { echo "skipped: no two hosts here: $*: $(head -1 error)"; exit 77; }; }

# ---- the hosts ---------------------------------------------------------------------------------------------------------------

# agent 10.99.0.HOST COMMAND ...: what launchers call in place of rsh. Hosts with one name would be one machine for MPI.
cat >agent <<END
#!/bin/sh
host=$name-\${1##*.}
shift
exec ip netns exec \$host unshare --uts sh -c "hostname \$host && \$*"
END
chmod +x agent

for host in 1 2; do
    try ip netns add $name-$host
    try ip -n $name-$host link set lo up
done
try ip link add cable netns $name-1 type veth peer name cable netns $name-2
for host in 1 2; do
    try ip -n $name-$host addr add 10.99.0.$host/24 dev cable
    try ip -n $name-$host link set cable up
    try ./agent 10.99.0.$host true
done
# The kernel notices later that a cable is plugged in.
is_up() { for turn in {1..100}; do [[ $(ip netns exec $name-$1 cat /sys/class/net/cable/operstate) != up ]] || return 0; sleep 0.1; done; echo "no link" >&2; false; }
for host in 1 2; do try is_up $host; done

# ---- runs --------------------------------------------------------------------------------------------------------------------

# Whatever mpirun knows by variables that begin so, ranks know, too.
export OMPI_MCA_btl_tcp_if_include=cable OMPI_MCA_oob_tcp_if_include=cable OMPI_MCA_plm_rsh_agent=$folder/agent
by_tcp=(--mca btl tcp,self -x OMP_WAIT_POLICY -x OMP_NUM_THREADS)

# on RANKS ARGUMENTS: as many on each host. Its output is `said`.
on() {
    local ranks=$1 status=0
    shift
    said=$(timeout 300 ./agent 10.99.0.1 "$tests/mpi/launch.sh" openmpi $((2 * ranks)) "${by_tcp[@]}" \
        --host "10.99.0.1:$ranks,10.99.0.2:$ranks" "$program" "$@" 2>error) || status=$?
    ((status == 0)) || fail "$ranks ranks on each host: $*: status $status: $(cat error)"
}

bytes_sent() { ip netns exec $name-1 cat /sys/class/net/cable/statistics/tx_bytes; }

for run in "1 default" "2 million_3d" "1 predators" "2 emitter" "1 starlings" "3 ecosystem"; do
    read -r ranks scenario <<<"$run"
    arguments="run $scenario --agents 2000 --steps 20 --quiet --hash"
    hash=$("$dunlin" $arguments)
    before=$(bytes_sent)
    on "$ranks" $arguments
    [[ $said == "$hash" ]] || fail "$scenario, $ranks ranks on each host: $said instead of $hash"
    (($(bytes_sent) - before > 100000)) || fail "$scenario: nothing has gone through the cable"
done

# A checkpoint that ranks on both have written.
everything="$tests/files/everything.yaml --quiet --hash"
hash=$("$dunlin" run $everything --steps 20)
on 2 run $everything --steps 10 --checkpoint "$folder/f.ckpt"
on 1 resume "$folder/f.ckpt" --steps 20 --hash --quiet
[[ $said == "$hash" ]] || fail "from ranks to ranks: $said instead of $hash"
