"""States of updaters: files of the original, ours for the original, and hostile ones."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import lr_scheduler, optimizer
from mxnet.errors import MXNetError

from ..golden.optimizer_cases import SAVED, VARIANTS, Case
from .test_runs import GOLDEN, make_updater, results_of, run

READER = Path(__file__).resolve().parents[1] / "golden" / "read_states_with_original.py"


@pytest.mark.parametrize("name", SAVED)
def test_states_of_the_original_go_on_as_if_they_were_ours(name: str):
    case = SAVED[name]
    ours, weights = run(case, together=True, steps=3)
    updater = optimizer.get_updater(optimizer.SGD())
    updater.set_states((GOLDEN / f"{name}.states").read_bytes())
    assert type(updater.optimizer) is type(ours.optimizer)
    assert vars(updater.optimizer).keys() == vars(ours.optimizer).keys()
    assert updater.optimizer._index_update_count == {0: 3, 1: 3, 2: 3}
    copies = [weight.copy() for weight in weights]
    gradients = [mx.nd.array(item, dtype=item.dtype) for item in case.gradients(3)]
    ours([0, 1, 2], gradients, weights)
    updater([0, 1, 2], gradients, copies)
    for first, second in zip(results_of(ours, weights), results_of(updater, copies), strict=True):
        np.testing.assert_allclose(first, second, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", SAVED)
def test_states_without_their_optimizer_keep_ours(name: str):
    updater = make_updater(SAVED[name])
    ours = updater.optimizer
    updater.set_states((GOLDEN / f"{name}-alone.states").read_bytes())
    assert updater.optimizer is ours
    assert set(updater.states) == {0, 1, 2}
    assert not any(updater.states_synced.values())


@pytest.mark.parametrize("name", [*VARIANTS, "sgld"])
def test_our_states_come_back(name: str):
    updater, weights = run(Case(name, {"wd": 0.1}), together=True, steps=2)
    copy = optimizer.get_updater(optimizer.SGD())
    copy.set_states(updater.get_states(dump_optimizer=True))
    assert vars(copy.optimizer).keys() == vars(updater.optimizer).keys()
    assert copy.optimizer.num_update == (0 if name == "test" else 2)
    for first, second in zip(results_of(updater, weights), results_of(copy, weights), strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", [*optimizer.optimizer.__all__, "GroupAdaGrad"])
def test_optimizers_are_pickled_under_names_of_the_original(name):
    home = "mxnet.optimizer.contrib" if name == "GroupAdaGrad" else "mxnet.optimizer.optimizer"
    made = getattr(sys.modules[home], name)
    if isinstance(made, type) and issubclass(made, optimizer.Optimizer):
        assert made.__module__ == home
        assert type(pickle.loads(pickle.dumps(made()))) is made


def test_parameters_are_not_pickled():
    made = optimizer.SGD(param_dict={0: object()})
    assert pickle.loads(pickle.dumps(made)).param_dict == {}


def test_names_in_our_files_are_those_of_the_original():
    data = make_updater(SAVED["schedule"]).get_states(dump_optimizer=True)
    assert b"mxnet.optimizer.optimizer" in data
    assert b"mxnet.lr_scheduler" in data
    assert optimizer.Updater.__module__ == "mxnet.optimizer.optimizer"


def test_class_paths_of_later_versions_are_found():
    states = pickle.dumps(({}, optimizer.SGD(momentum=0.5)), 0)
    moved = states.replace(b"mxnet.optimizer.optimizer\nSGD", b"mxnet.optimizer.sgd\nSGD")
    assert moved != states
    updater = optimizer.get_updater(optimizer.Adam())
    updater.set_states(moved)
    assert type(updater.optimizer) is optimizer.SGD
    states = pickle.dumps(({}, optimizer.SGD(momentum=0.5)), 2)
    moved = states.replace(b"cmxnet.optimizer.optimizer\nSGD", b"cmxnet.optimizer.sgd\nSGD")
    updater.set_states(moved)
    assert type(updater.optimizer) is optimizer.SGD


class UserSchedule(lr_scheduler.LRScheduler):
    def __call__(self, num_update):
        return 0.5 + 0 * num_update


def test_classes_of_users_are_allowed_once_registered():
    @optimizer.register
    class Registered(optimizer.SGD):
        pass

    Registered.__qualname__ = "Registered"
    globals()["Registered"] = Registered
    try:
        made = Registered(lr_scheduler=UserSchedule())
        updater = optimizer.get_updater(optimizer.SGD())
        updater.set_states(pickle.dumps(({}, made)))
        assert type(updater.optimizer) is Registered
        assert updater.optimizer.learning_rate == 0.5
        del optimizer.Optimizer.opt_registry["registered"]
        with pytest.raises(MXNetError, match=r"refuses.*Registered"):
            updater.set_states(pickle.dumps(({}, made)))
    finally:
        optimizer.Optimizer.opt_registry.pop("registered", None)
        del globals()["Registered"]


class Attack:
    def __reduce__(self):
        return os.system, ("exit 1",)


@pytest.mark.parametrize("states", [{0: Attack()}, ({}, Attack()), Attack()])
def test_hostile_states_are_refused_and_change_nothing(states):
    updater = optimizer.get_updater(optimizer.SGD())
    before = updater.optimizer, updater.states
    with pytest.raises(MXNetError, match="refuses to load"):
        updater.set_states(pickle.dumps(states))
    assert (updater.optimizer, updater.states) == before


@pytest.mark.parametrize(
    "states", [b"", b"junk", pickle.dumps([1, 2]), pickle.dumps((1, 2)), pickle.dumps(({}, 3))]
)
def test_damaged_states_are_refused_and_change_nothing(states):
    updater = optimizer.get_updater(optimizer.SGD())
    before = updater.optimizer, updater.states
    with pytest.raises(MXNetError):
        updater.set_states(states)
    assert (updater.optimizer, updater.states) == before


def test_states_follow_the_weight_to_its_context():
    updater = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    updater(0, mx.nd.ones(2), mx.nd.ones(2))
    other = optimizer.get_updater(optimizer.SGD(momentum=0.9))
    other.set_states(updater.get_states())
    other(0, mx.nd.ones(2, ctx=mx.cpu(1)), mx.nd.ones(2, ctx=mx.cpu(1)))
    assert other.states[0].context == mx.cpu(1)
    moved = other.sync_state_context([mx.nd.ones(1), None, 3, (mx.nd.ones(1),)], mx.cpu(2))
    assert moved[0].context == moved[3][0].context == mx.cpu(2)
    assert moved[1:3] == [None, 3]


def write_states(folder: Path) -> None:
    """Writes the files that the original is to read."""
    for name, case in SAVED.items():
        updater, _ = run(case, together=True, steps=3)
        (folder / f"{name}.states").write_bytes(updater.get_states(dump_optimizer=True))
        (folder / f"{name}-alone.states").write_bytes(updater.get_states())


@pytest.mark.skipif("ORIGINAL_PYTHON" not in os.environ, reason="needs the original MXNet")
def test_the_original_reads_our_states(tmp_path: Path):
    write_states(tmp_path)
    command = [os.environ["ORIGINAL_PYTHON"], str(READER), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
