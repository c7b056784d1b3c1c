"""Writes the type stubs of `mxnet.ndarray` and `mxnet.symbol`, which are filled from the registry.

    python -m tools.make_stubs [--check]

A module that is filled from the registry gets a stub with a function for each operator. Where code
is written by hand as well (the classes, random numbers) its signatures are copied from the source.
With `--check` nothing is written; the program fails if a stub is out of date.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import mxnet as mx
from mxnet._legacy.imported_names import ADDED, DECLARED
from mxnet._start import plain
from mxnet.ndarray._namespaces import FUNCTIONS as ARRAY_FUNCTIONS
from mxnet.ops.core.registry import Op, get_op
from mxnet.ops.core.spellings import CLASSIC
from mxnet.symbol._functions import FUNCTIONS as SYMBOL_FUNCTIONS
from mxnet.symbol._operators import WRITTEN_METHODS
from tools import numpy_stubs
from tools.stub_texts import definition, operator_parameters, operator_result

SOURCE = Path(__file__).resolve().parents[1] / "src" / "mxnet"
HEADER = '"""Written by `make stubs`; do not edit."""\n'
LATE_PACKAGES = ("", "contrib", "gluon", "gluon/contrib", "gluon/contrib/estimator")
"""Folders of the packages whose `__init__` lists in `_LATE` what it imports late."""
PREFIXES = {"contrib": "_contrib_", "image": "_image_", "linalg": "_linalg_", "random": "_random_"}


@dataclass(frozen=True)
class Frontend:
    """A package of functions on one kind of operand: arrays, or symbols."""

    package: ModuleType
    operand: type
    functions: dict[str, dict[str, Any]]
    """Functions of operators, by module and name."""
    methods: tuple[str, ...]
    """Functions that are methods too."""
    home: str
    """Module that defines the class."""
    written_methods: Mapping[str, Any] = field(default_factory=dict)
    """Methods written by hand outside of that module, by name."""
    modules: tuple[str, ...] = ("_internal", "contrib", "image", "linalg", "op", "random")
    """Modules that are filled from the registry, but for the one of the class."""

    @property
    def name(self) -> str:
        """Name of the package."""
        return self.package.__name__.rpartition(".")[2]

    @property
    def folder(self) -> Path:
        """Where the package and its stubs are."""
        return SOURCE / self.name

    @property
    def kind(self) -> str:
        """Name of the class."""
        return self.operand.__name__


ARRAYS = Frontend(mx.nd, mx.nd.NDArray, ARRAY_FUNCTIONS, CLASSIC.array_methods, "_ndarray")
SYMBOLS = Frontend(
    mx.sym, mx.sym.Symbol, SYMBOL_FUNCTIONS, CLASSIC.symbol_methods, "symbol", WRITTEN_METHODS
)


def parameters(op: Op, frontend: Frontend) -> list[str]:
    """Writes the parameters of an operator's function: operands, attributes, where it goes."""
    return operator_parameters(op, frontend.kind, for_symbols=frontend is SYMBOLS)


def result(op: Op, frontend: Frontend) -> str:
    """Writes the type of what a function returns."""
    return operator_result(op, frontend.kind, for_symbols=frontend is SYMBOLS)


def operator_functions(frontend: Frontend, module: str) -> Iterator[str]:
    """Writes the functions of a module that come from the registry; an alias names its first."""
    first: dict[Op, str] = {}
    functions = frontend.functions.get(module, {})
    present = vars(getattr(frontend.package, module))
    for name in sorted(name for name in functions if present[name] is functions[name]):
        op = get_op(PREFIXES.get(module, "") + name)
        if op in first:
            yield f"{name} = {first[op]}\n"
        else:
            first[op] = name
            yield definition(name, parameters(op, frontend), result(op, frontend), op.doc)


def method(frontend: Frontend, name: str) -> str:
    """Writes a method that calls the function of the same name on the operand, or does more."""
    function = frontend.written_methods.get(name) or getattr(frontend.package, name)
    if function is frontend.functions["op"].get(name):
        op = get_op(name)
        written, returned, doc = parameters(op, frontend)[1:], result(op, frontend), op.doc
    else:
        signature = inspect.signature(function)
        written = [str(item).replace("'", "") for item in signature.parameters.values()][1:]
        returned, doc = str(signature.return_annotation), inspect.getdoc(function) or ""
    return definition(name, ["self", *written], returned, doc, "    ")


