"""The tables of what is supported count every module, the missing ones too."""

from __future__ import annotations

import json

from tools import make_support_table
from tools.make_support_table import Module, look_up, page, summary

NAMES = {
    "mxnet": ["cpu", "gpu"],
    "mxnet.autograd": ["record", "no_such_function"],
    "mxnet.no_such_module": ["first", "second", "third"],
    "mxnet.ndarray.NDArray": ["asnumpy"],
    "mxnet.ndarray.no_such_module": ["first"],
}


def test_names_are_looked_up():
    assert list(look_up(NAMES)) == [
        Module("", True, 2, []),
        Module("autograd", True, 2, ["no_such_function"]),
        Module("no_such_module", False, 3, ["first", "second", "third"]),
        Module("ndarray.NDArray", True, 1, []),
        Module("ndarray.no_such_module", False, 1, ["first"]),
    ]


def test_the_sentence_of_a_readme_counts_missing_modules():
    sentence = "{present} of {total} names in {modules} modules"
    assert summary(list(look_up(NAMES)), sentence) == "4 of 9 names in 5 modules"


def test_the_page_names_what_is_missing():
    rows = page(list(look_up(NAMES))).splitlines()
    assert "| `autograd` | 2 | 1 | `no_such_function` |" in rows
    assert "| `no_such_module` | 3 | 0 | all |" in rows


def test_the_names_are_those_of_all_modules():
    names = json.loads(make_support_table.NAMES.read_text(encoding="utf-8"))
    assert {"mxnet", "mxnet.rtc", "mxnet.contrib.onnx", "mxnet.gluon.trainer"} <= names.keys()
    assert not [path for path in names if "gen_" in path or "._" in path]
