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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple, TypeAlias

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SMALL = 60
"""Lines of code under which a module with one importer belongs into it."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_SLOTS = {"_data", "_role", "_ctx"}
"""Slots of arrays that whatever makes one fills."""
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


def read_texts(module: Module) -> Iterator[ast.Module]:
    """Yields the code of a module, and that in its texts, from which functions may be compiled."""
    yield module.tree
    for node in ast.walk(module.tree):
        match node:
            case ast.Constant(value=str(text)) if "hide_frames" in text or "_role" in text:
                try:
                    tree = ast.parse(dedent(text))
                except SyntaxError:  # prose
                    continue
                yield ast.increment_lineno(tree, node.lineno - 1)


def hidden_by_hand(modules: dict[str, Module]) -> list[str]:
    """Lists handlers of exceptions that call `hide_frames` themselves."""
    return [
        f"{module.name}:{handler.lineno}"
        for module in modules.values()
        for tree in read_texts(module)
        for handler in ast.walk(tree)
        if isinstance(handler, ast.ExceptHandler)
        for node in ast.walk(handler)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "hide_frames"
    ]


def arrays_by_hand(modules: dict[str, Module]) -> list[str]:
    """Lists functions that allocate an array and fill its slots, as `Array._wrap` does for all."""
    return [
        f"{module.name}:{function.lineno} {function.name}()"
        for module in modules.values()
        for tree in read_texts(module)
        for _, function in functions_of(tree)
        if any(slots >= _SLOTS for slots in _filled_slots(function).values())
    ]


def _filled_slots(function: Function) -> dict[str, set[str]]:
    """Returns which attributes a function assigns to, by names of the objects that it allocates."""
    found: dict[str, set[str]] = {}
    pairs = [pair for node in statements(function.body) for pair in assignments(node)]
    for target, value in pairs:
        match target, value:
            case ast.Name(id=name), ast.Call(
                func=ast.Name(id="new") | ast.Attribute(attr="__new__")
            ):
                found[name] = set()
    for target, _ in pairs:
        match target:
            case ast.Attribute(value=ast.Name(id=name)) if name in found:
                found[name].add(target.attr)
    return found


def imports_past_doors(modules: dict[str, Module]) -> list[str]:
    """Lists imports of a private module of another package, or of a room past its door.

    A package may import all of the rooms that stand in it, and a module that a door offers may be
    entered.
    """
    offered = {
        f"mxnet.{room}.{alias.name}"
        for room in ROOMS_WITH_DOORS
        if f"mxnet.{room}" in modules
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


class Flag(NamedTuple):
    """What a function assigns to: a part of an object, or the name itself if `part` is empty.

    Attributes:
        owner: A module and a name at the top of it: a class or, where that has none, an object.
        part: An attribute, or "[]" for any key.
    """

    owner: tuple[str, str]
    part: str

    def __str__(self) -> str:
        separator = "" if self.part in ("", "[]") else "."
        return f"{'.'.join(self.owner)}{separator}{self.part}"


@dataclass
class _Names:
    """The names at the top of a module.

    Attributes:
        own: What the module defines or assigns.
        made_by: Names of objects, with the class or function that made them.
        imported: Imported names, with the module and the name there.
    """

    own: set[str] = field(default_factory=set)
    made_by: dict[str, str] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)


def _names_of(module: Module) -> _Names:
    names = _Names()
    for node in imports_of(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names.imported[alias.asname or alias.name] = (str(node.module), alias.name)
    for node in statements(module.tree.body):
        if isinstance(node, ast.ClassDef | Function):
            names.own.add(node.name)
        for target, value in assignments(node):
            if isinstance(target, ast.Name):
                names.own.add(target.id)
                if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                    names.made_by[target.id] = value.func.id
    return names


def flags_never_reset(modules: dict[str, Module]) -> list[str]:
    """Lists flags of the process that nothing resets: state far from what it is about."""
    return _Flags(modules).never_reset()


class _Flags:
    """Finds flags that functions raise.

    A flag is a name at the top of a module, or an attribute or a key of an object or a class that
    has such a name, to which a function assigns the constant True. It is reset if a function, other
    than the constructor of its class, assigns something else to it or deletes it, in any module.
    """

    def __init__(self, modules: dict[str, Module]) -> None:
        self._modules = modules
        self._names = {name: _names_of(module) for name, module in modules.items()}
        made = (
            self._owner(home, name) for home, names in self._names.items() for name in names.made_by
        )
        self._singletons = {owner for owner in made if owner is not None}

    def never_reset(self) -> list[str]:
        """Lists the flags by their dotted names."""
        raised: set[Flag] = set()
        reset: set[Flag] = set()
        for home, module in self._modules.items():
            for owner, function in functions_of(module.tree):
                for flag, is_true in self._assigned(home, owner, function):
                    if is_true:
                        raised.add(flag)
                    elif function.name not in ("__init__", "__new__"):
                        reset.add(flag)
        return sorted(map(str, raised - reset))

    def _find(self, home: str, name: str) -> tuple[str, str] | None:
        """Returns where a name of a module is defined, None if that is elsewhere."""
        names = self._names.get(home)
        if names is None or name in names.own:
            return None if names is None else (home, name)
        return self._find(*names.imported[name]) if name in names.imported else None

    def _owner(self, home: str, name: str) -> tuple[str, str] | None:
        """Returns the class of the object that has a name, or the object if it has no class."""
        found = self._find(home, name)
        if found is None:
            return None
        maker = self._names[found[0]].made_by.get(found[1])
        return (maker and self._find(found[0], maker)) or found

    def _assigned(self, home: str, owner: str, function: Function) -> Iterator[tuple[Flag, bool]]:
        """Yields what a function assigns to, with whether it is the constant True."""
        nodes = list(statements(function.body))
        shared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        local = _local_names(function) - shared
        first = function.args.args[0].arg if owner and function.args.args else ""
        for target, value in (pair for node in nodes for pair in assignments(node)):
            match target:
                case ast.Attribute(value=ast.Name(id=name), attr=part):
                    pass
                case ast.Subscript(value=ast.Name(id=name)):
                    part = "[]"
                case ast.Name(id=name) if name in shared:
                    part = ""
                case _:
                    continue
            found: tuple[str, str] | None = None
            if name == first and name in ("self", "cls"):
                if name == "cls" or (home, owner) in self._singletons:
                    found = (home, owner)
            elif name not in local:
                found = self._owner(home, name) if part else (home, name)
            if found is not None:
                is_true = isinstance(value, ast.Constant) and value.value is True
                yield Flag(found, part), is_true


def _local_names(function: Function) -> set[str]:
    arguments = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    stored = {
        node.id
        for node in statements(function.body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return arguments | stored


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yields code and what is inside of it, but for functions and classes."""
    for node in body:
        yield node
        if not isinstance(node, ast.ClassDef | Function):
            yield from statements(ast.iter_child_nodes(node))


