"""Calls that fit the original's public classes and functions fit ours."""

from __future__ import annotations

import importlib
import inspect
import json
from pathlib import Path

import pytest

from tools.versions.compare import find, parse, problems

GOLDEN = Path(__file__).parent / "golden" / "api_signatures.json"
ORIGINAL: dict[str, dict[str, str]] = json.loads(GOLDEN.read_text("utf-8"))

OWN_HANDLES = "is made by functions, not from a handle of a C library"
DIFFERENT = {
    "mxnet.executor.Executor": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.rebuild_ndarray": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.rebuild_np_ndarray": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.reduce_ndarray": OWN_HANDLES,
    "mxnet.gluon.data.dataloader.reduce_np_ndarray": OWN_HANDLES,
    "mxnet.kvstore.kvstore.KVStore": OWN_HANDLES,
}
"""Signatures that differ, with the reason."""


@pytest.mark.parametrize("module", sorted(ORIGINAL))
def test_calls_of_the_original_fit(module):
    found = {}
    for path, text in ORIGINAL[module].items():
        if f"{module}.{path}" not in DIFFERENT:
            wrong = problems(parse(text), find(module, path))
            if wrong:
                found[path] = wrong
    assert found == {}


def test_differences_are_differences():
    for full in DIFFERENT:
        module = max((name for name in ORIGINAL if full.startswith(name)), key=len)
        path = full.removeprefix(f"{module}.")
        try:
            assert problems(parse(ORIGINAL[module][path]), find(module, path)), full
        except AttributeError:
            continue


SHOWN = (
    *("autograd", "callback", "context", "gluon", "gluon.data", "gluon.data.vision.transforms"),
    *("gluon.contrib.nn", "gluon.loss", "gluon.model_zoo.vision", "gluon.nn", "gluon.rnn", "image"),
    *("gluon.utils", "initializer", "io", "kvstore", "lr_scheduler", "metric", "module", "ndarray"),
    *("ndarray.contrib", "ndarray.image", "ndarray.linalg", "ndarray.random", "ndarray.sparse"),
    *("numpy", "numpy.linalg", "numpy.random", "numpy_extension", "numpy_extension.random"),
    *("onnx", "optimizer", "profiler", "random", "recordio", "symbol", "symbol.contrib"),
    *("symbol.numpy", "symbol.numpy_extension", "symbol.random", "test_utils", "visualization"),
)
"""Modules whose functions, classes and methods show in `help()` what they take."""
FOR_TORCH = {"Torch", "from_torch", "to_torch"}
OPEN = {
    "ccSGD",
    "create",
    "genfromtxt",
    "hybrid_forward",
    "infer_shape",
    "infer_shape_partial",
    "infer_type",
    "infer_type_partial",
}
"""What passes arguments on to a class of that name or to NumPy, or takes shapes by any name."""
WITHOUT = {"DeferredInitializationError", "MXCallbackList"}
"""Classes made in C, of which Python knows no signature."""


def callables(module):
    """Yields the public functions and classes of a module and the latter's methods, by name."""
    for name in dir(module):
        value = getattr(module, name)
        if name[0] == "_" or not (getattr(value, "__module__", None) or "").startswith("mxnet"):
            continue
        if callable(value):
            yield name, value
        for method in dir(value) if inspect.isclass(value) else ():
            if method[0] != "_" and callable(getattr(value, method)):
                yield method, getattr(value, method)


@pytest.mark.parametrize("path", SHOWN)
def test_what_is_shown_is_what_is_taken(path):
    found = 0
    for name, value in callables(importlib.import_module(f"mxnet.{path}")):
        home = getattr(value, "__module__", None) or ""
        refuses = (getattr(value, "__doc__", None) or "").startswith("Raises: ")
        if name in WITHOUT or refuses or not home.startswith("mxnet"):
            continue
        signature = inspect.signature(value)
        text = str(signature)
        assert name in FOR_TORCH or not ("Tensor" in text or "torch" in text), (name, text)
        names = signature.parameters.keys() - {"self"}
        assert name in OPEN or names != {"args", "kwargs"}, (name, text)
        found += 1
    assert found


@pytest.mark.parametrize(
    ("path", "name", "shown"),
    [
        ("ndarray", "NDArray.clip", "(self, a_min, a_max, *, out=None, name=None)"),
        ("ndarray", "NDArray.sum", "(self, axis=None, keepdims=False, exclude=False, *, out=None"),
        ("ndarray", "one_hot", "(indices, depth, on_value=1.0, off_value=0.0, dtype='float32', *"),
        ("ndarray", "concat", "(*data, dim=1, out=None, name=None)"),
        ("ndarray", "add_n", "(*args, out=None, name=None)"),
        ("symbol", "Symbol.mean", "(self, axis=None, keepdims=False, exclude=False, *, name=None"),
        ("symbol", "Dropout", "(data=None, p=0.5, mode='training', axes=(), cudnn_off=False, *"),
        ("numpy", "sum", "(a, axis=None, dtype=None, keepdims=False, initial=None, out=None)"),
        ("numpy", "isclose", "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)"),
        ("numpy", "ndarray.reshape", "(self, *args, order='C')"),
        ("numpy_extension", "topk", "(data, axis=-1, k=1, ret_typ='indices', is_ascend=False"),
        ("gluon.nn", "Dense", "(units, activation=None, use_bias=True, flatten=True, dtype="),
    ],
)
def test_signatures_as_help_shows_them(path, name, shown):
    signature = inspect.signature(find(f"mxnet.{path}", name))
    bare = [item.replace(annotation=item.empty) for item in signature.parameters.values()]
    assert str(inspect.Signature(bare)).startswith(shown)
