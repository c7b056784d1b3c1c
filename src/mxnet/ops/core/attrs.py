"""Attributes of operators: annotation -> codec between Python values and MXNet's strings.

An attribute arrives as a Python value from a call or as a string from a symbol file (`"(3, 3)"`,
`"True"`, `"None"`). Both are parsed by the codec which the annotation of the kernel's keyword-only
parameter selects.

Of shapes, a part may be known. Inside of the package a length that is not known is `UNKNOWN`, and
a shape of which not even the number of axes is known is None. So 0 is a length and `()` a shape
like others. In the classic dialect 0 means unknown and `()` that nothing is known; its shapes are
converted where they come in and go out (`ShapeRules`).
"""

from __future__ import annotations

import math
import operator
import re
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import numpy as np
import torch

from mxnet import limits
from mxnet._formats import element_types
from mxnet._start import did_you_mean
from mxnet.errors import AttributeValueError, ShapeMismatchError, UnknownDtypeError, shown
from mxnet.ops.core.scalars import as_number

if TYPE_CHECKING:
    from typing_extensions import Self

Shape: TypeAlias = tuple[int, ...]
"""A tuple of integers; a single integer is taken as a tuple of one."""

OptionalInts: TypeAlias = tuple[int | None, ...]
"""A tuple whose entries may be None, such as the `begin` of a slice."""

ShapeTuple: TypeAlias = tuple[tuple[int, ...], ...]
"""A tuple of tuples of integers; a single integer is taken as a tuple of one."""

Floats: TypeAlias = tuple[float, ...]
"""A tuple of floats; a single number is taken as a tuple of one."""

Number: TypeAlias = int | float
"""A float, or an int where only that can hold the number."""

DType: TypeAlias = torch.dtype
"""An element type, by name or NumPy type."""


REQUIRED: Any = object()
"""Default of an attribute that must be given."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The numbers that an attribute takes; all of a tuple must be such.

    Attributes:
        low: The least one.
        high: The largest one.
        count: How many of them a tuple has, any number if None.
    """

    low: float
    high: float = math.inf
    count: int | None = None

    def allows(self, value: Any) -> bool:
        """Returns whether a parsed value keeps the limit."""
        numbers = value if isinstance(value, tuple) else (value,)
        return self.count in (None, len(numbers)) and all(
            self.low <= number <= self.high for number in numbers
        )

    def __str__(self) -> str:
        words = "" if self.count is None else f"({self.count} of them) "
        if self.high == math.inf:
            return f"{words}of at least {self.low}"
        return f"{words}from {self.low} to {self.high}"


Share: TypeAlias = Annotated[float, Limit(0, 1)]
"""A float from 0 to 1."""

Count: TypeAlias = Annotated[int, Limit(1)]
"""An int of at least 1."""

Grid: TypeAlias = Annotated[Shape, Limit(1, count=2)]
"""A height and a width of at least 1."""


@dataclass(frozen=True, slots=True)
class Codec:
    """Parses one kind of attribute; `expects` is the wording for error messages."""

    expects: str
    parse: Callable[[Any], Any]
    none_is_default: bool = False
    """Whether None stands for the default, as it does for shapes in the original."""
    options: tuple[str, ...] = ()
    """All values that there are, if they are names."""


@dataclass(frozen=True, slots=True, eq=False)
class Attr:
    """One attribute of an operator."""

    name: str
    codec: Codec
    default: Any
    limit: Limit | None = None

    @classmethod
    def declared(cls, name: str, annotation: Any, default: Any) -> Self:
        """Makes an attribute from the annotation of a parameter, which may state a limit."""
        if get_origin(annotation) is not Annotated:
            return cls(name, codec_for(annotation), default)
        kind, limit = get_args(annotation)
        return cls(name, codec_for(kind), default, limit)

    @property
    def required(self) -> bool:
        """Whether a call must give the attribute."""
        return self.default is REQUIRED

    def parse(self, value: Any, op_name: str) -> Any:
        """Converts a given value or string, naming operator and attribute when it cannot."""
        if self.codec.none_is_default and _is_none(value) and not self.required:
            return self.default
        if isinstance(value, str):
            limits.check("attribute_text", len(value), f"{op_name}: attribute `{self.name}`")
        try:
            parsed = self.codec.parse(value)
        except UnknownDtypeError as error:
            raise UnknownDtypeError(f"{op_name}: attribute `{self.name}`: {error}") from None
        except (TypeError, ValueError, SyntaxError, OverflowError):
            raise AttributeValueError(
                f"{op_name}: attribute `{self.name}` takes {self.codec.expects}, got {shown(value)}"
                f"{did_you_mean(value, self.codec.options)}"
            ) from None
        if self.limit is not None and not self.limit.allows(parsed):
            raise AttributeValueError(
                f"{op_name}: attribute `{self.name}` takes {self.codec.expects} {self.limit}, "
                f"got {shown(value)}"
            )
        return parsed


