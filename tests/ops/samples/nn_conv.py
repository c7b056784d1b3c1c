"""Convolution and its transpose."""

from .core import Sample, rand, sample

CPU_HALF = "the original has no half-precision product on the CPU"
CPU_LAYOUT = "the original has layouts with the channels last on the GPU only"

DERIVED = "the original's single-precision library refuses the padding that target_shape implies"
DILATED = "the original ignores the dilation in double precision"


def conv(
    shape: tuple[int, ...],
    filters: int,
    kernel: tuple[int, ...],
    *,
    op: str = "Convolution",
    dtype: str = "float32",
    bias: bool = True,
    **fields: object,
) -> Sample:
    """A call whose weights fit the data."""
    groups, last = int(fields.get("num_group", 1)), str(fields.get("layout", "NC")).endswith("C")
    channels = shape[-1] if last and "layout" in fields else shape[1]
    outer, inner = (channels, filters) if op == "Deconvolution" else (filters, channels)
    last = last and "layout" in fields
    weight = (outer, *kernel, inner // groups) if last else (outer, inner // groups, *kernel)
    arrays = [rand(*shape, dtype=dtype), rand(*weight, dtype=dtype)]
    if bias:
        arrays.append(rand(filters, dtype=dtype))
    if bias == (op == "Deconvolution"):
        fields.setdefault("no_bias", not bias)
    return sample(op, *arrays, kernel=kernel, num_filter=filters, **fields)


def deconv(
    shape: tuple[int, ...],
    filters: int,
    kernel: tuple[int, ...],
    *,
    bias: bool = False,
    **fields: object,
) -> Sample:
    """A transposed convolution whose weights fit the data."""
    return conv(shape, filters, kernel, op="Deconvolution", bias=bias, **fields)


IMAGE = (1, 2, 5, 5)
DATA, WEIGHT, BIAS = rand(*IMAGE), rand(3, 2, 3, 3), rand(3)
TWO = {"kernel": (3, 3), "num_filter": 3}
UP = rand(2, 3, 3, 3)

CONVOLUTION = [
    conv(IMAGE, 3, (3, 3)),
    conv(IMAGE, 3, (3, 3), bias=False),
    conv(IMAGE, 3, (3, 3), train=False),
    conv(IMAGE, 3, (1, 1)),
    conv(IMAGE, 2, (2, 3)),
    conv(IMAGE, 3, (5, 5)),
    conv(IMAGE, 3, (3, 3), stride=(2, 1)),
    conv(IMAGE, 3, (3, 3), stride=(2, 2), pad=(1, 1)),
    conv(IMAGE, 3, (3, 3), pad=(2, 0)),
    conv(IMAGE, 3, (3, 3), pad=(4, 4)),
    conv(IMAGE, 3, (3, 3), dilate=(2, 2)),
    conv(IMAGE, 3, (3, 3), dilate=(2, 1), pad=(1, 2), stride=(1, 2)),
    conv(IMAGE, 3, (3, 3), stride=[2, 2], pad="(1, 1)", dilate="[1,1]"),
    conv(IMAGE, 3, (3, 3), stride=(), pad=(), dilate=()),
    conv(IMAGE, 3, (3, 3), layout="NCHW"),
    conv(IMAGE, 3, (3, 3), layout="None"),
    conv((1, 4, 5, 5), 6, (3, 3), num_group=2),
    conv((1, 4, 5, 5), 4, (3, 3), num_group=4, pad=(1, 1)),
    conv((1, 4, 5, 5), 8, (3, 3), num_group=4, bias=False, dtype="float64"),
    conv((1, 1, 3, 3), 1, (3, 3)),
    conv((2, 3, 7), 4, (3,)),
    conv((2, 3, 7), 4, (3,), stride=(2,), pad=(1,), layout="NCW"),
    conv((2, 3, 7), 4, (3,), stride=2, pad=1, dilate=2, bias=False),
    conv((2, 4, 7), 4, (2,), num_group=2, dtype="float64"),
    conv((1, 2, 4, 4, 5), 3, (2, 2, 3)),
    conv((1, 2, 4, 4, 5), 3, (2, 2, 3), stride=(2, 1, 2), pad=(1, 0, 1), layout="NCDHW"),
    conv((1, 2, 5, 4, 5), 2, (2, 2, 2), dilate=(2, 1, 2), num_group=2, bias=False),
    conv((1, 2, 3, 3, 3), 2, (2, 2, 2), dtype="float64"),
    conv(IMAGE, 3, (3, 3), dtype="float64"),
    conv(IMAGE, 3, (3, 3), workspace=0, cudnn_tune="off", cudnn_off=True),
    conv(IMAGE, 3, (3, 3), cudnn_tune="limited_workspace"),
    conv(IMAGE, 3, (3, 3), cudnn_tune="fastest", workspace="2048"),
    conv(IMAGE, 3, (3, 3), dtype="float16", oracle=False, why=CPU_HALF),
    conv((2, 5, 6, 3), 4, (3, 2), layout="NHWC", pad=(1, 0), oracle=False, why=CPU_LAYOUT),
    conv((2, 5, 6, 4), 4, (3, 2), layout="NHWC", num_group=2, oracle=False, why=CPU_LAYOUT),
    conv((1, 3, 4, 3, 2), 4, (2, 2, 2), layout="NDHWC", oracle=False, why=CPU_LAYOUT),
    sample("Convolution", DATA, WEIGHT, BIAS, kernel="(3,3)", num_filter="3", no_bias="False"),
    sample(
        "Convolution",
        rand(0, 2, 5, 4),
        WEIGHT,
        BIAS,
        **TWO,
        oracle=False,
        numeric=False,
        why="the original cannot take an empty batch without its NumPy shapes",
    ),
    sample("Convolution", DATA, WEIGHT, BIAS, kernel=3, num_filter=3, raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, stride=(2,), raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, pad=1, raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, stride=(0, 1), raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, dilate=(0, 1), raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, pad=(-1, 0), raises=True),
    sample("Convolution", DATA, rand(3, 2, 7, 7), BIAS, kernel=(7, 7), num_filter=3, raises=True),
    sample("Convolution", DATA, rand(3, 2, 3, 2), BIAS, **TWO, raises=True),
    sample("Convolution", DATA, WEIGHT, rand(5), **TWO, raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, kernel=(3, 3), num_filter=5, raises=True),
    sample("Convolution", rand(2, 5, 4), WEIGHT, BIAS, **TWO, raises=True),
    sample(
        "Convolution",
        rand(1, 3, 5, 4),
        rand(4, 1, 3, 3),
        BIAS,
        kernel=(3, 3),
        num_filter=4,
        num_group=2,
        raises=True,
    ),
    sample(
        "Convolution",
        rand(1, 4, 5, 5),
        rand(5, 2, 3, 3),
        rand(5),
        kernel=(3, 3),
        num_filter=5,
        num_group=2,
        raises=True,
    ),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, layout="NCW", raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, layout="NWC", raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, **TWO, cudnn_tune="bad", raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, num_filter=3, raises=True),
    sample("Convolution", DATA, WEIGHT, BIAS, kernel=(3, 3), raises=True),
    sample("Convolution", DATA, rand(3, 2, 0, 3), BIAS, kernel=(0, 3), num_filter=3, raises=True),
    sample(
        "Convolution",
        rand(1, 1, 4, 4, 4, 4),
        rand(1, 1, 2, 2, 2, 2),
        rand(1),
        kernel=(2, 2, 2, 2),
        num_filter=1,
        raises=True,
    ),
]

