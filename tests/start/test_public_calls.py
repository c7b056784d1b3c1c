"""Mistakes in calls of anything public: what the package refuses shows no frame of the package.

Every function, class and method of the public modules is called with arguments that make no sense.
What is refused on purpose, with an exception of the package, must look like an error of the line
that called; exceptions that nobody has foreseen keep their frames and are not looked at here.
"""

from __future__ import annotations

import importlib
import inspect
import pickle
import sys
import traceback
import warnings
from types import FunctionType

import pytest

import mxnet as mx
import mxnet.gluon.metric
import mxnet.metric
from mxnet._np_functions.methods import NumpyMethods
from mxnet._start import tracebacks
from mxnet.errors import show_internal_frames
from tests.mixed_precision import turn_off

MODULES = [
    "mxnet.context",
    "mxnet.ndarray",
    "mxnet.ndarray.random",
    "mxnet.ndarray.linalg",
    "mxnet.ndarray.contrib",
    "mxnet.ndarray.sparse",
    "mxnet.symbol",
    "mxnet.symbol.random",
    "mxnet.symbol.contrib",
    "mxnet.numpy",
    "mxnet.numpy.random",
    "mxnet.numpy.linalg",
    "mxnet.numpy_extension",
    "mxnet.image",
    "mxnet.io",
    "mxnet.recordio",
    "mxnet.lr_scheduler",
    "mxnet.metric",
    "mxnet.optimizer",
    "mxnet.initializer",
    "mxnet.kvstore",
    "mxnet.callback",
    "mxnet.visualization",
    "mxnet.rnn",
    "mxnet.gluon",
    "mxnet.gluon.nn",
    "mxnet.gluon.rnn",
    "mxnet.gluon.loss",
    "mxnet.gluon.data",
    "mxnet.gluon.data.vision.transforms",
    "mxnet.gluon.contrib.nn",
    "mxnet.gluon.contrib.rnn",
    "mxnet.gluon.contrib.estimator",
    "mxnet.contrib.amp",
    "mxnet.contrib.text.vocab",
    "mxnet.module",
]

SHOWN = {
    "mxnet.context": {"intern", "resolve"},  # for the package itself
    "mxnet.ndarray": {"NDArray", "install_methods"},
    "mxnet.ndarray.random": {"get_op", "resolve"},
    "mxnet.numpy": {"ndarray"},
    "mxnet.kvstore": {"KVStore"},
    "mxnet.initializer": {"InitDesc", "Load"},
    "mxnet.optimizer": {"Test"},
}
"""Members whose frames are shown, by module: helpers of the package, and odd constructors."""

HOT = {"hybrid_forward", "forward", "update", "update_multi_precision", "update_many", "astype"}
"""Methods that are called in every step, by the package: a handler would take time."""

OBJECTS = {
    "NDArray": lambda: mx.nd.ones((2, 3)),
    "ndarray": lambda: mx.np.ones((2, 3)),
    "CSRNDArray": lambda: mx.nd.sparse.zeros("csr", (2, 3)),
    "RowSparseNDArray": lambda: mx.nd.sparse.zeros("row_sparse", (2, 3)),
    "Symbol": lambda: mx.sym.var("data"),
    "Dense": lambda: mx.gluon.nn.Dense(2, in_units=3),
    "HybridSequential": mx.gluon.nn.HybridSequential,
    "SymbolBlock": lambda: mx.gluon.SymbolBlock([mx.sym.var("a")], [mx.sym.var("a")]),
    "LSTMCell": lambda: mx.gluon.rnn.LSTMCell(3),
    "Parameter": lambda: mx.gluon.Parameter("weight", shape=(2,)),
    "ParameterDict": mx.gluon.ParameterDict,
    "SimpleDataset": lambda: mx.gluon.data.SimpleDataset([1, 2]),
    "Module": lambda: mx.mod.Module(mx.sym.var("data"), label_names=None),
    "Accuracy": mx.metric.Accuracy,
}
THIN = frozenset(name for name in vars(NumpyMethods) if name[0] != "_")
"""Methods of `mx.np` arrays that only call a function: a handler would be a part of their time."""

