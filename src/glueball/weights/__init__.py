"""`glueball weights`: weights of torchvision, timm and the Hugging Face hub for the model zoo."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any

import torch

import mxnet as mx
from glueball.console import CommandError, plural, size, table, write, write_json
from glueball.weights.fits import FITS, Fit
from glueball.weights.sources import fetched
from glueball.weights.state_dicts import read_state_dict
from mxnet._start import did_you_mean
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.contrib import torch_weights
from mxnet.gluon.contrib.torch_weights import Report
from mxnet.gluon.model_zoo import vision

_TOLERANCE = 1e-4
"""Largest difference of outputs, relative to the largest output."""
_HEADINGS = ("network of the zoo", "torchvision", "timm", "repository of the hub")


def run(options: argparse.Namespace) -> int:
    """Loads, compares and writes; the status is 1 if outputs differ."""
    if options.name is None:
        for line in table(_HEADINGS, ([name, *map(_or_dash, fit)] for name, fit in FITS.items())):
            write(line)
        return 0
    fit = _fit_of(options.name)
    source = options.source or fit.hub
    if source is None:
        raise CommandError(
            f"weights: no repository of the hub is known for {options.name}; give a file, an "
            f"address or a repository with the weights of torchvision's {fit.torchvision}"
        )
    with fetched(source) as path:
        weights = read_state_dict(path)
    prefix = Path(options.output or options.name)
    _make_folder(prefix.parent)
    net, report = load(options.name, weights)
    module, why_not = _torch_network(fit, weights, _num_classes(options.name, weights))
    if module is not None:
        net, report = load(options.name, weights, module)
    files = _write(net, report, prefix)
    agrees = _agrees(report)
    if options.json:
        write_json(_as_json(options.name, source, files, report, agrees))
    else:
        _print(files, report, agrees, why_not)
    return 1 if agrees is False else 0


def load(
    name: str, weights: dict[str, torch.Tensor], module: torch.nn.Module | None = None
) -> tuple[HybridBlock, Report]:
    """Makes a network of the zoo with weights of torch.

    Args:
        name: Name of the network in the zoo.
        weights: The state dict; the number of classes is that of its last layer.
        module: Torch's network with these weights, to compare outputs with.

    Returns:
        The network, which has run once, and the report of `torch_weights.load`.

    Raises:
        MXNetError: if these are not the weights of such a network.
    """
    net = vision.get_model(name, classes=_num_classes(name, weights))
    length = _length(name)
    example = mx.nd.from_torch(
        torch.rand(1, 3, length, length, generator=torch.Generator().manual_seed(0))
    )
    report = torch_weights.load(net, weights if module is None else module, example, adapt=True)
    net.hybridize()
    net(example)
    return net, report


def _fit_of(name: str) -> Fit:
    try:
        return FITS[name]
    except KeyError:
        raise CommandError(
            f"weights: expected a network that torch has, too (`glueball weights` lists them), "
            f"got {name!r}{did_you_mean(name, FITS)}"
        ) from None


def _length(name: str) -> int:
    return 299 if name == "inceptionv3" else 224


def _num_classes(name: str, weights: dict[str, torch.Tensor]) -> int:
    """Returns the number of outputs of the last layer, 1000 if the weights have no such layer."""
    names = torch_weights.names_of(vision.get_model(name)).values()
    last = [theirs for theirs in names if theirs.endswith(".weight")][-1]
    candidates = (last, "head.fc.weight", "classifier.weight", "fc.weight")
    found = next((weights[item] for item in candidates if item in weights), None)
    return 1000 if found is None or not found.ndim else int(found.shape[0])


def _torch_network(
    fit: Fit, weights: dict[str, torch.Tensor], classes: int
) -> tuple[torch.nn.Module | None, str]:
    """Makes torch's network with the weights, by the first library that is there and fits."""
    reasons = []
    for library, name in (("torchvision", fit.torchvision), ("timm", fit.timm)):
        if name is None:
            continue
        try:
            imported = importlib.import_module(library)
        except ImportError:
            reasons.append(f"{library} is not installed")
            continue
        module = _make(library, imported, name, classes)
        try:
            module.load_state_dict(weights, strict=False)
        except RuntimeError:
            reasons.append(f"{library} has other shapes")
            continue
        if {*module.state_dict()} <= {*weights} | _counters(module):
            return module, ""
        reasons.append(f"{library} names its weights otherwise")
    return None, " and ".join(reasons)


def _counters(module: torch.nn.Module) -> set[str]:
    return {name for name in module.state_dict() if name.endswith("num_batches_tracked")}


def _make(library: str, imported: Any, name: str, classes: int) -> torch.nn.Module:
    if library == "timm":
        made: torch.nn.Module = imported.create_model(name, num_classes=classes)
        return made
    options = {"init_weights": False, "aux_logits": True} if name == "inception_v3" else {}
    maker = getattr(importlib.import_module("torchvision.models"), name)
    module: torch.nn.Module = maker(num_classes=classes, **options)
    return module


def _make_folder(folder: Path) -> None:
    """Makes the folder of the files, before the work of which they are the result."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"weights: {folder} cannot be made: {error.strerror}") from error


def _write(net: HybridBlock, report: Report, prefix: Path) -> list[Path]:
    """Writes the graph with its parameters, and these for the network of the zoo if it is equal."""
    net.export(str(prefix))
    files = [Path(f"{prefix}-symbol.json"), Path(f"{prefix}-0000.params")]
    if not report.changes:
        files.append(Path(f"{prefix}.params"))
        net.save_parameters(str(files[-1]))
    return files


def _agrees(report: Report) -> bool | None:
    """Returns whether the outputs are torch's, None if they were not compared."""
    if report.largest_difference is None or report.largest_output is None:
        return None
    return report.largest_difference <= _TOLERANCE * max(1.0, report.largest_output)


def _or_dash(text: str | None) -> str:
    return text or "-"


def _as_json(
    name: str, source: str, files: list[Path], report: Report, agrees: bool | None
) -> dict[str, Any]:
    return {
        "network": name,
        "source": source,
        "files": [str(path) for path in files],
        "matched": len(report.matched),
        "made": report.made,
        "ignored": report.ignored,
        "changes": report.changes,
        "notes": report.notes,
        "largest_difference": report.largest_difference,
        "agrees": agrees,
    }


def _print(files: list[Path], report: Report, agrees: bool | None, why_not: str) -> None:
    for path in files:
        write(f"written to {path} ({size(path.stat().st_size)})")
    write(f"{plural(len(report.matched), 'weight')} of torch")
    for change in report.changes:
        write(f"changed: in torch's network {change}")
    for note in report.notes:
        write(f"note: {note}")
    if report.changes:
        write(
            "The network of the zoo computes something else, so load the graph: "
            f'gluon.SymbolBlock.imports("{files[0]}", ["data"], "{files[1]}")'
        )
    else:
        write(f'net.load_parameters("{files[-1]}") loads them into the network of the zoo')
    if agrees is None:
        write(f"not compared with torch's network: {why_not}")
    else:
        write(
            f"outputs {'agree' if agrees else 'differ'}: largest difference "
            f"{report.largest_difference:.2g}, where they go up to {report.largest_output:.2g}"
        )
