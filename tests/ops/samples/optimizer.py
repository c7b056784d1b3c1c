"""Update operators of optimizers on one weight, and sums of squares."""

from .core import Array, Sample, rand, sample, values

OUTPUTS = "the original cannot infer the outputs of a call without out="
IN_PLACE = "the original decays the momentum by the new weight, but only with out=weight"
EMPTY = "the original takes a length of 0 for an unknown one"
REWRITES = "the original overwrites the gradient; see tests/ops/test_optimizer.py"
NO_CPU = "the original has no CPU kernel"
SKIPPED = "the original returns uninitialized memory when the update is skipped without out="
HALF = {"rtol": 2e-2, "atol": 1e-2}


def positive(*shape: int, dtype: str = "float32") -> Array:
    """A state that is never negative."""
    return rand(*shape, dtype=dtype, low=0.2, high=1.0)


def update(op: str, *inputs: Array, **fields: object) -> Sample:
    """A call whose outputs have no gradient."""
    return sample(op, *inputs, gradient=False, **fields)


STATES = {
    "sgd_update": (),
    "sgd_mom_update": (rand,),
    "nag_mom_update": (rand,),
    "signsgd_update": (),
    "signum_update": (rand,),
    "adam_update": (rand, positive),
    "ftml_update": (positive, positive, rand),
    "ftrl_update": (rand, positive),
    "rmsprop_update": (positive,),
    "rmspropalex_update": (positive, lambda *s, **k: rand(*s, low=-0.2, high=0.2, **k), rand),
    "lamb_update_phase1": (rand, positive),
}
REQUIRED = {"ftml_update": {"t": 3}, "lamb_update_phase1": {"t": 3, "wd": 0.1}}
RATE = {"lamb_update_phase1": {}}
CLIP = {"ftml_update": "clip_grad"}


def alone(
    op: str, shape: tuple[int, ...] = (2, 3), dtype: str = "float32", **fields: object
) -> Sample:
    """A call on one weight of a given shape."""
    attrs = {**RATE.get(op, {"lr": 0.1}), **REQUIRED.get(op, {}), **fields}
    if op == "nag_mom_update" and "wd" in fields and "raises" not in fields:
        attrs.update(oracle=False, why=IN_PLACE)
    states = [make(*shape, dtype=dtype) for make in STATES[op]]
    return update(op, rand(*shape, dtype=dtype), rand(*shape, dtype=dtype), *states, **attrs)


COMMON = [
    row
    for op in STATES
    for row in (
        alone(op),
        alone(op, wd=0.3),
        alone(op, rescale_grad=0.25),
        alone(op, rescale_grad=-2.0, wd=0.1),
        alone(op, **{CLIP.get(op, "clip_gradient"): 0.3}),
        alone(op, **{CLIP.get(op, "clip_gradient"): 0.3}, wd=0.5, rescale_grad=0.5),
        alone(op, **{CLIP.get(op, "clip_gradient"): 0}, wd=0.5),
        alone(op, **{CLIP.get(op, "clip_gradient"): -5}),
        alone(op, (5,), wd="0.1"),
        alone(op, (2, 1, 2, 2)),
        alone(op, (1,)),
        alone(op, (0, 3), oracle=False, why=EMPTY),
        alone(op, dtype="float64", wd=0.1),
        alone(op, dtype="float16", wd=0.1, **HALF),
        alone(op, dtype="int32", raises=True, oracle=False, why="the original raises when read"),
        alone(op, bogus=1, raises=True),
        alone(op, wd="much", raises=True),
        update(op, rand(2, 3), rand(3, 2), *(make(2, 3) for make in STATES[op]), raises=True,
               **RATE.get(op, {"lr": 0.1}), **REQUIRED.get(op, {})),
        update(op, rand(2, 3), rand(2, 3), *(make(2, 3) for make in STATES[op]), raises=True),
    )
]  # fmt: skip

OWN = [
    *(alone(op, momentum=0.9, wd=0.1) for op in ("sgd_mom_update", "nag_mom_update")),
    *(alone(op, momentum=0.9, lr=1) for op in ("sgd_mom_update", "nag_mom_update")),
    *(alone(op, momentum="0.5") for op in ("sgd_mom_update", "nag_mom_update")),
    alone("signum_update", momentum=0.9, wd_lh=0.2),
    alone("signum_update", momentum=0.5, wd_lh=0.2, wd=0.3),
    *(alone(op, lazy_update=False) for op in ("sgd_update", "sgd_mom_update", "adam_update")),
    alone("adam_update", beta1=0.5, beta2=0.6, epsilon=0.1),
    alone("adam_update", beta1=0, beta2=0),
    alone("ftml_update", t=1),
    alone("ftml_update", beta1=0.5, beta2=0.7, epsilon=0.1, t=10),
    alone("ftrl_update", lamda1=0.7, beta=0.3),
    alone("ftrl_update", lamda1=0, beta=0, wd=0.2),
    alone("rmsprop_update", gamma1=0.5, epsilon=0.1),
    alone("rmsprop_update", clip_weights=0.3),
    alone("rmsprop_update", clip_weights=0),
    alone("rmspropalex_update", gamma1=0.5, gamma2=0.3, epsilon=0.1),
    alone("rmspropalex_update", clip_weights=0.3),
    alone("lamb_update_phase1", beta1=0.5, beta2=0.6, epsilon=0.1, t=1),
    alone("lamb_update_phase1", bias_correction=False),
    alone("lamb_update_phase1", bias_correction="False", clip_gradient=0.2),
]


