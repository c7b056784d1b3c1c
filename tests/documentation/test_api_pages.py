"""Pages of the API: sections of functions, and what does the same in the other dialect or torch."""

from __future__ import annotations

import importlib

import pytest
import torch

import mxnet as mx
from tools.site import api, counterparts, functions

ROWS = list(counterparts.read_rows())


def find(name: str) -> object:
    """Returns what a name such as `np.linalg.norm` or `torch.nn.Linear` stands for."""
    head, *rest = name.split(".")
    found: object = torch if head == "torch" else getattr(mx, head)
    for number, part in enumerate(rest):
        if not hasattr(found, part):
            importlib.import_module(".".join([head, *rest[: number + 1]]))
        found = getattr(found, part)
    return found


def test_every_name_of_the_table_exists():
    for name in {name for row in ROWS for name in row}:
        assert callable(find(name)), name


def test_each_name_has_one_counterpart_in_torch():
    for name, others in counterparts.read_counterparts().items():
        assert sum(other.startswith("torch.") for other in others) <= 1, name


def test_rows_have_two_names_or_three():
    assert {len(row) for row in ROWS} == {2, 3}
    assert len(set(ROWS)) == len(ROWS)


def test_functions_of_one_name_are_counterparts():
    """Functions of one name in both dialects, but for those that do different things.

    `np.concat` is MXNet 2's name of `np.concatenate`, which is shown.
    """
    table = counterparts.read_counterparts()
    classic, numpy = api.public_objects("mxnet.ndarray"), api.public_objects("mxnet.numpy")
    extension = api.public_objects("mxnet.numpy_extension")
    for name in sorted(classic.keys() & (numpy.keys() | extension.keys()) - {"concat", "identity"}):
        others = table.get(f"nd.{name}", [])
        assert {f"np.{name}", f"npx.{name}"} & set(others), name


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("nd.concat", ["np.concatenate", "torch.cat"]),
        ("np.linalg.norm", ["nd.norm", "torch.linalg.norm"]),
        ("npx.softmax", ["nd.softmax", "torch.softmax"]),
        ("gluon.nn.Dense", ["torch.nn.Linear"]),
    ],
)
def test_the_other_dialect_comes_first(name: str, others: list[str]):
    assert counterparts.read_counterparts()[name] == others


def test_a_section_has_signature_docstring_and_links():
    section = functions.write_section("numpy", "concatenate", mx.np.concatenate, api.find_homes())
    heading, signature, summary, *_ = section.split("\n\n")
    assert heading.endswith("concatenate</span> { #mxnet.numpy.concatenate }")
    assert signature == "```python\nnp.concatenate(seq, axis=0, out=None)\n```"
    assert summary == "Joins arrays along an axis that they have."
    assert "**Parameters**\n\n- `seq`: The arrays.\n" in section
    assert "```pycon\n>>> import mxnet as mx\n" in section
    assert "[`mx.nd.concat`](ndarray.md#mxnet.ndarray.concat)" in section
    assert section.endswith("`torch.cat`\n")


def test_a_docstring_becomes_markdown():
    text = "Does it.\n\nMore.\n\nArgs:\n    x: One\n        line.\n\nAfter."
    text += "\n\nExample:\n    >>> 1\n    1"
    assert [part for part in functions.write_docstring(text) if part] == [
        "Does it.\n\nMore.",
        "**Parameters**",
        "- `x`: One\n  line.",
        "After.",
        "**Examples**",
        "```pycon\n>>> 1\n1\n```",
    ]


@pytest.mark.parametrize("module", sorted(api.MADE_AT_IMPORT))
def test_every_function_has_a_section_with_an_example(module: str):
    page = api.write_page("Title", [module])
    for name, member in api.public_objects(f"mxnet.{module}").items():
        if not isinstance(member, type):
            section = page.partition(f"{{ #mxnet.{module}.{name} }}")[2].partition("\n### ")[0]
            assert "```pycon" in section, name


def test_functions_of_symbols_are_a_table():
    assert "| `topk(data=None, " in api.write_page("Title", ["symbol"])


def test_classes_say_what_torch_has():
    docstrings = pytest.importorskip("tools.site.docstrings", reason="needs the extra `docs`")
    names = docstrings._names_of_objects()
    assert names[id(mx.gluon.nn.Dense)] == "gluon.nn.Dense"
    assert functions.write_counterparts("gluon.nn.Dense", {}).endswith("`torch.nn.Linear`")
