"""What does the same elsewhere: in the other dialect, and in torch.

A row has the names of one thing: in `mx.nd`, in `mx.np` or `mx.npx`, and in torch; `-` where there
is none. Arguments differ in places: `docs/to_pytorch.md` says how. Tests look up every name.
"""

from __future__ import annotations

from collections.abc import Iterator

_SAME = """
    abs arccos arccosh arcsin arcsinh arctan arctanh argmax argmin argsort broadcast_to ceil clip
    cos cosh cumsum diag exp expm1 eye fix floor full linspace log log10 log1p log2
    logical_not maximum mean minimum moveaxis negative ones ones_like prod reciprocal reshape
    sign sin sinh sort sqrt square squeeze stack sum swapaxes tan tanh tile trunc
    unravel_index where zeros zeros_like flip
"""
"""Functions of one name in all three, those in `mx.nd` and `mx.np` taken first."""

_ROWS = """
    nd.array                  np.array              torch.tensor
    nd.arange                 np.arange             torch.arange
    nd.empty                  np.empty              torch.empty
    nd.degrees                np.degrees            torch.rad2deg
    -                         np.rad2deg            torch.rad2deg
    nd.radians                np.radians            torch.deg2rad
    -                         np.deg2rad            torch.deg2rad
    nd.cbrt                   np.cbrt               -
    nd.rint                   np.rint               torch.round
    nd.round                  np.round              torch.round
    -                         np.around             torch.round
    -                         np.round_             torch.round
    nd.rsqrt                  -                     torch.rsqrt
    nd.erf                    npx.erf               torch.erf
    nd.erfinv                 npx.erfinv            torch.erfinv
    nd.gamma                  npx.gamma             -
    nd.gammaln                npx.gammaln           torch.lgamma
    nd.relu                   npx.relu              torch.relu
    nd.sigmoid                npx.sigmoid           torch.sigmoid
    nd.softsign               -                     torch.nn.functional.softsign
    nd.hard_sigmoid           -                     torch.nn.functional.hardsigmoid
    nd.smooth_l1              npx.smooth_l1         torch.nn.functional.smooth_l1_loss
    nd.add                    np.add                torch.add
    nd.broadcast_add          np.add                torch.add
    nd.elemwise_add           np.add                torch.add
    nd.subtract               np.subtract           torch.sub
    nd.broadcast_sub          np.subtract           torch.sub
    nd.elemwise_sub           np.subtract           torch.sub
    nd.multiply               np.multiply           torch.mul
    nd.broadcast_mul          np.multiply           torch.mul
    nd.elemwise_mul           np.multiply           torch.mul
    nd.divide                 np.divide             torch.div
    nd.true_divide            np.true_divide        torch.true_divide
    nd.broadcast_div          np.divide             torch.div
    nd.elemwise_div           np.divide             torch.div
    nd.modulo                 np.mod                torch.remainder
    nd.broadcast_mod          np.mod                torch.remainder
    -                         np.remainder          torch.remainder
    nd.power                  np.power              torch.pow
    nd.broadcast_power        np.power              torch.pow
    nd.broadcast_maximum      np.maximum            torch.maximum
    nd.broadcast_minimum      np.minimum            torch.minimum
    nd.broadcast_hypot        np.hypot              torch.hypot
    nd.equal                  np.equal              torch.eq
    nd.broadcast_equal        np.equal              torch.eq
    nd.not_equal              np.not_equal          torch.ne
    nd.broadcast_not_equal    np.not_equal          torch.ne
    nd.greater                np.greater            torch.gt
    nd.broadcast_greater      np.greater            torch.gt
    nd.greater_equal          np.greater_equal      torch.ge
    nd.broadcast_greater_equal np.greater_equal     torch.ge
    nd.lesser                 np.less               torch.lt
    nd.broadcast_lesser       np.less               torch.lt
    nd.lesser_equal           np.less_equal         torch.le
    nd.broadcast_lesser_equal np.less_equal         torch.le
    nd.logical_and            np.logical_and        torch.logical_and
    nd.broadcast_logical_and  -                     torch.logical_and
    nd.logical_or             np.logical_or         torch.logical_or
    nd.broadcast_logical_or   -                     torch.logical_or
    nd.logical_xor            np.logical_xor        torch.logical_xor
    nd.broadcast_logical_xor  -                     torch.logical_xor
    nd.max                    np.max                torch.amax
    -                         np.amax               torch.amax
    nd.min                    np.min                torch.amin
    -                         np.amin               torch.amin
    nd.nansum                 np.nansum             torch.nansum
    nd.nanprod                np.nanprod            -
    nd.norm                   np.linalg.norm        torch.linalg.norm
    nd.moments                -                     torch.var_mean
    nd.dot                    np.dot                torch.matmul
    nd.transpose              np.transpose          torch.permute
    nd.batch_dot              npx.batch_dot         torch.bmm
    nd.linalg_gemm2           np.matmul             torch.matmul
    nd.linalg_gemm            -                     torch.addmm
    nd.linalg_trsm            -                     torch.linalg.solve_triangular
    nd.linalg_potrf           np.linalg.cholesky    torch.linalg.cholesky
    nd.linalg_potri           -                     torch.cholesky_inverse
    nd.linalg_inverse         np.linalg.inv         torch.linalg.inv
    nd.linalg_det             np.linalg.det         torch.linalg.det
    nd.linalg_slogdet         np.linalg.slogdet     torch.linalg.slogdet
    nd.linalg_extractdiag     np.diagonal           torch.diagonal
    nd.linalg_makediag        -                     torch.diag_embed
    nd.Reshape                npx.reshape           torch.reshape
    nd.reshape_like           npx.reshape_like      torch.Tensor.view_as
    nd.Flatten                npx.batch_flatten     torch.flatten
    nd.flatten                npx.batch_flatten     torch.flatten
    nd.expand_dims            np.expand_dims        torch.unsqueeze
    nd.SwapAxis               np.swapaxes           torch.swapaxes
    nd.broadcast_axis         np.broadcast_to       torch.broadcast_to
    nd.broadcast_like         -                     torch.Tensor.expand_as
    nd.depth_to_space         -                     torch.nn.functional.pixel_shuffle
    nd.space_to_depth         -                     torch.nn.functional.pixel_unshuffle
    nd.reverse                np.flip               torch.flip
    nd.repeat                 np.repeat             torch.repeat_interleave
    nd.Pad                    np.pad                torch.nn.functional.pad
    nd.pad                    np.pad                torch.nn.functional.pad
    nd.Concat                 np.concatenate        torch.cat
    nd.concat                 np.concatenate        torch.cat
    nd.concatenate            np.concatenate        torch.cat
    nd.slice                  npx.slice             -
    nd.slice_axis             -                     torch.narrow
    nd.split                  np.split              torch.tensor_split
    nd.SliceChannel           np.split              torch.tensor_split
    nd.split_v2               np.split              torch.tensor_split
    nd.im2col                 -                     torch.nn.functional.unfold
    nd.col2im                 -                     torch.nn.functional.fold
    nd.shape_array            npx.shape_array       torch.Tensor.size
    nd.size_array             np.size               torch.numel
    nd.Cast                   npx.cast              torch.Tensor.to
    nd.cast                   npx.cast              torch.Tensor.to
    nd.cast_storage           -                     torch.Tensor.to_sparse
    nd.identity               np.copy               torch.clone
    nd.BlockGrad              -                     torch.Tensor.detach
    nd.stop_gradient          -                     torch.Tensor.detach
    nd.take                   np.take               torch.index_select
    nd.pick                   npx.pick              torch.gather
    nd.gather_nd              npx.gather_nd         -
    nd.scatter_nd             -                     torch.index_put
    nd.one_hot                npx.one_hot           torch.nn.functional.one_hot
    nd.Embedding              npx.embedding         torch.nn.functional.embedding
    nd.topk                   npx.topk              torch.topk
    nd.histogram              np.histogram          torch.histogram
    nd.waitall                npx.waitall           torch.cuda.synchronize
    nd.save                   npx.save              torch.save
    nd.load                   npx.load              torch.load
    nd.from_numpy             -                     torch.from_numpy
    nd.from_torch             npx.from_torch        -
    nd.from_dlpack            -                     torch.from_dlpack
    nd.to_dlpack_for_read     -                     torch.to_dlpack
    nd.FullyConnected         npx.fully_connected   torch.nn.functional.linear
    nd.Convolution            npx.convolution       torch.nn.functional.conv2d
    nd.Deconvolution          npx.deconvolution     torch.nn.functional.conv_transpose2d
    nd.Pooling                npx.pooling           torch.nn.functional.max_pool2d
    nd.Activation             npx.activation        -
    nd.LeakyReLU              npx.leaky_relu        torch.nn.functional.leaky_relu
    nd.Dropout                npx.dropout           torch.nn.functional.dropout
    nd.RNN                    npx.rnn               torch.nn.LSTM
    nd.LayerNorm              npx.layer_norm        torch.nn.functional.layer_norm
    nd.GroupNorm              -                     torch.nn.functional.group_norm
    nd.InstanceNorm           -                     torch.nn.functional.instance_norm
    nd.L2Normalization        -                     torch.nn.functional.normalize
    nd.LRN                    -                     torch.nn.functional.local_response_norm
    nd.BatchNorm              npx.batch_norm        torch.nn.functional.batch_norm
    nd.CTCLoss                -                     torch.nn.functional.ctc_loss
    nd.ctc_loss               -                     torch.nn.functional.ctc_loss
    nd.softmax                npx.softmax           torch.softmax
    nd.log_softmax            npx.log_softmax       torch.log_softmax
    nd.softmin                -                     torch.nn.functional.softmin
    nd.softmax_cross_entropy  -                     torch.nn.functional.cross_entropy
    nd.SequenceMask           npx.sequence_mask     -
    nd.UpSampling             -                     torch.nn.functional.interpolate
    nd.BilinearSampler        -                     torch.nn.functional.grid_sample
    nd.GridGenerator          -                     torch.nn.functional.affine_grid
    nd.ROIPooling             npx.roi_pooling       -
    nd.all_finite             np.isfinite           torch.isfinite
    nd.shuffle                np.random.shuffle     torch.randperm
    nd.random_uniform         np.random.uniform     torch.rand
    nd.random_normal          np.random.normal      torch.normal
    nd.random_randint         np.random.randint     torch.randint
    random.uniform            np.random.uniform     torch.rand
    random.normal             np.random.normal      torch.normal
    random.randn              np.random.randn       torch.randn
    random.randint            np.random.randint     torch.randint
    random.shuffle            np.random.shuffle     torch.randperm
    random.multinomial        np.random.choice      torch.multinomial
    random.exponential        np.random.exponential torch.Tensor.exponential_
    random.gamma              np.random.gamma       torch.distributions.Gamma
    random.poisson            -                     torch.poisson
    random.seed               npx.seed              torch.manual_seed
    -                         np.random.rand        torch.rand
    -                         np.random.beta        torch.distributions.Beta
    -                         np.random.chisquare   torch.distributions.Chi2
    -                         np.random.gumbel      torch.distributions.Gumbel
    -                         np.random.lognormal   torch.distributions.LogNormal
    -                         np.random.pareto      torch.distributions.Pareto
    -                         np.random.weibull     torch.distributions.Weibull
    -                         np.random.multinomial torch.distributions.Multinomial
    -                         np.random.multivariate_normal torch.distributions.MultivariateNormal
    -                         npx.random.bernoulli  torch.bernoulli
    -                         np.absolute           torch.absolute
    -                         np.fabs               torch.abs
    -                         np.invert             torch.bitwise_not
    -                         np.product            torch.prod
    -                         np.sometrue           torch.any
    -                         np.alltrue            torch.all
    -                         np.percentile         torch.quantile
    -                         np.unique             torch.unique
    -                         np.nonzero            torch.nonzero
    -                         npx.nonzero           torch.nonzero
    -                         np.flatnonzero        torch.nonzero
    -                         np.ravel              torch.ravel
    -                         np.rollaxis           torch.movedim
    -                         np.outer              torch.outer
    -                         np.rot90              torch.rot90
    -                         np.roll               torch.roll
    -                         np.array_split        torch.tensor_split
    -                         np.append             torch.cat
    -                         np.row_stack          torch.vstack
    -                         np.identity           torch.eye
    -                         np.indices            torch.meshgrid
    -                         np.blackman           torch.blackman_window
    -                         np.hamming            torch.hamming_window
    -                         np.hanning            torch.hann_window
    -                         np.array_equal        torch.equal
    -                         np.trapz              torch.trapezoid
    -                         np.nanmedian          torch.nanmedian
    -                         np.nanquantile        torch.nanquantile
    -                         np.nanpercentile      torch.nanquantile
    -                         np.digitize           torch.bucketize
    -                         np.in1d               torch.isin
    -                         np.histogramdd        torch.histogramdd
    -                         np.take_along_axis    torch.take_along_dim
    -                         np.extract            torch.masked_select
    -                         np.tril_indices_from  torch.tril_indices
    -                         np.triu_indices_from  torch.triu_indices
    -                         np.random.choice      torch.multinomial
    -                         np.modf               torch.frac
    -                         np.linalg.matrix_power torch.linalg.matrix_power
    -                         np.size               torch.numel
    -                         np.set_printoptions   torch.set_printoptions
"""

