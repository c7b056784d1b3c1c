"""Blocks: names, children, hooks, shapes that are found out, printed forms."""

import contextlib
import io
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn
from tests.gluon.networks import DATA, Branches, make_tied

GOLDEN = Path(__file__).parents[2] / "golden" / "gluon"
FACTS = json.loads((GOLDEN / "facts.json").read_text())


class Sum(nn.HybridBlock):
    """Adds what it is given."""

    def hybrid_forward(self, F, x, *args):
        values = x if isinstance(x, list) else [x, *args]
        return F.add_n(*[value for value in values if value is not None])


class Pair(nn.Block):
    """Holds a layer and parameters of its own."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.layer = nn.Dense(2)
            self.scale = self.params.get("scale", shape=(1,), init="ones")

    def forward(self, x):
        return self.layer(x) * self.scale.data(x.context)


@pytest.fixture
def net():
    found = Branches(prefix="net_")
    found.initialize()
    found(DATA)
    return found


def summarize(block, *inputs):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        block.summary(*inputs)
    return text.getvalue()


def test_names_of_nested_blocks_are_the_original_ones(net):
    assert list(net.collect_params()) == FACTS["names"]
    assert list(net._collect_params_with_prefix()) == FACTS["paths"]


def test_printed_forms_are_the_original_ones(net):
    assert repr(net) == FACTS["repr"]
    assert repr(net.collect_params()) == FACTS["params"]


def test_summary_is_the_original_one():
    plain = nn.HybridSequential(prefix="net_")
    with plain.name_scope():
        plain.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.MaxPool2D(), nn.Flatten(), nn.Dense(3))
    plain.initialize()
    assert summarize(plain, nd.ones((2, 3, 6, 6))) == FACTS["summary"]
    tied = make_tied(prefix="tied_")
    tied.initialize()
    assert summarize(tied, DATA) == FACTS["tied summary"]
    assert not tied._forward_hooks


def test_summary_shows_several_arrays_side_by_side():
    class Two(nn.HybridBlock):
        def hybrid_forward(self, F, x, y):
            return F.relu(x), [x, y]

    text = summarize(Two(), DATA, DATA)
    assert "               Input                              (5, 4), (5, 4)" in text
    assert "               Two-1                    (5, 4), [(5, 4), (5, 4)]" in text


def test_blocks_are_numbered_by_kind():
    with mx.name.NameManager():
        assert [nn.Dense(1).name, nn.Conv2D(1, 1).name, nn.Dense(1).name] == [
            "dense0",
            "conv0",
            "dense1",
        ]
        outer = nn.Sequential()
        with outer.name_scope():
            outer.add(nn.Dense(1), nn.Dense(1), nn.MaxPool2D())
        assert [child.name for child in outer] == [
            "sequential0_dense0",
            "sequential0_dense1",
            "sequential0_pool0",
        ]
        assert nn.Dense(1).name == "dense2"


def test_prefix_names_a_block():
    block = Pair(prefix="mine_")
    assert (block.prefix, block.name) == ("mine_", "mine")
    assert list(block.collect_params()) == ["mine_scale", "mine_dense0_weight", "mine_dense0_bias"]
    assert list(block.params) == ["mine_scale"]


def test_an_empty_prefix_leaves_names_to_the_scope_outside():
    with mx.name.NameManager():
        block = Pair(prefix="")
        assert list(block.collect_params()) == ["scale", "dense0_weight", "dense0_bias"]


def test_collect_params_selects_by_the_beginning_of_names(net):
    assert list(net.collect_params(".*gamma|.*beta")) == [
        "net_body_batchnorm0_gamma",
        "net_body_batchnorm0_beta",
    ]
    assert list(net.collect_params("net_dense")) == ["net_dense0_weight", "net_dense0_bias"]
    assert not list(net.collect_params("dense"))


def test_params_shares_all_parameters_of_a_network(net):
    other = Branches(prefix="net_", params=net.collect_params())
    assert other.body[2].weight is net.body[2].weight
    assert (other(DATA).asnumpy() == net(DATA).asnumpy()).all()


def test_params_shares_the_parameters_of_a_layer():
    first = nn.Dense(3, in_units=4)
    second = nn.Dense(3, params=first.params)
    assert second.weight is first.weight
    assert second.prefix != first.prefix
    assert list(second.collect_params()) == list(first.collect_params())


def test_attributes_become_children_and_parameters():
    block = nn.Block()
    block.layer = nn.Dense(2)
    block.w = gluon.Parameter("w", shape=(2,))
    assert list(block._children) == ["layer"]
    assert list(block._reg_params) == ["w"]
    block.layer = nn.Dense(5)
    assert repr(block) == "Block(\n  (layer): Dense(None -> 5, linear)\n)"


def test_register_child_names_children():
    block = nn.Block()
    block.register_child(nn.Dense(2))
    block.register_child(nn.Dense(2), "head")
    assert list(block._children) == ["0", "head"]


def test_blocks_in_a_list_are_warned_of():
    block = nn.Block()
    block.layers = [nn.Dense(2)]
    with pytest.warns(UserWarning, match=r"Block\.layers holds blocks in a list"):
        assert not list(block.collect_params())


def test_apply_visits_children_first(net):
    seen = []
    assert net.apply(lambda block: seen.append(type(block).__name__)) is net
    assert seen == [
        "Activation",
        "Dense",
        "Dense",
        "BatchNorm",
        "Dense",
        "HybridSequential",
        "Branches",
    ]


def test_hooks_see_inputs_and_outputs_until_they_are_detached():
    layer = nn.Dense(2)
    layer.initialize()
    seen = []
    before = layer.register_forward_pre_hook(lambda _, args: seen.append(len(args)))
    after = layer.register_forward_hook(lambda *args: seen.append(args[2].shape))
    layer(DATA)
    before.detach()
    layer(DATA)
    with after:
        pass
    layer(DATA)
    assert seen == [1, (5, 2), (5, 2)]


def test_hooks_see_no_arrays_without_data():
    model = nn.HybridSequential()
    model.add(nn.Dense(2, activation="relu"), nn.Dense(1))
    model.initialize()
    seen = []
    model.apply(lambda block: block.register_forward_hook(lambda *args: seen.append(args[2].sum())))
    model(DATA)
    assert len(seen) == 4
    assert all(np.isfinite(total.asscalar()) for total in seen)


def test_shapes_are_found_out_while_training():
    class Noisy(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.body = nn.HybridSequential()
            self.body.add(nn.Dense(3), nn.BatchNorm(), nn.Dropout(0.5))
            self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, weight):
            x = F.concat(self.body(x), F.random.uniform(shape=(5, 1)), F.zeros((5, 1)), dim=1)
            return F.FullyConnected(x, weight, num_hidden=2, no_bias=True)

    block = Noisy()
    block.initialize()
    with mx.autograd.record():
        output = block(DATA)
    output.backward()
    assert block.weight.shape == (2, 5)
    assert block.body[0].weight.grad().shape == (3, 4)
    assert block.body[1].running_mean.data().asnumpy().any()


def test_shapes_are_found_out_without_running_the_rest():
    calls = []

    class Scaled(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, weight):
            x = F.FullyConnected(x, weight, num_hidden=2, no_bias=True)
            calls.append(x.shape)
            return x

    block = Scaled()
    block.initialize()
    block(DATA)
    block(DATA)
    assert calls == [(5, 2), (5, 2)]


def test_first_data_that_does_not_fit_tells_no_shapes():
    layer = nn.Conv2D(3, kernel_size=5)
    layer.initialize()
    with pytest.raises(ValueError, match=r"inputs: data \(1, 3, 2, 2\)"):
        layer(nd.ones((1, 3, 2, 2)))
    assert layer.weight.shape == (3, 0, 5, 5)
    with pytest.raises(gluon.parameter.DeferredInitializationError):
        layer.weight.data()
    assert layer(nd.ones((1, 4, 8, 8))).shape == (1, 3, 4, 4)


def test_parts_of_a_block_wait_again_when_its_first_data_does_not_fit():
    class Gate(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.body = nn.Dense(3)
            self.weight = self.params.get("weight", shape=(3, 0), allow_deferred_init=True)

        def hybrid_forward(self, F, x, weight):
            return self.body(x) + F.FullyConnected(x, weight, num_hidden=3, no_bias=True)[:, :2]

    block = Gate()
    block.initialize()
    with pytest.raises(ValueError, match=r"Gate 'gate0'\)?: broadcast_add: shapes"):
        block(DATA)
    assert [item.shape for item in block.collect_params().values()] == [(3, 0), (3, 0), (3,)]


def test_cast_converts_the_network(net):
    net.cast("float64")
    assert net(DATA.astype("float64")).dtype == np.float64
    assert {p.data().dtype for p in net.collect_params().values()} == {np.float64}


def test_hybridize_gives_the_same_results(net):
    before = net(DATA).asnumpy()
    net.hybridize(static_alloc=True, static_shape=True)
    assert (net(DATA).asnumpy() == before).all()
    net.hybridize(False)
    assert (net(DATA).asnumpy() == before).all()


def test_first_call_finds_shapes_out():
    model = Branches(prefix="net_")
    model.initialize()
    assert model.first.weight.shape == (3, 0)
    assert repr(model.body[1]).endswith("in_channels=None)")
    model(DATA)
    assert model.first.weight.shape == (3, 4)
    assert model.body[1].gamma.shape == (4,)


def test_infer_shape_reads_no_values():
    layer = nn.Dense(2, prefix="d_")
    layer.initialize()
    layer.infer_shape(DATA)
    assert layer.weight.shape == (2, 4)
    with pytest.raises(gluon.parameter.DeferredInitializationError, match="d_weight"):
        layer.weight.data()


def test_own_parameter_of_unknown_shape_is_filled_by_the_operator():
    class Shift(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.offset = self.params.get(
                "offset", shape=(0, 0), init="ones", allow_deferred_init=True
            )

        def hybrid_forward(self, F, x, offset):
            return F.elemwise_add(x, offset)

    block = Shift()
    block.initialize()
    assert (block(DATA).asnumpy() == DATA.asnumpy() + 1).all()


def test_arguments_may_be_missing_or_lists():
    block = Sum()
    expected = (2 * DATA).asnumpy()
    for args in ((DATA, DATA), (DATA, None, DATA), ([DATA, DATA],)):
        assert (block(*args).asnumpy() == expected).all()
    assert (block(None, DATA).asnumpy() == DATA.asnumpy()).all()


def test_arrays_are_made_on_the_context_of_the_input():
    block = nn.HybridLambda(lambda F, _: F.zeros((2,)))
    assert block(DATA.as_in_context(mx.cpu(1))).context == mx.cpu(1)
    assert block(DATA).context == mx.cpu(0)


def test_whole_network_survives_pickling(net):
    other = pickle.loads(pickle.dumps(net))
    assert (other(DATA).asnumpy() == net(DATA).asnumpy()).all()
    assert list(other.collect_params()) == list(net.collect_params())
    with mx.autograd.record():
        loss = other(DATA).sum()
    loss.backward()
    assert other.first.weight.grad().asnumpy().any()


def test_network_that_waits_for_its_shape_survives_pickling():
    layer = nn.Dense(2)
    layer.initialize()
    assert pickle.loads(pickle.dumps(layer))(DATA).shape == (5, 2)


def test_initialize_reaches_all_children():
    model = Branches(prefix="net_")
    model.initialize(mx.init.Constant(2), ctx=mx.cpu(1))
    model(DATA.as_in_context(mx.cpu(1)))
    assert set(model.first.weight.data().asnumpy().flat) == {2.0}
    assert set(model.first.bias.data().asnumpy().flat) == {0.0}
    assert model.scale.list_ctx() == [mx.cpu(1)]


def test_errors_inside_of_a_network_name_the_innermost_block_once(net):
    with pytest.raises(mx.MXNetError, match=r"^net.first \(Dense 'net_dense0'\): Full") as caught:
        net(nd.ones((5, 7)))
    assert str(caught.value).count("Dense '") == 1
    assert "Branches" not in str(caught.value)
