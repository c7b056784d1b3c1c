"""Finds flags of the process that are never reset: state that is far from what it is about.

    python tools/counts_of_flags.py [PACKAGE]

A flag is a name at the top of a module, or an attribute or a key of an object or a class that has
such a name, to which a function assigns the constant True. It is reset if a function, other than
the constructor of its class, assigns something else to it or deletes it, in whatever module.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

_ROOT = Path(__file__).parents[1] / "src" / "mxnet"

Object: TypeAlias = tuple[str, str]
"""A module, by its dotted name, and a name at the top of it."""
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_KEY = "[]"
"""Stands for any key of a dictionary."""


class _Flag(NamedTuple):
    """What a function assigns to: a part of an object, or the name itself if `part` is empty."""

    owner: Object
    part: str

    def __str__(self) -> str:
        module, name = self.owner
        separator = "" if self.part in ("", _KEY) else "."
        return f"{module}.{name}{separator}{self.part}"


class _Module:
    """The names at the top of a module.

    Args:
        name: Dotted name of the module.
        tree: Its code.
        is_package: Whether it is the `__init__` of a package.
    """

    def __init__(self, name: str, tree: ast.Module, is_package: bool) -> None:
        self.name, self.tree = name, tree
        self.own: set[str] = set()
        """What the module defines or assigns."""
        self.made_by: dict[str, str] = {}
        """Names of objects, with the name of the class or function that made them."""
        self.imported: dict[str, Object] = {}
        package = name if is_package else name.rpartition(".")[0]
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                start = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
                source = ".".join(filter(None, (start if node.level else "", node.module)))
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = (source, alias.name)
        for node in _statements(tree.body):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                self.own.add(node.name)
            for target, value in _assignments(node):
                if isinstance(target, ast.Name):
                    self.own.add(target.id)
                    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                        self.made_by[target.id] = value.func.id


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Iterates over code and what is inside of it, but for functions and classes."""
    for node in body:
        yield node
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _statements(ast.iter_child_nodes(node))


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Iterates over what a statement assigns to, with the value; None if it is not plain."""
    if isinstance(node, ast.Delete):
        yield from ((target, None) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        if node.value is not None:
            yield node.target, node.value if isinstance(node, ast.AnnAssign) else None
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value
        return
    values: Sequence[ast.expr | None] = [None] * len(target.elts)
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
        values = value.elts
    for part, item in zip(target.elts, values, strict=True):
        if item is None:
            yield part, None
        else:
            yield from _pairs(part, item)


class _Modules:
    """All modules of a package.

    Args:
        root: Its directory.
    """

    def __init__(self, root: Path) -> None:
        self.modules: dict[str, _Module] = {}
        for path in sorted(root.rglob("*.py")):
            parts = [root.name, *path.relative_to(root).with_suffix("").parts]
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self.modules[name] = _Module(name, tree, is_package)
        made = (self.owner_of(m, name) for m in self.modules.values() for name in m.made_by)
        self.singletons = {owner for owner in made if owner is not None}
        """Classes of which an object has a name at the top of a module."""

    def find(self, module: _Module, name: str) -> Object | None:
        """Returns where a name of a module is defined, None if that is elsewhere."""
        if name in module.own:
            return module.name, name
        source, original = module.imported.get(name, ("", ""))
        other = self.modules.get(source)
        return None if other is None else self.find(other, original)

    def owner_of(self, module: _Module, name: str) -> Object | None:
        """Returns the class of the object that has a name, or the object if it has no class."""
        found = self.find(module, name)
        if found is None:
            return None
        home = self.modules[found[0]]
        maker = home.made_by.get(found[1])
        made_by = None if maker is None else self.find(home, maker)
        return found if made_by is None else made_by


def _methods(tree: ast.Module) -> Iterator[tuple[str, _Function]]:
    """Iterates over functions, with the name of the class that they are in, if any."""
    pending: list[tuple[str, ast.AST]] = [("", tree)]
    while pending:
        owner, node = pending.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield owner, child
            pending.append((child.name if isinstance(child, ast.ClassDef) else owner, child))


def _local_names(function: _Function) -> set[str]:
    arguments = function.args
    given = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    named = {argument.arg for argument in given}
    named |= {item.arg for item in (arguments.vararg, arguments.kwarg) if item is not None}
    stored = {
        node.id
        for node in _statements(function.body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return named | stored


def _flags_set(
    modules: _Modules, module: _Module, owner: str, function: _Function
) -> Iterator[tuple[_Flag, bool]]:
    """Iterates over what a function assigns to, with whether it is the constant True."""
    shared = {
        name
        for node in _statements(function.body)
        if isinstance(node, ast.Global)
        for name in node.names
    }
    local = _local_names(function) - shared
    first = function.args.args[0].arg if owner and function.args.args else ""
    for node in _statements(function.body):
        for target, value in _assignments(node):
            if isinstance(target, ast.Attribute):
                base, part = target.value, target.attr
            elif isinstance(target, ast.Subscript):
                base, part = target.value, _KEY
            else:
                base, part = target, ""
            if not isinstance(base, ast.Name) or (not part and base.id not in shared):
                continue
            name = base.id
            if name == first and name in ("self", "cls"):
                found: Object | None = (module.name, owner)
                if name == "self" and found not in modules.singletons:
                    continue
            elif name in local:
                continue
            else:
                found = modules.owner_of(module, name) if part else (module.name, name)
            if found is not None:
                is_true = isinstance(value, ast.Constant) and value.value is True
                yield _Flag(found, part), is_true


def count_flags(root: Path) -> list[str]:
    """Returns the flags of a package that are never reset, by their dotted names.

    Args:
        root: Directory of the package.
    """
    modules = _Modules(root)
    raised: set[_Flag] = set()
    reset: set[_Flag] = set()
    for module in modules.modules.values():
        for owner, function in _methods(module.tree):
            for flag, is_true in _flags_set(modules, module, owner, function):
                if is_true:
                    raised.add(flag)
                elif function.name not in ("__init__", "__new__"):
                    reset.add(flag)
    return sorted(map(str, raised - reset))


def main() -> int:
    """Prints the flags; returns 1 if there are some."""
    flags = count_flags(Path(sys.argv[1]) if len(sys.argv) > 1 else _ROOT)
    print("\n".join([*flags, f"{len(flags)} flags are never reset"]))
    return 1 if flags else 0


if __name__ == "__main__":
    sys.exit(main())
