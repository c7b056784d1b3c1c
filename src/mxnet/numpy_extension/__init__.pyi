"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from mxnet._state.np_scopes import is_np_array as is_np_array
from mxnet._state.np_scopes import is_np_default_dtype as is_np_default_dtype
from mxnet._state.np_scopes import is_np_shape as is_np_shape
from mxnet._state.np_scopes import np_array as np_array
from mxnet._state.np_scopes import np_default_dtype as np_default_dtype
from mxnet._state.np_scopes import np_shape as np_shape
from mxnet._state.np_scopes import reset_np as reset_np
from mxnet._state.np_scopes import set_np as set_np
from mxnet._state.np_scopes import set_np_default_dtype as set_np_default_dtype
from mxnet._state.np_scopes import use_np as use_np
from mxnet._state.np_scopes import use_np_array as use_np_array
from mxnet._state.np_scopes import use_np_shape as use_np_shape
from mxnet.base import check_call as check_call
from mxnet.base import classproperty as classproperty
from mxnet.base import with_metaclass as with_metaclass
from mxnet.context import Context as Context
from mxnet.context import Context as Device
from mxnet.context import cpu as cpu
from mxnet.context import cpu_pinned as cpu_pinned
from mxnet.context import current_context as current_context
from mxnet.context import current_context as current_device
from mxnet.context import get_cuda_compute_capability as get_cuda_compute_capability
from mxnet.context import gpu as gpu
from mxnet.context import gpu_memory_info as gpu_memory_info
from mxnet.context import num_gpus as num_gpus
from mxnet.ndarray._creation import to_dlpack_for_read as to_dlpack_for_read
from mxnet.ndarray._creation import to_dlpack_for_write as to_dlpack_for_write
from mxnet.ndarray._creation import waitall as waitall
from mxnet.numpy._ndarray import ndarray as ndarray
from mxnet.numpy_extension import image as image
from mxnet.numpy_extension import random as random
from mxnet.numpy_extension import utils as utils
from mxnet.numpy_extension.random import seed as seed
from mxnet.numpy_extension.utils import from_torch as from_torch
from mxnet.numpy_extension.utils import load as load
from mxnet.numpy_extension.utils import save as save
from mxnet.numpy_extension.utils import savez as savez
from typing import Any

