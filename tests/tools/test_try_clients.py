"""Libraries built on MXNet: the catalog, and how a trial is reported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import try_clients
from tools.clients.catalog import CLIENTS, Client
from tools.try_clients import Outcome, StepError, describe, parse, run, try_client

FOLDER = Path(try_clients.__file__).resolve().parent / "clients"
CLIENT = Client("lib", "Lib 1.0", ("--no-deps lib==1.0", "numpy<2"), "hello_lib.py", "Why.")


def test_every_program_belongs_to_a_library():
    assert {path.name for path in FOLDER.glob("hello_*.py")} == {item.program for item in CLIENTS}
    assert len({item.name for item in CLIENTS}) == len(CLIENTS)


def test_the_page_has_a_section_for_every_library():
    text = try_clients.PAGE.read_text(encoding="utf-8")
    titles = [line.removeprefix("### ") for line in text.splitlines() if line.startswith("### ")]
    assert titles == [item.title for item in CLIENTS]


def test_the_lines_of_the_page_are_what_a_shell_takes():
    text = describe(CLIENT, Outcome(True, "loss 1.0"))
    assert "pip install --no-deps lib==1.0\npip install 'numpy<2'\n```" in text
    assert "Ran: [hello_lib.py](../tools/clients/hello_lib.py) printed `loss 1.0`" in text


def test_variables_are_part_of_the_lines():
    client = Client("lib", "Lib", ("lib",), "hello_lib.py", "Why.", {"MXNET_NUMPY_ALIASES": "1"})
    assert "export MXNET_NUMPY_ALIASES=1\n```" in describe(client, Outcome(False, "no"))


def test_a_failing_command_says_its_last_line():
    program = "import sys; sys.exit('first\\nlast')"
    with pytest.raises(StepError, match=r"^last$"):
        run([sys.executable, "-c", program])


def test_a_library_that_does_not_install_is_an_outcome(monkeypatch, tmp_path):
    def fail(*_args, **_options):
        raise StepError("no such release")

    monkeypatch.setattr(try_clients, "run", fail)
    assert try_client(CLIENT, tmp_path, tmp_path) == Outcome(False, "no such release")


@pytest.mark.parametrize("arguments", [["nothing"], ["gluoncv", "--write"]])
def test_what_makes_no_sense_is_refused(arguments, capsys):
    with pytest.raises(SystemExit):
        parse(arguments)
    assert "error" in capsys.readouterr().err