def _is_none(value: Any) -> bool:
    """Returns whether a value is None or its name; `==` would compare a NumPy array by element."""
    return value is None or (isinstance(value, str) and value == "None")


def is_constant(value: Any) -> bool:
    """Returns whether a value never changes, so that what it is parsed to can be kept."""
    if isinstance(value, tuple):
        return all(map(is_constant, value))
    return value is None or isinstance(value, _CONSTANT)


_CONSTANT = (int, float, str, type, np.generic, np.dtype, torch.dtype)


_BRACKETS = {"(": ")", "[": "]"}
_GROUP = re.compile(r"[(\[][^()\[\]]*[)\]]|[^,()\[\]\s]+")
"""A tuple in a tuple, or a number in its place."""
_WORDS = {"None": None, "True": True, "False": False}


def _read_literal(value: Any) -> Any:
    """Reads a string as a number, None, a truth value or a tuple of these; other values pass.

    Strings come from files, so that they are not left to Python's parser, which takes memory and
    depth as the text asks for them.

    Raises:
        ValueError: if the string is nothing of that.
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] in _BRACKETS:
        if len(text) < 2 or text[-1] != _BRACKETS[text[0]]:
            raise ValueError(value)
        inside = text[1:-1].strip()
        return _read_items(inside) if inside else ()
    return _read_items(text) if "," in text else _read_item(text)


def _read_items(text: str) -> tuple[Any, ...]:
    return tuple(map(_read_item, text.removesuffix(",").split(",")))


def _read_item(text: str) -> Any:
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    number = text.removesuffix("L")  # 64-bit integers end so in old symbol files
    try:
        return int(number)
    except ValueError:
        return float(text)


_INT_LIMITS = (-(2**63), 2**63 - 1)


def _parse_bool(value: Any) -> bool:
    if isinstance(value, str):
        words = {"true": True, "1": True, "false": False, "0": False}
        if value.strip().lower() not in words:
            raise ValueError(value)
        return words[value.strip().lower()]
    if isinstance(value, (bool, np.bool_)) or value in (0, 1):
        return bool(value)
    raise ValueError(value)


def _parse_int(value: Any) -> int:
    if not isinstance(value, (int, str)):
        value = _read_scalar(value)
    if isinstance(value, str):
        if value.strip().lower() in ("true", "false"):
            return int(_parse_bool(value))
        value = _read_literal(value)
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    number = operator.index(value)
    if not _INT_LIMITS[0] <= number <= _INT_LIMITS[1]:
        raise OverflowError(number)
    return number


def _parse_float(value: Any) -> float:
    value = _read_scalar(value)
    if isinstance(value, (str, int, float, np.generic)):
        return float(value)
    raise TypeError(value)


def _read_scalar(value: Any) -> Any:
    """Returns the element of an array without axes; other values pass.

    An array of `mx.np` counts as the text that is printed of it, 0.1 where float32 is less exact.
    """
    if isinstance(value, np.ndarray):
        return value[()] if value.ndim == 0 else value
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "asnumpy")
    return str(value) if is_scalar else value


def _parse_number(value: Any) -> Number:
    value = _read_scalar(value)
    if not isinstance(value, (str, int, float, np.generic)):
        raise TypeError(value)
    if isinstance(value, str):
        try:
            return as_number(int(value))
        except ValueError:
            return float(value)
    return as_number(value)


def _sequence_of(parse_item: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def parse(value: Any) -> tuple[Any, ...]:
        value = _read_literal(_read_scalar(value))
        if isinstance(value, (list, tuple, np.ndarray)):
            return tuple(parse_item(item) for item in value)
        return (parse_item(value),)

    return parse


def _parse_shapes(value: Any) -> tuple[Shape, ...]:
    if isinstance(value, str):
        text = value.strip()
        inside = text[1:-1] if text[:1] in _BRACKETS else text
        groups = _GROUP.findall(inside)
        if "".join(inside.split()).strip(",") != ",".join("".join(g.split()) for g in groups):
            raise ValueError(value)
        value = groups
    return tuple(_parse_shape(item) for item in value)


def _parse_optional_int(value: Any) -> int | None:
    return None if _is_none(value) else _parse_int(value)


def _parse_dtype(value: Any) -> torch.dtype:
    return element_types.to_torch(value)


def _parse_str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


_parse_shape = _sequence_of(_parse_int)

_SIMPLE: dict[Any, Codec] = {
    bool: Codec("bool", _parse_bool),
    int: Codec("int", _parse_int),
    float: Codec("float", _parse_float),
    Number: Codec("float", _parse_number),
    str: Codec("str", _parse_str),
    Shape: Codec("a tuple of ints", _parse_shape, none_is_default=True),
    ShapeTuple: Codec("a tuple of tuples of ints", _parse_shapes),
    OptionalInts: Codec(
        "a tuple of ints or None", _sequence_of(_parse_optional_int), none_is_default=True
    ),
    Floats: Codec("a tuple of floats", _sequence_of(_parse_float)),
    DType: Codec("a dtype", _parse_dtype),
}


def _optional(codec: Codec) -> Codec:
    def parse(value: Any) -> Any:
        return None if _is_none(value) else codec.parse(value)

    return Codec(f"{codec.expects} or None", parse, options=codec.options)


def _choice(options: tuple[str, ...]) -> Codec:
    def parse(value: Any) -> str:
        if value not in options:
            raise ValueError(value)
        return str(value)

    return Codec("one of " + ", ".join(map(repr, options)), parse, options=options)


def codec_for(annotation: Any) -> Codec:
    """Selects the codec for a kernel parameter's annotation.

    Raises:
        TypeError: for an annotation without a codec, when the operator is declared.
    """
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    origin = get_origin(annotation)
    if origin is Literal:
        return _choice(get_args(annotation))
    if origin in (Union, types.UnionType):
        inner = [part for part in get_args(annotation) if part is not type(None)]
        if len(inner) < len(get_args(annotation)):
            return _optional(codec_for(reduce(operator.or_, inner)))
    raise TypeError(f"no attribute codec for annotation {annotation!r}")


def write(value: Any) -> str:
    """Writes a value that a program gives, with NumPy's numbers as plain ones.

    Since NumPy 2 those show their type where they stand in a tuple: `(np.int64(3), 3)`.
    """
    if type(value) in _PLAIN or (
        type(value) in (list, tuple) and _PLAIN.issuperset(map(type, value))
    ):
        return str(value)
    return str(_plain(value))


_PLAIN = frozenset({bool, int, float, str, type(None)})


def _plain(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    if isinstance(value, np.floating):
        return float(str(value))  # the digits that its own precision needs
    return value.item() if isinstance(value, np.generic) else value


def encode(value: Any) -> str:
    """Writes an attribute value as MXNet's symbol files do."""
    if isinstance(value, torch.dtype):
        return element_types.name_of(value)
    if isinstance(value, tuple):
        inner = ", ".join(encode(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)


UNKNOWN = -1
"""A length that is not known."""


@dataclass(frozen=True, slots=True)
class ShapeRules:
    """How a dialect writes shapes.

    Attributes:
        unknown: What stands for a length that is not known; so do all numbers below it.
        has_scalars: Whether `()` is the shape of a scalar. Otherwise nothing is known of it.
        element: Shape of one element of a vector.
    """

    unknown: int
    has_scalars: bool
    element: Shape

    def read(self, shape: Sequence[int] | None) -> Shape | None:
        """Returns a shape that a program wrote, or a kernel returned, in the inner form."""
        if shape is None or not (shape or self.has_scalars):
            return None
        if min(shape, default=0) > self.unknown:
            return tuple(shape)
        return tuple(UNKNOWN if length <= self.unknown else length for length in shape)

    def write(self, shape: Shape | None) -> Shape | None:
        """Returns a shape in the form that programs of the dialect see."""
        if shape is None:
            return None if self.has_scalars else ()
        if UNKNOWN not in shape:
            return tuple(shape)
        return tuple([self.unknown if length == UNKNOWN else length for length in shape])


CLASSIC_SHAPES = ShapeRules(unknown=0, has_scalars=False, element=(1,))
"""Shapes of `mx.nd`, `mx.sym` and files."""

NUMPY_SHAPES = ShapeRules(unknown=-1, has_scalars=True, element=())
"""Shapes of `mx.np` and `mx.sym.np`, and of the others inside of `np_shape`."""

PARAMETER_SHAPES = ShapeRules(unknown=0, has_scalars=True, element=(1,))
"""Shapes of parameters. None is empty, so that 0 means unknown in every dialect."""


def list_lengths(shape: Any) -> Any:
    """Returns the lengths of a shape that a program gave: one, or a collection or array of them."""
    if isinstance(shape, np.ndarray):
        return shape.reshape(-1).tolist()
    return (int(shape),) if isinstance(shape, (int, np.integer)) else shape


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Returns whether the number of axes and all lengths are known."""
    return shape is not None and UNKNOWN not in shape


def shapes_agree(first: Shape, second: Shape) -> bool:
    """Returns whether two shapes may be of one array."""
    if len(first) != len(second):
        return False
    for one, other in zip(first, second, strict=True):
        if one != other and UNKNOWN not in (one, other):
            return False
    return True


def show_shape(shape: Shape) -> str:
    """Writes a shape for messages, such as `(?, 3)`."""
    lengths = ", ".join("?" if length == UNKNOWN else str(length) for length in shape)
    return f"({lengths},)" if len(shape) == 1 else f"({lengths})"


def merge_shapes(first: Shape | None, second: Shape | None) -> Shape | None:
    """Joins what is known of a shape.

    Raises:
        ShapeMismatchError: if the two contradict each other.
    """
    if first is None or second is None or first == second:
        return second if first is None else first
    if not shapes_agree(first, second):
        raise ShapeMismatchError(
            f"shape {show_shape(first)} does not agree with {show_shape(second)}"
        )
    pairs = zip(first, second, strict=True)
    return tuple([other if one == UNKNOWN else one for one, other in pairs])
