"""Softmax and its relatives."""

from .core import ints, rand, sample, values

HALF = {"rtol": 1e-2, "atol": 2e-3}
NAMES = ("softmax", "log_softmax", "softmin")
LARGE = values([[1000.0, 0.0, -1000.0], [80.0, 80.0, 81.0]])
LENGTHS = values([[2, 3, 1], [4, 1, 0]], "int32")

SAMPLES = [
    *(
        sample(name, rand(*shape, low=-2, high=2))
        for name in NAMES
        for shape in ((5,), (2, 3), (2, 3, 4), (2, 1, 3, 2))
    ),
    *(sample(name, rand(2, 3, 4), axis=axis) for name in NAMES for axis in (0, 1, -2, "2")),
    *(sample(name, rand(2, 3), temperature=t) for name in NAMES for t in (0.5, 10, None, "2.0")),
    *(sample(name, rand(2, 3), dtype="float64", atol=1e-4) for name in NAMES),
    *(sample(name, rand(2, 3), dtype="float16", numeric=False, **HALF) for name in NAMES),
    *(
        sample(name, rand(2, 3), dtype="float32", axis=0, temperature=2.0, numeric=False)
        for name in NAMES
    ),
    *(sample(name, rand(2, 3, dtype="float64"), axis=0) for name in NAMES),
    *(sample(name, rand(2, 3, dtype="float64"), dtype="float32", numeric=False) for name in NAMES),
    *(sample(name, rand(2, 3, dtype="float16"), **HALF) for name in NAMES),
    *(sample(name, rand(2, 3, dtype="float16"), dtype="float32", **HALF) for name in NAMES),
    *(sample(name, LARGE, numeric=False) for name in NAMES),
    *(sample(name, rand(2, 3), train=False, use_length=False) for name in NAMES),
    *(sample(name, rand(1, 1)) for name in NAMES),
    *(sample(name, rand(2, 3), axis=axis, raises=True) for name in NAMES for axis in (2, -3, "x")),
    *(sample(name, rand(2, 3), dtype="int32", raises=True) for name in NAMES),
    *(
        sample(name, ints(2, 3, dtype=dtype), raises=True)
        for name in NAMES
        for dtype in ("int32", "int64", "uint8", "int8")
    ),
    *(sample(name, rand(2, 3), use_length=True, raises=True) for name in NAMES),
    *(
        sample("softmax", rand(2, 3, 4), LENGTHS, use_length=True, **more)
        for more in ({}, {"temperature": 2.0}, {"axis": 2}, {"axis": -1, "dtype": "float64"})
    ),
    sample(
        "softmax",
        rand(2, 3, 4),
        values([[2, 3, 1, 1], [2, 1, 0, 2]], "int32"),
        use_length=True,
        axis=1,
    ),
    sample(
        "softmax",
        rand(2, 3, 4),
        values([[2, 3, 1, 1], [2, 1, 0, 2]], "int64"),
        use_length=True,
        axis=1,
    ),
    sample("softmax", rand(2, 2), values([2, 1], "int32"), use_length="True", axis=0),
    sample("softmax", rand(2, 3, 4, dtype="float64"), LENGTHS, use_length=True),
    sample("softmax", rand(2, 3, 4, dtype="float16"), LENGTHS, use_length=True, **HALF),
    sample("softmax", rand(2, 3, 4), values([2, 3, 1], "int32"), use_length=True, raises=True),
    sample("softmax", rand(2, 3, 4), values([[2, 3, 1], [4, 1, 0]]), use_length=True, raises=True),
    sample("SoftmaxActivation", rand(2, 3)),
    sample("SoftmaxActivation", rand(4, 1), mode="instance"),
    sample("SoftmaxActivation", rand(2, 3, 2), mode="channel"),
    sample("SoftmaxActivation", rand(1, 2, 2, 3), mode="channel"),
    sample(
        "SoftmaxActivation",
        rand(2, 3, 2),
        oracle=False,
        why="the original normalizes over the last axis alone, unlike its gradient",
    ),
    sample(
        "SoftmaxActivation",
        rand(2, 3, dtype="float64"),
        oracle=False,
        why="the original checks the type of the data wrongly",
    ),
    sample("SoftmaxActivation", rand(2, 3), mode="channel", raises=True),
    sample("SoftmaxActivation", rand(2, 3), mode="all", raises=True),
    sample("SoftmaxActivation", ints(2, 3), raises=True),
    # the original refuses a gradient for the labels, so the table cannot ask it for any
    *(
        sample("softmax_cross_entropy", rand(3, 4), values(label), gradient=False)
        for label in ([0, 1, 3], [0.7, 1.2, 2.9])
    ),
    sample(
        "softmax_cross_entropy",
        rand(3, 4),
        values([-1, 7, 2]),
        gradient=False,
        oracle=False,
        why="the original reads outside the array",
    ),
    sample(
        "softmax_cross_entropy",
        values([[0.0, 100.0], [100.0, 0.0]]),
        values([0, 0]),
        gradient=False,
    ),
    sample("softmax_cross_entropy", rand(1, 1), values([0]), gradient=False),
    sample(
        "softmax_cross_entropy",
        rand(3, 4, dtype="float64"),
        values([0, 1, 3], "float64"),
        gradient=False,
    ),
    sample(
        "softmax_cross_entropy",
        rand(3, 4, dtype="float16"),
        values([0, 1, 3], "float16"),
        gradient=False,
        **HALF,
    ),
    sample("softmax_cross_entropy", rand(3, 4), values([0, 1]), raises=True, gradient=False),
    sample(
        "softmax_cross_entropy", rand(3, 4), values([[0], [1], [2]]), raises=True, gradient=False
    ),
    sample("softmax_cross_entropy", rand(3, 4, 2), values([0, 1, 2]), raises=True, gradient=False),
]
