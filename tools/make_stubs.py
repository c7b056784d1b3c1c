"""Writes the type stubs of `mxnet.ndarray`, whose functions exist only once the registry is read.

    python tools/make_stubs.py [--check]

A module that is filled from the registry gets a stub with a function for each operator. Where code
is written by hand as well (the array class, random numbers) its signatures are copied from the
source. With `--check` nothing is written; the program fails if a stub is out of date.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import torch

import mxnet as mx
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._operators import PAIRS
from mxnet.ops.attrs import Attr, encode
from mxnet.ops.public import METHODS
from mxnet.ops.registry import Op, get_op

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "mxnet" / "ndarray"
WIDTH = 100
HEADER = '"""Written by `make stubs`; do not edit."""\n'
IMPORTS = """\
from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
"""
MODULES = ("_internal", "contrib", "image", "linalg", "op", "random")
PREFIXES = {"contrib": "_contrib_", "image": "_image_", "linalg": "_linalg_", "random": "_random_"}
TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "a tuple of ints": "int | Sequence[int]",
    "a tuple of ints or None": "int | Sequence[int | None] | None",
    "a tuple of floats": "float | Sequence[float]",
    "a dtype": "Any",
}
"""What a user may give, by the wording of the codec; choices are plain strings."""


def annotation(attr: Attr) -> str:
    """Writes the type of an attribute."""
    expects = attr.codec.expects
    if expects in TYPES:
        return TYPES[expects]
    if expects.endswith(" or None"):
        inner = expects.removesuffix(" or None")
        return "Any" if inner == "a dtype" else f"{TYPES.get(inner, 'str')} | None"
    return "str"


def default(attr: Attr) -> str:
    """Writes the default of an attribute."""
    if isinstance(attr.default, torch.dtype):
        return repr(encode(attr.default))
    return "..." if attr.required else repr(attr.default)


def parameters(op: Op) -> list[str]:
    """Writes the parameters of an operator's function: arrays, attributes, `out` and `name`."""
    if op.variadic:
        written, star = [f"*{op.inputs[0].name}: NDArray", "num_args: int = ..."], []
    else:
        written = [
            f"{item.name}: NDArray" + (" | None = None" if item.optional else "")
            for item in op.inputs
        ]
        star = ["*"]
    for attr in op.attrs.values():
        optional = not attr.required or (written and "=" in written[-1])
        text = f"{attr.name}: {annotation(attr)}"
        written.append(f"{text} = {default(attr)}" if optional else text)
    outputs = "NDArray" if op.num_outputs == 1 else "NDArray | Sequence[NDArray]"
    rest = ["**kwargs: Any"] if op.open_attrs else []
    return [*written, *star, f"out: {outputs} | None = None", "name: str | None = None", *rest]


def result(op: Op) -> str:
    """Writes the type of what a function returns; `Any` where the attributes decide."""
    if op.num_outputs == 1 or op.visible_outputs == 1:
        return "NDArray"
    if isinstance(op.num_outputs, int) and op.visible_outputs is None:
        return "list[NDArray]"
    return "Any"


def definition(name: str, written: list[str], returned: str, doc: str, indent: str = "") -> str:
    """Writes a function with the first sentence of its documentation."""
    head = f"{indent}def {name}({', '.join(written)}) -> {returned}:"
    if len(head) > WIDTH:
        lines = [f"{indent}    {item},\n" for item in written]
        head = f"{indent}def {name}(\n{''.join(lines)}{indent}) -> {returned}:"
    first = " ".join(doc.split("\n\n")[0].split()).replace("\\", "\\\\")
    return f'{head}\n{indent}    """{first}"""\n' if first else f"{head} ...\n"


def operator_functions(module: str) -> Iterator[str]:
    """Writes the functions of a module that come from the registry; an alias names its first."""
    first: dict[Op, str] = {}
    functions = FUNCTIONS.get(module, {})
    present = vars(getattr(mx.nd, module))
    for name in sorted(name for name in functions if present[name] is functions[name]):
        op = get_op(PREFIXES.get(module, "") + name)
        if op in first:
            yield f"{name} = {first[op]}\n"
        else:
            first[op] = name
            yield definition(name, parameters(op), result(op), op.doc)


def method(name: str) -> str:
    """Writes a method that calls the function of the same name on the array."""
    function = getattr(mx.nd, name)
    if name in FUNCTIONS["op"] and function is FUNCTIONS["op"][name]:
        op = get_op(name)
        written, returned, doc = parameters(op)[1:], result(op), op.doc
    else:
        signature = inspect.signature(function)
        written = [str(item).replace("'", "") for item in signature.parameters.values()][1:]
        returned, doc = str(signature.return_annotation), inspect.getdoc(function) or ""
    return definition(name, ["self", *written], returned, doc, "    ")