_LIKE_TORCH = """
    all allclose any argwhere arctan2 atleast_1d atleast_2d atleast_3d bincount bitwise_and
    bitwise_not bitwise_or bitwise_xor column_stack copysign corrcoef count_nonzero cov diagflat
    diagonal diff dsplit dstack einsum empty_like fliplr flipud float_power frexp full_like
    heaviside hsplit hstack hypot i0 inner isclose isfinite isin isinf isnan isneginf isposinf lcm
    ldexp logspace matmul meshgrid nan_to_num positive promote_types quantile real result_type
    searchsorted signbit std tensordot trace tril true_divide vander var vdot vsplit vstack
"""
"""Functions of `mx.np` that torch has under the same name, and `mx.nd` has not."""

_LINALG = """
    cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_rank multi_dot norm pinv qr slogdet
    solve svd tensorinv tensorsolve
"""
"""Functions of `mx.np.linalg` that are in `torch.linalg` by the same name."""

_CLASSES = """
    gluon.Block Module, gluon.HybridBlock Module, gluon.Parameter parameter.Parameter,
    gluon.ParameterDict ParameterDict, gluon.nn.Dense Linear, gluon.nn.Conv1D Conv1d,
    gluon.nn.Conv2D Conv2d, gluon.nn.Conv3D Conv3d, gluon.nn.Conv1DTranspose ConvTranspose1d,
    gluon.nn.Conv2DTranspose ConvTranspose2d, gluon.nn.Conv3DTranspose ConvTranspose3d,
    gluon.nn.MaxPool1D MaxPool1d, gluon.nn.MaxPool2D MaxPool2d, gluon.nn.MaxPool3D MaxPool3d,
    gluon.nn.AvgPool1D AvgPool1d, gluon.nn.AvgPool2D AvgPool2d, gluon.nn.AvgPool3D AvgPool3d,
    gluon.nn.GlobalAvgPool1D AdaptiveAvgPool1d, gluon.nn.GlobalAvgPool2D AdaptiveAvgPool2d,
    gluon.nn.GlobalAvgPool3D AdaptiveAvgPool3d, gluon.nn.GlobalMaxPool1D AdaptiveMaxPool1d,
    gluon.nn.GlobalMaxPool2D AdaptiveMaxPool2d, gluon.nn.GlobalMaxPool3D AdaptiveMaxPool3d,
    gluon.nn.BatchNorm BatchNorm2d, gluon.nn.LayerNorm LayerNorm, gluon.nn.GroupNorm GroupNorm,
    gluon.nn.InstanceNorm InstanceNorm2d, gluon.nn.Dropout Dropout, gluon.nn.Embedding Embedding,
    gluon.nn.Flatten Flatten, gluon.nn.ELU ELU, gluon.nn.SELU SELU, gluon.nn.GELU GELU,
    gluon.nn.PReLU PReLU, gluon.nn.LeakyReLU LeakyReLU, gluon.nn.Swish SiLU,
    gluon.nn.Sequential Sequential, gluon.nn.HybridSequential Sequential,
    gluon.nn.ReflectionPad2D ReflectionPad2d, gluon.contrib.nn.Identity Identity,
    gluon.contrib.nn.PixelShuffle2D PixelShuffle, gluon.contrib.nn.SyncBatchNorm SyncBatchNorm,
    gluon.rnn.RNN RNN, gluon.rnn.LSTM LSTM, gluon.rnn.GRU GRU, gluon.rnn.RNNCell RNNCell,
    gluon.rnn.LSTMCell LSTMCell, gluon.rnn.GRUCell GRUCell, gluon.loss.L2Loss MSELoss,
    gluon.loss.L1Loss L1Loss, gluon.loss.HuberLoss HuberLoss, gluon.loss.CTCLoss CTCLoss,
    gluon.loss.KLDivLoss KLDivLoss, gluon.loss.SoftmaxCrossEntropyLoss CrossEntropyLoss,
    gluon.loss.SigmoidBinaryCrossEntropyLoss BCEWithLogitsLoss,
    gluon.loss.LogisticLoss SoftMarginLoss,
    gluon.loss.TripletLoss TripletMarginLoss, gluon.loss.PoissonNLLLoss PoissonNLLLoss,
    gluon.loss.CosineEmbeddingLoss CosineEmbeddingLoss
"""
"""Classes with those of `torch.nn`."""

