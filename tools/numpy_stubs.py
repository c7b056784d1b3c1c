"""Writes the type stubs of the NumPy dialect: `mx.np`, `mx.npx`, `mx.sym.np` and `mx.sym.npx`.

Functions come from the table of `mxnet._np_functions`, whose declarations say `Any` for the arrays
or symbols that they return; `tools.make_stubs` collects the stubs.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import mxnet as mx
from mxnet._np_functions import extension
from mxnet._np_functions.methods import NumpyMethods
from mxnet._np_functions.table import MODULES, TABLE
from mxnet._start import plain
from mxnet.numpy import fallback
from mxnet.ops.core.registry import Op, all_names, get_op
from mxnet.ops.core.spellings import NUMPY
from tools.stub_texts import definition, operator_parameters, operator_result

RESULTS = {
    **dict.fromkeys(("allclose", "array_equal", "array_equiv"), "bool"),
    **dict.fromkeys(("may_share_memory", "shares_memory"), "bool"),
    **dict.fromkeys(("ndim", "size"), "int"),
    **dict.fromkeys(("min_scalar_type", "promote_types", "result_type"), "numpy.dtype[Any]"),
    **dict.fromkeys(("divmod", "frexp", "histogram", "modf", "polydiv"), "tuple[Any, Any]"),
    **dict.fromkeys(("linalg.eig", "linalg.eigh", "linalg.qr"), "tuple[Any, Any]"),
    "linalg.slogdet": "tuple[Any, Any]",
    **dict.fromkeys(("histogram2d", "linalg.svd"), "tuple[Any, Any, Any]"),
    **dict.fromkeys(("diag_indices_from", "ix_", "linalg.lstsq"), "tuple[Any, ...]"),
    **dict.fromkeys(("tril_indices_from", "triu_indices_from"), "tuple[Any, ...]"),
    "unravel_index": "tuple[Any, ...]",
    "histogramdd": "tuple[Any, list[Any]]",
}
"""What functions return that do not return one array, which is `Any` here as in declarations."""
FLAGS = {
    "average": ("returned",),
    "linspace": ("retstep",),
    "unique": ("return_index", "return_inverse", "return_counts"),
}
"""Arguments of functions that return one array without them and a tuple with them."""
OVERLOADS = {
    "atleast_1d": (("a: Any", "/"), "Any", ("*arys: Any",), "list[Any]"),
    "atleast_2d": (("a: Any", "/"), "Any", ("*arys: Any",), "list[Any]"),
    "atleast_3d": (("a: Any", "/"), "Any", ("*arys: Any",), "list[Any]"),
    "where": (
        ("condition: Any",),
        "tuple[Any, ...]",
        ("condition: Any", "x: Any", "y: Any"),
        "Any",
    ),
}
"""Parameters and result of each form of functions that return different things."""
PARTS = {"function_base": "meshgrid", "io": "genfromtxt", "stride_tricks": "broadcast_arrays"}
"""Modules of the original that have one function, by its name."""
LATER_PARTS = {
    "set_functions": "unique_all unique_inverse unique_values",
    "type_functions": "can_cast result_type",
}
"""Modules of MXNet 2 with functions that the stub of `mx.np` does not show."""
OTHERS = frozenset({"as_nd_ndarray", "item", "tolist"})
"""Methods that return numbers, or arrays of the other dialect."""
_CONTENT = re.compile(r"\bAny\b")
_LITERALS = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class Dialect:
    """The frontend of the NumPy dialect on arrays, or that on symbols.

    Attributes:
        np: The module of functions.
        npx: The module of what NumPy does not have.
        home: Module that defines the class.
        operand: The class.
        base: Base of the class, of which it has methods.
        base_home: Module that defines the base.
        for_symbols: Whether the operands are symbols.
    """

    np: ModuleType
    npx: ModuleType
    home: str
    operand: type
    base: type
    base_home: str
    for_symbols: bool

    @property
    def kind(self) -> str:
        """Name of the class."""
        return self.operand.__name__

    def operator_of(self, module: str, name: str) -> Op | None:
        """Returns the operator that a function is as it is, with `name=`; None if it is none."""
        if module == "npx" and name in extension._OPERATORS:
            return get_op(f"_npx_{name}")
        if module == "npx.image":
            is_plain = name in extension._IMAGE_OPERATORS
            return get_op(f"_npx__image_{name}" if is_plain else "_cvcopyMakeBorder")
        operator = f"_np_{name}"
        if self.for_symbols and module == "np" and operator in all_names():
            op = get_op(operator)
            return None if op.variadic else op
        return None


ARRAYS = Dialect(
    mx.np, mx.npx, "_ndarray", mx.np.ndarray, mx.nd.NDArray, "mxnet.ndarray._ndarray", False
)
SYMBOLS = Dialect(
    mx.sym.np, mx.sym.npx, "_symbol", mx.sym.np._Symbol, mx.sym.Symbol, "mxnet.symbol.symbol", True
)


def written(parameter: inspect.Parameter) -> str:
    """Writes a parameter; `...` stands for a default that is no literal."""
    kind = parameter.annotation
    name = parameter.name
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        name = f"*{name}"
    elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
        name = f"**{name}"
    text = f"{name}: {kind if isinstance(kind, str) else 'Any'}"
    if parameter.default is inspect.Parameter.empty:
        return text
    default = parameter.default
    is_literal = type(default) in _LITERALS or default == ()
    return f"{text} = {default!r}" if is_literal else f"{text} = ..."


def parameters(function: Any) -> list[str]:
    """Writes the parameters of a function, with the marks between those of different kinds."""
    items = list(inspect.signature(function).parameters.values())
    texts = []
    for number, item in enumerate(items):
        before = items[number - 1].kind if number else None
        if item.kind is not before:
            if before is inspect.Parameter.POSITIONAL_ONLY:
                texts.append("/")
            starred = before is inspect.Parameter.VAR_POSITIONAL
            if item.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
                texts.append("*")
        texts.append(written(item))
    if items and items[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
        texts.append("/")
    return texts


def returned(dialect: Dialect, text: str) -> str:
    """Writes the type of a result, of which arrays are `Any` in declarations."""
    return _CONTENT.sub(dialect.kind, text) if "dtype" not in text else text


def function_forms(dialect: Dialect, key: str, function: Any) -> Iterator[tuple[list[str], str]]:
    """Yields parameters and result of each form of a function."""
    given = parameters(function)
    if key in OVERLOADS and not dialect.for_symbols:
        first, result, others, other_result = OVERLOADS[key]
        yield list(first), returned(dialect, result)
        yield list(others), returned(dialect, other_result)
    elif key in FLAGS:
        flags = [f"{flag}: bool = False" for flag in FLAGS[key]]
        literal = {flag: flag.replace(": bool", ": Literal[False]") for flag in flags}
        off = [literal.get(item, item) for item in given]
        yield off, dialect.kind
        yield given, "Any"
    else:
        declared = inspect.signature(function).return_annotation
        default = declared if isinstance(declared, str) else "Any"
        yield given, returned(dialect, RESULTS.get(key, default))


def function_stub(dialect: Dialect, module: str, name: str, function: Any) -> str:
    """Writes a function, with its overloads."""
    doc = inspect.getdoc(function) or ""
    op = dialect.operator_of(module, name)
    if op is not None:
        given = operator_parameters(op, dialect.kind, for_symbols=dialect.for_symbols)
        result = operator_result(op, dialect.kind, for_symbols=dialect.for_symbols)
        return definition(name, given, result, op.doc)
    key = f"{module}.{name}".partition(".")[2]
    forms = list(function_forms(dialect, key, function))
    if len(forms) == 1:
        return definition(name, *forms[0], doc)
    return "\n".join(f"@overload\n{definition(name, *form, doc)}" for form in forms)


def is_function_of(module: str, name: str) -> bool:
    """Returns whether a function is of the table, or computed by NumPy."""
    if name in TABLE[module]:
        return True
    others = {"np": fallback.FUNCTIONS, "np.linalg": fallback.LINALG_FUNCTIONS}
    return name in others.get(module, ())


def constant(name: str, value: Any) -> str | None:
    """Writes a constant, or what is another package's; None for what a stub does not show."""
    if value is bool:
        return "from builtins import bool as bool\n"  # annotations mean the same class
    if isinstance(value, type) and value.__module__ == "numpy":
        own = "bool_" if name == "bool_" else value.__name__
        return f"from numpy import {own} as {name}\n"
    if value is None or isinstance(value, float):
        return f"{name}: {'None' if value is None else 'float'}\n"
    return None


