"""`help()` of a class is complete by itself: arguments, shapes and an example that runs."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest

UNFINISHED: dict[str, set[str]] = {}
"""Classes that have no example yet, by module; a class leaves this list when it gets one."""

DOWNLOADED = {"MNIST", "FashionMNIST", "CIFAR10", "CIFAR100"}
"""Datasets whose examples are shown, but not run: they would download the data."""

LAYERS = (
    "mxnet.gluon.nn",
    "mxnet.gluon.rnn",
    "mxnet.gluon.loss",
    "mxnet.gluon.contrib.nn",
    "mxnet.gluon.contrib.cnn",
    "mxnet.gluon.contrib.rnn",
)
OTHERS = (
    "mxnet.optimizer",
    "mxnet.metric",
    "mxnet.initializer",
    "mxnet.lr_scheduler",
    "mxnet.gluon",
    "mxnet.gluon.data",
    "mxnet.gluon.data.batchify",
    "mxnet.gluon.data.vision",
    "mxnet.gluon.data.vision.transforms",
    "mxnet.image",
)
BASES = {"Loss", "RecurrentCell", "HybridRecurrentCell"}
"""Classes to derive from, whose subclasses choose the shapes."""

WRAPPERS = {"Sequential", "HybridSequential", "Lambda", "HybridLambda", "Block", "HybridBlock"}
WRAPPERS |= {"SymbolBlock", "Concurrent", "HybridConcurrent", "Concatenate", "HybridConcatenate"}
"""Classes that take whatever the blocks or functions inside of them take."""


def public_classes(module_name: str) -> dict[str, type]:
    """Returns the classes of the package that a module offers, without errors."""
    module = importlib.import_module(module_name)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
    members = {name: getattr(module, name) for name in names}
    return {
        name: member
        for name, member in members.items()
        if inspect.isclass(member)
        and member.__module__.startswith("mxnet.")
        and not issubclass(member, BaseException)
    }


def own_documentation(cls: type) -> str:
    """Returns the docstring that a class has itself, not by inheritance."""
    return vars(cls).get("__doc__") or ""


@pytest.mark.parametrize("module_name", LAYERS + OTHERS)
def test_classes_without_an_example(module_name: str):
    classes = public_classes(module_name)
    missing = {name for name, cls in classes.items() if "\n    >>> " not in inspect.getdoc(cls)}
    assert classes
    assert missing == UNFINISHED.get(module_name, set())


def test_functions_of_images_without_an_example():
    members = vars(importlib.import_module("mxnet.image")).items()
    functions = {name: value for name, value in members if inspect.isroutine(value)}
    public = {name: value for name, value in functions.items() if name[0] != "_"}
    del public["is_np_array"]  # which is shown where it is at home
    assert "imread" in public
    assert [name for name, value in public.items() if ">>> " not in value.__doc__] == []


@pytest.mark.parametrize("module_name", LAYERS + OTHERS)
def test_examples_that_are_not_run(module_name: str):
    classes = public_classes(module_name).items()
    skipped = {name for name, cls in classes if "doctest: +SKIP" in inspect.getdoc(cls)}
    assert skipped <= DOWNLOADED


@pytest.mark.parametrize("module_name", LAYERS + OTHERS)
def test_examples_are_found_by_the_test_that_runs_them(module_name: str):
    lost = {
        name
        for name, cls in public_classes(module_name).items()
        if vars(importlib.import_module(cls.__module__)).get(cls.__name__) is not cls
    }
    assert lost == set()


@pytest.mark.parametrize("module_name", LAYERS)
def test_layers_describe_their_arguments_and_shapes(module_name: str):
    incomplete = {}
    for name, cls in public_classes(module_name).items():
        text = own_documentation(cls)
        wanted = [f" {argument}: " for argument in inspect.signature(cls).parameters]
        if name not in BASES | WRAPPERS:
            wanted.append("Shapes:")
        lacking = [part for part in wanted if part not in text]
        if re.search(r"(see|those of|like|as) `[A-Z]\w+`", text):
            lacking.append("refers to another class")
        if lacking:
            incomplete[name] = lacking
    assert incomplete == {}


@pytest.mark.parametrize("module_name", LAYERS)
def test_texts_of_families_are_filled_in(module_name: str):
    classes = public_classes(module_name).items()
    assert [name for name, cls in classes if re.search(r"{\w+}", own_documentation(cls))] == []
