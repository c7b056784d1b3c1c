"""Counts what the tree of `src/mxnet` consists of, and fails when there is more than was reached.

    python -m tools.check_rooms [ROOT]

Each count has a limit that was reached once. A change that needs more says why in the change of the
limit; one that needs less lowers it.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tomllib

SMALL = 60
"""Lines of code under which a module with one importer belongs into it."""

ROOMS_WITH_DOORS = (
    "_start",
    "_state",
    "_np_functions",
    "_formats.files",
    "_formats.safe_pickle",
    "graph.infer",
    "graph.ir",
    "graph.lower",
    "graph.passes",
    "graph.run",
    "gluon.parameters",
    "gluon.parts",
)
"""Rooms whose `__init__` names, as `X as X`, all that other rooms may use of them."""

_LAYOUT = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    | {tokenize.ENDMARKER}
)


@dataclass(frozen=True)
class Module:
    """A module of the package.

    Attributes:
        name: Its full name.
        path: Its file.
        tree: Its syntax tree.
        code_lines: Its lines of code, without docstrings, comments and blank lines.
    """

    name: str
    path: Path
    tree: ast.Module
    code_lines: int

    @property
    def is_package(self) -> bool:
        """Whether it is the `__init__` of a package."""
        return self.path.name == "__init__.py"


def read_modules(src: Path, package: str = "mxnet") -> dict[str, Module]:
    """Reads all modules of a package, by name."""
    modules = {}
    for path in sorted((src / package).rglob("*.py")):
        parts = path.relative_to(src).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        modules[name] = Module(name, path, tree, count_code_lines(text, tree))
    return modules


def count_code_lines(text: str, tree: ast.Module) -> int:
    """Counts the lines of a module that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(lines)


def imports_of(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yields all statements of a module that import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def find_importers(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Returns which modules import each module."""
    importers: dict[str, set[str]] = defaultdict(set)
    for module in modules.values():
        for node in imports_of(module.tree):
            names = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                members = [f"{node.module}.{name}" for name in names]
                names = [name if name in modules else str(node.module) for name in members]
            for name in names:
                if name in modules and name != module.name:
                    importers[name].add(module.name)
    return importers


def small_modules(modules: dict[str, Module]) -> list[str]:
    """Lists modules that are small and serve one other alone: their code would be at home there."""
    importers = find_importers(modules)
    return [
        f"{name} ({module.code_lines} lines of code, for {next(iter(importers[name]))})"
        for name, module in modules.items()
        if not module.is_package and len(importers[name]) == 1 and module.code_lines < SMALL
    ]


def private_at_the_top(modules: dict[str, Module]) -> list[str]:
    """Lists private modules beside the public ones; rooms, which are packages, are not meant."""
    found = [module for module in modules.values() if not module.is_package]
    return [
        module.name
        for module in found
        if module.name.count(".") == 1 and module.name.split(".")[1].startswith("_")
        if not module.name.endswith("__")
    ]


def hidden_by_hand(modules: dict[str, Module]) -> list[str]:
    """Lists handlers of exceptions that call `hide_frames` themselves."""
    return [
        f"{module.name}:{handler.lineno}"
        for module in modules.values()
        for handler in ast.walk(module.tree)
        if isinstance(handler, ast.ExceptHandler)
        for node in ast.walk(handler)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "hide_frames"
    ]


def imports_past_doors(modules: dict[str, Module]) -> list[str]:
    """Lists imports of a private module of another package, or of a room past its door.

    A package may import all of the rooms that stand in it, and a module that a door offers may be
    entered.
    """
    offered = {
        f"mxnet.{room}.{alias.name}"
        for room in ROOMS_WITH_DOORS
        for node in imports_of(modules[f"mxnet.{room}"].tree)
        for alias in node.names
        if alias.asname == alias.name
    }
    return [
        f"{importer} imports {name}"
        for name, importers in find_importers(modules).items()
        if name not in offered and (holder := _private_to(name))
        for importer in sorted(importers)
        if importer != holder.rpartition(".")[0] and not f"{importer}.".startswith(f"{holder}.")
    ]


def _private_to(name: str) -> str:
    """Returns the package in which alone a module may be imported, or "" if there is none."""
    head, *parts = name.split(".")
    for depth, part in enumerate(parts[1:], 1):
        if part.startswith("_"):
            return ".".join((head, *parts[:depth]))
    rooms = (f"mxnet.{room}" for room in ROOMS_WITH_DOORS)
    return next((room for room in rooms if name.startswith(f"{room}.")), "")


def contract_names(pyproject: Path) -> list[str]:
    """Lists the names in the contract of layers."""
    contracts = tomllib.loads(pyproject.read_text())["tool"]["importlinter"]["contracts"]
    layers = [layer for contract in contracts for layer in contract.get("layers", ())]
    return [name.strip(" ()") for layer in layers for name in layer.replace("|", ":").split(":")]


@dataclass(frozen=True)
class Count:
    """A number that may not grow.

    Attributes:
        what: What was counted.
        value: How many there are.
        limit: How many there may be.
        places: Where they are, if that is worth listing.
    """

    what: str
    value: int
    limit: int
    places: tuple[str, ...] = ()


def count(root: Path) -> list[Count]:
    """Counts everything that has a limit."""
    modules = read_modules(root / "src")
    imports = [node for module in modules.values() for node in imports_of(module.tree)]
    lists = (
        ("private modules at the top", 3, private_at_the_top(modules)),
        (f"modules of under {SMALL} lines of code with one importer", 20, small_modules(modules)),
        ("handlers that hide frames by hand", 3, hidden_by_hand(modules)),
        ("imports past doors", 72, imports_past_doors(modules)),
        ("names in the contract of layers", 30, contract_names(root / "pyproject.toml")),
    )
    return [
        Count("Python files", len(modules), 620),
        Count("lines of code", sum(module.code_lines for module in modules.values()), 80_500),
        Count(
            "lines of imports",
            sum((node.end_lineno or 0) - node.lineno + 1 for node in imports),
            7_800,
        ),
        *(Count(what, len(places), limit, tuple(places)) for what, limit, places in lists),
    ]


def main(root: Path) -> int:
    """Prints the counts, and where too many are; returns 1 if a limit is passed."""
    counts = count(root)
    for item in counts:
        over = item.value > item.limit
        print(f"{'error: ' if over else ''}{item.what}: {item.value}, at most {item.limit}")
        if over:
            print("".join(f"    {place}\n" for place in item.places), end="")
    return 1 if any(item.value > item.limit for item in counts) else 0


if __name__ == "__main__":
    default = Path(__file__).resolve().parents[1]
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else default))
