"""State of the running thread: what it records, its dialect, and how it runs networks."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from mxnet._start import level_of_program


class Tape:
    """What one stretch of recording knows about graphs that `backward` has used up.

    Arrays point to the tape under which they were computed. The original clears a graph when
    `backward` has run through it, after which its arrays are constants. Clearing would mean a walk
    over the graph after every `backward`; instead the roots are kept here, and an
    operator that reads an array of an older tape asks whether one of these roots reaches it.
    """

    __slots__ = ("__weakref__", "consumed", "crossings", "joins_parts", "place", "records")

    def __init__(self) -> None:
        self.consumed: list[object] = []
        self.crossings: dict[object, Tape] = {}
        """Nodes of earlier tapes that were read under this one."""
        self.joins_parts = False
        """Whether parts of a batch were computed together, under this tape or such an earlier one;
        `backward` looks only then for passes that have to wait for each other."""
        self.place: tuple[str, int] | None = None
        """File and line of the program that has differentiated what was recorded."""
        self.records = False
        """Whether the program has begun to record on it."""


open_tapes: WeakSet[Tape] = WeakSet()
"""Tapes of all threads that an array is still on: `backward` may yet go through its graph."""


class Modes(threading.local):
    """State of one thread; a new thread neither records nor trains."""

    recording: bool = False
    training: bool = False
    tracer: Any = None
    """What notes the operators of a program that is being made a graph, None for no such thing."""
    dialect: Any = None
    """A `Dialect` of one's own that the thread has switched to, None for those of the package."""
    np_array: bool = False
    """Whether the thread has switched to the NumPy dialect."""
    np_off: bool = False
    """Whether a program of MXNet 2 has switched the NumPy dialect off, which Gluon stays in."""
    np_shape: bool = False
    """Whether 0 and `()` are shapes like others in the classic dialect, too."""
    np_default_dtype: bool = False
    """Whether new arrays of the NumPy dialect have NumPy's dtypes instead of float32."""
    differentiated_at: tuple[str, int] | None = None
    """File and line of the program that has freed a graph last, by `backward`."""
    asked: bool = False
    """Whether a program has looked at the modes, so that its graph is for these alone."""
    probing: bool = False
    """Whether the thread runs a network on arrays without data, to find out shapes."""
    wanted: Sequence[Any] = ()
    """Parameters whose shapes are all that probing is for; without any it goes to the end."""
    imperative: bool = False
    """Whether blocks run operator by operator, hybridized or not."""
    captures: bool = True
    """Whether work on a GPU is captured; False while it is part of a larger capture."""

    def __init__(self) -> None:
        self.tape = Tape()

    def renew_tape(self) -> None:
        """Puts what is recorded from here on, if anything is, on a tape of its own."""
        self.tape = Tape()
        if self.recording:
            open_tapes.add(self.tape)
            self.tape.records = True


modes = Modes()


@contextmanager
def changed_modes(**values: Any) -> Iterator[None]:
    """Sets attributes of `modes` inside of a `with` block; `Scope` is faster for two of them."""
    before = {name: getattr(modes, name) for name in values}
    vars(modes).update(values)
    try:
        yield
    finally:
        vars(modes).update(before)


class Scope:
    """Sets modes inside of a `with` block; None leaves one as it is."""

    __slots__ = ("_before", "_recording", "_training")

    def __init__(self, recording: bool | None, training: bool | None) -> None:
        self._recording, self._training = recording, training

    def __enter__(self) -> None:
        if modes.tracer is not None:
            modes.tracer.refuse("changes the modes of autograd, which the caller of a graph sets")
        self._before = modes.recording, modes.training
        if self._recording is not None:
            starts = self._recording and not modes.recording
            modes.recording = self._recording
            if starts:
                modes.renew_tape()
        if self._training is not None:
            modes.training = self._training

    def __exit__(self, *_: object) -> None:
        modes.recording, modes.training = self._before


class BackwardModes:
    """The modes in which a program's own backward runs.

    torch calls it in a thread of its engine when the arrays are on an accelerator. That thread does
    not know the mode of the caller, so the mode of the forward stands for it.
    """

    __slots__ = ("_thread", "_training")

    def __init__(self) -> None:
        self._thread, self._training = threading.get_ident(), modes.training

    def scope(self) -> Scope:
        """Returns the scope to run in."""
        same_thread = threading.get_ident() == self._thread
        return Scope(False, None if same_thread else self._training)


T = TypeVar("T")


class Current(threading.local, Generic[T]):
    """The instance that is current in a thread, and those around it.

    The latter are kept here and not by the instance, which threads may enter at the same time.

    Args:
        make: Makes the instance that a thread begins with.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self.value = make()
        self._outer: list[T] = []

    def enter(self, instance: T) -> None:
        """Makes an instance current."""
        self._outer.append(self.value)
        self.value = instance

    def leave(self) -> None:
        """Makes the one before current again."""
        self.value = self._outer.pop()


class HasCurrent(type):
    """Adds the attribute `current` to a class, the instance of the innermost `with` block.

    Programs read it, though the original calls that deprecated; inside the package `_current.value`
    is read instead.
    """

    _current: Current[Any]

    @property
    def current(cls) -> Any:
        """The instance that is current in this thread."""
        cls._warn()
        return cls._current.value

    @current.setter
    def current(cls, instance: Any) -> None:
        cls._warn()
        cls._current.value = instance

    def _warn(cls) -> None:
        message = f"{cls.__name__}.current is deprecated: enter a {cls.__name__} by `with` instead"
        warnings.warn(message, DeprecationWarning, stacklevel=level_of_program())
