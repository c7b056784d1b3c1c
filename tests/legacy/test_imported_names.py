"""What public modules show: the names that the original's modules define and import."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mxnet as mx
from mxnet._legacy.imported_names import ADDED, STAR, read_names

ROOT = Path(__file__).parents[2]
ORIGINAL = json.loads((ROOT / "tests/golden/imported_names.json").read_text("utf-8"))

OPTIONAL = {"GraphProto", "bokeh", "cv2", "graphviz", "h5py", "pd", "requests", "spsp", "ss"} | {
    "SKLEARN_INSTALLED",
    "stats",
}
"""What comes from libraries that need not be there."""
MACHINERY = (
    {"api", "cython", "tvmop", "register", "numpy_op_signature", "pmt", "convert_map", "ss"}
    | {f"gen_{kind}" for kind in ("_internal", "contrib", "image", "linalg", "op", "sparse")}
    | {"arrayprint", "fallback_linalg", "utils", "apache_repo_url"}
    | {"DeleterFunc", "PyCapsuleDestructor", "dl_managed_tensor_deleter"}
)
"""Modules and tables from which the original builds itself."""


def _public(names):
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("path", read_names())
def test_a_module_shows_the_names_of_the_original_and_those_added_on_purpose(path):
    module = importlib.import_module(path)
    shown, original = _public(dir(module)), _public(ORIGINAL[path])
    assert original - shown <= OPTIONAL | MACHINERY
    added = {*ADDED.get(path, "").split(), *vars(module).get(STAR, ())}
    assert shown - original <= added


@pytest.mark.parametrize("path", read_names())
def test_there_is_something_behind_each_name(path):
    module = importlib.import_module(path)
    for name in dir(module):
        getattr(module, name)
    for name, source in read_names()[path].items():
        if source and name != STAR:
            assert getattr(module, name) is not None


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


def test_star_imports_give_what_the_original_gives():
    scope: dict[str, object] = {}
    exec("from mxnet.operator import *", scope)  # noqa: S102 - it is the statement that is tested
    assert {"CustomOp", "ctypes", "register", "NDArrayHandle"} <= scope.keys()
    assert not {"Any", "annotations", "encode"} & scope.keys()


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
