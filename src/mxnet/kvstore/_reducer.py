"""Adding gradients up over processes, as far as possible while the backward pass still runs.

Gradients are copied to buckets, which travel in a fixed order. A bucket sets out as soon as the
backward pass has computed its members, without waiting for the end. The last one waits until the
sums are asked for, and carries notes: which gradients are new on how many processes, and
whether a program has changed gradients that are already on their way. Those are then sent once
more, on all processes, and from then on only when the sums are asked for.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import torch
from torch import Tensor, distributed

from mxnet._arrays.unseen_writes import Mark
from mxnet._frontend.dialect import make_array_like
from mxnet._state import processes
from mxnet.errors import MXNetError
from mxnet.kvstore._exchange import RowExchange, gather
from mxnet.kvstore._replicas import Compression
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.ops.nn.layouts import has_channels_last

_SIZE_VARIABLE = "MXNET_KVSTORE_BUCKET_MB"
_MOST_MEGABYTES = 25.0
"""From this size on a bucket uses a network well."""

_LEAST_MEGABYTES = 1.0
"""Size of the first bucket, so that the network does not wait long for something to do."""

_FEWEST = 8
"""About as many buckets are made of gradients that are large enough: the last one is sent when the
backward pass is over, and is waited for."""


class Layout(NamedTuple):
    """What decides where a gradient goes.

    Attributes:
        shape: Its shape.
        dtype: Its element type.
        device: Where it is added up.
        early: Whether it may be sent as soon as the backward pass has computed it.
        channels_last: Whether it is that of filters with their channels last in memory.
    """

    shape: torch.Size
    dtype: torch.dtype
    device: torch.device
    early: bool
    channels_last: bool = False

    def view(self, flat: Tensor) -> Tensor:
        """Returns flat memory in the shape of the gradient."""
        if not self.channels_last:
            return flat.view(self.shape)
        number, channels, height, width = self.shape
        return flat.view(number, height, width, channels).permute(0, 3, 1, 2)


@dataclass(eq=False, slots=True)
class Bucket:
    """Gradients that are sent together.

    Attributes:
        flat: Their memory, and that of the notes in the last bucket.
        members: Positions of the gradients.
        views: The memory of each of them, with version counters of their own.
        early: Whether it may be sent during the backward pass.
        missing: Number of members that the backward pass has not computed yet.
        work: What to wait for until the sums are there.
    """

    flat: Tensor
    members: list[int]
    views: list[Tensor]
    early: bool
    missing: int = 0
    work: Any = None


_Kind: TypeAlias = tuple[torch.dtype, torch.device, bool]
"""Element type, device, and whether gradients may be sent early."""


class _Slice(NamedTuple):
    """A bucket before it has memory."""

    kind: _Kind
    members: list[int]
    length: int


def bucket_bytes(num_bytes: float) -> float:
    """Returns how large buckets are, which the environment may say.

    Args:
        num_bytes: Size of all gradients together.

    Raises:
        MXNetError: if it does not say a positive number.
    """
    text = os.environ.get(_SIZE_VARIABLE, "")
    if not text:
        least, most = _LEAST_MEGABYTES * 2**20, _MOST_MEGABYTES * 2**20
        return min(most, max(least, num_bytes / _FEWEST))
    try:
        megabytes = float(text)
    except ValueError:
        megabytes = 0.0
    if not megabytes > 0:
        raise MXNetError(f"{_SIZE_VARIABLE}: takes a number above 0, got {text!r}")
    return megabytes * 2**20


def make_buckets(layouts: dict[int, Layout], order: Sequence[int], num_notes: int) -> list[Bucket]:
    """Makes buckets for gradients, in the order in which they are to be sent.

    There is one piece of memory for each dtype and device, of which buckets are parts. The last
    bucket has room for notes that processes send each other. It is on the CPU and in a dtype that
    counts exactly, so that reading the notes waits for no device; if no gradient is like that, it
    has notes alone.

    Args:
        layouts: What is known of each gradient, by position.
        order: The positions, in the order in which backward passes compute the gradients.
        num_notes: Number of notes.
    """
    slices = _slice(layouts, order)
    last = slices[-1].kind if slices else None
    has_room = last is not None and _can_count(*last[:2])
    notes_kind = last if last is not None and has_room else _NOTES_KIND
    lengths: dict[_Kind, int] = {notes_kind: num_notes}
    for item in slices:
        lengths[item.kind] = lengths.get(item.kind, 0) + item.length
    if not has_room:
        slices.append(_Slice(_NOTES_KIND, [], 0))
    rest = {
        kind: torch.zeros(length, dtype=kind[0], device=kind[1]) for kind, length in lengths.items()
    }
    buckets: list[Bucket] = []
    for number, item in enumerate(slices):
        is_last = number == len(slices) - 1
        length = item.length + num_notes if is_last else item.length
        flat, rest[item.kind] = rest[item.kind][:length], rest[item.kind][length:]
        views, begin = [], 0
        for position in item.members:
            layout = layouts[position]
            end = begin + layout.shape.numel()
            views.append(layout.view(flat[begin:end]).data)
            begin = end
        buckets.append(Bucket(flat, item.members, views, item.kind[2] and not is_last))
    return buckets


_NOTES_KIND = (torch.float64, torch.device("cpu"), False)


def _can_count(dtype: torch.dtype, device: torch.device) -> bool:
    return device.type == "cpu" and dtype in (torch.float32, torch.float64)


def _slice(layouts: dict[int, Layout], order: Sequence[int]) -> list[_Slice]:
    """Cuts the gradients into buckets, sorted by when the last of their members is computed."""
    largest = bucket_bytes(
        sum(layout.shape.numel() * layout.dtype.itemsize for layout in layouts.values())
    )
    limits: dict[_Kind, float] = {}
    open_slices: dict[_Kind, _Slice] = {}
    closed: list[_Slice] = []
    for position in order:
        layout = layouts[position]
        kind = (layout.dtype, layout.device, layout.early)
        before = open_slices.pop(kind, _Slice(kind, [], 0))
        item = _Slice(kind, [*before.members, position], before.length + layout.shape.numel())
        limit = limits.get(kind, min(largest, _LEAST_MEGABYTES * 2**20))
        if item.length * kind[0].itemsize >= limit:
            closed.append(item)
            limits[kind] = largest
        else:
            open_slices[kind] = item
    places = {position: place for place, position in enumerate(order)}
    return sorted((*closed, *open_slices.values()), key=lambda item: places[item.members[-1]])


class Gradient(NamedTuple):
    """The gradient of one parameter in this process.

    Attributes:
        arrays: The gradient arrays, one for each context.
        weights: The weights, one for each context.
        accumulates: Whether backward passes add to the arrays.
    """

    arrays: Sequence[NDArray]
    weights: Sequence[NDArray]
    accumulates: bool


class Sums(NamedTuple):
    """Gradients that are added up over all processes.

    Attributes:
        totals: The sum of each gradient; the next reduction writes to the same memory.
        num_fresh: Number of processes in which a backward pass has computed the gradient.
    """

    totals: list[NDArray]
    num_fresh: list[int]


class Reducer:
    """Adds the gradients of some parameters up over the processes of a group.

    All processes make it at the same time, with parameters of the same shapes and dtypes.

    Args:
        gradients: The gradients.
        order: Their positions, roughly in the order in which backward passes compute them.
        group: Group of torch.distributed, used for nothing else.
        compress: Rounds what this process sends, None to send it as it is.
        overlap: Whether buckets may set out during the backward pass.

    Raises:
        MXNetError: if the processes have different parameters.
    """

    def __init__(
        self,
        gradients: Sequence[Gradient],
        order: Sequence[int],
        group: Any,
        compress: Compression | None = None,
        overlap: bool = True,
    ) -> None:
        self._gradients, self._group, self._compress = gradients, group, compress
        self.overlaps = overlap
        self.is_paused = False
        """Whether gradients come from a pass that does not count, such as one that is captured."""
        self._num_bytes = 0
        keeps_order = self._agree()
        dense = [p for p in order if gradients[p].arrays[0].stype == "default"]
        sparse = [p for p in order if gradients[p].arrays[0].stype != "default"]
        self._rows = RowExchange({p: gradients[p].arrays for p in sparse}, group)
        self._num_notes = 1 + len(gradients) + self._rows.num_notes
        layouts = {p: self._layout(gradients[p], keeps_order) for p in dense}
        self._buckets = make_buckets(layouts, dense, self._num_notes)
        self._totals: dict[int, NDArray] = {}
        self._home: dict[int, Bucket] = {}
        for bucket in self._buckets:
            for position, view in zip(bucket.members, bucket.views, strict=True):
                self._home[position] = bucket
                first = gradients[position].arrays[0]
                memory = view if compress is None else torch.zeros_like(first._plain)
                self._totals[position] = make_array_like(first, memory)
        self._has_come = [False] * len(gradients)
        self._marks: dict[int, Mark] = {}
        """What gradients held that are on their way."""
        self._last: list[list[Mark]] = []
        """What the arrays held after the last reduction."""
        self._kept: dict[int, Tensor] = {}
        """Gradients of this process whose memory a bucket needs."""
        self._is_changed = False
        self._next = 0
        """Number of the bucket that is to be sent next."""
        self._handles: list[Any] = []
        self._begin()
        self.note_results()
        if self.overlaps:
            self._watch()

    @property
    def num_bytes(self) -> int:
        """Number of bytes that were handed to the network, all reductions together."""
        return self._num_bytes + self._rows.num_bytes

    def _layout(self, gradient: Gradient, keeps_order: bool) -> Layout:
        tensor = gradient.arrays[0]._plain
        dtype = tensor.dtype
        if self._compress is not None:
            dtype = self._compress.code_dtype(dtype, distributed.get_world_size(self._group))
        early = self.overlaps and len(gradient.arrays) == 1 and not gradient.accumulates
        channels_last = keeps_order and has_channels_last(tensor)
        return Layout(tensor.shape, dtype, tensor.device, early, channels_last)

    def _agree(self) -> bool:
        """Returns whether all processes have their gradients in the same order in memory.

        Raises:
            MXNetError: if they have different parameters.
        """
        described = [
            f"{tuple(item.arrays[0].shape)} {item.arrays[0].dtype} {item.arrays[0].stype} "
            f"{item.accumulates}"
            for item in self._gradients
        ]
        orders = bytes(
            item.arrays[0].stype == "default" and has_channels_last(item.arrays[0]._plain)
            for item in self._gradients
        )
        text = "\n".join(described)
        own = torch.tensor([len(described), crc32(text.encode()), crc32(orders)])
        all_of_them = gather("Trainer", own, self._group)
        if any(not torch.equal(item[:2], own[:2]) for item in all_of_them):
            counts = [int(item[0]) for item in all_of_them]
            raise MXNetError(
                "Trainer: expected parameters of the same shapes, dtypes and grad_req, in the same "
                f"order, in every process, got others in some; their numbers by rank are {counts}"
            )
        return all(torch.equal(item, own) for item in all_of_them)

    def _watch(self) -> None:
        """Has leaves say when their gradient has come."""
        arrive = weakref.WeakMethod(self._arrive)  # parameters may live longer than a trainer
        for position, gradient in enumerate(self._gradients):
            home = self._home.get(position)
            leaf = gradient.weights[0]._node
            if home is not None and home.early and leaf is not None:
                hook = partial(_call_weakly, arrive, position)
                self._handles.append(
                    leaf.register_post_accumulate_grad_hook(hook)  # type: ignore[no-untyped-call]
                )

    def stop_watching(self) -> None:
        """Sends gradients only when the sums are asked for, from now on."""
        self.overlaps = False
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def _begin(self) -> None:
        """Gets ready for the next backward pass."""
        for bucket in self._buckets:
            bucket.missing = len(bucket.members)
        self._has_come = [False] * len(self._gradients)
        self._marks.clear()
        self._kept.clear()
        self._is_changed, self._next = False, 0

    def _arrive(self, position: int) -> None:
        """Takes notice of a gradient, and sends the buckets that are complete."""
        if self.is_paused or not self._gradients[position].arrays[0]._fresh:  # the pass had none
            return
        if self._has_come[position]:
            self._is_changed = True  # a second pass before the sums were asked for
            return
        self._has_come[position] = True
        self._home[position].missing -= 1
        buckets = self._buckets
        while self._next < len(buckets):
            bucket = buckets[self._next]
            if bucket.missing or not bucket.early or self._lies_in_bucket(bucket):
                return
            arrays = [self._gradients[member].arrays[0] for member in bucket.members]
            sources = [array._plain for array in arrays]
            if self._compress is not None:
                pairs = zip(bucket.members, sources, strict=True)
                sources = [self._compress.encode(member, source) for member, source in pairs]
            torch._foreach_copy_(bucket.views, sources)
            for member, array in zip(bucket.members, arrays, strict=True):
                self._marks[member] = Mark(array)
            with processes.guard("backward"):
                self._send(bucket)

    def _lies_in_bucket(self, bucket: Bucket) -> bool:
        """Returns whether arrays show the memory of a bucket, which is not to change unasked."""
        for member, view in zip(bucket.members, bucket.views, strict=True):
            if self._gradients[member].arrays[0]._plain.data_ptr() == view.data_ptr():
                return True
        return False

    def _send(self, bucket: Bucket) -> None:
        self._next += 1
        self._exchange(bucket)

    def _exchange(self, bucket: Bucket) -> None:
        self._num_bytes += bucket.flat.nbytes
        bucket.work = distributed.all_reduce(bucket.flat, group=self._group, async_op=True)

    def reduce(self, where: str) -> Sums:
        """Returns the sums over all processes, each of which must call this.

        A process in which a gradient is not new, neither by a backward pass nor written to by the
        program, adds nothing to its sum.

        Args:
            where: The name of the call, for the messages of errors.

        Raises:
            MXNetError: if another process is lost.
        """
        with processes.guard(where):
            for bucket in self._buckets[self._next : -1]:
                self._fill(bucket)
                self._send(bucket)
            notes = self._send_last()
            self._wait()
            counts = notes.tolist()
            if counts[0]:
                self._send_again()
            self._decode()
            fresh = [round(count) for count in counts[1 : 1 + len(self._gradients)]]
            totals = dict(self._totals)
            totals.update(self._rows.exchange(counts[1 + len(self._gradients) :]))
        self._begin()
        return Sums([totals[position] for position in range(len(self._gradients))], fresh)

    def _send_last(self) -> Tensor:
        """Sends the last bucket with the notes of this process, and returns those of all."""
        bucket = self._buckets[-1]
        self._fill(bucket)
        changed = self._is_changed or any(
            not mark.holds_for(self._gradients[position].arrays[0])
            for position, mark in self._marks.items()
        )
        fresh = [any(array._fresh for array in item.arrays) for item in self._gradients]
        notes = bucket.flat[len(bucket.flat) - self._num_notes :]
        own = [float(changed), *map(float, fresh), *self._rows.own_notes(self._new_rows)]
        notes.copy_(torch.tensor(own, dtype=notes.dtype))
        self._send(bucket)
        return notes

    def _new_rows(self, position: int) -> list[NDArray]:
        return [array for array, new in self._news(position) if new]

    def _send_again(self) -> None:
        """Sends what was sent during the backward pass, with what the arrays hold now."""
        for bucket in self._buckets:
            if bucket.early:
                self._fill(bucket)
                self._exchange(bucket)
        self._wait()
        self.stop_watching()

    def _wait(self) -> None:
        for bucket in self._buckets:
            if bucket.work is not None:
                bucket.work.wait()
                bucket.work = None

    def _decode(self) -> None:
        """Computes the sums of gradients that were rounded."""
        if self._compress is None:
            return
        self._compress.settle()
        for bucket in self._buckets:
            for position, view in zip(bucket.members, bucket.views, strict=True):
                self._totals[position]._plain.copy_(self._compress.decode(view))

    def _fill(self, bucket: Bucket) -> None:
        """Writes what this process adds to the sums of a bucket."""
        sources: list[Tensor] = []
        targets: list[Tensor] = []
        for position, view in zip(bucket.members, bucket.views, strict=True):
            source = self._contribution(position)
            if source is None:
                view.zero_()
            elif source.data_ptr() != view.data_ptr():
                sources.append(source)
                targets.append(view)
            elif bucket.early:  # it may have to be sent again
                self._kept[position] = source.clone()
        if targets:
            torch._foreach_copy_(targets, sources)

    def _contribution(self, position: int) -> Tensor | None:
        """Returns what is new in this process, added up over contexts; None if nothing is."""
        if position in self._kept:
            return self._kept[position]
        tensors = [array._plain for array, new in self._news(position) if new]
        if not tensors:
            return None
        total, *others = tensors
        for other in others:
            total = total + other.to(total.device)
        return total if self._compress is None else self._compress.encode(position, total)

    def _news(self, position: int) -> list[tuple[NDArray, bool]]:
        """Pairs the arrays of a gradient with whether they hold something new."""
        arrays = self._gradients[position].arrays
        return [
            (array, array._fresh or not mark.holds_for(array))
            for array, mark in zip(arrays, self._last[position], strict=True)
        ]

    def write_back(self, sums: Sums) -> None:
        """Replaces gradients by their sums, which count as new where they are new to any process.

        An array that shares memory with no other gets that of the bucket; others are written to.
        """
        for item, total, count in zip(self._gradients, *sums, strict=True):
            for number, array in enumerate(item.arrays):
                if isinstance(array, BaseSparseNDArray):
                    total.copyto(array)
                elif number == 0 and not array._aliased:
                    array._data, array._node = total._plain, None
                elif array._plain.data_ptr() != total._plain.data_ptr():
                    array._plain.copy_(total._plain)
                array._fresh = array._fresh or count > 0
        self.note_results()

    def note_results(self) -> None:
        """Remembers what the arrays hold, which is not new from now on."""
        self._last = [[Mark(array) for array in item.arrays] for item in self._gradients]


def _call_weakly(method: weakref.WeakMethod[Any], position: int, leaf: Tensor) -> None:
    del leaf  # its gradient is in the gradient array already
    found = method()
    if found is not None:
        found(position)
