"""Operators of networks that MXNet 2 added; their golden results are of MXNet 2.0.0b1."""

from math import inf

from .core import Sample, ints, rand, sample, values

MASK = values([[True, False, True, True]], "bool")
ROWS = values([[[True, False, True, True]]], "bool")
SAME_AXES = "MXNet wants masks with as many axes as the data"
QUIRK = {"oracle": False, "why": "MXNet does not find the attribute"}
SCORE = {"w": 1, "symmetric": True}
QUERY = rand(2, 5, 2, 3)
DILATION = values([1, 2], "int32")
BYTES = values([[1, -2, 3], [4, 5, -6]], "int8")
RANGED = (BYTES, values([-1]), values([1]))

NO_PLACE = {"oracle": False, "gradient": False, "why": "MXNet ends the process"}
NO_TARGET = {
    "oracle": False,
    "why": "MXNet ends the process where no array for the result is given",
}
NOT_REFUSED = {"oracle": False, "why": "MXNet reads beyond the scales"}
IMAGE = rand(4, 5, 3)
SCALE = values([1.0])
STEPPED = (rand(3), rand(3), rand(3), rand(3, low=0.1, high=1), SCALE)
CLIPPED = {"clip_gradient": 0.6, "gradient": False, **NO_TARGET}
ONE_WEIGHT = {"num_weights": 1, "gradient": False, **NO_TARGET}
LANS = {
    **{"learning_rates": (0.1,), "wds": (0.1,), "step_count": (3,)},
    **{"num_tensors": 1, "gradient": False},
    **NO_TARGET,
}


def _of_floats(name: str, low: float, high: float) -> list:
    return [
        sample(name, rand(2, 3, low=low, high=high)),
        sample(name, rand(3, dtype="float64", low=low, high=high)),
        sample(name, rand(0, 2, low=low, high=high)),
    ]


def _masked(name: str) -> list:
    infinite = {"numeric": False, "gradient": False} if "log" in name else {}
    return [
        sample(name, rand(2, 4), MASK, **infinite),
        sample(name, rand(2, 3, 4), ROWS, temperature=2.0, **infinite),
        sample(name, rand(2, 3, 4), MASK, oracle=False, why=SAME_AXES, **infinite),
        sample(name, rand(2, 4), MASK, axis=0, **infinite),
        sample(name, rand(2, 4, dtype="float64"), MASK, **infinite),
        sample(name, rand(2, 4), values([[True] * 3], "bool"), raises=True),
        sample(name, rand(2, 4), rand(2, 4), raises=True),
    ]


def _normalized(shape: tuple[int, ...], size: int, **attrs: object) -> Sample:
    return sample(
        "_npx_group_norm", rand(*shape), rand(size, low=0.5, high=1.5), rand(size), **attrs
    )