def python_operators() -> Iterator[str]:
    """Writes the arithmetic and comparison methods, reflected and in place where there are."""
    for row in PAIRS:
        for kind in ("", "r", "i"):
            name = f"__{kind}{row.method}__"
            if name in vars(mx.nd.NDArray):
                override = "  # type: ignore[override]" if row.method in ("eq", "ne") else ""
                yield f"    def {name}(self, other: Any) -> NDArray: ...{override}\n"


def two_operands() -> Iterator[str]:
    """Writes the functions of two operands, each an array or a number."""
    for name in sorted({row.function for row in PAIRS} | {"true_divide"}):
        function = getattr(mx.nd, name)
        names = [f"{item}: NDArray | float" for item in inspect.signature(function).parameters]
        yield definition(name, names, "Any", inspect.getdoc(function) or "")


def imports_of(tree: ast.Module, body: str) -> list[str]:
    """Gives the imports of a source file, also those for type checkers alone, that a stub uses."""
    words = set(re.findall(r"\w+", re.sub(r'""".*?"""', "", body, flags=re.DOTALL)))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [item for item in node.names if (item.asname or item.name) in words]
            found += [ast.unparse(node)] if node.names else []
    return found


def by_hand(node: ast.stmt) -> str | None:
    """Writes what a stub shows of a statement in the source, None for what it leaves out."""
    if isinstance(node, ast.FunctionDef):
        if node.name.startswith("_") and not node.name.startswith("__"):
            return None
        doc = (ast.get_docstring(node) or "").split("\n\n")[0]
        node.body = [ast.Expr(ast.Constant(" ".join(doc.split()) or ...))]
        return ast.unparse(node) + "\n"
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return None
    if isinstance(node, ast.AnnAssign | ast.Assign | ast.ClassDef):
        return ast.unparse(node) + "\n"
    return None


def hand_written(module: str) -> tuple[ast.Module, list[str]]:
    """Gives the source of a module and what a stub shows of it, but for the array class."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    others = [n for n in tree.body if not (isinstance(n, ast.ClassDef) and n.name == "NDArray")]
    return tree, [text for node in others if (text := by_hand(node))]


def array_stub() -> str:
    """Writes the module of the array class, with the methods that it gets from functions."""
    tree, shown = hand_written("ndarray")
    array = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "NDArray")
    bases = ", ".join(ast.unparse(base) for base in array.bases)
    own = [textwrap.indent(text, "    ") for node in array.body if (text := by_hand(node))]
    doc = " ".join((ast.get_docstring(array) or "").split("\n\n")[0].split())
    methods = [*own, *python_operators(), *map(method, sorted(METHODS))]
    body = "\n".join([f'class NDArray({bases}):\n    """{doc}"""\n', *methods, *shown])
    return "\n".join([*imports_of(tree, body), "", body])


def module_stub(module: str) -> str:
    """Writes a module of functions: those by hand, then those of operators."""
    tree, shown = hand_written(module)
    body = "\n".join([*shown, *operator_functions(module)])
    own = [line for line in imports_of(tree, body) if line not in IMPORTS]
    return "\n".join([IMPORTS, *own, "", body])


def package_stub() -> str:
    """Writes the package: submodules, functions by hand, and those of `op` under their names."""
    modules = {
        name
        for name, value in vars(mx.nd).items()
        if inspect.ismodule(value) and value.__name__ == f"mxnet.ndarray.{name}"
    }
    shown = set(modules) - {name for name in modules if name.startswith("_")} | {"_internal"}
    lines = [f"from mxnet.ndarray import {name} as {name}\n" for name in shown]
    paired = {row.function for row in PAIRS} | {"true_divide"}
    for name in {*mx.nd.__all__} - paired:
        lines.append(f"from {getattr(mx.nd, name).__module__} import {name} as {name}\n")
    return "".join(["from typing import Any\n\n", *sorted(lines), "\n", *two_operands()])


def render() -> dict[str, str]:
    """Writes every stub, by the name of its file."""
    stubs = {name: module_stub(name) for name in MODULES}
    stubs |= {"__init__": package_stub(), "ndarray": array_stub()}
    return {f"{name}.pyi": f"{HEADER}\n{text}" for name, text in stubs.items()}


def main() -> int:
    """Writes or checks the stubs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a stub is out of date")
    check, outdated = parser.parse_args().check, []
    for name, text in render().items():
        path = PACKAGE / name
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            outdated.append(name)
    if outdated:
        print(f"{', '.join(outdated)} in src/mxnet/ndarray out of date: run `make stubs`")
    return 1 if outdated else 0


if __name__ == "__main__":
    raise SystemExit(main())
