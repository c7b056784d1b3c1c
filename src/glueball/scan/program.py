"""Finds the names of MXNet that a program uses, from its syntax alone."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from glueball.scan.names import EITHER, Names, Status
from glueball.scan.removed import ROOTS, find_removed
from glueball.scan.sources import LONGEST_REASON, Broken, Source
from glueball.scan.versions import find_marks

_HYBRID = "hybrid_forward"
_ARRAY_MODULES = {
    "mxnet.ndarray": "mxnet.ndarray.NDArray",
    "mxnet.ndarray.contrib": "mxnet.ndarray.NDArray",
    "mxnet.ndarray.linalg": "mxnet.ndarray.NDArray",
    "mxnet.ndarray.random": "mxnet.ndarray.NDArray",
    "mxnet.numpy": "mxnet.numpy.ndarray",
    "mxnet.numpy.random": "mxnet.numpy.ndarray",
}
"""Modules whose functions return arrays, with the class of these."""
_NO_ARRAYS = frozenset(
    {
        *("load", "load_frombuffer", "save", "waitall", "split", "split_v2", "foreach", "cond"),
        *("while_loop", "array_split", "dtype", "finfo", "iinfo", "may_share_memory", "seed"),
        *("shares_memory", "result_type", "meshgrid", "where", "nonzero", "unique", "savez"),
    }
)
"""Functions among them that may return something else."""

_FOLLOWED = frozenset({"mxnet", *ROOTS})

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Use(NamedTuple):
    """A place where a program uses a name of MXNet."""

    name: str
    place: str


def find_uses(source: Source, names: Names, scope: Scope | None = None) -> list[Use] | Broken:
    """Returns the uses of names of MXNet and of removed ones, or why there are none.

    Ways of writing that tell the version count as names, if there are others.

    Args:
        source: The program.
        names: The names to look for.
        scope: What names mean before it, and after it: cells of a notebook share one.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes and comparisons in the program
            tree = ast.parse(source.text)
        finder = _Finder(names, scope or Scope())
        finder.visit(tree)
        finder.found.extend(find_marks(tree) if finder.found else ())
    except SyntaxError as error:
        if source.may_be_prose:
            return []
        return Broken(source.place(error.lineno or 1), error.msg[:LONGEST_REASON])
    except (ValueError, RecursionError, MemoryError) as error:
        reason = str(error)[:LONGEST_REASON] or type(error).__name__
        return Broken(source.place(1), reason)
    return [Use(name, source.place(line)) for name, line in sorted(finder.found, key=_by_line)]


def _by_line(found: tuple[str, int]) -> tuple[int, str]:
    return found[1], found[0]


class Scope:
    """What names of a function mean: paths below `mxnet`, arrays, or something else (None)."""

    def __init__(self, parent: Scope | None = None) -> None:
        self._parent = parent
        self.paths: dict[str, str | None] = {}
        self.arrays: dict[str, str | None] = {}

    def path(self, name: str) -> str | None:
        """Returns the path that a name stands for here or in a scope around."""
        if name in self.paths:
            return self.paths[name]
        return None if self._parent is None else self._parent.path(name)

    def array(self, name: str) -> str | None:
        """Returns the class of an array that a local name certainly holds."""
        return self.arrays.get(name)


