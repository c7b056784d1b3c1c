"""Captures on the CPU that behave as CUDA graphs do.

A capture notes the kernels of its work, with the tensors that they read and write, and does
nothing: memory and random generators are put back. A replay runs these kernels again on the same
memory, and no Python of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

_READING = {
    torch.ops.aten._local_scalar_dense.default,
    torch.ops.aten.nonzero.default,
    torch.ops.aten._unique2.default,
    torch.ops.aten.equal.default,
    torch.ops.aten._coalesce.default,
}
"""Kernels after which the host knows something of the elements."""


def _tensors(values: Any) -> list[torch.Tensor]:
    """Returns the tensors with memory; sparse ones are made of two."""
    tensors = [item for item in tree_leaves(values) if isinstance(item, torch.Tensor)]
    parts = [(t._indices(), t._values()) if t.is_sparse else (t,) for t in tensors]
    return [part for item in parts for part in item]


def _add_rows(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Adds sparse tensors as CUDA does: all elements of both, however many there are."""
    indices = torch.cat([first._indices(), second._indices()], dim=1)
    values = torch.cat([first._values(), second._values()])
    return torch.sparse_coo_tensor(indices, values, first.shape, check_invariants=False)


class _Recorder(TorchDispatchMode):
    """Notes kernels, and the memory that was there before and is written to."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, Any, Any, Any]] = []
        self._made: set[int] = set()
        self.before: dict[int, tuple[Any, Any]] = {}

    def __torch_dispatch__(
        self, kernel: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if kernel in _READING:
            raise RuntimeError("operation not permitted when stream is capturing")
        arguments = kernel._schema.arguments
        given = {**dict(zip((item.name for item in arguments), args, strict=False)), **kwargs}
        for item in arguments:
            is_written = item.alias_info is not None and item.alias_info.is_write
            if is_written or item.name.startswith("running_"):  # which schemas do not tell
                self._save(given.get(item.name))
        is_view = any(
            item.alias_info is not None and not item.alias_info.is_write
            for item in kernel._schema.returns
        )
        if kernel is torch.ops.aten.add.Tensor and args[0].is_sparse and args[1].is_sparse:
            kernel = _add_rows
        result = kernel(*args, **kwargs)
        if not is_view:
            self._made |= {item.untyped_storage()._cdata for item in _tensors(result)}
            self.calls.append((kernel, args, kwargs, result))
        return result

    def _save(self, written: Any) -> None:
        for tensor in _tensors(written):
            storage = tensor.untyped_storage()
            if storage._cdata not in self._made and storage._cdata not in self.before:
                self.before[storage._cdata] = storage, storage.clone()


class FakeCapture:
    """Work that has been captured."""

    def __init__(self, work: Callable[[], Any]) -> None:
        generator = torch.get_rng_state()
        recorder = _Recorder()
        try:
            with recorder:
                self.result = work()
        finally:
            for storage, elements in recorder.before.values():
                storage.copy_(elements)
            torch.set_rng_state(generator)
        self._calls = recorder.calls
        self.num_replays = 0

    def replay(self) -> None:
        """Runs the kernels again."""
        self.num_replays += 1
        with torch._C._AutoDispatchBelowAutograd():
            for kernel, args, kwargs, before in self._calls:
                again = kernel(*args, **kwargs)
                for old, new in zip(_tensors(before), _tensors(again), strict=True):
                    if old is not new:
                        old.copy_(new)


class FakeFlag:
    """A truth value that arrives when the engine says so."""

    def __init__(self, engine: FakeEngine, flag: torch.Tensor) -> None:
        self._engine, self._value = engine, bool(flag)

    def is_ready(self) -> bool:
        return self._engine.is_idle

    def read(self) -> bool:
        return self._value


class FakeEngine:
    """Stands for `CudaEngine`."""

    def __init__(self) -> None:
        self.captures: list[FakeCapture] = []
        self.is_idle = True
        """Whether the device has done all that it was given."""

    @property
    def num_replays(self) -> int:
        return sum(capture.num_replays for capture in self.captures)

    def covers(self, device: torch.device) -> bool:
        return device.type == "cpu"

    @contextmanager
    def warming_up(self, device: torch.device) -> Iterator[None]:
        assert device.type == "cpu"
        yield

    def read_later(self, flag: torch.Tensor) -> FakeFlag:
        return FakeFlag(self, flag)

    def make_pool(self) -> object:
        return object()

    def capture(self, work: Callable[[], Any], device: torch.device, pool: object) -> FakeCapture:
        assert device.type == "cpu"
        assert pool is not None
        capture = FakeCapture(work)
        self.captures.append(capture)
        return capture
