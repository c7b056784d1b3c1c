"""Files of whole models: `Block.save` and `Block.load`."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, UnknownNameError
from mxnet.gluon import nn
from tests.golden.model_file_cases import DATA, NETWORKS, largest_difference, make_layers, write

GOLDEN = Path(__file__).parents[2] / "golden" / "models"
OUTPUTS = np.load(GOLDEN / "outputs.npz")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return folder, write(folder)


def without_graphs(entry):
    """Leaves out the texts of graphs."""
    kept = {key: value for key, value in entry.items() if key not in ("symbol", "inputs")}
    return {key: without_graphs(v) if isinstance(v, dict) else v for key, v in kept.items()}


@pytest.mark.parametrize("name", NETWORKS)
def test_files_of_the_original_load(name):
    assert largest_difference(name, GOLDEN, OUTPUTS) < 1e-5


@pytest.mark.parametrize("name", NETWORKS)
def test_our_files_load(name, written):
    folder, outputs = written
    assert largest_difference(name, folder, outputs) < 1e-6


@pytest.mark.parametrize("name", ["hybrid", "sequential", "nested", "recurrent"])
def test_files_are_those_of_the_original(name, written):
    ours, theirs = (
        json.loads((folder / f"{name}-model.json").read_text()) for folder in (written[0], GOLDEN)
    )
    assert without_graphs(ours) == without_graphs(theirs)
    arrays = mx.nd.load(str(written[0] / f"{name}-model.params"))
    for key, expected in mx.nd.load(str(GOLDEN / f"{name}-model.params")).items():
        np.testing.assert_array_equal(arrays.pop(key).asnumpy(), expected.asnumpy())
    assert arrays == {}


def test_names_are_those_of_the_file():
    net = NETWORKS["hybrid"][0]("other_")
    assert net.load(GOLDEN / "hybrid") is None
    assert (net.name, net.prefix) == ("saved", "other_")
    assert net[1][0].name == "saved_hybridsequential0_batchnorm0"
    names = list(net.collect_params())
    assert names[:3] == [
        "saved_dense0_weight",
        "saved_dense0_bias",
        "saved_hybridsequential0_batchnorm0_gamma",
    ]
    assert [parameter.name for parameter in net.collect_params().values()] == names


def test_the_graph_of_the_file_runs(tmp_path):
    text = (GOLDEN / "hybrid-model.json").read_text()
    (tmp_path / "other-model.json").write_text(text.replace("relu", "tanh"))
    values = (GOLDEN / "hybrid-model.params").read_bytes()
    (tmp_path / "other-model.params").write_bytes(values)
    net = make_layers(nn.HybridSequential, "net_")
    net.load(tmp_path / "other")
    by_graph = net(DATA).asnumpy()
    copied = pickle.loads(pickle.dumps(net))(DATA).asnumpy()
    np.testing.assert_allclose(copied, by_graph, rtol=1e-6)
    net.hybridize()
    np.testing.assert_allclose(net(DATA).asnumpy(), OUTPUTS["hybrid0"], rtol=1e-5)
    assert np.abs(by_graph - OUTPUTS["hybrid0"]).max() > 0.1


def test_a_loaded_network_trains_and_saves_again(tmp_path):
    net = make_layers(nn.HybridSequential, "net_")
    net.load(GOLDEN / "hybrid")
    net.save(tmp_path / "again")
    again = json.loads((tmp_path / "again-model.json").read_text())
    original = json.loads((GOLDEN / "hybrid-model.json").read_text())
    assert without_graphs(again) == without_graphs(original)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    losses = []
    for _ in range(2):
        with mx.autograd.record():
            loss = (net(DATA) ** 2).mean()
        loss.backward()
        trainer.step(4)
        losses.append(loss.asscalar())
    assert losses[1] < losses[0]


def test_a_recurrent_layer_gives_states_after_loading():
    net = NETWORKS["recurrent"][0]("net_")
    net.load(GOLDEN / "recurrent")
    layer, data = net[0], DATA.reshape((2, 2, 6))
    output, states = layer(data, layer.begin_state(2))
    assert [state.shape for state in states] == [(4, 2, 3)] * 2
    np.testing.assert_allclose(output.asnumpy(), layer(data).asnumpy(), rtol=1e-6)


def test_shared_layers_are_numbered_twice(tmp_path):
    def make():
        net, layer = nn.HybridSequential(), nn.Dense(6, in_units=6)
        net.add(layer, layer)
        return net

    net = make()
    net.initialize()
    net.hybridize()
    expected = net(DATA).asnumpy()
    net.save(tmp_path / "shared")
    entry = json.loads((tmp_path / "shared-model.json").read_text())["hybridsequential0"]
    assert [entry[key]["orig_name"] for key in ("dense1", "dense2")] == [net[0].name] * 2
    other = make()
    other.load(tmp_path / "shared")
    np.testing.assert_array_equal(other(DATA).asnumpy(), expected)


def test_a_layer_alone_loads(tmp_path):
    layer = nn.Dense(2, in_units=6)
    layer.initialize()
    layer.save(tmp_path / "layer")
    other = nn.Dense(2, in_units=6)
    other.load(tmp_path / "layer")
    np.testing.assert_array_equal(other(DATA).asnumpy(), layer(DATA).asnumpy())


def test_another_network_is_refused():
    net = make_layers(nn.Sequential, "net_")
    with pytest.raises(UnknownNameError, match="no sequential0"):
        net.load(GOLDEN / "hybrid")
    assert net.name == "net"


def test_a_missing_file_is_told():
    with pytest.raises(FileNotFoundError):
        make_layers(nn.Sequential, "net_").load(GOLDEN / "none")


def test_parameters_without_shape_are_not_saved(tmp_path):
    net = make_layers(nn.HybridSequential, "net_")
    net.initialize()
    with pytest.raises(mx.gluon.parameter.DeferredInitializationError):
        net.save(tmp_path / "early")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda text: text[:100], FileFormatError),
        (lambda text: "[" * len(text) * 20, FileFormatError),
        (lambda text: text[:0] + "[]", UnknownNameError),
        (lambda text: text.replace('"orig_name": "saved"', '"orig_name": 3'), FileFormatError),
        (lambda text: text.replace('"in_format": [0]', '"in_format": [0, 0]'), FileFormatError),
        (lambda text: text.replace('"in_format": [0]', '"in_format": "x"'), FileFormatError),
        (lambda text: text.replace('"out_format": 0', '"out_format": 1e300'), FileFormatError),
        (lambda text: text.replace('"symbol": "{', '"symbol": "('), FileFormatError),
        (lambda text: text.replace('"symbol"', '"no"'), FileFormatError),
        (lambda text: text.replace("saved_dense0_bias", "saved_more"), UnknownNameError),
    ],
)
def test_damaged_files_change_nothing(tmp_path, change, kind):
    text = change((GOLDEN / "hybrid-model.json").read_text())
    (tmp_path / "bad-model.json").write_text(text)
    (tmp_path / "bad-model.params").write_bytes((GOLDEN / "hybrid-model.params").read_bytes())
    net = make_layers(nn.HybridSequential, "net_")
    with pytest.raises(kind):
        net.load(tmp_path / "bad")
    assert net.name == "net"
    assert net[0].weight._data is None


def test_none_among_arguments_is_kept(tmp_path):
    class Optional(nn.HybridBlock):
        def hybrid_forward(self, F, x, bias, other):
            return F.broadcast_add(x * 2, other) if bias is None else x + bias

    net = Optional()
    net.hybridize()
    expected = net(DATA, None, DATA).asnumpy()
    net.save(tmp_path / "optional")
    entry = json.loads((tmp_path / "optional-model.json").read_text())["optional0"]
    assert entry["in_format"] == [0, -1, 0]
    other = Optional()
    other.load(tmp_path / "optional")
    np.testing.assert_array_equal(other(DATA, None, DATA).asnumpy(), expected)
    with pytest.raises(ValueError, match="first called with"):
        other(DATA, DATA, DATA)
