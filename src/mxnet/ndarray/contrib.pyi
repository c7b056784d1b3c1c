"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray

from mxnet.ndarray._contrib_updates import adamw_update as adamw_update
from mxnet.ndarray._contrib_updates import mp_adamw_update as mp_adamw_update
from mxnet.ndarray._contrib_updates import multi_adamw_update as multi_adamw_update
from mxnet.ndarray._contrib_updates import multi_lamb_update as multi_lamb_update
from mxnet.ndarray._contrib_updates import multi_mp_adamw_update as multi_mp_adamw_update
from mxnet.ndarray._contrib_updates import multi_mp_lamb_update as multi_mp_lamb_update

_WRITTEN_BY_HAND = ('adamw_update', 'mp_adamw_update', 'multi_adamw_update', 'multi_lamb_update', 'multi_mp_adamw_update', 'multi_mp_lamb_update')

def AdaptiveAvgPooling2D(
    data: NDArray,
    output_size: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages over a grid of windows that covers the image, so that the output has a given size."""

def BatchNormWithReLU(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Normalizes each channel as `BatchNorm` does and replaces negative results by 0."""

def BilinearResize2D(
    data: NDArray,
    like: NDArray | None = None,
    height: int = 1,
    width: int = 1,
    scale_height: float | None = None,
    scale_width: float | None = None,
    mode: str = 'size',
    align_corners: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Resizes images by linear interpolation between the four nearest points."""

def CTCLoss(
    data: NDArray,
    label: NDArray,
    data_lengths: NDArray | None = None,
    label_lengths: NDArray | None = None,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: str = 'first',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the negative log likelihood of label sequences under all their alignments."""

def DeformableConvolution(
    data: NDArray,
    offset: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: int | Sequence[int] = ...,
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    num_filter: int = ...,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    layout: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Convolves with a window each of whose points is moved by an offset."""

def ModulatedDeformableConvolution(
    data: NDArray,
    offset: NDArray,
    mask: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: int | Sequence[int] = ...,
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    num_filter: int = ...,
    num_group: int = 1,
    num_deformable_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    im2col_step: int = 64,
    layout: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Convolves with a window whose points are moved by offsets and weighted by a mask."""

def SparseEmbedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Looks up a vector for each index."""

def SyncBatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: float = 0.001,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    ndev: int = 1,
    key: str = ...,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> Any:
    """Normalizes each channel as `BatchNorm` does; the statistics are those of this device."""

def allclose(
    a: NDArray,
    b: NDArray,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether ``|a - b| <= atol + rtol * |b|`` for all elements of two arrays of one shape."""

def arange_like(
    data: NDArray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: str = '',
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates evenly spaced values in the type and shape of another array."""

def boolean_mask(
    data: NDArray,
    index: NDArray,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Keeps the rows whose entry in a mask is not zero."""

ctc_loss = CTCLoss

def div_sqrt_dim(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides an array by the square root of the size of its last axis."""

def group_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-05,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Gives the weight after a step of AdaGrad with one sum of squares for each row."""

def index_array(
    data: NDArray,
    axes: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Gives the coordinates of every element, along a new last axis."""

def index_copy(
    old_tensor: NDArray,
    index_vector: NDArray,
    new_tensor: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Gives an array with some rows replaced."""

def quadratic(
    data: NDArray,
    a: float = 0.0,
    b: float = 0.0,
    c: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``a * x ** 2 + b * x + c`` of each element."""
