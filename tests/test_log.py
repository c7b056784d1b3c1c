"""Loggers get their handler once and print the place of a message."""

from __future__ import annotations

import logging
import re

import pytest

from mxnet import log


def test_line_has_level_time_and_place(capsys):
    logger = log.get_logger("mxnet.tests.stream", level=log.INFO)
    assert log.get_logger("mxnet.tests.stream") is logger
    logger.info("hello %d", 3)
    logger.warning("careful")
    logger.debug("silent")
    first, second = capsys.readouterr().err.splitlines()
    place = r"\d{4} \d\d:\d\d:\d\d \d+ \S+test_log\.py:test_line_has_level_time_and_place:\d+\]"
    assert re.fullmatch(rf"\x1b\[32mI{place}\x1b\[0m hello 3", first)
    assert re.fullmatch(rf"\x1b\[31mW{place}\x1b\[0m careful", second)


def test_file_has_the_plain_message(tmp_path):
    path = tmp_path / "x.log"
    logger = log.get_logger("mxnet.tests.file", str(path))
    logger.error("bad")
    logger.info("silent")
    (handler,) = logger.handlers
    handler.close()
    assert path.read_text() == "bad\n"


def test_root_logger_is_left_alone():
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    assert log.get_logger() is root
    assert (root.handlers, root.level) == (handlers, level)


def test_old_name_is_deprecated():
    with pytest.warns(DeprecationWarning, match="get_logger"):
        log.getLogger("mxnet.tests.old")
