"""Loads the weights of torch's network of the same name into one of the zoo."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch

from mxnet import autograd
from mxnet import ndarray as nd
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.gluon import nn
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.contrib.torch_weights._families import FAMILIES, Family, timm_names
from mxnet.gluon.parameter import Parameter, ParameterError
from mxnet.ndarray import NDArray

Source = Mapping[str, Any] | torch.nn.Module | str | os.PathLike[str]

_TORCH_NAMES = {"gamma": "weight", "beta": "bias"}
_COUNTERS = "num_batches_tracked"
"""How often torch has updated running averages; predictions do not read it."""


def load(
    net: HybridBlock,
    source: Source,
    example: NDArray | None = None,
    *,
    adapt: bool = False,
    allow_missing: bool = False,
    ignore_extra: bool = False,
    ctx: Any = None,
) -> Report:
    """Loads the weights that torchvision or timm has for a network of the zoo into it.

    Networks of the zoo that differ from torch's are refused, with what would have to change,
    unless `adapt` is true: ResNet V1 of 50 layers and more has its strides in other convolutions,
    MobileNetV2 has no bias in its last layer, and MobileNet does not cut values off at 6.

    Args:
        net: A network of `gluon.model_zoo.vision`: ResNet V1, VGG, AlexNet, DenseNet, SqueezeNet,
            MobileNet, MobileNetV2 or Inception V3. It need not be initialized.
        source: The weights: a module of torch, its `state_dict()` (tensors or arrays by name), or
            the path of a `.safetensors` file.
        example: Input for which the outputs are compared, if `source` is a module. It also
            gives all parameters their shapes.
        adapt: Whether to change the network so that it computes what torch's does.
        allow_missing: Whether parameters may keep their values.
        ignore_extra: Whether the source may have weights that the network has no place for.
        ctx: Context or contexts of the parameters, the CPU by default.

    Returns:
        What was matched, made, changed, and how far the outputs differ.

    Raises:
        ArgumentValueError: The networks are not the same function.
        ParameterError: Weights are missing, unexpected or misshaped; no value has changed then.

    Example:
        >>> from mxnet.gluon.contrib import torch_weights
        >>> from mxnet.gluon.model_zoo import vision
        >>> net = vision.resnet18_v1(classes=10)
        >>> weights = {}  # torchvision.models.resnet18(num_classes=10).state_dict()
        >>> report = torch_weights.load(net, weights, allow_missing=True)
        >>> report.missing[0]
        'features.0.weight'
    """
    family = _family_of(net)
    weights = _weights_of(source)
    needed = family.adapt(net, False) if family.adapt is not None else []
    if needed and not adapt:
        raise ArgumentValueError(
            f"torch_weights.load: {type(net).__name__} of the zoo and torch's network are not the "
            f"same function: in torch's, {'; '.join(needed)}. adapt=True changes the network so"
        )
    if needed and family.adapt is not None:
        family.adapt(net, True)
        net.apply(_forget_graphs)
    report = _match(net, family, weights)
    report = replace(report, changes=needed, notes=[family.note] if family.note else [])
    _check(report, allow_missing, ignore_extra)
    values = {ours: _to_array(weights[theirs]) for ours, theirs in report.matched.items()}
    parameters = net._collect_params_with_prefix()
    values = {name: _fit(parameters[name], value) for name, value in values.items()}
    values |= _made_values(net, family, report)
    net.load_dict(values, ctx=ctx, allow_missing=allow_missing, cast_dtype=True)
    if example is None or not isinstance(source, torch.nn.Module):
        return report
    return _compare(net, source, example, report)


def names_of(net: HybridBlock) -> dict[str, str]:
    """Returns torchvision's names of the parameters of a network, by the names of Gluon.

    Parameters that torch's network does not have are left out.

    Args:
        net: A network of `gluon.model_zoo.vision`.

    Raises:
        ArgumentValueError: torchvision has no such network.
    """
    family = _family_of(net)
    return {ours: theirs for ours, theirs, _ in _pairs(net, family) if theirs is not None}


def _family_of(net: HybridBlock) -> Family:
    for cls, family in FAMILIES.items():
        if isinstance(net, cls):
            return family
    known = ", ".join(cls.__name__ for cls in FAMILIES)
    raise ArgumentValueError(
        f"torch_weights: torchvision or timm has networks that compute the same as {known} of "
        f"gluon.model_zoo.vision, got {type(net).__name__}"
    )


def _weights_of(source: Source) -> dict[str, Any]:
    if isinstance(source, torch.nn.Module):
        return dict(source.state_dict())
    if isinstance(source, Mapping):
        return dict(source)
    if isinstance(source, (str, os.PathLike)):
        loaded = nd.load(source)
        if isinstance(loaded, dict):
            return dict(loaded)
        raise ArgumentValueError(
            f"torch_weights.load: {os.fspath(source)!r} holds arrays without names"
        )
    raise UnsupportedTypeError(
        "torch_weights.load: takes a module of torch, a state dict or the path of a .safetensors "
        f"file, got {type(source).__name__}"
    )


def _layers(block: HybridBlock, path: str) -> Iterator[tuple[str, HybridBlock]]:
    """Lists the layers that have parameters, with the paths to them."""
    if block._reg_params:
        yield path, block
    for name, child in block._children.items():
        if isinstance(child, HybridBlock):
            yield from _layers(child, f"{path}{name}.")


def _pairs(net: HybridBlock, family: Family) -> Iterator[tuple[str, str | None, HybridBlock]]:
    """Lists the parameters of a network with torch's names of them and their layers."""
    layers, torch_layers = list(_layers(net, "")), list(family.layers(net))
    if len(layers) != len(torch_layers):
        raise ArgumentValueError(
            f"torch_weights: {type(net).__name__} has {len(layers)} layers with parameters, "
            f"torch's network {len(torch_layers)}; thumbnail=True is no network of torchvision"
        )
    for (path, layer), torch_layer in zip(layers, torch_layers, strict=True):
        for name in layer._reg_params:
            theirs = f"{torch_layer}.{_TORCH_NAMES.get(name, name)}"
            yield path + name, theirs if torch_layer is not None else None, layer


