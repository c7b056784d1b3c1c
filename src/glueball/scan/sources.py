"""Programs in files and in cells of notebooks."""

from __future__ import annotations

import json
import os
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_LARGEST = 16 * 1024 * 1024
"""Bytes; no program written by hand is larger."""
_ENDINGS = (".py", ".ipynb")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})
_COMMAND = re.compile(r"^(\s*)(?:[%!?]|\w[\w.]*\s*=\s*[%!]).*$|^(\s*)[\w.]+\?+\s*$", re.MULTILINE)
"""Lines of notebooks that are not Python: `%matplotlib inline`, `!pip install`, `files = !ls`."""


class Source(NamedTuple):
    """A program.

    Attributes:
        text: What it is.
        file: Where it is.
        cell: Number of the cell of a notebook, None for a file.
    """

    text: str
    file: str
    cell: int | None = None

    def place(self, line: int) -> str:
        """Returns a line of the program as it is shown."""
        where = self.file if self.cell is None else f"{self.file}:cell {self.cell}"
        return f"{where}:{line}"


class Broken(NamedTuple):
    """A file that cannot be read."""

    place: str
    reason: str


def find_files(root: Path) -> Iterator[Path]:
    """Yields the files of programs below a folder, or the file itself.

    Hidden folders, installed packages and virtual environments are left out.
    """
    if not root.is_dir():
        yield root
        return
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _SKIPPED
            and not Path(folder, name, "pyvenv.cfg").exists()
        )
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(_ENDINGS))


def read_sources(path: Path) -> Iterator[Source | Broken]:
    """Yields the programs of a file, of which a notebook may have many."""
    try:
        size = path.stat().st_size
        if size > _LARGEST:
            yield Broken(str(path), f"has {size:,} bytes, more than a program has")
        elif path.suffix == ".ipynb":
            yield from _read_notebook(path)
        else:
            with tokenize.open(path) as file:
                yield Source(file.read(), str(path))
    except (OSError, SyntaxError, ValueError, RecursionError) as error:
        yield Broken(str(path), _say(error))


def _say(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return f"not text: byte {error.start} is not {error.encoding}"
    return str(error)


def _read_notebook(path: Path) -> Iterator[Source]:
    content = json.loads(path.read_bytes())
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise ValueError("not a notebook: it has no list of cells")  # noqa: TRY004 - of a file
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            text = _text_of(cell.get("source", ""))
            if not text.lstrip().startswith("%%"):  # the whole cell is for another program
                yield Source(_COMMAND.sub(r"\1\2pass", text), str(path), number)


def _text_of(source: Any) -> str:
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""
