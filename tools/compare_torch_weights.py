"""Compares the networks of the zoo with torchvision's of the same weights, output by output.

    python tools/compare_torch_weights.py [resnet18 ...]

Needs torchvision, and timm for `--library timm`. Weights are random, but normalizations get
averages that no network has at its start, so that a wrong one shows. Prints the report of
`gluon.contrib.torch_weights.load` for each and exits with 1 if a difference is too large.
"""

from __future__ import annotations

import argparse
import sys

import torch

import mxnet as mx
from mxnet.gluon.contrib import torch_weights
from mxnet.gluon.model_zoo import vision

NETWORKS = {
    "torchvision": {
        **{f"resnet{depth}": f"resnet{depth}_v1" for depth in (18, 34, 50, 101, 152)},
        **{f"vgg{depth}{norm}": f"vgg{depth}{norm}" for depth in (11, 16) for norm in ("", "_bn")},
        "alexnet": "alexnet",
        **{f"densenet{depth}": f"densenet{depth}" for depth in (121, 161, 169, 201)},
        "squeezenet1_0": "squeezenet1.0",
        "squeezenet1_1": "squeezenet1.1",
        "mobilenet_v2": "mobilenetv2_1.0",
        "inception_v3": "inceptionv3",
    },
    "timm": {
        "resnet18": "resnet18_v1",
        "resnet50": "resnet50_v1",
        "vgg11_bn": "vgg11_bn",
        "densenet121": "densenet121",
        "mobilenetv1_100": "mobilenet1.0",
        "mobilenetv2_100": "mobilenetv2_1.0",
        "inception_v3": "inceptionv3",
    },
}
TOLERANCE = 1e-4


def make_module(library: str, name: str) -> torch.nn.Module:
    if library == "timm":
        import timm

        module = timm.create_model(name)
    else:
        from torchvision import models

        options = {"init_weights": False} if name == "inception_v3" else {}
        module = getattr(models, name)(**options)
    for layer in module.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.running_mean.uniform_(-0.1, 0.1)
            layer.running_var.uniform_(0.8, 1.2)
            torch.nn.init.uniform_(layer.weight, 0.9, 1.1)
            torch.nn.init.uniform_(layer.bias, -0.1, 0.1)
    return module


def compare(library: str, name: str) -> bool:
    torch.manual_seed(0)
    net = vision.get_model(NETWORKS[library][name])
    size = 299 if name == "inception_v3" else 224
    example = mx.nd.from_torch(torch.rand(1, 3, size, size))
    report = torch_weights.load(net, make_module(library, name), example, adapt=True)
    print(f"{library} {name}:\n{report}\n", flush=True)
    return report.largest_difference <= TOLERANCE * max(1.0, report.largest_output)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="networks of the library, all by default")
    parser.add_argument("--library", choices=list(NETWORKS), default="torchvision")
    arguments = parser.parse_args()
    names = arguments.names or list(NETWORKS[arguments.library])
    return 0 if all([compare(arguments.library, name) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
