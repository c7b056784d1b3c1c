"""Gradients that travel as shorter codes, whose sums stand for sums of gradients."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from typing import Any

import torch
from torch import Tensor

from mxnet._frontend.dialect import make_array_like
from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray

_WHERE = "KVStore.set_gradient_compression"


class Compression(ABC):
    """Rounds gradients before they are sent."""

    def __call__(self, source: Hashable, gradient: NDArray) -> NDArray:
        """Returns what arrives of a gradient; sparse ones are not rounded.

        Args:
            source: Whose gradient it is.
            gradient: The gradient.
        """
        if gradient.stype != "default":
            return gradient
        exact = gradient._plain
        rounded = self.decode(self.encode(source, exact).to(exact.dtype))
        self.settle()
        return make_array_like(gradient, rounded)

    @abstractmethod
    def code_dtype(self, dtype: torch.dtype, num_workers: int) -> torch.dtype:
        """Returns the dtype in which the codes of gradients, and their sums, are sent.

        Args:
            dtype: That of the gradients.
            num_workers: Number of processes whose codes are added up.
        """

    @abstractmethod
    def encode(self, source: Hashable, exact: Tensor) -> Tensor:
        """Returns the codes of a gradient; those of an earlier call do not count until `settle`."""

    @abstractmethod
    def settle(self) -> None:
        """Takes notice that the codes of the last calls have been sent."""

    @abstractmethod
    def decode(self, codes: Tensor) -> Tensor:
        """Returns the gradient that codes, or sums of codes, stand for."""


class HalfCompression(Compression):
    """Sends gradients of more than two bytes an element in half precision.

    Args:
        divisor: What gradients are divided by on their way, so that sums do not overflow.
    """

    def __init__(self, divisor: float = 1.0) -> None:
        self._divisor = divisor

    def code_dtype(self, dtype: torch.dtype, num_workers: int) -> torch.dtype:  # noqa: ARG002
        return torch.float16 if dtype.is_floating_point and dtype.itemsize > 2 else dtype

    def encode(self, source: Hashable, exact: Tensor) -> Tensor:  # noqa: ARG002 - nothing is kept
        divided = exact if self._divisor == 1 else exact / self._divisor
        return divided.to(self.code_dtype(exact.dtype, 1))

    def settle(self) -> None:
        pass  # nothing is kept

    def decode(self, codes: Tensor) -> Tensor:
        wide = codes.float() if codes.dtype is torch.float16 else codes
        return wide if self._divisor == 1 else wide * self._divisor


class TwoBitCompression(Compression):
    """Rounds elements to a threshold, its negative, or zero, and adds what is lost to the next.

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
        if not self._threshold > 0:
            raise MXNetError(f"{_WHERE}: threshold is above 0, got {self._threshold}")
        self._rests: dict[Hashable, Tensor] = {}
        self._next_rests: dict[Hashable, Tensor] = {}
        """What the codes leave that may yet be replaced by others of the same source."""

    def code_dtype(self, dtype: torch.dtype, num_workers: int) -> torch.dtype:  # noqa: ARG002
        return torch.int8 if num_workers < 128 else torch.int32

    def encode(self, source: Hashable, exact: Tensor) -> Tensor:
        """Returns 1, -1 or 0 for each element; the rest is for the next gradient of this source."""
        rest = self._rests.get(source)
        total = exact if rest is None else exact + rest
        limit = self._threshold
        codes = (total >= limit).to(torch.int8) - (total <= -limit).to(torch.int8)
        self._next_rests[source] = total - self.decode(codes.to(total.dtype))
        return codes

    def settle(self) -> None:
        self._rests.update(self._next_rests)
        self._next_rests.clear()

    def decode(self, codes: Tensor) -> Tensor:
        return codes * self._threshold
