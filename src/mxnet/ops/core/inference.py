"""Output shapes and dtypes of an operator: the kernel itself, run on `meta` tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import KERNEL_ERRORS, Op, as_tuple
from mxnet.ops.meta import MetaRules

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
