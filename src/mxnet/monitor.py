"""Statistics of what goes through a network, to find out where it goes wrong: `mx.mon`."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from math import sqrt
from typing import Any

from mxnet.errors import ArgumentTypeError
from mxnet.executor import Executor
from mxnet.ndarray import NDArray

Statistic = tuple[int, str, Any]


def _root_mean_square(array: Any) -> Any:
    return array.norm() / sqrt(array.size)


class Monitor:
    r"""Collects a statistic of outputs, weights and gradients every few batches.

    Args:
        interval: Number of batches from one collection to the next.
        stat_func: Gives an array, or a list of arrays, for an array; by default the root of the
            mean square.
        pattern: Regular expression that names must begin with.
        sort: Whether results are sorted by name.
        monitor_all: Whether inputs of operators are looked at too.

    Example:
        >>> import mxnet as mx
        >>> exe = (mx.sym.var("a") * 2).simple_bind(mx.cpu(), a=(2,))
        >>> monitor = mx.mon.Monitor(1, pattern="a")
        >>> monitor.install(exe)
        >>> monitor.tic()
        >>> out = exe.forward(a=mx.nd.array([3, 4]))
        >>> monitor.toc()
        [(1, 'a', '3.535534\t')]
    """

    def __init__(
        self,
        interval: int,
        stat_func: Callable[[NDArray], Any] | None = None,
        pattern: str = ".*",
        sort: bool = False,
        monitor_all: bool = False,
    ) -> None:
        self.stat_func = _root_mean_square if stat_func is None else stat_func
        self.interval = interval
        self.activated = False
        self.queue: list[Statistic] = []
        self.step = 0
        self.exes: list[Executor] = []
        self.re_prog = re.compile(pattern)
        self.sort = sort
        self.monitor_all = monitor_all

    def stat_helper(self, name: bytes | str, array: NDArray) -> None:
        """Takes one value of an executor, if it is wanted now."""
        text = name.decode() if isinstance(name, bytes) else name
        if self.activated and self.re_prog.match(text):
            self.queue.append((self.step, text, self.stat_func(array)))

    def install(self, exe: Executor) -> None:
        """Makes the monitor look at an executor."""
        exe.set_monitor_callback(self.stat_helper, self.monitor_all)
        self.exes.append(exe)

    def tic(self) -> None:
        """Begins a batch; call it before `forward`."""
        if self.step % self.interval == 0:
            self.queue = []
            self.activated = True
        self.step += 1

    def toc(self) -> list[tuple[int, str, str]]:
        """Ends a batch; call it after `forward` or `backward`.

        Returns:
            The number of the batch, a name and the statistic as text, for every value; empty for a
            batch that is passed over.
        """
        if not self.activated:
            return []
        for exe in self.exes:
            for name, array in (*exe.arg_dict.items(), *exe.aux_dict.items()):
                self.stat_helper(name, array)
        self.activated = False
        found, self.queue = self.queue, []
        if self.sort:
            found.sort(key=lambda row: row[1])
        return [(step, name, _as_text(statistic)) for step, name, statistic in found]

    def toc_print(self) -> None:
        """Ends a batch and writes the results to the log."""
        for step, name, text in self.toc():
            logging.info("Batch: %7d %-30s %s", step, name, text)


def _as_text(statistic: Any) -> str:
    arrays = statistic if isinstance(statistic, list) else [statistic]
    text = ""
    for array in arrays:
        if not isinstance(array, NDArray):
            raise ArgumentTypeError(f"Monitor: stat_func must give arrays, got {type(array)}")
        # Formatted, a number of NumPy would show the digits of a Python float.
        text += str(array.asscalar() if array.shape == (1,) else array.asnumpy()) + "\t"
    return text
