"""Finds the subcommand and runs it: `glueball SUBCOMMAND ...`, also `python -m mxnet ...`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from glueball import installation
from glueball.arguments import COMMANDS, FORWARDED
from glueball.console import Colour, CommandError, first_sentence, painted, printable, write_error

_DESCRIPTION = "Run MXNet 1.x and Gluon models and programs on PyTorch: look at them, convert them."
_EPILOG = """\
Exit status: 0 if all is well, 1 if something failed or was found, 2 if the command was wrong.
`glueball SUBCOMMAND --help` says more; `glueball docs command_line` shows what each prints.
"""
_LONGEST = 2000
"""Characters of an error; it may quote a file."""
_INTERRUPTED = 130
"""What shells expect of a program that was ended by Control-C."""


def make_parser() -> argparse.ArgumentParser:
    """Declares all subcommands with their arguments."""
    parser = argparse.ArgumentParser(
        prog="glueball",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=installation.describe_version())
    commands = parser.add_subparsers(dest="command", metavar="SUBCOMMAND", title="subcommands")
    for name, command in COMMANDS.items():
        added = commands.add_parser(name, help=command.help, description=command.help)
        command.add_arguments(added)
        added.add_argument(
            "--debug", action="store_true", help="show the traceback when something fails"
        )
    for name, tool in FORWARDED.items():
        commands.add_parser(name, help=tool.help, add_help=False)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        arguments: Those of the command line if not given.

    Returns:
        The exit status: 0 if all is well, 1 if something failed or was found, 2 for a wrong
        command.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in FORWARDED:
        return _guarded(given[0], FORWARDED[given[0]].module, given[1:], debug=False)
    parser = make_parser()
    options = parser.parse_args(given)
    if options.command is None:
        parser.print_help()
        return 2
    return _guarded(options.command, COMMANDS[options.command].module, options, debug=options.debug)


def _guarded(name: str, module: str, options: Any, *, debug: bool) -> int:
    """Runs a subcommand and turns what it raises into one sentence and an exit status."""
    try:
        return int(_run(module, options))
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # as in `glueball scan . | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - a person reads this, not a traceback
        if debug:
            traceback.print_exc()
        start = painted(f"glueball {name}:", Colour.BAD, sys.stderr)
        reason = _explain(error).removeprefix(f"{name}: ")  # errors say where, the start does too
        write_error(f"{start} {printable(reason, _LONGEST)}")
        return 1


def _run(module: str, options: Any) -> Any:
    """Imports the module of a subcommand and calls it; some of them import torch."""
    if isinstance(options, list):
        name = module.rpartition(".")[2]
        return importlib.import_module(module).main(options, prog=f"glueball {name}")
    check = COMMANDS[options.command].check
    if check is not None:
        check(options)
    return importlib.import_module(module).run(options)


def _explain(error: Exception) -> str:
    if isinstance(error, CommandError):
        return str(error)
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, ImportError):
        return f"{first_sentence(error)} (`glueball doctor` says what is installed)"
    known = type(error).__module__.startswith(("mxnet", "glueball"))
    kind = "" if known else f"{type(error).__name__}: "
    return f"{kind}{first_sentence(error)}"
