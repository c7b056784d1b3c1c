"""Checkpoints are written, read, and called as the original calls them."""

import logging

import numpy as np
import pytest

import mxnet as mx


@pytest.fixture
def parts():
    net = mx.sym.BatchNorm(mx.sym.var("data"), name="bn")
    arguments = {"bn_gamma": mx.nd.ones(2), "bn_beta": mx.nd.zeros(2)}
    states = {"bn_moving_mean": mx.nd.zeros(2), "bn_moving_var": mx.nd.ones(2)}
    return net, arguments, states


def test_a_checkpoint_is_read_as_it_was_written(parts, tmp_path, caplog):
    with caplog.at_level(logging.INFO):
        mx.model.save_checkpoint(str(tmp_path / "net"), 3, *parts)
    assert "net-0003.params" in caplog.text
    net, arguments, states = mx.model.load_checkpoint(tmp_path / "net", 3)
    assert net.tojson() == parts[0].tojson()
    assert arguments.keys() == parts[1].keys()
    assert states.keys() == parts[2].keys()
    assert mx.model.load_params(str(tmp_path / "net"), 3)[0].keys() == arguments.keys()


def test_parameters_alone(parts, tmp_path):
    mx.model.save_checkpoint(str(tmp_path / "net"), 0, None, *parts[1:])
    assert [path.name for path in tmp_path.iterdir()] == ["net-0000.params"]


def test_a_missing_checkpoint(tmp_path):
    with pytest.raises(mx.MXNetError, match="net-symbol"):
        mx.model.load_checkpoint(str(tmp_path / "net"), 0)


def test_arrays_without_names_are_no_checkpoint(tmp_path):
    mx.nd.save(str(tmp_path / "net-0000.params"), [mx.nd.ones(1)])
    with pytest.raises(mx.MXNetError, match="no names"):
        mx.model.load_params(str(tmp_path / "net"), 0)


def test_the_callback_saves_every_few_epochs(parts, tmp_path):
    save = mx.callback.do_checkpoint(str(tmp_path / "net"), period=2)
    for epoch in range(4):
        save(epoch, *parts)
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found == ["net-0002.params", "net-0004.params", "net-symbol.json"]


@pytest.fixture
def digits():
    rng = np.random.RandomState(0)
    labels = rng.randint(0, 3, 60)
    return (rng.randn(60, 4) + labels[:, None]).astype("float32"), labels.astype("float32")


def network():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


@pytest.mark.filterwarnings("ignore:mx.model.FeedForward is deprecated")
class TestFeedForward:
    def test_arrays_are_learnt(self, digits, tmp_path):
        data, labels = digits
        mx.random.seed(1)
        np.random.seed(1)
        model = mx.model.FeedForward.create(
            network(), data, labels, num_epoch=10, numpy_batch_size=20, learning_rate=0.5
        )
        guesses = model.predict(data)
        assert (guesses.argmax(axis=1) == labels).mean() > 0.6
        assert model.score(mx.io.NDArrayIter(data, labels, 20)) > 0.6
        model.save(tmp_path / "model")
        again = mx.model.FeedForward.load(tmp_path / "model", 10)
        np.testing.assert_array_equal(again.predict(data), guesses)

    def test_training_goes_on(self, digits, tmp_path):
        data = mx.io.NDArrayIter(*digits, 20)
        start = {"fc_weight": mx.nd.ones((3, 4)), "fc_bias": mx.nd.zeros(3)}
        options = {"arg_params": start, "aux_params": {}, "learning_rate": 0.1}
        whole = mx.model.FeedForward(network(), num_epoch=4, **options)
        whole.fit(data)
        half = mx.model.FeedForward(network(), num_epoch=2, **options)
        half.fit(data)
        half.save(tmp_path / "model")
        rest = mx.model.FeedForward.load(tmp_path / "model", 2, num_epoch=4, learning_rate=0.1)
        rest.fit(data)
        for name, array in whole.arg_params.items():
            np.testing.assert_allclose(rest.arg_params[name].asnumpy(), array.asnumpy(), rtol=1e-6)

    def test_networks_for_buckets(self):
        class Batches(mx.io.DataIter):
            provide_data, provide_label = [("data", (2, 4))], [("softmax_label", (2,))]
            default_bucket_key = 4
            waiting = 0

            def reset(self):
                self.waiting = 2

            def next(self):
                if not self.waiting:
                    raise StopIteration
                self.waiting -= 1
                size = 4 - self.waiting
                return mx.io.DataBatch(
                    [mx.nd.ones((2, size))],
                    [mx.nd.array([0, 1])],
                    bucket_key=size,
                    provide_data=[("data", (2, size))],
                    provide_label=self.provide_label,
                )

        def generate(_):
            data = mx.sym.mean(mx.sym.var("data"), axis=1, keepdims=True)
            net = mx.sym.FullyConnected(data, num_hidden=2, name="fc")
            return mx.sym.SoftmaxOutput(net, name="softmax")

        model = mx.model.FeedForward(generate, num_epoch=2)
        data = Batches(2)
        data.reset()
        model.fit(data)
        assert model.arg_params["fc_weight"].shape == (2, 1)

    def test_data_and_parameters_are_needed(self, digits):
        model = mx.model.FeedForward(network(), num_epoch=1)
        with pytest.raises(mx.MXNetError, match="parameters"):
            model.predict(digits[0])
        with pytest.raises(TypeError, match="num_epoch"):
            mx.model.FeedForward(network()).fit(*digits)
        empty = mx.io.DataIter(2)
        empty.provide_data, empty.provide_label = [("data", (2, 4))], [("softmax_label", (2,))]
        with pytest.raises(mx.MXNetError, match="no batch"):
            model.fit(empty)


def test_the_old_interface_says_that_it_is_old():
    with pytest.warns(DeprecationWarning, match="Module"):
        mx.model.FeedForward(network())
