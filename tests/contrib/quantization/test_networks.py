"""Quantized networks have the original's graphs and compute what the original's do."""

from __future__ import annotations

import json
import logging
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.contrib import quantization
from tests.golden.quantization_cases import CASES, DATA, build, quantize

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "quantization"


@cache
def results() -> dict[str, np.ndarray]:
    return dict(np.load(FOLDER / "results.npz"))


@cache
def graphs() -> dict[str, list[dict[str, Any]]]:
    return json.loads(lzma.decompress((FOLDER / "graphs.json.xz").read_bytes()))


@cache
def quantized(name: str) -> gluon.SymbolBlock:
    return quantize(*CASES[name])


def describe(nodes: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Returns what is compared of nodes; numbers in few digits, as layers compute them."""
    rows = []
    for node in nodes:
        attrs = {
            key: round(float(value), 4) + 0.0 if key.endswith("calib_range") else value
            for key, value in node.get("attrs", {}).items()
        }
        inputs = [tuple(entry[:2]) for entry in node["inputs"]]
        rows.append((node["op"], node["name"], inputs, attrs))
    return rows


def cosine(left: np.ndarray, right: np.ndarray) -> float:
    return float((left * right).sum() / np.linalg.norm(left) / np.linalg.norm(right))


@pytest.mark.parametrize("name", CASES)
def test_the_graph_is_that_of_the_original(name: str):
    nodes = json.loads(quantized(name)._symbol.tojson())["nodes"]
    assert describe(nodes) == describe(graphs()[name])


@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_the_original(name: str):
    ours, theirs = quantized(name)(mx.nd.array(DATA)).asnumpy(), results()[name]
    # Where a number lies between two integers, the last bit of a factor decides.
    assert np.median(np.abs(ours - theirs)) < 1e-6 * max(1, np.abs(theirs).max())
    assert cosine(ours, theirs) > 0.9999
    assert (ours.argmax(axis=1) == theirs.argmax(axis=1)).all()


def test_the_network_on_floats_stays_as_it_was():
    net = build("plain")
    data = mx.nd.array(DATA)
    before = net(data).asnumpy()
    quantization.quantize_net_v2(net, calib_data=[data], calib_mode="naive")
    assert np.allclose(net(data).asnumpy(), before, atol=1e-5)
    assert np.allclose(before, results()["plain"], atol=1e-5)


def test_files_of_the_original_compute_the_same():
    block = gluon.SymbolBlock.imports(
        str(FOLDER / "residual-symbol.json"), ["data"], str(FOLDER / "residual-0000.params")
    )
    ours, theirs = block(mx.nd.array(DATA)).asnumpy(), results()["residual entropy"]
    assert np.median(np.abs(ours - theirs)) < 1e-6
    assert np.allclose(ours, theirs, atol=0.02)


def test_quantized_networks_are_saved_and_loaded(tmp_path: Path):
    net = quantized("residual entropy")
    data = mx.nd.array(DATA)
    expected = net(data).asnumpy()
    net.hybridize(static_alloc=True, static_shape=True)
    assert np.array_equal(net(data).asnumpy(), expected)
    net.export(tmp_path / "net")
    loaded = gluon.SymbolBlock.imports(
        tmp_path / "net-symbol.json", ["data"], tmp_path / "net-0000.params"
    )
    assert np.array_equal(loaded(data).asnumpy(), expected)


def test_quantize_net_warns_as_the_original():
    with pytest.warns(UserWarning, match="quantize_net_v2 has taken"):
        net = quantization.quantize_net(
            build("plain"), data_shapes=[mx.io.DataDesc("data", DATA.shape)]
        )
    assert np.array_equal(
        net(mx.nd.array(DATA)).asnumpy(), quantized("plain none")(mx.nd.array(DATA)).asnumpy()
    )


class Both(gluon.HybridBlock):
    """A network of two inputs."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.left, self.right = gluon.nn.Dense(3), gluon.nn.Dense(3)

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:  # noqa: ARG002 - the interface
        return self.left(x) + self.right(y)


@pytest.mark.parametrize("labels", [0, 1])
def test_labels_of_a_loader_are_left_out(labels: int):
    net = Both()
    net.initialize(mx.init.Uniform(0.5))
    arrays = [DATA.reshape(len(DATA), -1)[:, :5], DATA.reshape(len(DATA), -1)[:, 5:9]]
    exact = net(*map(mx.nd.array, arrays)).asnumpy()
    dataset = gluon.data.ArrayDataset(*arrays, *[np.zeros(len(DATA))] * labels)
    loader = gluon.data.DataLoader(dataset, batch_size=4)
    qnet = quantization.quantize_net_v2(net, calib_data=loader, calib_mode="naive")
    assert cosine(qnet(*map(mx.nd.array, arrays)).asnumpy(), exact) > 0.999


def test_labels_are_left_out_for_symbol_blocks(tmp_path: Path):
    net = build("plain")
    net.hybridize()
    exact = net(mx.nd.array(DATA)).asnumpy()
    net.export(tmp_path / "net")
    block = gluon.SymbolBlock.imports(
        tmp_path / "net-symbol.json", ["data"], tmp_path / "net-0000.params"
    )
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(DATA, np.zeros(len(DATA))), batch_size=4)
    qnet = quantization.quantize_net_v2(block, calib_data=loader, calib_mode="naive")
    assert cosine(qnet(mx.nd.array(DATA)).asnumpy(), exact) > 0.999


