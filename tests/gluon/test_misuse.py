"""Mistakes: each error is of the type the original raises, names what it is about, and helps."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn

DATA, IMAGE = nd.ones((2, 4)), nd.ones((2, 4, 6, 6))


def ready(block, *inputs):
    block.initialize()
    block(*(inputs or (DATA,)))
    return block


def call_without_initialize():
    nn.Dense(3, prefix="d_")(DATA)


def read_deferred():
    layer = nn.Dense(3, prefix="d_")
    layer.initialize()
    layer.weight.data()


def read_deferred_in_a_network():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3))
    net.initialize()
    net[0].weight.list_data()


def gradient_without_initialize():
    nn.Dense(3, in_units=2, prefix="d_").weight.grad()


def gradient_of_a_running_mean():
    ready(nn.BatchNorm(prefix="bn_"), IMAGE).running_mean.grad()


def data_on_another_context():
    layer = nn.Dense(3, in_units=4, prefix="d_")
    layer.initialize(ctx=mx.cpu(1))
    layer(DATA)


def value_on_another_context():
    ready(nn.Dense(3, prefix="d_")).weight.data(mx.cpu(2))


def name_instead_of_a_context():
    nn.Dense(3, in_units=4, prefix="d_").initialize(ctx="cpu")


def no_context_at_all():
    nn.Dense(3, in_units=4, prefix="d_").initialize(ctx=[])


def wrong_width():
    ready(nn.Dense(3, prefix="d_"))(nd.ones((2, 5)))


def wrong_width_inside():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3), nn.Dense(2, in_units=7))
    net.initialize()
    net(DATA)


def wrong_channels():
    layer = nn.Conv2D(3, 2, in_channels=3, prefix="c_")
    layer.initialize()
    layer(IMAGE)


def wrong_number_of_axes():
    layer = nn.Conv2D(3, 2, prefix="c_")
    layer.initialize()
    layer(nd.ones((2, 4, 6)))


def window_larger_than_image():
    layer = nn.Conv2D(3, 9, in_channels=4, prefix="c_")
    layer.initialize()
    layer(IMAGE)


def wrong_dtype():
    ready(nn.Dense(3, prefix="d_"))(DATA.astype("float64"))


def normalize_wrong_length():
    layer = nn.LayerNorm(in_channels=3, prefix="ln_")
    layer.initialize()
    layer(DATA)


def normalize_a_missing_axis():
    layer = nn.BatchNorm(axis=5, prefix="bn_")
    layer.initialize()
    layer(IMAGE)


def groups_that_do_not_divide():
    layer = nn.GroupNorm(3, prefix="gn_")
    layer.initialize()
    layer(IMAGE)


def deferred_shape_that_does_not_fit():
    layer = nn.Dense(2, prefix="d_")
    layer.initialize()
    layer.weight.shape = (2, 7)
    layer(DATA)


def deferred_shape_that_nobody_tells():
    class Product(nn.HybridBlock):
        def __init__(self):
            super().__init__(prefix="p_")
            self.w = self.params.get("w", shape=(0, 3), allow_deferred_init=True)

        def hybrid_forward(self, F, x, w):
            return F.dot(x, w)

    block = Product()
    block.initialize()
    block(DATA)


def unknown_shape_without_deferral():
    gluon.Parameter("w", shape=(2, 0)).initialize()


def shape_changed():
    nn.Dense(3, in_units=4, prefix="d_").weight.shape = (3, 5)


def value_of_another_shape():
    ready(nn.Dense(3, prefix="d_")).weight.set_data(nd.ones((3, 3)))


def value_before_initialize():
    nn.Dense(3, in_units=4, prefix="d_").weight.set_data(nd.ones((3, 4)))


def moved_before_initialize():
    nn.Dense(3, in_units=4, prefix="d_").weight.reset_ctx(mx.cpu(1))


def contexts_before_initialize():
    nn.Dense(3, in_units=4, prefix="d_").collect_params().list_ctx()


def unknown_grad_req():
    nn.Dense(3, prefix="d_").weight.grad_req = "sometimes"


def unknown_storage():
    gluon.Parameter("w", shape=(2,), grad_stype="dense")


def unknown_initializer():
    nn.Dense(3, in_units=4, weight_initializer="xaver", prefix="d_").initialize()


def shared_with_another_shape():
    nn.Dense(3, in_units=5, params=nn.Dense(3, in_units=4, prefix="d_").params)


def shared_with_another_kind():
    nn.Conv2D(3, 2, params=nn.Dense(3, in_units=4, prefix="d_").params)


def shared_with_another_dtype():
    gluon_params = gluon.ParameterDict("net_")
    gluon_params.get("w", shape=(2,))
    gluon_params.get("w", dtype="float64")


def two_parameters_of_one_name():
    params = gluon.ParameterDict("net_")
    params.get("w", shape=(2,))
    params.update({"net_w": gluon.Parameter("net_w", shape=(2,))})


def constant_of_another_value():
    params = gluon.ParameterDict("net_")
    params.get_constant("c", nd.ones(2))
    params.get_constant("c", nd.zeros(2))


def constant_without_value():
    gluon.ParameterDict("net_").get_constant("c")


def unknown_option():
    nn.Dense(3, in_unit=4)


def unknown_option_of_a_convolution():
    nn.Conv2D(3, 2, stride=1)


def option_without_value():
    nn.Conv2D(3)


def unknown_layout():
    nn.Conv2D(3, 2, layout="NCW")


def unknown_pooling_layout():
    nn.MaxPool2D(layout="HWNC")


def too_many_window_sizes():
    nn.Conv2D(3, (2, 2, 2))


def too_few_strides():
    nn.MaxPool2D(2, strides=(1,))


def channels_that_groups_do_not_divide():
    nn.Conv2D(5, 3, groups=2)


def no_channels():
    nn.Conv2D(0, 3)


def channels_that_are_not_whole():
    nn.Conv1D(2.5, 3)


def negative_units():
    nn.Dense(-1)


def units_that_are_no_number():
    nn.Dense("ten")


def no_groups():
    nn.Conv2D(4, 3, groups=0)


def negative_slope():
    nn.LeakyReLU(-0.1)


def activation_that_is_no_name():
    nn.Dense(3, activation=lambda x: x)


def unknown_activation():
    nn.Activation("rellu", prefix="a_")(DATA)


def unknown_function():
    nn.HybridLambda("rellu")


def function_that_is_none():
    nn.Lambda(3)


def padding_of_the_wrong_length():
    nn.ReflectionPad2D((1, 1))


def rate_above_one():
    layer = nn.Dropout(2, prefix="drop_")
    with mx.autograd.record():
        layer(DATA)


def child_that_is_no_block():
    nn.Sequential().add(nn.Dense(2), 5)


def child_that_is_not_hybrid():
    nn.HybridSequential().add(nn.Lambda("relu"))


def attribute_of_another_kind():
    block = nn.Block()
    block.layer = nn.Dense(2)
    block.layer = 3


def parameter_replaced():
    layer = nn.Dense(2)
    layer.weight = gluon.Parameter("v", shape=(2, 2))


def forward_not_defined():
    nn.Block()(DATA)


def hybrid_forward_not_defined():
    nn.HybridBlock()(DATA)


def input_that_is_no_array():
    ready(nn.Dense(3, prefix="d_"))(np.ones((2, 4)))


def too_many_inputs():
    layer = nn.Dense(3, prefix="d_")
    layer.initialize()
    layer(DATA, DATA)


def summary_of_a_hybridized_network():
    layer = ready(nn.Dense(3, prefix="d_"))
    layer.hybridize()
    layer.summary(DATA)


def saved_before_initialize():
    nn.Dense(3, in_units=4, prefix="d_").save_parameters("never.params")


def loaded_from_nowhere():
    nn.Dense(3, in_units=4).load_parameters("/nowhere/at/all.params")


def loaded_with_another_shape():
    nn.Dense(3, in_units=4, prefix="d_").load_dict({"d_weight": nd.ones((2, 2))})


def prefix_that_is_not_there():
    ready(nn.Dense(3, prefix="d_")).collect_params().save("never.params", strip_prefix="net_")


def update_without_backward():
    layer = ready(nn.Dense(3, prefix="d_"))
    gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.1}).step(1)


def update_before_initialize():
    layer = nn.Dense(3, in_units=4, prefix="d_")
    gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.1}).step(1)


def trainer_of_no_parameters():
    gluon.Trainer([nn.Dense(3)], "sgd")


def trainer_of_different_contexts():
    first, second = nn.Dense(3, in_units=4, prefix="a_"), nn.Dense(3, in_units=4, prefix="b_")
    first.initialize(ctx=mx.cpu(0))
    second.initialize(ctx=mx.cpu(1))
    params = [first.weight, second.weight]
    gluon.Trainer(params, "sgd", {"learning_rate": 0.1}).step(1)


def give_a_layer_of_mx_nd_an_array_of_mx_np():
    ready(nn.Dense(3, prefix="d_"))(mx.np.ones((2, 4)))


@mx.util.use_np
def give_a_layer_of_mx_np_an_array_of_mx_nd():
    ready(nn.Dense(3, prefix="d_"), mx.np.ones((2, 4)))(DATA)


MISTAKES = [
    (call_without_initialize, RuntimeError, ["'d_weight'", "initialize()"]),
    (read_deferred, RuntimeError, ["'d_weight'", "deferred", "Call the network once"]),
    (read_deferred_in_a_network, RuntimeError, ["'net_dense0_weight'", "in_units"]),
    (gradient_without_initialize, RuntimeError, ["'d_weight'", "initialize()"]),
    (gradient_of_a_running_mean, RuntimeError, ["'bn_running_mean'", "grad_req='null'"]),
    (data_on_another_context, RuntimeError, ["'d_weight'", "cpu(0)", "[cpu(1)]", "move the data"]),
    (value_on_another_context, RuntimeError, ["'d_weight'", "cpu(2)", "reset_ctx"]),
    (name_instead_of_a_context, ValueError, ["'d_weight'", "mx.cpu()", "'cpu'"]),
    (no_context_at_all, ValueError, ["'d_weight'", "mx.cpu()"]),
    (wrong_width, RuntimeError, ["Dense 'd'", "weight (3, 4)", "in_units=5"]),
    (give_a_layer_of_mx_nd_an_array_of_mx_np, TypeError, ["Dense 'd'", "call npx.set_np()"]),
    (give_a_layer_of_mx_np_an_array_of_mx_nd, TypeError, ["Dense 'd'", "x.as_np_ndarray()"]),
    (wrong_width_inside, RuntimeError, ["net[1] (Dense 'net_dense1')", "weight (2, 7)"]),
    (wrong_channels, RuntimeError, ["Conv2D 'c'", "weight (3, 3, 2, 2)", "in_channels=4"]),
    (wrong_number_of_axes, ValueError, ["Conv2D 'c'", "4 axes", "(2, 4, 6)"]),
    (window_larger_than_image, RuntimeError, ["Conv2D 'c'", "window (9, 9) is larger", "padding"]),
    (
        wrong_dtype,
        RuntimeError,
        ["Dense 'd'", "data is float64, weight is float32", "astype('float32')"],
    ),
    (normalize_wrong_length, RuntimeError, ["LayerNorm 'ln'", "gamma (3,)"]),
    (
        normalize_a_missing_axis,
        ValueError,
        ["BatchNorm 'bn'", "(2, 4, 6, 6)", "cannot be inferred"],
    ),
    (groups_that_do_not_divide, RuntimeError, ["GroupNorm 'gn'", "gn_gamma (3,)"]),
    (deferred_shape_that_does_not_fit, ValueError, ["Dense 'd'", "cannot be inferred", "7"]),
    (deferred_shape_that_nobody_tells, ValueError, ["p_w", "dot", "give the full shape"]),
    (unknown_shape_without_deferral, ValueError, ["'w'", "(2, 0)", "every length must be given"]),
    (shape_changed, AssertionError, ["'d_weight'", "(3, 4)", "(3, 5)", "only unknown lengths"]),
    (value_of_another_shape, AssertionError, ["'d_weight'", "(3, 4)", "(3, 3)"]),
    (value_before_initialize, AssertionError, ["'d_weight'", "initialize()"]),
    (moved_before_initialize, ValueError, ["'d_weight'", "initialize(ctx=...)"]),
    (contexts_before_initialize, RuntimeError, ["'d_weight'", "initialize()"]),
    (unknown_grad_req, AssertionError, ["'d_weight'", "write, add or null", "'sometimes'"]),
    (unknown_storage, AssertionError, ["'w'", "grad_stype", "row_sparse"]),
    (unknown_initializer, AssertionError, ["'d_weight'", "'xaver'", "xavier"]),
    (shared_with_another_shape, AssertionError, ["'d_weight'", "'shape'", "(3, 5)", "(3, 4)"]),
    (shared_with_another_kind, AssertionError, ["'d_weight'", "'shape'"]),
    (shared_with_another_dtype, AssertionError, ["'net_w'", "'dtype'", "float64"]),
    (two_parameters_of_one_name, ValueError, ["'net_w'", "not the same one"]),
    (constant_of_another_value, AssertionError, ["'net_c'", "another value"]),
    (constant_without_value, KeyError, ["'net_c'", "give a value"]),
    (unknown_option, TypeError, ["Dense", "'in_unit'"]),
    (unknown_option_of_a_convolution, TypeError, ["'stride'"]),
    (option_without_value, TypeError, ["'kernel_size'"]),
    (unknown_layout, AssertionError, ["Conv2D", "layout", "NCHW or NHWC", "'NCW'"]),
    (unknown_pooling_layout, AssertionError, ["MaxPool2D", "NCHW or NHWC", "'HWNC'"]),
    (too_many_window_sizes, AssertionError, ["Conv2D", "kernel_size", "2 of them", "(2, 2, 2)"]),
    (too_few_strides, AssertionError, ["MaxPool2D", "strides", "2 of them", "(1,)"]),
    (channels_that_groups_do_not_divide, RuntimeError, ["Conv2D", "channels", "groups=2", "5"]),
    (no_channels, RuntimeError, ["Conv2D", "channels must be at least 1", "0"]),
    (channels_that_are_not_whole, RuntimeError, ["Conv1D", "channels", "whole", "2.5"]),
    (negative_units, RuntimeError, ["Dense", "units must be at least 0", "-1"]),
    (units_that_are_no_number, RuntimeError, ["Dense", "units must be at least 0", "'ten'"]),
    (no_groups, RuntimeError, ["Conv2D", "groups must be at least 1", "0"]),
    (negative_slope, AssertionError, ["LeakyReLU", "alpha must be at least 0", "-0.1"]),
    (activation_that_is_no_name, TypeError, ["'relu'", "function", "behind the layer"]),
    (unknown_activation, RuntimeError, ["Activation 'a'", "'rellu'", "relu"]),
    (unknown_function, AssertionError, ["HybridLambda", "'rellu'"]),
    (function_that_is_none, ValueError, ["Lambda", "takes a function or the name of one", "3"]),
    (padding_of_the_wrong_length, AssertionError, ["ReflectionPad2D", "8 of them", "(1, 1)"]),
    (rate_above_one, RuntimeError, ["Dropout 'drop'", "2"]),
    (child_that_is_no_block, ValueError, ["Sequential", "must be a Block", "int"]),
    (child_that_is_not_hybrid, ValueError, ["Lambda(relu)", "HybridSequential"]),
    (attribute_of_another_kind, TypeError, ["attribute layer", "Dense", "int", "another name"]),
    (parameter_replaced, AssertionError, ["attribute weight", "params"]),
    (forward_not_defined, NotImplementedError, ["Block", "forward"]),
    (hybrid_forward_not_defined, NotImplementedError, ["HybridBlock", "hybrid_forward"]),
    (input_that_is_no_array, ValueError, ["Dense 'd'", "ndarray", "mx.nd.array"]),
    (too_many_inputs, ValueError, ["Dense 'd'", "weight"]),
    (summary_of_a_hybridized_network, AssertionError, ["Dense 'd'", "hybridize(False)"]),
    (saved_before_initialize, RuntimeError, ["'d_weight'", "initialize()"]),
    (loaded_from_nowhere, mx.MXNetError, ["/nowhere/at/all.params"]),
    (
        loaded_with_another_shape,
        ValueError,
        ["'d_weight'", "(3, 4)", "(2, 2)", "'d_bias'", "allow_missing=True"],
    ),
    (prefix_that_is_not_there, ValueError, ["'net_'", "'d_weight'"]),
    (update_without_backward, UserWarning, ["`d_bias`", "backward", "ignore_stale_grad=True"]),
    (update_before_initialize, RuntimeError, ["'d_bias'", "initialize()"]),
    (trainer_of_no_parameters, ValueError, ["list or dict of Parameters", "Dense"]),
    (trainer_of_different_contexts, RuntimeError, ["'b_weight'", "[cpu(0)]", "[cpu(1)]"]),
]


@pytest.mark.parametrize(
    ("program", "kind", "parts"), MISTAKES, ids=[program.__name__ for program, *_ in MISTAKES]
)
def test_mistake_is_explained(program, kind, parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind) as caught:
        program()
    message = str(caught.value)
    for part in parts:
        assert part in message
    assert not list(tmp_path.iterdir())


def test_every_mistake_is_in_the_table():
    programs = [
        value
        for value in globals().values()
        if callable(value) and getattr(value, "__module__", "") == __name__
    ]
    listed = {program for program, *_ in MISTAKES}
    assert {p for p in programs if not p.__name__.startswith("test_")} - {ready} == listed
    assert len(listed) >= 25


def test_second_initialization_names_the_parameter():
    layer = nn.Dense(3, in_units=4, prefix="d_")
    layer.initialize()
    with pytest.warns(UserWarning, match="'d_weight' is already initialized.*force_reinit=True"):
        layer.weight.initialize()
