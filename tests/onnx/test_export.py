"""What `export_model` and `export_block` take, write and refuse."""

import importlib
import logging

import numpy as np
import onnx
import onnxruntime
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn
from mxnet.onnx._export import file


def run(path, *inputs):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [item.name for item in session.get_inputs()]
    return session.run(None, dict(zip(names, inputs, strict=True)))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "net.onnx"


@pytest.fixture
def network():
    """Returns a symbol with a label, its parameters, an input and what it computes."""
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc")
    net = mx.sym.BatchNorm(net, name="bn", fix_gamma=False)
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (2, 3))], [("softmax_label", (2,))])
    module.init_params(mx.init.Normal(1))
    data = np.random.RandomState(1).rand(2, 3).astype(np.float32)
    module.forward(mx.io.DataBatch([nd.array(data)], [nd.zeros(2)]), is_train=False)
    return net, module, data, module.get_outputs()[0].asnumpy()


def assert_computes(path, data, expected):
    np.testing.assert_allclose(run(path, data)[0], expected, rtol=1e-4, atol=1e-5)


def test_files_of_a_checkpoint(tmp_path, path, network):
    _, module, data, expected = network
    module.save_checkpoint(str(tmp_path / "net"), 1)
    written = mx.onnx.export_model(
        str(tmp_path / "net-symbol.json"), tmp_path / "net-0001.params", [(2, 3)], np.float32, path
    )
    assert written == str(path)
    assert_computes(path, data, expected)


def test_parameters_as_a_list_of_two_dictionaries(path, network):
    net, module, data, expected = network
    mx.contrib.onnx.export_model(net, list(module.get_params()), [(2, 3)], onnx_file_path=path)
    assert_computes(path, data, expected)


def test_parameters_as_one_dictionary_with_or_without_prefixes(path, network):
    net, module, data, expected = network
    arguments, states = module.get_params()
    params = {f"arg:{name}": value for name, value in arguments.items()} | states
    mx.onnx.export_model(
        net, params, input_shape=[(2, 3)], input_type="float32", onnx_file_path=path
    )
    assert_computes(path, data, expected)


def test_names_are_those_of_the_network_and_labels_are_left_out(path, network):
    net, module, *_ = network
    mx.onnx.export_model(net, list(module.get_params()), [(2, 3)], onnx_file_path=path)
    graph = onnx.load(path).graph
    assert [item.name for item in graph.input] == ["data"]
    assert [item.name for item in graph.output] == net.list_outputs()
    assert {"fc_weight", "fc_bias"} <= {item.name for item in graph.initializer}


def two_losses():
    data, label = mx.sym.var("data"), mx.sym.var("label")
    first = mx.sym.LogisticRegressionOutput(data, label, name="first")
    return mx.sym.Group([first, mx.sym.SoftmaxOutput(data, name="last")])