def imported(module: ModuleType, name: str, value: Any) -> str | None:
    """Writes the import of what is defined elsewhere in the package."""
    if inspect.ismodule(value):
        parent, _, own = value.__name__.rpartition(".")
        if parent == module.__name__:
            return f"from {parent} import {own} as {name}\n"
        return None
    own = plain(value)
    home = getattr(own, "__module__", "") or ""
    # Of the original's private imports, such as `ctypes`, a stub has nothing.
    if not home.startswith("mxnet.") or home == module.__name__:
        return None
    return f"from {home} import {own.__name__} as {name}\n"


def own_functions(path: Path) -> Iterator[str]:
    """Yields what the source of a module defines in itself."""
    if path.exists():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield short(node)


def module_stub(dialect: Dialect, module: ModuleType, short_name: str, path: Path) -> str:
    """Writes a module of functions."""
    home = f"{dialect.np.__name__}.{dialect.home}"
    head = {f"from {home} import {dialect.kind} as {dialect.kind}\n"}
    if module is mx.np:
        head.add("from mxnet.numpy import multiarray as multiarray\n")
    lines = list(own_functions(path))
    written_here = {line.partition("(")[0] for line in lines}
    for name in sorted(name for name in dir(module) if not name.startswith("_")):
        value = getattr(module, name)
        if is_function_of(short_name, name):
            lines.append(function_stub(dialect, short_name, name, value))
        elif f"def {name}" not in written_here and value is not dialect.operand:
            text = constant(name, value) or imported(module, name, value) or ""
            (head.add if text.startswith("from") else lines.append)(text)
    body = "\n".join(filter(None, lines))
    return "".join([*sorted(head | imports_for(body, head)), "\n", body])


