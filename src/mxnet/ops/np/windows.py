"""Windows of signal processing."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet.errors import AttributeValueError
from mxnet.ops.attrs import DType
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_size

Formula: TypeAlias = Callable[[Tensor], Tensor]
"""Computes a window from the angles of its points, from 0 to a full turn."""


def _declare(name: str, formula: Formula, summary: str) -> None:
    def kernel(
        *,
        M: int | None = None,
        ctx: str = "",
        dtype: DType = torch.float32,
        device: torch.device,
    ) -> Tensor:
        """Creates a window.

        Args:
            M: Number of points; of one point the value is 1, and there are none below.
            ctx: Context of the array.
            dtype: Type of its elements; an integer type cuts fractions off.
            device: Where to allocate it.
        """
        if M is None:
            raise AttributeValueError(f"{name}: required attribute `M` is not given")
        check_size(name, (max(M, 0),), dtype, device)
        wide = torch.promote_types(dtype, torch.float32)
        if M <= 1:
            return torch.ones(max(M, 0), dtype=dtype, device=device)
        angles = torch.arange(M, dtype=wide, device=device).mul_(2 * pi / (M - 1))
        return formula(angles).to(dtype)

    op(name, summary=summary)(kernel)


_declare(
    "_npi_blackman",
    lambda angles: 0.42 - 0.5 * angles.cos() + 0.08 * (2 * angles).cos(),
    "Creates a Blackman window.",
)
_declare("_npi_hamming", lambda angles: 0.54 - 0.46 * angles.cos(), "Creates a Hamming window.")
_declare("_npi_hanning", lambda angles: 0.5 - 0.5 * angles.cos(), "Creates a Hann window.")
