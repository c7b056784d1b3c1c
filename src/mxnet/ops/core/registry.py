"""The registry of operators and the decorator that declares one.

The signature of a kernel is its declaration. Positional parameters are array inputs, keyword-only
parameters are attributes, whose annotation selects the codec. Three keyword-only names are not
attributes but are supplied by the code that runs the kernel: `training` (bool), `generator` (the
random generator of the context, None for torch's own) and `device` (where a creation op allocates).
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, NamedTuple, Protocol, TypeAlias, get_origin, get_type_hints

from torch import Tensor

from mxnet._start import find_meant, level_of_program
from mxnet._state import draws, remember
from mxnet.errors import AttributeValueError, MXNetError, ShapeMismatchError
from mxnet.ops.core.attrs import REQUIRED, Attr, Shape, is_constant, write
from mxnet.ops.core.traits import ELEMENTWISE, LATER_ATTRIBUTES, LATER_NAMES, NO_TRAITS, Traits

Kernel: TypeAlias = Callable[..., Any]
FillShapes: TypeAlias = Callable[..., Mapping[str, Shape]]
CountRule: TypeAlias = int | Callable[..., int]
InputRule: TypeAlias = Callable[..., Sequence[str]]
AttrCheck: TypeAlias = Callable[..., None]

KERNEL_ERRORS = (
    RuntimeError,
    IndexError,
    ValueError,
    TypeError,
    ArithmeticError,
    MemoryError,
    AssertionError,
)
"""What a kernel raises for inputs and attributes that do not fit; torch's meta kernels assert."""

SUPPLIED = ("training", "generator", "device")
_END_OF_ARGUMENT = re.compile(r"\n(?!     )")
MAX_CACHED_CALLS = 4096
"""Calls whose attributes an operator remembers; a learning rate may differ in every step."""

_MAX_KEPT = 1000
"""Letters of an attribute that is remembered; longer ones are few, and may be a stranger's."""


