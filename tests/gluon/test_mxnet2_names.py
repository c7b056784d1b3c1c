"""Names that only MXNet 2 has give what its 2.0.0b1 gives (tests/golden/record_mxnet2_names.py)."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

import mxnet as mx
from tests import mixed_precision
from tests.golden.mxnet2_names import FAMILIES, core

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "mxnet2_names"
CASES = {
    family: importlib.import_module(f"tests.golden.mxnet2_names.{family}").CASES
    for family in FAMILIES
}
EXPECTED = {
    family: json.loads((GOLDEN / f"{family}.json").read_text(encoding="utf-8"))
    for family in FAMILIES
}


@pytest.fixture
def version_2():
    before = mx.set_version(2)
    yield
    mixed_precision.turn_off()
    mx.set_version(before)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_has_a_result(family):
    assert [*CASES[family]] == [*EXPECTED[family]]


@pytest.mark.usefixtures("version_2")
@pytest.mark.filterwarnings("ignore")  # what both warn of is not what is compared
@pytest.mark.parametrize(
    ("family", "name"), [(family, name) for family, cases in CASES.items() for name in cases]
)
def test_names_give_what_they_give_there(family, name):
    with mx.name.NameManager():  # numbers of automatic names begin at 0, as there
        expected, found = EXPECTED[family][name], core.run(CASES[family][name], mx)
    assert core.same(expected, found), f"expected {expected}\ngot      {found}"
