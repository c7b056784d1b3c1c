"""Names that modules of the original have because they import them."""

import importlib
import json
from pathlib import Path

import pytest

from mxnet._legacy.imported_names import NAMES_IN, SOURCE_OF

GOLDEN = Path(__file__).parents[1] / "golden" / "imported_names.json"


@pytest.mark.parametrize("module", NAMES_IN)
def test_names_are_those_of_their_sources(module):
    owner = importlib.import_module(module)
    for name in NAMES_IN[module]:
        assert getattr(owner, name) is getattr(importlib.import_module(SOURCE_OF[name]), name)


def test_other_names_are_still_missing():
    with pytest.raises(ImportError, match="nothing_like_it"):
        from mxnet.gluon.rnn.rnn_cell import nothing_like_it  # noqa: F401
    with pytest.raises(AttributeError, match="nothing_like_it"):
        importlib.import_module("mxnet.gluon.loss").nothing_like_it  # noqa: B018 - it raises


def test_modules_of_the_original_have_these_names():
    original = json.loads(GOLDEN.read_text("utf-8"))
    assert {module: sorted(names) for module, names in NAMES_IN.items()} == original
