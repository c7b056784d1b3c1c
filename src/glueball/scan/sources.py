"""Programs in files, in cells of notebooks and in blocks of Markdown and reStructuredText."""

from __future__ import annotations

import io
import json
import os
import re
import textwrap
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from glueball.regular_files import open_regular, size_of

_LARGEST = 16 * 1024 * 1024
"""Bytes; no program written by hand is larger."""
_DEEPEST = 100
"""Folders inside of each other."""
_MOST_FILES = 200_000
LONGEST_REASON = 300
"""Characters; errors of Python may quote a whole file."""
_MOST_CELLS = 10_000
_ENDINGS = (".py", ".ipynb", ".md", ".rst")
_FENCE = re.compile(r" {0,12}(```+|~~~+)(?!~)([^`]*)")
"""What begins or ends a block of Markdown, which a list may indent."""
_PYTHON = re.compile(r"\{?\.?(python3?|py|code-cell|code-block|jupyter-execute)\b", re.IGNORECASE)
"""What stands behind the fence of a block in Python, in Markdown and in the sources of books."""
_DIRECTIVES = ("code", "code-block", "sourcecode", "jupyter-execute", "ipython")
"""Directives of reStructuredText that begin a block of code."""
_OURS = re.compile(r"\b(mxnet|mx|nd|npx|gluon|autograd)\b")
_PROMPT = re.compile(r"(>>>|\.\.\.)( |$)")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})
_SLOW_ENCODINGS = frozenset({"idna", "punycode"})
"""Encodings whose decoders take quadratic time, and which no program has."""
_MARK = re.compile(r"""\\.|\'\'\'|\"\"\"|['"#()\[\]{}]""", re.DOTALL)
"""What begins or ends a string, a bracket or a comment; or an escaped character."""
_DEPTHS = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)


class Source(NamedTuple):
    """A program.

    Attributes:
        text: What it is.
        file: Where it is.
        cell: Number of the cell of a notebook, None for a file.
        may_be_prose: Whether it need not be Python although it is marked so, as in Markdown.
    """

    text: str
    file: str
    cell: int | None = None
    may_be_prose: bool = False

    def place(self, line: int) -> str:
        """Returns a line of the program as it is shown."""
        where = self.file if self.cell is None else f"{self.file}:cell {self.cell}"
        return f"{where}:{line}"


class Broken(NamedTuple):
    """A file or a folder that cannot be read."""

    place: str
    reason: str


def find_files(root: Path) -> Iterator[Path | Broken]:
    """Yields the files of programs below a folder, or the file itself; and folders that are closed.

    Hidden folders, installed packages and virtual environments are left out, links to folders too.
    """
    if not root.is_dir():
        yield root
        return
    folders, num_files = [(root, 0)], 0
    while folders:
        folder, depth = folders.pop()
        try:
            inside, files = _list(folder)
        except OSError as error:
            yield Broken(str(folder), _say(error))
            continue
        num_files += len(files)
        if num_files > _MOST_FILES:
            yield Broken(str(folder), f"more than {_MOST_FILES:,} programs; the rest is left out")
            return
        yield from files
        if depth < _DEEPEST:
            folders += [(path, depth + 1) for path in reversed(inside)]
        elif inside:
            yield Broken(str(inside[0]), f"more than {_DEEPEST} folders inside of each other")


def _list(folder: Path) -> tuple[list[Path], list[Path]]:
    """Returns the folders and the programs in a folder, in order."""
    folders, files = [], []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not _is_folder(entry):
                if entry.name.endswith(_ENDINGS):
                    files.append(folder / entry.name)
            elif _is_of_programs(entry):
                folders.append(folder / entry.name)
    return sorted(folders), sorted(files)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_of_programs(entry: os.DirEntry[str]) -> bool:
    """Returns whether programs in a folder are those of a user."""
    return (
        not entry.is_symlink()
        and not entry.name.startswith(".")
        and entry.name not in _SKIPPED
        and not os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
    )


