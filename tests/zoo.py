"""A network of each family of the model zoo."""

from __future__ import annotations

FAMILIES = {
    "alexnet": 224,
    "densenet121": 224,
    "inceptionv3": 299,
    "mobilenet0.25": 64,
    "mobilenetv2_0.25": 64,
    "resnet18_v1": 64,
    "resnet18_v2": 64,
    "squeezenet1.1": 224,
    "vgg11": 32,
    "vgg11_bn": 32,
}
"""By name, the size of images that it is tried on."""
