"""Iterators with `num_parts` and `part_index` read the samples that the original reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mxnet as mx
from tests.golden import part_cases as cases

RESULTS = json.loads((Path(__file__).parent.parent / "golden" / "io" / "parts.json").read_text())
CALLS = {name: (iterator, options) for name, iterator, options in cases.make_calls()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("parts")
    cases.write_files(path)
    return path


@pytest.mark.parametrize("name", CALLS)
def test_the_parts_are_those_of_the_original(name, folder):
    iterator, options = CALLS[name]
    make_iterator = getattr(mx.io, iterator, None) or getattr(mx.image, iterator)
    for count, part in cases.parts_of(name):
        given = {**options, "num_parts": count, "part_index": part}
        batches = cases.read_part(make_iterator, given, folder)
        assert batches == RESULTS[f"{name}: {part} of {count}"], f"part {part} of {count}"


def test_an_iterator_without_parts_says_so(folder):
    (folder / "numbers.csv").write_text("1,2\n3,4\n")
    options = {"data_csv": str(folder / "numbers.csv"), "data_shape": (2,), "batch_size": 1}
    with pytest.warns(UserWarning, match="CSVIter: no option 'num_parts', 'part_index'"):
        mx.io.CSVIter(num_parts=2, part_index=0, **options)