def imports_for(body: str, head: set[str]) -> set[str]:
    """Returns the imports that annotations need beside those of what a module shows."""
    found = set()
    for start, names in _IMPORTS.items():
        used = [name for name in names if re.search(rf"\b{name}\b", body)]
        if used and not any(f" as {name}\n" in line for name in used for line in head):
            found.add(f"{start} import {', '.join(used)}\n")
    return found | {f"import {name}\n" for name in ("numpy", "os") if f"{name}." in body}


_IMPORTS = {
    "from collections.abc": ("Mapping", "Sequence"),
    "from typing": ("Any", "Literal", "overload"),
    "from mxnet.context": ("Context",),
    "from torch": ("Tensor",),
}


def short(node: ast.FunctionDef, kind: str = "") -> str:
    """Writes a function of the source with the first sentence of its documentation.

    Args:
        node: The function.
        kind: What it returns in the place of `Any`.
    """
    node.decorator_list = [
        item for item in node.decorator_list if ast.unparse(item) in ("property", "classmethod")
    ]
    doc = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
    node.body = [ast.Expr(ast.Constant(doc or ...))]
    if kind and node.returns is not None and node.name not in OTHERS:
        node.returns = ast.parse(in_class(kind, ast.unparse(node.returns)), mode="eval").body
    return ast.unparse(node) + "\n"


def in_class(kind: str, text: str) -> str:
    """Writes the type of a method's result in the class."""
    if "numpy." in text or text.startswith("dict"):
        return text
    text = text.removesuffix(" | None")  # a gradient, which programs attach before they read it
    return re.sub(r"\b(?:Any|NDArray|Symbol)\b", kind, text)


def class_nodes(cls: type, module: str) -> dict[str, ast.FunctionDef]:
    """Returns the functions in the source of a class, by name.

    Args:
        cls: The class.
        module: Full name of the module with its source.
    """
    path = Path(mx.__file__).parents[1].joinpath(*module.split(".")).with_suffix(".py")
    kind = next(
        node
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__
    )
    return {node.name: node for node in kind.body if isinstance(node, ast.FunctionDef)}


def is_shown(name: str) -> bool:
    """Returns whether a stub has a method of that name."""
    return not name.startswith("_") or name.startswith("__")