SAMPLES = [
    *(_normalized((2, 4, 3), 4, num_groups=groups) for groups in (1, 2, 4)),
    _normalized((2, 4, 3, 2), 4, num_groups=2, eps=0.1, output_mean_var=True),
    _normalized((2, 4, 3), 2, num_groups=2, raises=True, **NOT_REFUSED),
    _normalized((2, 4), 4, num_groups=2, raises=True),
    *_of_floats("digamma", 0.5, 4),
    *_of_floats("log_sigmoid", -4, 4),
    *_of_floats("mish", -3, 3),
    sample(
        "log_sigmoid",
        values([-inf, inf, 1000.0, -1000.0]),
        gradient=False,
        oracle=False,
        why="MXNet overflows at -1000",
    ),
    *_masked("masked_softmax"),
    *_masked("masked_log_softmax"),
    sample("masked_softmax", rand(2, 3), values([[False] * 3, [True] * 3], "bool"), numeric=False),
    sample("Activation", rand(2, 3), act_type="mish"),
    sample("Activation", rand(2, 3), act_type="log_sigmoid"),
    sample("_contrib_sldwin_atten_score", QUERY, rand(2, 5, 2, 3), DILATION, **SCORE),
    sample("_contrib_sldwin_atten_score", QUERY, rand(2, 5, 2, 3), DILATION, w=2, symmetric=False),
    sample(
        "_contrib_sldwin_atten_score",
        QUERY,
        rand(2, 4, 2, 3),
        DILATION,
        raises=True,
        oracle=False,
        why="MXNet reads beyond the keys",
        **SCORE,
    ),
    sample(
        "_contrib_sldwin_atten_mask_like",
        rand(2, 5, 2, 3),
        DILATION,
        values([3, 5], "int32"),
        **SCORE,
    ),
    sample(
        "_contrib_sldwin_atten_mask_like",
        rand(2, 5, 2, 2),
        DILATION,
        values([0, 4], "int32"),
        w=1,
        symmetric=False,
    ),
    sample("_contrib_sldwin_atten_context", rand(2, 5, 2, 3), QUERY, DILATION, **SCORE),
    sample("_contrib_quantized_reshape", *RANGED, newshape=(3, 2), **QUIRK),
    sample("_contrib_quantized_reshape", *RANGED, newshape=(-1,), **QUIRK),
    sample("_contrib_quantized_transpose", *RANGED, axes=(1, 0)),
    sample("_contrib_quantized_transpose", *RANGED),
    sample("_contrib_intgemm_maxabsolute", rand(4, 64, low=-3, high=2), gradient=False),
    sample("_contrib_intgemm_prepare_data", rand(2, 64), values([0.9])),
    sample("_contrib_intgemm_prepare_weight", rand(8, 64), values([1.0])),
    sample("_contrib_intgemm_prepare_weight", ints(8, 64, dtype="int8"), already_quantized=True),
    sample(
        "_contrib_intgemm_take_weight",
        ints(16, 64, dtype="int8"),
        values([1, 3, 5, 7, 9, 11, 13, 15], "int32"),
        oracle=False,
        why="MXNet's prepared weights have an order of their own",
    ),
    sample(
        "_contrib_intgemm_fully_connected",
        ints(2, 64, dtype="int8"),
        ints(8, 64, dtype="int8"),
        values([0.5]),
        num_hidden=8,
        no_bias=True,
        oracle=False,
        why="MXNet's prepared weights have an order of their own",
    ),
    sample(
        "_contrib_intgemm_fully_connected",
        ints(2, 3, dtype="int8"),
        ints(4, 3, dtype="int8"),
        values([1.0]),
        rand(4),
        num_hidden=4,
        oracle=False,
        why="MXNet's prepared weights have an order of their own",
    ),
    sample("_npx_quantized_reshape", *RANGED, newshape=(3, 2), gradient=False),
    sample("_npx_quantized_reshape", *RANGED, newshape=(-2, -1), reverse=True, gradient=False),
    sample("_contrib_quantized_reshape", *RANGED, shape=(0, -1, 1), gradient=False),
    sample(
        "_contrib_quantized_reshape",
        *RANGED,
        shape=(4,),
        raises=True,
        oracle=False,
        why="MXNet takes the first elements",
    ),
    sample(
        "_image_random_crop", IMAGE, xrange=(0.5, 0.5), yrange=(0, 0), width=2, height=3, **NO_PLACE
    ),
    sample("_image_random_crop", IMAGE, width=2, height=3, random=True, **NO_PLACE),
    sample("_image_random_crop", IMAGE, width=0, height=3, raises=True),
    sample("_image_random_resized_crop", IMAGE, width=2, height=3, random=True, **NO_PLACE),
    sample("_image_random_resized_crop", IMAGE, width=2, height=0, raises=True),
    *(
        sample(op, *STEPPED[:4], *more, SCALE, lr=0.1, eta=0.5, wd=0.1, **CLIPPED)
        for op, more in (("_adabelief_update", ()), ("_mp_adabelief_update", (rand(3),)))
    ),
    sample("_multi_adabelief_update", *STEPPED, lrs=(0.1,), wds=(0.1,), etas=(1,), **ONE_WEIGHT),
    sample(
        "_multi_mp_adabelief_update",
        *STEPPED[:4],
        rand(3),
        SCALE,
        lrs=(0.1,),
        wds=(0.1,),
        etas=(1,),
        **ONE_WEIGHT,
    ),
    sample("_multi_lans_update", *STEPPED[:4], **LANS),
    sample("_multi_mp_lans_update", *STEPPED[:4], rand(3), **LANS),
]
