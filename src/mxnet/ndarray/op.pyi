"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray._ndarray import NDArray


def Activation(
    data: NDArray,
    act_type: str,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies an activation function to each element."""

def BatchNorm(
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
) -> NDArray:
    """Normalizes each channel to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def BatchNorm_v1(
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
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Normalizes each channel as `BatchNorm` does, with the channels along axis 1."""

def BilinearSampler(
    data: NDArray,
    grid: NDArray,
    cudnn_off: bool | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Samples images at the points of a grid by interpolation; outside they are 0."""

def BlockGrad(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Passes the data on and stops the gradient."""

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

def Cast(
    data: NDArray,
    dtype: Any,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts an array to another element type."""

def Concat(
    *data: NDArray,
    num_args: int = ...,
    dim: int = 1,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays along an axis; their other axes have equal sizes."""

def Convolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Slides filters over the spatial axes and gives their products with the data, plus the bias."""

def Convolution_v1(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes `Convolution` over two or three spatial axes, under its name in old files."""

def Correlation(
    data1: NDArray,
    data2: NDArray,
    kernel_size: int = 1,
    max_displacement: int = 1,
    stride1: int = 1,
    stride2: int = 1,
    pad_size: int = 0,
    is_multiply: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Compares patches of two feature maps at all displacements up to a largest one (FlowNet)."""

def Crop(
    *data: NDArray,
    num_args: int = ...,
    offset: int | Sequence[int] = (0, 0),
    h_w: int | Sequence[int] = (0, 0),
    center_crop: bool = False,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Cuts a rectangle out of images."""

def Custom(
    *data: NDArray,
    num_args: int = ...,
    op_type: str = ...,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """Runs an operator written in Python and registered by `mx.operator.register`."""

def Deconvolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies the transpose of a convolution: each input point adds a scaled filter to the output."""

def Dropout(
    data: NDArray,
    p: float = 0.5,
    mode: str = 'training',
    axes: int | Sequence[int] = (),
    cudnn_off: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Zeroes a random share of the elements in training and scales the others to keep the mean."""

def ElementWiseSum(
    *args: NDArray,
    num_args: int = ...,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds any number of arrays of one shape."""

def Embedding(
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

def Flatten(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Joins all axes but the first."""

def FullyConnected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the affine map ``data @ weight.T + bias``."""

def GridGenerator(
    data: NDArray,
    transform_type: str,
    target_shape: int | Sequence[int] = (0, 0),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes where to sample an image, for `BilinearSampler`."""

def GroupNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    num_groups: int = 1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Normalizes groups of channels of each sample, then scales and shifts each group."""

def IdentityAttachKLSparseReg(
    data: NDArray,
    moving_avg: NDArray,
    sparseness_target: float = 0.1,
    penalty: float = 0.001,
    momentum: float = 0.9,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Passes activations on and adds to the gradient a penalty that keeps them sparse."""

def InstanceNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    eps: float = 0.001,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Normalizes each channel of each sample, then scales by gamma and shifts by beta."""

def L2Normalization(
    data: NDArray,
    eps: float = 1e-10,
    mode: str = 'instance',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides by the Euclidean norm, ``data / sqrt(sum(data ** 2) + eps)``."""

def LRN(
    data: NDArray,
    alpha: float = 0.0001,
    beta: float = 0.75,
    knorm: float = 2.0,
    nsize: int = ...,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides by a power of the mean square over neighbouring channels."""

def LayerNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    axis: int = -1,
    eps: float = 1e-05,
    output_mean_var: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Normalizes along one axis to mean 0 and variance 1, then scales by gamma and shifts by beta."""

def LeakyReLU(
    data: NDArray,
    gamma: NDArray | None = None,
    act_type: str = 'leaky',
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies a rectifier that lets some of the negative side through."""

def LinearRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Passes predictions on, with the slope of half the squared error."""

def LogisticRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies the logistic function, with the slope of the cross entropy."""

def MAERegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Passes predictions on, with the slope of the absolute error."""

def MakeLoss(
    data: NDArray,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: str = 'null',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes any expression a loss: the backward pass starts here, with a constant slope."""

def Pad(
    data: NDArray,
    mode: str,
    pad_width: int | Sequence[int],
    constant_value: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Puts a border around the spatial axes."""

def Pooling(
    data: NDArray,
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
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reduces each window over one to three spatial axes to a number."""

def Pooling_v1(
    data: NDArray,
    kernel: int | Sequence[int] = (),
    pool_type: str = 'max',
    global_pool: bool = False,
    pooling_convention: str = 'valid',
    stride: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Pools as the first versions did: padded zeros count, and equal maxima all get the gradient."""

def RNN(
    data: NDArray,
    parameters: NDArray,
    state: NDArray,
    state_cell: NDArray | None = None,
    sequence_length: NDArray | None = None,
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
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Runs a recurrent network of one or more layers over a batch of sequences."""

def ROIPooling(
    data: NDArray,
    rois: NDArray,
    pooled_size: int | Sequence[int],
    spatial_scale: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes the maximum in each cell of a grid over regions of a feature map."""

def Reshape(
    data: NDArray,
    shape: int | Sequence[int] = (),
    reverse: bool = False,
    target_shape: int | Sequence[int] = (),
    keep_highest: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the same elements in another shape."""

def SVMOutput(
    data: NDArray,
    label: NDArray,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Passes scores on, with the slope of the hinge loss of a support vector machine."""

def SequenceLast(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes the last element of each sequence."""

def SequenceMask(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Overwrites what lies beyond the end of each sequence."""

def SequenceReverse(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reverses each sequence and leaves the padding behind it in place."""

def SliceChannel(
    data: NDArray,
    num_outputs: int,
    axis: int = 1,
    squeeze_axis: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Splits an array into equal parts along an axis."""

def Softmax(
    data: NDArray,
    label: NDArray,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: str = 'null',
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes softmax, with the slope of the cross entropy against the labels."""

def SoftmaxActivation(
    data: NDArray,
    mode: str = 'instance',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Applies softmax within each sample; `softmax` and `SoftmaxOutput` have replaced it."""

SoftmaxOutput = Softmax

def SpatialTransformer(
    data: NDArray,
    loc: NDArray,
    target_shape: int | Sequence[int] = (0, 0),
    transform_type: str = ...,
    sampler_type: str = ...,
    cudnn_off: bool | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves, turns and scales images as matrices say that a network computes."""

def SwapAxis(
    data: NDArray,
    dim1: int = 0,
    dim2: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Exchanges two axes."""

def UpSampling(
    *data: NDArray,
    num_args: int = ...,
    scale: int = ...,
    num_filter: int = 0,
    sample_type: str = ...,
    multi_input_mode: str = 'concat',
    workspace: int = 512,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Enlarges images by a whole factor."""

def abs(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Absolute value of each element."""

def adam_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of Adam without correction for the number of steps."""

add_n = ElementWiseSum

def all_finite(
    data: NDArray,
    init_output: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether all elements are finite; the result, of shape `(1,)`, is one if so."""

def amp_cast(
    data: NDArray,
    dtype: Any,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts an array of float32 or of a narrower float; leaves every other type as it is."""

def amp_multicast(
    *data: NDArray,
    num_args: int = ...,
    num_outputs: int = ...,
    cast_narrow: bool = False,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Converts arrays of float32 and narrower floats to one type; leaves other types as they are."""

def arccos(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse cosine, between 0 and pi."""

def arccosh(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic cosine."""

def arcsin(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse sine, between -pi/2 and pi/2."""

def arcsinh(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic sine."""

def arctan(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse tangent, between -pi/2 and pi/2."""

def arctanh(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse hyperbolic tangent."""

def argmax(
    data: NDArray,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the index of the largest element along an axis."""

def argmax_channel(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the index of the largest element along axis 1."""

def argmin(
    data: NDArray,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the index of the smallest element along an axis."""

def argsort(
    data: NDArray,
    axis: int | None = -1,
    is_ascend: bool = True,
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the indices that sort along an axis; equal elements keep their order."""

def batch_dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies batches of matrices."""

def batch_take(
    a: NDArray,
    indices: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks one element of each row, ``out[i] = a[i, indices[i]]``."""

def broadcast_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds two arrays, broadcasting them."""

def broadcast_axes(
    data: NDArray,
    axis: int | Sequence[int] = (),
    size: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats an array along given axes of size one."""

broadcast_axis = broadcast_axes

def broadcast_div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides the first array by the second, broadcasting them; integers round towards zero."""

def broadcast_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element equals its counterpart in the other array, broadcasting the arrays."""

def broadcast_greater(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is greater than its counterpart in the other array, broadcasting the arrays."""

def broadcast_greater_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at least its counterpart in the other array, broadcasting the arrays."""

def broadcast_hypot(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the hypotenuse of a right triangle from its legs, broadcasting the arrays."""

def broadcast_lesser(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is less than its counterpart in the other array, broadcasting the arrays."""

def broadcast_lesser_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element is at most its counterpart in the other array, broadcasting the arrays."""

def broadcast_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_axes: int | Sequence[int | None] | None = None,
    rhs_axes: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats an array along its axes of size one until it has the shape of another."""

def broadcast_logical_and(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether both an element and its counterpart in the other array are other than zero, broadcasting the arrays."""

def broadcast_logical_or(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element or its counterpart in the other array is other than zero, broadcasting the arrays."""

def broadcast_logical_xor(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether just one of an element and its counterpart in the other array is other than zero, broadcasting the arrays."""

def broadcast_maximum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the larger of two elements, broadcasting arrays."""

def broadcast_minimum(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the smaller of two elements, broadcasting arrays."""

def broadcast_minus(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts the second array from the first, broadcasting them."""

def broadcast_mod(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the remainder of a division, with the divisor's sign, broadcasting the arrays."""

def broadcast_mul(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays, broadcasting them."""

def broadcast_not_equal(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether an element differs from its counterpart in the other array, broadcasting the arrays."""

broadcast_plus = broadcast_add

def broadcast_power(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Raises the first array to the powers in the second, broadcasting them."""

broadcast_sub = broadcast_minus

def broadcast_to(
    data: NDArray,
    shape: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats an array along its axes of size one."""

cast = Cast

def cbrt(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Cube root of each element."""

def ceil(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element up."""

def choose_element_0index(
    data: NDArray,
    index: NDArray,
    axis: int | None = -1,
    keepdims: bool = False,
    mode: str = 'clip',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks one element along an axis for each position of the other axes."""

def clip(
    data: NDArray,
    a_min: float,
    a_max: float,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Limits each element to the interval from `a_min` to `a_max`."""

def col2im(
    data: NDArray,
    output_size: int | Sequence[int],
    kernel: int | Sequence[int],
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds columns up at the places from which `im2col` gathers them."""

concat = Concat

def cos(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Cosine of each element, in radians."""

def cosh(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic cosine of each element."""

def crop(
    data: NDArray,
    begin: int | Sequence[int | None] | None,
    end: int | Sequence[int | None] | None,
    step: int | Sequence[int | None] | None = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes a region of an array, as `data[begin:end:step, ...]` does."""

ctc_loss = CTCLoss

def cumsum(
    a: NDArray,
    axis: int | None = None,
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums elements cumulatively along an axis."""

def degrees(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Converts radians to degrees."""

def depth_to_space(
    data: NDArray,
    block_size: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves channels into square blocks of pixels."""

def diag(
    data: NDArray,
    k: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes the diagonal of an array, or builds the matrix that has a vector on its diagonal."""

def digamma(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Slope of the logarithm of the gamma function."""

def dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays over the last axis of the first and the first axis of the second."""

def elemwise_add(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds two arrays of one shape."""

def elemwise_div(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Divides the first array by the second, of the same shape; integers round towards zero."""

def elemwise_mul(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies two arrays of one shape."""

def elemwise_sub(
    lhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Subtracts the second array from the first, of the same shape."""

def erf(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Error function of each element."""

def erfinv(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverse of the error function."""

def exp(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Exponential of each element."""

def expand_dims(
    data: NDArray,
    axis: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Inserts an axis of size one."""

def expm1(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Exponential minus one, precise for small elements."""

def fill_element_0index(
    lhs: NDArray,
    mhs: NDArray,
    rhs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns a matrix with one element of each row replaced, ``out[i, rhs[i]] = mhs[i]``."""

def fix(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element towards zero, as `trunc` does."""

flatten = Flatten

def flip(
    data: NDArray,
    axis: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reverses the order of the elements along axes."""

def floor(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element down."""

def ftml_update(
    weight: NDArray,
    grad: NDArray,
    d: NDArray,
    v: NDArray,
    z: NDArray,
    lr: float,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    t: int = ...,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step that follows the moving leader."""

def ftrl_update(
    weight: NDArray,
    grad: NDArray,
    z: NDArray,
    n: NDArray,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step that follows the regularized leader."""

def gamma(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gamma function of each element."""

def gammaln(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm of the absolute value of the gamma function."""

def gather_nd(
    data: NDArray,
    indices: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks elements or slices by their coordinates."""

def hard_sigmoid(
    data: NDArray,
    alpha: float = 0.2,
    beta: float = 0.5,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the piecewise linear sigmoid ``min(max(alpha * data + beta, 0), 1)``."""

def identity(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Copies an array."""

def im2col(
    data: NDArray,
    kernel: int | Sequence[int],
    stride: int | Sequence[int] = (),
    dilate: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Gathers the windows of a convolution into columns."""

def khatri_rao(
    *args: NDArray,
    num_args: int = ...,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the Khatri-Rao product: the Kronecker product column by column."""

def lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: int = ...,
    bias_correction: bool = True,
    wd: float = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the direction of LAMB's step, whose length `lamb_update_phase2` sets."""

def lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after LAMB's step."""

def linalg_det(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Computes the determinant of each matrix."""

def linalg_extractdiag(
    A: NDArray,
    offset: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns a diagonal of each matrix."""

def linalg_extracttrian(
    A: NDArray,
    offset: int = 0,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Packs a triangle of each matrix into a vector."""

def linalg_gelqf(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Factorizes each matrix into ``L @ Q`` and gives `Q` and `L`."""

def linalg_gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    axis: int = -2,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``alpha * A @ B + beta * C`` for each triple of matrices."""

def linalg_gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: bool = False,
    transpose_b: bool = False,
    alpha: float = 1.0,
    axis: int = -2,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``alpha * A @ B`` for each pair of matrices."""

def linalg_inverse(A: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inverts each matrix."""

def linalg_makediag(
    A: NDArray,
    offset: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes square matrices that are zero but for one diagonal."""

def linalg_maketrian(
    A: NDArray,
    offset: int = 0,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Makes square matrices that are zero but for a triangle, from the packed triangles."""

def linalg_potrf(
    A: NDArray,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the Cholesky factor of each matrix, `L` with ``A = L @ L.T``."""

def linalg_potri(
    A: NDArray,
    lower: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the inverse of a matrix from its Cholesky factor: of ``A @ A.T``."""

def linalg_slogdet(
    A: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes sign and logarithm of the magnitude of each matrix's determinant."""

def linalg_sumlogdiag(
    A: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums the logarithms of the diagonal of each matrix."""

def linalg_syrk(
    A: NDArray,
    transpose: bool = False,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes ``alpha * A @ A.T`` for each matrix."""

def linalg_trmm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies triangular matrices with others, ``alpha * A @ B``."""

def linalg_trsm(
    A: NDArray,
    B: NDArray,
    transpose: bool = False,
    rightside: bool = False,
    lower: bool = True,
    alpha: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Solves ``A @ X = alpha * B`` for triangular matrices `A`."""

def log(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Natural logarithm of each element."""

def log10(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm to base 10."""

def log1p(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm of one plus each element, precise for small elements."""

def log2(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm to base 2."""

def log_sigmoid(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logarithm of the logistic function, `-log(1 + exp(-x))`."""

def log_softmax(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the logarithm of softmax, without the loss of precision of doing it in two steps."""

def logical_not(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tests whether an element is zero; true is one."""

def make_loss(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Makes any expression a loss: the backward pass starts here, with slope one."""

def masked_log_softmax(
    data: NDArray,
    mask: NDArray,
    axis: int = -1,
    temperature: float | None = 1.0,
    normalize: bool | None = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the logarithm of `masked_softmax`, which is -inf where the mask is false."""

def masked_softmax(
    data: NDArray,
    mask: NDArray,
    axis: int = -1,
    temperature: float | None = 1.0,
    normalize: bool | None = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales the exponentials of the elements that a mask shows to sum to one."""

def max(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the largest element along axes."""

max_axis = max

def mean(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages elements along axes; integers are divided towards zero."""

def min(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the smallest element along axes."""

min_axis = min

def mish(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Mish `x * tanh(log(1 + exp(x)))` of each element."""

def moments(
    data: NDArray,
    axes: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes mean and variance along axes."""

def mp_lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    t: int = ...,
    bias_correction: bool = True,
    wd: float = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `lamb_update_phase1` for a half precision weight by way of its master copy."""

def mp_lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    weight32: NDArray,
    lr: float,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `lamb_update_phase2` for a half precision weight by way of its master copy."""

def mp_nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `nag_mom_update` for a half precision weight by way of its master copy."""

def mp_sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `sgd_mom_update` for a half precision weight by way of its master copy."""

def mp_sgd_update(
    weight: NDArray,
    grad: NDArray,
    weight32: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `sgd_update` for a half precision weight by way of its master copy."""

def multi_all_finite(
    *data: NDArray,
    num_args: int = ...,
    num_arrays: int = 1,
    init_output: bool = True,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Tests whether all elements of several arrays are finite; the result is one if so."""

def multi_lars(
    lrs: NDArray,
    weights_sum_sq: NDArray,
    grads_sum_sq: NDArray,
    wds: NDArray,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the learning rate of each layer from the norms of its weight and gradient."""

def multi_mp_sgd_mom_update(
    *data: NDArray,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    wds: float | Sequence[float] = ...,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `mp_sgd_mom_update` for several weights."""

def multi_mp_sgd_update(
    *data: NDArray,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    wds: float | Sequence[float] = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `mp_sgd_update` for several weights."""

def multi_sgd_mom_update(
    *data: NDArray,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    wds: float | Sequence[float] = ...,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `sgd_mom_update` for several weights."""

def multi_sgd_update(
    *data: NDArray,
    num_args: int = ...,
    lrs: float | Sequence[float] = ...,
    wds: float | Sequence[float] = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `sgd_update` for several weights."""

def multi_sum_sq(
    *data: NDArray,
    num_args: int = ...,
    num_arrays: int = ...,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the sum of squares of each array, in single precision."""

def nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of gradient descent with Nesterov's momentum."""

def nanprod(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies elements along axes, taking NaN as one."""

def nansum(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums elements along axes, taking NaN as zero."""

def negative(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Negative of each element."""

def norm(
    data: NDArray,
    ord: int = 2,
    axis: int | Sequence[int | None] | None = None,
    out_dtype: Any = None,
    keepdims: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the sum of magnitudes or the Euclidean length along axes."""

def normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution."""

def one_hot(
    indices: NDArray,
    depth: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    dtype: Any = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Writes each index as a vector with one element switched on."""

def ones_like(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Creates ones in the shape and type of an array."""

pad = Pad

pick = choose_element_0index

def preloaded_multi_mp_sgd_mom_update(
    *data: NDArray,
    num_args: int = ...,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `multi_mp_sgd_mom_update` with learning rates and weight decays as arrays at the end."""

def preloaded_multi_mp_sgd_update(
    *data: NDArray,
    num_args: int = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `multi_mp_sgd_update` with learning rates and weight decays as arrays at the end."""

def preloaded_multi_sgd_mom_update(
    *data: NDArray,
    num_args: int = ...,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `multi_sgd_mom_update` with learning rates and weight decays as arrays at the end."""

def preloaded_multi_sgd_update(
    *data: NDArray,
    num_args: int = ...,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Does `multi_sgd_update` with learning rates and weight decays as arrays at the end."""

def prod(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies elements along axes."""

def quantized_reshape(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    shape: int | Sequence[int] = (),
    reverse: bool = False,
    target_shape: int | Sequence[int] = (),
    keep_highest: bool = False,
    newshape: int | Sequence[int] = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Reshapes a quantized array."""

def quantized_transpose(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    axes: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Puts the axes of a quantized array in another order."""

def radians(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Converts degrees to radians."""

def random_binomial(
    n: int = 1,
    p: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a binomial distribution, the successes in `n` trials."""

def random_exponential(
    lam: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from an exponential distribution, whose mean is `1 / lam`."""

def random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a gamma distribution, whose mean is `alpha * beta`."""

def random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution given by its mean and dispersion."""

def random_negative_binomial(
    k: int = 1,
    p: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution, the failures before `k` successes."""

random_normal = normal

def random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the Dirichlet distribution at samples."""

def random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the exponential distribution at samples."""

def random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the gamma distribution at samples."""

def random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the generalized negative binomial distribution at samples."""

def random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the negative binomial distribution at samples."""

def random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the normal distribution at samples."""

def random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the Poisson distribution at samples."""

def random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the density of the uniform distribution at samples."""

def random_poisson(
    lam: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Poisson distribution."""

def random_randint(
    low: int,
    high: int,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws whole numbers in `[low, high)`, all equally likely."""

def random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: int | Sequence[int | None] | None = None,
    ctx: Any = '',
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`."""

def ravel_multi_index(
    data: NDArray,
    shape: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts coordinates into indices of the flattened array."""

def rcbrt(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reciprocal of the cube root."""

def reciprocal(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reciprocal of each element."""

def relu(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rectifier: each element, or zero if it is negative."""

def repeat(
    data: NDArray,
    repeats: int,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats each element."""

def reset_arrays(
    *data: NDArray,
    num_args: int = ...,
    num_arrays: int = ...,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Sets all elements of the arrays to zero, in place."""

reshape = Reshape

def reshape_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_begin: int | None = None,
    lhs_end: int | None = None,
    rhs_begin: int | None = None,
    rhs_end: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reshapes an array like another one, or a range of its axes like a range of the other's."""

reverse = flip

def rint(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element to the nearest integer, halves down."""

def rmsprop_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    rho: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of RMSProp."""

def rmspropalex_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    g: NDArray,
    delta: NDArray,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
    rho: float | None = None,
    momentum: float | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of RMSProp by the deviation of the gradient, with momentum."""

def round(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element to the nearest integer, halves away from zero."""

def rsqrt(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reciprocal of the square root of each element."""

def sample_binomial(
    n: NDArray,
    p: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a binomial distribution, the successes in `n` trials, for each element of arrays of parameters."""

def sample_categorical(
    data: NDArray,
    shape: int | Sequence[int] = (),
    get_prob: bool = False,
    dtype: Any = 'int32',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws categories by their probabilities."""

def sample_exponential(
    lam: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from an exponential distribution, whose mean is `1 / lam`, for each element of arrays of parameters."""

def sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a gamma distribution, whose mean is `alpha * beta`, for each element of arrays of parameters."""

def sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution given by its mean and dispersion, for each element of arrays of parameters."""

sample_multinomial = sample_categorical

def sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a negative binomial distribution, the failures before `k` successes, for each element of arrays of parameters."""

def sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a normal distribution, for each element of arrays of parameters."""

def sample_poisson(
    lam: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from a Poisson distribution, for each element of arrays of parameters."""

def sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: int | Sequence[int] = (),
    dtype: Any = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Draws from the uniform distribution on `[low, high)`, for each element of arrays of parameters."""

def scatter_nd(
    data: NDArray,
    indices: NDArray,
    shape: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Writes elements or slices into an array of zeros by their coordinates."""

def sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of gradient descent with momentum."""

def sgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of gradient descent."""

def shape_array(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Returns the shape of an array as an array of int64."""

def shuffle(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Puts the rows of an array into random order."""

def sigmoid(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Logistic function `1 / (1 + exp(-x))` of each element."""

def sign(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sign of each element: -1, 0 or 1."""

def signsgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of size `lr` in the direction of the gradient's sign."""

def signum_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the weight after a step of size `lr` in the direction of the momentum's sign."""

def sin(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sine of each element, in radians."""

def sinh(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic sine of each element."""

def size_array(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Returns the number of elements of an array as an array of int64, of shape `(1,)`."""

slice = crop

def slice_axis(
    data: NDArray,
    axis: int,
    begin: int,
    end: int | None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes a range along one axis."""

def slice_like(
    data: NDArray,
    shape_like: NDArray,
    axes: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Cuts the end of axes off, down to the sizes of another array."""

def smooth_l1(
    data: NDArray,
    scalar: float = 1.0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the smooth L1 loss of each element: a parabola near zero, straight elsewhere."""

def softmax(
    data: NDArray,
    length: NDArray | None = None,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales the exponentials along an axis to sum to one."""

def softmax_cross_entropy(
    data: NDArray,
    label: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the cross entropy of softmax against class labels, summed over the batch."""

def softmin(
    data: NDArray,
    axis: int = -1,
    temperature: float | None = None,
    dtype: Any = None,
    use_length: bool | None = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes softmax of the negated data: the least element gets the most weight."""

def softsign(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Softsign `x / (1 + |x|)` of each element."""

def sort(
    data: NDArray,
    axis: int | None = -1,
    is_ascend: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sorts along an axis."""

def space_to_depth(
    data: NDArray,
    block_size: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Moves square blocks of pixels into channels; the inverse of `depth_to_space`."""

split = SliceChannel

def sqrt(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square root of each element."""

def square(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square of each element."""

def squeeze(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Removes axes of size one; one axis remains in any case."""

def stack(
    *data: NDArray,
    num_args: int = ...,
    axis: int = 0,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Joins arrays of one shape along a new axis."""

stop_gradient = BlockGrad

def sum(
    data: NDArray,
    axis: int | Sequence[int | None] | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums elements along axes."""

sum_axis = sum

swapaxes = SwapAxis

def take(
    a: NDArray,
    indices: NDArray,
    axis: int = 0,
    mode: str = 'clip',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks slices along an axis."""

def tan(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Tangent of each element, in radians."""

def tanh(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Hyperbolic tangent of each element."""

def tile(
    data: NDArray,
    reps: int | Sequence[int],
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Repeats the whole array along its axes."""

def topk(
    data: NDArray,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: str = 'indices',
    is_ascend: bool = False,
    dtype: Any = 'float32',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Finds the largest or smallest elements along an axis."""

def transpose(
    data: NDArray,
    axes: int | Sequence[int] = (),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Permutes the axes."""

def trunc(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds each element towards zero."""

uniform = random_uniform

def unravel_index(
    data: NDArray,
    shape: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Converts indices of the flattened array into coordinates, along a new first axis."""

def where(
    condition: NDArray,
    x: NDArray,
    y: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Picks from `x` where the condition is not zero and from `y` elsewhere."""

def zeros_like(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Creates zeros in the shape and type of an array."""
