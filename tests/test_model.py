"""Checkpoints are written, read, and called as the original calls them."""

import logging

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
