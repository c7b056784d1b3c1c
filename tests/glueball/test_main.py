"""The command itself: help, exit status, errors, and what it does not import."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import glueball
from glueball import arguments, console, main

MODULES = sorted(module.name for module in pkgutil.walk_packages(glueball.__path__, "glueball."))


def run_python(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(glueball.__file__).parents[1])},
    )


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_help_imports_neither_torch_nor_numpy():
    program = (
        "import sys; sys.argv = ['glueball', '--help']\n"
        "from glueball.main import main\n"
        "try: main()\n"
        "except SystemExit as end: status = end.code\n"
        "print(status, [name for name in ('torch', 'numpy', 'mxnet') if name in sys.modules])"
    )
    result = run_python("-c", program)
    assert result.stdout.splitlines()[-1] == "0 []"
    assert "doctor" in result.stdout


@pytest.mark.parametrize("package", ["mxnet", "glueball"])
def test_packages_run_the_command(package, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [package, "--version"])
    monkeypatch.delitem(sys.modules, f"{package}.__main__", raising=False)
    with pytest.raises(SystemExit) as end:
        runpy.run_module(package, run_name="__main__")
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("glueball 0.")


def test_without_a_subcommand_help_is_printed_and_the_command_is_wrong(capsys):
    assert main.main([]) == 2
    assert "usage: glueball" in capsys.readouterr().out


def test_an_unknown_subcommand_is_wrong(capsys):
    with pytest.raises(SystemExit) as end:
        main.main(["shwo", "model"])
    assert end.value.code == 2
    assert "shwo" in capsys.readouterr().err


@pytest.mark.parametrize("name", arguments.COMMANDS)
def test_every_subcommand_has_help_and_debug(name, capsys):
    with pytest.raises(SystemExit) as end:
        main.main([name, "--help"])
    assert end.value.code == 0
    assert "--debug" in capsys.readouterr().out


def failing_command(monkeypatch, error: BaseException) -> None:
    def run(_):
        raise error

    monkeypatch.setattr("glueball.doctor.run", run)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (console.CommandError("there is no such model"), "there is no such model"),
        (FileNotFoundError(2, "No such file or directory", "x.json"), "x.json: No such file"),
        (KeyError("weight"), "KeyError: 'weight'"),
        (ImportError("no onnx"), "no onnx (`glueball doctor` says"),
    ],
)
def test_errors_are_one_sentence(error, sentence, monkeypatch, capsys):
    failing_command(monkeypatch, error)
    assert main.main(["doctor"]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith(f"glueball doctor: {sentence}")
    assert shown.count("\n") == 1


def test_debug_shows_the_traceback(monkeypatch, capsys):
    failing_command(monkeypatch, KeyError("weight"))
    assert main.main(["doctor", "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_control_c_ends_it(monkeypatch):
    failing_command(monkeypatch, KeyboardInterrupt())
    assert main.main(["doctor"]) == 130


def test_tools_get_their_arguments_unchanged(capsys):
    assert main.main(["launch", "-n", "1", "--launcher", "local"]) == 2
    assert capsys.readouterr().err.startswith("glueball launch: ")
    assert main.main(["im2rec", "nowhere/list", "nowhere"]) == 1


def test_names_cannot_command_the_terminal():
    assert console.printable("a\x1b[2Jb\n") == "a\\x1b[2Jb\\n"
    assert len(console.printable("x" * 1000)) == 80


@pytest.mark.parametrize(
    ("variables", "is_terminal", "expected"),
    [
        ({}, True, "\x1b[31mbad\x1b[0m"),
        ({}, False, "bad"),
        ({"NO_COLOR": "1"}, True, "bad"),
        ({"TERM": "dumb"}, True, "bad"),
        ({"FORCE_COLOR": "1"}, False, "\x1b[31mbad\x1b[0m"),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, "bad"),
    ],
)
def test_colours_are_for_terminals_that_want_them(variables, is_terminal, expected, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal, raising=False)
    assert console.painted("bad", console.Colour.BAD) == expected


def test_a_missing_package_is_named_before_torch_is_imported():
    program = (
        "import sys; from glueball import installation, main\n"
        "installation.is_importable = lambda name: name != 'openvino'\n"
        "status = main.main(['convert', 'model', '--to', 'openvino'])\n"
        "print(status, 'torch' in sys.modules)"
    )
    result = run_python("-c", program)
    assert result.stdout == "1 False\n"
    assert "needs openvino: run `pip install 'glueball[openvino]'`" in result.stderr


@pytest.mark.parametrize("name", arguments.FORWARDED)
def test_tools_name_themselves_as_they_were_called(name):
    program = f"from mxnet.tools import {name}; {name}.main(['--help'])"
    for arguments_, called in (
        (("-m", "glueball", name, "--help"), f"glueball {name}"),
        (("-m", f"mxnet.tools.{name}", "--help"), f"python -m mxnet.tools.{name}"),
        (("-c", program), name),
    ):
        assert run_python(*arguments_).stdout.startswith(f"usage: {called} [-h]")
