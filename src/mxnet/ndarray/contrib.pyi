"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray._ndarray import NDArray

from collections.abc import Callable, Sequence
from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet.context import Context
from mxnet.context import current_context as current_context
from mxnet.graph.run import flatten
from mxnet.ndarray._graph_sampling import dgl_adjacency as dgl_adjacency
from mxnet.ndarray._graph_sampling import dgl_csr_neighbor_non_uniform_sample as dgl_csr_neighbor_non_uniform_sample
from mxnet.ndarray._graph_sampling import dgl_csr_neighbor_uniform_sample as dgl_csr_neighbor_uniform_sample
from mxnet.ndarray._graph_sampling import dgl_graph_compact as dgl_graph_compact
from mxnet.ndarray._graph_sampling import dgl_subgraph as dgl_subgraph
from mxnet.ndarray.random import uniform as uniform

def isnan(data: NDArray) -> NDArray:
    """Returns 1 where an element is not a number, 0 elsewhere, in the element type of the data."""

def isinf(data: NDArray) -> NDArray:
    """Returns 1 where an element is infinite, 0 elsewhere, in the element type of the data."""

def isfinite(data: NDArray) -> NDArray:
    """Returns 1 where an element is finite, 0 elsewhere, in the element type of the data."""

def rand_zipfian(true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None=None) -> tuple[NDArray, NDArray, NDArray]:
    """Draws classes of which small numbers are the most common, as words sorted by frequency are."""

def adamw_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, rescale_grad: float | NDArray, lr: float, eta: float, beta1: float=0.9, beta2: float=0.999, epsilon: float=1e-08, wd: float=0, clip_gradient: float=-1, out: NDArray | None=None, name: str | None=None, **kwargs: Any) -> Any:
    """Returns the weight after a step of Adam with the weight decay beside the gradient."""

def mp_adamw_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, weight32: NDArray, rescale_grad: float | NDArray, lr: float, eta: float, beta1: float=0.9, beta2: float=0.999, epsilon: float=1e-08, wd: float=0, clip_gradient: float=-1, out: NDArray | None=None, name: str | None=None, **kwargs: Any) -> Any:
    """Does `adamw_update` on the master copy `weight32` of a half precision weight."""

def multi_adamw_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], rescale_grad: float | NDArray, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], out: Sequence[NDArray] | None=None, name: str | None=None, size: int=0, **kwargs: Any) -> Any:
    """Does `adamw_update` on several weights; `size` is their number, 0 to count them."""

def multi_mp_adamw_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], weights32: Sequence[NDArray], rescale_grad: float | NDArray, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], out: Sequence[NDArray] | None=None, name: str | None=None, size: int=0, **kwargs: Any) -> Any:
    """Does `mp_adamw_update` on several weights; `size` is their number, 0 to count them."""

def multi_lamb_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], out: Sequence[NDArray] | None=None, num_tensors: int=0, **kwargs: Any) -> Any:
    """Returns several weights after a step of LAMB; `num_tensors` is their number, 0 to count."""

def multi_mp_lamb_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], weights32: Sequence[NDArray], step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], out: Sequence[NDArray] | None=None, num_tensors: int=0, **kwargs: Any) -> Any:
    """Does `multi_lamb_update` on the master copies of half precision weights."""

def adabelief_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, rescale_grad: float | NDArray, lr: float, eta: float, beta1: float=0.9, beta2: float=0.999, epsilon: float=1e-08, wd: float=0, clip_gradient: float=-1, out: NDArray | None=None, name: str | None=None, **kwargs: Any) -> Any:
    """Returns the weight after a step of AdaBelief, with the arguments of `adamw_update`."""

def mp_adabelief_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, weight32: NDArray, rescale_grad: float | NDArray, lr: float, eta: float, beta1: float=0.9, beta2: float=0.999, epsilon: float=1e-08, wd: float=0, clip_gradient: float=-1, out: NDArray | None=None, name: str | None=None, **kwargs: Any) -> Any:
    """Does `adabelief_update` on the master copy of a half precision weight."""

def multi_adabelief_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], rescale_grad: float | NDArray, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], out: Sequence[NDArray] | None=None, name: str | None=None, size: int=0, **kwargs: Any) -> Any:
    """Does `adabelief_update` on several weights; `size` is their number, 0 to count them."""

def multi_mp_adabelief_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], weights32: Sequence[NDArray], rescale_grad: float | NDArray, lrs: Sequence[float], wds: Sequence[float], etas: Sequence[float], out: Sequence[NDArray] | None=None, name: str | None=None, size: int=0, **kwargs: Any) -> Any:
    """Does `mp_adabelief_update` on several weights; `size` is their number, 0 to count them."""

