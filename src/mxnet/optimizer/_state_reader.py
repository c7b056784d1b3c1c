"""Reads files of optimizer states: what names in them stand for, and how objects are made.

A file names arrays, optimizers and learning rate schedules. They are made here of plain data that
is checked, without a call of their constructors. Optimizers and schedules of a program may define
`__setstate__`, which is the program's own code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from mxnet._arrays.array import new
from mxnet._formats.params.file import decode_record
from mxnet._formats.safe_pickle import Make, Reading, Unfinished, loads
from mxnet.context import Context
from mxnet.errors import FileFormatError
from mxnet.lr_scheduler import LRScheduler
from mxnet.ndarray._ndarray import STORAGE_CLASSES, NDArray
from mxnet.ndarray.sparse import CSRNDArray, RowSparseNDArray
from mxnet.numpy import ndarray as np_ndarray
from mxnet.optimizer._attribute_checks import complete_optimizer, complete_schedule
from mxnet.optimizer._base import Optimizer


def read_states(data: bytes, where: str) -> tuple[dict[Any, Any], Optimizer | None]:
    """Reads states, and the optimizer if it is with them.

    Args:
        data: Content of a file of this or of the original package.
        where: What is read, for messages.

    Raises:
        MXNetError: if the bytes are damaged or name anything but arrays and optimizers.
    """
    states, optimizer = loads(data, where, find_constructor), None
    if type(states) is tuple and len(states) == 2:
        states, optimizer = states
        if not isinstance(optimizer, Optimizer):
            raise FileFormatError(
                f"{where}: expected an Optimizer after the states, got {type(optimizer).__name__}"
            )
    if not isinstance(states, dict):
        raise FileFormatError(f"{where}: expected a dict of states, got {type(states).__name__}")
    return states, optimizer


class _UnfinishedArray(Unfinished):
    """An array; its state is the record of a parameter file."""

    def __init__(self, cls: type[NDArray]) -> None:
        self._class = cls
        self._array: NDArray | None = None

    def build(self, state: Any, reading: Reading) -> None:
        handle = state.get("handle") if type(state) is dict else None
        if not isinstance(handle, (bytes, bytearray)):
            raise reading.error(f"expected the content of an {self._class.__name__}")
        reading.charge(len(handle))
        record = decode_record(memoryview(handle), reading.place)
        stored = STORAGE_CLASSES.get(record.storage, NDArray)
        fits = self._class is stored or (self._class is np_ndarray and stored is NDArray)
        if not fits or record.data is None:
            raise reading.error(f"expected an {self._class.__name__}, got {record.storage} storage")
        if self._class is CSRNDArray:
            reading.charge(8 * record.shape[0])  # pointers, which a file may leave out
        self._array = new(self._class)
        self._array._take_record(record)

    def finish(self, reading: Reading) -> NDArray:
        if self._array is None:
            raise reading.error(f"an {self._class.__name__} has no content")
        return self._array


def _make_array(
    cls: type[NDArray], arguments: tuple[Any, ...], reading: Reading
) -> _UnfinishedArray:
    if any(argument is not None for argument in arguments):
        raise reading.error(f"an {cls.__name__} is made of its content alone")
    return _UnfinishedArray(cls)


class _UnfinishedContext(Unfinished):
    """A context as the original writes it: with a state."""

    _context: Context | None = None

    def build(self, state: Any, reading: Reading) -> None:
        if type(state) is dict:
            code, number = state.get("device_typeid"), state.get("device_id")
            if type(code) is int and code in Context.devtype2str and type(number) is int:
                self._context = Context(Context.devtype2str[code], number)
                return
        raise reading.error("expected the type and number of a device")

    def finish(self, reading: Reading) -> Context:
        if self._context is None:
            raise reading.error("a Context has no content")
        return self._context


def _make_context(arguments: tuple[Any, ...], reading: Reading) -> Context | _UnfinishedContext:
    if not arguments:
        return _UnfinishedContext()
    if len(arguments) == 2 and type(arguments[0]) is str and type(arguments[1]) is int:
        return Context(*arguments)
    raise reading.error("expected the type and number of a device")


class _UnfinishedObject(Unfinished):
    """An optimizer or a schedule; its state are its attributes."""

    def __init__(self, cls: type[Any]) -> None:
        self._class = cls
        self._made: Any = None

    def build(self, state: Any, reading: Reading) -> None:
        made = new(self._class)
        own = getattr(self._class, "__setstate__", None)
        if own not in (None, Optimizer.__setstate__):
            own(made, state)
        else:
            made.__dict__.update(self._check_names(state, reading))
        complete = complete_optimizer if isinstance(made, Optimizer) else complete_schedule
        complete(made, reading.place)
        self._made = made

    def finish(self, reading: Reading) -> Any:
        if self._made is None:
            raise reading.error(f"a {self._class.__name__} has no content")
        return self._made

    def _check_names(self, state: Any, reading: Reading) -> dict[str, Any]:
        """Returns attributes that may be set: not those of slots, nor what the class defines."""
        if type(state) is not dict:
            raise reading.refusal(
                f"refuses the state of a {self._class.__name__}: expected a dict of attributes, "
                f"got {type(state).__name__}"
            )
        for name in state:
            known = getattr(self._class, name, None) if type(name) is str else property()
            if callable(known) or isinstance(known, property) or name.startswith("__"):
                raise reading.refusal(
                    f"refuses to set {str(name)[:40]!r} of a {self._class.__name__}, which is no "
                    "attribute of its instances"
                )
        return state


def _make_object(cls: type[Any], arguments: tuple[Any, ...], reading: Reading) -> _UnfinishedObject:
    if arguments:
        raise reading.refusal(f"refuses to call {cls.__name__} with arguments")
    return _UnfinishedObject(cls)


_CONSTRUCTORS: dict[tuple[str, str], Make] = {
    (cls.__module__, cls.__name__): partial(_make_array, cls)
    for cls in (NDArray, np_ndarray, RowSparseNDArray, CSRNDArray)
} | {("mxnet.context", "Context"): _make_context}


def find_constructor(module: str, name: str) -> Make | None:
    """Returns what makes objects of the classes that a file of states may name."""
    if (module, name) in _CONSTRUCTORS:
        return _CONSTRUCTORS[module, name]
    cls = _find_class(module, name)
    return None if cls is None else partial(_make_object, cls)


def _find_class(module: str, name: str) -> type[Any] | None:
    if module == "mxnet.optimizer" or module.startswith("mxnet.optimizer."):
        # By name alone: later versions have the same classes in modules of their own.
        return Optimizer.opt_registry.get(name.lower())
    for cls in (*Optimizer.opt_registry.values(), LRScheduler, *_subclasses(LRScheduler)):
        if (cls.__module__, cls.__qualname__) == (module, name):
            return cls
    return None


def _subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    below: type[Any]
    for below in cls.__subclasses__():
        yield below
        yield from _subclasses(below)
