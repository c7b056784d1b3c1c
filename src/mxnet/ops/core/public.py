"""Installs the functions, methods and operators that a table of spellings lists."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet._start import make_module
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.ops.core.attrs import REQUIRED, encode
from mxnet.ops.core.registry import Op, listen
from mxnet.ops.core.spellings import Binary, Spellings

Method: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])


class PublicFunctions(dict[str, dict[str, F]]):
    """A function for every name of every operator, by module and name.

    Args:
        spellings: Says in which module a name belongs.
        package: Name of the package of these modules.
        make: Returns the function of an operator, of the given name and module.
    """

    def __init__(
        self, spellings: Spellings, package: str, make: Callable[[Op, str, str], F]
    ) -> None:
        super().__init__()
        self._spellings, self._package, self._make = spellings, package, make
        self._namespaces: dict[str, list[dict[str, Any]]] = {}
        listen(self)

    def add(self, op: Op) -> None:
        """Makes the functions of an operator."""
        for module, public_name in self._places(op):
            function = self._make(op, public_name, f"{self._package}.{module}")
            self.setdefault(module, {})[public_name] = function
            for namespace in self._namespaces.get(module, ()):
                namespace[public_name] = function

    def remove(self, op: Op) -> None:
        """Takes the functions of an operator away."""
        for module, public_name in self._places(op):
            del self[module][public_name]
            for namespace in self._namespaces.get(module, ()):
                del namespace[public_name]

    def _places(self, op: Op) -> Iterable[tuple[str, str]]:
        return filter(None, map(self._spellings.place, (op.name, *op.aliases)))

    def populate(self, namespace: dict[str, Any], module: str) -> list[str]:
        """Puts the functions of a module into its namespace and returns their names."""
        functions = self.get(module, {})
        namespace.update(functions)
        self.follow(namespace, module)
        return sorted(functions)

    def make_module(self, module: str, doc: str) -> ModuleType:
        """Makes a module without a file that holds nothing but functions of operators."""
        made = make_module(f"{self._package}.{module}", doc, {})
        vars(made)["__all__"] = self.populate(vars(made), module)
        return made

    def follow(self, namespace: dict[str, Any], module: str) -> None:
        """Puts the functions of operators that are declared later into a namespace, too."""
        self._namespaces.setdefault(module, []).append(namespace)


class OperatorMaker(Protocol):
    """Makes the methods behind Python's operators for one class; None for one it does not have."""

    def plain(self, row: Binary) -> Method | None:
        """Returns the method for `x + y`."""

    def reflected(self, row: Binary) -> Method | None:
        """Returns the method for `2 + x`; asked for arithmetic only."""

    def in_place(self, row: Binary) -> Method | None:
        """Returns the method for `x += y`; asked for arithmetic only."""


def install_operators(cls: type, rows: Iterable[Binary], maker: OperatorMaker) -> None:
    """Adds Python's operators to a class."""
    for row in rows:
        if row.python is None:
            continue
        _set_if_made(cls, f"__{row.python}__", maker.plain(row))
        if row.is_arithmetic:
            _set_if_made(cls, f"__r{row.python}__", maker.reflected(row))
            _set_if_made(cls, f"__i{row.python}__", maker.in_place(row))
    for prefix in ("", "r", "i"):  # names of Python 2, which programs call directly
        setattr(cls, f"__{prefix}div__", getattr(cls, f"__{prefix}truediv__"))


def install_methods(cls: type, names: Iterable[str], functions: Mapping[str, Method]) -> None:
    """Adds methods that call functions: `x.sum(axis=1)` is `sum(x, axis=1)`."""
    for name in names:
        set_method(cls, name, _method(functions[name]))


def set_method(cls: type, name: str, method: Method) -> None:
    """Adds one method to a class, and names it so that tracebacks and `help()` show where it is."""
    method.__name__ = name
    method.__qualname__ = f"{cls.__name__}.{name}"
    method.__module__ = cls.__module__
    setattr(cls, name, method)


def _set_if_made(cls: type, name: str, method: Method | None) -> None:
    if method is not None:
        set_method(cls, name, method)


def _method(function: Method) -> Method:
    """Returns a function as a method: a copy, which has a name of its own and costs no call."""
    if not isinstance(function, FunctionType):
        raise MXNetError(f"{function!r}: expected a function of Python to make a method of")
    method = FunctionType(
        function.__code__,
        function.__globals__,
        argdefs=function.__defaults__,
        closure=function.__closure__,
    )
    method.__kwdefaults__ = function.__kwdefaults__
    method.__doc__ = function.__doc__
    method.__signature__ = LateSignature.made_by(  # type: ignore[attr-defined]
        lambda: _signature_of_method(function)
    )
    return method


