"""Imports that go past the door of a room are found."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools import check_rooms
from tools.check_rooms import Module, imports_past_doors


@pytest.fixture
def find(monkeypatch):
    monkeypatch.setattr(check_rooms, "ROOMS_WITH_DOORS", ("_state",))

    def find(importer: str, line: str) -> list[str]:
        texts = {
            "mxnet": "",
            "mxnet._state": "from mxnet._state import rng as rng",
            "mxnet._state.locks": "",
            "mxnet._state.rng": "",
            "mxnet.ndarray": "",
            "mxnet.ndarray._sparse": "",
            "mxnet.ndarray.sparse": "",
            importer: line,
        }
        return imports_past_doors(
            {name: Module(name, Path("m.py"), ast.parse(text), 1) for name, text in texts.items()}
        )

    return find


@pytest.mark.parametrize(
    "line",
    [
        "from mxnet.ndarray._sparse import Rows",
        "from mxnet.ndarray import _sparse",
        "import mxnet.ndarray._sparse",
        "from mxnet._state.locks import Lock",
        "from mxnet._state import locks",
    ],
)
def test_an_import_past_a_door_is_found(find, line):
    (found,) = find("mxnet.io", line)
    assert found.startswith("mxnet.io imports mxnet.")


@pytest.mark.parametrize(
    ("importer", "line"),
    [
        ("mxnet.io", "from mxnet.ndarray.sparse import CSRNDArray"),
        ("mxnet.io", "from mxnet._state import rng"),
        ("mxnet.io", "from mxnet._state.rng import draws"),
        ("mxnet.io", "from mxnet._state import Lock"),
        ("mxnet.ndarray.sparse", "from mxnet.ndarray import _sparse"),
        ("mxnet._state.rng", "from mxnet._state.locks import Lock"),
        ("mxnet", "from mxnet._state import locks"),
    ],
)
def test_an_import_by_a_door_or_inside_of_a_room_is_allowed(find, importer, line):
    assert find(importer, line) == []