def methods(frontend: Frontend, by_hand: set[str]) -> Iterator[str]:
    """Writes the methods that are added to the class: functions of the package, and others."""
    for name in sorted({*frontend.methods, *frontend.written_methods} - by_hand):
        yield method(frontend, name)


def python_operators(frontend: Frontend) -> Iterator[str]:
    """Writes the arithmetic and comparison methods, reflected and in place where there are."""
    kind, kinds = frontend.kind, ("", "r") if frontend is SYMBOLS else ("", "r", "i")
    for row in CLASSIC.binary:
        for prefix in kinds:
            name = f"__{prefix}{row.python}__"
            if name in vars(frontend.operand):
                override = "  # type: ignore[override]" if row.python in ("eq", "ne") else ""
                yield f"    def {name}(self, other: Any) -> {kind}: ...{override}\n"
    if frontend is SYMBOLS:
        yield from (f"    def __{name}__(self) -> Symbol: ...\n" for name in ("neg", "abs"))


def home_of(value: Any) -> str:
    """Returns the module that a function or a class was written in, which may be private."""
    written = plain(value)
    home = getattr(written, "__module__", "")
    is_there = vars(sys.modules.get(home, object)).get(written.__name__) is written
    return home if is_there else getattr(value, "__module__", "")


def pair_names(frontend: Frontend) -> list[str]:
    """Lists the functions of two operands, each one of the frontend's or a number."""
    return sorted(
        name
        for name in DECLARED[frontend.package.__name__]
        if home_of(getattr(frontend.package, name)) == frontend.package.__name__
    )


def two_operands(frontend: Frontend) -> Iterator[str]:
    """Writes the functions of two operands."""
    for name in pair_names(frontend):
        yield two_operand_function(frontend, getattr(frontend.package, name), name)


def two_operand_function(frontend: Frontend, function: Any, name: str = "") -> str:
    """Writes a function of two operands, under its own name if no other is given."""
    names = inspect.signature(function).parameters
    written = [f"{item}: {frontend.kind} | float" for item in names]
    return definition(
        name or function.__name__, written, frontend.kind, inspect.getdoc(function) or ""
    )


def imports_of(tree: ast.Module, body: str) -> list[str]:
    """Returns the imports of a source file, also those for type checkers alone, that a stub needs.

    They are what it uses and what the module passes on (`import x as x`).
    """
    words = set(re.findall(r"\w+", re.sub(r'""".*?"""', "", body, flags=re.DOTALL)))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [
                item
                for item in node.names
                if item.asname == item.name or (item.asname or item.name) in words
            ]
            found += [ast.unparse(node)] if node.names else []
    return found


def by_hand(node: ast.stmt) -> str | None:
    """Writes what a stub shows of a statement in the source, None for what it leaves out."""
    if isinstance(node, ast.FunctionDef):
        if node.name == "grad" and node.returns is not None:
            node.returns = without_none(node.returns)
        if node.name == "tostype":  # what sparse arrays have depends on the storage type
            node.returns = ast.Name("Any")
        if node.name.startswith("_") and not node.name.startswith("__"):
            return None
        doc = (ast.get_docstring(node) or "").split("\n\n")[0]
        node.body = [ast.Expr(ast.Constant(" ".join(doc.split()) or ...))]
        return ast.unparse(node) + "\n"
    if isinstance(node, ast.Assign) and re.match(r"_[^_]|__all__", ast.unparse(node.targets[0])):
        return private_value(node)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        return None  # a signature that is shown
    if isinstance(node, ast.AnnAssign | ast.Assign | ast.ClassDef):
        return ast.unparse(node) + "\n"
    return None


def private_value(node: ast.Assign) -> str | None:
    """Writes a private name that signatures or other modules need: a type, or that it is a text."""
    match node.targets[0], node.value:
        case _, ast.Subscript():
            return ast.unparse(node) + "\n"
        case ast.Name(id=name), ast.Constant(value=str()):
            return f"{name}: str\n"
    return None


