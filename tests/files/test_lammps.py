# SPDX-License-Identifier: MIT
"""The LAMMPS dump, read by ASE with all columns, by MDAnalysis where counts do not change, and by LAMMPS itself."""

import io
import os
import subprocess

import numpy as np
import common


def test_ase(simulation):
    import ase.io.lammpsrun

    # ASE's own reader of dumps keeps no attributes, so its columns are taken where it makes atoms of them.
    columns, boxes = [], []
    make = ase.io.lammpsrun.lammps_data_to_ase_atoms

    def keep(data, colnames, *arguments, **options):
        boxes.append((options["cell"], options["pbc"]))
        columns.append({name: data[:, i] if len(data) else data for i, name in enumerate(colnames)})
        return make(data, colnames, *arguments, **options) if len(data) else None

    ase.io.lammpsrun.lammps_data_to_ase_atoms = keep
    try:
        with open(simulation.export("lammps", simulation.name + ".lammpstrj")) as file:
            # It stops at the first frame that has fewer lines left than the frame before has atoms.
            ase.io.lammpsrun.read_lammps_dump_text(io.StringIO(file.read() + "\n" * 10000), slice(None))
    finally:
        ase.io.lammpsrun.lammps_data_to_ase_atoms = make
    common.same(len(columns), len(simulation.states), "frames")
    kinds = {}
    for got, (cell, periods), state in zip(columns, boxes, simulation.states):
        common.same(len(got["id"]), state.count, "agents")
        common.same(np.diag(np.asarray(cell)), np.float64(simulation.box), "box")
        common.same(list(periods[: state.dimensions]), [simulation.is_periodic] * state.dimensions, "periodic axes")
        if state.count == 0:
            continue
        common.same(got["id"].astype(np.uint32), state.id, "ids")
        for kind, species in zip(got["type"], state.species):
            common.same(kinds.setdefault(kind, species), species, "species")
        common.same(np.stack([got[c] for c in "xyz"], 1).astype(np.float32), state.position, "positions")
        if simulation.is_periodic:
            common.same(np.stack([got["i" + c] for c in "xyz"], 1).astype(int), state.image, "images")
        common.same(np.stack([got["v" + c] for c in "xyz"], 1).astype(np.float32), state.velocity, "velocities")
        for name, values in state.attribute.items():
            common.same(got[name].astype(np.float32), values, name)


def test_mdanalysis(simulation):
    import MDAnalysis

    path = simulation.export("lammps", simulation.name + ".lammpstrj")
    universe = MDAnalysis.Universe(path, topology_format="LAMMPSDUMP", format="LAMMPSDUMP")
    common.same(len(universe.trajectory), len(simulation.states), "frames")
    for frame, state in zip(universe.trajectory, simulation.states):
        common.same(frame.data["step"], state.step, "step")
        common.same(frame.positions, state.position, "positions")
        common.same(frame.dimensions, np.float32(simulation.box + (90, 90, 90)), "box")


def test_lammps(simulation):
    """LAMMPS knows no atom 0, so it gives ids of its own, in the order of the file. It unwraps positions (xu) by images."""
    state = simulation.states[-1]
    path = simulation.export("lammps", simulation.name + ".last.lammpstrj", "--steps", str(state.step))
    fields = "x y z vx vy vz ix iy iz" if state.dimensions == 3 else "x y vx vy ix iy"
    script = f"""
units lj
dimension {state.dimensions}
atom_style atomic
boundary p p p
region box block 0 1 0 1 -0.5 0.5
create_box 8 box
mass * 1.0
read_dump {path} {state.step} {fields} box yes add yes format native
write_dump all custom {simulation.name}.by_lammps id x y z vx vy vz xu yu zu modify sort id format float %.12g
"""
    lammps = next((p for p in ("/usr/bin/lmp", "/usr/bin/lammps") if os.path.exists(p)), None)
    if not lammps:
        raise ImportError("lmp")
    said = subprocess.run([lammps, "-log", "none", "-nocite"], input=script, capture_output=True, text=True, check=False)
    if said.returncode:
        raise AssertionError(said.stdout[-200:])
    with open(simulation.name + ".by_lammps") as file:
        rows = [line.split() for line in file.read().split("ITEM: ATOMS id x y z vx vy vz xu yu zu\n")[1].splitlines()]
    numbers = np.array(rows, dtype=np.float64)
    common.same(numbers[:, 0], np.arange(1, state.count + 1), "ids")
    common.same(numbers[:, 1:4].astype(np.float32), state.position, "positions")
    common.same(numbers[:, 4:7].astype(np.float32), state.velocity, "velocities")
    ways = state.image * np.float64(simulation.box) + state.position
    common.same(bool(np.allclose(numbers[:, 7:10], ways, rtol=0, atol=1e-5)), True, "unwrapped positions")


for each in common.simulations("reef", "ecosystem", "firework", "starlings", "none"):  # ASE 3.22 cannot read one atom
    common.test("lammps by ASE: " + each.name, test_ase, each)
for each in common.simulations("starlings", "one"):
    common.test("lammps by MDAnalysis: " + each.name, test_mdanalysis, each)
for each in common.simulations("reef", "starlings", "ecosystem"):
    common.test("lammps by LAMMPS: " + each.name, test_lammps, each)
