"""Stores of one process; most of what they do is in the programs."""

from __future__ import annotations

import pytest

import mxnet as mx


@pytest.mark.parametrize("name", ["dist_sync", "dist_async", "dist_device_sync", "nccl", "horovod"])
def test_other_stores_are_refused(name):
    with pytest.raises(mx.MXNetError, match=name):
        mx.kv.create(name)


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


def test_there_is_no_server():
    with pytest.raises(mx.MXNetError, match="one process"):
        mx.kv.KVStoreServer(mx.kv.create()).run()
