"""Hostile and damaged ONNX files: refused with an `MXNetError`, without running or taking much."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, LimitExceededError, MissingFileError, MXNetError

onnx = pytest.importorskip("onnx", reason="needs the extra `onnx`")

from tests.onnx.models import FLOAT, floats, make_model, node  # noqa: E402 - needs onnx

GOLDEN = Path(__file__).parents[1] / "golden" / "onnx"


def with_external(tmp_path: Path, **entries: str) -> Path:
    """Writes a model whose only weight is said to be in another file."""
    model = make_model([node("Add", "x w", "y")], {"x": (2,)}, ["y"], {"w": floats(2)})
    (tensor,) = model.graph.initializer
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, value in entries.items():
        item = tensor.external_data.add()
        item.key, item.value = key, value
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    path = folder / "net.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def test_weights_beside_the_model_are_read(tmp_path):
    path = with_external(tmp_path, location="weights.bin", offset="4", length="8")
    (path.parent / "weights.bin").write_bytes(np.array([9, 1, 2], "float32").tobytes())
    _, arg_params, _ = mx.onnx.import_model(path)
    assert arg_params["w"].asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("location", ["../secret", "/etc/passwd", "link", "", "sub/../../secret"])
def test_weights_elsewhere_are_not_read(location, tmp_path):
    (tmp_path / "secret").write_bytes(bytes(64))
    path = with_external(tmp_path, location=location)
    os.symlink(tmp_path / "secret", path.parent / "link")
    with pytest.raises(FileFormatError, match=r"net.onnx: tensor 'w': .* not in the folder"):
        mx.onnx.import_model(path)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"location": "none.bin"}, "there is no file 'none.bin'"),
        ({"location": "w.bin", "offset": "1"}, "does not hold 8 bytes"),
        ({"location": "w.bin", "offset": "-8"}, "does not hold"),
        ({"location": "w.bin", "offset": "many"}, "invalid literal"),
    ],
)
def test_wrong_places_of_weights(entries, message, tmp_path):
    path = with_external(tmp_path, **entries)
    (path.parent / "w.bin").write_bytes(bytes(8))
    with pytest.raises(FileFormatError, match=message):
        mx.onnx.import_model(path)
    with pytest.raises(FileFormatError, match="give the path of the model"):
        mx.onnx.import_model(path.read_bytes())


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(MissingFileError, match="no such file"):
        mx.onnx.import_model(tmp_path / "none.onnx")
    for content in (b"", b"garbage", b"\x00" * 100, (GOLDEN / "cnn.npz").read_bytes()):
        with pytest.raises(FileFormatError, match="not a model of ONNX"):
            mx.onnx.import_model(content)
    with pytest.raises(TypeError, match="got int"):
        mx.onnx.import_model(3)


@pytest.mark.parametrize("name", ["cnn", "recurrent"])
def test_damaged_files_are_refused(name):
    content, rng = (GOLDEN / f"{name}.onnx").read_bytes(), random.Random(1)
    refused = 0
    for _ in range(60):
        damaged = bytearray(content)
        if rng.random() < 0.4:
            del damaged[rng.randrange(len(damaged)) :]
        for _ in range(rng.randrange(1, 5)):
            if damaged:
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            mx.onnx.import_model(bytes(damaged))
        except MXNetError:
            refused += 1
    assert refused > 20


@pytest.mark.parametrize("opset", [0, 6, 99])
def test_versions_that_are_not_known(opset):
    model = make_model([node("Relu", "x", "y")], {"x": (2,)}, ["y"], opset=opset)
    with pytest.raises(FileFormatError, match=rf"opset {opset} is not one of 7 to"):
        mx.onnx.import_model(model)


def test_unknown_operators_are_named_with_node_and_domain():
    unknown = onnx.helper.make_node("Frobnicate", ["x"], ["y"], name="here", domain="acme")
    model = make_model([unknown], {"x": (2,)}, ["y"])
    with pytest.raises(
        NotImplementedError,
        match=r"node 'here' \(acme.Frobnicate.*'Frobnicate' of the domain 'acme'",
    ):
        mx.onnx.import_model(model)


def test_quantized_models_are_refused():
    constants = {"s": np.float32([0.5]), "z": np.array([0], "int8")}
    model = make_model([node("QuantizeLinear", "x s z", "y")], {"x": (2,)}, ["y"], constants)
    with pytest.raises(NotImplementedError, match="quantized models cannot be imported"):
        mx.onnx.import_model(model)


@pytest.mark.parametrize("op", ["Abs", "Erf", "LeakyRelu", "InstanceNormalization"])
def test_too_many_inputs_are_refused(op):
    model = make_model([node(op, "x x", "y")], {"x": (2,)}, ["y"])
    with pytest.raises(NotImplementedError, match=rf"{op}, opset \d+\): takes \d inputs, got 2"):
        mx.onnx.import_model(model)


def test_inputs_that_are_left_out_are_refused():
    model = make_model([node("Sqrt", "", "y")], {"x": (2,)}, ["y"])
    model.graph.node[0].input[:] = [""]
    with pytest.raises(NotImplementedError, match="input 0 is missing"):
        mx.onnx.import_model(model)


def test_nodes_in_a_cycle_are_refused():
    nodes = [node("Add", "x b", "a"), node("Neg", "a", "b")]
    with pytest.raises(FileFormatError, match=r"node 'a' reads 'b'.*cycle"):
        mx.onnx.import_model(make_model(nodes, {"x": (2,)}, ["b"]))
    with pytest.raises(FileFormatError, match="the graph reads 'none'"):
        mx.onnx.import_model(make_model([], {"x": (2,)}, ["none"]))


def test_names_are_not_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    payload = "__import__('pathlib').Path('OWNED').touch()"
    names = [f"{payload}#{place}" for place in range(4)]
    nodes = [
        onnx.helper.make_node("Add", [names[0], names[1]], [names[2]], name=payload),
        onnx.helper.make_node("Relu", [names[2]], [names[3]], name="');" + payload),
    ]
    model = make_model(nodes, {names[0]: (2,)}, [names[3]], {names[1]: floats(2)})
    net = mx.onnx.import_to_gluon(model, mx.cpu())
    net.hybridize(static_alloc=True)
    assert net(mx.nd.ones(2)).shape == (2,)
    assert not (tmp_path / "OWNED").exists()


def tensor_of(dims: list[int], **fields: object) -> object:
    return onnx.TensorProto(name="w", data_type=FLOAT, dims=dims, **fields)


@pytest.mark.parametrize(
    "tensor",
    [
        tensor_of([2**40, 2**20], raw_data=bytes(8)),
        tensor_of([-2], raw_data=bytes(8)),
        tensor_of([3], raw_data=bytes(8)),
        tensor_of([2**31, 2**31, 2**31], float_data=[1.0]),
        tensor_of([1] * 40, raw_data=bytes(4)),
        onnx.TensorProto(name="w", data_type=77, dims=[1], raw_data=bytes(4)),
        onnx.TensorProto(name="w", data_type=onnx.TensorProto.STRING, string_data=[b"x"]),
        onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT8E4M3FN, raw_data=b"x"),
    ],
    ids=lambda tensor: f"{tensor.data_type}-{list(tensor.dims)[:3]}",
)
def test_tensors_that_lie(tensor):
    model = make_model([node("Add", "x w", "y")], {"x": (2,)}, ["y"])
    model.graph.initializer.append(tensor)
    with pytest.raises(FileFormatError, match="tensor 'w'"):
        mx.onnx.import_model(model)


def test_functions_that_multiply_are_limited():
    model = make_model([], {"x": (2,)}, ["y"])
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("own", 1)]
    for level in range(40):
        inner = f"F{level - 1}" if level else "Relu"
        domain = "own" if level else ""
        nodes = [
            onnx.helper.make_node(inner, ["a"], ["b"], domain=domain),
            onnx.helper.make_node(inner, ["b"], ["c"], domain=domain),
        ]
        function = onnx.helper.make_function("own", f"F{level}", ["a"], ["c"], nodes, opsets)
        model.functions.append(function)
    model.graph.node.append(onnx.helper.make_node("F39", ["x"], ["y"], domain="own"))
    model.opset_import.append(opsets[1])
    with pytest.raises(LimitExceededError, match="graph"):
        mx.onnx.import_model(model)


def test_functions_that_call_themselves_are_refused():
    model = make_model([], {"x": (2,)}, ["y"])
    opset = onnx.helper.make_opsetid("own", 1)
    nodes = [
        onnx.helper.make_node("F", ["a"], ["b"], domain="own"),
        onnx.helper.make_node("F", ["b"], ["c"], domain="own"),
    ]
    model.functions.append(onnx.helper.make_function("own", "F", ["a"], ["c"], nodes, [opset]))
    model.graph.node.append(onnx.helper.make_node("F", ["x"], ["y"], domain="own"))
    model.opset_import.append(opset)
    with pytest.raises(MXNetError):
        mx.onnx.import_model(model)


def test_loops_are_limited():
    body = onnx.helper.make_graph(
        [node("Identity", "go", "still"), node("Neg", "before", "after")],
        "body",
        [
            onnx.helper.make_tensor_value_info("number", onnx.TensorProto.INT64, []),
            onnx.helper.make_tensor_value_info("go", onnx.TensorProto.BOOL, []),
            onnx.helper.make_tensor_value_info("before", FLOAT, [2]),
        ],
        [
            onnx.helper.make_tensor_value_info("still", onnx.TensorProto.BOOL, []),
            onnx.helper.make_tensor_value_info("after", FLOAT, [2]),
        ],
    )
    constants = {"count": np.array(10**15), "go": np.array(True)}
    loop = node("Loop", "count go x", "y", body=body)
    with pytest.raises(MXNetError, match="loop_iterations"):
        mx.onnx.import_model(make_model([loop], {"x": (2,)}, ["y"], constants))


SHAPES = {"s": np.array([2**20, 2**20, 2**20])}
GREEDY = [
    ("ConstantOfShape", "s", {}, SHAPES),
    ("Expand", "c s", {}, SHAPES | {"c": floats(1)}),
    ("Tile", "c s", {}, {"s": np.array([2**50]), "c": floats(1)}),
    ("Resize", "c r f s", {"mode": "linear"}, {
        "s": np.array([1, 1, 2**40, 2**40]), "c": floats(1, 1, 2, 2),
        "r": floats(0), "f": floats(0),
    }),
    ("MaxPool", "c", {"kernel_shape": [2**20, 2**20], "dilations": [2, 2]}, {
        "c": floats(1, 1, 3, 3),
    }),
    ("LRN", "c", {"size": 2**40}, {"c": floats(1, 2, 3, 3)}),
    ("Pad", "c s", {}, {"c": floats(2), "s": np.array([2**45, 2**45])}),
    ("OneHot", "i d v", {}, {"i": np.array([1]), "d": np.array(2**50), "v": floats(2)}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("op", "names", "attrs", "constants"), GREEDY, ids=lambda item: str(item)[:20]
)
def test_sizes_that_a_few_bytes_ask_for_are_limited(op, names, attrs, constants):
    nodes = [node(op, names, "y", **attrs), node("Add", "y x", "z")]
    model = make_model(nodes, {"x": (1,)}, ["z"], constants)
    with pytest.raises(MXNetError):
        mx.onnx.import_to_gluon(model, mx.cpu())(mx.nd.ones(1))


def test_constants_that_double_are_not_all_computed():
    nodes = [node("Concat", f"c{k} c{k}", f"c{k + 1}", axis=0) for k in range(40)]
    nodes.append(node("Add", "c40 x", "y"))
    model = make_model(nodes, {"x": (1,)}, ["y"], {"c0": np.ones(1024, "float32")})
    sym, arg_params, _ = mx.onnx.import_model(model)
    assert sum(array.size for array in arg_params.values()) < 1 << 26
    assert sym.list_outputs() == ["y_output"]