def multi_lans_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], out: Sequence[NDArray] | None=None, num_tensors: int=0, **kwargs: Any) -> Any:
    """Returns several weights after a step of LANS, with the arguments of `multi_lamb_update`."""

def multi_mp_lans_update(weights: Sequence[NDArray], grads: Sequence[NDArray], mean: Sequence[NDArray], var: Sequence[NDArray], weights32: Sequence[NDArray], step_count: Sequence[int], lrs: Sequence[float], wds: Sequence[float], out: Sequence[NDArray] | None=None, num_tensors: int=0, **kwargs: Any) -> Any:
    """Does `multi_lans_update` on the master copies of half precision weights."""

def foreach(body: Callable[..., Any], data: Any, init_states: Any, name: str='foreach') -> tuple[Any, Any]:
    """Runs a function for each slice of arrays along their first axis."""

def while_loop(cond: Callable[..., Any], func: Callable[..., Any], loop_vars: Any, max_iterations: int | None=None, name: str='while_loop') -> tuple[Any, Any]:
    """Runs a function as long as a condition holds."""

def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
    """Runs one of two functions."""

_WRITTEN_BY_HAND: str

def AdaptiveAvgPooling2D(
    data: NDArray,
    output_size: int | Sequence[int] = (),
    kernel: int | Sequence[int] = (),
    pool_type: str = 'avg',
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: str = 'valid',
    stride: int | Sequence[int] = (),
    pad: int | Sequence[int] = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
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
) -> NDArray:
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