def activation(
    data: ndarray,
    act_type: str,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Applies an activation function to each element."""

def arange_like(
    data: ndarray,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Any = '',
    axis: int | None = None,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Creates evenly spaced values in the type and shape of another array."""

def batch_dot(
    lhs: ndarray,
    rhs: ndarray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Multiplies batches of matrices."""

def batch_flatten(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Joins all axes but the first."""

def batch_norm(
    data: ndarray,
    gamma: ndarray,
    beta: ndarray,
    moving_mean: ndarray,
    moving_var: ndarray,
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
    out: ndarray | Sequence[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Normalizes each channel to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def cast(
    data: ndarray,
    dtype: Any,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Converts an array to another element type."""

def constraint_check(x: Any, msg: str) -> ndarray:
    """Returns true if all elements are true, and raises a `ValueError` otherwise."""

def convolution(
    data: ndarray,
    weight: ndarray,
    bias: ndarray | None = None,
    kernel: int | Sequence[int] = ...,
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    num_filter: int = ...,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: str | None = None,
    cudnn_off: bool = False,
    layout: str | None = None,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Slides filters over the spatial axes and gives their products with the data, plus the bias."""

def deconvolution(
    data: ndarray,
    weight: ndarray,
    bias: ndarray | None = None,
    kernel: int | Sequence[int] = ...,
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    adj: int | Sequence[int] = (),
    target_shape: int | Sequence[int] = (),
    num_filter: int = ...,
    num_group: int = 1,
    workspace: int = 512,
    no_bias: bool = True,
    cudnn_tune: str | None = None,
    cudnn_off: bool = False,
    layout: str | None = None,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Applies the transpose of a convolution: each input point adds a scaled filter to the output."""

def dropout(
    data: ndarray,
    p: float = 0.5,
    mode: str = 'training',
    axes: int | Sequence[int] = (),
    cudnn_off: bool | None = False,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Zeroes a random share of the elements in training and scales the others to keep the mean."""

def embedding(
    data: ndarray,
    weight: ndarray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Looks up a vector for each index."""

def erf(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Error function of each element."""

def erfinv(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Inverse of the error function."""

def fully_connected(
    data: ndarray,
    weight: ndarray,
    bias: ndarray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Computes the affine map ``data @ weight.T + bias``."""

def gamma(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Gamma function of each element."""

def gammaln(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Logarithm of the absolute value of the gamma function."""

def gather_nd(
    data: ndarray,
    indices: ndarray,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Picks elements or slices by their coordinates."""

def layer_norm(
    data: ndarray,
    gamma: ndarray,
    beta: ndarray,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Normalizes along one axis to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def leaky_relu(
    data: ndarray,
    gamma: ndarray | None = None,
    act_type: str = 'leaky',
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Applies a rectifier that lets some of the negative side through."""

def log_softmax(
    data: ndarray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Computes the logarithm of softmax, without the loss of precision of doing it in two steps."""

def multibox_detection(
    cls_prob: ndarray,
    loc_pred: ndarray,
    anchor: ndarray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Turns predictions for default boxes into detected objects."""

def multibox_prior(
    data: ndarray,
    sizes: float | Sequence[float] = (1.0,),
    ratios: float | Sequence[float] = (1.0,),
    clip: bool = False,
    steps: float | Sequence[float] = (-1.0, -1.0),
    offsets: float | Sequence[float] = (0.5, 0.5),
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Lists default boxes around every point of a feature map."""

def multibox_target(
    anchor: ndarray,
    label: ndarray,
    cls_pred: ndarray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    *,
    out: ndarray | Sequence[ndarray] | None = None,
    name: str | None = None,
) -> list[ndarray]:
    """Computes what default boxes should predict, for training."""

def nonzero(a: Any) -> ndarray:
    """Returns the indices of elements that are not zero, one row for each."""

def one_hot(
    indices: ndarray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = 'float32',
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Writes each index as a vector with one element switched on."""

def pick(
    data: ndarray,
    index: ndarray,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: str = 'clip',
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Picks one element along an axis for each position of the other axes."""

def pooling(
    data: ndarray,
    kernel: int | Sequence[int] = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
    output_size: int | Sequence[int | None] | None = None,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Reduces each window over one to three spatial axes to a number."""

def relu(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Returns each element, or zero if it is negative."""

def reshape(a: Any, newshape: Any, reverse: bool = False, order: str = 'C') -> ndarray:
    """Returns an array with another shape, which may copy, split and join axes."""

def reshape_like(
    lhs: ndarray,
    rhs: ndarray,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Reshapes an array like another one, or a range of its axes like a range of the other's."""

def rnn(
    data: ndarray,
    parameters: ndarray,
    state: ndarray,
    state_cell: ndarray | None = None,
    sequence_length: ndarray | None = None,
    state_size: int = ...,
    num_layers: int = ...,
    bidirectional: bool = False,
    mode: str = ...,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Runs a recurrent network of one or more layers over a batch of sequences."""

def roi_pooling(
    data: ndarray,
    rois: ndarray,
    pooled_size: int | Sequence[int],
    spatial_scale: float,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Takes the maximum in each cell of a grid over regions of a feature map."""

def sequence_mask(
    data: ndarray,
    sequence_length: ndarray | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Overwrites what lies beyond the end of each sequence."""

def shape_array(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Returns the shape of an array as an array of int64."""

def sigmoid(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Computes the logistic function `1 / (1 + exp(-x))` of each element."""

def slice(
    data: ndarray,
    begin: int | Sequence[int | None] | None,
    end: int | Sequence[int | None] | None,
    step: int | Sequence[int | None] | None = (),
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Takes a region of an array, as `data[begin:end:step, ...]` does."""

def smooth_l1(
    data: ndarray,
    scalar: float = 1.0,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Computes the smooth L1 loss of each element: a parabola near zero, straight elsewhere."""

def softmax(
    data: ndarray,
    length: ndarray | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Scales the exponentials along an axis to sum to one."""

def topk(
    data: ndarray,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = 'indices',
    is_ascend: bool = False,
    dtype: Any = 'float32',
    *,
    out: ndarray | Sequence[ndarray] | None = None,
    name: str | None = None,
) -> ndarray:
    """Finds the largest or smallest elements along an axis."""
