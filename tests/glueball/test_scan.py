"""`glueball scan` finds names of MXNet in programs, without running them."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from glueball import main
from glueball.scan import scan
from glueball.scan.differing import DIFFERENCES
from glueball.scan.names import _ADVICE, Names, Status

ROOT = Path(__file__).resolve().parents[2]
LOAD = Names.load


def names_with_gaps() -> Names:
    """Returns the table of the package, with gaps that it may have no longer."""
    names = LOAD()
    for owner in ("mxnet.ndarray.contrib", "mxnet.symbol.contrib"):
        names._here[owner] -= {"quantize"}
        names._missing[owner] = frozenset({"quantize"})
    names._missing_modules |= {"mxnet.tvmop"}
    names._owners |= {"mxnet.tvmop"}
    return names


NAMES = names_with_gaps()


@pytest.fixture(autouse=True)
def gaps(monkeypatch):
    monkeypatch.setattr(Names, "load", names_with_gaps)


def names_in(program: str, folder: Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    result = scan(path)
    assert not result.broken
    return sorted(result.uses)


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("import mxnet as mx\nmx.nd.zeros(3)", ["mxnet.ndarray.zeros"]),
        ("import mxnet\nmxnet.gluon.nn.Dense(1)", ["mxnet.gluon.nn.Dense"]),
        ("import mxnet.gluon.nn as layers\nlayers.Dense(1)", ["mxnet.gluon.nn.Dense"]),
        ("from mxnet import nd, gluon as g\nnd.ones(1)\ng.Trainer",
         ["mxnet.gluon.Trainer", "mxnet.ndarray.ones"]),
        ("from mxnet.gluon.nn import Dense as D", ["mxnet.gluon.nn.Dense"]),
        ("import mxnet as mx\nnd = mx.nd\nnd.zeros(3)", ["mxnet.ndarray.zeros"]),
        ("import mxnet as mx\nmake = mx.nd.zeros\nmake(3)", ["mxnet.ndarray.zeros"]),
        ("def f():\n    import mxnet as mx\n    return mx.cpu()", ["mxnet.cpu"]),
        ("class N:\n def hybrid_forward(self, G, x):\n  return G.relu(x)", ["F.relu"]),
        ("class N:\n def hybrid_forward(self, F, x):\n  return (lambda y: F.linalg.gemm2(y, y))(x)",
         ["F.linalg.gemm2"]),
        ("class N:\n def forward(self, F, x):\n  return F.relu(x)", []),
        ("from mxnet import nd\ndef f(nd):\n    return nd.zeros(3)\n", []),
        ("from mxnet import nd\nx = [nd.zeros for nd in range(3)]", []),
        ("from mxnet import nd\nfor nd in range(3):\n    nd.zeros", []),
        ("import numpy as np\nnp.zeros(3)", []),
        ("from .mxnet import nd\nnd.zeros(3)", []),
        ("import mxnet as mx\nmx.sym.np.sin(1)", ["mxnet.symbol.numpy.sin"]),
        ("import mxnet as mx\nmx.contrib.nd.foreach", ["mxnet.ndarray.contrib.foreach"]),
        ("import mxnet as mx\nmx.nd.zeros(3).asnumpy()",
         ["mxnet.ndarray.NDArray.asnumpy", "mxnet.ndarray.zeros"]),
        ("import mxnet as mx\nx = mx.np.ones(3)\nx.tolist()",
         ["mxnet.numpy.ndarray.tolist", "mxnet.numpy.ones"]),
        ("import mxnet as mx\nx = mx.nd.load('f')\nx.items()", ["mxnet.ndarray.load"]),
        ("import mxnet as mx\nx = mx.nd.ones(3)\nx = f(x)\nx.asnumpy()", ["mxnet.ndarray.ones"]),
        ("import mxnet as mx\ndef f(x: mx.nd.NDArray = mx.cpu()): ...",
         ["mxnet.cpu", "mxnet.ndarray.NDArray"]),
    ],
)  # fmt: skip
def test_names_of_a_program(program, names, tmp_path):
    assert names_in(program, tmp_path) == names


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("mxnet.ndarray.zeros", Status.SUPPORTED),
        ("mxnet.ndarray.contrib.quantize", Status.MISSING),
        ("mxnet.tvmop", Status.MISSING),
        ("mxnet.tvmop.exp", Status.MISSING),
        ("mxnet.ndarray.no_such_thing", Status.UNKNOWN),
        ("F.relu", Status.SUPPORTED),
        ("F.contrib.quantize", Status.MISSING),
        ("F.no_such_thing", Status.UNKNOWN),
        ("mxnet.model._create_kvstore", Status.SUPPORTED),
    ],
)
def test_status_of_names(name, status):
    assert NAMES.status(NAMES.resolve(name)) is status


def test_missing_names_are_reported_by_line_and_fail(tmp_path, capsys):
    program = tmp_path / "train.py"
    program.write_text("import mxnet as mx\n\nmx.tvmop.exp('')\nmx.random.seed(1)\n")
    assert main.main(["scan", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert f"{program}:3: mxnet.tvmop.exp is not here; operators made by TVM" in printed
    assert f"{program}:4: mxnet.random.seed differs: " in printed
    assert "`glueball docs differences#everywhere`" in printed
    assert "1 missing" in printed


def test_a_line_is_reported_once_for_a_name(tmp_path):
    (tmp_path / "program.py").write_text("from mxnet.tvmop import sin, exp\n")
    (tmp_path / "other.py").write_text("from mxnet.foo import a, b\n")
    found = [(Path(f.place).name, f.name) for f in scan(tmp_path).findings]
    assert found == [
        ("other.py:1", "mxnet.foo"),
        ("program.py:1", "mxnet.tvmop.exp"),
        ("program.py:1", "mxnet.tvmop.sin"),
    ]


def test_advice_names_nothing_that_is_missing():
    for advice in _ADVICE.values():
        for name in re.findall(r"`(mxnet[\w.]+)`", advice):
            assert NAMES.status(NAMES.resolve(name)) is Status.SUPPORTED or name.endswith("__")


def test_there_is_no_advice_on_a_module_that_exists():
    partly_here = {"mxnet.base", "mxnet.torch"}  # without helpers in C, and those of Lua
    assert {name for name in _ADVICE if importlib.util.find_spec(name)} == partly_here


def test_a_program_that_needs_nothing_missing_passes(tmp_path, capsys):
    (tmp_path / "train.py").write_text("import mxnet as mx\nmx.nd.zeros(3)\n")
    assert main.main(["scan", str(tmp_path)]) == 0
    assert "1 supported (0 of them differ on purpose), 0 missing" in capsys.readouterr().out


def notebook(*cells: dict) -> str:
    return json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5, "metadata": {}})


def test_notebooks(tmp_path, capsys):
    path = tmp_path / "course.ipynb"
    code = ["%matplotlib inline\n", "!pip install x\n", "if True:\n", "    %time f()\n", "mx?\n",
            "mx.tvmop.exp()\n"]  # fmt: skip
    path.write_text(
        notebook(
            {"cell_type": "markdown", "source": "import mxnet"},
            {"cell_type": "code", "source": "%%bash\nmxnet is not python"},
            {"cell_type": "code", "source": ["import mxnet as mx\n", *code]},
        )
    )
    assert main.main(["scan", str(path), "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["broken"] == []
    assert [found["place"] for found in result["findings"]] == [f"{path}:cell 3:7"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("old.py", b"import mxnet\nprint 'python 2'\n", "print"),
        ("binary.py", bytes(range(256)), "not text"),
        ("zeros.py", b"\0" * 100, "null bytes"),
        ("deep.py", b"x = " + b"(" * 5000 + b")" * 5000, "too many nested parentheses"),
        ("cut.ipynb", b'{"cells": [', "Expecting value"),
        ("list.ipynb", b"[]", "not a notebook"),
        ("numbers.ipynb", b'{"cells": 5}', "not a notebook"),
    ],
)
def test_files_that_cannot_be_read_are_reported(name, content, reason, tmp_path, capsys):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.py").write_text("import mxnet as mx\nmx.cpu()")
    assert main.main(["scan", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert re.search(rf"{name}.*cannot be read: .*{reason}", printed), printed
    assert "mxnet.cpu" in printed


LONG = 300_000


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("chain.py", b"a" + b".b" * LONG, "recursion|nested too deeply"),
        ("accents.py", ("a" + "\u0327\u0301" * 100_000).encode(), "takes too long"),
        ("names.py", b"a;" * 2_000_000, "MemoryError|too much memory|too long"),
        ("minus.py", b"-" * LONG + b"1", "MemoryError|too complex"),
        ("rot13.py", b"# coding: rot13\n", "not a text encoding"),
        ("punycode.py", b"# coding: punycode\n" + b"a" * 1000, "not written in punycode"),
        ("undefined.py", b"# coding: undefined\n", "undefined"),
        ("unknown.py", b"# coding: klingon\n", "unknown encoding"),
        ("digits.py", b"x = " + b"9" * 10_000, "limit"),
        ("nested.ipynb", b'{"cells":' + b"[" * LONG, "recursion"),
        ("number.ipynb", b'{"cells":' + b"9" * 10_000 + b"}", "limit|not a notebook"),
        ("cells.ipynb", b'{"cells": [' + b"0," * LONG + b"0]}", "300,001 cells"),
    ],
)
def test_hostile_files_are_reported_and_the_others_read(
    name, content, reason, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("glueball.scan.reader._SECONDS", 1)
    (tmp_path / name).write_bytes(content)
    (tmp_path / "zoo.py").write_text("import mxnet as mx\nmx.cpu()")
    assert main.main(["scan", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert re.search(rf"{name}.*cannot be read: .*({reason})", printed), printed
    assert "mxnet.cpu" in printed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes among its files")
def test_special_files_are_reported(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zeros.py").symlink_to("/dev/zero")
    (tmp_path / "nowhere.py").symlink_to(tmp_path / "not there")
    with (tmp_path / "sparse.ipynb").open("wb") as file:
        file.truncate(1 << 40)
    assert main.main(["scan", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    for name, reason in {
        "pipe.py": "is a pipe",
        "zeros.py": "is a device",
        "nowhere.py": "No such file",
        "sparse.ipynb": "more than a program has",
    }.items():
        assert re.search(rf"{name}: cannot be read: .*{reason}", printed), printed
    assert main.main(["scan", str(tmp_path / "pipe.py")]) == 1


def test_folders_that_cannot_be_read_are_reported(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.py").touch()
    opened = os.scandir

    def refuse(path):
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path)

    monkeypatch.setattr("os.scandir", refuse)
    result = scan(tmp_path)
    assert result.num_files == 1
    assert result.broken == [(str(tmp_path / "closed"), "Permission denied")]


def test_folders_may_be_nested_only_so_deep(tmp_path):
    folder = tmp_path
    for number in range(120):
        folder = folder / "d"
        folder.mkdir()
        (folder / f"p{number}.py").touch()
    result = scan(tmp_path)
    assert result.num_files == 100
    assert [found.reason for found in result.broken] == [
        "more than 100 folders inside of each other"
    ]


def test_many_places_are_counted(tmp_path, capsys):
    lines = "\n".join(f"mx.wrong{number}" for number in range(1500))
    (tmp_path / "a.py").write_text(f"import mxnet as mx\n{lines}")
    assert main.main(["scan", str(tmp_path)]) == 1
    assert "and 500 other places (--all shows them)" in capsys.readouterr().out
    main.main(["scan", str(tmp_path), "--all"])
    assert "other place" not in capsys.readouterr().out


def test_unknown_names_fail(tmp_path, capsys):
    (tmp_path / "a.py").write_text("import mxnet as mx\nmx.nd.no_such_thing(3)\n")
    assert main.main(["scan", str(tmp_path)]) == 1
    assert "is not a name of MXNet 1.9.1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "cell",
    [
        "x = ('%d %d'\n  %(1, 2))",
        "x = ('%s'\n%name)",
        "x = '%s' \\\n%(3)",
        "x = '''\n%matplotlib inline\n!ls\n'''",
        'x = """\na\\"\n!ls\n"""',
        "x = [1,  # ')'\n!ls]".replace("!ls", "2"),
        "x = 'a'''\n%matplotlib inline",
        "if True:\n    !pip install \\\n  x\n    y = 1",
        "files = !ls *.rec\nx = %time f()\nmx.nd?\n?mx\n%%time\nlen??",
    ],
)
def test_commands_of_notebooks_and_what_only_looks_like_them(cell, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(
        notebook({"cell_type": "code", "source": f"import mxnet as mx\n{cell}\nmx.cpu()"})
    )
    result = scan(path)
    assert result.broken == []
    assert list(result.uses) == ["mxnet.cpu"]


def test_the_folder_that_is_read_gives_no_modules(tmp_path):
    for name in ("json", "glueball", "signal", "encodings"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    program = "import sys; sys.path.remove(''); from glueball import main; main.main(['scan', '.'])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONSAFEPATH": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "4 files" in done.stdout, done.stderr
    assert not (tmp_path / "ran").exists()


def test_programs_are_not_run(tmp_path):
    trace = tmp_path / "ran"
    (tmp_path / "evil.py").write_text(f"import mxnet\nopen({str(trace)!r}, 'w').close()")
    scan(tmp_path)
    assert not trace.exists()


def test_what_is_left_out_of_a_folder(tmp_path):
    for name in (".git", "node_modules", "env/lib"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "program.py").write_text("import mxnet")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "notes.txt").write_text("import mxnet")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert scan(tmp_path).num_files == 0


def test_a_path_that_does_not_exist_and_one_without_programs(tmp_path, capsys):
    assert main.main(["scan", str(tmp_path / "nowhere")]) == 1
    assert main.main(["scan", str(tmp_path)]) == 1
    shown = capsys.readouterr().err
    assert "there is no file or folder" in shown
    assert "has no Python files" in shown


def test_names_in_programs_do_not_command_the_terminal(tmp_path, capsys):
    name = tmp_path / "a\x1b[2Jb.py"
    name.write_text("import mxnet.tvmop")
    main.main(["scan", str(tmp_path)])
    assert "\x1b" not in capsys.readouterr().out


def test_what_differs_is_in_the_page_and_among_the_names():
    page = (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", page, re.MULTILINE)
    sections = {re.sub(r"[^a-z -]", "", title.lower()).replace(" ", "-") for title in titles}
    for name, (section, _) in DIFFERENCES.items():
        assert section in sections, name
        assert NAMES.status(name) is Status.SUPPORTED, name


def test_second_names_of_modules_lead_to_modules():
    for name in ("mxnet.nd.zeros", "mxnet.init.Xavier", "mxnet.kv.create", "mxnet.viz.plot_network",
                 "mxnet.mod.Module", "mxnet.img.imread", "mxnet.mon.Monitor"):  # fmt: skip
        assert NAMES.status(NAMES.resolve(name)) is Status.SUPPORTED, name


VERSION_2 = """
import mxnet as mx
from mxnet import gluon, np, npx
from mxnet.gluon import nn

class Net(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2)

    def forward(self, x):
        return npx.relu(self.dense(x))

net = Net()
net.initialize(device=mx.device.cpu())
metric = gluon.metric.Accuracy()
"""
VERSION_1 = """
import mxnet as mx
from mxnet.gluon import nn

class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(2)

    def hybrid_forward(self, F, x):
        return F.relu(self.dense(x))

metric = mx.metric.Accuracy()
"""


@pytest.mark.parametrize(
    ("program", "version", "signs"),
    [
        (VERSION_1, 1, {"def hybrid_forward", "name_scope()", "mxnet.metric"}),
        (
            VERSION_2,
            2,
            {"def forward of a HybridBlock", "device=", "mxnet.device.cpu", "mxnet.gluon.metric"},
        ),
        ("import mxnet as mx\nmx.nd.zeros(3)", 0, set()),
    ],
)
def test_the_version_is_told_with_the_names_that_decide_it(
    program, version, signs, tmp_path, capsys
):
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    verdict = scan(path).verdict
    assert verdict.version == version
    found = {name.removesuffix(".Accuracy") for name in verdict.signs[version or 1]}
    assert found == signs
    main.main(["scan", str(path)])
    shown = capsys.readouterr().out
    expected = {0: "nothing tells", 1: "written for MXNet 1.x: ", 2: "written for MXNet 2: "}
    assert expected[version] in shown


def test_ways_of_writing_are_no_names(tmp_path):
    assert names_in(VERSION_1, tmp_path) == [
        *("F.relu", "mxnet.gluon.nn.Dense", "mxnet.gluon.nn.HybridBlock"),
        "mxnet.metric.Accuracy",
    ]


def test_programs_without_mxnet_have_no_version(tmp_path):
    (tmp_path / "other.py").write_text("import torch\ntorch.zeros(3, device='cpu')\n")
    assert scan(tmp_path).verdict.version == 0


RST = """\
Title
=====

.. code-block:: python
   :linenos:

   from mxnet import nd

   nd.ones(3)

.. code-block:: sh

   pip install mxnet

Text::

    nd.nosuch is no program here

>>> from mxnet import sym
>>> sym.var("a")
<Symbol a>

  .. code:: python

     from mxnet import gluon
     gluon.nn.Dens(3)
"""


def test_blocks_and_prompts_of_restructured_text_are_programs(tmp_path):
    (tmp_path / "page.rst").write_text(RST)
    result = scan(tmp_path)
    assert sorted(result.uses) == ["mxnet.gluon.nn.Dens", "mxnet.ndarray.ones", "mxnet.symbol.var"]
    assert [(found.place, found.name) for found in result.findings] == [
        (f"{tmp_path / 'page.rst'}:26", "mxnet.gluon.nn.Dens")
    ]
    assert result.broken == []


def test_names_that_modules_of_the_original_import_are_known(tmp_path):
    (tmp_path / "a.py").write_text("from mxnet.base import mx_uint, SymbolHandle, _nosuch\n")
    assert [found.name for found in scan(tmp_path).findings] == ["mxnet.base._nosuch"]