def DeformablePSROIPooling(
    data: NDArray,
    rois: NDArray,
    trans: NDArray | None = None,
    spatial_scale: float = ...,
    output_dim: int = ...,
    group_size: int = ...,
    pooled_size: int = ...,
    part_size: int = 0,
    sample_per_part: int = 1,
    trans_std: float = 0.0,
    no_trans: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages samples in cells over regions; cells have channels of their own and may move."""

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

def MultiBoxDetection(
    cls_prob: NDArray,
    loc_pred: NDArray,
    anchor: NDArray,
    clip: bool = True,
    threshold: float = 0.01,
    background_id: int = 0,
    nms_threshold: float = 0.5,
    force_suppress: bool = False,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: int = -1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Turns predictions for default boxes into detected objects."""

def MultiBoxPrior(
    data: NDArray,
    sizes: float | Sequence[float] = (1.0,),
    ratios: float | Sequence[float] = (1.0,),
    clip: bool = False,
    steps: float | Sequence[float] = (-1.0, -1.0),
    offsets: float | Sequence[float] = (0.5, 0.5),
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Lists default boxes around every point of a feature map."""

def MultiBoxTarget(
    anchor: NDArray,
    label: NDArray,
    cls_pred: NDArray,
    overlap_threshold: float = 0.5,
    ignore_label: float = -1.0,
    negative_mining_ratio: float = -1.0,
    negative_mining_thresh: float = 0.5,
    minimum_negative_samples: int = 0,
    variances: float | Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes what default boxes should predict, for training."""

def MultiProposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: float | Sequence[float] = (4.0, 8.0, 16.0, 32.0),
    ratios: float | Sequence[float] = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Chooses regions of images that may hold objects (Faster R-CNN)."""

def PSROIPooling(
    data: NDArray,
    rois: NDArray,
    spatial_scale: float,
    output_dim: int,
    pooled_size: int,
    group_size: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages over cells of a grid over regions, each cell of channels of its own (R-FCN)."""

def Proposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: int = 6000,
    rpn_post_nms_top_n: int = 300,
    threshold: float = 0.7,
    rpn_min_size: int = 16,
    scales: float | Sequence[float] = (4.0, 8.0, 16.0, 32.0),
    ratios: float | Sequence[float] = (0.5, 1.0, 2.0),
    feature_stride: int = 16,
    output_score: bool = False,
    iou_loss: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Chooses regions of one image that may hold objects (Faster R-CNN)."""

def ROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: int | Sequence[int],
    spatial_scale: float,
    sample_ratio: int = -1,
    position_sensitive: bool = False,
    aligned: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages interpolated samples in each cell of a grid over regions of a feature map."""

def RROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: int | Sequence[int],
    spatial_scale: float,
    sampling_ratio: int = -1,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Averages interpolated samples in each cell of a grid over turned regions of a feature map."""

def SparseEmbedding(
    data: NDArray,
    weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    deterministic: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Looks up a vector for each index; the gradient of the table is always `row_sparse`."""

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
) -> NDArray:
    """Normalizes each channel as `BatchNorm` does, by the statistics of all parts of a batch."""

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
    ctx: Any = '',
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Creates evenly spaced values in the type and shape of another array."""

def backward_gradientmultiplier(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies a gradient as `gradientmultiplier` does in its backward pass."""

def bipartite_matching(
    data: NDArray,
    is_ascend: bool = False,
    threshold: float = ...,
    topk: int = -1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Pairs rows with columns, the pair with the best score first."""

def boolean_mask(
    data: NDArray,
    index: NDArray,
    axis: int = 0,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Keeps the rows whose entry in a mask is not zero."""

def box_decode(
    data: NDArray,
    anchors: NDArray,
    std0: float = 1.0,
    std1: float = 1.0,
    std2: float = 1.0,
    std3: float = 1.0,
    clip: float = -1.0,
    format: str = 'center',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes corners of boxes from offsets that a network predicts."""

def box_encode(
    samples: NDArray,
    matches: NDArray,
    anchors: NDArray,
    refs: NDArray,
    means: NDArray,
    stds: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Codes where objects lie as seen from default boxes, for training."""

def box_iou(
    lhs: NDArray,
    rhs: NDArray,
    format: str = 'corner',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the overlap of every pair of boxes: the intersection over the union."""

def box_nms(
    data: NDArray,
    overlap_thresh: float = 0.5,
    valid_thresh: float = 0.0,
    topk: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = -1,
    background_id: int = -1,
    force_suppress: bool = False,
    in_format: str = 'corner',
    out_format: str = 'corner',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Sorts boxes by score and drops those that overlap a better one (non-maximum suppression)."""

box_non_maximum_suppression = box_nms

def calibrate_entropy(
    hist: NDArray,
    hist_edges: NDArray,
    num_quantized_bins: int = 255,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Finds the threshold at which numbers are best cut off before they are quantized."""

def count_sketch(
    data: NDArray,
    h: NDArray,
    s: NDArray,
    out_dim: int,
    processing_batch_size: int = 32,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Projects to fewer numbers: each element is added, with a sign, to one place of the result."""

ctc_loss = CTCLoss

def dequantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: str = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Turns bytes back into the numbers that they stand for."""

def div_sqrt_dim(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides an array by the square root of the size of its last axis."""

def dynamic_reshape(
    data: NDArray,
    shape: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Reshapes an array to what another array says, whose numbers a graph need not know."""

def edge_id(
    data: NDArray,
    u: NDArray,
    v: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Looks elements of a csr array up; -1 stands where none is stored, in a graph where it is 0."""

def fft(
    data: NDArray,
    compute_size: int = 128,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the Fourier transform of real numbers along the last axis."""

def getnnz(
    data: NDArray,
    axis: int | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Counts the elements of a csr array that are stored; those that are not zero in a graph."""

def gradientmultiplier(
    data: NDArray,
    scalar: float = 1.0,
    is_int: bool = True,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns its input and multiplies the gradient, to slow a part of a network down or turn it."""

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
    """Returns the weight, of two axes or more, after a step of AdaGrad with one sum of squares for each row."""

def hawkesll(
    lda: NDArray,
    alpha: NDArray,
    beta: NDArray,
    state: NDArray,
    lags: NDArray,
    marks: NDArray,
    valid_length: NDArray,
    max_time: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes the log-likelihood of marked Hawkes processes with exponential decay."""

def ifft(
    data: NDArray,
    compute_size: int = 128,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the real part of the inverse Fourier transform, without the division by the size."""

def index_array(
    data: NDArray,
    axes: int | Sequence[int | None] | None = None,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the coordinates of every element, along a new last axis."""

def index_copy(
    old_tensor: NDArray,
    index_vector: NDArray,
    new_tensor: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns an array with some rows replaced."""

def interleaved_matmul_encdec_qk(
    queries: NDArray,
    keys_values: NDArray,
    heads: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the scores of attention to an encoder, divided by the root of the size of a head."""

def interleaved_matmul_encdec_valatt(
    keys_values: NDArray,
    attention: NDArray,
    heads: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums the values of an encoder by weights."""

def interleaved_matmul_selfatt_qk(
    queries_keys_values: NDArray,
    heads: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Computes the scores of self-attention, divided by the root of the size of a head."""

def interleaved_matmul_selfatt_valatt(
    queries_keys_values: NDArray,
    attention: NDArray,
    heads: int,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Sums the values of self-attention by weights."""

def intgemm_fully_connected(
    data: NDArray,
    weight: NDArray,
    scaling: NDArray | None = None,
    bias: NDArray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    out_type: str = 'float32',
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies bytes with prepared weights."""

def intgemm_maxabsolute(
    data: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns the largest magnitude of all elements, by which bytes are scaled."""

def intgemm_prepare_data(
    data: NDArray,
    maxabs: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales floats to signed bytes, the largest magnitude to 127."""

def intgemm_prepare_weight(
    weight: NDArray,
    maxabs: NDArray | None = None,
    already_quantized: bool = False,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Scales weights to signed bytes, unless they are bytes already."""

def intgemm_take_weight(
    weight: NDArray,
    indices: NDArray,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Takes rows of prepared weights."""

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

def quantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: str = 'uint8',
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Turns numbers into integers of a range that is given by arrays."""

def quantize_asym(
    data: NDArray,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Turns numbers into uint8 by a scale and a shift, so that a range fills all 256 integers."""

def quantize_v2(
    data: NDArray,
    out_type: str = 'int8',
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Turns numbers into integers of a calibrated range, or of the range of the numbers."""

def quantized_act(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    act_type: str,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Replaces negative bytes by 0."""

def quantized_batch_norm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    min_data: NDArray,
    max_data: NDArray,
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
) -> list[NDArray]:
    """Normalizes bytes by the moving mean and variance of their channel."""

def quantized_concat(
    *data: NDArray,
    num_args: int = ...,
    dim: int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Joins quantized arrays along an axis, in the range that holds all of theirs."""

def quantized_conv(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    min_data: NDArray | None = None,
    max_data: NDArray | None = None,
    min_weight: NDArray | None = None,
    max_weight: NDArray | None = None,
    min_bias: NDArray | None = None,
    max_bias: NDArray | None = None,
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
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes a convolution of bytes, whose result is int32."""

def quantized_elemwise_add(
    lhs: NDArray,
    rhs: NDArray,
    lhs_min: NDArray,
    lhs_max: NDArray,
    rhs_min: NDArray,
    rhs_max: NDArray,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Adds quantized arrays of one shape."""

def quantized_elemwise_mul(
    lhs: NDArray,
    rhs: NDArray,
    lhs_min: NDArray,
    lhs_max: NDArray,
    rhs_min: NDArray,
    rhs_max: NDArray,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    enable_float_output: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Multiplies quantized arrays of one shape."""

def quantized_embedding(
    data: NDArray,
    weight: NDArray,
    min_weight: NDArray,
    max_weight: NDArray,
    input_dim: int,
    output_dim: int,
    dtype: Any = 'float32',
    sparse_grad: bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Picks rows of a quantized table."""

def quantized_flatten(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Folds all axes of a quantized array but the first into one."""

def quantized_fully_connected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    min_data: NDArray | None = None,
    max_data: NDArray | None = None,
    min_weight: NDArray | None = None,
    max_weight: NDArray | None = None,
    min_bias: NDArray | None = None,
    max_bias: NDArray | None = None,
    num_hidden: int = ...,
    no_bias: bool = False,
    flatten: bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Computes a dense layer on bytes, whose result is int32."""

def quantized_pooling(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
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
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Reduces each window of bytes to its maximum or its average, which is rounded to even."""

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

def quantized_rnn(
    data: NDArray,
    parameters: NDArray,
    state: NDArray,
    state_cell: NDArray,
    data_scale: NDArray,
    data_shift: NDArray,
    state_size: int,
    num_layers: int,
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
    """Stands for an LSTM on bytes in graphs; running it raises."""

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

def requantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: str = 'int8',
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
    name: str | None = None,
) -> list[NDArray]:
    """Turns int32, such as sums of products of bytes, into bytes of a smaller range."""

def round_ste(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds to whole numbers, halves away from zero; gradients pass as if nothing was done."""

def sign_ste(data: NDArray, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Returns the sign of each element; gradients pass as if nothing was done."""

def sldwin_atten_context(
    score: NDArray,
    value: NDArray,
    dilation: NDArray,
    w: int,
    symmetric: bool,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Adds the values in each window up, weighted by scores."""

def sldwin_atten_mask_like(
    score: NDArray,
    dilation: NDArray,
    valid_length: NDArray,
    w: int,
    symmetric: bool,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Returns 1 for each score that is about two valid positions, 0 for others."""

def sldwin_atten_score(
    query: NDArray,
    key: NDArray,
    dilation: NDArray,
    w: int,
    symmetric: bool,
    *,
    out: NDArray | None = None,
    name: str | None = None,
) -> NDArray:
    """Multiplies each query with the keys in its window."""