_OTHERS = """
    optimizer.SGD optim.SGD, optimizer.Adam optim.Adam, optimizer.Adamax optim.Adamax,
    optimizer.Nadam optim.NAdam, optimizer.AdaGrad optim.Adagrad, optimizer.AdaDelta optim.Adadelta,
    optimizer.RMSProp optim.RMSprop, optimizer.Optimizer optim.Optimizer,
    optimizer.NAG optim.SGD, lr_scheduler.LRScheduler optim.lr_scheduler.LRScheduler,
    lr_scheduler.FactorScheduler optim.lr_scheduler.StepLR,
    lr_scheduler.MultiFactorScheduler optim.lr_scheduler.MultiStepLR,
    lr_scheduler.PolyScheduler optim.lr_scheduler.PolynomialLR,
    lr_scheduler.CosineScheduler optim.lr_scheduler.CosineAnnealingLR,
    initializer.Xavier nn.init.xavier_uniform_, initializer.Normal nn.init.normal_,
    initializer.Uniform nn.init.uniform_, initializer.Zero nn.init.zeros_,
    initializer.One nn.init.ones_, initializer.Constant nn.init.constant_,
    initializer.Orthogonal nn.init.orthogonal_, initializer.MSRAPrelu nn.init.kaiming_normal_,
    gluon.data.DataLoader utils.data.DataLoader, gluon.data.Dataset utils.data.Dataset,
    gluon.data.ArrayDataset utils.data.TensorDataset, gluon.data.Sampler utils.data.Sampler,
    gluon.data.BatchSampler utils.data.BatchSampler,
    gluon.data.RandomSampler utils.data.RandomSampler,
    gluon.data.SequentialSampler utils.data.SequentialSampler,
    gluon.utils.clip_global_norm nn.utils.clip_grad_norm_,
    gluon.utils.download hub.load_state_dict_from_url,
    autograd.grad autograd.grad, autograd.backward autograd.backward, autograd.pause no_grad,
    autograd.Function autograd.Function, autograd.is_recording is_grad_enabled,
    autograd.set_recording set_grad_enabled, profiler.scope profiler.record_function,
    context.Context device, context.num_gpus cuda.device_count,
    context.gpu_memory_info cuda.mem_get_info
"""
"""Classes and functions with those of torch."""


def read_rows() -> Iterator[tuple[str, ...]]:
    """Yields the names of each thing, the present ones alone, as `nd.concat` or `torch.cat`."""
    for name in _SAME.split():
        yield (f"nd.{name}", f"np.{name}", f"torch.{name}")
    for line in filter(str.strip, _ROWS.splitlines()):
        yield tuple(name for name in line.split() if name != "-")
    for name in _LIKE_TORCH.split():
        yield (f"np.{name}", f"torch.{name}")
    for name in _LINALG.split():
        yield (f"np.linalg.{name}", f"torch.linalg.{name}")
    for prefix, table in (("torch.nn.", _CLASSES), ("torch.", _OTHERS)):
        for pair in table.split(","):
            name, torch_name = pair.split()
            yield (name, prefix + torch_name)


def read_counterparts() -> dict[str, list[str]]:
    """Returns for each name of the package what does the same, the other dialect first."""
    found: dict[str, list[str]] = {}
    for row in read_rows():
        for name in row:
            others = found.setdefault(name, [])
            others += [other for other in row if other != name and other not in others]
    return {
        name: sorted(others, key=lambda other: other.startswith("torch."))
        for name, others in found.items()
        if not name.startswith("torch.")
    }
