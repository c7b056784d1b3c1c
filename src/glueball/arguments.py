"""The subcommands and what each takes; nothing here imports torch."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple


class Command(NamedTuple):
    """A subcommand.

    Attributes:
        module: Where its `run(options)` is.
        help: What it does, in one line.
        add_arguments: Declares what it takes.
    """

    module: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]


class Tool(NamedTuple):
    """A program that has a command line of its own, to which all arguments are handed on."""

    module: str
    help: str


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for scripts")


def _doctor(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)


def _scan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", help="a program, a notebook or a folder of them")
    parser.add_argument("--all", action="store_true", help="list all names, not the most used")
    _add_json(parser)


COMMANDS = {
    "doctor": Command(
        "glueball.doctor", "say what is installed, what is missing and what is in the way", _doctor
    ),
    "scan": Command(
        "glueball.scan", "say which names of MXNet programs use and which are not here", _scan
    ),
}
FORWARDED = {
    "im2rec": Tool("mxnet.tools.im2rec", "list images, or pack listed images into record files"),
    "launch": Tool("mxnet.tools.launch", "start the workers of a distributed job"),
}
