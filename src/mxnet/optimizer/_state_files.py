"""Files of optimizer states, as trainers, modules and stores write and read them."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mxnet._formats.files import read_saved, write_atomically
from mxnet.errors import MXNetError
from mxnet.optimizer._state_checks import Weight
from mxnet.optimizer._updater import Updater


class UnsavableStateError(MXNetError, pickle.PicklingError):
    """An optimizer or a state has a part that cannot be written to a file."""


def save_states(
    updater: Updater, fname: str | os.PathLike[str], *, dump_optimizer: bool = False
) -> None:
    """Writes the states of an updater to a file, in the original's format.

    Args:
        updater: The updater.
        fname: Path of the file.
        dump_optimizer: Whether to include the optimizer with its rates and counts.

    Raises:
        UnsavableStateError: if something in the optimizer cannot be pickled.
        OSError: if the file cannot be written.
    """
    try:
        content = updater.get_states(dump_optimizer)
    except (pickle.PicklingError, AttributeError, RecursionError, TypeError) as error:
        raise UnsavableStateError(
            f"{os.fspath(fname)}: the states cannot be saved: {error}"
        ) from error
    with _naming(fname):
        write_atomically(fname, [content])


def load_states(
    updaters: Sequence[Updater], fname: str | os.PathLike[str], weights: Mapping[Any, Weight]
) -> None:
    """Loads the states in a file into all of some updaters, or into none.

    Args:
        updaters: The updaters; each gets arrays of its own.
        fname: Path of the file.
        weights: Weights by index, as far as they are known.

    Raises:
        MXNetError: if the file is damaged, or the states do not fit the weights.
        OSError: if the file cannot be read.
    """
    with _naming(fname):
        content = read_saved(fname)
    loaded = [updater._read(content, os.fspath(fname), weights) for updater in updaters]
    for updater, (states, optimizer) in zip(updaters, loaded, strict=True):
        updater._take(states, optimizer)


@contextmanager
def _naming(fname: str | os.PathLike[str]) -> Iterator[None]:
    """Has errors of the system name the file, not a temporary one or none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(fname)) from error
