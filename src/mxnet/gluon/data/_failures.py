"""What goes wrong while a batch is loaded, on its way to the program that waits for it."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from typing import Any, NamedTuple

from mxnet.errors import MXNetError


class WorkerError(MXNetError):
    """A sample raised in a worker.

    What is raised is also of the class that the sample raised, and caused by that very error where
    it could be sent.

    Attributes:
        sample_index: Index of the sample, None if no sample in particular raised.
    """

    sample_index: Any = None
    __str__ = Exception.__str__  # that of KeyError would quote the message


class WorkerDiedError(MXNetError):
    """A worker process ended before it was done."""


class WorkerTimeoutError(MXNetError, multiprocessing.TimeoutError, TimeoutError):
    """No batch came within the time that a program allows."""


class Failure(NamedTuple):
    """An error that can be sent to another process.

    Attributes:
        error: The error itself, pickled; None if it cannot be.
        kind: Its class, pickled; None if it cannot be.
        summary: Its class and message.
        text: Its traceback.
        where: Which worker and batch.
        index: Index of the sample, None if unknown.
    """

    error: bytes | None
    kind: bytes | None
    summary: str
    text: str
    where: str
    index: Any

    @classmethod
    def of(cls, error: Exception, where: str) -> Failure:
        """Describes an error that has just been caught."""
        summary = traceback.format_exception_only(error)[0].strip()
        text = "".join(traceback.format_exception(error))
        index = getattr(error, "sample_index", None)
        return cls(_pickled(error), _pickled(type(error)), summary, text, where, index)

    def as_error(self) -> WorkerError:
        """Gives the error to raise in the program that asked for the batch."""
        cause = None if self.error is None else pickle.loads(self.error)
        kind = type(cause) if self.kind is None else pickle.loads(self.kind)
        place = self.where if self.index is None else f"{self.where}, sample {self.index}"
        error = _class_for(kind)(f"{place}: {self.summary}\n\nIn the worker:\n{self.text}")
        error.sample_index = self.index
        error.__cause__ = cause
        return error


def _pickled(value: object) -> bytes | None:
    """Pickles what can also be read again; some errors can be written only."""
    try:
        data = pickle.dumps(value)
        pickle.loads(data)
    except Exception:  # noqa: BLE001 - pickling runs code of any class
        return None
    return data


def _class_for(kind: type) -> type[WorkerError]:
    """Makes a class of errors that are caught by whoever catches `kind`."""
    if not (isinstance(kind, type) and issubclass(kind, Exception)) or kind is StopIteration:
        return WorkerError
    try:
        return type(f"Worker{kind.__name__}", (WorkerError, kind), {"__init__": _keep_message})
    except TypeError:  # their memory layouts do not go together
        return WorkerError


def _keep_message(self: Exception, message: str) -> None:
    """Stands for the constructor of a class whose arguments are not known."""
    self.args = (message,)