@pytest.mark.parametrize(
    ("shapes", "names"),
    [
        ([(2, 3)], ["data"]),
        ([(2, 3), (2, 3)], ["data", "label"]),
        ([(2, 3), (2, 3), (2,)], ["data", "label"]),
    ],
)
@pytest.mark.parametrize("dynamic", [False, True])
def test_labels_may_have_shapes(path, shapes, names, dynamic):
    net = two_losses()
    types = ["float32"] * len(shapes)
    mx.onnx.export_model(net, {}, shapes, types, path, dynamic=dynamic)
    assert [item.name for item in onnx.load(path).graph.input] == names
    data = np.array([[0, 1, 2], [2, 0, 0]], np.float32)
    outputs = run(path, *[data] * len(names))
    expected = nd.sigmoid(nd.array(data)), nd.softmax(nd.array(data))
    for output, wanted in zip(outputs, expected, strict=True):
        np.testing.assert_allclose(output, wanted.asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
def test_powers_of_zero(path, dtype):
    base, exponent = np.array([0, 0, 2, -1, 0], dtype), np.array([-1, -2, 3, -3, 0], dtype)
    graph = mx.sym.broadcast_power(mx.sym.var("a"), mx.sym.var("b"))
    mx.onnx.export_model(graph, {}, [(5,), (5,)], [dtype] * 2, path)
    expected = nd.broadcast_power(nd.array(base, dtype=dtype), nd.array(exponent, dtype=dtype))
    np.testing.assert_array_equal(run(path, base, exponent)[0], expected.asnumpy())


POOLS = [
    {"kernel": (1, 1), "stride": (2, 3)},
    {"kernel": (1, 1), "stride": (2, 2), "pad": (0, 0), "count_include_pad": False},
    {"kernel": (3, 2), "stride": (4, 5), "pad": (1, 1)},
    {"kernel": (2, 2), "stride": (3, 3), "pad": (0, 1)},
]


@pytest.mark.parametrize("options", POOLS, ids=str)
@pytest.mark.parametrize("pool_type", ["max", "avg", "sum"])
@pytest.mark.parametrize("convention", ["full", "valid"])
def test_windows_that_end_outside(path, options, pool_type, convention):
    data = np.random.RandomState(2).randn(2, 3, 8, 9).astype(np.float32)
    graph = mx.sym.Pooling(
        mx.sym.var("x"), pool_type=pool_type, pooling_convention=convention, **options
    )
    mx.onnx.export_model(graph, {}, [data.shape], np.float32, path)
    (expected,) = graph.eval(x=nd.array(data))
    np.testing.assert_allclose(run(path, data)[0], expected.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("begin", "end", "step"),
    [((None, 1), (2, None), None), ((None,), (None,), (2,)), ((3, None), (None, 1), (-1, None))],
)
def test_slices_without_bounds(path, begin, end, step):
    data = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    graph = mx.sym.slice(mx.sym.var("x"), begin=begin, end=end, step=step)
    mx.onnx.export_model(graph, {}, [data.shape], np.float32, path)
    (expected,) = graph.eval(x=nd.array(data))
    np.testing.assert_array_equal(run(path, data)[0], expected.asnumpy())


def test_an_input_and_one_value_twice_as_outputs(path):
    x = mx.sym.var("x")
    both = mx.sym.Group([x, mx.sym.relu(x, name="y"), mx.sym.Dropout(x, name="z")])
    mx.onnx.export_model(both, {}, [(2,)], onnx_file_path=path)
    data = np.array([-1, 1], np.float32)
    outputs = run(path, data)
    np.testing.assert_array_equal(outputs, [data, [0, 1], data])


def test_several_inputs_of_several_dtypes(path):
    table, rows = mx.sym.var("table"), mx.sym.var("rows")
    mx.onnx.export_model(
        mx.sym.take(table, rows), {}, [(4, 2), (3,)], [np.float32, "int32"], onnx_file_path=path
    )
    values = np.arange(8, dtype=np.float32).reshape(4, 2)
    (output,) = run(path, values, np.array([3, 0, 9], np.int32))
    np.testing.assert_array_equal(output, values[[3, 0, 3]])


def test_open_lengths_have_names(path):
    x = mx.sym.var("x")
    mx.onnx.export_model(
        mx.sym.Flatten(mx.sym.relu(x)),
        {},
        [(2, 3, 4)],
        onnx_file_path=path,
        dynamic=True,
        dynamic_input_shapes=[("batch", 3, None)],
    )
    sizes = onnx.load(path).graph.input[0].type.tensor_type.shape.dim
    assert [(size.dim_param, size.dim_value) for size in sizes] == [("batch", 0), ("", 3), ("", 0)]
    assert run(path, np.ones((5, 3, 2), np.float32))[0].shape == (5, 6)


def test_all_lengths_are_open_by_default(path):
    x, y = mx.sym.var("x"), mx.sym.var("y")
    mx.onnx.export_model(x * y, {}, [(2, 3), (2, 3)], onnx_file_path=path, dynamic=True)
    assert run(path, *[np.ones((4, 1), np.float32)] * 2)[0].shape == (4, 1)


@pytest.mark.parametrize("opset", [13, 17, 21])
def test_opset(path, network, opset):
    net, module, data, expected = network
    params = list(module.get_params())
    mx.onnx.export_model(net, params, [(2, 3)], onnx_file_path=path, opset_version=opset)
    assert [item.version for item in onnx.load(path).opset_import] == [opset]
    assert_computes(path, data, expected)


def test_shapes_of_values_between_nodes(path):
    y = mx.sym.exp(mx.sym.relu(mx.sym.var("x"), name="middle"))
    for infers in (False, True):
        mx.onnx.export_model(y, {}, [(2,)], onnx_file_path=path, run_shape_inference=infers)
        names = [item.name for item in onnx.load(path).graph.value_info]
        assert names == (["middle_output"] if infers else [])


def test_verbose_logs_what_is_written(path, caplog):
    caplog.set_level(logging.INFO, logger="mxnet.onnx")
    mx.onnx.export_model(
        mx.sym.relu(mx.sym.var("x")), {}, [(2,)], onnx_file_path=path, verbose=True
    )
    assert "wrote 1 nodes" in caplog.text


def test_large_parameters_lie_beside_the_model(tmp_path, path, monkeypatch):
    monkeypatch.setattr(file, "MOST_BYTES", 8)
    weight = nd.random.normal(shape=(4, 512))  # onnx leaves tensors below a kilobyte in the model
    wide = mx.sym.FullyConnected(mx.sym.var("data"), no_bias=True, num_hidden=4, name="wide")
    for _ in range(2):  # the second file replaces the first
        mx.onnx.export_model(wide, {"wide_weight": weight}, [(1, 512)], onnx_file_path=path)
    assert (tmp_path / "net.onnx.data").stat().st_size == weight.size * 4
    ones = np.ones((1, 512), np.float32)
    np.testing.assert_allclose(run(path, ones)[0][0], weight.sum(1).asnumpy(), rtol=1e-4)


def refuse(match, symbol, params, *arguments, **options):
    with pytest.raises(mx.MXNetError, match=match):
        mx.onnx.export_model(symbol, params, *arguments, **options)


def test_what_does_not_fit_is_refused(path, network):
    net, module, *_ = network
    params = list(module.get_params())
    refuse(r"in_shapes .*\['data'\], got none", net, params, onnx_file_path=path)
    refuse(r"in_shapes .*\['data'\], got 3", net, params, [(2, 3)] * 3, onnx_file_path=path)
    refuse("in_types .* got 2", net, params, [(2, 3)], [np.float32] * 2, path)
    refuse("13 to 21, got 7", net, params, [(2, 3)], onnx_file_path=path, opset_version=7)
    refuse("params takes a path", net, 3, [(2, 3)], onnx_file_path=path)
    refuse(
        "dynamic_input_shapes .* got 0",
        *(net, params, [(2, 3)]),
        onnx_file_path=path,
        dynamic=True,
        dynamic_input_shapes=[],
    )
    refuse(r"in_shapes .*'fc_weight'", net, {}, [(2, 3)], onnx_file_path=path)
    assert not path.exists()


def test_operators_without_converter_are_all_named(path):
    x = mx.sym.var("x")
    roots = mx.sym.linalg.potrf(x, name="one") + mx.sym.linalg.inverse(x, name="two")
    refuse(
        r"_linalg_potrf \(node 'one'\), _linalg_inverse \(node 'two'\); replace them",
        *(roots, {}, [(2, 2)]),
        onnx_file_path=path,
    )


def test_a_node_that_cannot_be_written_is_named():
    always = mx.sym.Dropout(mx.sym.var("x"), mode="always", name="noise")
    refuse(
        "node 'noise' .operator Dropout with mode=always. .*use mode='training'", always, {}, [(2,)]
    )


def test_a_length_that_must_be_known_is_named(path):
    parts = mx.sym.split(mx.sym.var("x"), num_outputs=2, name="halves")
    options = {"dynamic": True, "onnx_file_path": path}
    refuse("axis 1 of 'x' must be known; give it", parts, {}, [(2, 4)], **options)


def test_without_onnx_the_extra_is_named(monkeypatch, path):
    real = importlib.import_module

    def import_module(name, *rest):
        if name.startswith("onnx"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(importlib, "import_module", import_module)
    with pytest.raises(ImportError, match=r"pip install glueball\[onnx\]"):
        mx.onnx.export_model(mx.sym.relu(mx.sym.var("x")), {}, [(2,)], onnx_file_path=path)


def test_block_gets_its_parameters_by_the_example(path):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3), nn.Flatten(), nn.Dense(3))
    net.initialize()
    assert mx.onnx.export_block(net, path, nd.ones((1, 3, 6, 6))) == str(path)
    data = nd.random.uniform(shape=(1, 3, 6, 6))
    assert_computes(path, data.asnumpy(), net(data).asnumpy())


