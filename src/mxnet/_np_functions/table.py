"""The table of functions: what each frontend installs, and what functions are written on.

Modules of this package fill the table when the package is imported. Arguments and results that
many functions have in common are read here, on arrays and on symbols.
"""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from operator import is_
from types import MappingProxyType, MethodType, ModuleType
from typing import Any, TypeAlias

import numpy as np

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet._np_functions.mxnet2 import follow, place_late, renamed_in
from mxnet._start import accept_device, add_module, make_getattr, passes_arguments, public_call
from mxnet._state import modes
from mxnet.context import resolve
from mxnet.errors import MXNetError, NotSupportedError, UnsupportedTypeError
from mxnet.ops.core.registry import example, get_op
from mxnet.ops.core.spellings import Binary

Function: TypeAlias = Callable[..., Any]
Maker: TypeAlias = Callable[["Operators"], Function]
Note: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any], dict[str, Any]], None]
_NOTHING: Mapping[str, Any] = MappingProxyType({})

NP, LINALG, RANDOM = "np", "np.linalg", "np.random"
NPX, NPX_RANDOM, NPX_IMAGE = "npx", "npx.random", "npx.image"
MODULES = (NP, LINALG, RANDOM, NPX, NPX_RANDOM, NPX_IMAGE)
"""Modules of functions, as they are called under `mx` and, for graphs, under `mx.sym`."""

