"""`glueball scan` on names that NumPy and Python removed, and on code in Markdown."""

from __future__ import annotations

import importlib
import json
import sys

import numpy as np
import pytest

from glueball import main
from glueball import scan as scan_command
from glueball.scan.removed import BACK_IN_NUMPY_2, REMOVED
from mxnet._legacy import clients


def scan(path, capsys) -> tuple[int, dict]:
    status = main.main(["scan", str(path), "--json"])
    return status, json.loads(capsys.readouterr().out)


def found_in(text: str, tmp_path, capsys, name: str = "a.py") -> list[tuple[str, str]]:
    path = tmp_path / name
    path.write_text(text)
    _, result = scan(path, capsys)
    assert result["broken"] == []
    return [(f["name"], f["place"].removeprefix(f"{path}:")) for f in result["findings"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import numpy as np\nx = np.zeros(3, np.int)", [("numpy.int", "2")]),
        ("import numpy\nnumpy.float_(3); numpy.float32(3)", [("numpy.float_", "2")]),
        ("from numpy import asscalar as f\nf(3)", [("numpy.asscalar", "1")]),
        ("from collections import Mapping, OrderedDict", [("collections.Mapping", "1")]),
        ("import collections\ncollections.abc.Mapping", []),
        ("import time\ntime.clock()\ntime.time()", [("time.clock", "2")]),
        ("from distutils.version import LooseVersion", [("distutils", "1")]),
        ("import imp", [("imp", "1")]),
        ("import inspect as i\ni.getargspec(f)", [("inspect.getargspec", "2")]),
        ("from fractions import gcd", [("fractions.gcd", "1")]),
        ("import xml.etree.cElementTree as ET", [("xml.etree.cElementTree", "1")]),
        ("import xml.etree.ElementTree as ET\nET.parse", []),
        ("import numpy as np\nx = np.zeros(3, np.bool)", [("numpy.bool", "2")]),
        ("from mxnet import np\nnp.zeros(3)", []),
        ("import numpy as np\ndef f(np):\n    return np.int", []),
        ("from .time import clock", []),
    ],
)
def test_removed_names_are_found(text, expected, tmp_path, capsys):
    assert found_in(text, tmp_path, capsys) == expected


def test_the_report_says_what_to_do_and_fails(tmp_path, capsys):
    path = tmp_path / "a.py"
    path.write_text("import numpy as np\nnp.int(3)\n")
    assert main.main(["scan", str(path)]) == 1
    printed = capsys.readouterr().out
    advice = "write `int`, or set MXNET_NUMPY_ALIASES=1 (NumPy 1.24 removed it)"
    assert f"a.py:2: numpy.int is removed; {advice}\n" in printed
    assert "1 file, 0 of them with MXNet: 0 uses of 0 names" in printed
    assert "1 name that NumPy or Python removed" in printed


@pytest.mark.parametrize(
    ("installed", "status", "words"),
    [
        ("1.26.4", 1, "numpy.bool is removed; write `bool`, or set MXNET_NUMPY_ALIASES=1"),
        ("2.4.6", 0, "numpy.bool differs: NumPy's own type in NumPy 2"),
    ],
)
def test_what_numpy_2_has_again_depends_on_the_release(
    installed, status, words, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(scan_command, "version_of", lambda _: installed)
    path = tmp_path / "a.py"
    path.write_text("import mxnet as mx, numpy as np\nmx.nd.array([1], dtype=np.bool)\n")
    assert main.main(["scan", str(path)]) == status
    printed = capsys.readouterr().out
    assert f"a.py:2: {words}" in printed
    assert "1 supported (0 of them differ on purpose)" in printed


def test_names_that_come_back_are_those_that_the_variable_restores():
    restored = {f"numpy.{name}" for name in (*clients._BUILTIN, *clients._RENAMED)}
    assert {name for name, (_, advice) in REMOVED.items() if clients.VARIABLE in advice} == restored
    for name, stays in clients._RENAMED.items():
        assert REMOVED[f"numpy.{name}"][1].startswith(f"write `np.{stays}`, ")
    for name, builtin in clients._BUILTIN.items():
        assert REMOVED[f"numpy.{name}"][1].startswith(f"write `{builtin.__name__}`, ")


@pytest.mark.parametrize("name", sorted(REMOVED))
def test_names_are_those_that_are_gone(name):
    release, advice = REMOVED[name]
    product, _, version = release.partition(" ")
    installed = np.__version__ if product == "NumPy" else sys.version.split()[0]
    numbers = [tuple(map(int, text.split(".")[:2])) for text in (installed, version)]
    if numbers[0] < numbers[1]:
        pytest.skip(f"{installed} has it still")
    if name in BACK_IN_NUMPY_2 and numbers[0] >= (2, 0):
        assert name.partition(".")[2] in vars(np)
        return
    module, _, attribute = name.rpartition(".")
    if module:
        assert attribute not in vars(importlib.import_module(module)), name
    else:
        assert name not in sys.stdlib_module_names
    assert advice.startswith(("write `", "use "))


MARKDOWN = """\
# Page

```python
import mxnet as mx
from mxnet import nd
```

~~~{.python .input  n=3}
%matplotlib inline
x = nd.no_such_name(3)
~~~

1. In a list:

   ```py
   y = nd.zeros(3)
   mx.not_here
   ```

```text
nd.in_no_program
```

```python
>>> nd.also_missing(
...     3)
[3.]
```

```python
pip install something
```
"""


def test_blocks_of_markdown_share_their_names(tmp_path, capsys):
    assert found_in(MARKDOWN, tmp_path, capsys, "a.md") == [
        ("mxnet.ndarray.no_such_name", "10"),
        ("mxnet.not_here", "17"),
        ("mxnet.ndarray.also_missing", "25"),
    ]


def test_markdown_in_folders_is_read(tmp_path, capsys):
    (tmp_path / "a.md").write_text(MARKDOWN)
    status, result = scan(tmp_path, capsys)
    assert (status, result["files"], result["programs"]) == (1, 1, 1)


def test_a_block_with_mxnet_that_is_no_python_is_named(tmp_path, capsys):
    (tmp_path / "a.md").write_text("```python\nimport mxnet\nprint 3\n```\n")
    status, result = scan(tmp_path, capsys)
    assert status == 1
    assert [found["place"] for found in result["broken"]] == [f"{tmp_path / 'a.md'}:3"]


def test_cells_of_a_notebook_share_their_names(tmp_path, capsys):
    cells = [{"cell_type": "code", "source": s} for s in ("from mxnet import nd", "nd.no_such()")]
    text = json.dumps({"cells": cells})
    assert found_in(text, tmp_path, capsys, "a.ipynb") == [("mxnet.ndarray.no_such", "cell 2:1")]


def test_unknown_names_fail(tmp_path, capsys):
    (tmp_path / "a.py").write_text("import mxnet as mx\nmx.nd.no_such_name\n")
    assert main.main(["scan", str(tmp_path)]) == 1
    assert "is not a name of MXNet 1.9.1" in capsys.readouterr().out
