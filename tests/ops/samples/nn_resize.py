"""Resizing of images inside a network."""

from .core import Sample, rand, sample

IMAGE = rand(2, 3, 2, 3)
RESIZE = "_contrib_BilinearResize2D"


def up(
    *arrays: object, scale: object = 2, sample_type: str = "nearest", **fields: object
) -> Sample:
    """A call of UpSampling with the arguments that it requires."""
    return sample(
        "UpSampling", *arrays, scale=scale, sample_type=sample_type, num_args=len(arrays), **fields
    )


UPSAMPLING = [
    up(IMAGE),
    up(IMAGE, scale=3),
    up(IMAGE, scale="1"),
    up(IMAGE, train=False),
    sample("UpSampling", IMAGE, scale=2, sample_type="nearest"),
    up(IMAGE, rand(2, 2, 4, 6)),
    up(IMAGE, rand(2, 2, 4, 6), multi_input_mode="concat"),
    up(IMAGE, rand(2, 1, 2, 3), rand(2, 2, 4, 6)),
    up(IMAGE, rand(2, 3, 4, 6), multi_input_mode="sum"),
    up(IMAGE, rand(2, 3, 4, 6), rand(2, 3, 2, 3), multi_input_mode="sum", workspace=128),
    up(IMAGE, scale=2, num_filter=3),
    *(up(rand(1, 2, 2, 3, dtype=dtype), rtol=2e-3, atol=2e-3) for dtype in ("float64", "float16")),
    *(
        up(IMAGE, rand(3, 1, width, width), scale=scale, sample_type="bilinear", num_filter=3)
        for scale, width in ((1, 1), (2, 4), (3, 5), (4, 8))
    ),
    up(
        rand(1, 2, 2, 3, dtype="float64"),
        rand(2, 1, 4, 4, dtype="float64"),
        sample_type="bilinear",
        num_filter=2,
    ),
    up(
        rand(1, 2, 2, 3, dtype="float16"),
        rand(2, 1, 4, 4, dtype="float16"),
        oracle=False,
        sample_type="bilinear",
        num_filter=2,
        why="the original has no half-precision product on the CPU",
    ),
    up(IMAGE, rand(2, 2, 3, 6), raises=True),
    up(IMAGE, rand(2, 2, 4, 6), multi_input_mode="sum", raises=True),
    up(rand(2, 3, 4), raises=True),
    up(rand(1, 2, 3, 3, 3), raises=True),
    up(IMAGE, scale=0, raises=True),
    up(IMAGE, sample_type="bilinear", num_filter=3, raises=True),
    up(IMAGE, sample_type="cubic", raises=True),
    sample("UpSampling", IMAGE, scale=2, num_args=1, raises=True),
    sample("UpSampling", IMAGE, sample_type="nearest", num_args=1, raises=True),
]

PHOTO = rand(1, 2, 4, 5)

BILINEAR = [
    sample(RESIZE, PHOTO),
    *(
        sample(RESIZE, PHOTO, height=height, width=width, align_corners=align)
        for height, width in ((3, 7), (4, 5), (8, 10), (2, 1), (7, 9))
        for align in (True, False)
    ),
    sample(RESIZE, PHOTO, height="3", width="3", align_corners="False", mode="size", train=False),
    sample(RESIZE, PHOTO, scale_height=2, scale_width=1.5),
    sample(RESIZE, PHOTO, scale_height=0.5, scale_width=0.7, align_corners=False),
    sample(RESIZE, PHOTO, scale_height=2, scale_width=2, height=3, width=3),
    *(
        sample(RESIZE, rand(1, 1, height, width), mode=mode)
        for height, width in ((4, 5), (5, 6))
        for mode in ("to_even_down", "to_even_up", "to_odd_down", "to_odd_up")
    ),
    *(
        sample(RESIZE, rand(1, 1, 5, 4), mode="odd_scale", scale_height=scale, scale_width=scale)
        for scale in (0.5, 1.4, 2, 2.7)
    ),
    sample(RESIZE, PHOTO, rand(1, 1, 3, 3), mode="like"),
    sample(RESIZE, PHOTO, rand(2, 3, 6, 7), mode="like", align_corners=False),
    sample(RESIZE, PHOTO, rand(1, 1, 3, 3, dtype="float64"), mode="like", gradient=False),
    sample(RESIZE, rand(1, 2, 4, 5, dtype="float64"), height=6, width=3),
    sample(RESIZE, rand(1, 2, 4, 5, dtype="float16"), height=6, width=3, rtol=2e-3, atol=2e-3),
    sample(RESIZE, PHOTO, scale_height=2, width=3, raises=True),
    sample(RESIZE, PHOTO, mode="odd_scale", raises=True),
    sample(RESIZE, PHOTO, rand(1, 3, 3), mode="like", raises=True),
    sample(RESIZE, PHOTO, mode="like", raises=True),
    sample(RESIZE, rand(2, 3, 3), height=3, width=3, raises=True),
    sample(RESIZE, PHOTO, height=0, width=3, raises=True),
    sample(RESIZE, PHOTO, height=-1, width=3, raises=True),
    sample(RESIZE, PHOTO, height=3, width=3, mode="stretch", raises=True),
]

SAMPLES = UPSAMPLING + BILINEAR
