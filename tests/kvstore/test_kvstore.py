"""Stores of one process; most of what they do is in the programs."""

from __future__ import annotations

import pytest

import mxnet as mx


def test_nccl_is_a_store_of_devices_in_this_process():
    store = mx.kv.create("nccl")
    assert (store.type, store.rank, store.num_workers) == ("nccl", 0, 1)
    store.set_gradient_compression({"type": "2bit", "threshold": 1})
    store.init("w", mx.nd.zeros(2))
    out = mx.nd.zeros(2)
    store.pushpull("w", [mx.nd.array([3, 0.5]), mx.nd.array([2, 4])], out=out)
    assert out.asnumpy().tolist() == [2, 1]


def test_what_is_pushed_is_copied():
    store = mx.kv.create()
    store.init("w", mx.nd.zeros(2))
    pushed = mx.nd.ones(2)
    store.push("w", pushed)
    pushed[:] = 7
    out = mx.nd.zeros(2)
    store.pull("w", out=out)
    assert out.asnumpy().tolist() == [1, 1]


def test_a_store_of_a_base_class_defines_nothing():
    store = mx.kv.KVStoreBase()
    calls = [
        lambda: store.type,
        lambda: store.rank,
        lambda: store.num_workers,
        lambda: store.broadcast(1, None, None),
        lambda: store.pushpull(1, None),
        lambda: store.set_optimizer(None),
        lambda: store.save_optimizer_states("f"),
        lambda: store.load_optimizer_states("f"),
        lambda: store.is_capable("optimizer"),
    ]
    for call in calls:
        with pytest.raises(NotImplementedError, match="is not defined"):
            call()


def test_a_name_is_not_taken_silently():
    class Local(mx.kv.KVStoreBase):
        pass

    mx.kv.KVStoreBase.register(Local)
    try:
        with pytest.warns(UserWarning, match="takes the name"):
            mx.kv.KVStoreBase.register(Local)
        assert type(mx.kv.create("LOCAL")) is Local
    finally:
        del mx.kv.KVStoreBase.kv_registry["local"]


def test_a_store_of_others_adds_up_gradients():
    class Sum(mx.kv.KVStoreBase):
        def init(self, *_):
            pass

        def pushpull(self, _, value, out=None, **_options):
            total = mx.nd.add_n(*(array.as_in_context(mx.cpu()) for array in value))
            for array in value if out is None else out:
                total.copyto(array)

        @staticmethod
        def is_capable(_):
            return False

        type = "sum"

    data = mx.nd.arange(20).reshape((4, 5)) / 10
    results = []
    for kvstore in (Sum(), "device"):
        net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
        module = mx.mod.Module(
            mx.sym.SoftmaxOutput(net, name="softmax"), context=[mx.cpu(0), mx.cpu(1)]
        )
        module.bind([("data", (4, 5))], [("softmax_label", (4,))])
        module.init_params(mx.init.One())
        module.init_optimizer(kvstore, optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
        for _ in range(3):
            module.forward_backward(mx.io.DataBatch([data], [mx.nd.arange(4) % 3]))
            module.update()
        results.append(module.get_params()[0]["fc_weight"].asnumpy())
    assert abs(results[0] - results[1]).max() < 1e-6


def replicas(*values, stype="default"):
    """Makes an array of two elements on each of some contexts."""
    return [
        mx.nd.full((2, 1), value, ctx=mx.cpu(i)).tostype(stype) for i, value in enumerate(values)
    ]


def read(arrays):
    return [[array.asnumpy().ravel().tolist() for array in item] for item in arrays]


@pytest.mark.parametrize("stype", ["default", "row_sparse"])
def test_gradients_of_many_keys_are_added_up_in_place(stype):
    gradients = [replicas(1, 2, 3, stype=stype), replicas(4, 5, 6, stype=stype)]
    store = mx.kv.create("device")
    store.pushpull_all([7, 9], gradients)
    assert read(gradients) == [[[6, 6]] * 3, [[15, 15]] * 3]
    assert {array.stype for item in gradients for array in item} == {stype}


def test_compressed_gradients_of_many_keys_keep_their_rests():
    store = mx.kv.create("device")
    store.set_gradient_compression({"type": "2bit", "threshold": 1})
    for expected in (0, 2, 1):  # what is below the threshold is kept for the next time
        gradients = [replicas(0.5, 0.75)]
        store.pushpull_all([0], gradients)
        assert read(gradients) == [[[expected, expected]] * 2]


def test_keys_that_were_broadcast_together_have_no_value_of_their_own():
    store = mx.kv.create("device")
    store.share_updater(mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5)))
    weights = [replicas(1, 5)]
    store.broadcast_all([0], weights)
    assert read(weights) == [[[1, 1], [1, 1]]]
    weights[0][0][:] = 4  # as a program may do between two steps
    store.pushpull_all([0], [replicas(1, 1)], weights)
    assert read(weights) == [[[3, 3], [3, 3]]]
    out = mx.nd.zeros((2, 1))
    store.pull(0, out=out)
    assert out.asnumpy().ravel().tolist() == [3, 3]


def test_keys_with_a_value_of_their_own_are_updated_there():
    store = mx.kv.create("device")
    store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
    weights = [replicas(0, 0)]
    store.broadcast(0, mx.nd.ones((2, 1)), out=weights[0])
    weights[0][0][:] = 4
    store.pushpull_all([0], [replicas(1, 1)], weights)
    assert read(weights) == [[[0, 0], [0, 0]]]


def test_there_is_no_server():
    with pytest.raises(mx.MXNetError, match="needs no server"):
        mx.kv.KVStoreServer(mx.kv.create()).run()
