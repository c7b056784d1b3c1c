"""Which networks of torch are equal to which of the model zoo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Fit(NamedTuple):
    """Where the weights of a network are to be had.

    Attributes:
        torchvision: Its name in torchvision, None if it has none.
        timm: Its name in timm, None if it has none.
        hub: A repository of the Hugging Face hub with weights, None if none is known.
    """

    torchvision: str | None
    timm: str | None = None
    hub: str | None = None


def _of_timm(name: str, timm: str | None = None, tag: str = "tv_in1k") -> Fit:
    return Fit(name, timm or name, f"timm/{timm or name}.{tag}")


FITS: Mapping[str, Fit] = MappingProxyType(
    {
        **{f"resnet{depth}_v1": _of_timm(f"resnet{depth}") for depth in (18, 34, 50, 101, 152)},
        **{
            f"vgg{depth}{norm}": _of_timm(f"vgg{depth}{norm}")
            for norm in ("", "_bn")
            for depth in (11, 13, 16, 19)
        },
        "alexnet": Fit("alexnet"),
        **{f"densenet{depth}": _of_timm(f"densenet{depth}") for depth in (121, 161, 169, 201)},
        "squeezenet1.0": Fit("squeezenet1_0"),
        "squeezenet1.1": Fit("squeezenet1_1"),
        "mobilenetv2_1.0": _of_timm("mobilenet_v2", "mobilenetv2_100", "ra_in1k"),
        "mobilenet1.0": Fit(None, "mobilenetv1_100", "timm/mobilenetv1_100.ra4_e3600_r224_in1k"),
        "inceptionv3": _of_timm("inception_v3"),
    }
)
"""Names of the zoo; the others there have no equal network in torch."""
