"""Written by `make stubs`; do not edit."""

from collections.abc import Mapping, Sequence
from mxnet.symbol.numpy._symbol import _Symbol as _Symbol
from mxnet.symbol.numpy_extension import image as image
from mxnet.symbol.numpy_extension import random as random
from typing import Any

def activation(
    data: _Symbol | None = None,
    act_type: str = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Applies an activation function to each element."""

def arange_like(
    data: _Symbol | None = None,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Any = '',
    axis: int | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Creates evenly spaced values in the type and shape of another array."""

def batch_dot(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Multiplies batches of matrices."""

def batch_flatten(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Joins all axes but the first."""

def batch_norm(
    data: _Symbol | None = None,
    gamma: _Symbol | None = None,
    beta: _Symbol | None = None,
    moving_mean: _Symbol | None = None,
    moving_var: _Symbol | None = None,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Normalizes each channel to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def cast(
    data: _Symbol | None = None,
    dtype: Any = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Converts an array to another element type."""

def constraint_check(
    input: Any = None,
    msg: Any = 'Constraint violated.',
    *,
    name: Any = None,
    attr: Any = None,
    out: Any = None,
) -> _Symbol:
    """Returns true if all elements are true, and raises an error otherwise."""

def convolution(
    data: _Symbol | None = None,
    weight: _Symbol | None = None,
    bias: _Symbol | None = None,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Slides filters over the spatial axes and gives their products with the data, plus the bias."""

def deconvolution(
    data: _Symbol | None = None,
    weight: _Symbol | None = None,
    bias: _Symbol | None = None,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Applies the transpose of a convolution: each input point adds a scaled filter to the output."""

def dropout(
    data: _Symbol | None = None,
    p: float = 0.5,
    mode: str = 'training',
    axes: int | Sequence[int] = (),
    cudnn_off: bool | None = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Zeroes a random share of the elements in training and scales the others to keep the mean."""

def embedding(
    data: _Symbol | None = None,
    weight: _Symbol | None = None,
    input_dim: int = ...,
    output_dim: int = ...,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Looks up a vector for each index."""

def erf(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Error function of each element."""

def erfinv(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Inverse of the error function."""

def fully_connected(
    data: _Symbol | None = None,
    weight: _Symbol | None = None,
    bias: _Symbol | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Computes the affine map ``data @ weight.T + bias``."""

def gamma(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Gamma function of each element."""

def gammaln(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Logarithm of the absolute value of the gamma function."""

def gather_nd(
    data: _Symbol | None = None,
    indices: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Picks elements or slices by their coordinates."""

def layer_norm(
    data: _Symbol | None = None,
    gamma: _Symbol | None = None,
    beta: _Symbol | None = None,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Normalizes along one axis to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def leaky_relu(
    data: _Symbol | None = None,
    gamma: _Symbol | None = None,
    act_type: str = 'leaky',
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Applies a rectifier that lets some of the negative side through."""

def log_softmax(
    data: _Symbol | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Computes the logarithm of softmax, without the loss of precision of doing it in two steps."""

def multibox_detection(
    cls_prob: _Symbol | None = None,
    loc_pred: _Symbol | None = None,
    anchor: _Symbol | None = None,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Turns predictions for default boxes into detected objects."""

def multibox_prior(
    data: _Symbol | None = None,
    sizes: float | Sequence[float] = (1.0,),
    ratios: float | Sequence[float] = (1.0,),
    clip: bool = False,
    steps: float | Sequence[float] = (-1.0, -1.0),
    offsets: float | Sequence[float] = (0.5, 0.5),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Lists default boxes around every point of a feature map."""

def multibox_target(
    anchor: _Symbol | None = None,
    label: _Symbol | None = None,
    cls_pred: _Symbol | None = None,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Computes what default boxes should predict, for training."""

def nonzero(x: Any = None, *, name: Any = None, attr: Any = None, out: Any = None) -> _Symbol:
    """Returns the coordinates of the elements that are not zero, one row for each."""

def one_hot(
    indices: _Symbol | None = None,
    depth: int = ...,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Writes each index as a vector with one element switched on."""

def pick(
    data: _Symbol | None = None,
    index: _Symbol | None = None,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: str = 'clip',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Picks one element along an axis for each position of the other axes."""

def pooling(
    data: _Symbol | None = None,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Reduces each window over one to three spatial axes to a number."""

def relu(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns each element, or zero if it is negative."""

def reshape(
    a: Any = None,
    *,
    newshape: Any,
    reverse: Any = False,
    order: Any = 'C',
    name: Any = None,
    attr: Any = None,
    out: Any = None,
) -> _Symbol:
    """Returns the same elements in another shape, which may copy sizes of the old one."""

def reshape_like(
    lhs: _Symbol | None = None,
    rhs: _Symbol | None = None,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Reshapes an array like another one, or a range of its axes like a range of the other's."""

def rnn(
    data: _Symbol | None = None,
    parameters: _Symbol | None = None,
    state: _Symbol | None = None,
    state_cell: _Symbol | None = None,
    sequence_length: _Symbol | None = None,
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
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Runs a recurrent network of one or more layers over a batch of sequences."""

def roi_pooling(
    data: _Symbol | None = None,
    rois: _Symbol | None = None,
    pooled_size: int | Sequence[int] = ...,
    spatial_scale: float = ...,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Takes the maximum in each cell of a grid over regions of a feature map."""

def sequence_mask(
    data: _Symbol | None = None,
    sequence_length: _Symbol | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Overwrites what lies beyond the end of each sequence."""

def shape_array(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Returns the shape of an array as an array of int64."""

def sigmoid(
    data: _Symbol | None = None,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Computes the logistic function `1 / (1 + exp(-x))` of each element."""

def slice(
    data: _Symbol | None = None,
    begin: int | Sequence[int | None] | None = ...,
    end: int | Sequence[int | None] | None = ...,
    step: int | Sequence[int | None] | None = (),
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Takes a region of an array, as `data[begin:end:step, ...]` does."""

def smooth_l1(
    data: _Symbol | None = None,
    scalar: float = 1.0,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Computes the smooth L1 loss of each element: a parabola near zero, straight elsewhere."""

def softmax(
    data: _Symbol | None = None,
    length: _Symbol | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Scales the exponentials along an axis to sum to one."""

def topk(
    data: _Symbol | None = None,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = 'indices',
    is_ascend: bool = False,
    dtype: Any = 'float32',
    *,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
) -> _Symbol:
    """Finds the largest or smallest elements along an axis."""
