"""Branches, loops and suppression that depend on the data, imported from ONNX."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="needs the extra `onnx`")
pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")

import onnx
import onnxruntime as runtime

import mxnet as mx
from mxnet.gluon import HybridBlock, nn

FLOAT, BOOL, INT64 = onnx.TensorProto.FLOAT, onnx.TensorProto.BOOL, onnx.TensorProto.INT64


class Detector(HybridBlock):
    """A small network that finds boxes by default boxes, as SSD does."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.body = nn.Conv2D(4, 3, strides=2, padding=1, activation="relu")
            self.classes = nn.Conv2D(3 * 3, 3, padding=1)
            self.boxes = nn.Conv2D(3 * 4, 3, padding=1)

    def hybrid_forward(self, F, x):
        features = self.body(x)
        anchors = F.contrib.MultiBoxPrior(features, sizes=(0.3, 0.5), ratios=(1, 2))
        scores = self.classes(features).transpose((0, 2, 3, 1)).reshape((0, -1, 3))
        offsets = self.boxes(features).transpose((0, 2, 3, 1)).flatten()
        chances = F.softmax(scores, axis=-1).transpose((0, 2, 1))
        return F.contrib.MultiBoxDetection(chances, offsets, anchors, nms_threshold=0.4)


class Suppression(HybridBlock):
    """The end of a network such as YOLO."""

    def hybrid_forward(self, F, x):
        return F.contrib.box_nms(x, overlap_thresh=0.45, topk=12, id_index=0, score_index=1)


class Steps(HybridBlock):
    def hybrid_forward(self, F, x, state):
        rows, states = F.contrib.foreach(
            lambda row, held: (row + held[0], [F.tanh(row * held[0])]), x, [state]
        )
        return rows, states[0]


class Branch(HybridBlock):
    def hybrid_forward(self, F, x):
        return F.contrib.cond(F.sum(x) > 0, lambda: x * 2, lambda: x - 1)


def _boxes() -> np.ndarray:
    rows = np.random.RandomState(0).uniform(size=(2, 30, 6)).astype("float32")
    rows[..., 0] = rows[..., 0] > 0.5
    rows[..., 4:] = rows[..., 2:4] + 0.3
    return rows


IMAGES = np.random.RandomState(1).uniform(size=(2, 3, 16, 16)).astype("float32")
ROWS = np.random.RandomState(2).normal(size=(5, 3)).astype("float32")
EXPORTS = {
    "SSD": (Detector, [IMAGES], [IMAGES[::-1]]),
    "YOLO": (Suppression, [_boxes()], [_boxes()[::-1]]),
    "foreach": (Steps, [ROWS, ROWS[0]], [ROWS[::-1], ROWS[1]]),
    "cond": (Branch, [np.abs(ROWS)], [-np.abs(ROWS)]),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_our_own_exports_come_back(name, tmp_path):
    make, *samples = EXPORTS[name]
    net = make()
    net.initialize(mx.init.Xavier())
    first, second = ([mx.nd.array(item.copy()) for item in sample] for sample in samples)
    path = mx.onnx.export_block(net, str(tmp_path / "net.onnx"), *first)
    again = mx.onnx.import_to_gluon(path, mx.cpu())
    for arrays in (first, second):
        wanted, found = net(*arrays), again(*arrays)
        if not isinstance(wanted, (list, tuple)):
            wanted, found = [wanted], [found]
        for one, other in zip(wanted, found, strict=True):
            np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-4, atol=1e-5)


def _body(nodes, inputs, outputs):
    def infos(items):
        return [onnx.helper.make_tensor_value_info(*item) for item in items]

    return onnx.helper.make_graph(nodes, "body", infos(inputs), infos(outputs))


def _model(node, inputs, outputs, constants=None):
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [node],
        "graph",
        [info(name, FLOAT, shape) for name, shape in inputs.items()],
        [info(name, kind, None) for name, kind in outputs.items()],
        [onnx.numpy_helper.from_array(value, name) for name, value in (constants or {}).items()],
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def _compare(model, *arrays):
    session = runtime.InferenceSession(model.SerializeToString())
    names = [item.name for item in session.get_inputs()]
    wanted = session.run(None, dict(zip(names, arrays, strict=True)))
    found = mx.onnx.import_to_gluon(model, mx.cpu())(*map(mx.nd.array, arrays))
    found = found if isinstance(found, (list, tuple)) else [found]
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one, rtol=1e-5)


def test_a_scan_backwards_along_other_axes():
    make = onnx.helper.make_node
    body = _body(
        [make("Add", ["s", "x"], ["s_out"]), make("Mul", ["s_out", "x"], ["y"])],
        [("s", FLOAT, [2]), ("x", FLOAT, [2])],
        [("s_out", FLOAT, [2]), ("y", FLOAT, [2])],
    )
    ways = {"scan_input_axes": [1], "scan_output_axes": [1]}
    backwards = {"scan_input_directions": [1], "scan_output_directions": [1]}
    node = make(
        "Scan", ["s0", "xs"], ["last", "ys"], body=body, num_scan_inputs=1, **ways, **backwards
    )
    model = _model(node, {"s0": [2], "xs": [2, 5]}, {"last": FLOAT, "ys": FLOAT})
    _compare(model, ROWS[0, :2], ROWS[:2].repeat(2, 1)[:, :5].copy())


def _halving_loop(collects=False):
    make = onnx.helper.make_node
    nodes = [
        make("Mul", ["v", "half"], ["v_out"]),
        make("ReduceMax", ["v_out"], ["largest"], keepdims=0),
        make("Greater", ["largest", "one"], ["go_on"]),
    ]
    outputs = [("go_on", BOOL, []), ("v_out", FLOAT, [3])]
    if collects:
        nodes.append(make("Identity", ["v_out"], ["kept"]))
        outputs.append(("kept", FLOAT, [3]))
    body = _body(nodes, [("i", INT64, []), ("go", BOOL, []), ("v", FLOAT, [3])], outputs)
    names = ["last", "steps"] if collects else ["last"]
    node = make("Loop", ["", "start", "x"], names, body=body)
    constants = {
        "half": np.array(0.5, "float32"),
        "one": np.array(1, "float32"),
        "start": np.array(True),
    }
    return _model(node, {"x": [3]}, dict.fromkeys(names, FLOAT), constants)


@pytest.mark.parametrize("largest", [0.5, 10, 1000])
def test_a_loop_that_ends_by_its_data(largest):
    _compare(_halving_loop(), np.array([1, largest, 0.1], "float32"))


def test_a_loop_that_collects_an_unknown_number_of_values_is_refused():
    with pytest.raises(NotImplementedError, match="collects values"):
        mx.onnx.import_model(_halving_loop(collects=True))


@pytest.mark.parametrize("center", [0, 1])
def test_suppression_by_class(center):
    node = onnx.helper.make_node(
        "NonMaxSuppression",
        ["boxes", "scores", "most", "overlap", "least"],
        ["selected"],
        center_point_box=center,
    )
    constants = {
        "most": np.array([4], "int64"),
        "overlap": np.array([0.3], "float32"),
        "least": np.array([0.2], "float32"),
    }
    model = _model(
        node, {"boxes": [2, 20, 4], "scores": [2, 3, 20]}, {"selected": INT64}, constants
    )
    random = np.random.RandomState(3)
    boxes = random.uniform(size=(2, 20, 4)).astype("float32")
    _compare(model, boxes, random.uniform(size=(2, 3, 20)).astype("float32"))
