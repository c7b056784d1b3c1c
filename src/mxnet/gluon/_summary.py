"""The table that `Block.summary` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Protocol

from mxnet.errors import CheckFailedError
from mxnet.gluon.parameter import Parameter
from mxnet.gluon.utils import HookHandle
from mxnet.ndarray import NDArray

_WIDTH = 80
_ROW = "{:>20}  {:>42} {:>15}"


class Summarizable(Protocol):
    """The part of a network that the table uses."""

    _reg_params: dict[str, Parameter]

    @property
    def name(self) -> str:
        """Name of the network."""

    def __call__(self, *args: Any) -> Any:
        """Runs the network."""

    def apply(self, fn: Any) -> Any:
        """Calls a function with every block."""

    def register_forward_hook(self, hook: Any) -> HookHandle:
        """Calls a function after each forward."""


def _shapes(value: Any) -> Any:
    if isinstance(value, NDArray):
        return value.shape
    if isinstance(value, (list, tuple)):
        listed = [_shapes(item) for item in value]
        return listed[0] if len(listed) == 1 else listed
    return value


class _Count:
    """Counts the elements of parameters, with and without repetition."""

    def __init__(self) -> None:
        self.total = self.trainable = self.unique = 0
        self._seen: set[int] = set()

    def add(self, parameters: Iterator[Parameter]) -> int:
        size = 0
        for parameter in parameters:
            elements = prod(parameter.shape or ())
            size += elements
            if parameter.grad_req != "null":
                self.trainable += elements
            if id(parameter) not in self._seen:
                self._seen.add(id(parameter))
                self.unique += elements
        self.total += size
        return size


def print_summary(net: Summarizable, inputs: Sequence[Any]) -> None:
    """Runs a network and prints the output shapes of its blocks, in the order they finish."""
    rows: list[tuple[str, Any, int]] = [("Input", _shapes(inputs), 0)]
    count = _Count()
    handles: list[HookHandle] = []

    def note(block: Any, _: Any, output: Any) -> None:
        label = f"{type(block).__name__}-{len(rows)}"
        rows.append((label, _shapes(output), count.add(iter(block._reg_params.values()))))

    def watch(block: Any) -> None:
        if getattr(block, "_active", False):
            raise CheckFailedError(
                f"{type(block).__name__} {block.name!r} must not be hybridized to print a summary; "
                "call hybridize(False) on the network first"
            )
        if block._in_summary:
            handles.append(block.register_forward_hook(note))

    try:
        net.apply(watch)
        net(*inputs)
    finally:
        for handle in handles:
            handle.detach()
    _print(rows, count)


def _listed(shape: Any) -> str:
    return str(shape)[1:-1] if isinstance(shape, list) else str(shape)


def _print(rows: Sequence[tuple[str, Any, int]], count: _Count) -> None:
    lines = ["-" * _WIDTH, _ROW.format("Layer (type)", "Output Shape", "Param #"), "=" * _WIDTH]
    lines += [_ROW.format(label, _listed(shape), size) for label, shape, size in rows]
    lines += [
        "=" * _WIDTH,
        "Parameters in forward computation graph, duplicate included",
        f"   Total params: {count.total}",
        f"   Trainable params: {count.trainable}",
        f"   Non-trainable params: {count.total - count.trainable}",
        f"Shared params in forward computation graph: {count.total - count.unique}",
        f"Unique parameters in model: {count.unique}",
        "-" * _WIDTH,
    ]
    print("\n".join(lines))  # noqa: T201 - printing is what it is for
