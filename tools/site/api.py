"""Pages of the API: which objects a module shows, and the page that has their docstrings."""

from __future__ import annotations

import importlib
import inspect

from mxnet._legacy.imported_names import DECLARED

PAGES = {
    "gluon": ("Blocks, parameters and trainers", ["gluon", "gluon.checkpoint", "gluon.utils"]),
    "nn": ("Layers", ["gluon.nn"]),
    "rnn": ("Recurrent layers", ["gluon.rnn"]),
    "loss": ("Losses", ["gluon.loss"]),
    "data": ("Datasets and loaders", ["gluon.data", "gluon.data.batchify", "gluon.data.vision"]),
    "transforms": ("Transforms of images", ["gluon.data.vision.transforms"]),
    "gluon_contrib": (
        "Contributed layers",
        ["gluon.contrib.nn", "gluon.contrib.rnn", "gluon.contrib.cnn", "gluon.contrib.data"],
    ),
    "torch": ("Together with torch", ["gluon.contrib.torch", "gluon.contrib.torch_weights"]),
    "estimator": ("Estimator", ["gluon.contrib.estimator"]),
    "model_zoo": ("Model zoo", ["gluon.model_zoo.vision"]),
    "ndarray": (
        "Arrays",
        [
            "ndarray",
            "ndarray.contrib",
            "ndarray.image",
            "ndarray.linalg",
            "ndarray.random",
            "ndarray.sparse",
            "context",
            "random",
        ],
    ),
    "autograd": ("Gradients", ["autograd"]),
    "numpy": ("NumPy dialect", ["numpy", "numpy.linalg", "numpy.random", "numpy_extension"]),
    "optimizer": ("Optimizers and schedules", ["optimizer", "lr_scheduler"]),
    "initializer": ("Initializers", ["initializer"]),
    "metric": ("Metrics", ["metric"]),
    "amp": ("Mixed precision", ["contrib.amp"]),
    "quantization": ("Quantization", ["contrib.quantization"]),
    "symbol": ("Symbols", ["symbol", "executor"]),
    "module": ("Modules", ["module", "model", "callback", "monitor", "rnn"]),
    "io": ("Iterators and record files", ["io", "recordio"]),
    "image": ("Images", ["image"]),
    "onnx": ("ONNX", ["onnx"]),
    "plot": ("Curves of a training", ["gluon.contrib.plot"]),
    "tensorboard": ("TensorBoard", ["contrib.tensorboard"]),
    "kvstore": ("Stores and processes", ["kvstore", "contrib.horovod"]),
    "operator": ("Operators of your own", ["operator"]),
    "profiler": ("Profiler", ["profiler"]),
    "visualization": ("Pictures of networks", ["visualization"]),
    "limits": ("Limits", ["limits"]),
}
"""Name of each page: its title, and the modules whose public objects it shows."""
MADE_AT_IMPORT = {"symbol", "random"} | {
    name
    for _, modules in PAGES.values()
    for name in modules
    if name.startswith(("ndarray", "numpy"))
}
"""Modules whose functions are built from declarations, so that no source shows their docstrings."""

WITH_INHERITED = {"Block", "NDArray", "Parameter", "ParameterDict", "Symbol", "Trainer"}
"""Classes that have methods from bases which users do not know."""


def public_objects(module_name: str) -> dict[str, object]:
    """Returns classes and functions that a module of the package offers, by their names."""
    module = importlib.import_module(module_name)
    offered = DECLARED.get(module_name)
    members = {name: getattr(module, name) for name in offered or dir(module)}
    return {
        name: member
        for name, member in members.items()
        if not name.startswith("_")
        and (inspect.isclass(member) or inspect.isfunction(member))
        and _belongs(member, module_name, bool(offered))
    }


def _belongs(member: type | object, module_name: str, is_offered: bool) -> bool:
    """Returns whether a module is the home of what it shows."""
    home: str = member.__module__
    if home == "mxnet.registry" and inspect.isfunction(member) and "<locals>" in str(member):
        return True  # `register`, `alias` and `create` are made for each module
    if is_offered or home == module_name or home.startswith(f"{module_name}."):
        return home.startswith("mxnet") and not home.startswith("mxnet.errors")
    parent, _, name = module_name.rpartition(".")
    return home.startswith(f"{parent}._{name}_")  # `gluon._loss_base` is a part of `gluon.loss`


def write_page(title: str, modules: list[str]) -> str:
    """Returns the Markdown of a page: a section for each module."""
    sections = [f"# {title}\n"]
    for short_name in modules:
        module_name = f"mxnet.{short_name}"
        sections.append(_write_section(short_name, public_objects(module_name)))
    return "\n".join(sections)


def _write_section(short_name: str, members: dict[str, object]) -> str:
    """Returns a module's heading and what its objects' docstrings become."""
    head = f"## `mxnet.{short_name}` {{ #mxnet.{short_name} }}\n"
    docstring = inspect.getdoc(importlib.import_module(f"mxnet.{short_name}")) or ""
    head += f"\n{docstring.split('Example:')[0].strip()}\n"
    if short_name not in MADE_AT_IMPORT:
        return head + "".join(_directive(short_name, name) for name in members)
    functions = [name for name, member in members.items() if not inspect.isclass(member)]
    table = [f"\n### Functions {{ #functions-of-{short_name} }}\n"]
    table += ["| function | what it does |", "| --- | --- |"]
    table += [
        f"| {_signature(name, members[name])} | {_summary(members[name])} |" for name in functions
    ]
    classes = [_directive(short_name, name) for name in members if name not in functions]
    return f"{head}{chr(10).join(table)}\n{''.join(classes)}"


def _directive(short_name: str, name: str) -> str:
    """Returns the line by which mkdocstrings shows a docstring."""
    text = f"\n::: mxnet.{short_name}.{name}\n    options:\n      heading_level: 3\n"
    return f"{text}      inherited_members: true\n" if name in WITH_INHERITED else text


def _signature(name: str, function: object) -> str:
    """Returns how a function is called, without annotations, as code for a cell of a table."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return f"`{name}(...)`"
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
    ]
    call = str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    return f"`{name}{call}`".replace("|", "\\|")


def _summary(function: object) -> str:
    """Returns the first sentence of a docstring, fit for a cell of a table."""
    paragraph = (inspect.getdoc(function) or "").split("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")
