"""CUDA graphs: work on a GPU that is captured once and then replayed with a single launch.

A capture reads and writes fixed memory. So it holds for tensors at the same place, with the same
shape, strides and dtype, and for nothing else; what differs from call to call is copied into
memory of the capture (`StaticInputs`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from operator import attrgetter, is_
from typing import Any, Generic, TypeAlias, TypeVar

import torch
from torch import Tensor

from mxnet._arrays.errors.failed import raise_failed
from mxnet._start import collector_paused
from mxnet._state import changed_modes, rng

T = TypeVar("T")
Place: TypeAlias = tuple[Hashable, ...]

_WARM_UP = 3
"""Runs before a capture, in which libraries choose their algorithms and allocate."""

_MOST_KEYS = 8
"""Different pieces of work that a cache knows at a time."""


def captures_suspended() -> AbstractContextManager[None]:
    """Lets plans and optimizers run their work inside of the `with` block, captured or not.

    A capture can be neither made nor replayed while another one is being made.
    """
    return changed_modes(captures=False)


def place_of(tensor: Tensor) -> Place:
    """Returns all that a captured kernel has noted of a tensor: its address and its layout.

    Raises:
        MXNetError: if the tensor could not be computed, which a replay would not see.
    """
    raise_failed(tensor)
    return (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype, tensor.device)


def make_pool() -> Any:
    """Returns a pool of memory for captures that are always replayed one after the other."""
    return torch.cuda.graph_pool_handle()


@contextmanager
def states_restored(states: Sequence[Tensor]) -> Iterator[None]:
    """Restores states, at the end of a `with` block, to what they held before it.

    Calls that wait for their backward pass may have kept a state, which they do not read where it
    is updated. So torch's version counters must not see the writes.
    """
    saved = [state.clone() for state in states]
    try:
        yield
    finally:
        for state, before in zip(states, saved, strict=True):
            state.data.copy_(before)


def warm_up(work: Callable[[], object], device: torch.device, states: Sequence[Tensor]) -> None:
    """Runs work on a stream of its own, as it will be captured, without a trace in its states.

    Args:
        work: What will be captured.
        device: Where it runs.
        states: Tensors that it updates.
    """
    with states_restored(states), _random_numbers_kept(device), rng.library_numbers_kept(device):
        stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(stream):
            for _ in range(_WARM_UP):
                work()
        torch.cuda.current_stream(device).wait_stream(stream)


@contextmanager
def _random_numbers_kept(device: torch.device) -> Iterator[None]:
    """Draws the numbers of a warm-up from a copy of the generator.

    A network with dropout then computes the same with a seed, captured or not.
    """
    generator = torch.cuda.default_generators[device.index or 0]
    own = generator.graphsafe_get_state()
    generator.graphsafe_set_state(generator.clone_state())
    try:
        yield
    finally:
        generator.graphsafe_set_state(own)


@contextmanager
def _generators_freed() -> Iterator[None]:
    """Frees random generators from a capture that fails, which torch leaves in its hands."""
    try:
        yield
    except Exception:
        for generator in torch.cuda.default_generators:
            generator.graphsafe_set_state(generator.clone_state())
        raise


@contextmanager
def _own_workspace() -> Iterator[None]:
    """Lets cuBLAS allocate its workspace in the memory of a capture, as part of the work.

    The one that it has already is freed when torch makes a capture of its own, such as for
    `torch.compile(mode="reduce-overhead")`, and a replay would write to memory of others.
    """
    torch._C._cuda_clearCublasWorkspaces()
    try:
        yield
    finally:
        torch._C._cuda_clearCublasWorkspaces()


class Capture(Generic[T]):
    """Work that has been captured.

    Args:
        work: What to capture; libraries must have been warmed up.
        pool: Pool of memory that it shares with other captures; one of its own by default.
        stream: Stream to capture on; one for all captures by default.
        error_mode: What CUDA forbids during the capture: with `"thread_local"` threads that load
            data may go on allocating, which would end a `"global"` capture.

    Attributes:
        result: What the work returned: tensors that each replay fills anew.
    """

    def __init__(
        self,
        work: Callable[[], T],
        pool: Any = None,
        stream: Any = None,
        error_mode: str = "global",
    ) -> None:
        self._graph = torch.cuda.CUDAGraph()
        capture = torch.cuda.graph(self._graph, pool, stream, error_mode)
        # The collector may come upon a former capture, whose end CUDA forbids during this one.
        with collector_paused(), _generators_freed(), _own_workspace(), capture:
            self.result = work()

    def replay(self) -> None:
        """Does the work again."""
        self._graph.replay()


class LateFlag:
    """A boolean that is being copied from a GPU to the host.

    Args:
        flag: The value, a tensor of one element on the GPU.
    """

    def __init__(self, flag: Tensor) -> None:
        self._host = torch.empty((), dtype=torch.bool, pin_memory=True)
        self._host.copy_(flag, non_blocking=True)
        self._event: Any = torch.cuda.Event()  # type: ignore[no-untyped-call]
        self._event.record()

    def is_ready(self) -> bool:
        """Returns whether the copy is complete."""
        return bool(self._event.query())

    def read(self) -> bool:
        """Waits for the copy and returns the value."""
        self._event.synchronize()
        return bool(self._host)


class CudaEngine:
    """Captures whole steps; tests put another engine in its place, which needs no GPU."""

    def __init__(self) -> None:
        self._streams: dict[torch.device, Any] = {}

    def covers(self, device: torch.device) -> bool:
        """Returns whether work on a device can be captured."""
        return device.type == "cuda"

    @contextmanager
    def warming_up(self, device: torch.device) -> Iterator[None]:
        """Runs what is inside on a stream of its own, as a capture does."""
        current = torch.cuda.current_stream(device)
        stream = self._stream_beside(device)
        stream.wait_stream(current)
        try:
            with torch.cuda.stream(stream):
                yield
        finally:
            current.wait_stream(stream)

    def _stream_beside(self, device: torch.device) -> Any:
        stream = self._streams.get(device)
        if stream is None:
            stream = self._streams[device] = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        return stream

    def read_later(self, flag: Tensor) -> LateFlag:
        """Starts to copy a boolean from the device to the host, without waiting for it."""
        return LateFlag(flag)

    def make_pool(self) -> Any:
        """Returns memory for captures that are replayed one after the other."""
        return make_pool()

    def capture(self, work: Callable[[], T], device: torch.device, pool: Any) -> Capture[T]:
        """Captures work on a device without doing it."""
        with torch.cuda.device(device):
            return Capture(work, pool, self._stream_beside(device), "thread_local")


class StaticInputs:
    """The tensors that a capture reads, each in a place that does not change.

    Args:
        tensors: What the capture reads.
        copied: Positions of tensors that are copied into memory of the capture before each replay.
        checked: Positions of tensors that are read in place; other tensors may come in their
            stead, if they are at the same place. The remaining ones are read in place too, and
            must be the same objects in every call.
        given: What calls give in the place of the tensors, if those are aliases.
    """

    def __init__(
        self,
        tensors: Sequence[Tensor],
        copied: Collection[int],
        checked: Collection[int],
        given: Sequence[Tensor],
    ) -> None:
        self.tensors = tensors
        self._copied = tuple(copied)
        self._places = {position: place_of(tensors[position]) for position in checked}
        self.fixed = {
            position: tensor
            for position, tensor in enumerate(given)
            if position not in self._places and position not in self._copied
        }
        """Tensors, as calls give them, that must be the same objects."""

    def has_fixed(self, tensors: Sequence[Tensor]) -> bool:
        """Returns whether a call gives the same objects; if not, the capture is of no more use."""
        return all(tensors[position] is tensor for position, tensor in self.fixed.items())

    def fit(self, tensors: Sequence[Tensor]) -> bool:
        """Returns whether everything that is read in place is there."""
        return self.has_fixed(tensors) and all(
            place_of(tensors[position]) == place for position, place in self._places.items()
        )

    def load(self, tensors: Sequence[Tensor]) -> None:
        """Copies what differs from call to call to where the capture reads it."""
        for position in self._copied:
            self.tensors[position].copy_(tensors[position])


class _Work:
    """Work that a cache knows: how often it was done, then its capture.

    Args:
        tensors: The tensors that it reads or writes.
    """

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self.places: Place = tuple(map(place_of, tensors))
        self.count = 0
        self.last_use = 0
        self.capture: Capture[None] | None = None
        self.note(tensors)

    def note(self, tensors: Sequence[Tensor]) -> None:
        """Remembers which objects are at the places."""
        self._references = [weakref.ref(tensor) for tensor in tensors]
        self._addresses = [tensor.data_ptr() for tensor in tensors]

    def has(self, tensors: Sequence[Tensor]) -> bool:
        """Returns whether tensors are the same objects at the same addresses.

        To ask hundreds of tensors for their strides takes longer than the launches that are saved.
        """
        if [tensor.data_ptr() for tensor in tensors] != self._addresses:
            return False
        return all(map(is_, [reference() for reference in self._references], tensors))


class CaptureCache:
    """Captures of work that repeats itself on the same tensors.

    The first runs of a piece of work are its warm-up. A capture is found by the key of the work and
    the places of all its tensors: a tensor that is moved, resized or cast makes it another piece of
    work, and nothing else invalidates it. Of too much work, the least recently used is forgotten
    with its capture, such as a step with a former learning rate; if nothing has repeated itself by
    then, the cache gives up.
    """

    def __init__(self) -> None:
        self.gives_up = False
        """Whether no two pieces of work were alike, so that work is just done from now on."""
        self._repeats = False
        """Whether some work has been captured."""
        self._num_uses = 0
        self._known: dict[Hashable, _Work] = {}
        """At most `_MOST_KEYS` pieces of work, by key and places."""
        self._recent: dict[Hashable, _Work] = {}
        """The last work with a key; all of it is in `_known`."""

    def run(self, key: Hashable, tensors: Sequence[Tensor], work: Callable[[], None]) -> None:
        """Does work, by replaying it if it has been captured.

        Args:
            key: What the work depends on besides its tensors.
            tensors: All tensors that it reads or writes.
            work: Does it.
        """
        if self.gives_up:
            work()
            return
        known = self._find(key, tensors)
        self._num_uses += 1
        known.last_use = self._num_uses
        if known.capture is None:
            known.count += 1
            if known.count < _WARM_UP:
                work()
                self._limit()
                return
            known.capture = Capture(work)
            self._repeats = True
        known.capture.replay()
        # Results that are kept for a tensor are valid while its version is the same.
        torch.autograd.graph.increment_version(tensors)

    def _find(self, key: Hashable, tensors: Sequence[Tensor]) -> _Work:
        recent = self._recent.get(key)
        if recent is not None and recent.has(tensors):
            return recent
        work = _Work(tensors)
        known = self._known.setdefault((key, work.places), work)
        if known is not work:
            known.note(tensors)
        self._recent[key] = known
        return known

    def _limit(self) -> None:
        if len(self._known) <= _MOST_KEYS:
            return
        if not self._repeats:
            self.gives_up = True
            self._known.clear()
            self._recent.clear()
            return
        oldest = min(self._known.values(), key=attrgetter("last_use"))
        for works in (self._known, self._recent):
            for key in [key for key, work in works.items() if work is oldest]:
                del works[key]
