"""Buckets share what they learn, whichever of them learns it."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx


def generate(size):
    data = mx.sym.var("data")
    net = mx.sym.Embedding(data, input_dim=9, output_dim=4, name="embedding")
    net = mx.sym.BatchNorm(mx.sym.mean(net, axis=1), fix_gamma=False, name="bn")
    if size > 4:  # the largest bucket has a layer that the others do without
        net = mx.sym.FullyConnected(net, num_hidden=4, name="extra")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax"), ("data",), ("softmax_label",)


def batch(size, rows=4):
    data = (mx.nd.arange(rows * size) % 9).reshape((rows, size))
    return mx.io.DataBatch(
        [data],
        [mx.nd.arange(rows) % 3],
        pad=0,
        bucket_key=size,
        provide_data=[("data", (rows, size))],
        provide_label=[("softmax_label", (rows,))],
    )


@pytest.fixture
def module():
    made = mx.mod.BucketingModule(generate, default_bucket_key=6)
    made.bind([("data", (4, 6))], [("softmax_label", (4,))])
    made.init_params(mx.init.Xavier())
    made.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.1})
    return made


def step(module, *args):
    module.forward_backward(batch(*args))
    module.update()


def values(module):
    return {
        name: array.asnumpy().copy() for part in module.get_params() for name, array in part.items()
    }


def test_parameters_of_all_buckets_are_up_to_date(module):
    before = values(module)
    step(module, 6)
    step(module, 3)
    after = values(module)
    assert {"extra_weight", "fc_weight", "bn_moving_mean"} <= after.keys()
    for name, array in after.items():
        changed = np.abs(array - before[name]).max() > 1e-4
        assert changed, name


def test_the_states_of_the_optimizer_are_shared(module):
    step(module, 6)
    step(module, 3)
    step(module, 4)
    optimizers = {id(bucket._optimizer) for bucket in module._buckets.values()}
    assert len(optimizers) == 1
    assert module._buckets[6]._optimizer.num_update == 3


def test_a_bucket_takes_batches_of_several_sizes(module):
    step(module, 3)
    step(module, 3, 2)
    assert module.output_shapes == [("softmax_output", (2, 3))]


def test_binding_again_keeps_what_was_learnt(module):
    step(module, 3)
    learnt = values(module)
    module.bind([("data", (2, 6))], [("softmax_label", (2,))], force_rebind=True)
    for name, array in values(module).items():
        np.testing.assert_array_equal(array, learnt[name])


def test_a_loaded_module_goes_on(module, tmp_path):
    step(module, 3)
    module.save_checkpoint(tmp_path / "net", 1)
    other = mx.mod.BucketingModule.load(tmp_path / "net", 1, generate, 6)
    other.bind([("data", (4, 6))], [("softmax_label", (4,))])
    np.testing.assert_array_equal(values(other)["fc_weight"], values(module)["fc_weight"])
    other.init_optimizer()
    step(other, 4)
    assert np.abs(values(other)["fc_weight"] - values(module)["fc_weight"]).max() > 0


def test_keys_can_be_pairs(tmp_path):
    def pairs(key):
        return generate(sum(key))

    module = mx.mod.BucketingModule(pairs, default_bucket_key=(4, 2))
    module.bind([("data", (4, 6))], [("softmax_label", (4,))])
    module.init_params()
    module.switch_bucket((2, 1), [("data", (4, 3))], [("softmax_label", (4,))])
    module.save_checkpoint(tmp_path / "net", 1)
    other = mx.mod.BucketingModule.load(tmp_path / "net", 1, pairs, (4, 2))
    other.bind([("data", (4, 6))], [("softmax_label", (4,))])
    np.testing.assert_array_equal(values(other)["fc_weight"], values(module)["fc_weight"])


def test_a_list_of_keys_must_be_one(module, tmp_path):
    module.save_checkpoint(tmp_path / "net", 1)
    mx.nd.save(str(tmp_path / "net.buckets"), {"a": mx.nd.ones(1)})
    with pytest.raises(mx.MXNetError, match="bucket keys"):
        mx.mod.BucketingModule.load(tmp_path / "net", 1, generate, 6)


def test_a_module_without_keys():
    with pytest.raises(AssertionError, match="default_bucket_key"):
        mx.mod.BucketingModule(generate)