def without_none(annotation: ast.expr) -> ast.expr:
    """Returns a type without `None`: programs that read a gradient have attached it before."""
    return annotation.left if isinstance(annotation, ast.BinOp) else annotation


def source_of(frontend: Frontend, module: str) -> ast.Module:
    """Reads the source of a module, which is empty for one of operators alone: it has no file."""
    path = frontend.folder / f"{module}.py"
    return ast.parse(path.read_text(encoding="utf-8") if path.exists() else "")


def hand_written(frontend: Frontend, module: str) -> tuple[ast.Module, list[str]]:
    """Returns the source of a module and what a stub shows of it, but for the frontend's class."""
    tree = source_of(frontend, module)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    forms = [node for node in functions if "overload" in map(ast.unparse, node.decorator_list)]
    overloaded = {node.name for node in forms}
    others = [
        node
        for node in tree.body
        if not (isinstance(node, ast.ClassDef) and node.name == frontend.kind)
        and (node not in functions or node in forms or node.name not in overloaded)
    ]
    return tree, [text for node in others if (text := by_hand(node))]


ABOVE = {"NDArray": "mxnet.numpy.ndarray", "Symbol": "mxnet.symbol.numpy._Symbol"}
"""The classes of the NumPy dialect, which are built above those of the classic one."""


def class_stub(frontend: Frontend) -> str:
    """Writes the module of the class, with the methods that it gets from functions."""
    tree, shown = hand_written(frontend, frontend.home)
    kind = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == frontend.kind)
    bases = ", ".join(ast.unparse(base) for base in kind.bases)
    defined = {node.name for node in kind.body if isinstance(node, ast.FunctionDef)}
    shown_nodes = [node for node in kind.body if getattr(node, "name", "") != "as_np_ndarray"]
    own = [textwrap.indent(text, "    ") for node in shown_nodes if (text := by_hand(node))]
    doc = " ".join((ast.get_docstring(kind) or "").split("\n\n")[0].split())
    own += [f"    def as_np_ndarray(self) -> {ABOVE[frontend.kind]}: ...\n"]
    more = [*own, *python_operators(frontend), *methods(frontend, defined)]
    body = "\n".join([f'class {frontend.kind}({bases}):\n    """{doc}"""\n', *more, *shown])
    above = f"import {ABOVE[frontend.kind].rpartition('.')[0]}"
    return "\n".join([*imports_of(tree, body), above, "", body])


def module_stub(frontend: Frontend, module: str) -> str:
    """Writes a module of functions: those by hand, then those of operators."""
    tree, shown = hand_written(frontend, module)
    body = "\n".join([*shown, *operator_functions(frontend, module)])
    collections = "Mapping, Sequence" if frontend is SYMBOLS else "Sequence"
    imports = (
        f"from collections.abc import {collections}\nfrom typing import Any\n\n"
        f"from mxnet.{frontend.name}.{frontend.home} import {frontend.kind}\n"
    )
    own = [line for line in imports_of(tree, body) if line not in imports]
    return "\n".join([imports, *own, "", body])


def sparse_stub(frontend: Frontend) -> str:
    """Writes the module for sparse arrays, whose functions are mostly those of other modules."""
    module = frontend.package.sparse
    declared = DECLARED[module.__name__]
    passed_on = {
        item.asname or item.name: node.module
        for node in source_of(frontend, "sparse").body
        if isinstance(node, ast.ImportFrom)
        for item in node.names
        if item.name in declared or item.asname == item.name
    }
    imports = [f"from {source} import {name} as {name}\n" for name, source in passed_on.items()]
    written = []
    names = {name for name in declared if not name.startswith("_")}
    for name in sorted(names - passed_on.keys()):
        function = getattr(module, name)
        if home_of(function) != module.__name__:
            origin = f"from {home_of(function)} import {function.__name__}"
            imports.append(f"{origin} as {name}\n")
        elif frontend is ARRAYS:
            written.append(two_operand_function(frontend, function))
        else:
            op = get_op(f"_sparse_{name}")
            written.append(definition(name, parameters(op, frontend), result(op, frontend), op.doc))
    head = "from collections.abc import Mapping\nfrom typing import Any\n\n"
    own = f"from mxnet.{frontend.name}.{frontend.home} import {frontend.kind} as {frontend.kind}\n"
    return "".join([head, *sorted({own, *imports}), "\n", "\n".join(written)])