CONVOLUTION_V1 = [
    conv(IMAGE, 3, (3, 3), op="Convolution_v1"),
    conv(IMAGE, 3, (3, 3), op="Convolution_v1", bias=False, stride=(2, 2), pad=(1, 1)),
    conv((1, 4, 5, 5), 6, (3, 3), op="Convolution_v1", num_group=2, dilate=(2, 2)),
    conv(IMAGE, 3, (3, 3), op="Convolution_v1", dtype="float64", layout="NCHW"),
    conv(
        (1, 2, 4, 4, 5),
        3,
        (2, 2, 3),
        op="Convolution_v1",
        oracle=False,
        why="the original has three spatial axes here on the GPU only",
    ),
    sample("Convolution_v1", DATA, rand(3, 2, 3, 2), BIAS, **TWO, raises=True),
]

DECONVOLUTION = [
    deconv(IMAGE, 3, (3, 3)),
    deconv(IMAGE, 3, (3, 3), bias=True),
    deconv(IMAGE, 3, (3, 3), bias=True, dtype="float64"),
    deconv(IMAGE, 3, (3, 3), train=False),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2)),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2), pad=(1, 1)),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2), pad=(1, 1), adj=(1, 1)),
    deconv(IMAGE, 3, (3, 3), stride=(3, 2), pad=(1, 0), adj=(2, 0)),
    deconv(IMAGE, 3, (3, 3), pad=(2, 2)),
    deconv(IMAGE, 2, (2, 3), stride=(1, 2)),
    deconv(IMAGE, 3, (3, 3), dilate=(2, 2)),
    deconv(IMAGE, 3, (3, 3), dilate=(2, 1), stride=(2, 1), pad=(1, 1)),
    deconv(IMAGE, 3, (3, 3), dilate=(2, 2), dtype="float64", oracle=False, why=DILATED),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2), target_shape=(0, 0)),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2), target_shape=(11, 11)),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2), target_shape=(10, 9), dtype="float64"),
    deconv(IMAGE, 3, (3, 3), stride=(2, 2), target_shape=(9, 10), dtype="float64"),
    deconv(IMAGE, 2, (3, 3), stride=(2, 2), target_shape=(2, 3), dtype="float64"),
    deconv(
        IMAGE,
        2,
        (3, 3),
        stride=(2, 2),
        dilate=(2, 2),
        target_shape=(10, 9),
        oracle=False,
        why=DERIVED,
    ),
    deconv(
        IMAGE,
        2,
        (3, 3),
        stride=(2, 2),
        pad=(3, 3),
        adj=(1, 1),
        target_shape=(10, 9),
        dtype="float64",
    ),
    deconv(IMAGE, 2, (3, 3), stride=(2, 2), target_shape=(10, 9), oracle=False, why=DERIVED),
    deconv((1, 4, 5, 5), 6, (3, 3), num_group=2),
    deconv((2, 4, 3, 3), 4, (2, 2), num_group=4, stride=(2, 2), bias=True),
    deconv((2, 3, 4), 4, (3,), stride=(2,)),
    deconv((2, 3, 4), 4, (3,), stride=2, pad=1, adj=1, layout="NCW"),
    deconv((2, 3, 4), 2, (3,), stride=(2,), target_shape=(8,), dtype="float64"),
    deconv((1, 2, 3, 3, 2), 3, (2, 2, 3)),
    deconv((1, 2, 3, 3, 2), 2, (2, 2, 3), stride=(2, 2, 2), adj=(1, 0, 1), layout="NCDHW"),
    deconv(
        (1, 2, 3, 2, 2),
        2,
        (2, 2, 3),
        stride=(2, 2, 2),
        target_shape=(6, 4, 4),
        oracle=False,
        why=DERIVED,
    ),
    deconv(IMAGE, 3, (3, 3), workspace=0, cudnn_tune="off", cudnn_off=True),
    deconv(IMAGE, 3, (3, 3), layout="NCHW", no_bias="True"),
    deconv(IMAGE, 3, (3, 3), dtype="float16", oracle=False, why=CPU_HALF),
    deconv((2, 5, 6, 3), 4, (3, 2), layout="NHWC", bias=True, oracle=False, why=CPU_LAYOUT),
    deconv((1, 3, 4, 3, 2), 4, (2, 2, 2), layout="NDHWC", oracle=False, why=CPU_LAYOUT),
    sample("Deconvolution", DATA, UP, **TWO, stride=(2, 2), adj=(2, 2), raises=True),
    sample("Deconvolution", DATA, UP, **TWO, stride=(2, 2), adj=(1,), raises=True),
    sample("Deconvolution", DATA, UP, **TWO, stride=(2, 2), target_shape=(30, 30), raises=True),
    sample("Deconvolution", DATA, UP, **TWO, stride=(2, 2), target_shape=(10,), raises=True),
    sample("Deconvolution", DATA, UP, **TWO, target_shape=(6, 7), raises=True),
    sample("Deconvolution", DATA, rand(3, 2, 3, 3), **TWO, raises=True),
    sample("Deconvolution", DATA, UP, **TWO, num_group=2, raises=True),
    sample("Deconvolution", DATA, UP, **TWO, pad=(4, 4), raises=True),
    sample("Deconvolution", rand(2, 5, 4), UP, **TWO, raises=True),
    sample("Deconvolution", DATA, UP, kernel=(3, 3), raises=True),
]

SAMPLES = CONVOLUTION + CONVOLUTION_V1 + DECONVOLUTION
