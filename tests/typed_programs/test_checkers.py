"""Programs of users as mypy and pyright see them: no false error, and the types of arrays.

A program says by `assert_type` what a checker must know of a value. When the programs are run it
is checked that the value is of that type, too.
"""

import json
import os
import runpy
import subprocess
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import typing_extensions

import mxnet as mx

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
MYPY = """\
[mypy]
check_untyped_defs = true
[mypy-mxnet.*]
follow_imports = silent
[mypy-torch.*]
follow_imports = skip
"""
MISTAKES = """\
from mxnet import gluon, nd, np, npx
from mxnet.gluon import nn

net = nn.Dense(units=3, activations="relu")
net(nd.ones((2, 3))).mean(axs=1)
net.hybridise()
gluon.Trainer(net, "sgd", {}, kv_store=None)
np.concatenat([np.ones(2)])
np.ones((2, 3)).sum(axes=1)
npx.relu(np.ones(2), alpha=1)
np.argmax(np.ones(2)).asscalars()
gluon.loss.L2Loss(weights=2)
gluon.data.DataLoader([1, 2], batchsize=2)


class Net(nn.Block):
    def forward(self, x):
        return self.dense(x)
"""
"""One mistake in each line from the fourth, but for the first two of the class."""


def run(command, folder, **environment):
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.stdout


def check_by_mypy(folder, paths):
    """Returns the lines of mypy's errors in programs and stubs."""
    (folder / "mypy.ini").write_text(MYPY)
    output = run(["mypy", "--cache-dir", "cache", *map(str, paths)], folder, MYPYPATH=str(SOURCE))
    assert f"{len(paths)} source file" in output.splitlines()[-1]
    return [line for line in output.splitlines() if ": error: " in line]


def check_by_pyright(folder, paths):
    """Returns pyright's errors, with the numbers of their lines."""
    settings = {
        "include": [str(path) for path in paths],
        "extraPaths": [str(SOURCE)],
        "typeCheckingMode": "standard",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    report = json.loads(run(command, folder))
    assert report["summary"]["filesAnalyzed"] == len(paths)
    return [
        f"{Path(item['file']).name}:{item['range']['start']['line'] + 1}: {item['message']}"
        for item in report["generalDiagnostics"]
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("checked")


def test_mypy_takes_the_programs(folder):
    assert check_by_mypy(folder, PROGRAMS) == []


def test_pyright_takes_the_programs(tmp_path):
    pytest.importorskip("basedpyright", reason="it is in the extra `dev`")
    assert check_by_pyright(tmp_path, PROGRAMS) == []


def places_of_mistakes(path):
    lines = path.read_text().splitlines()
    calls = {number for number, line in enumerate(lines, 1) if line.startswith(("net", "np", "gl"))}
    return calls, len(lines)


def test_mypy_finds_mistakes(folder):
    path = folder / "mistakes.py"
    path.write_text(MISTAKES)
    found = {int(line.split(":")[1]) for line in check_by_mypy(folder, [path])}
    calls, last = places_of_mistakes(path)
    assert found == {*calls, last}


def test_pyright_finds_mistakes(tmp_path):
    pytest.importorskip("basedpyright", reason="it is in the extra `dev`")
    path = tmp_path / "mistakes.py"
    path.write_text(MISTAKES)
    found = {int(line.split(":")[1]) for line in check_by_pyright(tmp_path, [path])}
    calls, last = places_of_mistakes(path)
    assert found == {*calls, last}


def is_of_type(value, expected):
    """Returns whether a value is of a type, as far as this looks inside of lists and tuples."""
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if origin in (typing.Union, types.UnionType):
        return any(is_of_type(value, item) for item in arguments)
    if expected is float:
        return isinstance(value, float | int)
    if origin is not None:
        inner = arguments[0]
        items = value if isinstance(value, Sequence) and not isinstance(value, Mapping) else ()
        return isinstance(value, origin) and all(is_of_type(item, inner) for item in items)
    return isinstance(value, type(None) if expected is None else expected)


def refuse_other_types(value, expected):
    if not is_of_type(value, expected):
        raise AssertionError(f"expected {expected}, got {type(value)}")
    # An array of the other dialect would be one of this class, too.
    if expected is mx.nd.NDArray and not isinstance(value, mx.nd.sparse.BaseSparseNDArray):
        assert type(value) is mx.nd.NDArray
    return value


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_values_are_of_the_types(path, monkeypatch, tmp_path):
    monkeypatch.setattr(typing_extensions, "assert_type", refuse_other_types)
    monkeypatch.chdir(tmp_path)
    try:
        runpy.run_path(str(path))
    finally:
        mx.npx.reset_np()
        mx.random.seed(0)


def test_each_program_says_what_types_its_values_have():
    assert len(PROGRAMS) >= 20
    for path in PROGRAMS:
        assert path.read_text("utf-8").count("assert_type(") >= 2, path.name
