"""Weights of torchvision and timm for the networks of the model zoo.

`load(net, source)` gives a network of `gluon.model_zoo.vision` the weights that torchvision or
timm has for the same network, by a map of names, and returns a `Report`: which names were
matched, what had to be made or changed, and, with an example input, how far the outputs differ.

Example:
    >>> import torch
    >>> from mxnet.gluon.contrib import torch_weights
    >>> from mxnet.gluon.model_zoo import vision
    >>> net = vision.alexnet(classes=10)
    >>> torch_weights.names_of(net)["features.9.weight"]
    'classifier.1.weight'
"""

from mxnet.gluon.contrib.torch_weights._loading import Report as Report
from mxnet.gluon.contrib.torch_weights._loading import load as load
from mxnet.gluon.contrib.torch_weights._loading import names_of as names_of

__all__ = ["Report", "load", "names_of"]
