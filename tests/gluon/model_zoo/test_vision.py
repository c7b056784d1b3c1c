"""The networks are those of the original: printed form, parameters, exported graphs, results."""

from __future__ import annotations

import json
import lzma
import pickle
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon.model_zoo import vision

from ...golden.zoo_cases import NAMES, SMALL, VARIANTS, describe, outputs_of

GOLDEN = Path(__file__).parents[2] / "golden" / "zoo"
STRUCTURE = json.loads(lzma.decompress((GOLDEN / "structure.json.xz").read_bytes()))
OUTPUTS = json.loads((GOLDEN / "outputs.json").read_text())
ALL = [pytest.param(n, marks=() if n in SMALL else pytest.mark.slow) for n in NAMES]


def assert_same(key: str, name: str, **options: object) -> None:
    ours = json.loads(json.dumps(describe(name, **options)))
    assert sorted(ours) == sorted(STRUCTURE[key])
    for part, expected in STRUCTURE[key].items():
        assert ours[part] == expected, part


def test_there_are_34_networks():
    assert len(NAMES) == len(OUTPUTS) == 34
    with pytest.raises(ValueError, match="resnet19") as raised:
        vision.get_model("resnet19")
    assert str(raised.value).split("\n\t")[1:] == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_structure(name):
    assert_same(name, name)


@pytest.mark.parametrize("key", VARIANTS)
def test_structure_with_options(key):
    name, options = VARIANTS[key]
    assert_same(key, name, **options)


@pytest.mark.parametrize("name", ALL)
def test_outputs(name):
    expected = np.array(OUTPUTS[name])
    np.testing.assert_allclose(outputs_of(name), expected, rtol=1e-3, atol=1e-3 * expected[-1])


@pytest.mark.parametrize("name", NAMES)
def test_functions_have_the_names_of_networks(name):
    function = name.replace("inceptionv3", "inception_v3").replace(".", "_")
    function = function.replace("mobilenetv2_", "mobilenet_v2_")
    make_network = getattr(vision, function)
    assert make_network.__name__ == function
    assert function == "alexnet" or name in make_network.__doc__ or "Inception" in name.title()
    assert pickle.loads(pickle.dumps(make_network)) is make_network


def test_name_in_capital_letters():
    assert type(vision.get_model("ResNet18_V1", classes=2)) is vision.ResNetV1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: vision.get_resnet(3, 18),
        lambda: vision.get_resnet(1, 19),
        lambda: vision.SqueezeNet("2.0"),
        lambda: vision.ResNetV1(vision.BasicBlockV1, [1, 1], [8, 8]),
        lambda: vision.VGG([1], [2, 3]),
    ],
)
def test_wrong_sizes(wrong):
    with pytest.raises(AssertionError):
        wrong()


@pytest.mark.parametrize("wrong", [lambda: vision.get_vgg(12), lambda: vision.get_densenet(100)])
def test_unknown_number_of_layers(wrong):
    with pytest.raises(KeyError, match="takes one of"):
        wrong()


def test_unknown_option():
    with pytest.raises(TypeError, match="colour"):
        vision.resnet18_v1(colour=True)


def test_units_alone():
    unit = vision.BottleneckV1(8, 2, downsample=True, in_channels=3)
    unit.initialize()
    assert unit(mx.nd.ones((1, 3, 8, 8))).shape == (1, 8, 4, 4)
    assert unit.downsample[0].weight.shape == (8, 3, 1, 1)
    assert vision.BasicBlockV2(8, 1).downsample is None


def test_own_network_of_units():
    net = vision.ResNetV2(vision.BasicBlockV2, [1, 1], [4, 4, 8], classes=3, thumbnail=True)
    net.initialize()
    assert net(mx.nd.ones((2, 3, 8, 8))).shape == (2, 3)


def test_a_network_learns():
    mx.random.seed(0)
    net = vision.resnet18_v1(classes=2, thumbnail=True)
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 1e-3})
    data = mx.nd.random.uniform(shape=(8, 3, 8, 8))
    label = mx.nd.array([0, 1] * 4)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    losses = []
    for _ in range(4):
        with autograd.record():
            loss = loss_of(net(data), label)
        loss.backward()
        trainer.step(8)
        losses.append(loss.mean().asscalar())
    assert losses[-1] < losses[0] / 2


def test_features_go_into_another_network():
    source = vision.mobilenet_v2_0_25(classes=5)
    source.initialize()
    tuned = vision.mobilenet_v2_0_25(classes=3)
    tuned.features = source.features
    tuned.output.initialize()
    x = mx.nd.ones((1, 3, 64, 64))
    assert tuned(x).shape == (1, 3)
    np.testing.assert_array_equal(tuned.features(x).asnumpy(), source.features(x).asnumpy())


@pytest.mark.parametrize("name", ["mobilenetv2_0.25", "squeezenet1.1"])
def test_exported_network(name, tmp_path):
    net = vision.get_model(name, classes=4)
    net.initialize()
    net.hybridize()
    x = mx.nd.random.uniform(shape=(1, 3, 224, 224))
    expected = net(x).asnumpy()
    net.export(str(tmp_path / "net"))
    files = [str(tmp_path / end) for end in ("net-symbol.json", "net-0000.params")]
    block = gluon.SymbolBlock.imports(files[0], ["data"], files[1])
    np.testing.assert_allclose(block(x).asnumpy(), expected, rtol=1e-4, atol=1e-6)