def package_stub(frontend: Frontend) -> str:
    """Writes the package: submodules, functions by hand, and those of `op` under their names."""
    package = frontend.package
    modules = {
        name
        for name, value in ((name, getattr(package, name)) for name in dir(package))
        if inspect.ismodule(value) and value.__name__ == f"{package.__name__}.{name}"
    }
    shown = set(modules) - {name for name in modules if name.startswith("_")} | {"_internal"}
    lines = [f"from {package.__name__} import {name} as {name}\n" for name in shown]
    for name in {*DECLARED[package.__name__]} - {*pair_names(frontend)}:
        value = getattr(package, name)
        source, own_name = home_of(value), name
        if inspect.ismodule(value):
            source, _, own_name = value.__name__.rpartition(".")
        lines.append(f"from {source} import {own_name} as {name}\n")
    above = "mxnet" if frontend is ARRAYS else package.__name__
    lines += [f"from {above} import numpy as np\n", f"from {above} import numpy_extension as npx\n"]
    exported = export([*lines, *(f" as {name}" for name in pair_names(frontend))])
    pairs = two_operands(frontend)
    return "".join(["from typing import Any\n\n", *sorted(lines), "\n", exported, "\n", *pairs])


def export(lines: list[str]) -> str:
    """Writes the names that imports bring: checkers take `ndarray as nd` for a private name."""
    names = [line.rpartition(" as ")[2].strip() for line in lines if " as " in line]
    return f"__all__ = {sorted(names)!r}\n"


def late_stub(folder: str) -> str:
    """Returns the stub of a package that imports parts of itself when they are first asked for."""
    name = ".".join(("mxnet", *Path(folder).parts))
    sources: dict[str, str] = {}
    assigned: dict[str, str] = {}
    for node in ast.walk(ast.parse((SOURCE / folder / "__init__.py").read_text("utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module)):
                bound = {item.asname: item.name for item in node.names if item.asname}
                sources |= {alias: f"from {module} import {own}" for alias, own in bound.items()}
            case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Name(id=own)):
                assigned[alias] = own
            case ast.Assign(targets=[ast.Tuple(elts=aliases)], value=ast.Tuple(elts=values)):
                assigned |= zip(map(ast.unparse, aliases), map(ast.unparse, values), strict=True)
    for alias, target in importlib.import_module(name)._LATE.items():
        module, _, member = target.partition(":")
        parent, _, leaf = module.rpartition(".")
        sources[alias] = (
            f"from {module} import {member}" if member else f"from {parent} import {leaf}"
        )
    sources |= {alias: sources[own] for alias, own in assigned.items() if own in sources}
    for alias in ADDED.get(name, "").split():
        if alias not in sources:
            sources[alias] = f"from {name} import {alias}"
    public = [f"{own} as {alias}" for alias, own in sources.items() if own and alias[0] != "_"]
    lines = [*sorted(public), *["__version__: str"] * (not folder)]
    return "\n".join([*lines, "", export(lines)])


def render() -> dict[Path, str]:
    """Writes every stub, by the path of its file."""
    stubs = {}
    for frontend in (ARRAYS, SYMBOLS):
        folder = frontend.folder
        stubs[folder / "sparse"] = sparse_stub(frontend)
        stubs |= {folder / name: module_stub(frontend, name) for name in frontend.modules}
        stubs[folder / "__init__"] = package_stub(frontend)
        stubs[folder / frontend.home] = class_stub(frontend)
    for folder in LATE_PACKAGES:
        stubs[SOURCE / folder / "__init__"] = late_stub(folder)
    stubs |= numpy_stubs.render(SOURCE)
    return {path.with_suffix(".pyi"): f"{HEADER}\n{text}" for path, text in stubs.items()}


def main() -> int:
    """Writes or checks the stubs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a stub is out of date")
    check, outdated = parser.parse_args().check, []
    for path, text in render().items():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            outdated.append(path.relative_to(SOURCE).as_posix())
    if outdated:
        print(f"{', '.join(outdated)} in src/mxnet out of date: run `make stubs`")
    return 1 if outdated else 0


if __name__ == "__main__":
    raise SystemExit(main())
