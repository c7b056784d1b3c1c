"""Ranges and captures that NVIDIA's profilers show: `mx.cuda`, a module of MXNet 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch.cuda import check_error, cudart
from torch.cuda import nvtx as _nvtx

from mxnet._start import make_module, tracebacks
from mxnet.errors import MXNetError

_ORANGE = 0xCB4B16
_COLORS = {
    **{"RED": 0xFF0000, "GREEN": 0x00FF00, "BLUE": 0x0000FF, "YELLOW": 0xB58900},
    **{"ORANGE": _ORANGE, "RED1": 0xDC322F, "MAGENTA": 0xD33682, "VIOLET": 0x6C71C4},
    **{"BLUE1": 0x268BD2, "CYAN": 0x2AA198, "GREEN1": 0x859900},
}


_library: Callable[[], Any] = cudart
_push: Callable[[str], object] = _nvtx.range_push


def _run(where: str, function: Callable[[], object]) -> None:
    try:
        function()
    except (RuntimeError, AssertionError, AttributeError) as error:
        raise MXNetError(f"{where}: torch cannot do this here: {error}") from error


def cuda_profiler_start() -> None:
    """Starts what a profiler such as `nsys profile -c cudaProfilerApi` captures.

    Raises:
        MXNetError: if torch has no CUDA.

    Example:
        .. code-block:: python

            mx.cuda.cuda_profiler_start()
            trainer.step(batch_size)
            mx.cuda.cuda_profiler_stop()
    """
    _run("cuda_profiler_start", lambda: check_error(_library().cudaProfilerStart()))


def cuda_profiler_stop() -> None:
    """Ends what a profiler captures; see `cuda_profiler_start`."""
    _run("cuda_profiler_stop", lambda: check_error(_library().cudaProfilerStop()))


def range_push(name: str, color: int = _ORANGE) -> None:
    """Opens a range, which profilers show over what is called until it is closed.

    Args:
        name: What it is called.
        color: Has no effect: torch passes names alone on.

    Raises:
        MXNetError: if torch has no CUDA.

    Example:
        .. code-block:: python

            mx.cuda.nvtx.range_push("forward")
            loss = network(batch)
            mx.cuda.nvtx.range_pop()
    """
    del color
    _run("range_push", lambda: _push(name))


def range_pop() -> None:
    """Closes the range that was opened last; see `range_push`."""
    _run("range_pop", _nvtx.range_pop)


class Range:
    """A `with` block that profilers show as a range: `mx.cuda.nvtx.range`.

    Args:
        name: What it is called.
        color: Has no effect.

    Example:
        .. code-block:: python

            with mx.cuda.nvtx.range("forward"):
                loss = network(batch)
    """

    def __init__(self, name: str, color: int = _ORANGE) -> None:
        self.name, self.color = name, color

    def __enter__(self) -> None:
        range_push(self.name, self.color)

    def __exit__(self, *_: object) -> None:
        range_pop()


tracebacks.public_functions(globals())
nvtx = make_module(
    f"{__name__}.nvtx",
    "Named ranges for NVIDIA's profilers, `mx.cuda.nvtx`.",
    {"range": Range, "range_push": range_push, "range_pop": range_pop, **_COLORS},
)