def _match(net: HybridBlock, family: Family, weights: Mapping[str, Any]) -> Report:
    matched: dict[str, str] = {}
    made: dict[str, str] = {}
    missing: list[str] = []
    others = timm_names(weights.keys())
    for ours, standard, layer in _pairs(net, family):
        theirs = None if standard is None else others.get(standard, standard)
        if theirs is not None and theirs in weights:
            matched[ours] = theirs
        elif theirs is None:
            made[ours] = "the identity"
        elif family.has_idle_biases and isinstance(layer, nn.Conv2D) and ours.endswith(".bias"):
            made[ours] = "0"
        else:
            missing.append(ours)
    used = set(matched.values())
    rest = [name for name in weights if name not in used]
    ignored = [name for name in rest if name.endswith(_COUNTERS) or name.startswith(family.ignored)]
    unexpected = sorted(set(rest) - set(ignored))
    return Report(matched, made, missing, unexpected, ignored)


def _check(report: Report, allow_missing: bool, ignore_extra: bool) -> None:
    problems = []
    if report.missing and not allow_missing:
        problems.append(f"no weight for {_listed(report.missing)} (allow_missing=True)")
    if report.unexpected and not ignore_extra:
        problems.append(f"no parameter for {_listed(report.unexpected)} (ignore_extra=True)")
    if problems:
        raise ParameterError(f"torch_weights.load: {'; '.join(problems)}")


def _to_array(value: Any) -> NDArray:
    if isinstance(value, NDArray):
        return value
    if isinstance(value, torch.Tensor):
        return nd.from_torch(value.detach().cpu().contiguous())
    return nd.array(np.asarray(value), dtype=np.asarray(value).dtype)


