"""Networks as graphs: export, import, and the same results, gradients and statistics."""

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn
from tests.gluon.nn.layers import ROWS, Row, fill

GOLDEN = Path(__file__).parents[2] / "golden"
sys.path.insert(0, str(GOLDEN))

import network_cases  # noqa: E402

EXPORTS = GOLDEN / "exports"


def _graph_rows():
    for item in ROWS:
        if item.shape and item.dtype == "float32" and isinstance(item.make(), nn.HybridBlock):
            yield item


@pytest.mark.parametrize("name", network_cases.NETWORKS)
def test_a_network_of_the_original_runs_here(name):
    assert network_cases.check(name, EXPORTS) < 1e-5


@pytest.mark.parametrize("name", network_cases.NETWORKS)
def test_a_network_runs_again_after_export(name, tmp_path):
    network_cases.export(name, tmp_path)
    assert network_cases.check(name, tmp_path) < 1e-6


@pytest.mark.parametrize("name", sorted({*network_cases.NETWORKS} - {"recurrent"}))
def test_exported_files_are_those_of_the_original(name, tmp_path):
    network_cases.export(name, tmp_path)
    found, expected = (
        json.loads((folder / f"{name}-symbol.json").read_text()) for folder in (tmp_path, EXPORTS)
    )
    for node in (*found["nodes"], *expected["nodes"]):
        node.get("attrs", {}).pop("__shape__", None)  # the original's is from before the first call
    assert found == expected
    ours, theirs = (
        mx.nd.load(str(folder / f"{name}-0000.params")) for folder in (tmp_path, EXPORTS)
    )
    assert {key: value.shape for key, value in ours.items()} == {
        key: value.shape for key, value in theirs.items()
    }


@pytest.mark.parametrize("item", list(_graph_rows()), ids=str)
def test_the_graph_of_a_layer_gives_what_the_layer_gives(item: Row):
    layer = item.make()
    layer.initialize()
    data = mx.nd.array(item.make_data())
    layer(data)
    for parameter in layer.collect_params().values():
        fill(parameter)
    graph = layer(mx.sym.var("data"))
    loaded = gluon.SymbolBlock(mx.sym.load_json(graph.tojson()), mx.sym.var("data"))
    loaded.initialize()
    assert loaded(data).shape == layer(data).shape
    shapes = {name: item.shape for name, item in loaded.collect_params().items()}
    assert shapes == {
        name: item.shape
        for name, item in layer.collect_params().items()
        if name in graph.list_inputs()
    }
    if item.random:
        return
    values = {name: parameter.data() for name, parameter in layer.collect_params().items()}
    for name, parameter in loaded.collect_params().items():
        parameter.set_data(values[name])
        parameter.grad_req = layer.collect_params()[name].grad_req
    results = []
    for net in (layer, loaded):
        source = data.copy()
        source.attach_grad()
        with autograd.record():
            output = net(source)
        output.backward(mx.nd.arange(output.size).reshape(output.shape))
        results.append([output, source.grad, *_states(net, loaded.collect_params())])
    for eager, lowered in zip(*results, strict=True):
        np.testing.assert_allclose(eager.asnumpy(), lowered.asnumpy(), rtol=1e-5, atol=1e-6)


def _states(net, names):
    parameters = net.collect_params()
    for name in names:
        yield parameters[name].data()
        if parameters[name].grad_req != "null":
            yield parameters[name].grad()


