"""Gradients in two bits: what is lost of one is added to the next."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import torch
from torch import Tensor

from mxnet._dialect import make_array_like
from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray

_WHERE = "KVStore.set_gradient_compression"


class TwoBitCompression:
    """Rounds the elements of gradients to a threshold, its negative, or zero.

    Args:
        params: `type`, which must be `"2bit"`, and `threshold`, by default 0.5.

    Raises:
        MXNetError: if they are something else.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        given = {"threshold": 0.5, **params}
        if given.get("type") != "2bit":
            raise MXNetError(f"{_WHERE}: type takes '2bit', got {given.get('type')!r}")
        unknown = given.keys() - {"type", "threshold"}
        if unknown:
            raise MXNetError(f"{_WHERE}: takes type and threshold, got {sorted(unknown)}")
        self._threshold = float(given["threshold"])
        if self._threshold <= 0:
            raise MXNetError(f"{_WHERE}: threshold is above 0, got {self._threshold}")
        self._rests: dict[Hashable, Tensor] = {}

    def __call__(self, source: Hashable, gradient: NDArray) -> NDArray:
        """Returns the rounded gradient and keeps the rest for the next one of the same source."""
        if gradient.stype != "default":
            return gradient
        exact = gradient._plain
        rounded = self.decode(self.encode(source, exact).to(exact.dtype))
        return make_array_like(gradient, rounded)

    def encode(self, source: Hashable, exact: Tensor) -> Tensor:
        """Returns 1, -1 or 0 for each element, and keeps the rest for the next of this source."""
        rest = self._rests.get(source)
        total = exact if rest is None else exact + rest
        limit = self._threshold
        codes = (total >= limit).to(torch.int8) - (total <= -limit).to(torch.int8)
        self._rests[source] = total - self.decode(codes.to(total.dtype))
        return codes

    def decode(self, codes: Tensor) -> Tensor:
        """Returns the gradient that codes, or sums of codes, stand for."""
        return codes * self._threshold
