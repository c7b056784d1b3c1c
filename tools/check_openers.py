"""Fails when a file is opened for reading in another way than the one that refuses pipes.

    python -m tools.check_openers [ROOT]

Files of other origin are opened by `mxnet._formats.files` and, below `glueball`, by
`glueball.regular_files`: a regular file, and no more of it than it held. Every other way to open
one is listed in `ALLOWED` with the reason why it cannot meet a stranger's file. Opening for writing
alone is not looked at, nor is what takes an open file named `file` or `stream`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ANY = "any function"
MODULE = "the module itself"

OWN_FILE = "a file of this package"
OF_SYSTEM = "a file of the system, which a stranger does not write"
OF_WRITERS = "a file that a writer has made, with flags that wait for nothing and follow no link"
FOR_WRITING = "a file that is written"
UNPACKING = "takes a file that is open"

ALLOWED: Mapping[tuple[str, str, str], str] = {
    ("glueball/convert/formats.py", "write_openvino", "read_bytes"): "a file that it has just made",
    ("glueball/docs.py", "run", "read_text"): OWN_FILE,
    ("glueball/docs.py", "_title_of", "read_text"): OWN_FILE,
    ("glueball/installation.py", "own_version", "read_text"): OWN_FILE,
    ("glueball/main.py", "_guarded", "os.open"): FOR_WRITING,
    ("glueball/regular_files.py", "open_regular", "open"): "the one way itself",
    ("glueball/regular_files.py", "open_regular", "os.open"): "the one way itself",
    ("glueball/scan/names.py", "read_table", "read_text"): OWN_FILE,
    ("glueball/show/__init__.py", "run", "webbrowser.open"): "opens no file",
    ("glueball/show/page.py", "_read", "read_text"): OWN_FILE,
    ("mxnet/_formats/archives.py", ANY, "bz2.BZ2File"): UNPACKING,
    ("mxnet/_formats/archives.py", ANY, "lzma.LZMAFile"): UNPACKING,
    ("mxnet/_formats/archives.py", "open_zip", "zipfile.ZipFile"): UNPACKING,
    ("mxnet/_formats/downloads.py", "_open", "opener.open"): "an address, not a file",
    ("mxnet/_formats/files/journal.py", ANY, "os.open"): OF_WRITERS,
    ("mxnet/_formats/files/temporary.py", ANY, "path.open"): OF_WRITERS,
    ("mxnet/_formats/files/temporary.py", ANY, "os.open"): OF_WRITERS,
    ("mxnet/_formats/files/temporary.py", ANY, "read_text"): OF_SYSTEM,
    ("mxnet/_legacy/imported_names.py", "read_names", "read_text"): OWN_FILE,
    ("mxnet/_start/expansion.py", "_parse", "linecache.getlines"): OWN_FILE,
    ("mxnet/_state/meeting.py", "network_of_process", "read_text"): OF_SYSTEM,
    ("mxnet/contrib/text/embedding.py", MODULE, "read_text"): OWN_FILE,
    ("mxnet/gluon/checkpoint/_storage.py", "_sync_folder", "os.open"): "a folder",
    ("mxnet/limits.py", "_physical_memory", "read_text"): OF_SYSTEM,
    (
        "mxnet/numpy/fallback.py",
        "genfromtxt",
        "numpy.genfromtxt",
    ): "looked at by open_foreign before",
    ("mxnet/recordio/_files.py", "__init__", "os.open"): FOR_WRITING,
}
"""By file, function and way of opening."""

_WAYS_OF_PATHS = frozenset({"read_bytes", "read_text"})
_WAYS_OF_MODULES = {
    "bz2": {"BZ2File", "open"},
    "codecs": {"open"},
    "cv2": {"VideoCapture", "imread", "imreadmulti"},
    "gzip": {"GzipFile", "open"},
    "io": {"FileIO", "open", "open_code"},
    "linecache": {"getline", "getlines"},
    "lzma": {"LZMAFile", "open"},
    "mmap": {"mmap"},
    "np": {"fromfile", "genfromtxt", "load", "loadtxt", "memmap"},
    "numpy": {"fromfile", "genfromtxt", "load", "loadtxt", "memmap"},
    "onnx": {"load", "load_model"},
    "os": {"open"},
    "safetensors": {"safe_open"},
    "shutil": {"copy", "copy2", "copyfile", "copytree"},
    "tarfile": {"TarFile", "open"},
    "tokenize": {"open"},
    "torch": {"load"},
    "zipfile": {"Path", "ZipFile"},
}
_OPEN_FILES = frozenset({"file", "stream"})
"""Names of variables that hold open files."""
_ARCHIVES = frozenset({"archive", "files", "self._archive", "tar"})
"""Variables that hold open archives, whose members are opened."""
_OWN_OBJECTS = frozenset({"cls", "self", "super()"})
_MODES = "rwxab+tU"


class Opening(NamedTuple):
    """A place where a file is opened."""

    file: str
    function: str
    way: str
    line: int


class _Finder(ast.NodeVisitor):
    """Finds the openings of a module."""

    def __init__(self, file: str) -> None:
        self.found: list[Opening] = []
        self._file = file
        self._functions: list[str] = []
        self._harmless: set[ast.expr] = set()
        """Functions of calls that open nothing for reading."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._functions.append(node.name)
        self.generic_visit(node)
        self._functions.pop()

    def visit_arg(self, node: ast.arg) -> None:
        """Passes over annotations."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if _writes(node) or _has_open_file(node):
            self._harmless.add(node.func)
        elif isinstance(node.func, ast.Attribute) and _opens(node.func):
            self._note(node.func, f"{_owner_of(node.func)}.open")
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id == "open" and isinstance(node.ctx, ast.Load):
            self._note(node, "open")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        way = _way_of(node)
        if way is not None:
            self._note(node, way)
        self.generic_visit(node)

    def _note(self, node: ast.expr, way: str) -> None:
        if node not in self._harmless:
            function = self._functions[-1] if self._functions else MODULE
            self.found.append(Opening(self._file, function, way, node.lineno))


def _way_of(node: ast.Attribute) -> str | None:
    """Returns the way of opening that an attribute is, None if it is something else."""
    if node.attr in _WAYS_OF_PATHS:
        return node.attr
    owner = ast.unparse(node.value)
    is_way = node.attr in _WAYS_OF_MODULES.get(owner, ())
    return f"{owner}.{node.attr}" if is_way else None


def _opens(node: ast.Attribute) -> bool:
    """Returns whether a method opens a path, or something of another module."""
    owner = ast.unparse(node.value)
    known = owner in _WAYS_OF_MODULES or owner in _ARCHIVES or owner in _OWN_OBJECTS
    return node.attr == "open" and not known


def _owner_of(node: ast.Attribute) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else "path"


def _writes(node: ast.Call) -> bool:
    """Returns whether a call opens a file for writing alone, as its mode says."""
    words = [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    for word in (*words, *node.args[:2]):
        mode = word.value if isinstance(word, ast.Constant) else None
        if isinstance(mode, str) and mode and not set(mode) - set(_MODES):
            return not {"r", "+"} & set(mode)
    return False


def _has_open_file(node: ast.Call) -> bool:
    """Returns whether a call takes a file that is open, or none, in place of a path."""
    if any(keyword.arg == "fileobj" for keyword in node.keywords):
        return True
    first = node.args[0] if node.args else None
    if isinstance(first, ast.Name):
        return first.id in _OPEN_FILES
    return isinstance(first, ast.UnaryOp) and ast.unparse(first) == "-1"  # of mmap: memory


def find_openings(source: Path) -> Iterator[Opening]:
    """Yields the openings of all modules below a folder."""
    for path in sorted(source.rglob("*.py")):
        finder = _Finder(path.relative_to(source).as_posix())
        finder.visit(ast.parse(path.read_text(encoding="utf-8")))
        yield from finder.found


def check(source: Path, allowed: Mapping[tuple[str, str, str], str]) -> Iterator[str]:
    """Yields what is wrong: openings that are not allowed, and rows that allow nothing."""
    used: set[tuple[str, str, str]] = set()
    for opening in find_openings(source):
        keys = {opening[:3], (opening.file, ANY, opening.way)}
        used |= keys
        if not keys & allowed.keys():
            yield (
                f"{opening.file}:{opening.line}: {opening.function} reads by {opening.way}; files "
                "of other origin are opened by open_foreign, read_foreign or read_foreign_text "
                "(below glueball by open_regular)"
            )
    for file, function, way in allowed.keys() - used:
        yield f"{file}: {function} does not read by {way} any more; remove it from ALLOWED"


def main(root: Path) -> int:
    """Prints what is wrong; returns 1 if anything is."""
    problems = list(check(root / "src", ALLOWED))
    print("".join(f"error: {problem}\n" for problem in problems), end="")
    print(f"openers: {len(ALLOWED)} exceptions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
