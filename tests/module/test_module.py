"""What a module does beyond what the original does, or better; the rest is in the programs."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest

import mxnet as mx
from mxnet._formats.files.temporary import Temporary

DATA, LABEL = [("data", (4, 5))], [("softmax_label", (4,))]


def network():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def batch(size=4, labels=True):
    data = mx.nd.arange(size * 5).reshape((size, 5)) / 10
    return mx.io.DataBatch([data], [mx.nd.arange(size) % 3] if labels else None)


@pytest.fixture
def module():
    made = mx.mod.Module(network())
    made.bind(DATA, LABEL)
    made.init_params(mx.init.One())
    made.init_optimizer(optimizer_params={"learning_rate": 0.5})
    return made


def step(module, size=4):
    module.forward_backward(batch(size))
    module.update()


def weight(module):
    return module.get_params()[0]["fc_weight"].asnumpy()


def test_binding_again_keeps_what_was_learnt(module):
    step(module)
    module.bind([("data", (2, 5))], [("softmax_label", (2,))], force_rebind=True)
    module.forward(batch(2), is_train=False)
    learnt = module._exec_group.execs[0].arg_dict["fc_weight"].asnumpy()
    assert np.abs(learnt - 1).max() > 1e-3
    np.testing.assert_array_equal(weight(module), learnt)


def test_binding_again_before_there_are_parameters():
    module = mx.mod.Module(network())
    module.bind(DATA, LABEL)
    module.bind([("data", (2, 5))], [("softmax_label", (2,))], force_rebind=True)
    assert module.output_shapes == [("softmax_output", (2, 3))]


def test_a_batch_of_another_size_shares_the_parameters(module):
    for size in (4, 2, 4, 2):
        step(module, size)
    other = mx.mod.Module(network())
    other.bind(DATA, LABEL)
    other.init_params(mx.init.One())
    other.init_optimizer(optimizer_params={"learning_rate": 0.5})
    for size in (4, 2, 4, 2):
        other.reshape([("data", (size, 5))], [("softmax_label", (size,))])
        step(other, size)
    np.testing.assert_array_equal(weight(module), weight(other))


def test_executors_are_kept_for_shapes_that_come_again(module):
    first = module._exec_group.execs
    step(module, 2)
    assert module._exec_group.execs is not first
    step(module, 4)
    assert module._exec_group.execs is first


def test_executors_are_not_kept_for_ever(module):
    for size in range(1, 30):
        step(module, size)
    assert len(module._exec_group._kept) < 10


@pytest.mark.filterwarnings("ignore:Module. label_shapes")
def test_prediction_needs_no_labels_whatever_the_size(module):
    whole = module.predict(batch(4).data[0])
    module.forward(batch(2, labels=False), is_train=False)
    np.testing.assert_allclose(module.get_outputs()[0].asnumpy(), whole[:2].asnumpy(), rtol=1e-6)
    step(module)


def test_predicting_an_array_is_not_training():
    module = mx.mod.Module(mx.sym.Dropout(mx.sym.var("data"), p=0.5), label_names=None)
    module.bind(DATA)
    module.init_params()
    data = mx.nd.ones((4, 5))
    np.testing.assert_array_equal(module.predict(data).asnumpy(), data.asnumpy())


def test_arrays_of_numpy_can_be_a_batch(module):
    numbers = batch().data[0].asnumpy()
    module.forward(mx.io.DataBatch([numbers]), is_train=False)
    found = module.get_outputs()[0].asnumpy()
    module.forward(batch(), is_train=False)
    np.testing.assert_array_equal(found, module.get_outputs()[0].asnumpy())


def test_a_batch_is_anything_that_has_data(module):
    module.forward(namedtuple("Batch", ["data"])(batch().data), is_train=False)
    found = module.get_outputs()[0].asnumpy()
    module.forward(batch(), is_train=False)
    np.testing.assert_array_equal(found, module.get_outputs()[0].asnumpy())


def test_a_wrong_shape_of_parameters_is_named(module):
    with pytest.raises(mx.MXNetError, match="fc_weight"):
        module.forward(mx.io.DataBatch([mx.nd.ones((4, 7))], batch().label))
    step(module)  # and nothing is lost


def test_the_module_says_what_is_missing():
    module = mx.mod.Module(network())
    with pytest.raises(AssertionError, match="call bind before"):
        module.forward(batch())
    module.bind(DATA, LABEL)
    with pytest.raises(AssertionError, match="call init_params before"):
        module.forward(batch())
    module.init_params()
    with pytest.raises(AssertionError, match="call init_optimizer before"):
        module.update()


def test_names_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match=r"data_names has 'images'.*are data, softmax_label"):
        mx.mod.Module(network(), data_names=["images"])
    with pytest.warns(UserWarning, match="label_names has 'labels'"):
        mx.mod.Module(network(), label_names=["labels"])
    module = mx.mod.Module(network())
    with pytest.warns(UserWarning, match="label_shapes"):
        module.bind(DATA)


def test_an_optimizer_with_another_scale_is_questioned(module):
    with pytest.warns(UserWarning, match=r"1\.0.*0\.25"):
        module.init_optimizer(optimizer=mx.optimizer.SGD(), force_init=True)
    module.init_optimizer(optimizer=mx.optimizer.SGD(rescale_grad=0.25), force_init=True)


def test_parameters_are_not_replaced_silently(module):
    with pytest.warns(UserWarning, match="force_init"):
        module.init_params(mx.init.Zero())
    assert weight(module).min() == 1


def test_compression_is_accepted_on_devices():
    contexts = [mx.cpu(0), mx.cpu(1)]
    module = mx.mod.Module(network(), context=contexts, compression_params={"type": "2bit"})
    module.bind(DATA, LABEL)
    module.init_params(mx.init.One())
    with pytest.raises(mx.MXNetError, match="compress"):
        module.init_optimizer(kvstore="local")
    module.init_optimizer(kvstore="device")
    step(module)


def test_half_precision_with_master_copies(tmp_path):
    results = []
    for kind in ("float16", "float32"):
        data = mx.sym.cast(mx.sym.var("data"), kind)
        net = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
        net = mx.sym.SoftmaxOutput(mx.sym.cast(net, "float32"), name="softmax")
        module = mx.mod.Module(net)
        module.bind(DATA, LABEL)
        module.init_params(mx.init.One())
        module.init_optimizer(optimizer_params={"learning_rate": 0.1, "multi_precision": True})
        for _ in range(3):
            step(module)
        assert module.get_params()[0]["fc_weight"].dtype == np.dtype(kind).type
        module.save_checkpoint(str(tmp_path / kind), 1, save_optimizer_states=True)
        module.load_optimizer_states(str(tmp_path / f"{kind}-0001.states"))
        results.append(weight(module).astype("float32"))
    np.testing.assert_allclose(*results, atol=2e-3)


def test_gradients_of_a_chain_can_be_had():
    first = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    second = mx.sym.SoftmaxOutput(mx.sym.var("x"), name="softmax")
    chain = mx.mod.SequentialModule()
    chain.add(mx.mod.Module(first, label_names=None))
    chain.add(mx.mod.Module(second, ["x"]), take_labels=True, auto_wiring=True)
    chain.bind(DATA, LABEL, inputs_need_grad=True)
    whole = mx.mod.Module(network())
    whole.bind(DATA, LABEL, inputs_need_grad=True)
    for module in (chain, whole):
        module.init_params(mx.init.One())
        module.forward_backward(batch())
    np.testing.assert_allclose(
        chain.get_input_grads()[0].asnumpy(), whole.get_input_grads()[0].asnumpy(), rtol=1e-6
    )


def test_a_monitor_sees_batches_of_every_size(module):
    monitor = mx.mon.Monitor(1, pattern="fc_output")
    module.install_monitor(monitor)
    for size in (4, 2):
        monitor.tic()
        module.forward(batch(size), is_train=False)
        assert [name for _, name, _ in monitor.toc()] == ["fc_output"]


def test_no_temporary_files_are_left(module, tmp_path):
    step(module)
    module.save_checkpoint(tmp_path / "net", 1, save_optimizer_states=True)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["net-0001.params", "net-0001.states", "net-symbol.json"]


def test_unnamed_arrays_are_no_parameters(module, tmp_path):
    mx.nd.save(str(tmp_path / "a.params"), [mx.nd.ones(1)])
    with pytest.raises(mx.MXNetError, match="no names"):
        module.load_params(str(tmp_path / "a.params"))
    mx.nd.save(str(tmp_path / "a.params"), {"fc_bias": mx.nd.ones(3)})
    with pytest.raises(ValueError, match="fc_bias"):
        module.load_params(str(tmp_path / "a.params"))


def test_training_without_data_is_an_error():
    empty = mx.io.DataIter(4)
    empty.provide_data, empty.provide_label = DATA, LABEL
    other = mx.mod.Module(network())
    with pytest.raises(mx.MXNetError, match="no batch"):
        other.fit(empty, num_epoch=1)


@pytest.mark.parametrize("ending", [".params", ".states", ".json"])
def test_a_failed_checkpoint_leaves_the_one_of_before(module, tmp_path, monkeypatch, ending):
    module.save_checkpoint(tmp_path / "net", 1, save_optimizer_states=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    fill = Temporary.fill

    def fill_or_fail(temporary, chunks):
        if temporary.target.name.endswith(ending):
            raise OSError(28, "No space left on device", str(temporary.target))
        fill(temporary, chunks)

    monkeypatch.setattr(Temporary, "fill", fill_or_fail)
    step(module)
    with pytest.raises(OSError, match=rf"No space left on device: '.*{ending}'"):
        module.save_checkpoint(tmp_path / "net", 1, save_optimizer_states=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_checkpoint_is_written_by_the_methods_of_a_subclass(tmp_path):
    class Noting(mx.mod.Module):
        def save_params(self, fname):
            super().save_params(fname)
            mx.nd.save(f"{fname}.copy", mx.nd.ones(1))

    made = Noting(network())
    made.bind(DATA, LABEL)
    made.init_params(mx.init.One())
    made.save_checkpoint(tmp_path / "net", 1)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["net-0001.params", "net-0001.params.copy", "net-symbol.json"]
