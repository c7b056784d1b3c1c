"""Images."""

from .core import ints, rand, sample, values

RANDOM_FACTOR = (
    "_image_random_brightness",
    "_image_random_contrast",
    "_image_random_saturation",
    "_image_random_hue",
)
FLIPS = ("_image_flip_left_right", "_image_flip_top_bottom")
RANDOM_FLIPS = ("_image_random_flip_left_right", "_image_random_flip_top_bottom")
BATCH = "the original takes no batches here"
GREY = "the original leaves the result of a grey image unset"
PASSED_ON = "the gradient of the original is that of the identity"


def picture(*shape, dtype="uint8"):
    """An image of any pixel values."""
    return ints(*shape, low=0, high=256, dtype=dtype)


def call(op, *inputs, **fields):
    """A sample of an operator for which the original's gradient is not what is derived here."""
    return sample(op, *inputs, gradient=False, **fields)


TO_TENSOR = [
    *[
        call("_image_to_tensor", picture(3, 5, 3, dtype=dtype))
        for dtype in ("uint8", "int32", "int64", "float16", "float32", "float64")
    ],
    call("_image_to_tensor", picture(2, 3, 4, 3)),
    call("_image_to_tensor", picture(3, 4, 1)),
    call("_image_to_tensor", picture(3, 4, 4)),
    call("_image_to_tensor", rand(2, 3, 4, 2)),
    call("_image_to_tensor", picture(4, 3), raises=True),
    call("_image_to_tensor", picture(1, 2, 3, 4, 5), raises=True),
]

NORMALIZE = [
    sample("_image_normalize", rand(3, 2, 4), mean=(0.1, 0.2, 0.3), std=(0.5, 0.25, 2.0)),
    sample("_image_normalize", rand(2, 3, 2, 4), mean=(0.1, 0.2, 0.3), std=(0.5, 0.25, 2.0)),
    sample("_image_normalize", rand(3, 2, 4), mean=0.1, std=0.5),
    sample("_image_normalize", rand(3, 2, 4), mean="(0.1, 0.2, 0.3)", std="0.5"),
    sample("_image_normalize", rand(1, 2, 4), mean=(0.1,), std=(0.5,)),
    sample("_image_normalize", rand(3, 2, 4), mean=(1, 2, 3), std=2),
    sample("_image_normalize", rand(3, 2, 4, dtype="float64"), mean=0.5, std=0.25),
    sample(
        "_image_normalize", rand(3, 2, 4, dtype="float16"), mean=0.5, std=0.25, atol=1e-2, rtol=1e-2
    ),
    call("_image_normalize", picture(3, 2, 4), mean=0.5, std=0.2),
    call("_image_normalize", ints(3, 2, 4, low=-99, high=99), mean=(1, 2, 3), std=(2, 3, 4)),
    call("_image_normalize", rand(3, 2, 4, low=1, high=2), mean=0.5, std=0),
    call("_image_normalize", rand(3, 2, 4), raises=True),
    call("_image_normalize", rand(3, 2, 4), mean=(1, 2), std=1, raises=True),
    call("_image_normalize", rand(3, 2, 4), mean=1, std=(1, 2), raises=True),
    call("_image_normalize", rand(3, 2, 4), mean=1, std=(), raises=True),
    call("_image_normalize", rand(4, 2, 3), mean=1, std=1, raises=True),
    call("_image_normalize", rand(2, 3), mean=1, std=1, raises=True),
]