@dataclass(frozen=True, slots=True)
class Input:
    """One array input; an optional one may be missing or None."""

    name: str
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An operator: a kernel on tensors and what frontends must know about it.

    Attributes:
        name: Canonical name, as in symbol files.
        kernel: Function of tensors; returns one tensor or a tuple of all outputs.
        inputs: Array inputs in order; for a variadic operator the name of the list.
        attrs: Attributes in order of the public signature, by name.
        doc: What `help()` shows.
        aliases: Other names of the same operator.
        variadic: Whether the operator takes any number of arrays.
        open_attrs: Whether attributes beside the declared ones are passed on, as strings.
        supplied: Which of `SUPPLIED` the kernel takes.
        aux: Inputs that are auxiliary states: updated in place by the kernel, never differentiated.
        mutates: Other inputs that the kernel updates in place (states of optimizers).
        any_dtype: Inputs whose dtype may differ from that of the first one.
        strict_dtypes: Whether the kernel itself raises for mixed dtypes, so that no one checks.
        fresh: Whether the kernel always returns memory of its own, never a view of an input.
        differentiable: False gives zero gradients to every input.
        fill_shapes: Shapes of inputs (weights) by name, from that of the first and the attributes.
        active_inputs: Names of the inputs in use under given attributes (a bias may be off).
        check_attrs: Raises if attributes do not fit each other.
        num_outputs: Outputs that the kernel returns, or a function of the attributes.
        visible_outputs: How many of them a caller sees.
        returns_tuple: Whether the kernel returns a tuple also of a single output.
        traits: What else graphs and frontends know of it.
        later_attrs: Attributes that only MXNet 2 has.
        detours: Why calls take the general way at the moment: not empty while something is
            interposed or mixed precision has a rule for the operator (`interposing.py`).
    """

    name: str
    kernel: Kernel
    inputs: tuple[Input, ...]
    attrs: Mapping[str, Attr]
    doc: str
    aliases: tuple[str, ...] = ()
    variadic: bool = False
    open_attrs: bool = False
    supplied: tuple[str, ...] = ()
    aux: tuple[str, ...] = ()
    mutates: tuple[str, ...] = ()
    any_dtype: frozenset[str] = frozenset()
    strict_dtypes: bool = False
    fresh: bool = False
    differentiable: bool = True
    fill_shapes: FillShapes | None = None
    active_inputs: InputRule | None = None
    check_attrs: AttrCheck | None = None
    num_outputs: CountRule = 1
    visible_outputs: CountRule | None = None
    returns_tuple: bool = False
    traits: Traits = NO_TRAITS
    later_attrs: frozenset[str] = frozenset()
    detours: list[object] = field(default_factory=list, repr=False)
    _parsed: dict[Any, dict[str, Any]] = field(default_factory=dict, repr=False)
    """By the attributes given, of which they are a function; `MAX_CACHED_CALLS` at most."""

    def parse_attrs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Checks and converts the attributes of a call; others stay with the kernel's default.

        Raises:
            AttributeValueError: for an unknown, missing or malformed attribute.
        """
        key: Any = tuple(given.items())
        try:
            parsed = self._parsed.get(key)
        except TypeError:
            key, parsed = None, None
        if parsed is None:
            parsed = self._parse_attrs(given)
            if key is not None and self._may_remember(given):
                remember(self._parsed, key, parsed, MAX_CACHED_CALLS)
        return parsed

    def _may_remember(self, given: Mapping[str, Any]) -> bool:
        """Returns whether equal attributes will be parsed alike; as strings, 1 and True are not."""
        return (
            not self.open_attrs
            and all(map(is_constant, given.values()))
            and all(len(value) < _MAX_KEPT for value in given.values() if isinstance(value, str))
        )

    def _parse_attrs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if given and not (self.attrs or self.variadic or self.open_attrs):
            # Programs rely on it: the original looks at no attributes where there are none.
            warnings.warn(
                f"{self.name}: takes no attributes, ignores {', '.join(given)}",
                stacklevel=level_of_program(),
            )
            return {}
        parsed = {}
        for name, value in given.items():
            if name not in self.attrs:
                if self.open_attrs:
                    parsed[name] = write(value)
                    continue
                known = ", ".join(self.attrs) or "none"
                hint = find_meant(name, list(self.attrs))
                raise AttributeValueError(
                    f"{self.name}: unknown attribute `{name}`{hint}; takes {known}"
                )
            parsed[name] = self.attrs[name].parse(value, self.name)
        missing = [a.name for a in self.attrs.values() if a.required and a.name not in given]
        if missing:
            raise AttributeValueError(
                f"{self.name}: required attribute `{missing[0]}` is not given"
            )
        if self.check_attrs is not None:
            self.check_attrs(**self.with_defaults(parsed))
        return parsed

    def attrs_by_position(self, is_np: bool) -> tuple[str, ...]:
        """Returns the attributes that the function of a dialect shows, in order."""
        if is_np or not self.later_attrs:
            return tuple(self.attrs)
        return tuple([name for name in self.attrs if name not in self.later_attrs])

    def with_defaults(self, attrs: Mapping[str, Any]) -> dict[str, Any]:
        """Completes parsed attributes by the defaults."""
        return {name: attr.default for name, attr in self.attrs.items()} | dict(attrs)

    def count_outputs(self, attrs: Mapping[str, Any], *, visible: bool = True) -> int:
        """Returns the number of outputs under parsed attributes."""
        rule = (
            self.visible_outputs
            if visible and self.visible_outputs is not None
            else self.num_outputs
        )
        return rule if isinstance(rule, int) else rule(**self.with_defaults(attrs))

    def ignores_head(self, attrs: Mapping[str, Any]) -> bool:
        """Returns whether gradients of the inputs do not depend on that of the output."""
        rule = self.traits.ignores_head
        return not self.differentiable or (
            rule(**self.with_defaults(attrs)) if callable(rule) else rule
        )

    def input_names(self, attrs: Mapping[str, Any]) -> tuple[str, ...]:
        """Returns the names of the inputs in use under parsed attributes, unless variadic."""
        if self.active_inputs is not None:
            return tuple(self.active_inputs(**self.with_defaults(attrs)))
        return tuple(item.name for item in self.inputs if not item.optional)


class Listener(Protocol):
    """Holds something for every operator, such as its public function."""

    def add(self, op: Op) -> None:
        """Is called after an operator was declared."""

    def remove(self, op: Op) -> None:
        """Is called after an operator was taken back."""


_OPS: dict[str, Op] = {}
_LISTENERS: list[Listener] = []


def register(op: Op) -> Op:
    """Enters an operator under its name and aliases; a name taken twice is a mistake."""
    if "generator" in op.supplied and not op.traits.draws_seldom:
        op = replace(op, kernel=draws(op.kernel))
    if op.name in LATER_NAMES:
        op = replace(op, aliases=(*op.aliases, *LATER_NAMES[op.name]))
    if op.name in LATER_ATTRIBUTES:
        op = replace(op, later_attrs=LATER_ATTRIBUTES[op.name])
    for name in (op.name, *op.aliases):
        if name in _OPS:
            raise MXNetError(f"operator name {name!r} is declared twice")
        _OPS[name] = op
    for listener in _LISTENERS:
        listener.add(op)
    return op


def unregister(op: Op) -> None:
    """Takes an operator back, with its names; graphs that have it keep it."""
    for name in (op.name, *op.aliases):
        del _OPS[name]
    for listener in _LISTENERS:
        listener.remove(op)


def listen(listener: Listener) -> None:
    """Calls a listener for every operator, those that are declared later included."""
    for op in all_ops():
        listener.add(op)
    _LISTENERS.append(listener)


