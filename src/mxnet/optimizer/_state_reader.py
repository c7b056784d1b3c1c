"""Reads files of optimizer states: what names in them stand for, and how objects are made.

A file names arrays, optimizers and learning rate schedules. They are made here of plain data that
is checked, without a call of their constructors. Optimizers and schedules of a program may define
`__setstate__`, which is the program's own code.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from functools import partial
from numbers import Number
from typing import Any

import numpy as np

from mxnet._arrays.array import new
from mxnet._formats.params import decode_record
from mxnet._formats.safe_pickle import Make, Reading, Unfinished, loads
from mxnet.context import Context
from mxnet.errors import FileFormatError
from mxnet.lr_scheduler import (
    WARMUP_MODES,
    CosineScheduler,
    FactorScheduler,
    LRScheduler,
    MultiFactorScheduler,
    PolyScheduler,
)
from mxnet.ndarray._ndarray import STORAGE_CLASSES, NDArray
from mxnet.ndarray.sparse import CSRNDArray, RowSparseNDArray
from mxnet.numpy import ndarray as np_ndarray
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


# What has the wrong type would fail in the middle of a step, or never end. Attributes that the
# files of earlier versions lack are filled in.

_MOST_UPDATES = 1 << 53
"""Counts beyond this are not exact as floating point numbers."""
_LARGEST = 3.4e38
"""Numbers beyond this are no single precision numbers, of which a step could make use."""
_PACKAGE = "mxnet.optimizer."


def complete_optimizer(optimizer: Optimizer, where: str) -> None:
    """Checks the attributes of an optimizer and adds those of ours that it lacks.

    Raises:
        FileFormatError: if one is not of the type that it has by default.
    """
    attributes = vars(optimizer)
    if "_all_index_update_counts" not in attributes:  # before version 1.5
        attributes["_all_index_update_counts"] = {0: attributes.get("_index_update_count", {})}
    defaults = _defaults(type(optimizer))
    _check_types(optimizer, defaults, where)
    for name, value in defaults.items():
        if name not in attributes:
            attributes[name] = copy.deepcopy(value)
    optimizer.param_dict = {}
    for name, check in _OPTIMIZER_CHECKS.items():
        if not check(attributes[name]):
            raise _wrong_value(optimizer, name, where)
    if optimizer.lr is None and optimizer.lr_scheduler is None:
        raise _wrong_value(optimizer, "lr", where)


def complete_schedule(schedule: LRScheduler, where: str) -> None:
    """Checks the attributes of a schedule.

    Raises:
        FileFormatError: if one has a value that its constructor would refuse.
    """
    cls = next(cls for cls in type(schedule).__mro__ if cls in _SCHEDULES)
    known, attributes = vars(_SCHEDULES[cls]), vars(schedule)
    if cls is type(schedule) and not known.keys() <= attributes.keys():
        missing = ", ".join(sorted(known.keys() - attributes.keys()))
        raise FileFormatError(f"{where}: a {cls.__name__} has no {missing}")
    _check_types(schedule, known, where)
    for name in known.keys() & attributes.keys() & _SCHEDULE_CHECKS.keys():
        if not _SCHEDULE_CHECKS[name](attributes[name]):
            raise _wrong_value(schedule, name, where)


def _defaults(cls: type[Optimizer]) -> dict[str, Any]:
    """Returns the attributes of an optimizer as its constructor sets them.

    Constructors of a program's optimizers are not called; theirs are those of all optimizers.
    """
    known = cls.__init__.__module__.startswith(_PACKAGE)
    return vars(cls() if known else Optimizer())


def _check_types(item: Any, defaults: dict[str, Any], where: str) -> None:
    attributes = vars(item)
    for name, default in defaults.items():
        if name in attributes and not _is_alike(attributes[name], default, name):
            raise _wrong_value(item, name, where)


def _is_alike(value: Any, default: Any, name: str) -> bool:
    """Returns whether a value is of a type that can take the place of a default."""
    if name == "lr_scheduler":
        return value is None or isinstance(value, LRScheduler)
    if isinstance(default, (tuple, list)):
        return isinstance(value, (tuple, list))
    if isinstance(default, (dict, str)):
        return isinstance(value, type(default))
    if value is None:
        return default is None or name == "lr"
    return _is_number(value)


def _is_number(value: Any) -> bool:
    if not isinstance(value, (Number, np.bool_)) or isinstance(value, complex):
        return False
    return not _LARGEST < abs(float(value)) < math.inf  # type: ignore[arg-type]  # is real


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and 0 <= int(value) < _MOST_UPDATES


def _has_counts(value: dict[Any, Any]) -> bool:
    return all(map(_is_count, value.values()))


def _has_numbers(value: dict[Any, Any]) -> bool:
    return all(map(_is_number, value.values()))


def _has_counts_of_devices(value: dict[Any, Any]) -> bool:
    return all(isinstance(counts, dict) and _has_counts(counts) for counts in value.values())


def _has_names(value: dict[Any, Any]) -> bool:
    return all(isinstance(name, str) for name in value.values())


def _is_symbol_info(value: Any) -> bool:
    if not value:
        return True
    return len(value) == 2 and isinstance(value[0], dict) and isinstance(value[1], (list, tuple))


_OPTIMIZER_CHECKS: dict[str, Callable[[Any], bool]] = {
    "_all_index_update_counts": _has_counts_of_devices,
    "_index_update_count": _has_counts,
    "begin_num_update": _is_count,
    "idx2name": _has_names,
    "lr_mult": _has_numbers,
    "num_update": _is_count,
    "sym_info": _is_symbol_info,
    "wd_mult": _has_numbers,
}


def _is_step(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_number(item) and item >= 1 for item in value)
    return bool(_is_number(value) and 1 <= value < math.inf)


_SCHEDULE_CHECKS: dict[str, Callable[[Any], bool]] = {
    "count": lambda value: bool(0 <= value < _MOST_UPDATES),
    "cur_step_ind": _is_count,
    "factor": lambda value: bool(value <= 1),
    "max_steps": lambda value: bool(value),
    "step": _is_step,
    "warmup_mode": lambda value: value in WARMUP_MODES,
    "warmup_steps": _is_count,
}
_SCHEDULES: dict[type[LRScheduler], LRScheduler] = {
    LRScheduler: LRScheduler(),
    FactorScheduler: FactorScheduler(1),
    MultiFactorScheduler: MultiFactorScheduler([1]),
    PolyScheduler: PolyScheduler(1),
    CosineScheduler: CosineScheduler(1),
}
"""The schedules of this package, each with the attributes that it has."""


def _wrong_value(item: Any, name: str, where: str) -> FileFormatError:
    value = vars(item)[name]
    shown = repr(value)[:60] if isinstance(value, (str, Number, type(None))) else ""
    return FileFormatError(
        f"{where}: {name!r} of a {type(item).__name__} cannot be {type(value).__name__} {shown}"
    )
