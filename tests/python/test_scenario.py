# SPDX-License-Identifier: MIT
"""Scenarios: shipped ones, texts, dicts; what they say; and what is measured of their steps."""
import copy
import csv
import os
import pickle
import subprocess

import numpy as np
import pytest

import dunlin
from conftest import scenarios


def test_record_is_what_the_program_writes(tmp_path):
    run = [os.environ["DUNLIN_PROGRAM"], "run", "ecosystem", "--quiet", "--steps=31", "--agents=900", "--metrics", tmp_path / "metrics.csv", "--metrics-every=5"]
    subprocess.run(run, check=True, capture_output=True)
    with open(tmp_path / "metrics.csv", newline="") as file:
        wanted = list(csv.DictReader(file))
    rows = dunlin.Simulation("ecosystem", agents=900).record(31, every=5)
    assert len(rows) == len(wanted) == 7 * len(set(rows["species"]))
    for row, want in zip(rows, wanted):
        for name, text in want.items():
            assert row[name] == text if name == "species" else np.isnan(row[name]) if text == "" else float(f"{row[name]:.9g}") == float(text), name
    assert set(rows.dtype.names) == {"time", *wanted[0]}
