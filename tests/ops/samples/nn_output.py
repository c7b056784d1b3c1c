"""Output layers, which bring a gradient of their own."""

from .core import ints, rand, sample, values

HALF = {"rtol": 1e-2, "atol": 2e-3}
CLASSES = values([0, 3, 2])
SOME_IGNORED = values([0, -1, 2])
NORMALIZATIONS = ("null", "batch", "valid")
REGRESSIONS = ("LinearRegressionOutput", "MAERegressionOutput", "LogisticRegressionOutput")


def own(name, *inputs, **fields):
    """A sample whose gradient is not the slope of its output."""
    return sample(name, *inputs, numeric=False, **fields)


def softmax(*inputs, **fields):
    """A sample of SoftmaxOutput."""
    return own("SoftmaxOutput", *inputs, **fields)


SAMPLES = [
    softmax(rand(3, 4), CLASSES),
    softmax(rand(3, 4), CLASSES, train=False),
    softmax(rand(3, 4), CLASSES, grad_scale=0.5),
    softmax(rand(3, 4), CLASSES, grad_scale="2", normalization="batch"),
    *(
        softmax(rand(3, 4), SOME_IGNORED, normalization=how, use_ignore=use)
        for how in NORMALIZATIONS
        for use in (True, False)
    ),
    softmax(rand(3, 4), values([-1, -1, -1]), normalization="valid", use_ignore=True),
    softmax(rand(3, 4), CLASSES, use_ignore=True, ignore_label=3),
    softmax(
        rand(3, 4), CLASSES, use_ignore=True, ignore_label=3, normalization="valid", grad_scale=3
    ),
    softmax(rand(3, 4), CLASSES, smooth_alpha=0.1),
    softmax(rand(3, 4), SOME_IGNORED, smooth_alpha=0.2, use_ignore=True, normalization="valid"),
    softmax(rand(3, 4), SOME_IGNORED, smooth_alpha=0.2),
    softmax(rand(3, 1), values([0, 0, 0]), smooth_alpha=0.1),
    softmax(rand(3, 4), values([0, 7, 2])),
    softmax(rand(3, 4), values([0.6, 1.9, 2])),
    softmax(rand(3, 4, dtype="float64"), values([0, 3, 2], "float64")),
    softmax(rand(3, 4, dtype="float16"), values([0, 3, 2], "float16"), **HALF),
    *(
        softmax(
            rand(2, 3, 2),
            values([[0, 1, 0], [1, 0, -1]]),
            preserve_shape=True,
            normalization=how,
            use_ignore=use,
        )
        for how in NORMALIZATIONS
        for use in (True, False)
    ),
    softmax(
        rand(2, 2, 2, 3),
        values([[[0, 1], [2, 0]], [[1, 2], [0, 0]]]),
        preserve_shape=True,
        smooth_alpha=0.3,
    ),
    softmax(rand(3, 4), CLASSES, preserve_shape=True),
    softmax(rand(2, 3, 2), values([[0, 1, 0], [1, 0, 0]])),
    softmax(rand(2, 3, 2), values([[0, 1, 0], [5, 0, 0]]), normalization="batch"),
    softmax(
        rand(2, 3, 2), values([[0, -1, 0], [5, 0, -1]]), normalization="valid", use_ignore=True
    ),
    softmax(rand(2, 3, 2), values([[0, -1, 0], [-1, 0, -1]]), normalization="valid"),
    *(
        softmax(
            rand(2, 3, 4),
            ints(2, 4, low=-1, high=3, dtype="float32"),
            multi_output=True,
            normalization=how,
            use_ignore=use,
        )
        for how in NORMALIZATIONS
        for use in (True, False)
    ),
    softmax(rand(2, 3, 4), ints(2, 4, high=3, dtype="float32"), multi_output=True, grad_scale=3),
    softmax(
        rand(2, 3, 4), ints(2, 4, high=3, dtype="float32"), multi_output=True, smooth_alpha=0.2
    ),
    softmax(rand(2, 3, 2, 2), ints(2, 4, high=3, dtype="float32"), multi_output=True),
    softmax(rand(2, 3), values([[0], [2]]), multi_output=True),
    softmax(
        rand(3, 4),
        CLASSES,
        out_grad=True,
        oracle=False,
        why="the original multiplies by the output and not by the gradient that arrives",
    ),
    softmax(rand(3, 4), values([0, 1]), raises=True),
    softmax(rand(3, 4), values([[0], [1], [2]]), raises=True),
    softmax(rand(2, 3, 4), values([[0], [1]]), multi_output=True, raises=True),
    softmax(rand(2, 3, 2), rand(2, 3), multi_output=True, raises=True),
    softmax(rand(2, 3, 2, 4), rand(2, 1, 8), multi_output=True, raises=True),
    softmax(rand(2, 3, 2), values([0, 1]), raises=True),
    softmax(rand(3, 4), raises=True),
    softmax(rand(3, 4), CLASSES, normalization="mean", raises=True),
    softmax(ints(3, 4), values([0, 1, 2], "int32"), raises=True),
    *(
        own(name, rand(*shape), rand(*shape))
        for name in REGRESSIONS
        for shape in ((3, 4), (3,), (2, 3, 2))
    ),
    *(own(name, rand(3, 1), rand(3)) for name in REGRESSIONS),
    *(
        own(name, rand(3, 4), rand(3, 4), grad_scale=scale, train=train)
        for name in REGRESSIONS
        for scale, train in ((2, True), ("0.5", True), (1.0, False))
    ),
    *(own(name, values([1.0, 2.0, 3.0]), values([1.0, 3.0, 2.0])) for name in REGRESSIONS),
    *(own(name, rand(3, 4, dtype="float64"), rand(3, 4, dtype="float64")) for name in REGRESSIONS),
    *(
        own(name, rand(3, 4, dtype="float16"), rand(3, 4, dtype="float16"), **HALF)
        for name in REGRESSIONS
    ),
    *(
        own(name, rand(3, 4), rand(*shape), raises=True)
        for name in REGRESSIONS
        for shape in ((3,), (2, 4), (4, 3), (12,))
    ),
    *(own(name, ints(3, 4), ints(3, 4), raises=True) for name in REGRESSIONS),
    *(
        own(
            "SVMOutput",
            rand(3, 4, low=-2, high=2),
            CLASSES,
            use_linear=linear,
            margin=margin,
            regularization_coefficient=factor,
        )
        for linear in (False, True)
        for margin, factor in ((1.0, 1.0), (0.5, 1.0), (1.0, 0.3))
    ),
    own("SVMOutput", rand(3, 4), CLASSES),
    own("SVMOutput", rand(3, 4), values([0, -1, 7])),
    own("SVMOutput", values([[1.0, 0.0, -1.0]]), values([0])),
    own("SVMOutput", values([[1.0, 0.0, -1.0]]), values([0]), use_linear=True),
    own("SVMOutput", rand(2, 2, 3), values([[0, 1], [2, 0]])),
    own("SVMOutput", rand(3, 4, dtype="float64"), values([0, 3, 2], "float64"), train=False),
    own("SVMOutput", rand(3, 4, dtype="float16"), values([0, 3, 2], "float16"), **HALF),
    own("SVMOutput", rand(3, 4), values([[0], [1], [2]]), raises=True),
    own("SVMOutput", rand(3, 4), rand(3, 4), raises=True),
    *(
        own("MakeLoss", rand(*shape), normalization=how)
        for how in NORMALIZATIONS
        for shape in ((3, 4), (5,), (3, 2, 2))
    ),
    own("MakeLoss", rand(3, 4)),
    own("MakeLoss", rand(3, 4), grad_scale=0.3, train=False),
    own("MakeLoss", rand(3, 4), normalization="valid", valid_thresh="0.2", grad_scale=3),
    own("MakeLoss", rand(3, 4, low=-2, high=-1), normalization="valid"),
    own("MakeLoss", rand(3, 4, dtype="float64"), grad_scale=2),
    own("MakeLoss", rand(3, 4, dtype="float16"), normalization="valid", **HALF),
    own("MakeLoss", ints(3, 4), raises=True),
    own("MakeLoss", rand(3, 4), normalization="none", raises=True),
    *(
        own("make_loss", rand(*shape, dtype=dtype))
        for shape, dtype in (((3, 4), "float32"), ((5,), "float64"), ((2, 1, 2), "float16"))
    ),
    own("make_loss", ints(3, 4)),
    *(
        own("BlockGrad", rand(*shape, dtype=dtype))
        for shape, dtype in (((3, 4), "float32"), ((5,), "float64"), ((2, 1, 2), "float16"))
    ),
    own("BlockGrad", ints(3, 4)),
    own(
        "IdentityAttachKLSparseReg",
        rand(3, 4, low=0),
        rand(4, low=0),
        oracle=False,
        why="the original cannot be called on arrays: its function has no moving average",
    ),
]