def _signature_of_method(function: Method) -> inspect.Signature:
    signature = inspect.signature(function)
    operand, *others = signature.parameters.values()
    plain = operand.replace(name="self", default=inspect.Parameter.empty)
    if plain.kind is inspect.Parameter.VAR_POSITIONAL:  # of any number of operands it is the first
        return signature.replace(parameters=[plain.replace(kind=_BY_POSITION), operand, *others])
    return signature.replace(parameters=[plain, *others])


_BY_POSITION = inspect.Parameter.POSITIONAL_OR_KEYWORD


class Operand(Protocol):
    """What stands in the place of tensors: arrays or symbols of a dialect."""

    _is_np: ClassVar[bool]


class LateSignature(inspect.Signature):
    """The signature that `help()` shows of an operator's function, made when it is first looked at.

    Few programs look at one, and `import mxnet` would make two thousand of them.
    """

    __slots__ = ("_make",)
    _make: Callable[[], inspect.Signature]

    @classmethod
    def of(cls, op: Op, operand: type[Operand], options: Sequence[str]) -> LateSignature:
        """Makes the signature of an operator.

        Args:
            op: The operator.
            operand: What stands in the place of tensors.
            options: Arguments that every function takes.
        """
        signature = cls.__new__(cls)  # `made_by` would be a call more for each of 2000 functions
        signature._make = lambda: _make_signature(op, operand, options)
        return signature

    @classmethod
    def made_by(cls, make: Callable[[], inspect.Signature]) -> LateSignature:
        """Makes the signature that a function returns."""
        signature = cls.__new__(cls)
        signature._make = make
        return signature

    def __getattr__(self, name: str) -> Any:
        # The slots of the base class are not filled before one of them is asked for.
        if name == "_make" or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name}")
        made = self._make()
        super().__init__([*made.parameters.values()], return_annotation=made.return_annotation)
        return object.__getattribute__(self, name)


def hide_last_parameter(function: Any) -> None:
    """Leaves a parameter that only MXNet 2 has out of the signature that is shown."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount - 1]
    defaults = dict(zip(names[::-1], function.__defaults__[-2::-1], strict=False))
    function.__signature__ = inspect.Signature(
        [
            inspect.Parameter(
                name,
                _BY_POSITION,
                default=defaults.get(name, inspect.Parameter.empty),
                annotation=function.__annotations__[name],
            )
            for name in names
        ],
        return_annotation=function.__annotations__["return"],
    )


def _make_signature(op: Op, operand: type[Operand], options: Sequence[str]) -> inspect.Signature:
    by_name = inspect.Parameter.KEYWORD_ONLY
    kind = by_name if op.variadic else inspect.Parameter.POSITIONAL_OR_KEYWORD
    if op.variadic:
        parameters = [
            inspect.Parameter(
                op.inputs[0].name, inspect.Parameter.VAR_POSITIONAL, annotation=operand
            )
        ]
    else:
        # A symbol that is not given becomes a variable.
        needed = inspect.Parameter.empty if "attr" not in options else None
        parameters = [
            inspect.Parameter(
                item.name, kind, default=None if item.optional else needed, annotation=operand
            )
            for item in op.inputs
        ]
        if any(before.optional and not item.optional for before, item in pairwise(op.inputs)):
            parameters = [item.replace(default=None) for item in parameters]
    for attr in map(op.attrs.__getitem__, op.attrs_by_position(operand._is_np)):
        default = inspect.Parameter.empty if attr.default is REQUIRED else attr.default
        if isinstance(default, torch.dtype):
            default = encode(default)  # the name, which a program would give
        follows_default = parameters and parameters[-1].default is not inspect.Parameter.empty
        place = by_name if default is inspect.Parameter.empty and follows_default else kind
        if parameters and parameters[-1].kind is by_name:
            place = by_name
        parameters.append(inspect.Parameter(attr.name, place, default=default))
    for name in options:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature(parameters, return_annotation=operand)


def advise_unpacking(op: Op, value: Any, kind: type) -> str:
    """Returns what to do with a list of arrays for an operator that takes them one by one."""
    is_list = op.variadic and isinstance(value, (list, tuple)) and len(value) > 0
    if is_list and all(isinstance(item, kind) for item in value):
        return f"; it takes them one by one, as in {op.name}(*arrays)"
    return ""


def take_options(
    op: Op, args: Sequence[Any], options: Sequence[str], named: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the options of a call, of which some follow the attributes by position.

    Args:
        op: The operator.
        args: What follows its arrays and attributes.
        options: Names of what can follow, in order.
        named: What was given by name.

    Raises:
        MXNetError: if too much follows, or something is given by name, too.
    """
    if len(args) > len(options):
        limit = len(op.inputs) + len(op.attrs) + len(options)
        got = limit - len(options) + len(args)
        raise UnsupportedTypeError(f"{op.name}: takes at most {limit} arguments, got {got}")
    given = dict(zip(options, args, strict=False))
    twice = [name for name in given if named.get(name) is not None]
    if twice:
        raise UnsupportedTypeError(f"{op.name}: got {', '.join(twice)} twice")
    return {**named, **given}
