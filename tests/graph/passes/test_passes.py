"""What passes make of a graph: its nodes, and that it still computes the same."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.graph.lower import Setting, lower
from mxnet.graph.passes import onednn, table
from mxnet.graph.run.plan import Plan

S = mx.sym
CPU = torch.device("cpu")
PREDICT = Setting(training=False, recording=False, device=CPU, generator=None)
TRAIN = PREDICT._replace(training=True)
RECORD = PREDICT._replace(training=True, recording=True)
FUSED = "mkldnn._convolution_pointwise.default"
FUSED_SUM = "mkldnn._convolution_pointwise.binary"


def make_values(symbol: Any, **shapes: tuple[int, ...]) -> dict[str, torch.Tensor]:
    """Returns every variable random values, positive ones for a variance."""
    arguments, _, states = symbol.infer_shape(**shapes)
    names = (*symbol.list_arguments(), *symbol.list_auxiliary_states())
    random = np.random.RandomState(3)
    return {
        name: torch.tensor(
            random.uniform(0.5 if name.endswith("var") else -1, 1.5, shape), dtype=torch.float32
        )
        for name, shape in zip(names, (*arguments, *states), strict=True)
    }


def plan_of(
    symbol: Any, values: dict[str, torch.Tensor], setting: Setting = PREDICT, given: Any = ("x",)
) -> Plan:
    """Makes the plan in which all variables but some are parameters."""
    kinds = {
        position: tensor.dtype
        for position, (name, tensor) in enumerate(values.items())
        if name not in given
    }
    return Plan(lower(symbol._graph, list(values), setting, {}), kinds, setting)


def calls_in(plan: Plan) -> list[str]:
    """Names what a plan calls in every run, operators by their own name."""
    found = []
    for node in plan.module.graph.nodes:
        if node.op == "call_function" and node.target is not operator.getitem:
            op = node.operator
            found.append(str(node.target) if op is None else op.name)
    return found


def check(symbol: Any, expected: list[str], given: Any = ("x",), **shapes: tuple[int, ...]) -> Plan:
    """Checks which calls are left in prediction, and the results, also of changed parameters."""
    values = make_values(symbol, **shapes)
    plan = plan_of(symbol, values, given=given)
    assert calls_in(plan) == expected
    module = lower(symbol._graph, list(values), PREDICT, {})
    for _ in range(3):
        tensors = list(values.values())
        for found, plain in zip(plan(tensors), module(*tensors), strict=True):
            torch.testing.assert_close(found, plain, rtol=1e-5, atol=1e-5)
        for name, tensor in values.items():
            if name not in given:
                tensor.mul_(1.25)
    return plan


def x() -> Any:
    return S.var("x")


def conv(data: Any, name: str = "conv", kernel: tuple[int, ...] = (3, 3), **options: Any) -> Any:
    pad = options.pop("pad", tuple(each // 2 for each in kernel))
    return S.Convolution(data, kernel=kernel, num_filter=4, pad=pad, name=name, **options)


def norm(data: Any, name: str = "norm", **options: Any) -> Any:
    return S.BatchNorm(data, name=name, **{"fix_gamma": False, **options})


class TestEveryPlan:
    def test_repeated_calls_are_made_once(self):
        y = S.exp(x() * 2) + S.exp(x() * 2)
        check(y, ["_mul_scalar", "exp", "elemwise_add"], x=(2, 3))

    def test_calls_with_other_attributes_are_others(self):
        y = (x() * 2) + (x() * 3)
        check(y, ["_mul_scalar", "_mul_scalar", "elemwise_add"], x=(2, 3))

    def test_attributes_that_are_written_in_two_ways(self):
        first, second = S.clip(x(), a_min=0, a_max=1), S.clip(x(), a_min="0.0", a_max=1.0)
        check(first - second, ["clip", "elemwise_sub"], x=(2, 3))

    def test_outputs_of_one_call_stay_together(self):
        parts = [S.split(x(), num_outputs=2, axis=1) for _ in range(2)]
        y = S.concat(parts[0][0], parts[1][1], dim=1)
        check(y, ["SliceChannel", "Concat"], x=(2, 4))

    @pytest.mark.parametrize("setting", [PREDICT, TRAIN, RECORD])
    def test_random_calls_are_not_shared(self, setting):
        y = S.random.uniform(shape=(2, 3)) + S.random.uniform(shape=(2, 3)) + x()
        plan = plan_of(y, {"x": torch.zeros(2, 3)}, setting)
        assert calls_in(plan).count("_random_uniform") == 2

    def test_dropouts_are_not_shared_in_training(self):
        y = S.Dropout(x(), p=0.5) + S.Dropout(x(), p=0.5)
        assert calls_in(plan_of(y, {"x": torch.ones(2, 3)}, TRAIN)).count("Dropout") == 2

    def test_calls_that_update_states_are_not_shared(self):
        state = {name: S.var(name) for name in ("gamma", "beta", "moving_mean", "moving_var")}
        y = S.BatchNorm(x(), **state, name="a") + S.BatchNorm(x(), **state, name="b")
        values = make_values(y, x=(2, 3))
        assert calls_in(plan_of(y, values, TRAIN)).count("BatchNorm") == 2
        plan = plan_of(y, values, TRAIN)
        before = values["moving_mean"].clone()
        expected = lower(y._graph, list(values), TRAIN, {})(*(v.clone() for v in values.values()))
        torch.testing.assert_close(plan(list(values.values())), expected)
        assert not torch.equal(values["moving_mean"], before)

    def test_what_nobody_reads_is_left_out(self):
        values = {"x": torch.ones(2, 3)}
        module = lower((x() * 2)._graph, ["x"], PREDICT, {})
        graph = module.graph
        (call,) = [node for node in graph.nodes if node.op == "call_function"]
        with graph.inserting_after(call):
            graph.call_function(torch.exp, (call,))
        plan = Plan(module, {}, PREDICT)
        assert calls_in(plan) == ["_mul_scalar"]
        assert plan(list(values.values()))[0].tolist() == [[2.0] * 3] * 2


class TestConstants:
    def test_what_depends_on_parameters_alone_is_computed_once(self):
        w = S.var("w")
        y = S.broadcast_mul(x(), S.exp(S.sum(w * 2, axis=0, keepdims=True)))
        check(y, ["broadcast_mul"], x=(2, 3), w=(2, 3))

    def test_a_result_can_be_a_constant(self):
        w = S.var("w")
        y = S.Group([S.exp(w), x() * 2, w])
        plan = check(y, ["_mul_scalar"], x=(2, 3), w=(2, 3))
        values = [torch.ones(2, 3), torch.zeros(2, 3)]
        tensors = [values[0] if name == "w" else values[1] for name in ("w", "x")]
        plan(tensors)[0].fill_(7)  # what a user does to a result is not seen in the next one
        assert plan(tensors)[0][0, 0] != 7

    def test_random_values_are_not_constants(self):
        y = x() + S.broadcast_mul(S.random.uniform(shape=(2, 3)), S.var("w"))
        values = {"x": torch.zeros(2, 3), "w": torch.ones(1, 3)}
        plan = plan_of(y, values)
        found = [plan(list(values.values()))[0] for _ in range(2)]
        assert not torch.equal(*found)

    def test_arrays_without_inputs_are_constants(self):
        check(x() + S.zeros((2, 3)) + S.ones((2, 3)), ["elemwise_add"] * 2, x=(2, 3))

    @pytest.mark.parametrize("setting", [TRAIN, RECORD, PREDICT._replace(recording=True)])
    def test_nothing_is_constant_where_parameters_learn(self, setting):
        y = S.broadcast_mul(x(), S.exp(S.var("w")))
        values = {"x": torch.ones(2, 3), "w": torch.ones(1, 3)}
        assert calls_in(plan_of(y, values, setting)) == ["exp", "broadcast_mul"]


class TestIdentities:
    @pytest.mark.parametrize(
        "make",
        [
            lambda d: S.Dropout(d, p=0.5),
            lambda d: S.identity(d),
            lambda d: S.BlockGrad(d),
            lambda d: S.MakeLoss(d),
            lambda d: S.make_loss(d),
            lambda d: S.Dropout(S.identity(S.Dropout(d, p=0.2)), p=0.5),
        ],
    )
    def test_what_has_no_effect_in_prediction_is_left_out(self, make):
        check(S.exp(make(x() * 2)), ["_mul_scalar", "exp"], x=(2, 3))
        check(make(x()), [], x=(2, 3))

    def test_dropout_that_always_drops_stays(self):
        y = S.Dropout(x(), p=0.5, mode="always")
        assert calls_in(plan_of(y, {"x": torch.ones(2, 3)})) == ["Dropout"]

    def test_dropout_of_nothing_goes(self):
        check(S.Dropout(x() * 2, p=0, mode="always"), ["_mul_scalar"], x=(2, 3))

    def test_they_stay_where_they_have_an_effect(self):
        values = {"x": torch.ones(2, 3)}
        y = S.BlockGrad(S.Dropout(x(), p=0.5))
        assert calls_in(plan_of(y, values, TRAIN))[:2] == ["Dropout", "BlockGrad"]


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="needs oneDNN")
class TestFolding:
    @pytest.mark.parametrize("no_bias", [False, True])
    @pytest.mark.parametrize("groups", [1, 2, 4])
    @pytest.mark.parametrize("fix_gamma", [False, True])
    def test_into_a_convolution(self, no_bias, groups, fix_gamma):
        y = norm(conv(x(), no_bias=no_bias, num_group=groups), fix_gamma=fix_gamma, eps=1e-3)
        check(y, [FUSED], x=(2, 4, 6, 5))

    @pytest.mark.parametrize(("kernel", "shape"), [((3,), (2, 4, 7)), ((3, 3, 3), (2, 4, 5, 4, 3))])
    def test_into_convolutions_of_other_dimensions(self, kernel, shape):
        check(norm(conv(x(), kernel=kernel)), ["Convolution"], x=shape)

    @pytest.mark.parametrize("axis", [1, -3])
    def test_the_axis_of_channels_from_both_ends(self, axis):
        check(norm(conv(x()), axis=axis), [FUSED], x=(2, 4, 6, 5))

    @pytest.mark.parametrize(
        ("options", "axis", "shape"),
        [({}, 1, (3, 4)), ({}, -1, (3, 4)), ({"no_bias": True}, 1, (3, 2, 2)),
         ({"flatten": False}, -1, (3, 2, 4))],
    )  # fmt: skip
    def test_into_a_dense_layer(self, options, axis, shape):
        dense = S.FullyConnected(x(), num_hidden=3, name="fc", **options)
        check(norm(dense, axis=axis), ["FullyConnected"], x=shape)

    def test_statistics_that_are_always_used(self):
        check(norm(conv(x()), use_global_stats=True), [FUSED], x=(2, 4, 6, 5))

    def test_two_in_a_row(self):
        y = norm(conv(norm(conv(x(), "a"), "na"), "b"), "nb")
        check(y, [FUSED, FUSED], x=(2, 4, 6, 5))

    def test_weights_that_two_layers_share(self):
        w = S.var("w")
        y = norm(conv(x(), "a", weight=w), "na") + norm(conv(x() * 2, "b", weight=w), "nb")
        check(y, [FUSED, "_mul_scalar", FUSED_SUM], x=(2, 4, 6, 5))

    def test_not_where_the_convolution_is_read_elsewhere(self):
        c = conv(x())
        check(S.Group([norm(c), c]), [FUSED, "BatchNorm"], x=(2, 4, 6, 5))
        check(norm(c) + c, [FUSED, "BatchNorm", "elemwise_add"], x=(2, 4, 6, 5))

    @pytest.mark.parametrize("axis", [2, 3, 0, -1])
    def test_not_on_another_axis(self, axis):
        check(norm(conv(x()), axis=axis), [FUSED, "BatchNorm"], x=(2, 4, 6, 5))

    def test_not_on_another_axis_of_a_dense_layer(self):
        dense = S.FullyConnected(x(), num_hidden=3, flatten=False, name="fc")
        check(norm(dense, axis=1), ["FullyConnected", "BatchNorm"], x=(3, 2, 4))

    def test_not_with_statistics_as_results(self):
        y = norm(conv(x()), output_mean_var=True)
        check(y, [FUSED, "BatchNorm"], x=(2, 4, 6, 5))

    def test_not_with_a_weight_that_is_computed_from_data(self):
        y = norm(conv(x(), weight=S.var("w") * 2))
        plan = check(y, ["_mul_scalar", "Convolution", "BatchNorm"], ("x", "w"), x=(2, 4, 6, 5))
        assert plan is not None

    def test_not_after_something_else(self):
        check(norm(S.relu(conv(x()))), [FUSED, "BatchNorm"], x=(2, 4, 6, 5))

    def test_not_in_training(self):
        y = norm(conv(x()))
        values = make_values(y, x=(2, 4, 6, 5))
        for setting in (TRAIN, RECORD):
            assert calls_in(plan_of(y, values, setting)) == ["Convolution", "BatchNorm"]


ACTIVATIONS = {
    "relu": lambda d: S.relu(d),
    "sigmoid": lambda d: S.sigmoid(d),
    "tanh": lambda d: S.tanh(d),
    "Activation relu": lambda d: S.Activation(d, act_type="relu"),
    "Activation tanh": lambda d: S.Activation(d, act_type="tanh"),
    "clip": lambda d: S.clip(d, a_min=-0.2, a_max=0.3),
    "leaky": lambda d: S.LeakyReLU(d, act_type="leaky", slope=0.3),
    "leaky by default": lambda d: S.LeakyReLU(d),
}


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="needs oneDNN")
class TestFusion:
    @pytest.mark.parametrize("name", ACTIVATIONS)
    def test_an_activation(self, name):
        check(ACTIVATIONS[name](conv(x())), [FUSED], x=(2, 4, 6, 5))
        y = ACTIVATIONS[name](norm(conv(x(), stride=(2, 1), dilate=(1, 2))))
        check(y, [FUSED], x=(2, 4, 9, 8))

    def test_other_activations_stay(self):
        for act in ("softsign", "softrelu"):
            y = S.Activation(conv(x()), act_type=act)
            check(y, [FUSED, "Activation"], x=(2, 4, 6, 5))
        for act in ("elu", "selu", "gelu"):
            check(S.LeakyReLU(conv(x()), act_type=act), [FUSED, "LeakyReLU"], x=(2, 4, 6, 5))

    def test_limits_in_the_wrong_order_stay(self):
        y = S.clip(conv(x()), a_min=0.3, a_max=-0.2)
        check(y, [FUSED, "clip"], x=(2, 4, 6, 5))

    def test_a_torch_without_these_convolutions_runs_them_one_by_one(self, monkeypatch):
        monkeypatch.setattr(onednn, "_AVAILABLE", False)
        check(S.relu(norm(conv(x()))), ["Convolution", "relu"], x=(2, 4, 6, 5))

    def test_not_where_the_convolution_is_read_elsewhere(self):
        c = conv(x())
        check(S.Group([S.relu(c), c]), [FUSED, "relu"], x=(2, 4, 6, 5))

    @pytest.mark.parametrize("swap", [False, True])
    def test_an_addition_of_two_convolutions(self, swap):
        first, second = norm(conv(x(), "a"), "na"), norm(conv(x() * 2, "b"), "nb")
        y = S.relu(second + first if swap else first + second)
        assert calls_in(check(y, calls_of_sum(swap), x=(2, 4, 6, 5))).count(FUSED_SUM) == 1

    def test_an_addition_of_what_both_read(self):
        first = conv(x(), "a")
        y = S.relu(first + conv(first, "b"))
        check(y, [FUSED, FUSED_SUM], x=(2, 4, 6, 5))

    def test_only_relu_goes_with_an_addition(self):
        y = S.tanh(conv(x(), "a") + conv(x() * 2, "b"))
        check(y, [FUSED, "_mul_scalar", FUSED_SUM, "tanh"], x=(2, 4, 6, 5))

    def test_an_addition_of_something_else_stays(self):
        y = S.relu(conv(x()) + x())
        check(y, [FUSED, "elemwise_add", "relu"], x=(2, 4, 6, 5))

    def test_a_convolution_added_to_itself(self):
        c = conv(x())
        check(c + c, [FUSED, "elemwise_add"], x=(2, 4, 6, 5))

    def test_double_precision_is_left_alone(self):
        y = S.relu(norm(conv(x())))
        values = {k: v.double() for k, v in make_values(y, x=(2, 4, 6, 5)).items()}
        plan = plan_of(y, values)
        assert calls_in(plan) == ["Convolution", "relu"]
        plain = lower(y._graph, list(values), PREDICT, {})(*values.values())
        torch.testing.assert_close(plan(list(values.values())), plain)

    def test_channels_at_the_end_are_left_alone(self):
        y = conv(x(), layout="NHWC")
        values = {
            "x": torch.rand(2, 6, 5, 4),
            "conv_weight": torch.rand(4, 3, 3, 4),
            "conv_bias": torch.rand(4),
        }
        assert calls_in(plan_of(norm_of(y), {**values, **statistics()})) == [
            "Convolution",
            "BatchNorm",
        ]


def calls_of_sum(swap: bool) -> list[str]:
    return ["_mul_scalar", FUSED, FUSED_SUM] if swap else [FUSED, "_mul_scalar", FUSED_SUM]


def norm_of(data: Any) -> Any:
    return norm(data, axis=3)


def statistics() -> dict[str, torch.Tensor]:
    names = ("gamma", "beta", "moving_mean", "moving_var")
    return {f"norm_{name}": torch.ones(4) for name in names}


class TestMaximaOfRectifiedData:
    @pytest.mark.parametrize(
        ("name", "make"),
        [("relu", S.relu), ("Activation", lambda data: S.Activation(data, act_type="relu"))],
    )
    @pytest.mark.parametrize(
        "options",
        [
            {"kernel": (2, 2), "stride": (2, 2)},
            {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1)},
            {"kernel": (1, 1), "global_pool": True},
        ],
        ids=str,
    )
    def test_they_are_taken_first(self, name, make, options):
        symbol = S.Pooling(make(x()), pool_type="max", **options) * 2
        check(symbol, ["Pooling", name, "_mul_scalar"], x=(2, 5, 8, 8))

    def test_gradients_stay_with_the_first_maximum(self):
        symbol = S.Pooling(S.relu(x()), pool_type="max", kernel=(2, 2), stride=(1, 1))
        values = torch.randint(-2, 3, (3, 4, 7, 7)).float()
        plan = plan_of(symbol, {"x": values}, RECORD)
        plain = lower(symbol._graph, ["x"], RECORD, {})
        slopes = []
        for run in (lambda data: plan([data]), plain):
            data = values.clone().requires_grad_()
            output = run(data)[0]
            output.backward(torch.arange(output.numel()).reshape(output.shape).float())
            slopes.append(data.grad)
        assert calls_in(plan) == ["Pooling", "relu"]
        torch.testing.assert_close(*slopes)

    @pytest.mark.parametrize(
        "options",
        [
            {"pool_type": "avg"},
            {"pool_type": "max", "pooling_convention": "full"},
            {"pool_type": "max", "pad": (2, 2)},
        ],
        ids=str,
    )
    def test_not_where_it_makes_a_difference(self, options):
        symbol = S.Pooling(S.relu(x()), kernel=(2, 2), stride=(2, 2), **options)
        check(symbol, ["relu", "Pooling"], x=(2, 5, 8, 8))

    def test_not_where_rectified_data_are_read_elsewhere(self):
        rectified = S.relu(x())
        symbol = S.Group([S.Pooling(rectified, kernel=(2, 2)), rectified])
        check(symbol, ["relu", "Pooling"], x=(2, 5, 8, 8))


def test_passes_without_their_operators_are_not_run(monkeypatch):
    ran = []

    def watch(place, each):
        return each._replace(run=lambda job: ran.append(place) or each.run(job))

    watched = tuple(watch(place, each) for place, each in enumerate(table.PASSES))
    monkeypatch.setattr(table, "PASSES", watched)
    x = mx.sym.var("x")
    plan_of(mx.sym.sqrt(x), {"x": torch.ones(2)})
    dead = [place for place, each in enumerate(watched) if not (each.when or each.needs)]
    assert ran == dead  # what is not read is looked for in every graph
    ran.clear()
    dropped = mx.sym.Dropout(mx.sym.sqrt(x))
    plan_of(dropped, {"x": torch.ones(2)})
    identities = [p for p, each in enumerate(watched) if "passes_through" in each.needs]
    assert ran == [*identities, *dead]
