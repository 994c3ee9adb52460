#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# launch.sh MPI RANKS PROGRAM ...: runs a program on ranks, as many as wanted on however few cores, by openmpi or mpich.
set -euo pipefail
mpi=$1 ranks=$2
shift 2
export OMP_WAIT_POLICY=passive
case $mpi in
    openmpi)
        # In a container the user may be root, and the machine's name may not be known. Ranks that wait leave the core to others.
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
        export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader OMPI_MCA_hwloc_base_binding_policy=none
        # A link that is cut ends the job soon, as docs/cluster.md says.
        export OMPI_MCA_oob_tcp_keepalive_time=5 OMPI_MCA_oob_tcp_keepalive_intvl=2 OMPI_MCA_oob_tcp_keepalive_probes=3
        launcher=mpirun.openmpi
        ;;
    mpich) launcher=mpirun.mpich ;;
esac
command -v "$launcher" >/dev/null || launcher=mpirun
exec "$launcher" -n "$ranks" "$@"
