"""Arrays that each context has one of: their sum, also of compressed gradients, and copies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._frontend.dialect import functions_for, make_array_like
from mxnet.context import Context
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


def copy_to_all(value: NDArray, arrays: Sequence[NDArray]) -> None:
    """Copies an array to others, among which it may be itself."""
    for array in arrays:
        if array is not value:
            array._writable().copy_(value._plain)


def add_up_in_place(
    keys: Sequence[Hashable], replicas: Sequence[Sequence[NDArray]], compress: Compression | None
) -> None:
    """Replaces the arrays of each key by their sum, computed on the context of the first."""
    dense: list[list[Tensor]] = []
    for key, arrays in zip(keys, replicas, strict=True):
        if compress is None and arrays[0].stype == "default":
            dense.append([array._writable() for array in arrays])
            continue
        total = _sum(key, arrays, compress)
        for array in arrays:
            total.copyto(array)
    if dense:
        _add_up_dense(dense)


def add_together(arrays: Sequence[NDArray], home: Context) -> NDArray:
    """Returns the sum of arrays, which may be sparse, on a context; it is stored as the first."""
    beside = [array.as_in_context(home) for array in arrays]
    total: NDArray = functions_for(beside[0]).add_n(*beside)
    return total if total.stype == beside[0].stype else total.tostype(beside[0].stype)


def _sum(key: Hashable, arrays: Sequence[NDArray], compress: Compression | None) -> NDArray:
    """Returns the sum of arrays that may be sparse or rounded."""
    home = arrays[0].context
    if compress is not None:
        arrays = [compress((key, i), array) for i, array in enumerate(arrays)]
    return add_together(arrays, home)


def _add_up_dense(replicas: Sequence[Sequence[Tensor]]) -> None:
    """Adds tensors up with one call for each context, not for each key."""
    totals, *others = (list(column) for column in zip(*replicas, strict=True))
    for column in others:
        torch._foreach_add_(totals, [item.to(totals[0].device) for item in column])
    for column in others:
        torch._foreach_copy_(column, totals)