def _fit(parameter: Parameter, value: NDArray) -> NDArray:
    """Returns a weight of a dense layer as that of a 1x1 convolution, or the reverse."""
    shape = parameter.shape or ()
    if len(shape) == 4 and value.ndim == 2:
        return value.reshape((*value.shape, 1, 1))
    if len(shape) == 2 and value.ndim == 4:
        return value.reshape((value.shape[0], -1))
    return value


def _made_values(net: HybridBlock, family: Family, report: Report) -> dict[str, NDArray]:
    """Returns values of the parameters that torch's network has no counterpart of."""
    values: dict[str, NDArray] = {}
    channels = 0
    for ours, _, layer in _pairs(net, family):
        if isinstance(layer, nn.Conv2D):
            channels = layer._channels  # of the normalization that follows, too
        if ours not in report.made:
            continue
        if report.made[ours] == "0" or ours.endswith(("beta", "running_mean")):
            values[ours] = nd.zeros(channels)
        elif isinstance(layer, nn.BatchNorm):
            # With this variance a normalization in prediction is the identity.
            is_variance = ours.endswith("running_var")
            values[ours] = nd.full(channels, 1 - layer._kwargs["eps"] if is_variance else 1)
        else:
            values[ours] = nd.eye(channels).reshape((channels, channels, 1, 1))
    return values


def _forget_graphs(block: Any) -> None:
    if isinstance(block, HybridBlock):
        block._clear_cached_op()


def _compare(net: HybridBlock, module: torch.nn.Module, example: NDArray, report: Report) -> Report:
    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            expected = module(example.to_torch().cpu()).float()
    finally:
        module.train(was_training)
    with autograd.predict_mode():
        output = net(example).to_torch().detach().cpu().float()
    if output.shape != expected.shape:
        raise ArgumentValueError(
            f"torch_weights.load: for the example of shape {example.shape} the network returns "
            f"{tuple(output.shape)}, torch's {tuple(expected.shape)}"
        )
    return replace(
        report,
        largest_difference=float((output - expected).abs().max()),
        largest_output=float(expected.abs().max()),
    )


_SHOWN = 8
"""Names of a list that the text of a report shows."""


def _listed(names: list[str]) -> str:
    more = f", ... ({len(names)} in all)" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


@dataclass(frozen=True)
class Report:
    """What `load` did.

    Args:
        matched: Names of torch by the names of Gluon, of all weights that were loaded.
        made: Parameters that torch's network has no counterpart of, with what they were set to.
        missing: Parameters that the source has no weight for.
        unexpected: Weights that the network has no parameter for.
        ignored: Weights that predictions do not depend on.
        changes: What was changed in the network so that it computes the same.
        notes: For which inputs the networks compute the same, where that is not all.
        largest_difference: Largest difference of the outputs for the example; None without one,
            or without a module of torch.
        largest_output: Largest magnitude of torch's outputs, to compare with.
    """

    matched: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    largest_difference: float | None = None
    largest_output: float | None = None

    @property
    def renamed(self) -> dict[str, str]:
        """Those of `matched` whose names differ."""
        return {ours: theirs for ours, theirs in self.matched.items() if ours != theirs}

    @property
    def is_complete(self) -> bool:
        """Whether every parameter has its weight and every weight its parameter."""
        return not self.missing and not self.unexpected

    def __str__(self) -> str:
        lines = [f"matched: {len(self.matched)}, of which {len(self.renamed)} are renamed"]
        lines += [f"made: {name} = {value}" for name, value in list(self.made.items())[:_SHOWN]]
        if len(self.made) > _SHOWN:
            lines.append(f"made: {len(self.made) - _SHOWN} more")
        for title in ("missing", "unexpected", "ignored"):
            names = getattr(self, title)
            if names:
                lines.append(f"{title}: {_listed(names)}")
        lines += [f"changed: {change}" for change in self.changes]
        lines += [f"note: {note}" for note in self.notes]
        if self.largest_difference is not None:
            lines.append(
                f"largest difference of outputs: {self.largest_difference:.3g}, "
                f"where they go up to {self.largest_output:.3g}"
            )
        return "\n".join(lines)
