"""Operators of `mx.npx`: what scalars and arrays of size zero give where the name is an alias."""

from .core import ints, rand, sample, values

FAILS = {"oracle": False, "why": "the original does not compute scalars or sizes of zero here"}


def _unary(name: str, low: float = -2, high: float = 2) -> list:
    op = f"_npx_{name}"
    return [
        sample(op, rand(2, 3, low=low, high=high)),
        sample(op, rand(low=low, high=high)),
        sample(op, rand(0, 3)),
        sample(op, rand(2, dtype="float64", low=low, high=high)),
    ]


ACTIVATIONS = [
    *_unary("relu"),
    sample("_npx_relu", values([-1, 0, 2], "int32")),
    sample("_npx_relu", values([True, False], "bool"), raises=True),
    *_unary("sigmoid"),
    sample("_npx_sigmoid", values([-1, 0, 2], "int32")),
    sample("_npx_sigmoid", values([True, False], "bool"), raises=True),
    *_unary("erf"),
    *_unary("erfinv", -0.9, 0.9),
    *_unary("gamma", 0.5, 3),
    *_unary("gammaln", 0.5, 3),
    *_unary("smooth_l1"),
    *(
        sample("_npx_activation", rand(*shape), act_type=kind)
        for shape in ((2, 3), ())
        for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign")
    ),
    sample("_npx_activation", rand(0, 3), act_type="relu", **FAILS),
    sample("_npx_leaky_relu", rand(), act_type="leaky", **FAILS),
    *(
        sample("_npx_leaky_relu", rand(*shape), act_type=kind)
        for shape in ((2, 3), (0, 3))
        for kind in ("leaky", "elu", "gelu")
    ),
    *(
        sample(op, rand(*shape), axis=-1)
        for op in ("_npx_softmax", "_npx_log_softmax")
        for shape in ((2, 3), (3,), (0, 3), (2, 0))
    ),
    sample("_npx_softmax", rand(2, 3), axis=0, temperature=2.0),
    sample("_npx_softmax", rand(2, 3), values([1, 2], "int32"), axis=1, use_length=True),
    *(sample("_npx_dropout", rand(*shape), p=0.5, train=False) for shape in ((2, 3), (), (0, 3))),
    sample("_npx_dropout", rand(2, 3), p=0.0),
]

LAYERS = [
    sample("_npx_fully_connected", rand(2, 3), rand(4, 3), rand(4), num_hidden=4),
    sample(
        "_npx_fully_connected",
        rand(0, 3),
        rand(4, 3),
        rand(4),
        num_hidden=4,
        numeric=False,
        **FAILS,
    ),
    sample(
        "_npx_fully_connected",
        *(rand(2, 2, 3), rand(4, 3)),
        num_hidden=4,
        no_bias=True,
        flatten=False,
    ),
    sample("_npx_fully_connected", rand(3), rand(4, 3), rand(4), num_hidden=4, flatten=False),
    sample(
        "_npx_convolution",
        *(rand(2, 2, 4, 4), rand(3, 2, 3, 3), rand(3)),
        kernel=(3, 3),
        num_filter=3,
    ),
    sample(
        "_npx_deconvolution", *(rand(2, 2, 3, 3), rand(2, 3, 2, 2)), kernel=(2, 2), num_filter=3
    ),
    sample("_npx_pooling", rand(1, 2, 4, 4), kernel=(2, 2), stride=(2, 2), pool_type="avg"),
    sample("_npx_pooling", rand(1, 2, 4, 4), global_pool=True, pool_type="max", kernel=(1, 1)),
    sample(
        "_npx_batch_norm",
        *(rand(4, 3), rand(3), rand(3), rand(3), rand(3, low=0.5, high=1)),
        fix_gamma=False,
        rtol=1e-3,
        atol=1e-4,
    ),
    sample("_npx_layer_norm", rand(2, 3), rand(3), rand(3), rtol=1e-3, atol=1e-4),
    sample("_npx_layer_norm", rand(3), rand(3), rand(3), rtol=1e-3, atol=1e-4),
    sample("_npx_embedding", ints(2, 3), rand(5, 2), input_dim=5, output_dim=2),
    sample("_npx_embedding", values(3, "int32"), rand(5, 2), input_dim=5, output_dim=2),
    sample("_npx_embedding", ints(0), rand(5, 2), input_dim=5, output_dim=2, numeric=False),
    sample("_npx_batch_dot", rand(2, 3, 4), rand(2, 4, 2)),
    sample("_npx_batch_dot", rand(2, 3, 4), rand(2, 2, 4), transpose_b=True),
    sample("_npx_batch_dot", rand(0, 3, 4), rand(0, 4, 2)),
    sample("_npx_batch_flatten", rand(2, 3, 4)),
    sample("_npx_batch_flatten", rand(2)),
    sample("_npx_batch_flatten", rand(0, 3, 2), **FAILS),
    sample(
        "_npx_rnn",
        *(rand(3, 2, 4), rand(45), rand(1, 2, 5)),
        state_size=5,
        num_layers=1,
        mode="rnn_tanh",
        state_outputs=True,
        gradient=False,
        raises=True,
    ),
    sample(
        "_npx_rnn",
        *(rand(3, 2, 4), rand(55), rand(1, 2, 5)),
        state_size=5,
        num_layers=1,
        mode="rnn_tanh",
        state_outputs=True,
    ),
    sample(
        "_npx_roi_pooling",
        *(rand(1, 2, 6, 6), values([[0, 0, 0, 3, 3]])),
        pooled_size=(2, 2),
        spatial_scale=1.0,
        numeric=False,
    ),
]