def mixed(op: str, *makers: object, dtype: str = "float16", **fields: object) -> Sample:
    """A call with a half precision weight and its states in single precision."""
    states = [make(2, 3) for make in makers]
    attrs = {"lr": 0.1, **fields}
    return update(op, rand(2, 3, dtype=dtype), rand(2, 3, dtype=dtype), *states, **attrs)


MIXED = [
    row
    for op, makers in (
        ("mp_sgd_update", (rand,)),
        ("mp_sgd_mom_update", (rand, rand)),
        ("mp_nag_mom_update", (rand, rand)),
    )
    for row in (
        mixed(op, *makers),
        mixed(op, *makers, wd=0.3, rescale_grad=0.5),
        mixed(op, *makers, clip_gradient=0.3, wd=0.5),
        mixed(op, *makers, dtype="float32", wd=0.5),
        mixed(op, *makers, lr="high", raises=True),
        update(
            op, *(rand(2, 3, dtype="float16") for _ in range(2 + len(makers))), lr=0.1, raises=True
        ),
        update(op, rand(2, 3), *(rand(3) for _ in range(1 + len(makers))), lr=0.1, raises=True),
    )
]
MIXED += [
    mixed("mp_sgd_mom_update", rand, rand, momentum=0.9, lazy_update=True),
    mixed("mp_nag_mom_update", rand, rand, momentum=0.9, wd=0.1),
]

SCALE = values([0.5])


def adamw(*, scale: Array = SCALE, dtype: str = "float32", **fields: object) -> list[Sample]:
    """The same call with and without a master copy."""
    attrs = {"lr": 0.1, "eta": 0.5, **fields}
    weight, grad = rand(2, 3, dtype=dtype), rand(2, 3, dtype=dtype)
    half = rand(2, 3, dtype="float16")
    plain = (weight, grad, rand(2, 3, dtype=dtype), positive(2, 3, dtype=dtype), scale)
    master = (half, half, rand(2, 3), positive(2, 3), rand(2, 3), scale)
    return [update("_adamw_update", *plain, **attrs), update("_mp_adamw_update", *master, **attrs)]


ADAMW = [
    *adamw(oracle=False, why=REWRITES),
    *adamw(clip_gradient=0.2, wd=0.1, oracle=False, why=REWRITES),
    *adamw(dtype="float64", oracle=False, why=REWRITES)[:1],
    *adamw(scale=values([0.0]), oracle=False, why=SKIPPED),
    *adamw(scale=values([float("nan")]), oracle=False, why=SKIPPED),
    *adamw(scale=values([float("inf")]), oracle=False, why=SKIPPED),
    *adamw(scale=values([0.5], dtype="float64"), raises=True),
    *adamw(eta="x", raises=True),
]

NORMS = (values([2.0]), values([4.0]))
LAYERWISE = [
    *(
        update("lamb_update_phase2", rand(2, 3), rand(2, 3), *NORMS, lr=0.1, **fields)
        for fields in (
            {},
            {"lower_bound": 3.0},
            {"upper_bound": 1.0},
            {"lower_bound": 0.5, "upper_bound": 1.5},
            {"lower_bound": 0, "upper_bound": 0},
        )
    ),
    *(
        update("lamb_update_phase2", rand(2, 3), rand(2, 3), values([a]), values([b]), lr=0.1)
        for a, b in ((0.0, 2.0), (2.0, 0.0))
    ),
    update("lamb_update_phase2", rand(2, 3), rand(2, 2), *NORMS, lr=0.1, raises=True),
    *(
        update(
            "mp_lamb_update_phase1",
            rand(2, 3, dtype="float16"),
            rand(2, 3, dtype="float16"),
            rand(2, 3),
            positive(2, 3),
            rand(2, 3),
            attrs={"t": 2},
            wd=0.1,
            **fields,
        )
        for fields in ({}, {"clip_gradient": 0.2}, {"bias_correction": False})
    ),
    *(
        update(
            "mp_lamb_update_phase2",
            rand(2, 3, dtype="float16"),
            rand(2, 3),
            *NORMS,
            rand(2, 3),
            lr=0.1,
            **fields,
        )
        for fields in ({}, {"lower_bound": 3.0}, {"upper_bound": 1.0})
    ),
    *(
        update(
            "multi_lars",
            values([0.1, 0.2, 0.3, 0.4]),
            values([4.0, 9.0, 0.0, 1.0]),
            values([1.0, 4.0, 1.0, 0.0]),
            values([0.0, 0.1, 0.1, 0.1]),
            **fields,
        )
        for fields in ({"eta": 0.1, "eps": 0.0}, {"eta": 0.1, "eps": 0.5, "rescale_grad": 0.25})
    ),
    update("multi_lars", *(rand(2) for _ in range(3)), rand(3), eta=1, eps=1, raises=True),
    update("multi_sum_sq", rand(2, 3), rand(4), num_arrays=2),
    update("multi_sum_sq", rand(2, 3), num_arrays=1),
    update(
        "multi_sum_sq",
        rand(2, 3, dtype="float16"),
        rand(2, dtype="float16"),
        num_arrays=2,
        rtol=1e-3,
    ),
    update("multi_sum_sq", rand(2, 3, dtype="float64"), num_arrays="1"),
    update("multi_sum_sq", rand(2, 3), rand(4), num_arrays=1, raises=True),
    update("multi_sum_sq", rand(2, 3), raises=True),
    update("reset_arrays", rand(2, 3), rand(4), num_arrays=2),
    update("reset_arrays", rand(2, 3, dtype="float64"), num_arrays=1),
    update("reset_arrays", rand(2, 3), num_arrays=2, raises=True),
]

