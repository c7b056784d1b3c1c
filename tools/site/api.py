"""Pages of the API: which objects a module shows, and the page that has their docstrings."""

from __future__ import annotations

import importlib
import inspect
from functools import cache

from mxnet._legacy.imported_names import DECLARED
from tools.site.functions import short_name, write_section, write_signature

PAGES = {
    "gluon": ("Blocks, parameters and trainers", ["gluon", "gluon.checkpoint", "gluon.utils"]),
    "nn": ("Layers", ["gluon.nn"]),
    "rnn": ("Recurrent layers", ["gluon.rnn"]),
    "loss": ("Losses", ["gluon.loss"]),
    "data": ("Datasets and loaders", ["gluon.data", "gluon.data.batchify", "gluon.data.vision"]),
    "probability": ("Distributions", ["gluon.probability"]),
    "transforms": ("Transforms of images", ["gluon.data.vision.transforms"]),
    "gluon_contrib": (
        "Contributed layers",
        ["gluon.contrib.nn", "gluon.contrib.rnn", "gluon.contrib.cnn", "gluon.contrib.data"],
    ),
    "torch": ("Together with torch", ["gluon.contrib.torch", "gluon.contrib.torch_weights"]),
    "estimator": ("Estimator", ["gluon.contrib.estimator"]),
    "model_zoo": ("Model zoo", ["gluon.model_zoo.vision"]),
    "ndarray": ("Arrays", ["ndarray", "context", "random"]),
    "ndarray_modules": (
        "More functions of arrays",
        ["ndarray.contrib", "ndarray.linalg", "ndarray.image", "ndarray.sparse"],
    ),
    "autograd": ("Gradients", ["autograd"]),
    "numpy": ("NumPy dialect", ["numpy", "numpy.linalg", "numpy.random"]),
    "numpy_extension": (
        "NumPy dialect: networks",
        ["numpy_extension", "numpy_extension.random", "numpy_extension.image"],
    ),
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
MADE_AT_IMPORT = {"random", "numpy", "numpy.linalg", "numpy.random"}
MADE_AT_IMPORT |= {"ndarray", "ndarray.contrib", "ndarray.linalg", "ndarray.image"}
MADE_AT_IMPORT |= {"numpy_extension", "numpy_extension.random", "numpy_extension.image"}
"""Modules whose functions are built from declarations, so that no source shows their docstrings."""
IN_TABLES = {"symbol", "ndarray.sparse"}
"""Modules that have the functions of `ndarray` for other operands."""

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
    sections = [_write_module(module, public_objects(f"mxnet.{module}")) for module in modules]
    return "\n".join([f"# {title}\n", *sections])


def _write_module(module: str, members: dict[str, object]) -> str:
    """Returns a module's heading and what its objects' docstrings become."""
    docstring = inspect.getdoc(importlib.import_module(f"mxnet.{module}")) or ""
    head = f"## `mxnet.{module}` {{ #mxnet.{module} }}\n"
    head += f"\n{docstring.split('Example:')[0].strip()}\n"
    if module not in MADE_AT_IMPORT | IN_TABLES:
        return head + "".join(_directive(module, name) for name in members)
    made = {name: member for name, member in members.items() if not inspect.isclass(member)}
    classes = [_directive(module, name) for name in members if name not in made]
    if module in IN_TABLES:
        return f"{head}{_write_table(module, made)}\n{''.join(classes)}"
    sections = [write_section(module, name, made[name], find_homes()) for name in sorted(made)]
    return "\n".join([head, *sections, *classes])


def _write_table(module: str, functions: dict[str, object]) -> str:
    """Returns a table of functions that are documented on another page."""
    table = [f"\n### Functions {{ #functions-of-{module} }}\n"]
    table += ["| function | what it does |", "| --- | --- |"]
    table += [f"| {_call(name, item)} | {_summary(item)} |" for name, item in functions.items()]
    return "\n".join(table)


@cache
def find_homes() -> dict[str, str]:
    """Returns where each function and class is shown, by names such as `np.linalg.norm`."""
    return {
        f"{short_name(module)}.{name}": f"{page}.md#mxnet.{module}.{name}"
        for page, (_, modules) in PAGES.items()
        for module in modules
        if module not in IN_TABLES
        for name in public_objects(f"mxnet.{module}")
    }


def _directive(module: str, name: str) -> str:
    """Returns the line by which mkdocstrings shows a docstring."""
    text = f"\n::: mxnet.{module}.{name}\n    options:\n      heading_level: 3\n"
    return f"{text}      inherited_members: true\n" if name in WITH_INHERITED else text


def _call(name: str, function: object) -> str:
    """Returns how a function is called, as code for a cell of a table."""
    return f"`{name}{write_signature(function)}`".replace("|", "\\|")


def _summary(function: object) -> str:
    """Returns the first sentence of a docstring, fit for a cell of a table."""
    paragraph = (inspect.getdoc(function) or "").split("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")
