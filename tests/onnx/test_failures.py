"""Every failure names file and node, and keeps its cause."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, LimitExceededError, MXNetError

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")

from mxnet.onnx import _table  # noqa: E402 - needs onnx
from mxnet.onnx._import.importer import named_after  # noqa: E402
from tests.onnx.models import make_model, node  # noqa: E402


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (KeyError("a"), "KeyError: 'a'"),
        (AttributeError("no sym"), "AttributeError: no sym"),
        (OSError(5, "broken"), "OSError: .*broken"),
        (OverflowError("too large"), "too large"),
        (RecursionError(), "what it reads is inside of too many others"),
        (MemoryError("all gone"), "MemoryError: all gone"),
    ],
    ids=lambda item: type(item).__name__,
)
def test_whatever_a_converter_raises(error, message, monkeypatch, tmp_path):
    def fail(*_):
        raise error

    monkeypatch.setitem(_table.IMPORTS, "Softsign", fail)
    path = tmp_path / "net.onnx"
    path.write_bytes(
        make_model([node("Softsign", "x", "y")], {"x": (2,)}, ["y"]).SerializeToString()
    )
    with pytest.raises(
        MXNetError, match=rf"net.onnx: node 'y' \(Softsign, opset 17\): {message}"
    ) as e:
        mx.onnx.import_model(path)
    assert e.value.__cause__ is error


def test_errors_name_the_innermost_node():
    inner = onnx.helper.make_graph(
        [node("Frobnicate", "x", "b")], "g", [], [onnx.helper.make_empty_tensor_value_info("b")]
    )
    made = node("If", "c", "y", then_branch=inner, else_branch=inner)
    model = make_model([made], {"x": (2,), "c": ()}, ["y"])
    with pytest.raises(NotImplementedError, match=r"^model: node 'b' \(Frobnicate") as e:
        mx.onnx.import_model(model)
    assert "node 'y'" not in str(e.value)


def test_tensors_of_attributes_are_named_after_their_node():
    tensor = onnx.TensorProto(data_type=77, dims=[1])
    made = onnx.helper.make_node("Constant", [], ["y"], name="here", value=tensor)
    with pytest.raises(
        FileFormatError, match=r"^model: node 'here' \(Constant.*tensor '': 77 is no"
    ):
        mx.onnx.import_model(make_model([made], {}, ["y"]))


def test_a_program_may_interrupt_an_import(monkeypatch):
    def fail(*_):
        raise TimeoutError("enough")

    monkeypatch.setitem(_table.IMPORTS, "Softsign", fail)
    with pytest.raises(TimeoutError, match=r"^enough$"):
        mx.onnx.import_model(make_model([node("Softsign", "x", "y")], {"x": (2,)}, ["y"]))


def test_limits_stay_limits():
    with pytest.raises(LimitExceededError, match=r"^net.onnx: too much"), named_after("net.onnx"):
        raise LimitExceededError("too much")


def test_mistakes_of_the_caller_do_not_blame_the_file():
    model = make_model([node("Relu", "x", "y")], {"x": (2,)}, ["y"])
    with pytest.raises(ValueError, match=r"^import_model: no input 'z'"):
        mx.onnx.import_model(model, shapes={"z": (1,)})
