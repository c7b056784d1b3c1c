"""Activation functions chosen by name."""

from .core import ints, rand, sample, values

HALF = {"rtol": 1e-2, "atol": 2e-3}
KINKS = values([[-30.0, -2.0, -0.5, 0.0], [0.5, 2.0, 30.0, 100.0]])
FUNCTIONS = ("relu", "sigmoid", "softrelu", "softsign", "tanh")
LEAKY = ("leaky", "elu", "gelu")
SELU = "the original's gradient of selu is scaled twice"
RRELU = "the original's gradient of rrelu is the output instead of its slope"

SAMPLES = [
    *(
        sample("Activation", rand(*shape, low=-3, high=3), act_type=name)
        for name in FUNCTIONS
        for shape in ((5,), (2, 3), (2, 3, 1, 2))
    ),
    *(sample("Activation", KINKS, act_type=name, numeric=False) for name in FUNCTIONS),
    *(
        sample("Activation", rand(2, 3, dtype="float64", low=-3, high=3), act_type=name)
        for name in FUNCTIONS
    ),
    *(
        sample("Activation", rand(2, 3, dtype="float16", low=-3, high=3), act_type=name, **HALF)
        for name in FUNCTIONS
    ),
    *(
        sample("Activation", ints(2, 3, low=-2, dtype=dtype), act_type=name, raises=True)
        for name in FUNCTIONS
        for dtype in ("int32", "int8")
    ),
    sample("Activation", rand(2, 3), act_type="gelu", raises=True),
    sample("Activation", rand(2, 3), act_type=1, raises=True),
    sample("Activation", rand(2, 3), raises=True),
    sample("LeakyReLU", rand(2, 3)),
    sample("LeakyReLU", rand(5), slope=0.01),
    sample("LeakyReLU", rand(5), slope="0.5"),
    sample("LeakyReLU", rand(5), slope=-0.5),
    sample("LeakyReLU", rand(5), slope=0),
    *(
        sample("LeakyReLU", rand(*shape, low=-3, high=3), act_type=name, slope=0.3)
        for name in LEAKY
        for shape in ((5,), (2, 3, 1, 2))
    ),
    *(sample("LeakyReLU", KINKS, act_type=name, numeric=False) for name in LEAKY),
    *(
        sample("LeakyReLU", rand(2, 3, low=-3, high=3), act_type=name, train=False)
        for name in LEAKY
    ),
    *(
        sample("LeakyReLU", rand(2, 3, dtype="float64", low=-3, high=3), act_type=name)
        for name in LEAKY
    ),
    *(
        sample("LeakyReLU", rand(2, 3, dtype="float16", low=-3, high=3), act_type=name, **HALF)
        for name in LEAKY
    ),
    *(
        sample("LeakyReLU", array, act_type="selu", gradient=False, **more)
        for array, more in (
            (rand(5, low=-3, high=3), {}),
            (KINKS, {"train": False}),
            (rand(2, 3, dtype="float64"), {"slope": 0.3}),
            (rand(2, 3, dtype="float16"), HALF),
        )
    ),
    sample("LeakyReLU", rand(2, 3, 2, low=-3, high=3), act_type="selu", oracle=False, why=SELU),
    *(
        sample("LeakyReLU", rand(*shape), rand(3), act_type="prelu")
        for shape in ((4, 3), (2, 3, 4), (2, 3, 2, 2), (3, 3))
    ),
    sample("LeakyReLU", rand(4, 1, 2), rand(1), act_type="prelu"),
    sample("LeakyReLU", rand(4), rand(1), act_type="prelu"),
    sample(
        "LeakyReLU",
        values([[-1.0, 0.0, 1.0], [0.0, 2.0, -2.0]]),
        rand(3),
        act_type="prelu",
        numeric=False,
    ),
    sample("LeakyReLU", rand(4, 3), rand(3), act_type="prelu", train=False),
    sample("LeakyReLU", rand(4, 3, dtype="float64"), rand(3, dtype="float64"), act_type="prelu"),
    sample(
        "LeakyReLU", rand(4, 3, dtype="float16"), rand(3, dtype="float16"), act_type="prelu", **HALF
    ),
    sample("LeakyReLU", rand(4, 3), rand(5), act_type="prelu", raises=True),
    sample("LeakyReLU", rand(2, 3, 2), rand(3, 2), act_type="prelu", raises=True),
    sample("LeakyReLU", rand(2, 3, 2), rand(1, 3, 1), act_type="prelu", raises=True),
    sample("LeakyReLU", rand(4, 3), act_type="prelu", raises=True),
    sample("LeakyReLU", rand(2, 3), act_type="rrelu", train=False, gradient=False),
    sample(
        "LeakyReLU",
        rand(2, 3),
        act_type="rrelu",
        lower_bound=0.3,
        upper_bound="0.5",
        train=False,
        gradient=False,
    ),
    sample("LeakyReLU", rand(4, dtype="float64"), act_type="rrelu", train=False, gradient=False),
    sample("LeakyReLU", rand(2, 3, 2), act_type="rrelu", train=False, oracle=False, why=RRELU),
    sample(
        "LeakyReLU",
        rand(4, 3),
        act_type="rrelu",
        random=True,
        oracle=False,
        why="the original dies of a segmentation fault",
    ),
    sample("LeakyReLU", ints(2, 3, low=-2), raises=True),
    sample("LeakyReLU", rand(2, 3), act_type="relu", raises=True),
    sample("LeakyReLU", rand(2, 3), slope="steep", raises=True),
]