def functions_of(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yields functions, with the name of the class that they are in, if any."""
    pending: list[tuple[str, ast.AST]] = [("", tree)]
    while pending:
        owner, node = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield owner, child
            pending.append((child.name if isinstance(child, ast.ClassDef) else owner, child))


def assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yields what a statement assigns to, with the value; None if it is not plain."""
    match node:
        case ast.Delete():
            yield from ((target, None) for target in node.targets)
        case ast.AnnAssign(value=ast.expr()):
            yield node.target, node.value
        case ast.AugAssign():
            yield node.target, None
        case ast.Assign():
            for target in node.targets:
                yield from _pairs(target, node.value)


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value
        return
    values: list[ast.expr | None] = [None] * len(target.elts)
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
        values = [*value.elts]
    for part, item in zip(target.elts, values, strict=True):
        yield from _pairs(part, item)


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
        ("private modules at the top", 3, private_at_the_top(modules)),  # names of the original
        (f"modules of under {SMALL} lines of code with one importer", 14, small_modules(modules)),
        ("handlers that hide frames by hand", 2, hidden_by_hand(modules)),
        ("places that make an array by hand", 1, arrays_by_hand(modules)),
        ("flags that are never reset", 0, flags_never_reset(modules)),
        ("imports past doors", 56, imports_past_doors(modules)),
        ("names in the contract of layers", 30, contract_names(root / "pyproject.toml")),
    )
    # Of what is over the counts once reached (570 files, 81,224 lines, 7,669 of imports), 1,400
    # lines are behaviour that the original's tests ask for, 210 are suggestions where arguments do
    # not fit. Some 3,400 guard files and networks:
    # walkers of images, checks and budget of ONNX imports, archives, downloads, journals, meetings.
    # The rest is what MXNet 2 adds, which is counted here as it came: probability, metrics,
    # optimizers, mixed precision, functions of `mx.np` and `mx.npx`.
    return [
        Count("Python files", len(modules), 620),
        Count("lines of code", sum(module.code_lines for module in modules.values()), 96_689),
        Count(
            "lines of imports",
            sum((node.end_lineno or 0) - node.lineno + 1 for node in imports),
            8_866,
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
