"""The `F` of `hybrid_forward` where it is more than `mx.nd`: it infers shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import torch

from mxnet._formats import element_types
from mxnet._frontend.dialect import make_array, make_array_like
from mxnet._state import modes
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.gluon.parameters import Parameter, ParameterError
from mxnet.ndarray import NDArray
from mxnet.ops.core.registry import Op, all_names, shapes_from_data, tells_input_shapes
from mxnet.ops.core.shapes import shape_is_known


class _Namespace:
    """Looks like a module of functions, with every operator wrapped."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._module, name)
        if isinstance(member, ModuleType):
            return type(self)(member)
        if isinstance(member, type) or not callable(member):
            return member
        op = all_names().get(name) or all_names().get(_canonical(self._module, name))
        return self._wrap(op, name, member)

    def _wrap(self, op: Op | None, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        del op, name
        return function


def _canonical(module: Any, name: str) -> str:
    return f"_{module.__name__.rpartition('.')[2]}_{name}"


class ShapesFoundError(MXNetError):
    """Ends a probe that has found what it was made for; no mistake, and no user sees it."""


def _stop_if_found() -> None:
    """Ends the probe once the wanted shapes are known.

    The operator itself is left out then: torch takes a second to prepare for the first operator on
    arrays without data, and the call that follows runs it anyway.

    Raises:
        ShapesFoundError: if they are.
    """
    if modes.wanted and all(shape_is_known(p._shape) for p in modes.wanted):
        raise ShapesFoundError("all shapes are known")


class Unknown:
    """A parameter whose shape the operator that uses it will tell."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def resolve(self, shape: Sequence[int], ctx: Context) -> NDArray:
        """Sets the shape of the parameter, and returns an array of it without data."""
        self.parameter.shape = tuple(shape)
        return _empty(tuple(shape), self.parameter, ctx)


def without_data(parameter: Parameter, ctx: Context) -> Any:
    """Returns an array without data like the parameter, or what stands for its unknown shape."""
    shape = parameter._shape
    if shape is None or not shape_is_known(shape):
        return Unknown(parameter)
    return _empty(shape, parameter, ctx)


def _empty(shape: tuple[int, ...], parameter: Parameter, ctx: Context) -> NDArray:
    dtype = element_types.to_torch(parameter.dtype)
    return make_array(torch.empty(shape, dtype=dtype, device="meta"), ctx)


def strip_data(value: Any) -> Any:
    """Replaces arrays, also in lists, by arrays of their shape that have no data."""
    if isinstance(value, NDArray):
        return make_array_like(value, value._plain.to("meta"))
    if isinstance(value, (list, tuple)):
        return type(value)(strip_data(item) for item in value)
    return value


class ShapeProbe(_Namespace):
    """Functions that fill in the shapes of parameters among their arguments."""

    def _wrap(self, op: Op | None, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if any(isinstance(item, Unknown) for item in (*args, *kwargs.values())):
                if op is None or op.variadic:
                    raise _cannot_infer(name, (*args, *kwargs.values()))
                resolved, kwargs = _resolve(op, list(args), dict(kwargs))
                _stop_if_found()
                return strip_data(function(*resolved, **kwargs))
            return strip_data(function(*args, **kwargs))

        return call


def _resolve(op: Op, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    names = [item.name for item in op.inputs]
    by_name = dict(zip(names, args, strict=False)) | kwargs
    first = by_name.get(names[0])
    if not isinstance(first, NDArray) or not tells_input_shapes(op):
        raise _cannot_infer(op.name, (*args, *kwargs.values()))
    attrs = {key: value for key, value in kwargs.items() if key in op.attrs}
    filled = shapes_from_data(op, first.shape, op.with_defaults(op.parse_attrs(attrs)))

    def known(name: str, value: Any) -> Any:
        return value.resolve(filled[name], first._ctx) if isinstance(value, Unknown) else value

    count = len(names)
    resolved = [known(name, value) for name, value in zip(names, args, strict=False)]
    return (resolved + args[count:], {name: known(name, value) for name, value in kwargs.items()})


def _cannot_infer(name: str, arguments: Sequence[Any]) -> MXNetError:
    unknown = [item.parameter.name for item in arguments if isinstance(item, Unknown)]
    return ParameterError(
        f"operator {name} does not tell the shape of {', '.join(unknown)}; "
        "give the full shape of the parameter"
    )