INDEXING = [
    sample("_npx_pick", rand(2, 3), values([1, 2])),
    sample("_npx_pick", rand(3), values(1), axis=0, raises=True),
    sample("_npx_pick", rand(3), values([1]), axis=0, keepdims=True),
    sample("_npx_pick", rand(0, 3), values([], "float32"), axis=1),
    sample("_npx_pick", rand(2, 3), values([[1], [0]]), axis=1, keepdims=True),
    sample("_npx_one_hot", values([1, 0]), depth=3),
    sample("_npx_one_hot", values(1), depth=3),
    sample("_npx_one_hot", values([[1], [2]], "int32"), depth=3, on_value=2, dtype="int32"),
    sample("_npx_one_hot", values([], "float32"), depth=3),
    sample("_npx_gather_nd", rand(2, 3), values([[0, 1], [1, 2]], "int32")),
    sample("_npx_gather_nd", rand(2, 3), values([1, 2], "int32"), raises=True),
    sample("_npx_gather_nd", rand(3), values([[1, 2]], "int32")),
    sample("_npx_topk", rand(2, 4), k=2),
    sample("_npx_topk", rand(2, 4), k=2, ret_typ="value"),
    sample("_npx_topk", rand(4), k=1, axis=0, ret_typ="both", numeric=False),
    sample("_npx_sequence_mask", rand(3, 2, 2)),
    sample(
        "_npx_sequence_mask", rand(3, 2, 2), values([1, 2]), use_sequence_length=True, value=-1.0
    ),
    sample("_npx_sequence_mask", rand(2, 3), values([1, 2]), use_sequence_length=True, axis=1),
    sample("_npx_slice", rand(3, 4), begin=(1, None), end=(3, -1)),
    sample("_npx_slice", rand(3, 4), begin=(None, None), end=(None, None), step=(-1, 2)),
    sample("_npx_reshape_like", rand(2, 3), rand(3, 2)),
    sample("_npx_reshape_like", rand(1), rand(), raises=True),
    sample("_npx_reshape_like", rand(0, 3), rand(3, 0)),
    sample("_npx_shape_array", rand(2, 3)),
    sample("_npx_shape_array", rand(0, 3)),
    sample("_npx_shape_array", rand()),
    sample("_npx_arange_like", rand(2, 3), axis=1),
    sample("_npx_arange_like", rand(2, 3), start=1.0, step=2.0),
    sample("_npx_arange_like", rand(0, 3), axis=0),
    *(sample("_npx_cast", rand(*shape), dtype="float64") for shape in ((2,), (), (0, 2))),
    sample("_npx_cast", values([0, 1.5]), dtype="bool", gradient=False),
    sample("_npx_cast", values([True, False], "bool"), dtype="float32"),
    sample("_npx_cast", values(2.7), dtype="int32"),
]

CHECKS = [
    sample("_npx_constraint_check", values([True, True], "bool")),
    sample("_npx_constraint_check", values(True, "bool"), msg="it is false"),
    sample("_npx_constraint_check", values([], "bool")),
    sample("_npx_constraint_check", values([True, False], "bool"), raises=True),
    sample("_npx_constraint_check", values([1, 1]), raises=True),
]

IMAGE = [
    sample("_npx__image_to_tensor", ints(4, 3, 3, high=255, dtype="uint8")),
    sample("_npx__image_normalize", rand(3, 2, 2), mean=(0.5, 0.5, 0.5), std=(0.2, 0.2, 0.2)),
    sample("_npx__image_crop", rand(4, 4, 3), x=1, y=1, width=2, height=2),
    sample("_npx__image_flip_left_right", rand(2, 4, 3), gradient=False),
    sample("_npx__image_flip_top_bottom", rand(2, 4, 3), gradient=False),
    sample("_npx__image_resize", ints(4, 4, 3, high=255, dtype="uint8"), size=(2, 2), interp=0),
    sample("_npx__image_adjust_lighting", rand(2, 2, 3), alpha=(0.1, 0.2, 0.3), gradient=False),
]

SAMPLES = [*ACTIVATIONS, *LAYERS, *INDEXING, *CHECKS, *IMAGE]
