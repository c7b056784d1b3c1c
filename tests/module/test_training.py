"""Modules learn what those of the original learn, and go on with each other's checkpoints."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import mxnet as mx
from tests.golden import module_cases as cases


@pytest.fixture(scope="module")
def golden():
    with np.load(cases.RESULTS) as stored:
        return dict(stored)


def expected(golden, name):
    start = f"{name}/"
    return {key[len(start) :]: array for key, array in golden.items() if key.startswith(start)}


@pytest.mark.parametrize("name", cases.CASES)
def test_ten_steps_lead_to_the_parameters_of_the_original(name, golden):
    assert cases.largest_difference(expected(golden, name), cases.train(mx, name)) < 1e-4


@pytest.mark.parametrize("name", cases.RESUMED)
def test_training_goes_on_from_a_checkpoint_of_the_original(name, golden):
    found = cases.resume(mx, name, cases.CHECKPOINTS)
    assert cases.largest_difference(expected(golden, f"resumed {name}"), found) < 1e-4


@pytest.mark.parametrize("name", cases.RESUMED)
def test_training_goes_on_from_our_checkpoint(name, golden, tmp_path):
    cases.save(mx, name, tmp_path)
    found = cases.resume(mx, name, tmp_path)
    assert cases.largest_difference(expected(golden, f"resumed {name}"), found) < 1e-4


def test_states_do_matter(golden, tmp_path):
    name = "sgd momentum and decay"
    for path in cases.CHECKPOINTS.glob(f"{cases.file_name(name)}*"):
        shutil.copy(path, tmp_path)
    module = mx.mod.Module.load(str(tmp_path / cases.file_name(name)), 5)
    cases.bound(mx, name, module)
    module.init_optimizer("local", "sgd", cases.CASES[name].params)
    cases.advance(mx, name, module, 5, first=5)
    found = cases.values(module)
    assert cases.largest_difference(expected(golden, f"resumed {name}"), found) > 1e-2


def test_damaged_states_are_refused(tmp_path):
    name = "adam"
    for path in cases.CHECKPOINTS.glob("adam-*"):
        shutil.copy(path, tmp_path)
    states = tmp_path / "adam-0005.states"
    states.write_bytes(states.read_bytes()[:-40])
    with pytest.raises(mx.MXNetError, match="states"):
        cases.resume(mx, name, tmp_path)
