"""The table that `Block.summary` prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from math import prod
from typing import Any, NamedTuple, Protocol

from mxnet import _dtypes
from mxnet.errors import CheckFailedError
from mxnet.gluon.parameter import Parameter
from mxnet.gluon.utils import HookHandle
from mxnet.graph.costs import count_flops
from mxnet.ndarray import NDArray
from mxnet.ops.core.interposing import interpose
from mxnet.ops.core.registry import Op, as_tuple

_WIDTH = 80
_ROW = "{:>20}  {:>42} {:>15}"
_COSTS = " {:>14} {:>14}"


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
        self.total = self.trainable = self.unique = self.unique_bytes = 0
        self._seen: set[int] = set()

    def add(self, parameters: Iterable[Parameter]) -> tuple[int, int]:
        """Counts parameters of a block and returns their elements and their bytes."""
        size = num_bytes = 0
        for parameter in parameters:
            elements = prod(parameter.shape or ())
            size += elements
            num_bytes += elements * _dtypes.to_torch(parameter.dtype).itemsize
            if parameter.grad_req != "null":
                self.trainable += elements
            if id(parameter) not in self._seen:
                self._seen.add(id(parameter))
                self.unique += elements
                self.unique_bytes += elements * _dtypes.to_torch(parameter.dtype).itemsize
        self.total += size
        return size, num_bytes


class _Row(NamedTuple):
    label: str
    shape: Any
    num_parameters: int
    flops: int
    num_bytes: int
    """Bytes of the parameters and of the output."""


class _Operations:
    """Counts the operations of blocks, without those of the blocks inside of them."""

    def __init__(self) -> None:
        self.total = 0
        self._open: list[int] = [0]

    def enter(self, *_: Any) -> None:
        self._open.append(0)

    def leave(self) -> int:
        return self._open.pop() if len(self._open) > 1 else 0

    def note(self, op: Any, kernel: Any, tensors: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """Runs a kernel and counts what it does, unless it only finds out a shape."""
        result = kernel(*tensors, **attrs)
        given = [tensor for tensor in tensors if tensor is not None]
        if isinstance(op, Op) and not any(tensor.is_meta for tensor in given):
            shapes = [tuple(tensor.shape) for tensor in given]
            results = [tuple(tensor.shape) for tensor in as_tuple(result)]
            count = count_flops(op, shapes, results, op.with_defaults(attrs)) or 0
            self.total += count
            self._open[-1] += count
        return result


def print_summary(net: Summarizable, inputs: Sequence[Any], costs: bool = False) -> None:
    """Runs a network and prints the output shapes of its blocks, in the order they finish.

    Args:
        net: The network.
        inputs: What it is run on.
        costs: Whether to print operations and memory too.
    """
    rows = [_Row("Input", _shapes(inputs), 0, 0, 0)]
    count, operations = _Count(), _Operations()
    output_bytes = 0
    handles: list[HookHandle] = []

    def note(block: Any, _: Any, output: Any) -> None:
        nonlocal output_bytes
        num_parameters, num_bytes = count.add(block._reg_params.values())
        size = _bytes_of(output)
        output_bytes += size
        flops = operations.leave() if costs else 0
        label = f"{type(block).__name__}-{len(rows)}"
        rows.append(_Row(label, _shapes(output), num_parameters, flops, num_bytes + size))

    def watch(block: Any) -> None:
        if getattr(block, "_active", False):
            raise CheckFailedError(
                f"{type(block).__name__} {block.name!r} must not be hybridized to print a summary; "
                "call hybridize(False) on the network first"
            )
        if block._mx_in_summary:
            if costs:
                handles.append(block.register_forward_pre_hook(operations.enter))
            handles.append(block.register_forward_hook(note))

    try:
        net.apply(watch)
        with interpose(operations.note) if costs else nullcontext():
            net(*inputs)
    finally:
        for handle in handles:
            handle.detach()
    _print(rows, count, (operations.total, output_bytes) if costs else None)


def _bytes_of(value: Any) -> int:
    if isinstance(value, NDArray):
        return prod(value.shape) * _dtypes.to_torch(value.dtype).itemsize
    return sum(map(_bytes_of, value)) if isinstance(value, (list, tuple)) else 0


def _listed(shape: Any) -> str:
    return str(shape)[1:-1] if isinstance(shape, list) else str(shape)


def _print(rows: Sequence[_Row], count: _Count, costs: tuple[int, int] | None) -> None:
    width = _WIDTH if costs is None else _WIDTH + len(_COSTS.format("", ""))

    def line(label: str, shape: str, size: object, *more: object) -> str:
        return _ROW.format(label, shape, size) + ("" if costs is None else _COSTS.format(*more))

    lines = ["-" * width, line("Layer (type)", "Output Shape", "Param #", "FLOPs", "Memory")]
    lines.append("=" * width)
    lines += [line(row.label, _listed(row.shape), *row[2:]) for row in rows]
    lines += [
        "=" * width,
        "Parameters in forward computation graph, duplicate included",
        f"   Total params: {count.total}",
        f"   Trainable params: {count.trainable}",
        f"   Non-trainable params: {count.total - count.trainable}",
        f"Shared params in forward computation graph: {count.total - count.unique}",
        f"Unique parameters in model: {count.unique}",
    ]
    if costs is not None:
        lines += [
            f"Floating-point operations of this call: {costs[0]}",
            f"Bytes of parameters: {count.unique_bytes}",
            f"Bytes of outputs of blocks: {costs[1]}",
        ]
    lines.append("-" * width)
    print("\n".join(lines))  # noqa: T201 - printing is what it is for