SLOW = {"to_fx", "to_torch", "optimize_for"}
"""Methods that import compilers."""


@pytest.fixture(autouse=True)
def hidden_frames(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = show_internal_frames(False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    show_internal_frames(before)
    turn_off()  # `amp.init` is one of the calls


def _misuses(function):
    """Yields arguments that most functions refuse."""
    parameters = inspect.signature(function).parameters.values()
    needed = sum(
        item.default is item.empty and item.kind is not item.VAR_KEYWORD for item in parameters
    )
    yield (), {"no_such_argument": 1}
    for value in ("junk", -3, mx.nd.ones((2, 3)), mx.sym.var("data"), None):
        yield (value,) * needed, {}
        if needed < len(parameters):
            yield (value,) * (needed + 1), {}


def _frames_of(function) -> list[str]:
    """Returns the frames of the package that a refusal of the package shows, if one does."""
    try:
        misuses = list(_misuses(function))
    except ValueError:  # a class without a signature
        return []
    for args, options in misuses:
        try:
            function(*args, **options)
        except Exception as error:  # noqa: BLE001 - whatever it is
            if type(error).__module__.startswith("mxnet"):
                shown = [
                    f"{frame.filename}:{frame.lineno} {frame.name}, {error}"
                    for frame in traceback.extract_tb(error.__traceback__)
                    if frame.filename.startswith(tracebacks._PACKAGE)
                ]
                if shown:
                    return shown
    return []


def _members(module_name: str) -> dict[str, object]:
    module = importlib.import_module(module_name)
    return {
        name: value
        for name, value in vars(module).items()
        if name[0] != "_"
        and callable(value)
        and str(getattr(value, "__module__", "")).startswith(module_name)
        and not name.startswith(("set_", "seed", "register", "waitall"))
        and not (inspect.isclass(value) and issubclass(value, BaseException))
    }


@pytest.mark.parametrize("module_name", MODULES)
def test_functions_and_constructors(module_name):
    members = _members(module_name)
    assert members
    shown = {name: _frames_of(value) for name, value in members.items()}
    excused = SHOWN.get(module_name, set())
    assert {name: frames for name, frames in shown.items() if frames and name not in excused} == {}


@pytest.mark.parametrize("name", OBJECTS)
def test_methods(name):
    shown = {}
    skipped = HOT | SLOW | (THIN if name == "ndarray" else set())
    for method in dir(OBJECTS[name]()):
        if method[0] != "_" and method not in skipped and not method.startswith("set_"):
            value = getattr(OBJECTS[name], method, None) or _get(OBJECTS[name](), method)
            if inspect.ismethod(value):
                shown[method] = _frames_of(value)
    assert {method: frames for method, frames in shown.items() if frames} == {}


def _get(owner, name):
    try:
        return getattr(owner, name)
    except Exception:  # noqa: BLE001 - a property that needs data
        return None


def test_public_functions_can_be_pickled():
    lost = set()
    inner = ("mxnet.ops", "mxnet.ndarray.numpy.")  # ours, and other names of `mxnet.numpy`
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] != "mxnet" or "._" in name or name.startswith(inner):
            continue
        for label, value in vars(module).items():
            if label[0] != "_" and isinstance(value, FunctionType) and not _is_same(value):
                lost.add(f"{name}.{label}")
    # closures of a registry, which the originals cannot pickle either
    assert lost == {
        "mxnet.gluon.metric.alias",
        "mxnet.gluon.metric.register",
        "mxnet.initializer.alias",
        "mxnet.initializer.create",
        "mxnet.metric.alias",
        "mxnet.metric.register",
    }


def _is_same(function):
    public = getattr(sys.modules[function.__module__], function.__name__, None)
    if tracebacks.plain(public) is function:  # the package's own, without the handler
        return True
    try:
        return pickle.loads(pickle.dumps(function)) is function
    except (AttributeError, pickle.PicklingError):
        return False
