"""Captures for a device that has none: what was computed once is computed again, in place.

As in a CUDA graph, a replay calls the same kernels on the same memory, and no Python of ours runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from mxnet._arrays.capture import states_restored
from mxnet.graph.passes import onednn
from mxnet.graph.run import captured, program
from mxnet.ops.nn import _onednn_pooling


class Replayed(TorchDispatchMode):
    """Work that was noted, kernel by kernel."""

    made: ClassVar[list[Replayed]] = []
    """All captures of the test."""

    def __init__(self, work: Callable[[], Any], pool: Any = None) -> None:
        super().__init__()
        del pool
        self.made.append(self)
        self._calls: list[tuple[Any, Any, Any, list[Any]]] = []
        self._own: set[int] = set()
        """Storages that the work has allocated."""
        self._before: dict[int, tuple[Tensor, Tensor]] = {}
        """Other tensors that it has read, by their storage, with what was in them."""
        with self:
            self.result = work()
        for tensor, before in self._before.values():  # a capture itself computes nothing
            tensor.data.copy_(before)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        for item in _tensors_in((args, kwargs)):
            if (key := item.untyped_storage()._cdata) not in self._own:
                self._before.setdefault(key, (item, item.clone()))
        result = func(*args, **(kwargs or {}))
        leaves = tree_leaves(result)
        storages = {item.untyped_storage()._cdata for item in _tensors_in(leaves)}
        self._own |= storages - self._before.keys()
        self._calls.append((func, args, kwargs or {}, leaves))
        return result

    @property
    def functions(self) -> set[str]:
        """Names of the kernels that are called."""
        return {str(function) for function, *_ in self._calls}

    @torch.no_grad()
    def replay(self) -> None:
        """Calls the kernels again; their results go to where the first ones are."""
        for function, args, kwargs, before in self._calls:
            for old, new in zip(before, tree_leaves(function(*args, **kwargs)), strict=True):
                if isinstance(old, Tensor) and old.data_ptr() != new.data_ptr():
                    old.copy_(new)


def _tensors_in(values: Any) -> list[Tensor]:
    return [item for item in tree_leaves(values) if isinstance(item, Tensor)]


def _warm_up(work: Callable[[], object], device: Any, states: Sequence[Tensor]) -> None:
    del device
    with states_restored(states):
        work()


def capture_on_cpu(monkeypatch: pytest.MonkeyPatch) -> type[Replayed]:
    """Lets plans on the CPU be captured, until the test is over."""
    monkeypatch.setattr(captured, "Capture", Replayed)
    monkeypatch.setattr(captured, "make_pool", lambda: None)
    monkeypatch.setattr(captured, "warm_up", _warm_up)
    # What oneDNN packs, which no GPU has, cannot be renewed in place.
    monkeypatch.setattr(onednn, "_AVAILABLE", False)
    monkeypatch.setattr(_onednn_pooling, "_AVAILABLE", False)
    monkeypatch.setattr(torch.backends.mkldnn, "enabled", False)
    monkeypatch.setattr(program, "can_capture", lambda device: device.type == "cpu")
    monkeypatch.setattr(Replayed, "made", [])
    return Replayed
