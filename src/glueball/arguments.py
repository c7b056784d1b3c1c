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


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", help="NAME-symbol.json, NAME-0000.params, or NAME for the newest of its files"
    )
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=LENGTHS",
        help="shape of an input, such as data=1,3,224,224; may be given for each of them",
    )


def _show(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument("-o", "--output", help="the page; by default NAME.html in this folder")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    _add_json(parser)


COMMANDS = {
    "doctor": Command(
        "glueball.doctor", "say what is installed, what is missing and what is in the way", _doctor
    ),
    "scan": Command(
        "glueball.scan", "say which names of MXNet programs use and which are not here", _scan
    ),
    "show": Command(
        "glueball.show", "write a page with the graph of a model and the costs of layers", _show
    ),
}
FORWARDED = {
    "im2rec": Tool("mxnet.tools.im2rec", "list images, or pack listed images into record files"),
    "launch": Tool("mxnet.tools.launch", "start the workers of a distributed job"),
}