def _without_margin(doc: str) -> str:
    """Returns a docstring without the indentation of its lines, which the last one shows."""
    margin = doc[doc.rfind("\n") + 1 :]
    if margin and not margin.isspace():
        return inspect.cleandoc(doc)  # which looks at every line, in many times the time
    return doc.replace(f"\n{margin}", "\n").strip()


def _public_doc(kernel: Kernel, supplied: Sequence[str], summary: str) -> str:
    """Returns the documentation of a kernel without the arguments that a caller never gives."""
    doc = _without_margin(kernel.__doc__ or "")
    if summary:
        doc = "\n".join([summary, *doc.split("\n")[1:]])
    if not supplied:
        return doc
    for name in supplied:
        start = doc.find(f"\n    {name}:")
        if start >= 0:
            end = _END_OF_ARGUMENT.search(doc, start + 1)
            doc = doc[:start] + (doc[end.start() :] if end else "")
    return doc.rstrip()


def op(
    name: str,
    *,
    aliases: Sequence[str] = (),
    aux: Sequence[str] = (),
    mutates: Sequence[str] = (),
    any_dtype: Sequence[str] = (),
    strict_dtypes: bool = False,
    fresh: bool = False,
    differentiable: bool = True,
    fill_shapes: FillShapes | None = None,
    active_inputs: InputRule | None = None,
    check_attrs: AttrCheck | None = None,
    num_outputs: CountRule = 1,
    visible_outputs: CountRule | None = None,
    traits: Traits = NO_TRAITS,
    summary: str = "",
) -> Callable[[Kernel], Kernel]:
    """Declares the decorated kernel as an operator and returns the kernel unchanged.

    `summary` stands in place of the first line of the kernel's docstring, where several operators
    share the kernel. The other arguments are fields of `Op`.
    """

    def declare(kernel: Kernel) -> Kernel:
        register(
            Op(
                name=name,
                kernel=kernel,
                aliases=tuple(aliases),
                aux=tuple(aux),
                mutates=tuple(mutates),
                any_dtype=frozenset(any_dtype),
                strict_dtypes=strict_dtypes,
                fresh=fresh,
                differentiable=differentiable,
                fill_shapes=fill_shapes,
                active_inputs=active_inputs,
                check_attrs=check_attrs,
                num_outputs=num_outputs,
                visible_outputs=visible_outputs,
                traits=traits,
                **_read_signature(kernel, summary),
            )
        )
        return kernel

    return declare


_HINTS: dict[tuple[Any, ...], Any] = {}
"""What annotations mean, by their text and what the names in it stand for: most stand in many
kernels, and evaluating one takes as long as all else that is done for a kernel."""
_NAMES_IN: dict[str, list[str]] = {}
"""The names in the texts of annotations; nothing invalidates them."""


def _probe() -> None:
    """Has annotations evaluated, one at a time."""


def _read_hint(kernel: FunctionType, name: str) -> Any:
    """Returns an evaluated annotation of a kernel."""
    text = kernel.__annotations__[name]
    if not isinstance(text, str):
        return text
    names = _NAMES_IN.get(text)
    if names is None:
        names = _NAMES_IN[text] = re.findall(r"[A-Za-z_]\w*", text)
    bound = kernel.__globals__
    key = (text, *map(bound.get, names))
    if key not in _HINTS:
        probe = FunctionType(_probe.__code__, bound)
        probe.__annotations__ = {name: text}
        _HINTS[key] = get_type_hints(probe, include_extras=True)[name]
    return _HINTS[key]


class Parameters(NamedTuple):
    """The parameters of a kernel, with their defaults."""

    inputs: Mapping[str, Any]
    attrs: Mapping[str, Any]
    variadic: bool
    open_attrs: bool


def read_parameters(function: Any) -> Parameters:
    """Reads from the code what `inspect.signature` takes twenty times as long for."""
    code, names = function.__code__, function.__code__.co_varnames
    count = code.co_argcount
    end = count + code.co_kwonlyargcount
    variadic = bool(code.co_flags & inspect.CO_VARARGS)
    inputs = dict.fromkeys((*names[:count], *names[end : end + variadic]), REQUIRED)
    defaults = function.__defaults__ or ()
    inputs.update(zip(names[count - len(defaults) : count], defaults, strict=True))
    attrs = dict.fromkeys(names[count:end], REQUIRED) | (function.__kwdefaults__ or {})
    return Parameters(inputs, attrs, variadic, bool(code.co_flags & inspect.CO_VARKEYWORDS))


