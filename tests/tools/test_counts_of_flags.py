"""Flags of the process that are never reset: which code counts, and that the package has none."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tools.counts_of_flags import count_flags

PACKAGE = Path(__file__).parents[2] / "src" / "mxnet"


def count(tmp_path, **modules):
    root = tmp_path / "package"
    root.mkdir()
    for name, code in modules.items():
        (root / f"{name}.py").write_text(dedent(code))
    return count_flags(root)


STATE = """
    class State:
        on = False

        def __init__(self):
            self.known = False

        def begin(self):
            self.known = True

    state = State()
    flags = {}
    ready = False
"""
RAISED = {
    "package.state.State.known": "",
    "package.state.State.on": "def f():\n    state.on = True",
    "package.state.flags[]": "def f():\n    flags['a'] = True",
    "package.user.ready": "ready = False\ndef f():\n    global ready\n    ready = True",
    "package.user.Own.on": "class Own:\n    @classmethod\n    def f(cls):\n        cls.on = True",
}


@pytest.mark.parametrize("flag", RAISED)
def test_flags_are_found_in_all_modules(tmp_path, flag):
    user = f"from package.state import State, flags, state\n{RAISED[flag]}\n"
    assert flag in count(tmp_path, state=STATE, user=user)


@pytest.mark.parametrize(
    "reset",
    [
        "state.known = False",
        "before, state.known = state.known, True\n    state.known = before",
        "del state.known",
    ],
)
def test_a_flag_that_a_function_resets_does_not_count(tmp_path, reset):
    user = f"from package.state import state\n\n\ndef f():\n    {reset}\n"
    assert count(tmp_path, state=STATE, user=user) == []


@pytest.mark.parametrize(
    "code",
    [
        "class Own:\n    def f(self):\n        self.on = True",
        "def f(state):\n    state.on = True",
        "def f():\n    state = object()\n    state.on = True",
        "ready = True",
    ],
)
def test_what_belongs_to_other_objects_does_not_count(tmp_path, code):
    assert count(tmp_path, user=f"from package.state import state\n{code}\n") == []


def test_the_package_has_no_flag_that_is_never_reset():
    assert count_flags(PACKAGE) == []