CROP = [
    sample("_image_crop", rand(4, 5, 3), x=1, y=2, width=3, height=2),
    sample("_image_crop", rand(2, 4, 5, 3), x=0, y=1, width=4, height=3),
    sample("_image_crop", rand(4, 5, 1), x="1", y="2", width="3", height="2"),
    sample("_image_crop", rand(4, 5, 3, dtype="float64"), x=0, y=0, width=5, height=4),
    call("_image_crop", picture(4, 5, 3), x=4, y=3, width=1, height=1),
    call("_image_crop", picture(4, 5, 3, dtype="float16"), x=1, y=1, width=2, height=2),
    call("_image_crop", picture(4, 5, 3), x=1, y=1, width=5, height=2, raises=True),
    call("_image_crop", picture(4, 5, 3), x=1, y=1, width=2, height=4, raises=True),
    call("_image_crop", picture(4, 5, 3), x=1, y=1, width=0, height=2, raises=True),
    call("_image_crop", picture(4, 5, 3), x=1, y=1, width=2, height=-1, raises=True),
    call("_image_crop", picture(4, 5, 4), x=1, y=1, width=2, height=2, raises=True),
    call("_image_crop", picture(4, 5), x=1, y=1, width=2, height=2, raises=True),
    call("_image_crop", picture(4, 5, 3), x=1, y=1, width=2, raises=True),
    call(
        "_image_crop",
        picture(4, 5, 3),
        x=-1,
        y=0,
        width=2,
        height=2,
        raises=True,
        oracle=False,
        why="the original reads memory before the image",
    ),
]

FLIP = [
    *[call(op, picture(4, 6, 3, dtype=d)) for op in FLIPS for d in ("uint8", "int32", "float32")],
    *[call(op, picture(4, 6, 1, dtype="float16")) for op in FLIPS],
    *[sample(op, rand(3, 5, 3), oracle=False, why=PASSED_ON) for op in FLIPS],
    *[sample(op, rand(2, 3, 5, 3), oracle=False, why=BATCH) for op in FLIPS],
    *[call(op, picture(4, 6, 4), raises=True) for op in (*FLIPS, *RANDOM_FLIPS)],
    *[call(op, picture(4, 3), raises=True) for op in (*FLIPS, *RANDOM_FLIPS)],
    *[call(op, picture(4, 6, 3), random=True) for op in RANDOM_FLIPS],
    *[call(op, rand(4, 6, 1), random=True) for op in RANDOM_FLIPS],
    *[call(op, rand(2, 4, 6, 1), random=True, oracle=False, why=BATCH) for op in RANDOM_FLIPS],
]

RESIZE = [
    *[
        call("_image_resize", picture(6, 8, 3, dtype=dtype), size=size, interp=interp, **limit)
        for interp in range(5)
        for size in ((4, 3), (5, 9), (3, 4))
        for dtype, limit in (("uint8", {"atol": 1}), ("float32", {"atol": 2e-3}))
    ],
    call("_image_resize", picture(6, 8, 3), size=(5, 7), interp=5, atol=1),
    call("_image_resize", picture(6, 8, 3), size=5, atol=1),
    call("_image_resize", picture(6, 8, 3), size=5, keep_ratio=True, atol=1),
    call("_image_resize", picture(8, 6, 3), size=5, keep_ratio=True, atol=1),
    call("_image_resize", picture(7, 7, 3), size=5, keep_ratio=True, atol=1),
    call("_image_resize", picture(6, 8, 3), size=(3, 2), keep_ratio=True, atol=1),
    call("_image_resize", picture(6, 8, 3), size="(5, 4)", interp="2", atol=1),
    call("_image_resize", picture(6, 8, 3), size=(8, 6)),
    call("_image_resize", picture(6, 8, 1), size=(5, 4), atol=1),
    call("_image_resize", picture(6, 8, 4), size=(5, 4), atol=1),
    call("_image_resize", picture(2, 6, 8, 3), size=(5, 4), atol=1),
    call("_image_resize", picture(2, 6, 8, 3, dtype="float32"), size=1, atol=1e-3),
    call("_image_resize", rand(4, 6, 3, dtype="float64"), size=(9, 3)),
    sample(
        "_image_resize",
        rand(4, 6, 3),
        size=(5, 3),
        oracle=False,
        why="the original has no gradient",
    ),
    sample(
        "_image_resize",
        rand(4, 6, 3),
        size=(7, 3),
        interp=2,
        oracle=False,
        why="the original has no gradient",
    ),
    call(
        "_image_resize",
        rand(4, 6, 3, dtype="float16"),
        size=(5, 3),
        oracle=False,
        why="the original scales float16 on GPUs only",
    ),
    call("_image_resize", picture(6, 8, 3), raises=True),
    call("_image_resize", picture(6, 8, 3), size=None, raises=True),
    call("_image_resize", picture(6, 8, 3), size=0, raises=True),
    call("_image_resize", picture(6, 8, 3), size=(3, -1), raises=True),
    call("_image_resize", picture(6, 8, 3), size=(3, 2, 1), raises=True),
    call("_image_resize", picture(6, 8, 3), size=(3, 2), interp=9, raises=True),
    call("_image_resize", picture(6, 8, 3), size=(3, 2), interp=-1, raises=True),
    call("_image_resize", picture(6, 8), size=(3, 2), raises=True),
    call("_image_resize", picture(6, 8, 3, dtype="int32"), size=(3, 2), raises=True),
]

