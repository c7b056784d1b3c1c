"""Convolutions with learned offsets."""

from .core import Sample, rand, sample

CPU_HALF = "the original has no half-precision product on the CPU"
GPU_ONLY = "the original has the modulated convolution on the GPU only"
LAST_STRIDE = "the original ignores numbers beyond the second"


def deformable(
    shape: tuple[int, int, int, int],
    filters: int,
    kernel: tuple[int, int],
    out: tuple[int, int],
    *,
    modulated: bool = False,
    dtype: str = "float32",
    bias: bool = True,
    reach: float = 1.0,
    **fields: object,
) -> Sample:
    """A call whose inputs fit the data; offsets lie between -reach and reach."""
    groups = int(fields.get("num_group", 1))
    points = int(fields.get("num_deformable_group", 1)) * kernel[0] * kernel[1]
    arrays = [
        rand(*shape, dtype=dtype),
        rand(shape[0], 2 * points, *out, dtype=dtype, low=-reach, high=reach),
    ]
    if modulated:
        arrays.append(rand(shape[0], points, *out, dtype=dtype, low=0, high=2))
    arrays.append(rand(filters, shape[1] // groups, *kernel, dtype=dtype))
    if bias:
        arrays.append(rand(filters, dtype=dtype))
    else:
        fields["no_bias"] = True
    if modulated and not fields.get("raises"):
        fields.update(oracle=False, why=GPU_ONLY)
    name = "ModulatedDeformableConvolution" if modulated else "DeformableConvolution"
    return sample(f"_contrib_{name}", *arrays, kernel=kernel, num_filter=filters, **fields)


IMAGE = (2, 4, 5, 5)

ROWS = [
    row
    for modulated in (False, True)
    for row in (
        deformable(IMAGE, 3, (3, 3), (3, 3), modulated=modulated, reach=0.9),
        deformable(IMAGE, 3, (3, 3), (3, 3), modulated=modulated, bias=False),
        deformable(IMAGE, 3, (3, 3), (3, 3), modulated=modulated, train=False),
        deformable(IMAGE, 2, (3, 3), (5, 5), modulated=modulated, pad=(1, 1), reach=3),
        deformable(IMAGE, 2, (1, 1), (5, 5), modulated=modulated, reach=2),
        deformable(IMAGE, 2, (2, 3), (4, 3), modulated=modulated),
        deformable(IMAGE, 2, (3, 3), (3, 2), modulated=modulated, pad=(1, 0), stride=(2, 2)),
        deformable(IMAGE, 2, (2, 2), (3, 4), modulated=modulated, dilate=(2, 1)),
        deformable(IMAGE, 4, (2, 2), (4, 4), modulated=modulated, num_group=2),
        deformable(IMAGE, 4, (2, 2), (4, 4), modulated=modulated, num_deformable_group=2),
        deformable(
            IMAGE, 4, (2, 2), (4, 4), modulated=modulated, num_group=4, num_deformable_group=2
        ),
        deformable(IMAGE, 2, (2, 2), (4, 4), modulated=modulated, layout="NCHW", workspace=8),
        deformable(IMAGE, 2, (2, 2), (4, 4), modulated=modulated, dtype="float64"),
        deformable(IMAGE, 2, (2, 2), (4, 4), modulated=modulated, stride="(1, 1)", num_group="2"),
        deformable(
            IMAGE,
            2,
            (2, 2),
            (4, 4),
            modulated=modulated,
            dtype="float16",
            oracle=False,
            why=CPU_HALF,
            numeric=False,
        ),
        deformable(IMAGE, 2, (2, 2), (3, 4), modulated=modulated, raises=True),
        deformable(IMAGE, 3, (2, 2), (4, 4), modulated=modulated, num_group=3, raises=True),
        deformable(
            IMAGE,
            2,
            (2, 2),
            (4, 4),
            modulated=modulated,
            stride=(1, 1, 1),
            raises=True,
            oracle=False,
            why=LAST_STRIDE,
        ),
        sample(
            f"_contrib_{'Modulated' * modulated}DeformableConvolution",
            rand(*IMAGE),
            rand(2, 8, 4, 4),
            kernel=(2, 2),
            num_filter=2,
            raises=True,
        ),
    )
]

SAMPLES = [
    *ROWS,
    deformable(IMAGE, 2, (2, 2), (4, 4), modulated=True, im2col_step=1),
    # At whole positions the derivative is that of the right-hand side.
    deformable(IMAGE, 3, (3, 3), (3, 3), reach=0, numeric=False),
    deformable(IMAGE, 3, (3, 3), (5, 5), modulated=True, pad=(1, 1), reach=0, numeric=False),
]
