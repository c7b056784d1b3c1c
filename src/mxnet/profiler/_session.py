"""The profiler of the process: its options and states, and what it has collected."""

from __future__ import annotations

import atexit
import os
import threading
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from mxnet._state import Lock
from mxnet.errors import FileAccessError, MXNetError
from mxnet.ops.core.interposing import Sight, interpose
from mxnet.profiler._calls import OperatorWatch, watch_calls
from mxnet.profiler._device import DeviceTimes, Memory
from mxnet.profiler._reports import Events, Statistics, TraceFile
from mxnet.profiler._spans import Options, recorder


class Session:
    """Starts and stops the profiler, and collects what threads have noted.

    Attributes:
        is_running: Whether things are noted at the moment.
    """

    def __init__(self) -> None:
        self.is_running = False
        self._options = Options()
        self._lock = Lock()
        self._watches = ExitStack()
        self._writer: _Periodically | None = None
        self._device = DeviceTimes()
        self._memory = Memory()
        self._statistics = Statistics()
        self._converter = Events()
        self._events: list[dict[str, Any]] = []
        self._file: TraceFile | None = None
        self._has_run = False
        if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
            os.register_at_fork(after_in_child=self._abandon)
        atexit.register(self._write_at_exit)

    def configure(self, options: Options) -> None:
        """Sets the options, also of a profiler that runs."""
        with self._lock:
            was_running = self.is_running
            self.stop()
            if options.filename != self._options.filename:
                self._begin_file()
            self._options = options
            if was_running:
                self.start()

    def start(self) -> None:
        """Begins to note what the program does."""
        with self._lock:
            if self.is_running:
                return
            options = self._options
            memory = self._memory if options.wants("memory") else None
            watch = OperatorWatch(options, self._device, memory, self.asks)
            sight = Sight.PLANNED_CALLS if options.wants("symbolic") else Sight.NOTHING
            self._device.start()
            with ExitStack() as watches:
                if options.wants("imperative") or options.wants("symbolic"):
                    watches.enter_context(interpose(watch, sight))
                    watches.enter_context(watch_calls(options, self._device, self.asks))
                self._watches = watches.pop_all()
            if options.continuous_dump and not self._device.is_running:
                self._writer = _Periodically(options.dump_period, self._write_if_due)
            recorder.forget_open()
            self.is_running = self._has_run = True

    def asks(self) -> bool:
        """Returns whether things are noted at the moment."""
        return self.is_running

    def stop(self) -> None:
        """Stops noting; what was noted stays."""
        with self._lock:
            if self.is_running:
                self.is_running = False
                self._watches.close()
                if self._writer is not None:
                    self._writer.stop()
                    self._writer = None
                self._collect()

    def _collect(self) -> None:
        """Adds what threads have noted to the statistics and to the events of the trace."""
        kernels = self._device.stop()
        notes = recorder.take()
        if kernels:
            notes.append((recorder.log(), [*kernels]))
        if self._options.aggregate_stats:
            for _, items in notes:
                self._statistics.add_all(items)
        self._events += self._converter.make(notes)
        if self.is_running:
            self._device.start()

    def dump(self, *, finished: bool) -> None:
        """Writes the trace.

        Args:
            finished: Whether the file is complete: the profiler stops, and the next run begins
                another one.

        Raises:
            MXNetError: if the profiler has not run since the last file was finished.
        """
        with self._lock:
            if not self._has_run:
                raise MXNetError(
                    "profiler.dump: the profiler has not been run; call set_state('run') first"
                )
            if finished:
                self.stop()
            self.write()
            if finished:
                self._begin_file()
                self._has_run = False

    def write(self) -> None:
        """Adds what was noted since the last time to the file."""
        with self._lock:
            self._collect()
            if self._file is None:
                self._file = TraceFile(os.path.abspath(self._options.filename))
            self._file.append(self._events)
            self._events = []  # unless that failed, so that another file can have them

    def _write_if_due(self) -> None:
        """Writes, unless the file is so large that this would take much of the time."""
        with self._lock:
            if self._file is None or self._file.is_due():
                self.write()

    def _begin_file(self) -> None:
        self._file = None
        self._converter.clear()

    def statistics(self) -> Statistics | None:
        """Returns the statistics of all that was noted; None if none are kept."""
        if not self._options.aggregate_stats:
            return None
        with self._lock:
            self._collect()
            return self._statistics

    def _write_at_exit(self) -> None:
        if self._has_run and self._options.continuous_dump:
            try:
                self.dump(finished=True)
            except FileAccessError as error:
                warnings.warn(f"profiler: {error}", stacklevel=1)

    def _abandon(self) -> None:
        """Ends the profiler in a forked process: the notes and the file are the parent's."""
        self._has_run = False
        if self.is_running:
            self.is_running = False
            self._device = DeviceTimes()
            self._writer = None  # its thread is not here, but may have held its lock
            self._watches.close()


class _Periodically:
    """Calls a function again and again, in a thread of its own, until it is stopped.

    Args:
        period: Seconds between calls.
        function: The function.
    """

    def __init__(self, period: float, function: Callable[[], None]) -> None:
        self._period, self._function = period, function
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="mxnet.profiler", daemon=True).start()

    def _run(self) -> None:
        while not self._stopped.wait(self._period):
            try:
                self._function()
            except FileAccessError as error:
                warnings.warn(f"profiler: {error}; continuous_dump ends", stacklevel=1)
                return

    def stop(self) -> None:
        """Ends the thread, when it is not calling the function."""
        self._stopped.set()


session = Session()
