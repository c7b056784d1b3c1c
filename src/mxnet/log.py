"""Loggers that print one coloured line per message."""

from __future__ import annotations

import logging
import warnings

from mxnet._start import level_of_program

CRITICAL = logging.CRITICAL
ERROR = logging.ERROR
WARNING = logging.WARNING
INFO = logging.INFO
DEBUG = logging.DEBUG
NOTSET = logging.NOTSET

_LETTERS = {CRITICAL: "C", ERROR: "E", WARNING: "W", INFO: "I", DEBUG: "D"}
_RED, _GREEN, _BLUE, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[34m", "\x1b[0m"


class _Formatter(logging.Formatter):
    """Puts level, time, process and place before the message, in the colour of the level."""

    def __init__(self) -> None:
        super().__init__("%(message)s", "%m%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        level = record.levelno
        color = _RED if level >= WARNING else _GREEN if level >= INFO else _BLUE
        time = self.formatTime(record, self.datefmt)
        place = f"{record.pathname}:{record.funcName}:{record.lineno}"
        head = f"{_LETTERS.get(level, 'U')}{time} {record.process} {place}]"
        return f"{color}{head}{_PLAIN} {record.message}"


def get_logger(
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """Returns a logger; the first call for a name gives it a handler and a level.

    Args:
        name: Name of the logger; None is the root logger, which is left as it is.
        filename: File to write to instead of the standard error stream.
        filemode: Mode in which the file is opened, appending if not given.
        level: Least level of messages to log.
    """
    logger = logging.getLogger(name)
    if name is None or getattr(logger, "_init_done", False):
        return logger
    handler: logging.Handler
    if filename:
        handler = logging.FileHandler(filename, filemode or "a")
    else:
        handler = logging.StreamHandler()
        handler.setFormatter(_Formatter())
    logger.addHandler(handler)
    logger.setLevel(level)
    logger._init_done = True  # type: ignore[attr-defined]  # marks the logger as ours
    return logger


def getLogger(  # noqa: N802 - the name is the original's
    name: str | None = None,
    filename: str | None = None,
    filemode: str | None = None,
    level: int = WARNING,
) -> logging.Logger:
    """Returns a logger; the old name of `get_logger`."""
    warnings.warn(
        "getLogger is now called get_logger", DeprecationWarning, stacklevel=level_of_program()
    )
    return get_logger(name, filename, filemode, level)
