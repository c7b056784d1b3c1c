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
from glueball.weights.fits import FITS
from mxnet.gluon.contrib import torch_weights
from mxnet.gluon.model_zoo import vision

NETWORKS = {
    library: {theirs: ours for ours, fit in FITS.items() if (theirs := getattr(fit, library))}
    for library in ("torchvision", "timm")
}
"""Names of the zoo by those of the library: all that `glueball weights` lists."""
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
