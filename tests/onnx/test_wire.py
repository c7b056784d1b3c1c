"""Messages of a serialized model are counted as the parser would make them."""

from __future__ import annotations

import pytest

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")

from onnx.helper import make_node  # noqa: E402 - needs onnx

from mxnet.onnx._import.reader import _SHORT, count_messages, read_kind  # noqa: E402
from tests.onnx.models import floats, make_model, node  # noqa: E402

KIND = read_kind(onnx.ModelProto.DESCRIPTOR)
MANY = 10**6


def count_parsed(message) -> int:
    """Counts the messages inside of one that is parsed."""
    count = 0
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        items = value if hasattr(value, "add") else [value]
        count += sum(1 + count_parsed(item) for item in items)
    return count


def make_example():
    """Returns a model with tensors, shapes, attributes and a graph inside of a node."""
    nodes = [node("Relu", f"x{k}", f"x{k + 1}", alpha=1.0, beta=[1, 2]) for k in range(30)]
    inner = make_model(nodes, {"x0": (2, "N")}, ["x30"], {"w": floats(300)}).graph
    outer = [make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner), *nodes]
    return make_model(outer, {"x0": (2, "N")}, ["x30"], {"w": floats(1000), "v": floats(2)})


def test_count_is_not_below_the_one_of_the_parser():
    model = make_example()
    exact = count_parsed(model)
    assert exact > 100
    assert exact <= count_messages(model.SerializeToString(), KIND, MANY) < 20 * exact


def test_count_is_exact_where_it_decides():
    model = make_example()
    exact, content = count_parsed(model), model.SerializeToString()
    assert count_messages(content, KIND, exact) == exact
    assert count_messages(content, KIND, exact - 1) == exact


@pytest.mark.parametrize("tag", [b"\x2a", b"\xaa\x00", b"\xaa\x80\x80\x00"], ids=len)
@pytest.mark.parametrize("length", [b"\x00", b"\x80\x80\x00"], ids=len)
def test_numbers_may_be_written_in_more_bytes_than_they_need(tag, length):
    content = 100 * (tag + length)
    graph = b"\x3a" + bytes([len(content) & 127 | 128, len(content) >> 7]) + content
    assert count_parsed(onnx.ModelProto.FromString(graph)) == 101
    assert count_messages(graph, KIND, 101) == 101


@pytest.mark.parametrize(
    "end",
    [b"\x2a", b"\x2a\x7f", b"\x80" * 20, b"\x08", b"\x09\x00", b"\x0b", b"\x0c", b"\x0f", b"\x00"],
    ids=bytes.hex,
)
def test_damage_ends_the_count_and_nothing_else(end):
    content = b"\x2a\x00" * 10 + end
    assert count_messages(b"\x3a" + bytes([len(content)]) + content, KIND, MANY) >= 11
    assert count_messages(end, KIND, MANY) <= 1


def test_elements_of_tensors_are_not_looked_at():
    tensor = onnx.TensorProto(name="w", raw_data=b"\x2a\x00" * 1_000_000)
    model = onnx.ModelProto()
    model.graph.initializer.append(tensor)
    assert count_messages(model.SerializeToString(), KIND, MANY) == 2


def test_short_messages_are_estimated_first():
    model = onnx.ModelProto()
    model.graph.doc_string = "*" * 2 * _SHORT
    model.graph.node.add(name="*" * 99)
    assert count_messages(model.SerializeToString(), KIND, MANY) > 2
    assert count_messages(model.SerializeToString(), KIND, 2) == 2
