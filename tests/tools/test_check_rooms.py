"""Counts of what the package consists of: what counts, on small packages, and what fails."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tools import check_rooms

CONTRACT = """
[[tool.importlinter.contracts]]
name = "Lower layers never import higher ones"
type = "layers"
layers = ["(gluon)", "ndarray | symbol : (numpy)"]

[[tool.importlinter.contracts]]
name = "Another kind"
type = "forbidden"
"""


@pytest.fixture
def write(tmp_path):
    """Returns a function that writes modules of a package by their paths, and reads them."""

    def write_modules(**files):
        for name, code in files.items():
            path = tmp_path / "src" / "mxnet" / f"{name.replace('__in__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(code))
        return check_rooms.read_modules(tmp_path / "src")

    return write_modules


@pytest.fixture
def counts(tmp_path, write):
    """Returns a function that counts in a package, by the first words of what is counted."""

    def count(**files):
        write(**files)
        (tmp_path / "pyproject.toml").write_text(CONTRACT)
        return {item.what: item for item in check_rooms.count(tmp_path)}

    return count


def test_lines_of_code_are_those_without_docstrings_comments_and_blank_lines(write):
    code = '''
        """A docstring

        of three lines."""

        # a comment
        x = [
            1,
        ]  # code


        def f():
            """One more."""
            return """text
            that counts"""
    '''
    assert write(module=code)["mxnet.module"].code_lines == 6


def test_files_and_lines_are_counted(counts):
    found = counts(one="import os\nfrom a import (\n    b,\n)\n", two="x = 1\n")
    assert found["Python files"].value == 2
    assert found["lines of code"].value == 5
    assert found["lines of imports"].value == 4


def test_small_modules_with_one_importer(write):
    modules = write(
        small="x = 1\n",
        shared="x = 1\n",
        large="x = 1\n" * check_rooms.SMALL,
        room__in____init__="from mxnet.room.inner import x as x\n",
        room__in__inner="x = 1\n",
        user="from mxnet import large, shared\nfrom mxnet.small import x\nimport mxnet.room\n",
        other="from mxnet.shared import x\n",
    )
    assert check_rooms.small_modules(modules) == [
        "mxnet.room.inner (1 lines of code, for mxnet.room)",
        "mxnet.small (1 lines of code, for mxnet.user)",
    ]


def test_private_modules_at_the_top(write):
    modules = write(__main__="", _one="", public="", _room__in____init__="", _room__in___two="")
    assert check_rooms.private_at_the_top(modules) == ["mxnet._one"]


def test_handlers_that_hide_frames(write):
    code = """
        try:
            f()
        except ValueError as error:
            hide_frames(error)
            raise
        hide_frames(None)
    """
    assert check_rooms.hidden_by_hand(write(module=code)) == ["mxnet.module:4"]


def test_handlers_and_arrays_in_texts_that_are_compiled(write):
    code = '''
    """Prose with hide_frames in it, and a handler's `_role`."""
    TEMPLATE = """
    def make(cls, tensor, ctx):
        try:
            array = new(cls)
            array._data, array._role, array._ctx = tensor, None, ctx
            return array
        except Exception as error:
            hide_frames(error)
            raise
    """
    '''
    modules = write(module=code)
    assert check_rooms.hidden_by_hand(modules) == ["mxnet.module:9"]
    assert check_rooms.arrays_by_hand(modules) == ["mxnet.module:4 make()"]


def test_names_in_the_contract(counts):
    found = counts(module="")["names in the contract of layers"]
    assert found.places == ("gluon", "ndarray", "symbol", "numpy")


@pytest.mark.parametrize("allocate", ["new(cls)", "object.__new__(cls)", "cls.__new__(cls)"])
def test_arrays_that_are_made_by_hand(write, allocate):
    code = f"""
        def make(cls, tensor, ctx):
            array = {allocate}
            array._data, array._role = tensor, None
            if ctx:
                array._ctx = ctx
            return array

        def change(array, tensor):
            array._data = array._role = array._ctx = tensor

        def begin(cls):
            array = {allocate}
            array._data = None
            return array
    """
    assert check_rooms.arrays_by_hand(write(module=code)) == ["mxnet.module:2 make()"]


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
    "mxnet.state.State.known": "",
    "mxnet.state.State.on": "def f():\n    state.on = True",
    "mxnet.state.flags[]": "def f():\n    flags['a'] = True",
    "mxnet.user.ready": "ready = False\ndef f():\n    global ready\n    ready = True",
    "mxnet.user.Own.on": "class Own:\n    @classmethod\n    def f(cls):\n        cls.on = True",
}


@pytest.mark.parametrize("flag", RAISED)
def test_flags_are_found_in_all_modules(write, flag):
    user = f"from mxnet.state import State, flags, state\n{RAISED[flag]}\n"
    assert flag in check_rooms.flags_never_reset(write(state=STATE, user=user))


@pytest.mark.parametrize(
    "reset",
    [
        "state.known = False",
        "before, state.known = state.known, True\n    state.known = before",
        "del state.known",
    ],
)
def test_a_flag_that_a_function_resets_does_not_count(write, reset):
    user = f"from mxnet.state import state\n\n\ndef f():\n    {reset}\n"
    assert check_rooms.flags_never_reset(write(state=STATE, user=user)) == []


@pytest.mark.parametrize(
    "code",
    [
        "class Own:\n    def f(self):\n        self.on = True",
        "def f(state):\n    state.on = True",
        "def f():\n    state = object()\n    state.on = True",
        "ready = True",
    ],
)
def test_what_belongs_to_other_objects_is_no_flag(write, code):
    assert (
        check_rooms.flags_never_reset(write(user=f"from mxnet.state import state\n{code}\n")) == []
    )


def test_a_limit_that_is_passed_fails_and_lists_the_places(counts, tmp_path, capsys):
    counts(state=STATE)
    assert check_rooms.main(tmp_path) == 1
    printed = capsys.readouterr().out
    assert (
        "error: flags that are never reset: 1, at most 0\n    mxnet.state.State.known\n" in printed
    )
    assert "\nPython files: 1, at most" in f"\n{printed}"
    counts(state="x = 1\n")
    assert check_rooms.main(tmp_path) == 0
    assert "error" not in capsys.readouterr().out