class _Finder(ast.NodeVisitor):
    """Walks through a program, with a scope for each function."""

    def __init__(self, names: Names, scope: Scope) -> None:
        self.found: list[tuple[str, int]] = []
        self._names = names
        self._scope = scope

    def visit_Import(self, node: ast.Import) -> None:
        for imported in node.names:
            root = imported.name.split(".")[0]
            is_followed = root in _FOLLOWED
            if imported.asname is not None:
                self._scope.paths[imported.asname] = imported.name if is_followed else None
            else:
                self._scope.paths[root] = root if is_followed else None
            if is_followed:
                self._note(imported.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        is_ours = node.level == 0 and module.split(".")[0] in _FOLLOWED
        for imported in node.names:
            if imported.name == "*":
                if is_ours:
                    self._note(module, node.lineno)
                continue
            path = f"{module}.{imported.name}"
            self._scope.paths[imported.asname or imported.name] = path if is_ours else None
            if is_ours:
                self._note(path, node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_function(node, node.name)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_function(node, node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_function(node, "")

    def _visit_function(self, node: _Function, name: str) -> None:
        for expression in _list_outside(node):
            self.visit(expression)
        if name:
            self._scope.paths[name] = None
        outside = self._scope
        scope = self._scope = Scope(outside)
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for argument in [*given, node.args.vararg, node.args.kwarg]:
            if argument is not None:
                scope.paths[argument.arg] = None
        if name == _HYBRID and len(given) > 1:
            scope.paths[given[1].arg] = EITHER
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self._scope = outside

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._bind(target.id, node.value)
            else:
                self._forget(target)
                self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and node.value is not None:
            self._bind(node.target.id, node.value)

    def visit_For(self, node: ast.For) -> None:
        self._forget(node.target)
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._visit_comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._visit_comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._visit_comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._visit_comprehension(node)

    def _visit_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> None:
        outside = self._scope
        self._scope = Scope(outside)
        for part in node.generators:
            self._forget(part.target)
        self.generic_visit(node)
        self._scope = outside

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self._path_of(node)
        if path is not None:
            self._note(path, node.lineno)
            return
        owner = self._class_of(node.value)
        if owner is not None:
            self._note_method(f"{owner}.{node.attr}", node.lineno)
        self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> None:
        path = self._scope.path(node.id) if isinstance(node.ctx, ast.Load) else None
        if path is None or path.split(".")[0] in ROOTS:  # whose import has been noted
            return
        if not self._names.is_module(self._names.resolve(path)):
            self._note(path, node.lineno)

    def _bind(self, name: str, value: ast.expr) -> None:
        """Notes what a name means after an assignment; two different meanings are none."""
        scope = self._scope
        path = self._path_of(value)
        scope.paths[name] = path
        array = self._class_of(value)
        known = name in scope.arrays and scope.arrays[name] != array
        scope.arrays[name] = None if known else array

    def _forget(self, target: ast.AST) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._scope.paths[node.id] = None
                self._scope.arrays[node.id] = None

    def _path_of(self, node: ast.expr) -> str | None:
        """Returns the path of a chain of names that begins at an import."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        root = self._scope.path(node.id) if isinstance(node, ast.Name) else None
        return None if root is None else ".".join([root, *reversed(parts)])

    def _class_of(self, node: ast.expr) -> str | None:
        """Returns the class of the array that an expression certainly is, None for others."""
        if isinstance(node, ast.Name):
            return self._scope.array(node.id)
        if not isinstance(node, ast.Call):
            return None
        path = self._path_of(node.func)
        if path is None:
            return None
        module, _, function = self._names.resolve(path).rpartition(".")
        if function in _NO_ARRAYS or not function.islower():
            return None
        return _ARRAY_MODULES.get(module)

    def _note(self, path: str, line: int) -> None:
        """Notes a name; that of a module alone says nothing, unless the module is missing."""
        if path.split(".")[0] in ROOTS:
            removed = find_removed(path)
            if removed is not None:
                self.found.append((removed, line))
            return
        name = self._names.resolve(path)
        if self._names.status(name) is Status.MISSING or not self._names.is_module(name):
            self.found.append((name, line))

    def _note_method(self, name: str, line: int) -> None:
        """Notes a method of an array, if it is one of the original's or of ours."""
        if self._names.status(name) is not Status.UNKNOWN:
            self.found.append((name, line))


def _list_outside(node: _Function) -> Iterator[ast.expr]:
    """Yields the parts of a function that belong to the scope around it."""
    if not isinstance(node, ast.Lambda):
        yield from node.decorator_list
        if node.returns is not None:
            yield node.returns
    arguments = node.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        if argument.annotation is not None:
            yield argument.annotation
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)
