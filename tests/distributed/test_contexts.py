"""Processes that have several contexts each train as one context does with the whole batch."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from tests.distributed._ranks import run_ranks
from tests.distributed.test_original import check
from tests.gluon.training.test_contexts import NETWORKS, ONE, SEVERAL, train
from tests.golden import distributed_cases as cases

MODULES = ["module mlp, adam", "module conv, sgd"]
OPTIONS = [{}, {"update_on_kvstore": False}, {"hybridize": True}]


def train_shares():
    """Trains all networks on this rank's share of each batch, in several ways."""
    store = mx.kv.create("dist_sync")
    mine = slice(store.rank, None, store.num_workers)
    results = {}
    for name in NETWORKS:
        for number, options in enumerate(OPTIONS):
            store = mx.kv.create("dist_sync")
            results[name, number] = train(
                name, SEVERAL["two"], True, samples=mine, kvstore=store, **options
            )
    for name in MODULES:
        store = mx.kv.create("dist_sync")
        results[name] = cases.train(name, store, context=SEVERAL["two"])
    return results


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contexts")
    return [ended.result for ended in run_ranks(train_shares, 2, folder)]


@pytest.mark.parametrize("number", range(len(OPTIONS)), ids=str)
@pytest.mark.parametrize("name", NETWORKS)
def test_shares_on_two_contexts_train_as_the_whole(name, number, ranks):
    expected = train(name, ONE, at_once=False)
    for result in ranks:
        for (whole,), copies in zip(expected, result[name, number], strict=True):
            for copy in copies:
                np.testing.assert_allclose(copy, whole, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", MODULES)
def test_modules_on_two_contexts_end_where_the_original_does(name, ranks):
    check(name, [result[name] for result in ranks])
