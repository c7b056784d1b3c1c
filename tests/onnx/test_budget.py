"""What an import may spend, and that all parts of the importer spend from the same budget."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import LimitExceededError

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")

from mxnet.onnx._import import folding  # noqa: E402 - needs onnx
from mxnet.onnx._import.budget import BYTES, ELEMENTS, NODES, Budget, volume  # noqa: E402
from tests.onnx.models import floats, make_model, node  # noqa: E402


def test_what_is_spent_is_gone():
    with mx.limits.scope(import_bytes=100):
        budget = Budget("net.onnx", 0)
        budget.spend(BYTES, 60, "tensor 'w'")
        budget.spend(BYTES, 40, "tensor 'w'")
        with pytest.raises(LimitExceededError, match=r"net.onnx: tensor 'v': .*import_bytes"):
            budget.spend(BYTES, 1, "tensor 'v'")


def test_files_add_to_it():
    with mx.limits.scope(import_bytes=0, import_elements=0):
        budget = Budget("net.onnx", 10)
        budget.spend(BYTES, 100, "a")
        budget.spend(ELEMENTS, 40, "a")
        budget.add_file(1)
        budget.spend(BYTES, 10, "a")
        with pytest.raises(LimitExceededError):
            budget.spend(BYTES, 1, "a")


def test_half_is_kept_for_what_must_be_done():
    with mx.limits.scope(import_elements=100):
        budget = Budget("net.onnx", 0)
        assert budget.affords(ELEMENTS, 50)
        assert not budget.affords(ELEMENTS, 1)
        budget.spend(ELEMENTS, 50, "a")


def test_what_is_required_is_not_spent():
    with mx.limits.scope(import_nodes=10):
        budget = Budget("net.onnx", 0)
        for _ in range(3):
            budget.require(NODES, 10, "a")
        with pytest.raises(LimitExceededError):
            budget.require(NODES, 11, "a")


def test_depth_is_limited_and_given_back():
    budget = Budget("net.onnx", 0)
    with mx.limits.scope(graph_depth=1):
        for _ in range(3):
            with budget.nested("node 'a'"):
                pass
        with (
            pytest.raises(LimitExceededError, match=r"net.onnx: node 'b'.*graph_depth"),
            budget.nested("node 'a'"),
            budget.nested("node 'b'"),
        ):
            pass


def test_parameters_constants_and_tensors_are_paid_from_one_sum():
    nodes = [node("Resize", "x r f s", "y", mode="linear")]
    constants = {"r": floats(0), "f": floats(0), "s": np.array([1, 1, 40])}
    model = make_model(nodes, {"x": (1, 1, 30)}, ["y"], constants)
    mx.onnx.import_model(model)
    with (
        mx.limits.scope(import_bytes=2000),
        pytest.raises(LimitExceededError, match=r"tensor 'y_weights2'.*import_bytes"),
    ):
        mx.onnx.import_model(model)


def test_operators_that_converters_write_are_counted():
    made = [node("LSTM", "x w r", "y", hidden_size=2, clip=1.0)]
    model = make_model(made, {"x": (5, 1, 2)}, ["y"], {"w": floats(1, 8, 2), "r": floats(1, 8, 2)})
    mx.onnx.import_model(model)
    with (
        mx.limits.scope(import_nodes=70),  # enough for 5 steps of 20, with 50 for what is written
        pytest.raises(LimitExceededError, match=r"node 'y'.*import_nodes"),
    ):
        mx.onnx.import_model(model)


def test_a_fold_that_makes_more_than_it_paid_for_is_found(monkeypatch):
    entry = folding._FOLDS["Neg"]._replace(compute=lambda _, array: np.zeros(array.size + 1))
    monkeypatch.setitem(folding._FOLDS, "Neg", entry)
    model = make_model(
        [node("Neg", "c", "d"), node("Add", "d x", "y")], {"x": (2,)}, ["y"], {"c": floats(2)}
    )
    with pytest.raises(mx.MXNetError, match="more elements than its inputs allow"):
        mx.onnx.import_model(model)


def test_folding_stops_before_it_computes(monkeypatch):
    calls = []
    entry = folding._FOLDS["Concat"]
    compute = lambda *inputs: calls.append(1) or entry.compute(*inputs)  # noqa: E731
    monkeypatch.setitem(folding._FOLDS, "Concat", entry._replace(compute=compute))
    nodes = [node("Concat", "c c", "d", axis=0), node("Add", "d x", "y")]
    model = make_model(nodes, {"x": (1,)}, ["y"], {"c": floats(1000)})
    mx.onnx.import_model(model)
    assert len(calls) == 1
    monkeypatch.setattr(Budget, "affords", lambda *_: False)
    mx.onnx.import_model(model)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("shape", "count"), [((), 1), ((2, 3), 6), ((0,), 1), ((0, 5), 5), ((4, 0, 5), 20)]
)
def test_a_length_of_zero_does_not_make_the_others_free(shape, count):
    assert volume(shape) == count


def test_few_names_are_free_and_more_are_not():
    with mx.limits.scope(import_elements=10_000):
        budget = Budget("net.onnx", 0)
        for _ in range(100):
            budget.spend_names(10, "node 'a'")
        with pytest.raises(LimitExceededError, match=r"net.onnx: node 'a'.*import_elements"):
            budget.spend_names(100, "node 'a'")