COLOUR = [
    *[
        call(
            op,
            picture(4, 5, 3, dtype=dtype),
            min_factor=factor,
            max_factor=factor,
            atol=1 if op.endswith("hue") and dtype in ("uint8", "int32") else tolerance,
        )
        for op in RANDOM_FACTOR
        for dtype, tolerance in (
            ("uint8", 1e-5),
            ("int32", 1e-5),
            ("float32", 2e-3),
            ("float64", 2e-3),
            ("float16", 0.5),
        )
        for factor in (0.0, 0.4, 1.3)
    ],
    *[
        call(op, values([[[9, 9, 9], [7, 7, 3]], [[3, 7, 7], [7, 3, 7]]]), **limits, atol=1e-3)
        for op in RANDOM_FACTOR
        for limits in ({"min_factor": 0.2, "max_factor": "0.2"},)
    ],
    *[
        call(op, picture(4, 5, 1), min_factor=1.5, max_factor=1.5)
        for op in RANDOM_FACTOR
        if not op.endswith("hue")
    ],
    *[
        call(
            op,
            picture(2, 4, 5, 1),
            min_factor=1,
            max_factor=2,
            random=True,
            oracle=False,
            why=BATCH,
        )
        for op in RANDOM_FACTOR
    ],
    *[
        sample(op, rand(2, 3, 3), min_factor=2, max_factor=2, oracle=False, why=PASSED_ON)
        for op in RANDOM_FACTOR
        if not op.endswith("hue")
    ],
    *[
        call(op, picture(4, 5, 3), min_factor=0.5, max_factor=2, random=True)
        for op in RANDOM_FACTOR
    ],
    *[call(op, picture(4, 5, 3), min_factor=2, max_factor=1, random=True) for op in RANDOM_FACTOR],
    *[call(op, picture(4, 5, 3), min_factor=-1, max_factor=1, raises=True) for op in RANDOM_FACTOR],
    *[call(op, picture(4, 5, 3), min_factor=1, raises=True) for op in RANDOM_FACTOR],
    *[call(op, picture(4, 5, 4), min_factor=1, max_factor=1, raises=True) for op in RANDOM_FACTOR],
    *[call(op, picture(4, 5), min_factor=1, max_factor=1, raises=True) for op in RANDOM_FACTOR],
]

JITTER = [
    call(
        "_image_random_color_jitter",
        picture(4, 5, 3, dtype=dtype),
        **dict.fromkeys(("brightness", "contrast", "saturation", "hue"), 0.3),
        random=True,
    )
    for dtype in ("uint8", "float32", "float16", "int32")
] + [
    call(
        "_image_random_color_jitter",
        picture(4, 5, 3),
        **dict.fromkeys(("brightness", "contrast", "saturation", "hue"), 0),
        oracle=False,
        why="the original leaves the result unset",
    ),
    call(
        "_image_random_color_jitter",
        picture(2, 4, 5, 3),
        **dict.fromkeys(("brightness", "contrast", "saturation", "hue"), 0.3),
        random=True,
        oracle=False,
        why=BATCH,
    ),
    call("_image_random_color_jitter", picture(4, 5, 3), brightness=1, raises=True),
]

