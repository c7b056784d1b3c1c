"""What public modules show: the names that the original's modules define and import."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mxnet as mx
from mxnet._legacy.imported_names import ADDED, STAR, read_names
from mxnet._legacy.imported_names import OPTIONAL as LIBRARIES

ROOT = Path(__file__).parents[2]
ORIGINAL = json.loads((ROOT / "tests/golden/imported_names.json").read_text("utf-8"))

OPTIONAL = {"GraphProto", "SKLEARN_INSTALLED", "bokeh", "graphviz", "h5py", "pd"}
"""What comes from libraries that need not be there, and is not looked for."""
MACHINERY = (
    {"api", "cython", "tvmop", "register", "numpy_op_signature", "pmt", "convert_map"}
    | {f"gen_{kind}" for kind in ("_internal", "contrib", "image", "linalg", "op", "sparse")}
    | {"arrayprint", "fallback_linalg", "utils", "apache_repo_url"}
    | {"DeleterFunc", "PyCapsuleDestructor", "dl_managed_tensor_deleter"}
)
"""Modules and tables from which the original builds itself."""
ABSENT = {
    "mxnet.api": "an empty package",
    "mxnet.ndarray.register": "writes the source of functions there",
    "mxnet.symbol.register": "writes the source of functions there",
    "mxnet.numpy.arrayprint": "its one function is `mx.np.set_printoptions`",
    "mxnet.numpy.utils": "constants, which `mx.np` has",
}
"""Modules of the original that are not here, and why."""
ALIASES = {
    "mxnet.ndarray.numpy": "mxnet.numpy",
    "mxnet.ndarray.numpy.linalg": "mxnet.numpy.linalg",
    "mxnet.ndarray.numpy.random": "mxnet.numpy.random",
    "mxnet.ndarray.numpy_extension": "mxnet.numpy_extension",
    "mxnet.ndarray.numpy_extension.image": "mxnet.numpy_extension.image",
    "mxnet.ndarray.numpy_extension.random": "mxnet.numpy_extension.random",
    "mxnet.numpy.multiarray": "mxnet.numpy",
}
"""Layers of the original's NumPy dialect that are one module here, which shows all of its names."""
OF_BOTH_DIALECTS = {"choice", "copyMakeBorder", "multinomial", "randn"}
"""Functions that graphs lack in the original, and have here because arrays do."""
OURS = (
    "errors",
    "limits",
    "gluon.checkpoint",
    "gluon.contrib.plot",
    "gluon.contrib.torch",
    "gluon.contrib.torch_weights",
    "gluon.data.batchify",
    "gluon.train_step",
)
"""Public modules that the original does not have."""


def _public(names):
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("path", read_names())
def test_a_module_shows_the_names_of_the_original_and_those_added_on_purpose(path):
    module = importlib.import_module(path)
    shown, original = _public(dir(module)), _public(ORIGINAL[path])
    assert original - shown <= OPTIONAL | MACHINERY
    assert shown - original <= {*ADDED.get(path, "").split()}


def test_modules_of_the_original_are_here_or_are_known_not_to_be():
    for path in ORIGINAL.keys() - read_names().keys():
        if path in ALIASES:
            assert importlib.import_module(path) is importlib.import_module(ALIASES[path])
        else:
            assert path in ABSENT


@pytest.mark.parametrize("path", OURS)
def test_modules_of_our_own_show_what_they_define(path):
    module = importlib.import_module(f"mxnet.{path}")
    assert _public(dir(module)) == _star(module)
    assert _public(dir(module))
    for name in _public(dir(module)):
        assert getattr(module, name).__module__.startswith("mxnet."), name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("gluon.loss", "InvalidArgumentError"),
        ("autograd", "Any"),
        ("autograd", "Tensor"),
        ("gluon.data.batchify", "annotations"),
        ("limits", "NamedTuple"),
    ],
)
def test_machinery_does_not_show(path, name):
    module = importlib.import_module(f"mxnet.{path}")
    assert name in vars(module)
    assert name not in _star(module)
    assert name.startswith("_") or name not in dir(module)


@pytest.mark.parametrize("path", read_names())
def test_there_is_something_behind_each_name(path):
    module = importlib.import_module(path)
    for name in dir(module):
        getattr(module, name)
    for name, source in read_names()[path].items():
        if source and name != STAR and source.partition(".")[0] not in LIBRARIES:
            assert getattr(module, name) is not None


def test_libraries_that_may_be_missing_show_as_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "requests", None)
    module = importlib.import_module("mxnet.gluon.utils")
    monkeypatch.delitem(vars(module), "requests", raising=False)
    assert "requests" in dir(module)
    assert module.requests is None
    del module.requests  # it is looked for again


def test_the_package_has_all_its_names_before_a_module_is_imported():
    program = "import mxnet as mx; print([name for name in dir(mx) if not hasattr(mx, name)])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_names_of_another_module_are_the_same_objects():
    from mxnet.gluon.rnn.rnn_cell import HybridBlock, tensor_types
    from mxnet.optimizer.optimizer import NDabs

    assert HybridBlock is mx.gluon.HybridBlock
    assert tensor_types is importlib.import_module("mxnet.gluon.parameter").tensor_types
    assert NDabs is mx.nd.abs


def _star(module):
    scope: dict[str, object] = {}
    statement = f"from {module.__name__} import *"
    exec(statement, scope)  # noqa: S102 - it is the statement that is tested
    return scope.keys() - {"__builtins__"}


@pytest.mark.parametrize("path", read_names())
def test_star_imports_give_what_the_original_gives(path):
    original = dict(ORIGINAL[path])
    listed = original.pop(STAR, None)
    expected = _public(original) if listed is None else {*listed.split()}
    given = _star(importlib.import_module(path))
    assert expected - given <= OPTIONAL | MACHINERY
    assert given - expected <= {*ADDED.get(path, "").split(), *OF_BOTH_DIALECTS}


def test_other_names_are_still_missing():
    with pytest.raises(ImportError, match="nothing_like_it"):
        from mxnet.gluon.rnn.rnn_cell import nothing_like_it  # noqa: F401
    with pytest.raises(AttributeError, match="nothing_like_it"):
        importlib.import_module("mxnet.gluon.loss").nothing_like_it  # noqa: B018 - it raises


def test_what_is_added_is_there():
    for path, names in ADDED.items():
        module = importlib.import_module(path)
        assert not {*names.split()} & ORIGINAL[path].keys()
        assert all(hasattr(module, name) for name in names.split())