def _read_signature(kernel: Any, summary: str) -> dict[str, Any]:
    """Returns the fields of an operator that the signature of its kernel tells.

    A kernel may say with an attribute `parameters` which ones it takes.
    """
    function = inspect.unwrap(kernel)
    parameters = getattr(function, "parameters", None) or read_parameters(function)
    attrs, supplied = {}, []
    for name, default in parameters.attrs.items():
        if name in SUPPLIED:
            supplied.append(name)
        else:
            attrs[name] = Attr.declared(name, _read_hint(function, name), default)
    return {
        "inputs": tuple(
            [Input(name, default is None) for name, default in parameters.inputs.items()]
        ),
        "attrs": attrs,
        "supplied": tuple(supplied),
        "variadic": parameters.variadic,
        "open_attrs": parameters.open_attrs,
        "doc": _public_doc(kernel, supplied, summary),
        "returns_tuple": _returns_tuple(function),
    }


def _returns_tuple(function: FunctionType) -> bool:
    if function.__annotations__.get("return", "Tensor") == "Tensor":  # of most
        return False
    return get_origin(_read_hint(function, "return")) is tuple


def elementary(
    name: str,
    kernel: Kernel,
    doc: str,
    *,
    inputs: Sequence[str] = ("data",),
    aliases: Sequence[str] = (),
    differentiable: bool = True,
    traits: Traits = ELEMENTWISE,
) -> Op:
    """Declares a row of a family table: arrays in, one new array out, no attributes.

    The kernel may be a builtin of torch, which has no signature to read.
    """
    return register(
        Op(
            name=name,
            kernel=kernel,
            inputs=tuple(map(Input, inputs)),
            attrs={},
            doc=doc,
            aliases=tuple(aliases),
            fresh=True,
            differentiable=differentiable,
            traits=traits,
        )
    )


def get_op(name: str) -> Op:
    """Looks an operator up by its name or an alias.

    Raises:
        MXNetError: if there is none.
    """
    try:
        return _OPS[name]
    except KeyError:
        raise MXNetError(f"operator {name!r} is not registered") from None


def all_ops() -> Iterator[Op]:
    """Yields every operator once, in the order of declaration."""
    return iter(dict.fromkeys(_OPS.values()))


def all_names() -> Mapping[str, Op]:
    """Returns every name, aliases included, with its operator."""
    return _OPS


def as_tuple(result: Tensor | tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Returns what a kernel returned as a tuple."""
    return result if isinstance(result, tuple) else (result,)


def tells_input_shapes(op: Op) -> bool:
    """Returns whether the shape of an operator's data tells those of its other inputs."""
    if op.fill_shapes is not None:
        return True
    return not (op.attrs or op.variadic or op.traits.shapes.inputs)  # or all are alike


def shapes_from_data(op: Op, data: Shape, settings: Mapping[str, Any]) -> dict[str, Shape]:
    """Returns the shapes of inputs by name, from the shape of the first one.

    Args:
        op: The operator, which `tells_input_shapes`.
        data: Shape of its first input.
        settings: Parsed attributes, completed by the defaults.

    Raises:
        ShapeMismatchError: if the operator does not take such data.
    """
    if op.fill_shapes is None:  # elementwise: all arrays are alike
        return dict.fromkeys((item.name for item in op.inputs), data)
    try:
        filled = op.fill_shapes(data, **settings)
    except (IndexError, ValueError, TypeError) as error:
        reason = "it has too few axes" if isinstance(error, IndexError) else error
        raise ShapeMismatchError(
            f"{op.name}: does not take data of shape {data}: {reason}"
        ) from error
    return {name: tuple(shape) for name, shape in filled.items()}


def example(*lines: str) -> str:
    """Returns the section of a docstring that shows a session in Python.

    Args:
        *lines: What is typed, with its prompts, and what Python prints.
    """
    session = "\n".join((">>> import mxnet as mx", *lines)).replace("\n", "\n    ")
    return f"\n\nExample:\n    {session}"


def on_elements(name: str, elements: str, results: str, digits: int | None = None) -> str:
    """Returns the section that shows a function of one array.

    Args:
        name: Name of the function in `mx.nd`.
        elements: What it gets, as in the brackets of a list.
        results: What NumPy prints of the result, without its brackets.
        digits: To how many decimals the result is rounded before; None leaves it as it is.
    """
    rounded = "" if digits is None else f".round({digits})"
    call = f"mx.nd.{name}(mx.nd.array([{elements}])).asnumpy(){rounded}"
    return example(f">>> print({call})", f"[{results}]")


def on_pairs(name: str, first: str, second: str, results: str) -> str:
    """Returns the section that shows a function of two arrays.

    Args:
        name: Name of the function in `mx.nd`.
        first: The first array as a nested list.
        second: The second one, or a number.
        results: What NumPy prints of the result.
    """
    other = f"mx.nd.array({second})" if second.startswith("[") else second
    return example(
        f">>> x = mx.nd.array({first})",
        f">>> print(mx.nd.{name}(x, {other}).asnumpy())",
        *results.splitlines(),
    )
