"""How blocks are shown: the table that `Block.summary` prints, and the tree in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from html import escape
from math import prod
from typing import Any, NamedTuple, Protocol

from mxnet._formats import element_types
from mxnet.errors import CheckFailedError
from mxnet.gluon.parameter import Parameter
from mxnet.gluon.utils import HookHandle
from mxnet.graph.infer import count_flops
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
            num_bytes += elements * element_types.to_torch(parameter.dtype).itemsize
            if parameter.grad_req != "null":
                self.trainable += elements
            if id(parameter) not in self._seen:
                self._seen.add(id(parameter))
                self.unique += elements
                self.unique_bytes += elements * element_types.to_torch(parameter.dtype).itemsize
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
        return prod(value.shape) * element_types.to_torch(value.dtype).itemsize
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


_LONGEST = 120
"""Letters of the description of a block."""
_TREE_ROW = '<div style="padding-left:1.1em">{}</div>'
_FAINT = '<span style="opacity:.7">{}</span>'


def tree_to_html(block: Any) -> str:
    """Returns a block with its children as HTML: each with its parameters, their shapes and number.

    A parameter that several children share is counted once in each of them, and once in the whole.

    Args:
        block: The network, whose shapes need not be known yet.
    """
    return f'<div style="font-family:monospace">{_node("", block, is_open=True)}</div>'


def _node(key: str, block: Any, *, is_open: bool = False) -> str:
    """Returns the HTML of a block, which unfolds if there is something inside of it."""
    # The attributes are missing if a constructor did not call that of its base.
    children = block.__dict__.get("_children", {})
    own = block.__dict__.get("_reg_params", {})
    name = f"{_FAINT.format(escape(f'({key}):'))} " if key else ""
    line = f"{name}{escape(_describe(block, children))}{_FAINT.format(_count(_all(block)))}"
    if not children and not own:
        return _TREE_ROW.format(line)
    inside = [_TREE_ROW.format(_parameter(name, item)) for name, item in own.items()]
    inside += [_node(key, child) for key, child in children.items()]
    opened = " open" if is_open else ""
    tree = f"<details{opened}><summary>{line}</summary>{''.join(inside)}</details>"
    return tree if is_open else _TREE_ROW.format(tree)


def _describe(block: Any, children: Any) -> str:
    """Returns the class of a block; a layer without children describes itself, on one line."""
    if children:
        return type(block).__name__
    text = " ".join(repr(block).split())
    text = type(block).__name__ if text == f"{type(block).__name__}( )" else text
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _all(block: Any) -> Iterable[Any]:
    """Returns the parameters of a block and of all inside of it, each once."""
    found: dict[int, Any] = {}
    waiting = [block]
    while waiting:
        current = waiting.pop()
        found.update((id(item), item) for item in current.__dict__.get("_reg_params", {}).values())
        waiting += current.__dict__.get("_children", {}).values()
    return found.values()


def _count(parameters: Iterable[Any]) -> str:
    """Returns the number of elements, as far as shapes are known."""
    listed = list(parameters)
    if not listed:
        return ""
    known = sum(prod(item.shape) for item in listed if _is_known(item.shape))
    unknown = sum(not _is_known(item.shape) for item in listed)
    if not unknown:
        return f" {known:,} parameters"
    shapes = f"{unknown} shape{'s' * (unknown > 1)} unknown"
    return f" at least {known:,} parameters, {shapes}" if known else f" {shapes}"


def _is_known(shape: tuple[int, ...] | None) -> bool:
    return shape is not None and all(length > 0 for length in shape)


def _parameter(name: str, parameter: Any) -> str:
    """Returns the line of a parameter: `weight 10x20 float32`, with `?` for unknown lengths."""
    shape = parameter.shape
    lengths = "?" if shape is None else "x".join(str(n) if n > 0 else "?" for n in shape)
    dtype = getattr(parameter.dtype, "__name__", parameter.dtype)
    fixed = ", no gradient" if parameter.grad_req == "null" else ""
    return f"{escape(name)} {_FAINT.format(escape(f'{lengths} {dtype}{fixed}'))}"
