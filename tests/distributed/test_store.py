"""Stores that several processes share."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet._state import processes
from tests.distributed import _ranks
from tests.golden import distributed_store_cases as golden


@pytest.fixture
def alone(monkeypatch):
    """Leaves the group of one process that a store joins."""
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "DMLC_ROLE"):
        monkeypatch.delenv(name, raising=False)
    yield
    processes.leave()


def run_on_two_workers():
    """Does in one job what the tests below look at, because processes take long to start."""
    found = {}
    for name in ("dist_sync", "dist_device_sync"):
        for case, function in golden.CASES.items():
            store = mx.kv.create(name)
            found[name, case] = function(mx, store, store.rank)
    found["in turn"] = update_in_turn()
    for name in ("horovod", "byteps"):
        found[name] = add_up_without_optimizer(name)
    found["states"] = train_with_states()
    found["noise"] = update_with_noise()
    return found


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory):
    return _ranks.run_once(run_on_two_workers, golden.NUM_WORKERS, tmp_path_factory)


@pytest.mark.parametrize("case", golden.CASES)
@pytest.mark.parametrize("name", ["dist_sync", "dist_device_sync"])
def test_two_workers_pull_what_the_original_pulls(two_workers, name, case):
    with np.load(golden.RESULTS) as expected:
        for result in two_workers:
            for i, array in enumerate(result[name, case]):
                wanted = expected[f"{case} {i}"]
                assert array.dtype == wanted.dtype
                np.testing.assert_allclose(array, wanted, rtol=1e-5, atol=1e-6)


def update_in_turn():
    store = mx.kv.create("dist_async")
    store.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.5, momentum=0.5))
    store.init("w", mx.nd.zeros(2))
    store.init("rows", mx.nd.ones((3, 1)).tostype("row_sparse"))
    out, rows = mx.nd.zeros(2), mx.nd.sparse.zeros("row_sparse", (3, 1))
    for _ in range(2):
        store.push("w", mx.nd.array([1, 10]) * (store.rank + 1))
        data = np.ones((1, 1), "float32")
        gradient = mx.nd.sparse.row_sparse_array((data, [store.rank]), shape=(3, 1))
        store.push("rows", gradient)
    store.pull("w", out)
    store.row_sparse_pull("rows", out=rows, row_ids=mx.nd.array([0, 1, 2]))
    return out.asnumpy(), rows.asnumpy(), store._updater.optimizer.num_update


def test_asynchronous_store_updates_by_one_rank_after_the_other(two_workers):
    weight = momentum = 0.0
    for gradient in (1, 2, 1, 2):
        momentum = 0.5 * momentum - 0.5 * gradient
        weight += momentum
    for result in two_workers:
        out, rows, num_update = result["in turn"]
        np.testing.assert_allclose(out, [weight, 10 * weight])
        np.testing.assert_allclose(rows[:, 0], [-0.25, -0.25, 1])
        assert num_update == 4


def add_up_without_optimizer(name):
    store = mx.kv.create(name)
    value = mx.nd.ones(2) * (store.rank + 1)
    out = [mx.nd.zeros(2), mx.nd.zeros(2)]
    store.broadcast("a", value, out)
    store.broadcast("a", value, out)  # such a store keeps no values
    gradients = [mx.nd.ones(2) * (store.rank + 1), mx.nd.ones(2)]
    sums = [mx.nd.zeros(2), mx.nd.zeros(2)]
    store.pushpull("a", gradients, out=sums)
    store.pushpull("b", gradients)
    arrays = [*out, *sums, *gradients]
    return [array.asnumpy().tolist() for array in arrays], store.local_rank, store.type


@pytest.mark.parametrize("name", ["horovod", "byteps"])
def test_stores_of_horovod_and_byteps(two_workers, name):
    for rank, result in enumerate(two_workers):
        assert result[name] == ([[1.0, 1.0]] * 2 + [[5.0, 5.0]] * 4, rank, name)


def train_with_states():
    stores, outs = [], []
    for scale in (1, 70):
        store = mx.kv.create("dist_sync")
        store.set_optimizer(mx.optimizer.create("adam", learning_rate=0.1))
        store.init(0, mx.nd.zeros(3))
        store.push(0, mx.nd.ones(3) * (store.rank + 1) * scale)
        stores.append(store)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "states")
        stores[0].save_optimizer_states(path)
        stores[1].load_optimizer_states(path)
        content = path.read_bytes()
    for store in stores:
        store._values[0] = mx.nd.ones(3)
        store.push(0, mx.nd.ones(3))
        outs.append(mx.nd.zeros(3))
        store.pull(0, outs[-1])
    return content, [out.asnumpy().tolist() for out in outs]


def test_every_rank_has_the_states_of_the_optimizer(two_workers):
    first, second = (result["states"] for result in two_workers)
    assert first == second
    resumed, continued = first[1]
    assert resumed == continued


def update_with_noise():
    store = mx.kv.create("dist_sync")
    mx.random.seed(store.rank)
    store.set_optimizer(mx.optimizer.create("sgld", learning_rate=0.1))
    store.init("w", mx.nd.zeros(3))
    out = mx.nd.zeros(3)
    store.pushpull("w", mx.nd.ones(3), out=out)
    return out.asnumpy().tolist()


def test_values_stay_equal_if_an_optimizer_adds_noise(two_workers):
    first, second = (result["noise"] for result in two_workers)
    assert first == second != [-0.1] * 3


def call_in_other_order():
    store = mx.kv.create("dist_sync")
    store.init(["a", "b"], [mx.nd.zeros(2), mx.nd.zeros(2)])
    store.push("ab"[store.rank], mx.nd.ones(2))


def test_other_calls_in_one_process_raise_in_all(tmp_path):
    for one in _ranks.run_ranks(call_in_other_order, 2, tmp_path, check=False):
        assert one.code == 1
        assert "MXNetError: KVStore.push: expected the same call in every process" in one.output
        assert "rank 0: KVStore.push 'a' (2,)" in one.output
        assert "rank 1: KVStore.push 'b' (2,)" in one.output


def die_before_push():
    store = mx.kv.create("dist_sync")
    store.init("a", mx.nd.zeros(2))
    if store.rank == 1:
        raise SystemExit(3)
    try:
        store.push("a", mx.nd.ones(2))
    except mx.MXNetError as error:
        return str(error), store.get_num_dead_node()
    return None


def test_rank_that_ends_is_an_error_in_the_others(tmp_path):
    first, second = _ranks.run_ranks(die_before_push, 2, tmp_path, check=False)
    assert second.code == 3
    message, num_dead = first.result
    assert message.startswith("KVStore.push: rank 0 of 2 lost the others")
    assert num_dead == 1


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    "name", ["dist", "dist_sync", "dist_sync_device", "dist_device_sync", "dist_async"]
)
def test_store_of_a_process_that_is_alone(name):
    store = mx.kv.create(name)
    assert (store.type, store.rank, store.num_workers) == (name, 0, 1)
    assert store.is_capable("optimizer")
    assert store.get_num_dead_node() == 0
    store.barrier()
    store.set_optimizer(mx.optimizer.create("sgd", learning_rate=1))
    store.init("a", mx.nd.zeros(2))
    out = mx.nd.zeros(2)
    store.pushpull("a", mx.nd.ones(2), out=out)
    assert out.asnumpy().tolist() == [-1, -1]


@pytest.mark.usefixtures("alone")
def test_asynchronous_store_needs_an_updater():
    store = mx.kv.create("dist_async")
    store.init("a", mx.nd.zeros(2))
    with pytest.raises(mx.MXNetError, match="needs an updater; see set_optimizer"):
        store.push("a", mx.nd.ones(2))
    with pytest.raises(mx.MXNetError, match="update_on_kvstore=True"):
        store.pushpull_all(["a"], [[mx.nd.ones(2)]])


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", ["horovod", "byteps"])
def test_stores_without_optimizer_say_so(name):
    assert not mx.kv.create(name).is_capable("optimizer")


@pytest.mark.usefixtures("alone")
def test_commands_to_servers_are_ignored(caplog):
    with caplog.at_level(logging.WARNING):
        mx.kv.create("dist_sync").send_command_to_servers(5, "hello")
    assert "command 5 is ignored" in caplog.text


@pytest.mark.usefixtures("alone")
def test_truth_values_are_not_added_up():
    with pytest.raises(mx.MXNetError, match="'a' takes numbers, got bool"):
        mx.kv.create("dist_sync").init("a", mx.nd.ones(2).astype("bool"))