_LONG_NAMES = {"np": "mxnet.numpy", "npx": "mxnet.numpy_extension"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A function of the table.

    Attributes:
        make: Returns the function for the operators of a frontend.
        on_symbols: Whether there is such a function on symbols.
        late: Whether modules make it when it is first asked for.
    """

    make: Maker
    on_symbols: bool = True
    late: bool = False


TABLE: dict[str, dict[str, Entry]] = {module: {} for module in MODULES}
"""Entries by module and name."""

BY_NUMPY: dict[str, dict[str, Function]] = {NP: {}, LINALG: {}}
"""Declarations of functions on arrays alone that are no operators, by module and name."""


def add_entry(module: str, names: Sequence[str], entry: Entry) -> None:
    """Adds a function under all of its names."""
    for name in names:
        if name in TABLE[module]:
            raise MXNetError(f"{module}.{name}: is in the table already")
        TABLE[module][name] = entry


def _long_name(module: str) -> str:
    head, dot, rest = module.partition(".")
    return f"{_LONG_NAMES[head]}{dot}{rest}"


def np_function(
    module: str = NP,
    *,
    aliases: Sequence[str] = (),
    on_symbols: bool = True,
    operator: str | None = None,
    attrs: Mapping[str, Any] = _NOTHING,
) -> Callable[[Function], Function]:
    """Makes a decorator that puts a function on `F` into the table.

    Args:
        module: One of `MODULES`.
        aliases: Other names of the function.
        on_symbols: Whether it is for graphs too, not for arrays alone.
        operator: Operator that the function is if it gets arrays alone; such calls go straight to
            the kernel.
        attrs: Attributes that the operator has then.
    """

    def decorate(function: Function) -> Function:
        function.__module__ = _long_name(module)
        # A caller does not pass `F`.
        function.__doc__ = re.sub(r"^ +F: .*\n", "", function.__doc__ or "", flags=re.MULTILINE)

        def make(operators: Operators) -> Function:
            # A bound method costs a call less than a function that passes `F` on.
            bound = MethodType(function, operators)
            if operator is None:
                return bound
            return operators.make_straight(accept_device(bound), operator, attrs)

        entry = Entry(make, on_symbols)
        add_entry(module, (function.__name__, *aliases), entry)
        return function

    return decorate


@dataclass(frozen=True, slots=True)
class Forward:
    """A function that is its operator; see `forward`."""

    declared: Function
    operator: str
    renamed: Mapping[str, str]
    constants: Mapping[str, Any]
    omitting: str
    later: Mapping[str, str]

    def make_call(self, operators: Operators, raw: Function, note: Note | None = None) -> Function:
        """Returns the function, which has the signature and the documentation of the declaration.

        Args:
            operators: Those of the frontend.
            raw: The function of the operator.
            note: Is called after a call has succeeded, with the arguments by position, those by
                name, and the attributes of the operator.
        """
        declared, renamed, constants = self.declared, self.renamed, self.constants
        code, values = declared.__code__, declared.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        defaults = {**dict.fromkeys(names), **dict(zip(names[::-1], values[::-1], strict=False))}
        inputs = names[: len(get_op(self.operator).inputs)]
        omitted = list(defaults.values())[len(inputs) :] if self.omits_defaults(operators) else None
        fitting: set[tuple[Any, ...]] = set()
        later = self.later

        def call(*args: Any, **kwargs: Any) -> Any:
            if later and not later.keys().isdisjoint(kwargs):
                kwargs = {later.get(name, name): value for name, value in kwargs.items()}
            form = (len(args), *kwargs)
            if form not in fitting:
                declared(*args, **kwargs)  # Python refuses what does not fit
                fitting.add(form)
            attrs = {**defaults, **kwargs, **constants}
            attrs.update(zip(names, args, strict=False))
            arrays = list(map(attrs.pop, inputs))
            for name, attr in renamed.items():
                attrs[attr] = attrs.pop(name)
            if omitted is not None and all(map(is_, attrs.values(), omitted)):
                attrs = {}
            result = raw(*arrays, **attrs)
            if note is not None:
                note(args, kwargs, attrs)
            return result

        call.__wrapped__ = declared  # type: ignore[attr-defined]  # has the signature
        call.shows_frames = True  # type: ignore[attr-defined]
        return operators.name(passes_arguments(call), declared.__name__, declared.__doc__ or "")

    def omits_defaults(self, operators: Operators) -> bool:
        """Returns whether the operator gets no attributes if all have their defaults."""
        on_arrays = not operators.for_symbols
        return self.omitting == "always" or (self.omitting == "on arrays" and on_arrays)


def forward(
    operator: str,
    module: str = NP,
    *,
    aliases: Sequence[str] = (),
    renamed: Mapping[str, str] = _NOTHING,
    constants: Mapping[str, Any] = _NOTHING,
    omitting: str = "never",
) -> Callable[[Function], Function]:
    """Makes a decorator that puts a function into the table which is its operator.

    It decorates a declaration, which has a signature and documentation, and no body. Parameters
    are the inputs of the operator, then attributes by their names, and `out`. It is for operators
    of a single array, and for those without attributes: on arrays these go straight to the kernel.

    Args:
        operator: Name of the operator.
        module: One of `MODULES`.
        aliases: Other names of the function.
        renamed: Names of attributes by those of parameters, where they differ.
        constants: Attributes that are no parameters.
        omitting: Where the operator gets no attributes if all have their defaults: `"always"`,
            `"on arrays"` or `"never"`.
    """

    def decorate(declared: Function) -> Function:
        declared.__module__ = _long_name(module)
        later = renamed_in(module, declared.__name__)
        row = Forward(declared, operator, renamed, constants, omitting, later)

        def make(operators: Operators) -> Function:
            return operators.make_forward(row)

        add_entry(module, (declared.__name__, *aliases), Entry(make))
        return declared

    return decorate


_ELEMENTWISE_OPTIONS = """
    out: Array to write the result into.
    **kwargs: Options of NumPy's functions, of which their defaults are accepted."""


def _document(summary: str, operands: str, session: Sequence[str]) -> str:
    """Returns the documentation of a function that acts on each element."""
    return f"{summary}\n\nArgs:\n{operands}{_ELEMENTWISE_OPTIONS}{example(*session)}"


def add_unary(operator: str, summary: str, names: Sequence[str], shown: tuple[str, str]) -> None:
    """Adds a function of one array that acts on each element, such as `sin(x, out=None)`.

    Args:
        operator: Name of its operator.
        summary: First sentence of its documentation.
        names: What the function is called; the first is NumPy's function for a number.
        shown: What its example makes an array of, and the result.
    """
    argument, result = shown

    def add(name: str) -> None:
        session = (f">>> mx.np.{name}(mx.np.array({argument}))", result)
        doc = _document(summary, "    x: The array, or a number.", session)

        def make(operators: Operators) -> Function:
            return operators.make_unary(names[0], operator, doc)

        add_entry(NP, (name,), Entry(make))

    for name in names:
        add(name)


def add_binary(row: Binary, shown: tuple[str, str, str]) -> None:
    """Adds a function of two operands, such as `add(x1, x2, out=None)`.

    Args:
        row: Its operators and names.
        shown: What its example makes an array of, the second operand, and the result.
    """
    if row.arrays is None:
        raise MXNetError(f"{row.array_functions}: has no operators")
    first, second, result = shown
    operand = f"mx.np.array({second})" if second.startswith("[") else second
    operands = "    x1: An array, or a number.\n    x2: An array that broadcasts, or a number."

    def add(name: str) -> None:
        session = (f">>> mx.np.{name}(mx.np.array({first}), {operand})", result)
        doc = _document(row.summary, operands, session)

        def make(operators: Operators) -> Function:
            return operators.make_binary(row, doc)

        add_entry(NP, (name,), Entry(make))

    for name in row.array_functions:
        add(name)


def by_numpy(module: str = NP) -> Callable[[Function], Function]:
    """Makes a decorator for a function that NumPy computes, on copies of the elements.

    It decorates a declaration, which has a signature and documentation, and no body.

    Args:
        module: `NP` or `LINALG`.
    """

    def decorate(declared: Function) -> Function:
        declared.__module__ = _long_name(module)
        BY_NUMPY[module][declared.__name__] = declared
        return declared

    return decorate


def add_operator(module: str, name: str, operator: str, *, late: bool = False) -> None:
    """Adds the function of an operator, with its own inputs and attributes.

    Args:
        module: One of `MODULES`.
        name: What the function is called.
        operator: Name of the operator.
        late: Whether modules make it when it is first asked for.
    """
    renamed = renamed_in(module, name)

    def make(operators: Operators) -> Function:
        return operators.make_raw(operator, renamed)

    add_entry(module, (name,), Entry(make, late=late))


def _hiding_frames(function: Function) -> Function:
    """Returns a function for the program; others have handlers of their own."""
    is_bare = isinstance(function, MethodType) or hasattr(function, "shows_frames")
    return public_call(function) if is_bare else function


class Operators(ABC):
    """What functions of the table are written on: the `F` of arrays or of symbols.

    It has the operators by their names (`F._npi_concatenate(a, b, axis=0)`), with arrays by
    position and attributes, `out=` among them, by name, and the functions of the table by theirs
    (`F.sum(a)`, `F.linalg.norm(a)`, `F.npx.relu(a)`).

    Attributes:
        operand: Class of its arrays or symbols.
        package: Full name of the package that its functions belong to.
        for_symbols: Whether the operands are symbols.
    """

    operand: Any
    package: str
    for_symbols: bool = False

    @abstractmethod
    def make_raw(self, operator: str, renamed: Mapping[str, str] = _NOTHING) -> Function:
        """Returns the function of an operator, with its own inputs and attributes.

        Args:
            operator: Name of the operator.
            renamed: Other names that the function takes for these.
        """

    @abstractmethod
    def make_unary(self, name: str, operator: str, doc: str) -> Function:
        """Returns a function of one operand with its documentation."""

    @abstractmethod
    def make_binary(self, row: Binary, doc: str) -> Function:
        """Returns a function of two operands with its documentation."""

    def make_straight(
        self, function: Function, operator: str, attrs: Mapping[str, Any]
    ) -> Function:
        """Returns a function that does not need `function` when it gets operands alone."""
        del operator, attrs
        return function

    def make_forward(self, row: Forward) -> Function:
        """Returns a function that is its operator."""
        return row.make_call(self, getattr(self, row.operator))

    def name(self, function: Function, name: str, doc: str) -> Function:
        """Names and documents a closure as a function of the package."""
        function.__name__ = function.__qualname__ = name
        function.__module__ = self.package
        function.__doc__ = doc
        return function

    def install(self, namespace: dict[str, Any], module: str) -> list[str]:
        """Puts the functions of a module of the table into its namespace, returns their names.

        Late ones, which are not among the names, are made when they are first asked for.
        """
        entries = {
            name: entry
            for name, entry in TABLE[module].items()
            if entry.on_symbols or not self.for_symbols
        }
        late = {name: entries.pop(name) for name in list(entries) if entries[name].late}
        self._fill(namespace, entries)
        if not self.for_symbols:
            follow(namespace, module)
        if late:
            namespace["__getattr__"] = self._make_getattr(namespace, module, late)
        return sorted(entries)

    def _fill(self, namespace: dict[str, Any], entries: Mapping[str, Entry]) -> None:
        """Makes functions and puts them into a namespace."""
        namespace.update({name: _hiding_frames(item.make(self)) for name, item in entries.items()})
        self._settle(namespace, entries)

    def _make_getattr(
        self, namespace: dict[str, Any], module: str, late: Mapping[str, Entry]
    ) -> Callable[[str], Any]:
        """Returns the `__getattr__` of a module, which makes functions that are first asked for."""
        explain = make_getattr(namespace["__name__"], namespace)

        def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes the function of the module
            if name not in late:
                return explain(name)
            self._fill(namespace, {name: late[name]})
            if not self.for_symbols:
                place_late(namespace, module, name)
            return namespace[name]

        return __getattr__

    def make_module(self, name: str, doc: str, module: str) -> ModuleType:
        """Makes a module without a file of the functions of a module of the table."""
        made = ModuleType(name, doc)
        vars(made)["__all__"] = self.install(vars(made), module)
        return add_module(made)

    def _settle(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        """Notes in functions where they are found, which is what pickles of them say."""
        for name in names:
            namespace[name].__module__ = namespace["__name__"]
            namespace[name].__qualname__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in TABLE[NP]:
            value: Any = TABLE[NP][name].make(self)
        elif name in _NAMESPACES:
            value = Namespace(self, _NAMESPACES[name])
        elif name[0] == "_" or name[0].isupper():
            value = self.make_raw(name)
        else:
            raise AttributeError(f"mx.np has no function {name}")
        setattr(self, name, value)
        return value


_NAMESPACES = {"linalg": LINALG, "random": RANDOM, "npx": NPX}


class Namespace:
    """The functions of one module, as `F.linalg` has them."""

    def __init__(self, operators: Operators, module: str) -> None:
        self._operators, self._module = operators, module

    def __getattr__(self, name: str) -> Any:
        entry = TABLE[self._module].get(name)
        if entry is None:
            raise AttributeError(f"{self._module} has no function {name}")
        function = entry.make(self._operators)
        setattr(self, name, function)
        return function


def check_order(where: str, order: str) -> None:
    """Checks the memory layout that a function is asked for."""
    if order != "C":
        raise NotSupportedError(f"{where}: expected order 'C', got {order!r}")


def context_name(ctx: Any) -> str:
    """Returns a context, or the current one for None, as an attribute of an operator has it."""
    return str(resolve(ctx))


def float_dtype(dtype: Any) -> Any:
    """Returns an element type, for None that of floating-point numbers by default."""
    if dtype is not None:
        return dtype
    return "float64" if modes.np_default_dtype else "float32"


def is_number(value: Any) -> bool:
    """Returns whether a value is a number of Python or NumPy."""
    return isinstance(value, Number)


def placement(F: Operators, ctx: Any) -> dict[str, Any]:
    """Returns the attribute of a creation operator that says where it makes its array.

    Arrays are made on the current context if there is none; a graph keeps its name.
    """
    if F.for_symbols:
        return {"ctx": context_name(ctx)}
    return {} if ctx is None else {"ctx": ctx}


def as_list(F: Operators, result: Any) -> list[Any]:
    """Returns the outputs of an operator as a list, also if there is one alone."""
    if F.for_symbols or isinstance(result, (list, tuple)):
        return list(result)
    return [result]


def as_rows(F: Operators, result: Any) -> Any:
    """Returns the rows of an array as a tuple; a symbol, whose shape is unknown, as it is."""
    if F.for_symbols:
        return result
    rows = F._npi_split(result, indices=(), axis=0, sections=len(result), squeeze_axis=True)
    return tuple(as_list(F, rows))


def is_operand(F: Operators, value: Any) -> bool:
    """Returns whether a value is an array or symbol of the frontend."""
    return isinstance(value, F.operand)


def is_array(F: Operators, value: Any) -> bool:
    """Returns whether a value is an array, whose shape and elements can be looked at."""
    return not F.for_symbols and isinstance(value, F.operand)


def refusal(F: Operators, where: str, value: Any) -> UnsupportedTypeError:
    """Returns the error for a value that a function does not take, and what to call if it can."""
    remedy = ""
    if hasattr(value, "as_np_ndarray") and not is_operand(F, value):
        remedy = "; call as_np_ndarray() on it, because the classic dialect and NumPy's do not mix"
    return UnsupportedTypeError(f"{where}: type {type(value)} not supported{remedy}")


_AVAILABLE = {
    "where": (True,),
    "casting": ("same_kind",),
    "order": ("K",),
    "dtype": (None,),
    "subok": (True,),
}
_LEGAL: dict[str, tuple[Any, ...]] = {
    "where": (True, False),
    "casting": ("no", "equiv", "safe", "same_kind", "unsafe"),
    "order": ("C", "F", "A", "K"),
    "subok": (True, False),
}


def is_legal_option(key: str, value: Any) -> bool:
    """Returns whether NumPy knows an option of that value, available here or not."""
    if key == "dtype":
        names = ("int8", "uint8", "int32", "int64", "float16", "float32", "float64")
        return value is not None and (value in names or value in [getattr(np, n) for n in names])
    return key in _LEGAL and value in _LEGAL[key]


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Checks the options of a call.

    Raises:
        UnsupportedTypeError: for one that NumPy does not know.
        NotSupportedError: for a value that is not available.
    """
    for key, value in options.items():
        if key not in _AVAILABLE:
            raise UnsupportedTypeError(f"{name}: {key} is an invalid keyword")
        if not any(value is item or value == item for item in _AVAILABLE[key]):
            if key in ("casting", "dtype") and not is_legal_option(key, value):
                raise UnsupportedTypeError(f"{name}: {key} takes no {value!r}")
            raise NotSupportedError(f"{name}: {key}={value} is not implemented")


_ROUNDING = frozenset({"ceil", "fix", "floor", "trunc"})
"""Functions that give floats, although NumPy 2.1 and later give integers of integers."""


def apply_to_number(name: str, number: Any) -> Any:
    """Returns what NumPy's function of a number gives, of the type that 1.9.1 knows it with."""
    if name in _ROUNDING:
        value = np.asarray(number)
        if value.dtype.kind in "biu":
            number = value.astype(np.result_type(value, np.float16))[()]
    return getattr(np, name)(number)


def wrap_np_unary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function `f(x, out=None)` so that it takes NumPy's options."""

    @functools.wraps(func)
    def call(x: Any, out: Any = None, **kwargs: Any) -> Any:
        check_options(func.__name__, kwargs)
        return func(x, out=out)

    return call


def wrap_np_binary_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function `f(x1, x2, out=None)` so that it takes NumPy's options."""

    @functools.wraps(func)
    def call(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
        check_options(func.__name__, kwargs)
        return func(x1, x2, out=out)

    return call
