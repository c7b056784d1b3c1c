"""Checks the attributes that a file gives to optimizers and learning rate schedules.

What has the wrong type would fail in the middle of a step, or never end. Attributes that the files
of earlier versions lack are filled in.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np

from mxnet.errors import FileFormatError
from mxnet.lr_scheduler import (
    WARMUP_MODES,
    CosineScheduler,
    FactorScheduler,
    LRScheduler,
    MultiFactorScheduler,
    PolyScheduler,
)
from mxnet.optimizer._base import Optimizer

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