LIGHTING = [
    *[
        call("_image_adjust_lighting", picture(4, 5, 3, dtype=dtype), alpha=alpha, atol=tolerance)
        for dtype, tolerance in (
            ("uint8", 1e-5),
            ("int32", 1e-5),
            ("float32", 1e-3),
            ("float64", 1e-3),
            ("float16", 0.3),
        )
        for alpha in ((0.1, 0.2, 0.3), (-1.0, 0.5, 2.0))
    ],
    call("_image_adjust_lighting", picture(4, 5, 3), alpha="(0.1, 0, 0.5)"),
    call("_image_adjust_lighting", picture(4, 5, 3), alpha=(1, 2, 3, 4)),
    sample("_image_adjust_lighting", rand(2, 3, 3), alpha=(1, 2, 3), numeric=False),
    call("_image_adjust_lighting", picture(4, 5, 1), alpha=(1, 2, 3), oracle=False, why=GREY),
    call("_image_adjust_lighting", picture(2, 4, 5, 3), alpha=(1, 2, 3), oracle=False, why=BATCH),
    call("_image_adjust_lighting", picture(4, 5, 3), alpha=(1, 2), raises=True),
    call("_image_adjust_lighting", picture(4, 5, 3), raises=True),
    call("_image_adjust_lighting", picture(4, 5, 2), alpha=(1, 2, 3), raises=True),
    *[
        call("_image_random_lighting", picture(4, 5, 3, dtype=dtype), random=True)
        for dtype in ("uint8", "float32")
    ],
    call("_image_random_lighting", picture(4, 5, 3), alpha_std=0),
    call("_image_random_lighting", picture(4, 5, 3), alpha_std=-1, random=True),
    call("_image_random_lighting", picture(2, 4, 5, 3), random=True, oracle=False, why=BATCH),
    call("_image_random_lighting", picture(5, 3), raises=True),
]

EDGES = {"top": 1, "bot": 2, "left": 3, "right": 4}
FAR_EDGES = {"top": 7, "bot": 8, "left": 9, "right": 6}

OPENCV = [
    *[call("_cvimresize", picture(6, 8, 3), w=5, h=7, interp=i, atol=1) for i in range(5)],
    call("_cvimresize", picture(6, 8, 3, dtype="float32"), w=5, h=7, atol=1e-3),
    call("_cvimresize", picture(6, 8, 1), w="5", h="7", atol=1),
    call("_cvimresize", picture(6, 8, 3), w=0, h=7, raises=True),
    call("_cvimresize", picture(6, 8, 3), w=5, raises=True),
    call("_cvimresize", picture(6, 8, 3), w=5, h=7, interp=9, raises=True),
    call("_cvimresize", picture(2, 6, 8, 3), w=5, h=7, raises=True),
    *[call("_cvcopyMakeBorder", picture(3, 4, 3), **EDGES, type=i) for i in range(5)],
    *[call("_cvcopyMakeBorder", picture(3, 4, 1), **FAR_EDGES, type=i) for i in range(1, 5)],
    call("_cvcopyMakeBorder", picture(3, 4, 3), **EDGES, value=7.7),
    call("_cvcopyMakeBorder", picture(3, 4, 3), **EDGES, value=300),
    call("_cvcopyMakeBorder", picture(3, 4, 3), **EDGES, values=(1, 2, 3)),
    call("_cvcopyMakeBorder", picture(3, 4, 3, dtype="float32"), **EDGES, value=-7.5),
    call("_cvcopyMakeBorder", picture(3, 4, 1, dtype="float64"), **EDGES, value=7.5),
    call("_cvcopyMakeBorder", picture(3, 4, 3), top=0, bot=0, left=0, right=0),
    call("_cvcopyMakeBorder", picture(1, 1, 3), **EDGES, type=4),
    call("_cvcopyMakeBorder", picture(3, 4, 3), **{**EDGES, "top": -1}, raises=True),
    call("_cvcopyMakeBorder", picture(3, 4, 3), **EDGES, type=5, raises=True),
    call("_cvcopyMakeBorder", picture(3, 4), **EDGES, raises=True),
    call("_cvcopyMakeBorder", picture(3, 4, 3), top=1, raises=True),
]

SAMPLES = [*TO_TENSOR, *NORMALIZE, *CROP, *FLIP, *RESIZE, *COLOUR, *JITTER, *LIGHTING, *OPENCV]