GROUPED = [
    update("_contrib_group_adagrad_update", *arrays, lr=0.1, **fields)
    for arrays, fields in (
        ((rand(2, 3), rand(2, 3), positive(2, 1)), {"oracle": False, "why": NO_CPU}),
        (
            (rand(2, 3, 2), rand(2, 3, 2), positive(2, 1, 1)),
            {"oracle": False, "why": NO_CPU, "clip_gradient": 0.1},
        ),
        ((rand(2, 3), rand(2, 3), positive(3, 1)), {"raises": True}),
        ((rand(2), rand(2), positive(2)), {"raises": True}),
    )
]

FAMILIES = {
    "multi_sgd_update": ("float32", (), {"lrs": (0.1, 0.2), "wds": (0.0, 0.3)}, ()),
    "multi_sgd_mom_update": ("float32", (rand,), {"lrs": (0.1, 0.2), "wds": (0, 0.3)}, ()),
    "multi_mp_sgd_update": ("float16", (rand,), {"lrs": (0.1, 0.2), "wds": (0, 0.3)}, ()),
    "multi_mp_sgd_mom_update": (
        "float16",
        (rand, rand),
        {"lrs": (0.1, 0.2), "wds": (0.0, 0.3), "momentum": 0.9},
        (),
    ),
    "preloaded_multi_sgd_update": ("float32", (), {}, (values([0.1, 0.2]), values([0.0, 0.3]))),
    "preloaded_multi_sgd_mom_update": (
        "float32",
        (rand,),
        {"momentum": 0.9},
        (values([0.1, 0.2]), values([0.0, 0.3])),
    ),
    "preloaded_multi_mp_sgd_update": (
        "float16",
        (rand,),
        {},
        (values([0.1, 0.2]), values([0.0, 0.3])),
    ),
    "preloaded_multi_mp_sgd_mom_update": (
        "float16",
        (rand, rand),
        {"momentum": 0.9},
        (values([0.1, 0.2]), values([0.0, 0.3])),
    ),
    "_multi_adamw_update": (
        "float32",
        (rand, positive),
        {"lrs": (0.1, 0.2), "wds": (0.0, 0.3), "etas": (0.5, 1.0)},
        (SCALE,),
    ),
    "_multi_mp_adamw_update": (
        "float16",
        (rand, positive, rand),
        {"lrs": (0.1, 0.2), "wds": (0.0, 0.3), "etas": (0.5, 1.0)},
        (SCALE,),
    ),
    "_multi_lamb_update": (
        "float32",
        (rand, positive),
        {"learning_rates": (0.1, 0.2), "wds": (0.0, 0.3), "step_count": (1, 2)},
        (),
    ),
    "_multi_mp_lamb_update": (
        "float16",
        (rand, positive, rand),
        {"learning_rates": (0.1, 0.2), "wds": (0.0, 0.3), "step_count": (1, 2)},
        (),
    ),
}
"""Operators on several weights: dtype of the weight, its states, attributes, arrays at the end."""


def several(op: str, *, missing: int = 0, **fields: object) -> Sample:
    """A call on two weights, on request with arrays missing at the end."""
    dtype, makers, attrs, tail = FAMILIES[op]
    arrays = []
    for shape in ((2, 3), (4,)):
        arrays += [rand(*shape, dtype=dtype), rand(*shape, dtype=dtype)]
        arrays += [make(*shape) for make in makers]
    arrays += tail
    count = "num_tensors" if "lamb" in op else "num_weights"
    given = arrays[: len(arrays) - missing]
    return update(op, *given, **{**attrs, count: 2, **fields})


SEVERAL = [
    row
    for op in FAMILIES
    for row in (
        several(op, oracle=False, why=OUTPUTS),
        several(op, clip_gradient=0.2, oracle=False, why=OUTPUTS),
        several(op, missing=1, raises=True),
        several(op, bogus=1, raises=True),
    )
]

SAMPLES = [*COMMON, *OWN, *MIXED, *ADAMW, *LAYERWISE, *GROUPED, *SEVERAL]
