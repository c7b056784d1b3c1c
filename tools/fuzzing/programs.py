"""Programs and notebooks, as `glueball scan` reads them."""

from __future__ import annotations

import ast
import json
import random
from functools import cache
from pathlib import Path

from glueball.scan.names import Names
from glueball.scan.program import find_uses
from glueball.scan.sources import Broken, Source, read_sources
from tools.fuzzing.mutation import Format, Mutator

SEED = '''# -*- coding: utf-8 -*-
import mxnet as mx
from mxnet import nd, gluon as g
from mxnet.gluon.nn import *

class Net(g.HybridBlock):
    """A network."""
    def hybrid_forward(self, F, x, *args, weight=None, **kwargs):
        y = [F.relu(x) for _ in range(3) if (z := x)]
        return F.contrib.foreach(lambda a, b: (a, b), *y)[0] if y else {**kwargs}

x: nd.NDArray = nd.zeros((3, 4)); x += mx.nd.ones(3).T
for nd in range(3):
    nd.zeros; print(f"{x.shape!r:>{10}} {'a' 'b'}")
async def f(a, /, b=mx.cpu(), *, c: "int" = 1) -> None:
    async with g.Trainer() as t, t: await t
    del x.y, z[1:2, ...]; global k; k = yield
try:
    mx.sym.var("data")[0].list_outputs()
except* (ValueError, g.Block) as e:
    raise RuntimeError from e
match x:
    case {"a": [1, *rest], **other} | g.Block(name=n) if n: pass
@mx.register
def h(): return not -x ** 2 @ y if x < 1 <= 2 is not None else lambda *a: a
'''
PIECES = [
    "(", ")", "[", "]", "{", "}", ":", ";", ",", ".", "=", "\n", "\n    ", "\\\n", "\t", "'", '"',
    "'''", '"""', "#", "\0", "\ufeff", "\x0c", "f'{", "}'", "b'", "r'", "lambda ", "not ", "-",
    "**", "*", "@", "if ", "else ", "for x in ", "import mxnet", "from . import ", "mx.nd.", ".a",
    "()", "[0]", "0x", "1_", "9" * 5000, "1e999", "\u0327\u0301", "ä", "\U0001f600", "\u202e",
    "\ud800", "# coding: rot13\n", "# coding: punycode\n", "# vim: fileencoding=latin-1\n", "\r",
    "...", "->", ":=", "!", "?", "%", "$",
]  # fmt: skip
CELLS = [
    "%matplotlib inline", "%%bash\nls", "!pip install x \\\n  y", "x = !ls", "y = %time f()",
    "mx.nd?", "?mx", "print('%d'\n%(3))", "x = '''\n!ls\n'''", "%%time\nmx.cpu()", "% x", "\\", "",
]  # fmt: skip
VALUES = [None, True, 0, -1, 1.5, "", "code", "source", [], {}, [[]], ["a", 1, None], {"cells": []}]


def _text(mutator: Mutator, text: str) -> str:
    """Returns a part of a program with other pieces in it."""
    rng = mutator.rng
    lines = text.splitlines(keepends=True)
    start = rng.randrange(len(lines)) if mutator.strikes() else 0
    text = "".join(lines[start : rng.randrange(start, len(lines)) + 1])
    while mutator.strikes():
        place = rng.randrange(len(text) + 1)
        count = rng.choice([1, 1, 1, 2, 30, 150])
        text = text[:place] + rng.choice(PIECES) * count + text[place + rng.choice([0, 1, 5]) :]
    return text


def make_program(rng: random.Random) -> bytes:
    """Makes a program."""
    mutator = Mutator(rng)
    encoding = mutator.choice("utf-8", ["utf-16", "latin-1", "utf-7", "utf-8-sig"])
    return mutator.damage(_text(mutator, SEED).encode(encoding, "replace"))


def make_notebook(rng: random.Random) -> bytes:
    """Makes a notebook."""
    mutator = Mutator(rng)
    cells: list[object] = []
    for _ in range(rng.randrange(4)):
        text = "\n".join([rng.choice(CELLS), _text(mutator, SEED), rng.choice(CELLS)])
        source = mutator.choice(text.splitlines(keepends=True), [*VALUES, text])
        cell = {"cell_type": mutator.choice("code", VALUES), "source": source, "outputs": []}
        cells.append(mutator.choice(cell, VALUES))
    notebook = {"cells": mutator.choice(cells, VALUES), "nbformat": mutator.choice(4, VALUES)}
    text = json.dumps(mutator.choice(notebook, VALUES), ensure_ascii=rng.random() < 0.5)
    return mutator.damage(text.encode("utf-8", "surrogatepass"))


@cache
def _names() -> Names:
    return Names.load()


def use(path: Path) -> None:
    """Reads a file as the child process of a scan does.

    A text that Python's own parser takes must not be called broken, nor a cell of a notebook.
    """
    cells = _cells(path)
    for source in read_sources(path):
        found = source if isinstance(source, Broken) else find_uses(source, _names())
        if not isinstance(found, Broken):
            continue
        if not found.reason or len(found.reason) > 10_000:
            raise AssertionError(f"a reason of {len(found.reason)} characters")
        if isinstance(source, Source) and _parses(cells.get(source.cell, source.text)):
            raise AssertionError(f"{found} is a program")


def _cells(path: Path) -> dict[int | None, str]:
    """Returns the texts of cells as they are in a notebook, by number; none of other files."""
    try:
        cells = json.loads(path.read_bytes())["cells"]
        return {number: "".join(cell["source"]) for number, cell in enumerate(cells, start=1)}
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


PROGRAM = Format("py", ".py", make_program, use)
NOTEBOOK = Format("ipynb", ".ipynb", make_notebook, use)