def read_sources(path: Path) -> Iterator[Source | Broken]:
    """Yields the programs of a file, of which a notebook may have many."""
    try:
        with open_regular(path) as file:
            size = size_of(file)
            if size > _LARGEST:
                raise ValueError(f"has {size:,} bytes, more than a program has")  # noqa: TRY301
            content = file.read(size)
        if path.suffix == ".ipynb":
            yield from _read_notebook(content, str(path))
        elif path.suffix == ".md":
            yield from _read_markdown(content.decode("utf-8-sig"), str(path))
        elif path.suffix == ".rst":
            yield from _read_rst(content.decode("utf-8-sig"), str(path))
        else:
            yield Source(_decode(content), str(path))
    except (OSError, SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as error:
        yield Broken(str(path), _say(error).removeprefix(f"{path}: "))


def _say(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return f"not text: byte {error.start} is not {error.encoding}"
    return str(error)[:LONGEST_REASON] or type(error).__name__


def _decode(content: bytes) -> str:
    """Returns the text of a program, in the encoding that its first lines name."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    if encoding in _SLOW_ENCODINGS:
        raise ValueError(f"programs are not written in {encoding}")
    with io.TextIOWrapper(io.BytesIO(content), encoding) as file:
        return file.read()


def _read_notebook(content: bytes, place: str) -> Iterator[Source]:
    notebook = json.loads(content)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("not a notebook: it has no list of cells")  # noqa: TRY004 - of a file
    if len(cells) > _MOST_CELLS:
        raise ValueError(f"has {len(cells):,} cells, more than a notebook has")
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            text = _text_of(cell.get("source", ""))
            if not text.lstrip().startswith("%%"):  # the whole cell is for another program
                yield Source(_without_commands(text), place, number)


def _read_markdown(text: str, place: str) -> Iterator[Source]:
    """Yields the blocks in Python, each after as many empty lines as there are before it."""
    fence, block, start = "", [""], 0
    for number, line in enumerate(text.splitlines(), start=1):
        match = _FENCE.fullmatch(line)
        if not fence:
            if match is not None:
                fence = match[1]
                start = number if _PYTHON.match(match[2].lstrip()) else 0
                block = []
        elif match is not None and match[1].startswith(fence) and not match[2].strip():
            if start:
                yield _make_source(block, start, place)
            fence = ""
        elif start:
            block.append(line)


def _read_rst(text: str, place: str) -> Iterator[Source]:
    r"""Yields the blocks in Python of reStructuredText: directives, and what was typed at prompts.

    Example:
        >>> [block.text for block in _read_rst(".. code:: python\n\n   x = 1\n\nText", "a.rst")]
        ['\n\nx = 1\n']
    """
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        start = number
        if _begins_code(line):
            indent = _indent_of(line)
            while number < len(lines) and (
                not lines[number].strip() or _indent_of(lines[number]) > indent
            ):
                number += 1
            block = lines[start:number]
            while block and (not block[0].strip() or block[0].lstrip().startswith(":")):
                block = block[1:]  # options of the directive, and the empty line after them
            yield _make_source(block or [""], number - len(block), place)
        elif line.lstrip().startswith(">>> "):
            while number < len(lines) and lines[number].strip():
                number += 1
            yield _make_source(lines[start - 1 : number], start - 1, place)


def _begins_code(line: str) -> bool:
    """Returns whether a line of reStructuredText is a directive before code in Python."""
    mark, _, rest = line.strip().partition(" ")
    name, colons, language = rest.partition("::")
    if mark != ".." or not colons or name not in _DIRECTIVES:
        return False
    return name in _DIRECTIVES[3:] or _PYTHON.match(language.strip()) is not None


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def _make_source(block: list[str], start: int, place: str) -> Source:
    r"""Returns a block of Markdown as a program.

    Example:
        >>> _make_source([">>> 1 +\\", "... 2", "3"], 2, "a.md").text
        '\n\n1 +\\\n2\n'
    """
    lines = textwrap.dedent("\n".join(block)).split("\n")
    if any(line.startswith(">>> ") for line in lines):  # what is not typed is output
        lines = [line[4:] if _PROMPT.match(line) else "" for line in lines]
    if lines[0].startswith("%%tab"):  # a book's mark of the library that a cell is for
        lines[0] = ""
    text = _without_commands("\n".join(lines))
    return Source("\n" * start + text, place, may_be_prose=not _OURS.search(text))


def _text_of(source: Any) -> str:
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _without_commands(text: str) -> str:
    r"""Replaces lines that are commands of notebooks and not Python.

    Example:
        >>> print(_without_commands("%matplotlib inline\nx = ('%d'\n  % 3)"))
        pass
        x = ('%d'
          % 3)
    """
    lines, state, goes_on = [], _State(), False
    for line in text.split("\n"):
        if goes_on or (state.is_between and _is_command(line.strip())):
            indentation = line[: len(line) - len(line.lstrip())]
            lines.append("" if goes_on else f"{indentation}pass")
            goes_on = line.endswith("\\")
        else:
            lines.append(line)
            state.read(line)
    return "\n".join(lines)


def _is_command(line: str) -> bool:
    """Returns whether a line is a command: `%matplotlib inline`, `!pip`, `files = !ls`, `len?`."""
    if line.startswith(("!", "?")) or _is_magic(line):
        return True
    if line.endswith("?"):
        return _is_name(line.rstrip("?"))
    target, equals, value = line.partition("=")
    value = value.lstrip()
    return bool(equals) and (value[:1] == "!" or _is_magic(value)) and _is_name(target.strip())


def _is_magic(text: str) -> bool:
    return text[:1] == "%" and text.lstrip("%")[:1].isidentifier()


def _is_name(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


class _State:
    """Whether lines of a program end within a string, a bracket or a statement."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._is_continued = False

    @property
    def is_between(self) -> bool:
        """Whether the next line begins a statement."""
        return not self._quote and not self._depth and not self._is_continued

    def read(self, line: str) -> None:
        """Goes over a line."""
        is_comment = False
        for match in _MARK.finditer(line):
            mark = match[0]
            if self._quote:
                # Three quotes end a string in one quote, and begin and end another one.
                if mark.startswith(self._quote):
                    self._quote = ""
            elif mark == "#":
                is_comment = True
                break
            elif mark in _DEPTHS:
                self._depth = max(0, self._depth + _DEPTHS[mark])
            elif mark[0] != "\\":
                self._quote = mark
        self._is_continued = line.endswith("\\") and not is_comment
        if len(self._quote) == 1 and not self._is_continued:
            self._quote = ""
