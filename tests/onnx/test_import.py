"""Importing models: those of torch, those of ONNX's helpers against ONNX Runtime, our own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import ArgumentValueError
from mxnet.gluon import nn
from mxnet.onnx._table import IMPORTS

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")
runtime = pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")

from tests.onnx.models import FLOAT, INT, floats, make_model, node  # noqa: E402 - needs onnx

GOLDEN = Path(__file__).parents[1] / "golden" / "onnx"


def as_list(outputs):
    return list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def compute(model, *arrays, **options):
    net = mx.onnx.import_to_gluon(model, mx.cpu(), **options)
    return [
        output.asnumpy()
        for output in as_list(net(*[mx.nd.array(a, dtype=a.dtype) for a in arrays]))
    ]


def compare(model, *arrays, rtol=1e-4, atol=1e-5, **options):
    content = model.SerializeToString()
    session = runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_inputs()]
    expected = session.run(None, dict(zip(names, arrays, strict=True)))
    results = compute(model, *arrays, **options)
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        assert result.dtype == wanted.dtype
        assert result.shape == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=rtol, atol=atol)


@pytest.mark.parametrize("name", ["cnn", "recurrent", "transformer"])
@pytest.mark.parametrize("hybridized", [False, True])
def test_models_of_torch(name, hybridized):
    arrays = np.load(GOLDEN / f"{name}.npz")
    inputs = [arrays[key] for key in sorted(arrays) if key.startswith("input")]
    net = mx.onnx.import_to_gluon(GOLDEN / f"{name}.onnx", mx.cpu())
    if hybridized:
        net.hybridize(static_alloc=True)
    for repeats in (1, 3):  # the batch is open
        given = [np.concatenate([array] * repeats) for array in inputs]
        outputs = as_list(net(*[mx.nd.array(array, dtype=array.dtype) for array in given]))
        for place, output in enumerate(outputs):
            expected = arrays[f"output{place}"]
            axis = 1 if name == "recurrent" and place else 0
            wanted = np.concatenate([expected] * repeats, axis)
            np.testing.assert_allclose(output.asnumpy(), wanted, rtol=1e-4, atol=1e-5)


def test_import_model_returns_a_graph_and_its_parameters(tmp_path):
    sym, arg_params, aux_params = mx.onnx.import_model(str(GOLDEN / "cnn.onnx"))
    assert "input0" in sym.list_arguments()
    assert sym.list_auxiliary_states() == list(aux_params) == []  # torch has folded them
    assert set(sym.list_arguments()) - {"input0"} == set(arg_params)
    arrays = np.load(GOLDEN / "cnn.npz")
    module = mx.mod.Module(sym, data_names=["input0"], label_names=None)
    module.bind([("input0", (2, 1, 9, 9))], for_training=False)
    module.set_params(arg_params, aux_params)
    module.forward(mx.io.DataBatch([mx.nd.array(arrays["input0"])]))
    output = module.get_outputs()[0].asnumpy()
    np.testing.assert_allclose(output, arrays["output0"], rtol=1e-4, atol=1e-5)
    sym.save(str(tmp_path / "net-symbol.json"))
    mx.nd.save(
        str(tmp_path / "net-0000.params"),
        {f"arg:{k}": v for k, v in arg_params.items()}
        | {f"aux:{k}": v for k, v in aux_params.items()},
    )
    net = mx.gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), "input0", str(tmp_path / "net-0000.params")
    )
    again = net(mx.nd.array(arrays["input0"])).asnumpy()
    np.testing.assert_allclose(again, arrays["output0"], rtol=1e-4, atol=1e-5)


def test_an_imported_model_learns():
    net = mx.onnx.import_to_gluon(GOLDEN / "cnn.onnx", [mx.cpu()])
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    images, labels = mx.nd.array(floats(4, 1, 9, 9)), mx.nd.array([0, 1, 2, 3])
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss(from_logits=True)
    losses = []
    for _ in range(5):
        with mx.autograd.record():
            loss = loss_of(net(images), labels)
        loss.backward()
        trainer.step(4)
        losses.append(loss.mean().asscalar())
    assert losses[-1] < losses[0]


def test_metadata():
    metadata = mx.onnx.get_model_metadata(GOLDEN / "transformer.onnx")
    assert metadata["input_tensor_data"] == [("input0", (0, 6)), ("input1", (0, 6))]
    assert [shape for _, shape in metadata["output_tensor_data"]] == [(0, 3)]


def test_names_of_the_original():
    path = str(GOLDEN / "cnn.onnx")
    assert mx.contrib.onnx.get_model_metadata(path) == mx.onnx.get_model_metadata(path)
    sym, _, _ = mx.contrib.onnx.import_model(path)
    assert sym.list_arguments()[0] == "input0"
    assert mx.contrib.onnx.import_to_gluon(path, ctx=mx.cpu()).collect_params()


X4 = floats(2, 4, 7, 6)
IMAGE = floats(1, 3, 8, 9)
POOLS = [
    {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1},
    {"kernel_shape": [3, 2], "pads": [1, 0, 0, 1], "strides": [2, 1]},
    {"kernel_shape": [3, 3], "auto_pad": "SAME_UPPER", "strides": [2, 2]},
    {"kernel_shape": [2, 2], "auto_pad": "SAME_LOWER"},
    {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "ceil_mode": 1, "strides": [2, 2]},
]


@pytest.mark.parametrize("attrs", POOLS, ids=str)
def test_pooling(attrs):
    compare(make_model([node("MaxPool", "x", "y", **attrs)], {"x": X4}, ["y"]), X4)
    for counts in (0, 1):
        average = node("AveragePool", "x", "y", count_include_pad=counts, **attrs)
        compare(make_model([average], {"x": X4}, ["y"], opset=19), X4)
    if "auto_pad" not in attrs:
        dilated = node("MaxPool", "x", "y", **{**attrs, "dilations": [1, 2]})
        compare(make_model([dilated], {"x": X4}, ["y"]), X4)


@pytest.mark.parametrize(
    "attrs",
    [
        {},
        {"pads": [1, 2, 0, 1], "strides": [2, 1]},
        {"dilations": [2, 2], "group": 2},
        {"auto_pad": "SAME_LOWER", "strides": [2, 2]},
        {"auto_pad": "VALID"},
    ],
    ids=str,
)
def test_convolutions(attrs):
    weight = floats(6, 4 // attrs.get("group", 1), 3, 2, seed=1)
    constants = {"w": weight, "b": floats(6)}
    compare(make_model([node("Conv", "x w b", "y", **attrs)], {"x": X4}, ["y"], constants), X4)


@pytest.mark.parametrize(
    "attrs",
    [
        {},
        {"strides": [2, 3], "pads": [1, 1, 1, 1], "output_padding": [1, 0]},
        {"strides": [2, 2], "pads": [0, 1, 1, 0]},
        {"strides": [2, 2], "auto_pad": "SAME_UPPER"},
        {"strides": [2, 2], "output_shape": [14, 12]},
        {"group": 2, "dilations": [2, 1]},
    ],
    ids=str,
)
def test_transposed_convolutions(attrs):
    constants = {"w": floats(4, 3, 3, 3, seed=1), "b": floats(3 * attrs.get("group", 1))}
    model = make_model([node("ConvTranspose", "x w b", "y", **attrs)], {"x": X4}, ["y"], constants)
    compare(model, X4)


@pytest.mark.parametrize("opset", [11, 13])
@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax", "Hardmax"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_of_older_and_newer_versions(op, opset, axis):
    model = make_model([node(op, "x", "y", axis=axis)], {"x": X4}, ["y"], opset=opset)
    compare(model, X4)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("way", ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
@pytest.mark.parametrize("target", ["scales", "sizes"])
def test_resizing(mode, way, target):
    constants = {
        "roi": np.array([], "float32"),
        "scales": np.array([1, 1, 1.5, 2] if target == "scales" else [], "float32"),
        "sizes": np.array([1, 3, 5, 13]),
    }
    names = "x roi scales" if target == "scales" else "x roi scales sizes"
    if target == "scales":
        del constants["sizes"]
    attrs = {"mode": mode, "coordinate_transformation_mode": way}
    model = make_model([node("Resize", names, "y", **attrs)], {"x": IMAGE}, ["y"], constants)
    compare(model, IMAGE)


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize(
    ("op", "gates", "attrs"),
    [
        ("LSTM", 4, {}),
        ("GRU", 3, {"linear_before_reset": 1}),
        ("GRU", 3, {"linear_before_reset": 0}),
        ("RNN", 1, {}),
        ("RNN", 1, {"activations": ["Relu"]}),
        ("LSTM", 4, {"clip": 0.3}),
    ],
    ids=str,
)
def test_recurrent_layers(op, gates, attrs, direction):
    directions, size, x = 1 + (direction == "bidirectional"), 3, floats(5, 2, 4)
    if "activations" in attrs:
        attrs = {"activations": attrs["activations"] * directions}
    constants = {
        "w": floats(directions, gates * size, 4, seed=1),
        "r": floats(directions, gates * size, size, seed=2),
        "b": floats(directions, 2 * gates * size, seed=3),
    }
    outputs = "y h c" if op == "LSTM" else "y h"
    layer = node(op, "x w r b", outputs, hidden_size=size, direction=direction, **attrs)
    compare(make_model([layer], {"x": x}, outputs.split(), constants), x)


NORMALIZATIONS = [
    ("InstanceNormalization", "x s b", {"epsilon": 1e-3}),
    ("LayerNormalization", "x n m", {"axis": -1}),
    ("LayerNormalization", "x p", {"axis": 2}),
    ("LRN", "x", {"size": 3, "alpha": 0.1}),
    ("LpNormalization", "x", {"axis": 1, "p": 1}),
    ("LpNormalization", "x", {"axis": -1, "p": 2}),
    ("MeanVarianceNormalization", "x", {}),
]


def test_running_averages_become_auxiliary_states():
    constants = {name: np.abs(floats(4, seed=k)) for k, name in enumerate("sbmv")}
    nodes = [
        node("BatchNormalization", "x s b m v", "y", epsilon=1e-3),
        node("BatchNormalization", "y s b m v", "z"),  # which shares them
    ]
    model = make_model(nodes, {"x": X4}, ["z"], constants)
    compare(model, X4)
    sym, arg_params, aux_params = mx.onnx.import_model(model)
    assert sorted(arg_params) == ["b", "s"]
    assert sorted(aux_params) == ["m", "m_1", "v", "v_1"]
    assert sym.list_outputs() == ["z_output"]
    assert "y_output" in sym.get_internals().list_outputs()


@pytest.mark.parametrize(("op", "names", "attrs"), NORMALIZATIONS, ids=str)
def test_normalizations(op, names, attrs):
    shapes = {"s": (4,), "b": (4,), "n": (6,), "m": (6,), "p": (7, 6)}
    constants = {name: floats(*shapes[name]) for name in names.split()[1:]}
    compare(make_model([node(op, names, "y", **attrs)], {"x": X4}, ["y"], constants), X4)


ONE_INPUT = [
    ("Slice", "x s e a t", {}, {"s": [1, -1], "e": [-1, -9], "a": [1, 3], "t": [2, -1]}),
    ("Gather", "x i", {"axis": 2}, {"i": [[0, -1], [3, 2]]}),
    ("Gather", "x i", {"axis": 1}, {"i": -1}),
    ("GatherElements", "x i", {"axis": 3}, {"i": np.ones((2, 4, 7, 2), int)}),
    ("GatherND", "x i", {}, {"i": [[0, 1], [1, -2]]}),
    ("ScatterND", "x i u", {}, {"i": [[0], [1]], "u": floats(2, 4, 7, 6, seed=1)}),
    ("Expand", "x s", {}, {"s": [3, 1, 1, 7, 1]}),
    ("Tile", "x s", {}, {"s": [1, 2, 1, 3]}),
    ("Reshape", "x s", {}, {"s": [0, -1, 3]}),
    ("Flatten", "x", {"axis": -1}, {}),
    ("Flatten", "x", {"axis": 2}, {}),
    ("Transpose", "x", {"perm": [3, 0, 2, 1]}, {}),
    ("Unsqueeze", "x s", {}, {"s": [0, -1]}),
    ("Pad", "x s v", {}, {"s": [0, 1, 0, -1, 0, 0, 2, 1], "v": np.float32(2)}),
    ("Pad", "x s", {"mode": "reflect"}, {"s": [0, 1, 0, 2, 0, 0, 2, 1]}),
    ("Pad", "x s", {"mode": "edge"}, {"s": [0, 1, 0, 2, 0, 0, 2, 1]}),
    ("ReduceSum", "x a", {"keepdims": 0}, {"a": [1, -1]}),
    ("ReduceMean", "x", {"axes": [1, 2]}, {}),
    ("ReduceLogSumExp", "x", {"keepdims": 0}, {}),
    ("ReduceL2", "x", {"axes": [3]}, {}),
    ("ArgMax", "x", {"axis": 2, "keepdims": 0}, {}),
    ("CumSum", "x a", {"exclusive": 1, "reverse": 1}, {"a": 1}),
    ("Clip", "x l h", {}, {"l": np.float32(-0.5), "h": np.float32(0.5)}),
    ("Where", "c x o", {}, {"c": [[True], [False]] * 3 + [[True]], "o": np.float32(7)}),
    ("Gemm", "f w b", {"transB": 1, "alpha": 0.5}, {"w": floats(5, 6), "b": floats(5)}),
    ("MatMul", "x w", {}, {"w": floats(4, 6, 3)}),
    ("DepthToSpace", "x", {"blocksize": 2, "mode": "CRD"}, {}),
    ("OneHot", "i d v", {"axis": 1}, {"i": [[1, -1]], "d": 4, "v": [0.0, 2.0]}),
    ("Selu", "x", {}, {}),
    ("Celu", "x", {"alpha": 2.0}, {}),
    ("HardSwish", "x", {}, {}),
    ("PRelu", "x w", {}, {"w": floats(4, 1, 1)}),
    ("Round", "x", {}, {}),
    ("Trilu", "x", {"upper": 0}, {}),
    ("Einsum", "x x", {"equation": "nchw,nchw->nc"}, {}),
]


@pytest.mark.parametrize(("op", "names", "attrs", "constants"), ONE_INPUT, ids=str)
def test_operators(op, names, attrs, constants):
    arrays = {}
    for name, value in constants.items():
        array = np.asarray(value)
        arrays[name] = array.astype("float32") if array.dtype == np.float64 else array
    inputs = {name: X4 for name in names.split() if name == "x"}
    inputs |= {name: floats(3, 6) for name in names.split() if name == "f"}
    if not inputs:  # all are constants; computed by the graph all the same
        inputs, arrays = {"i": arrays.pop("i")}, arrays
    model = make_model([node(op, names, "y", **attrs)], inputs, ["y"], arrays)
    compare(model, *inputs.values())


def test_shapes_are_computed_with_lengths_that_are_open():
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "n"),
        node("Gather", "s one", "c"),
        node("Mul", "n c", "nc"),
        node("Unsqueeze", "nc axes", "u"),
        node("Concat", "u rest", "target", axis=0),
        node("Reshape", "x target", "flat"),
        node("ConstantOfShape", "s", "zeros"),
        node("Add", "x zeros", "same"),
    ]
    constants = {
        "zero": np.array(0),
        "one": np.array(1),
        "axes": np.array([0]),
        "rest": np.array([-1]),
    }
    model = make_model(nodes, {"x": ("N", 4, 5)}, ["flat", "same"], constants)
    for batch in (1, 3):
        compare(model, floats(batch, 4, 5))


def test_a_length_that_cannot_stay_open_asks_for_shapes():
    nodes = [
        node("Shape", "y", "s"),
        node("Concat", "s rest", "target", axis=0),
        node("Reshape", "x target", "z"),
    ]
    model = make_model(nodes, {"x": ("N", 4), "y": ("M",)}, ["z"], {"rest": np.array([-1])})
    with pytest.raises(NotImplementedError, match=r"node 'z' \(Reshape.*\(M, -1\).*shapes="):
        mx.onnx.import_model(model)
    compare(model, floats(3, 4), floats(2), shapes={"x": (3, 4), "y": (2,)})


def test_shapes_that_do_not_fit_are_refused():
    path = GOLDEN / "cnn.onnx"
    with pytest.raises(ArgumentValueError, match=r"no input 'data'; there are 'input0'"):
        mx.onnx.import_model(path, shapes={"data": (1, 1, 9, 9)})
    with pytest.raises(ArgumentValueError, match="has 4 axes"):
        mx.onnx.import_model(path, shapes={"input0": (1, 9)})


def test_branches_and_loops_that_are_known():
    def body(name, nodes, inputs, outputs):
        info = [onnx.helper.make_tensor_value_info(n, t, s) for n, t, s in inputs]
        ends = [onnx.helper.make_tensor_value_info(n, t, s) for n, t, s in outputs]
        return onnx.helper.make_graph(nodes, name, info, ends)

    then = body("then", [node("Relu", "x", "t")], [], [("t", FLOAT, [2, 3])])
    other = body("else", [node("Neg", "x", "e")], [], [("e", FLOAT, [2, 3])])
    round_ = body(
        "round",
        [
            node("Add", "before x", "after"),
            node("Identity", "go_on", "still"),
            node("Mul", "before before", "square"),
        ],
        [("number", INT, []), ("go_on", onnx.TensorProto.BOOL, []), ("before", FLOAT, [2, 3])],
        [("still", onnx.TensorProto.BOOL, []), ("after", FLOAT, [2, 3]), ("square", FLOAT, [2, 3])],
    )
    nodes = [
        node("If", "flag", "a", then_branch=then, else_branch=other),
        node("Loop", "count flag a", "last squares", body=round_),
    ]
    x = floats(2, 3)
    for flag in (True, False):
        constants = {"flag": np.array(flag), "count": np.array(3)}
        if flag:
            compare(make_model(nodes, {"x": x}, ["last", "squares"], constants), x)
        else:
            compare(make_model(nodes[:1], {"x": x}, ["a"], constants), x)


def test_operators_that_onnx_defines_by_others():
    assert "SoftmaxCrossEntropyLoss" not in IMPORTS
    labels = np.array([1, 0, 2])
    model = make_model(
        [node("SoftmaxCrossEntropyLoss", "x l", "y", reduction="sum")],
        {"x": floats(3, 4), "l": labels},
        ["y"],
    )
    compare(model, floats(3, 4), labels)


def test_functions_of_the_file():
    twice = onnx.helper.make_function(
        "own", "Twice", ["a"], ["b"], [node("Add", "a a", "b")], [onnx.helper.make_opsetid("", 17)]
    )
    call = onnx.helper.make_node("Twice", ["x"], ["y"], domain="own")
    model = make_model([call], {"x": (2, 3)}, ["y"])
    model.functions.append(twice)
    model.opset_import.append(onnx.helper.make_opsetid("own", 1))
    x = floats(2, 3)
    np.testing.assert_array_equal(compute(model, x)[0], 2 * x)


def test_round_trip_of_our_own_export(tmp_path):
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(4, 3, padding=1, activation="relu"),
        nn.BatchNorm(),
        nn.MaxPool2D(2),
        nn.Flatten(),
        nn.Dense(3),
    )
    net.initialize(mx.init.Xavier())
    net.hybridize()
    images = mx.nd.array(floats(2, 1, 6, 6))
    expected = net(images).asnumpy()
    net.export(str(tmp_path / "net"))
    mx.onnx.export_model(
        str(tmp_path / "net-symbol.json"),
        str(tmp_path / "net-0000.params"),
        [(2, 1, 6, 6)],
        np.float32,
        str(tmp_path / "net.onnx"),
    )
    again = mx.onnx.import_to_gluon(str(tmp_path / "net.onnx"), mx.cpu())
    np.testing.assert_allclose(again(images).asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_graphs_under_the_name_of_the_original():
    model = make_model([node("Relu", "x", "y")], {"x": (2, 3)}, ["y"])
    graphs = mx.contrib.onnx.onnx2mx.import_onnx.GraphProto()
    version = model.opset_import[0].version
    symbol, arg_params, aux_params = graphs.from_onnx(model.graph, version)
    assert (symbol.list_arguments(), arg_params, aux_params) == (["x"], {}, {})
    assert graphs.get_graph_metadata(model.graph)["input_tensor_data"] == [("x", (2, 3))]
    net = graphs.graph_to_gluon(model.graph, mx.cpu(), version)
    assert net(mx.nd.array([[-1, 0, 2], [3, -4, 5]])).asnumpy().tolist() == [[0, 0, 2], [3, 0, 5]]