def class_methods(dialect: Dialect) -> Iterator[str]:
    """Yields the methods of the class: its own, those of the dialect, those that return arrays."""
    home = f"{dialect.np.__name__}.{dialect.home}"
    own = {
        **class_nodes(NumpyMethods, NumpyMethods.__module__),
        **class_nodes(dialect.operand, home),
    }
    for name, node in own.items():
        if is_shown(name):
            yield short(node, dialect.kind)
    for row in NUMPY.binary:
        for prefix in ("", "r") if dialect.for_symbols else ("", "r", "i"):
            name = f"__{prefix}{row.python}__"
            if name in vars(dialect.operand) and name not in own:
                yield f"def {name}(self, other: Any) -> {dialect.kind}: ...\n"
    if dialect.for_symbols:
        yield from (f"def __{name}__(self) -> _Symbol: ...\n" for name in ("neg", "abs"))
    base = dialect.base.__name__
    for name, node in class_nodes(dialect.base, dialect.base_home).items():
        result = ast.unparse(node.returns) if node.returns else ""
        is_new = name not in vars(dialect.operand) and name not in own
        if is_new and is_shown(name) and base in result:
            node.returns = ast.parse(result.replace(base, dialect.kind), mode="eval").body
            yield short(node)


def class_stub(dialect: Dialect) -> str:
    """Writes the module of the class."""
    doc = (inspect.getdoc(dialect.operand) or "").split("\n\n")[0]
    methods = "\n".join(class_methods(dialect))
    indented = "".join(f"    {line}\n" if line else "\n" for line in methods.split("\n"))
    base = dialect.base.__name__
    more = "" if dialect.for_symbols else _ARRAY_FUNCTIONS
    return (
        '# mypy: disable-error-code="override,assignment,misc"\n'
        "from collections.abc import Iterator, Mapping, Sequence\n"
        "from types import ModuleType\n"
        "from typing import Any, ClassVar\n\n"
        "import numpy\n\n"
        f"from mxnet.context import Context\n"
        f"from {dialect.base_home} import {base}\n\n"
        f'class {dialect.kind}({base}):\n    """{doc}"""\n\n{indented}{more}'
    )


_ARRAY_FUNCTIONS = '''
def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """Makes an array from anything array-like; the elements are copied."""

def set_printoptions(
    precision: int | None = None, threshold: int | None = None, **kwarg: Any
) -> None:
    """Sets how arrays are printed, those of NumPy too; see `numpy.set_printoptions`."""
'''


def render(source: Path) -> Mapping[Path, str]:
    """Writes the stubs of the dialect by the paths of their files without suffix."""
    stubs = {}
    for dialect in (ARRAYS, SYMBOLS):
        for short_name in MODULES:
            head, _, rest = short_name.partition(".")
            package = dialect.np if head == "np" else dialect.npx
            folder = source.joinpath(*package.__name__.split(".")[1:])
            module = getattr(package, rest) if rest else package
            path = folder / (rest or "__init__")
            stubs[path] = module_stub(dialect, module, short_name, path.with_suffix(".py"))
        folder = source.joinpath(*dialect.np.__name__.split(".")[1:])
        stubs[folder / dialect.home] = class_stub(dialect)
    names = {
        "multiarray": "*",
        "fallback_linalg": ", ".join(f"{name} as {name}" for name in fallback.LINALG_FUNCTIONS),
        **{name: f"{part} as {part}" for name, part in PARTS.items()},
    }
    for name, imported_names in names.items():
        home = "mxnet.numpy.linalg" if name == "fallback_linalg" else "mxnet.numpy"
        stubs[source / "numpy" / name] = f"from {home} import {imported_names}\n"
    for name, parts in LATER_PARTS.items():
        functions = [(part, parameters(getattr(mx.np, part))) for part in parts.split()]
        written_parts = [
            f"def {part}({', '.join(given)}) -> Any: ...\n" for part, given in functions
        ]
        stubs[source / "numpy" / name] = "from typing import Any\n\n" + "".join(written_parts)
    limits = ", ".join(f"{name} as {name}" for name in ("finfo", "finfo_obj", "iinfo", "iinfo_obj"))
    path = source / "numpy" / "type_functions"
    stubs[path] = f"from mxnet.numpy.fallback import {limits}\n{stubs[path]}"
    return stubs
