"""Two processes train to the parameters of the original's `dist_sync` on two workers.

One process with whole batches, and four processes, end there as well. What was trained, and how,
says `tests/golden/distributed_cases.py`; `make_distributed.py` beside it ran the original.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from tests.distributed._ranks import run_once
from tests.golden import distributed_cases as cases

RESULTS = np.load(Path(__file__).parent.parent / "golden" / "distributed.npz")
WHOLE = [name for name, case in cases.CASES.items() if not case.compression]
"""Cases that one process can train with whole batches; rounding depends on how they are split."""

ON_FOUR = ["mlp, adam", "conv, sgd", "lstm, lamb", "embedding, adam", "module mlp, sgd"]
UPDATED_OUTSIDE = ["mlp, adam", "conv, lamb", "lstm, sgd"]


def train_all(names, options):
    return {name: cases.train(name, mx.kv.create("dist_sync"), **options) for name in names}


@pytest.fixture(scope="module")
def two_ranks(tmp_path_factory):
    return run_once(train_all, 2, tmp_path_factory, list(cases.CASES), {})


@pytest.fixture(scope="module")
def four_ranks(tmp_path_factory):
    return run_once(train_all, 4, tmp_path_factory, ON_FOUR, {})


@pytest.fixture(scope="module")
def updating_ranks(tmp_path_factory):
    """Results of processes each of which updates its weights itself."""
    options = {"update_on_kvstore": False}
    return run_once(train_all, 2, tmp_path_factory, UPDATED_OUTSIDE, options)


def check(name, found):
    """Compares what each rank ended with with the original."""
    for rank, arrays in enumerate(found):
        for number, array in enumerate(arrays):
            expected = RESULTS[f"{name}/{number}"]
            np.testing.assert_allclose(array, expected, rtol=1e-5, atol=1e-5)
            assert np.array_equal(array, found[0][number]), f"rank {rank} differs from rank 0"
        assert f"{name}/{len(arrays)}" not in RESULTS


@pytest.mark.parametrize("name", cases.CASES)
def test_two_processes_end_where_the_original_does(name, two_ranks):
    check(name, [result[name] for result in two_ranks])


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_FOUR)
def test_four_processes_end_there(name, four_ranks):
    check(name, [result[name] for result in four_ranks])


@pytest.mark.parametrize("name", WHOLE)
def test_one_process_with_whole_batches_ends_there(name):
    store = mx.kv.create("local") if cases.CASES[name].way == "store" else None
    check(name, [cases.train(name, store)])


@pytest.mark.parametrize("name", UPDATED_OUTSIDE)
def test_updates_outside_of_the_store_end_there(name, updating_ranks):
    check(name, [result[name] for result in updating_ranks])
