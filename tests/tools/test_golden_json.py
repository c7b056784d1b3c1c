"""Golden JSON as it is written for reviews."""

import json

import pytest

from tests.golden.writing import as_text, write_json


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"a": [1, 2.5, -0.0]}, {"b": ["x" * 60, "y" * 60], "a": {"long": "z" * 120}}],
)
def test_what_is_written_is_read_again(value, tmp_path):
    write_json(tmp_path / "facts.json", value)
    text = (tmp_path / "facts.json").read_text()
    assert json.dumps(json.loads(text)) == json.dumps(value)


def test_long_objects_have_a_line_for_each_fact():
    text = as_text({"b": ["x" * 60, "y" * 60], "a": [1] * 80, "c": {"d": 1}})
    assert text.splitlines() == [
        "{",
        ' "b": [',
        f'  "{"x" * 60}",',
        f'  "{"y" * 60}"',
        " ],",
        f' "a": {[1] * 80},',
        ' "c": {"d": 1}',
        "}",
    ]
