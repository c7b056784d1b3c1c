"""Weights of torchvision and timm for networks of the zoo.

`tests/golden/torch_layers.json` lists the names of layers of torchvision 0.29 and timm 1.0.
The modules of torch here are small ones with the names of torchvision's.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import mxnet as mx
from mxnet.errors import ArgumentValueError, FileFormatError, UnsupportedTypeError
from mxnet.gluon.contrib import torch_weights
from mxnet.gluon.contrib.torch_weights._families import timm_names
from mxnet.gluon.model_zoo import vision
from mxnet.gluon.model_zoo.vision import (
    BasicBlockV1,
    BottleneckV1,
    MobileNet,
    MobileNetV2,
    ResNetV1,
)
from mxnet.gluon.parameter import ParameterError

LAYERS = {
    key: names.split()
    for key, names in json.loads(
        (Path(__file__).parents[2] / "golden" / "torch_layers.json").read_text("utf-8")
    ).items()
}
NETWORKS = {
    "torchvision resnet18": "resnet18_v1",
    "torchvision resnet50": "resnet50_v1",
    "torchvision vgg11_bn": "vgg11_bn",
    "torchvision alexnet": "alexnet",
    "torchvision densenet121": "densenet121",
    "torchvision squeezenet1_1": "squeezenet1.1",
    "torchvision mobilenet_v2": "mobilenetv2_1.0",
    "torchvision inception_v3": "inceptionv3",
    "timm vgg11_bn": "vgg11_bn",
    "timm mobilenetv1_100": "mobilenet1.0",
    "timm mobilenetv2_100": "mobilenetv2_1.0",
}


class Unit(nn.Module):
    """A residual unit as torchvision has it: the stride of a bottleneck is in its 3x3."""

    def __init__(self, before: int, channels: int, stride: int, bottleneck: bool):
        super().__init__()
        narrow = channels // 4
        sizes = [(before, channels, 3, stride), (channels, channels, 3, 1)]
        if bottleneck:
            sizes = [(before, narrow, 1, 1), (narrow, narrow, 3, stride), (narrow, channels, 1, 1)]
        self.depth = len(sizes)
        for number, (inner, outer, kernel, step) in enumerate(sizes, 1):
            conv = nn.Conv2d(inner, outer, kernel, step, kernel // 2, bias=False)
            self.add_module(f"conv{number}", conv)
            self.add_module(f"bn{number}", nn.BatchNorm2d(outer))
        self.downsample = None
        if before != channels:
            straight = nn.Conv2d(before, channels, 1, stride, bias=False)
            self.downsample = nn.Sequential(straight, nn.BatchNorm2d(channels))

    def forward(self, x):
        path = x
        for number in range(1, self.depth + 1):
            path = getattr(self, f"bn{number}")(getattr(self, f"conv{number}")(path))
            path = path if number == self.depth else path.relu()
        return (path + (x if self.downsample is None else self.downsample(x))).relu()


class SmallResNet(nn.Module):
    def __init__(self, bottleneck: bool = False):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(4)
        self.layer1 = nn.Sequential(Unit(4, 8, 1, bottleneck), Unit(8, 8, 1, bottleneck))
        self.layer2 = nn.Sequential(Unit(8, 16, 2, bottleneck))
        self.fc = nn.Linear(16, 5)
        for layer in self.modules():
            if isinstance(layer, nn.BatchNorm2d):
                nn.init.uniform_(layer.weight, 0.5, 1.5)
                nn.init.uniform_(layer.bias)
                layer.running_mean.uniform_()
                layer.running_var.uniform_(0.5, 1.5)

    def forward(self, x):
        x = nn.functional.max_pool2d(self.bn1(self.conv1(x)).relu(), 3, 2, 1)
        return self.fc(self.layer2(self.layer1(x)).mean((2, 3)))


def small_network(bottleneck: bool = False) -> ResNetV1:
    unit = BottleneckV1 if bottleneck else BasicBlockV1
    return ResNetV1(unit, [2, 1], [4, 8, 16], classes=5)


EXAMPLE = mx.nd.array(np.linspace(-1, 1, 2 * 3 * 20 * 20).reshape(2, 3, 20, 20))


@pytest.mark.parametrize("key", list(NETWORKS))
def test_every_layer_of_torch_has_its_place(key):
    names = torch_weights.names_of(vision.get_model(NETWORKS[key])).values()
    others = timm_names([f"{layer}.weight" for layer in LAYERS[key]])
    assert bool(others) == key.startswith("timm")
    layers = {name.rpartition(".")[0] for name in names}
    theirs = {others.get(f"{layer}.weight", f"{layer}.weight") for layer in layers}
    assert theirs == {f"{layer}.weight" for layer in LAYERS[key]}


@pytest.mark.parametrize("hybridized", [False, True])
def test_outputs_are_those_of_torch(hybridized):
    net, module = small_network(), SmallResNet()
    if hybridized:
        net.initialize()
        net.hybridize()
        net(EXAMPLE)
    report = torch_weights.load(net, module, EXAMPLE)
    assert report.is_complete
    assert report.largest_difference < 1e-5 < report.largest_output
    assert report.matched["features.4.0.body.1.gamma"] == "layer1.0.bn1.weight"
    assert report.renamed == report.matched
    assert report.ignored[0] == "bn1.num_batches_tracked"
    assert report.made == {} and report.changes == []
    assert module.training


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_network_with_other_strides_is_refused_or_changed(hybridized):
    net, module = small_network(bottleneck=True), SmallResNet(bottleneck=True)
    if hybridized:
        net.initialize()
        net.hybridize()
        net(EXAMPLE)
    with pytest.raises(ArgumentValueError, match=r"stride of 1 bottlenecks .*adapt=True"):
        torch_weights.load(net, module)
    report = torch_weights.load(net, module, EXAMPLE, adapt=True)
    assert report.largest_difference < 1e-5 < report.largest_output
    assert report.made["features.4.0.body.0.bias"] == "0"
    assert "changed: the stride of 1 bottlenecks" in str(report)
    assert torch_weights.load(net, module).changes == []


def test_what_torch_does_not_have_becomes_the_identity():
    net = MobileNetV2(0.25, classes=3)
    names = torch_weights.names_of(net)
    net.initialize(mx.init.Xavier())
    images = mx.nd.random.uniform(shape=(1, 3, 32, 32))
    net(images)
    parameters = net._collect_params_with_prefix()
    weights = {theirs: parameters[ours].data().asnumpy() for ours, theirs in names.items()}
    weights["classifier.1.weight"] = weights["classifier.1.weight"][:, :, 0, 0]
    weights["classifier.1.bias"] = np.array([1, 2, 3], "float32")
    report = torch_weights.load(net, weights, adapt=True)
    assert report.changes == ["the last layer has a bias"]
    assert report.made["features.3.out.0.weight"] == "the identity"
    before = net.features[:3](images)
    unit = net.features[3].out
    np.testing.assert_allclose(unit[:3](before).asnumpy(), before.asnumpy(), rtol=1e-6)
    nothing = mx.nd.zeros((1, net.output[0].weight.shape[1], 1, 1))
    np.testing.assert_array_equal(net.output(nothing).asnumpy(), [[1, 2, 3]])


def test_activations_are_cut_off_where_those_of_timm_are():
    net = MobileNet(0.25, classes=3)
    names = torch_weights.names_of(net)
    net.initialize(mx.init.Xavier())
    images = mx.nd.random.uniform(0, 100, shape=(1, 3, 32, 32))
    net(images)
    parameters = net._collect_params_with_prefix()
    weights = {theirs: parameters[ours].data().asnumpy() for ours, theirs in names.items()}
    with pytest.raises(ArgumentValueError, match=r"27 activations are ReLU6.*adapt=True"):
        torch_weights.load(net, weights)
    assert float(net.features[:3](images).max().asscalar()) > 6
    report = torch_weights.load(net, weights, adapt=True)
    assert report.is_complete and report.made == {}
    assert float(net.features[:3](images).max().asscalar()) == 6
    assert torch_weights.load(net, weights).changes == []


def test_weights_come_from_a_file_too(tmp_path):
    module, path = SmallResNet(), tmp_path / "net.safetensors"
    mx.nd.save(
        str(path), {k: mx.nd.from_torch(v) for k, v in module.state_dict().items() if v.ndim}
    )
    net = small_network()
    report = torch_weights.load(net, path)
    assert report.largest_difference is None
    with torch.no_grad():
        expected = module.eval()(EXAMPLE.to_torch()).numpy()
    np.testing.assert_allclose(net(EXAMPLE).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    torch.save(module.state_dict(), tmp_path / "net.pth")
    with pytest.raises(FileFormatError, match="this is a pickle"):
        torch_weights.load(net, tmp_path / "net.pth")


def test_missing_and_unexpected_weights_are_named_and_nothing_is_loaded():
    net, weights = small_network(), SmallResNet().state_dict()
    weights["layer9.weight"] = weights.pop("layer1.0.conv1.weight")
    with pytest.raises(ParameterError, match=r"for features.4.0.body.0.weight .*for layer9.weight"):
        torch_weights.load(net, weights)
    with pytest.raises(ParameterError, match="missing"):
        net.load_dict({}, ctx=mx.cpu())
    net.initialize()
    report = torch_weights.load(net, weights, allow_missing=True, ignore_extra=True)
    assert report.missing == ["features.4.0.body.0.weight"]
    assert report.unexpected == ["layer9.weight"]
    assert not report.is_complete
    assert "missing: features.4.0.body.0.weight" in str(report)


def test_a_bias_that_torch_has_is_not_made_up():
    weights = SmallResNet().state_dict()
    del weights["fc.bias"]
    with pytest.raises(ParameterError, match=r"no weight for output.bias"):
        torch_weights.load(small_network(), weights)


def test_weights_of_another_shape_are_refused():
    net = ResNetV1(BasicBlockV1, [2, 1], [4, 8, 16], classes=7)
    with pytest.raises(ParameterError, match=r"'output.weight'.*\(5, 16\)"):
        torch_weights.load(net, SmallResNet())


@pytest.mark.parametrize(
    ("net", "source", "error", "message"),
    [
        (vision.resnet18_v2(), {}, ArgumentValueError, "got ResNetV2"),
        (vision.resnet18_v1(thumbnail=True), {}, ArgumentValueError, "thumbnail=True"),
        (small_network(), 3, UnsupportedTypeError, "got int"),
    ],
)
def test_what_has_no_counterpart_is_refused(net, source, error, message):
    with pytest.raises(error, match=message):
        torch_weights.load(net, source)