def test_the_program_of_the_notes(tmp_path):
    ctx = mx.cpu()
    model = network_cases.make_lenet("triplet_")
    model.initialize(ctx=ctx)
    model.hybridize()
    data = mx.nd.random.uniform(shape=(2, 1, 10, 10))
    expected = model(data)
    prefix = str(tmp_path / "triplet-net")
    model.export(path=prefix, epoch=5)
    sym, arg_params, aux_params = mx.model.load_checkpoint(prefix=prefix, epoch=5)
    net = gluon.nn.SymbolBlock(outputs=sym, inputs=mx.sym.var("data"))
    net_params = net.collect_params()
    for param in arg_params:
        if param in net_params:
            net_params[param]._load_init(arg_params[param], ctx=ctx)
    for param in aux_params:
        if param in net_params:
            net_params[param]._load_init(aux_params[param], ctx=ctx)
    np.testing.assert_allclose(net(data).asnumpy(), expected.asnumpy(), rtol=1e-5)


def test_export_wants_a_call_of_the_compiled_block():
    net = nn.Dense(2)
    net.initialize()
    net(mx.nd.ones((1, 2)))
    with pytest.raises(RuntimeError, match="hybridize"):
        net.export("nowhere")


@pytest.mark.parametrize("cell", [gluon.rnn.RNNCell, gluon.rnn.LSTMCell, gluon.rnn.GRUCell])
def test_an_unrolled_cell_gives_what_it_gives_on_arrays(cell):
    net = cell(3, input_size=4, prefix="cell_")
    net.initialize()
    data = mx.nd.random.uniform(shape=(2, 5, 4))
    expected, _ = net.unroll(5, data, merge_outputs=True)
    graph, states = net.unroll(5, mx.sym.var("data"), merge_outputs=True)
    assert all(isinstance(state, mx.sym.Symbol) for state in states)
    block = gluon.SymbolBlock(graph, mx.sym.var("data"), params=net.collect_params())
    np.testing.assert_allclose(block(data).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    again = block(data[:1])  # another batch means first states of another shape
    np.testing.assert_allclose(again.asnumpy(), expected[:1].asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["RNN", "LSTM", "GRU"])
def test_a_recurrent_layer_with_states_gives_what_it_gives_on_arrays(name):
    net = getattr(gluon.rnn, name)(3, input_size=4, layout="NTC", prefix="layer_")
    net.initialize()
    data = mx.nd.random.uniform(shape=(2, 5, 4))
    first = [mx.nd.random.uniform(shape=state.shape) for state in net.begin_state(2)]
    expected, last = net(data, first)
    names = [f"state{i}" for i in range(len(first))]
    outputs, states = net(mx.sym.var("data"), [mx.sym.var(item) for item in names])
    inputs = [mx.sym.var("data"), [mx.sym.var(item) for item in names]]
    block = gluon.SymbolBlock([outputs, states], inputs, params=net.collect_params())
    found, found_last = block(data, first)
    pairs = zip([expected, *last], [found, *found_last], strict=True)
    for array, other in pairs:
        np.testing.assert_allclose(array.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_a_parameter_has_one_variable():
    parameter = gluon.Parameter("w", shape=(2, 0), lr_mult=2, init=mx.init.One())
    assert parameter.var() is parameter.var()
    assert parameter.var().list_attr() == {
        "__shape__": "(2, 0)",
        "__dtype__": "0",
        "__lr_mult__": "2",
        "lr_mult": "2",
        "__wd_mult__": "1.0",
        "wd_mult": "1.0",
        "__init__": '["one", {}]',
        "__storage_type__": "0",
    }
    assert pickle.loads(pickle.dumps(parameter)).var().name == "w"


def test_inner_outputs_of_a_network():
    data = mx.sym.var("data")
    net = network_cases.make_mlp("net_")
    inner = net(data).get_internals()
    heads = [inner["net_dense0_relu_fwd_output"], inner["net_dense1_fwd_output"]]
    both = gluon.SymbolBlock(heads, [data])
    both.initialize()
    first, second = both(mx.nd.ones((2, 5)))
    assert (first.shape, second.shape) == ((2, 6), (2, 3))
    assert list(both._reg_params) == ["0_weight", "0_bias", "1_weight", "1_bias"]
    assert repr(both).startswith("SymbolBlock(\n<Symbol group [")


def test_results_can_be_written_to():
    data = mx.sym.var("data")
    net = gluon.SymbolBlock([data.reshape((-1,)), data * 1, mx.sym.identity(data)], [data])
    x = mx.nd.ones((2, 2))
    flat, _, same = net(x)
    flat[:] = 5
    same[:] = 7
    assert x.asnumpy().max() == 1


def test_a_block_inside_of_another_graph():
    data = mx.sym.var("data")
    inner = gluon.SymbolBlock(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), data)
    joined = inner(mx.sym.var("x") * 2)
    assert joined.list_arguments() == ["x", "fc_weight", "fc_bias"]
    net = nn.HybridSequential()
    net.add(inner, nn.Dense(3))
    net.initialize()
    assert net(mx.nd.ones((4, 5))).shape == (4, 3)


def test_training_of_an_imported_network(tmp_path):
    network_cases.export("lenet", tmp_path)
    path = str(tmp_path / "lenet")
    net = gluon.SymbolBlock.imports(f"{path}-symbol.json", "data", f"{path}-0000.params")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    before = {name: item.data().asnumpy() for name, item in net.collect_params().items()}
    with autograd.record():
        loss = (net(mx.nd.array(network_cases.make_data("lenet")[0])) ** 2).sum()
    loss.backward()
    trainer.step(2)
    changed = {
        name
        for name, item in net.collect_params().items()
        if (item.data().asnumpy() != before[name]).any()
    }
    assert {"lenet_dense0_weight", "lenet_batchnorm0_running_mean"} <= changed
    again = pickle.loads(pickle.dumps(net))
    x = mx.nd.ones((1, 1, 10, 10))
    np.testing.assert_allclose(again(x).asnumpy(), net(x).asnumpy(), rtol=1e-5)


def test_misuse_is_explained(tmp_path):
    data = mx.sym.var("data")
    dense = mx.sym.FullyConnected(data, num_hidden=2, name="fc")
    with pytest.raises(AssertionError, match="inputs must be variables"):
        gluon.SymbolBlock(dense, dense)
    net = gluon.SymbolBlock(dense, data)
    with pytest.raises(RuntimeError, match="has not been initialized"):
        net(mx.nd.ones((1, 2)))
    net.initialize()
    with pytest.raises(ValueError, match="nested as"):
        net(mx.nd.ones((1, 2)), mx.nd.ones((1, 2)))
    net(mx.nd.ones((1, 2)))
    with pytest.raises(mx.MXNetError, match="node 'fc'"):
        net(mx.nd.ones((1, 3)))
    dense.save(tmp_path / "a.json")
    mx.nd.save(str(tmp_path / "a.params"), {"arg:fc_weight": mx.nd.ones((2, 2))})
    with pytest.raises(mx.MXNetError, match="fc_bias"):
        gluon.SymbolBlock.imports(tmp_path / "a.json", ["data"], tmp_path / "a.params")
    gluon.SymbolBlock.imports(
        tmp_path / "a.json", ["data"], tmp_path / "a.params", allow_missing=True
    )


def test_a_derived_class_prints_its_own_name():
    class Features(gluon.SymbolBlock):
        pass

    data, scale = mx.sym.var("data"), mx.sym.var("scale")
    block = Features(mx.sym.broadcast_mul(data, scale, name="scaled"), [data, scale])
    assert repr(block) == "Features(\n<Symbol scaled> : 2 -> 1\n)"


def test_reset_ctx_moves_all_parameters():
    data = mx.sym.var("data")
    net = mx.gluon.SymbolBlock(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), data)
    net.initialize()
    net(mx.nd.ones((1, 2)))
    net.reset_ctx(mx.cpu(1))
    assert net.params["fc_weight"].list_ctx() == [mx.cpu(1)]
    assert net(mx.nd.ones((1, 2), ctx=mx.cpu(1))).context == mx.cpu(1)
