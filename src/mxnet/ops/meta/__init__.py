"""Output shapes and dtypes of an operator: the kernel itself, run on `meta` tensors.

torch computes shapes of most operators in Python. The first such call of a process imports its
compiler and a library of symbolic mathematics, which takes one to two seconds, and every call
takes a fraction of a millisecond. The rules of this room cover what the kernels of this package
call, on ordinary arguments; whatever they do not cover goes to torch, errors included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode, _pop_mode, _push_mode

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import KERNEL_ERRORS, Op, as_tuple
from mxnet.ops.meta import elements, layers
from mxnet.ops.meta.elements import NoRuleError, Rule

if TYPE_CHECKING:
    from typing_extensions import Self

_UNUSUAL = (NoRuleError, AttributeError, IndexError, TypeError, ValueError, ZeroDivisionError)
"""What rules raise for arguments that they do not expect."""


def _collect() -> dict[Any, Rule]:
    """Returns the rules by torch's operator, those that this release of torch has."""
    rules: dict[Any, Rule] = {}
    for family in (elements, layers):
        for name, rule in family.RULES.items():
            packet_name, _, overload = name.partition(".")
            packet = getattr(torch.ops.aten, packet_name, None)
            operator = getattr(packet, overload or "default", None)
            if operator is not None:
                rules[operator] = rule
    return rules


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def _are_without_data(values: Iterable[Any]) -> bool:
    """Returns whether the result has no data; single numbers among the operands may have."""
    has_number = has_meta = False
    for tensor in _tensors(values):
        if tensor.is_meta:
            has_meta = True
        elif tensor.ndim:
            return False
        else:
            has_number = True
    return has_meta or not has_number


class MetaRules(TorchDispatchMode):  # type: ignore[no-untyped-call]  # of torch
    """Asks our rules before torch what an operator returns on meta tensors."""

    _rules: dict[Any, Rule] | None = None

    def __init__(self) -> None:
        # Neither here nor in `with` the base class's way: it keeps flags of the whole process in
        # the mode, which threads that come and go restore in the wrong order.
        pass

    def __enter__(self) -> Self:
        _push_mode(self)
        return self

    def __exit__(self, *_: object) -> None:
        _pop_mode()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # otherwise torch imports its compiler to keep it out

    def __torch_dispatch__(
        self,
        func: Any,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        options = kwargs or {}
        rules = MetaRules._rules
        if rules is None:
            rules = MetaRules._rules = _collect()
        rule = rules.get(func)
        if rule is not None and _are_without_data((*args, *options.values())):
            try:
                return rule(*args, **options)
            except _UNUSUAL:
                pass  # torch knows, or says what is wrong
        return func(*args, **options)


_META = torch.device("meta")


class DataDependentShapeError(MXNetError):
    """The shape of an output depends on the values of inputs."""


def infer(
    op: Op,
    shapes: Sequence[Shape | None],
    dtypes: Sequence[torch.dtype | None],
    attrs: Mapping[str, Any],
    *,
    training: bool = False,
    in_graph: bool = False,
) -> list[tuple[Shape, torch.dtype]]:
    """Returns shape and dtype of each output, hidden ones included.

    Args:
        op: The operator.
        shapes: Shape of each input, None for a missing optional one.
        dtypes: Dtype of each input.
        attrs: Parsed attributes.
        training: Whether to infer for training mode.
        in_graph: Whether a graph calls the operator.

    Raises:
        DataDependentShapeError: if shapes alone do not tell.
        MXNetError: if the inputs do not fit the operator.
    """
    tensors = [
        None if shape is None else torch.empty(shape, dtype=dtype, device=_META)
        for shape, dtype in zip(shapes, dtypes, strict=True)
    ]
    values = {"training": training, "generator": None, "device": _META}
    supplied = {name: values[name] for name in op.supplied}
    kernel = (op.traits.in_graphs if in_graph else None) or op.kernel
    try:
        with MetaRules():
            outputs = as_tuple(kernel(*tensors, **attrs, **supplied))
    except NotImplementedError as error:
        raise DataDependentShapeError(f"{op.name}: shapes depend on data: {error}") from error
    except KERNEL_ERRORS as error:
        if isinstance(error, MXNetError):
            raise
        raise MXNetError(f"{op.name}: cannot infer shapes from {list(shapes)}: {error}") from error
    return [(tuple(output.shape), output.dtype) for output in outputs]