class Ranges:
    """A collector that knows ranges before."""

    def __init__(self) -> None:
        self.min_max_dict = {"data": (-1, 1)}
        self.seen: set[bytes] = set()

    def collect(self, name: bytes, array: mx.nd.NDArray) -> None:  # noqa: ARG002 - the interface
        self.seen.add(name)


def test_a_collector_of_the_program_tells_ranges():
    collector = Ranges()
    net = quantization.quantize_net_v2(
        build("plain"),
        calib_data=[mx.nd.array(DATA)],
        calib_mode="customize",
        LayerOutputCollector=collector,
    )
    attrs = net._symbol.attr_dict()["data_quantize"]
    assert attrs["min_calib_range"] == "-1.000000"
    assert b"sg_mkldnn_conv_bn_act_0_output" in collector.seen


def test_what_is_done_is_told_to_the_logger(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO):
        quantization.quantize_net_v2(
            build("plain"),
            calib_data=[mx.nd.array(DATA)],
            calib_mode="naive",
            exclude_layers_match=["dense"],
            logger=logging.getLogger("quantization"),
        )
    names = ["net_dense0_weight", "net_dense0_bias", "net_dense0_fwd", "net_dense0_relu_fwd"]
    names += ["net_dense1_weight", "net_dense1_bias", "net_dense1_fwd"]
    assert caplog.messages == [
        "Trace the network",
        f"Left as they are: {names}",
        "Quantizing graph",
        "Collect ranges of the outputs of layers",
        "Pass the collector to set_monitor_callback, run examples, then call calib_graph",
        "Quantizing parameters",
        f"Collected statistics from 1 batches of {len(DATA)}",
        f"Collected outputs of layers from {len(DATA)} examples",
        "Quantizing parameters",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "data_shapes: expected descriptions"),
        ({"calib_data": [mx.nd.array(DATA)], "ctx": "cpu"}, "expected one context, got cpu"),
        (
            {"calib_data": [mx.nd.array(DATA)], "calib_mode": "foo"},
            "calib_mode: expected .* got 'foo'",
        ),
        ({"calib_data": [mx.nd.array(DATA)], "exclude_layers": "conv"}, "expected a list of names"),
    ],
    ids=["no data", "context", "mode", "layers"],
)
def test_arguments_that_are_refused(options: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        quantization.quantize_net_v2(build("plain"), **options)