def test_block_of_a_graph(path):
    x, y = mx.sym.var("left"), mx.sym.var("right")
    net = gluon.SymbolBlock(mx.sym.FullyConnected(x + y, num_hidden=2, name="fc"), [x, y])
    net.initialize()
    call = nd.ones((2, 3)), nd.ones((2, 3)) * 2
    mx.onnx.export_block(net, path, *call, dynamic_batch=True)
    outputs = run(path, *(item.asnumpy() for item in call))
    np.testing.assert_allclose(outputs[0], net(*call).asnumpy(), rtol=1e-4)
    assert [item.name for item in onnx.load(path).graph.input] == ["left", "right"]


class Written(gluon.HybridBlock):
    """A block whose forward is written on arrays."""

    def forward(self, x):
        return x * 2 + x.sum()


def test_block_written_on_arrays(path):
    net = Written()
    with pytest.raises(mx.MXNetError, match=r"hybridize\(\)"):
        mx.onnx.export_block(net, path, nd.ones((2, 3)))
    net.hybridize()
    data = nd.random.uniform(shape=(2, 3))
    mx.onnx.export_block(net, path, data)
    assert_computes(path, data.asnumpy(), net(data).asnumpy())


@pytest.mark.parametrize("arguments", [(), (nn.Dense(2),), (nn.Dense(2), "x.onnx"), (1, "x", 2)])
def test_block_is_refused(arguments):
    with pytest.raises((mx.MXNetError, TypeError)):
        mx.onnx.export_block(*arguments)
