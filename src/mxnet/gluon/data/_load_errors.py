"""Errors that are raised while a batch is loaded, and how they reach the program."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from typing import Any, NamedTuple

from mxnet._start import remove_frames
from mxnet.errors import MXNetError


class WorkerError(MXNetError):
    """A sample raised in a worker.

    The error is also an instance of the class that the sample raised, and has that error as its
    cause if it could be sent.

    Attributes:
        sample_index: Index of the sample, None if it is not known.
    """

    sample_index: Any = None
    __str__ = Exception.__str__  # KeyError's would quote the message


class WorkerStartError(MXNetError, OSError):
    """The system cannot provide what worker processes need."""


class WorkerDiedError(MXNetError):
    """A worker process ended before it was done."""


class WorkerTimeoutError(MXNetError, multiprocessing.TimeoutError, TimeoutError):
    """No batch arrived within the timeout."""

    @classmethod
    def after(cls, timeout: float) -> WorkerTimeoutError:
        """Makes the error to raise after some seconds."""
        return cls(
            f"DataLoader: no batch came within {timeout} seconds; a sample may wait for something "
            "that never comes, or take that long: see the argument timeout"
        )


class Failure(NamedTuple):
    """An error on its way from a worker to the program that waits for the batch.

    Attributes:
        error: The error itself, None if it cannot be sent.
        error_type: Its class, None if it cannot be sent.
        summary: Its class and message.
        text: Its traceback.
        where: Which worker and batch.
        index: Index of the sample, None if unknown.
    """

    error: Exception | None
    error_type: type[Exception] | None
    summary: str
    text: str
    where: str
    index: Any

    @classmethod
    def of(cls, error: Exception, where: str) -> Failure:
        """Describes an error that has just been caught."""
        remove_frames(error)
        summary = traceback.format_exception_only(error)[0].strip()
        text = "".join(traceback.format_exception(error))
        index = getattr(error, "sample_index", None)
        return cls(error, type(error), summary, text, where, index)

    def to_send(self) -> Failure:
        """Returns a copy without the parts that cannot be sent to another process."""
        error_type = self.error_type if _can_be_sent(self.error_type) else None
        return self._replace(
            error=self.error if _can_be_sent(self.error) else None, error_type=error_type
        )

    def as_error(self) -> WorkerError:
        """Returns the error to raise in the program that asked for the batch."""
        place = self.where if self.index is None else f"{self.where}, sample {self.index}"
        message = f"{place}: {self.summary}\n\nIn the worker:\n{self.text}"
        error = _make_error(self.error_type, message)
        error.sample_index = self.index
        error.__cause__ = self.error
        return error


def _can_be_sent(value: object) -> bool:
    """Returns whether a value can be pickled and unpickled; some errors only pickle."""
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:  # noqa: BLE001 - pickling runs code of any class
        return False
    return True


def _make_error(error_type: type[Exception] | None, message: str) -> WorkerError:
    """Makes an error that is caught as `error_type` too, if such a class is possible."""
    if error_type is None or error_type is StopIteration:  # it would end the program's loop
        return WorkerError(message)
    try:
        both = type(
            f"Worker{error_type.__name__}", (WorkerError, error_type), {"__init__": _keep_message}
        )
        error: WorkerError = both(message)
    except TypeError:  # incompatible memory layouts, or a class with other arguments
        return WorkerError(message)
    return error


def _keep_message(self: Exception, message: str) -> None:
    """Replaces the constructor of a class whose arguments are not known."""
    self.args = (message,)
