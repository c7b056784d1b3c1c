"""Moving the arrays of a batch to another context."""

from __future__ import annotations

from typing import Any

import torch

from mxnet._frontend.dialect import dialect_of
from mxnet.context import Context, intern
from mxnet.ndarray import NDArray


def _as_in_context(data: Any, ctx: Context) -> Any:
    """Moves the arrays in a batch to a context; tuples become lists."""
    if isinstance(data, NDArray):
        if ctx.device_type == "cpu_pinned" and torch.cuda.is_available():
            pinned = data._plain.cpu().pin_memory()
            return dialect_of(data).array._wrap(pinned, intern(ctx))
        return data.as_in_context(ctx)
    if isinstance(data, (list, tuple)):
        return [_as_in_context(item, ctx) for item in data]
    if isinstance(data, dict):
        return {key: _as_in_context(item, ctx) for key, item in data.items()}
    return data
