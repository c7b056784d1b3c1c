"""The networks of the model zoo, described and run alike by this package and by the original."""

from __future__ import annotations

import json
import zlib

import numpy as np

import mxnet as mx
from mxnet.gluon.model_zoo import vision

RESNETS = [f"resnet{size}_v{version}" for version in (1, 2) for size in (18, 34, 50, 101, 152)]
VGGS = [f"vgg{size}{norm}" for norm in ("", "_bn") for size in (11, 13, 16, 19)]
DENSENETS = [f"densenet{size}" for size in (121, 161, 169, 201)]
MOBILENETS = [f"mobilenet{v}{m}" for v in ("", "v2_") for m in ("1.0", "0.75", "0.5", "0.25")]
NAMES = [
    *RESNETS,
    *VGGS,
    "alexnet",
    *DENSENETS,
    "squeezenet1.0",
    "squeezenet1.1",
    "inceptionv3",
    *MOBILENETS,
]
SMALL = ["resnet18_v1", "resnet50_v1", "resnet18_v2", "resnet50_v2", "mobilenet0.25"]
SMALL += ["mobilenetv2_0.25", "squeezenet1.1", "densenet121", "inceptionv3", "vgg11_bn", "alexnet"]
"""Every family and every kind of unit once."""

VARIANTS = {
    "thumbnail_v1": ("resnet18_v1", {"thumbnail": True, "classes": 10, "prefix": "abc_"}),
    "thumbnail_v2": ("resnet50_v2", {"thumbnail": True, "classes": 10}),
    "classes_of_mobilenet": ("mobilenet0.5", {"classes": 10, "prefix": "m_"}),
    "classes_of_mobilenet_v2": ("mobilenetv2_0.5", {"classes": 7}),
    "dropout": ("densenet121", {"classes": 3, "dropout": 0.2, "bn_size": 2}),
    "classes_of_inception": ("inceptionv3", {"classes": 3}),
    "classes_of_squeezenet": ("squeezenet1.0", {"classes": 3}),
    "normalized_vgg": ("vgg11", {"classes": 5, "batch_norm": True}),
    "classes_of_alexnet": ("alexnet", {"classes": 5}),
}
"""Options other than the usual ones: the name of the network and the options."""

_SIZES = {"vgg": 32, "alexnet": 63, "densenet": 224, "squeezenet": 214, "inception": 299}
_NOISE = np.random.RandomState(7).uniform(-1, 1, 65521).astype("float32")


def image_size(name):
    """Returns a small size that the network takes."""
    return next((size for kind, size in _SIZES.items() if name.startswith(kind)), 64)


def image(name, seed=0):
    """Returns a random image, the same everywhere."""
    size = image_size(name)
    values = np.random.RandomState(seed).uniform(-1, 1, (1, 3, size, size))
    return mx.nd.array(values.astype("float32"))


def make(name, **options):
    """Returns a network whose name does not depend on those made before."""
    with mx.name.NameManager():
        return vision.get_model(name, **options)


def make_known(name, **options):
    """Returns a network with all shapes known, and without data."""
    net = make(name, **options)
    net.infer_shape(image(name))
    return net


def value_of(name, shape):
    """Returns values of a parameter that follow from its name and shape."""
    start = zlib.crc32(name.encode()) % _NOISE.size
    values = np.resize(np.roll(_NOISE, -start), shape)
    if len(shape) > 1:
        return values * np.float32((6 / np.prod(shape[1:])) ** 0.5)
    if name.endswith(("gamma", "running_var")):
        return np.float32(0.75) + values * np.float32(0.5)
    return values * np.float32(0.1)


def fill(net):
    """Sets all parameters of a network of known shapes."""
    for name, parameter in net.collect_params().items():
        values = value_of(name[len(net.prefix) :], parameter.shape)
        parameter.initialize()
        parameter.set_data(mx.nd.array(values))


def outputs_of(name):
    """Returns a few scores of the network with values by `fill`, and their largest."""
    net = make_known(name)
    fill(net)
    scores = net(image(name)).asnumpy().ravel()
    return [float(value) for value in scores[::100]] + [float(np.abs(scores).max())]


def describe(name, **options):
    """Returns all that a network is: its graph, printed forms and parameters."""
    net = make(name, **options)
    graph = json.loads(net(mx.sym.var("data")).tojson())
    waiting = repr(net)
    net.infer_shape(image(name))
    return {
        "waiting": waiting,
        "printed": repr(net),
        "parameters": [
            [name, list(item.shape), item.grad_req, _init_of(item)]
            for name, item in net.collect_params().items()
        ],
        "structural": sorted(net._collect_params_with_prefix()),
        "nodes": [
            [node["op"], node["name"], node.get("attrs", {}), [i[0] for i in node["inputs"]]]
            for node in graph["nodes"]
        ],
    }


def _init_of(parameter):
    init = parameter.init
    return init if init is None or isinstance(init, str) else init.dumps()
