"""Hostile trees of programs, models and arguments, given to the command `glueball`."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import mxnet as mx
from glueball.main import main
from tests.security.attack import PAYLOAD, Attacks

TABLE = Attacks()

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
Make = Callable[[Path], object]


def command(*arguments: object) -> None:
    """Runs a command as a shell would, and raises what it prints if it fails.

    What it prints must not command a terminal, and must not be a traceback.
    """
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            status = main([str(word) for word in arguments])
        except SystemExit as error:  # of a command that argparse refuses
            status = error.code
    printed = out.getvalue()
    obeyed = {char for char in printed if not char.isprintable() and char != "\n"}
    if obeyed or "Traceback" in printed or len(printed) > 1_000_000:
        raise AssertionError(f"printed {obeyed or printed[:2000]}")
    if status != 0:
        raise ValueError(printed)


def scan(folder: Path) -> None:
    """Scans a folder in which a good program is too: it must be found whatever the others are."""
    (folder / "zoo.py").write_text("import mxnet as mx\nmx.cpu()\n")
    try:
        command("scan", folder, "--all")
    except ValueError as error:
        if "mxnet.cpu" not in str(error):
            raise AssertionError(f"zoo.py was not read: {error}") from error
        raise ValueError(f"{error} beside zoo.py") from error


def program(name: str, content: bytes) -> tuple[str, Make]:
    return name.partition(".")[0], lambda folder: (folder / name).write_bytes(content)


def notebook(name: str, *sources: object) -> tuple[str, Make]:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    return program(f"{name}.ipynb", json.dumps({"cells": cells}).encode())


def scanned(folder: Path, make: object) -> None:
    make(folder)
    scan(folder)


TABLE.add_each("scan", [
    program("attributes.py", b"a" + b".b" * 300_000),
    program("calls.py", b"a" + b"()" * 300_000),
    program("sums.py", b"+".join([b"1"] * 300_000)),
    program("minus.py", b"-" * 300_000 + b"1"),
    program("lambdas.py", b"lambda: " * 100_000 + b"0"),
    program("brackets.py", b"(" * 100_000),
    program("nested_lists.py", b"[" * 300 + b"]" * 300),
    program("memory.py", b"a;" * 2_000_000),
    program("nul.py", b"import mxnet\0"),
    program("digits.py", b"x = " + b"9" * 100_000),
    program("rot13.py", b"# coding: rot13\nvzcbeg"),
    program("punycode.py", b"# coding: punycode\n" + b"a" * 1_000_000),
    program("undefined.py", b"# coding: undefined\n"),
    program("utf7.py", b"# coding: utf-7\n+AGk-mport os)\n"),
    program("cookie.py", b"# coding: " + b"a" * 1_000_000),
    program("utf16.py", "import mxnet".encode("utf-16")),
    program("surrogate.py", b"x = '\xed\xa0\x80'"),
    program("unknown.py", b"import mxnet as mx\n" + b"mx.no_such_name\n" * 2_000),
    program("names.py", b"import mxnet\n" + b"".join(b"mxnet.n%d\n" % n for n in range(4_000))),
    program("deep.ipynb", b'{"cells": ' + b"[" * 100_000),
    program("deep_object.ipynb", b'{"a":' * 100_000),
    program("number.ipynb", b'{"cells": ' + b"9" * 100_000 + b"}"),
    program("types.ipynb", b'{"cells": {"cell_type": "code"}}'),
    program("infinite.ipynb", b'{"cells": 1e99999}'),
    program("bytes.ipynb", bytes(range(256))),
    program("cells.ipynb", b'{"cells": [' + b"{}," * 100_000 + b"{}]}"),
    notebook("wrong_python", "import mxnet as\n"),
    notebook("escapes", f"x = '{ESCAPE}\n"),
    notebook("accents", "a" + "\u0327\u0301" * 5_000 + " b"),
], scanned)  # fmt: skip

TABLE.add_each("scan_harmless", [
    program("nothing.py", b""),
    program("payload.py", f"import mxnet\n{PAYLOAD}".encode()),
    program("decorators.py", b"@a\n" * 10_000 + b"def f(): pass\n"),
    program("escapes.py", b"import mxnet as mx\nx = mx.nd." + ESCAPE.encode()),
    notebook("types", 5, None, {"a": 1}, [1, None, "import mxnet\n", ["x"]], True),
    notebook("magics", "%" * 100_000, "!" * 100_000, "?" * 100_000, "%%bash\n" * 1000),
    notebook("quotes", "'''" * 100_001, '"' * 100_001, "(" * 150, "\\\n" * 1000),
    notebook("commands", "x = !\n" * 10_000, "a.b.c?\n" * 10_000, "=" * 100_000),
], scanned, harmless=True)  # fmt: skip


@TABLE.add
def scan_a_tree_of_special_files(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    (folder / "zeros.py").symlink_to("/dev/zero")
    (folder / "random.ipynb").symlink_to("/dev/urandom")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "nowhere.py").symlink_to("nothing")
    scan(folder)


@TABLE.add
def scan_a_program_of_a_terabyte(folder: Path) -> None:
    with (folder / "sparse.py").open("wb") as file:
        file.truncate(1 << 40)
    scan(folder)


@TABLE.add(harmless=True)
def scan_links_that_lead_back(folder: Path) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "back").symlink_to(folder)
    (folder / "root").symlink_to("/")
    scan(folder)


@TABLE.add
def scan_a_tree_that_is_too_deep(folder: Path) -> None:
    inside = folder
    for _ in range(300):
        inside = inside / "d"
        inside.mkdir()
    (inside / "a.py").touch()
    scan(folder)


@TABLE.add(harmless=True)
def scan_names_that_command_a_terminal(folder: Path) -> None:
    for name in (f"{ESCAPE}.py", "\u202egnp.py", "new\nline.py", os.fsdecode(b"\xff\xfe.py")):
        (folder / name).write_text("import mxnet\nmxnet.wrong(")
    scan(folder)


@TABLE.add
def scan_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    command("scan", folder / "pipe")


@TABLE.add
def scan_a_device(folder: Path) -> None:
    del folder
    command("scan", "/dev/zero")


@TABLE.add(harmless=True)
def scan_modules_of_the_reader(folder: Path) -> None:
    for name in ("json", "ast", "glueball", "tokenize", "sitecustomize", "encodings"):
        (folder / f"{name}.py").write_text(PAYLOAD)
    scan(folder)


def save_model(folder: Path, name: str = "net", layer: str = "fc") -> None:
    data = mx.sym.var("data")
    mx.sym.FullyConnected(data, num_hidden=2, name=layer).save(str(folder / f"{name}-symbol.json"))
    weights = {f"arg:{layer}_weight": mx.nd.ones((2, 3)), f"arg:{layer}_bias": mx.nd.ones(2)}
    mx.nd.save(str(folder / f"{name}-0000.params"), weights)


MODELS = [
    program("net-symbol.json", b"{"),
    program("net-symbol.json", b"[" * 100_000),
    program("net-symbol.json", b'{"nodes": []}'),
    program("net-symbol.json", b'{"nodes": 5, "heads": "a", "arg_nodes": {}}'),
    program("net-symbol.json", json.dumps({"nodes": [{"op": ESCAPE, "name": ESCAPE, "inputs": []}],
            "arg_nodes": [], "heads": [[0, 0, 0]]}).encode()),
    program("net-symbol.json", b"\xff\xfe\x00"),
]  # fmt: skip


def shown(folder: Path, make: object) -> None:
    make(folder)
    command("show", folder / "net", "-o", folder.parent / "page.html")


def converted(folder: Path, make: object) -> None:
    make(folder)
    command("convert", folder / "net", "--to", "safetensors", "-o", folder.parent / "out")


NUMBERED = [(str(number), make) for number, (_, make) in enumerate(MODELS)]
TABLE.add_each("show", NUMBERED, shown)
TABLE.add_each("convert", NUMBERED, converted)


@TABLE.add
def show_a_model_of_pipes(folder: Path) -> None:
    os.mkfifo(folder / "net-symbol.json")
    os.mkfifo(folder / "net-0000.params")
    command("show", folder / "net")


@TABLE.add
def show_parameters_that_are_no_array(folder: Path) -> None:
    save_model(folder)
    (folder / "net-0000.params").write_bytes(b"\x12\x01" + bytes(100))
    command("show", folder / "net")


@TABLE.add(harmless=True)
def show_a_layer_whose_name_is_a_script(folder: Path) -> None:
    save_model(folder, layer=f"</script><script>{ESCAPE}")
    page = folder / "page.html"
    command("show", folder / "net", "-o", page)
    if "</script><script>" in page.read_text() or "\x1b" in page.read_text():
        raise AssertionError("the name of a layer is a part of the page")


SHAPES = [
    "data", "data=", "=1", "data=1,", "data=-1", "data=1e9", "data=0x3", "other=1,2", ESCAPE,
    "data=4294967296,4294967296", "data=" + "9" * 5000, "data=" + "1," * 50_000, "data:(" * 50_000,
    "data=" + "1" * 100_000 + "?", "data=1 " + " " * 100_000 + "?",
]  # fmt: skip


def with_shape(folder: Path, shape: object) -> None:
    save_model(folder)
    try:
        command("show", folder / "net", "--shape", shape, "-o", folder.parent / "page.html")
    except ValueError as error:
        raise ValueError(f"net-symbol.json: {error}") from error


TABLE.add_each(
    "shape", [(str(n), shape) for n, shape in enumerate(SHAPES)], with_shape, harmless=True
)
