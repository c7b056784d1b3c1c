"""Programs and files in the style of MXNet 2 give what its 2.0.0b1 gives."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest

import mxnet as mx
from mxnet import gluon, npx
from mxnet.gluon import nn, rnn
from mxnet.graph.mxnet2 import _NEW_NAMES
from tests.gluon.mxnet2_files import write
from tests.golden.mxnet2_cases import PROGRAMS, Perceptron, build, file_name, input_names, run

GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED = onp.load(GOLDEN / "mxnet2_programs.npz")
FILES = GOLDEN / "mxnet2"


@pytest.fixture
def version_2():
    before = mx.set_version(2)
    yield
    mx.set_version(before)


@pytest.fixture
def numpy_dialect():
    npx.set_np()
    yield
    npx.reset_np()


def close(found, expected):
    onp.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("version_2")
@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_the_same(name, hybridize):
    found = dict(run(PROGRAMS[name], hybridize))
    assert [f"{name}/{key}" for key in found] == [
        key for key in EXPECTED.files if key.startswith(f"{name}/")
    ]
    for key, value in found.items():
        close(value, EXPECTED[f"{name}/{key}"])


@pytest.mark.usefixtures("numpy_dialect")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_dialect_is_enough_where_the_versions_agree(name):
    net, arguments = build(PROGRAMS[name])
    net.load_parameters(str(FILES / f"{file_name(name)}.params"), device=mx.cpu())
    for _ in range(2):
        close(net(*arguments).asnumpy(), EXPECTED[f"{name}/before"])
        net.hybridize()


@pytest.mark.usefixtures("numpy_dialect")
@pytest.mark.parametrize("name", PROGRAMS)
def test_files_of_mxnet_2_are_read(name):
    net, arguments = build(PROGRAMS[name])
    net.initialize(mx.init.Zero(), force_reinit=True)
    start = str(FILES / file_name(name))
    net.load_parameters(f"{start}.params", device=mx.cpu())
    close(net(*arguments).asnumpy(), EXPECTED[f"{name}/before"])
    graph = gluon.SymbolBlock.imports(
        f"{start}-symbol.json", input_names(PROGRAMS[name]), f"{start}-0000.params", device=mx.cpu()
    )
    close(graph(*arguments).asnumpy(), EXPECTED[f"{name}/before"])


@pytest.mark.usefixtures("version_2")
def test_files_that_are_written_name_parameters_by_path(tmp_path):
    write(tmp_path)
    for name, program in PROGRAMS.items():
        start = str(tmp_path / file_name(name))
        theirs = mx.npx.load(str(FILES / f"{file_name(name)}-0000.params"))
        assert mx.npx.load(f"{start}-0000.params").keys() == theirs.keys()
        text = Path(f"{start}-symbol.json").read_text("utf-8")
        assert not [old for old in _NEW_NAMES if f'"op": "{old}"' in text]
        assert '"mxnet_version": ["int", 20000]' in text
        arguments = [mx.np.array(values) for values in program.inputs]
        names = input_names(program)
        graph = gluon.SymbolBlock.imports(f"{start}-symbol.json", names, f"{start}-0000.params")
        close(graph(*arguments).asnumpy(), EXPECTED[f"{name}/before"])
        assert graph.collect_params().keys() <= {*theirs, *(key[4:] for key in theirs)}


@pytest.mark.usefixtures("numpy_dialect")
def test_parameters_are_found_by_name_and_by_path():
    net = nn.HybridSequential()
    net.add(Perceptron(4, 3), nn.Dense(2))
    params = net.collect_params()
    weight = net[0].weight
    assert params["0.weight"] is params[weight.name] is weight
    assert "0.output.bias" in params
    assert "0.scale" in params
    assert "0.nothing" not in params
    with pytest.raises(KeyError):
        params["0.nothing"]
    assert [*net.collect_params("0.(weight|bias)").values()] == [weight, net[0].bias]
    assert [*net.collect_params(".*scale").values()] == [net[0].scale]
    assert net.collect_params(net[1].prefix).keys() == net[1].collect_params().keys()


@pytest.mark.usefixtures("version_2")
def test_under_its_rules_parameters_are_a_dict_by_path():
    net = nn.HybridSequential()
    net.add(Perceptron(4, 3), nn.Dense(2))
    params = net.collect_params()
    assert isinstance(params, dict)
    assert list(params) == [
        *("0.weight", "0.bias", "0.scale", "0.output.weight", "0.output.bias"),
        *("1.weight", "1.bias"),
    ]
    assert list(net.collect_params("1|0.bias")) == ["0.bias", "1.weight", "1.bias"]
    net.initialize(device=mx.cpu(1))
    net(mx.np.ones((2, 5), device=mx.cpu(1)))
    net.reset_device(mx.cpu())
    assert params["1.weight"].list_device() == [mx.cpu()]
    net.setattr("grad_req", "null")
    assert {item.grad_req for item in params.values()} == {"null"}


@pytest.mark.usefixtures("version_2")
def test_parameters_are_shared_by_path():
    first, second = Perceptron(4, 3), Perceptron(4, 3)
    assert second.share_parameters(first.collect_params()) is second
    first.initialize()
    x = mx.np.ones((2, 5))
    assert (first(x) == second(x)).all()
    assert second.output.weight is first.output.weight
    assert second.collect_params().keys() == first.collect_params().keys()
    dense = nn.Dense(3, in_units=4)
    dense.weight = first.output.weight
    assert dense.collect_params()["weight"] is first.output.weight
    with pytest.warns(UserWarning, match="has no more"):
        nn.Dense(2).share_parameters({"more": first.weight})


def recurrent_net(inputs):
    net = nn.HybridSequential()
    layer = rnn.LSTM(5, num_layers=2, bidirectional=True, input_size=inputs)
    net.add(nn.Dense(4, flatten=False), layer)
    return net


@pytest.mark.usefixtures("numpy_dialect")
@pytest.mark.parametrize("inputs", [0, 4])
def test_the_one_parameter_of_recurrent_layers_is_divided(inputs):
    expected = recurrent_net(4)
    expected.initialize(mx.init.Normal(0.3))
    x = mx.np.ones((2, 3, 3))
    result = expected(x)
    flat = [getattr(expected[1], name).data() for name in expected[1]._mx_flat_names()]
    values = {f"0.{name}": getattr(expected[0], name).data() for name in ("weight", "bias")}
    joined = mx.np.concatenate([item.reshape(-1) for item in flat])
    net = recurrent_net(inputs)
    net.load_dict(values | {"1.rnn_param": joined})
    close(net(x).asnumpy(), result.asnumpy())
    with pytest.raises(ValueError, match="has 1119 elements, which does not fit"):
        recurrent_net(4).load_dict(values | {"1.rnn_param": joined[:-1]})


@pytest.mark.parametrize("saves", ["by path", "by name"])
def test_weights_of_recurrent_layers_are_joined(saves, tmp_path):
    def make():
        with mx.name.NameManager():
            net = nn.HybridSequential(prefix="net_")
            with net.name_scope():
                net.add(rnn.LSTM(4, 2, bidirectional=True, prefix="lstm_"))
                net.add(rnn.GRU(3, prefix="gru_"), rnn.LSTM(4, projection_size=2, prefix="out_"))
        return net

    file, x = str(tmp_path / "net.params"), onp.random.RandomState(1).rand(5, 2, 3)
    net = make()
    net.initialize(mx.init.Normal(0.3))
    expected = net(mx.nd.array(x)).asnumpy()
    if saves == "by path":
        net.save_parameters(file)
    else:
        net.collect_params().save(file)
    before = mx.set_version(2)
    try:
        net = make()
        net.load_parameters(file)
        assert list(net.collect_params()) == ["0.rnn_param", "1.rnn_param", "2.rnn_param"]
        close(net(mx.np.array(x)).asnumpy(), expected)
        with pytest.raises(ValueError, match="cells cannot have parts of rnn_param"):
            net[1]._unfuse()
    finally:
        mx.set_version(before)


@pytest.mark.parametrize("version", [1, 2])
def test_recurrent_layers_are_compiled_before_their_shapes_are_known(version):
    before = mx.set_version(version)
    npx.set_np()
    try:
        net = recurrent_net(0)
        net.initialize()
        net.hybridize()
        assert net(mx.np.ones((2, 3, 3))).shape == (2, 3, 10)
        assert net(mx.np.ones((5, 7, 3))).shape == (5, 7, 10)
        assert repr(net[1]) == "LSTM(4 -> 5, TNC, num_layers=2, bidirectional)"
    finally:
        npx.reset_np()
        mx.set_version(before)


@pytest.mark.parametrize(("version", "dtype"), [(1, "int64"), (2, "float32")])
def test_arrays_of_numpy_keep_their_type_or_not(version, dtype):
    before = mx.set_version(version)
    try:
        assert mx.np.array(onp.array([1, 2])).dtype == dtype
    finally:
        mx.set_version(before)


def test_under_the_old_rules_a_parameter_of_a_layer_is_not_replaced():
    dense = nn.Dense(3, in_units=4)
    with pytest.raises(ValueError, match="cannot be replaced"):
        dense.weight = nn.Dense(3, in_units=4).weight


def test_initializers_get_the_name_that_a_parameter_was_made_with():
    class Own(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.first = gluon.Parameter(shape=(3,))
            self.second = gluon.Parameter("gate", shape=(3,))

        def forward(self, x):
            return x + self.first.data() + self.second.data()

    class Noting(mx.init.Initializer):
        def _init_weight(self, name, arr):
            names.append(name)
            arr[:] = 1

    names = []
    net = Own()
    net.initialize(Noting())
    assert names == ["weight", "gate"]
    assert [name.removeprefix(net.prefix) for name in net.collect_params()] == ["first", "second"]
    assert (net(mx.nd.zeros((1, 3))) == 2).asnumpy().all()


def test_a_block_that_does_not_tell_shapes_says_so():
    class Own(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = gluon.Parameter(shape=(0,), allow_deferred_init=True)

        def forward(self, x):
            return x * self.weight.data()

    net = Own()
    net.initialize()
    with pytest.raises(mx.MXNetError, match="infer_shape"):
        net(mx.nd.ones((2, 3)))


@pytest.mark.usefixtures("version_2")
@pytest.mark.parametrize("version", [1, 2])
def test_groups_of_files_have_a_scale_of_each_channel(tmp_path, version):
    layer = nn.GroupNorm(num_groups=2, in_channels=4, gamma_initializer=mx.init.Uniform(1))
    layer.initialize()
    layer.hybridize()
    x = mx.np.random.uniform(size=(2, 4, 3))
    expected = layer(x).asnumpy()
    layer.export(str(tmp_path / "net"))
    text = (tmp_path / "net-symbol.json").read_text(encoding="utf-8")
    assert '"GroupNorm"' in text
    assert "_npx_group_norm" not in text
    mx.set_version(version)
    files = str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")
    found = gluon.SymbolBlock.imports(*files)(x if version > 1 else x.as_nd_ndarray())
    close(found.asnumpy(), expected)
