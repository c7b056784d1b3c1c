"""Attributes, shapes and indices that ask for more memory than there is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from tests.security.attack import Attacks

TABLE = Attacks()

HUGE = 10**15
WIDE = 10**6
"""The square of it, as elements, is far more than any machine has."""

Call = Callable[[], object]


def add(label: str, names: str, call: Call) -> None:
    """Adds a call that must fail with a word in its message."""
    TABLE.add_each("array", [(label, call)], lambda _folder, run: run(), names=names)


def vector(length: int = 4, **kwargs: object) -> nd.NDArray:
    return nd.ones((length,), **kwargs)


def image() -> nd.NDArray:
    return nd.ones((1, 4, 8, 8))


CREATION: list[tuple[str, str, Call]] = [
    ("ones", "ones", lambda: nd.ones((HUGE,))),
    ("zeros_int8", "zeros", lambda: nd.zeros((HUGE,), dtype="int8")),
    ("full", "full", lambda: nd.full((WIDE, WIDE, WIDE), 7)),
    ("empty", "empty", lambda: nd.empty((2**40, 2**40))),
    ("zeros_beyond_int64", "zeros", lambda: nd.zeros((2**70,))),
    ("zeros_that_overflow_to_nothing", "zeros", lambda: nd.zeros((2**32, 2**32))),
    ("internal_zeros", "_zeros", lambda: nd._internal._zeros(shape=(HUGE,))),
    ("internal_ones", "_ones", lambda: nd._internal._ones(shape=(2**62,))),
    ("internal_full", "_full", lambda: nd._internal._full(shape=(HUGE,), value=1)),
    (
        "zeros_without_dtype",
        "_zeros_without_dtype",
        lambda: nd._internal._zeros_without_dtype(shape=(HUGE,), dtype=-1),
    ),
    ("eye", "_eye", lambda: nd.eye(10**9)),
    ("eye_beyond_int64", "_eye", lambda: nd.eye(2**63)),
    ("arange", "_arange", lambda: nd.arange(0, 1e18)),
    ("arange_small_step", "_arange", lambda: nd.arange(0, 1, 1e-300)),
    ("arange_endless", "_arange", lambda: nd.arange(0, float("inf"))),
    ("arange_repeat", "_arange", lambda: nd.arange(0, 4, repeat=HUGE)),
    ("arange_like_repeat", "", lambda: nd.contrib.arange_like(vector(), repeat=2**70)),
    ("linspace", "_linspace", lambda: nd.linspace(0, 1, HUGE)),
    ("random_uniform", "uniform", lambda: nd.random.uniform(shape=(HUGE,))),
    ("random_normal", "normal", lambda: nd.random.normal(shape=(WIDE, WIDE, 8))),
    ("random_gamma", "gamma", lambda: nd.random.gamma(shape=(HUGE,))),
    ("random_randint", "randint", lambda: nd.random.randint(0, 9, shape=(HUGE,))),
    ("sample_uniform", "uniform", lambda: nd.sample_uniform(vector(), vector(), shape=(HUGE,))),
    ("sample_poisson", "poisson", lambda: nd.sample_poisson(vector(), shape=(HUGE,))),
    ("multinomial", "multinomial", lambda: nd.sample_multinomial(vector() / 4, shape=(HUGE,))),
    (
        "unique_zipfian",
        "zipfian",
        lambda: nd._internal._sample_unique_zipfian(range_max=HUGE, shape=(1, 4)),
    ),
    ("one_hot", "one_hot", lambda: nd.one_hot(vector(), depth=HUGE)),
    ("scatter_nd", "scatter_nd", lambda: nd.scatter_nd(vector(), nd.zeros((1, 4)), shape=(HUGE,))),
]

EXPANSION: list[tuple[str, str, Call]] = [
    ("tile", "tile", lambda: nd.tile(vector(), reps=(HUGE,))),
    ("tile_many_axes", "tile", lambda: nd.tile(vector(), reps=(1000,) * 30)),
    ("repeat", "repeat", lambda: nd.repeat(vector(), repeats=HUGE)),
    ("repeat_beyond_int64", "repeat", lambda: nd.repeat(vector(), repeats=2**70)),
    ("pad", "Pad", lambda: nd.pad(image(), "constant", (0, 0, 0, 0, 0, HUGE, 0, 0))),
    ("pad_edge", "Pad", lambda: nd.pad(image(), "edge", (0, 0, 0, 0, 0, HUGE, 0, 0))),
    ("broadcast_to", "broadcast_to", lambda: nd.ones((1, 1)).broadcast_to((WIDE, 10**9))),
    ("broadcast_axis", "broadcast_axis", lambda: nd.broadcast_axis(image()[:, :1], 1, HUGE)),
    (
        "broadcast_then_sum",
        "broadcast_to",
        lambda: recorded(lambda x: nd.sum(nd.broadcast_to(x, shape=(HUGE,))), nd.ones((1,))),
    ),
    ("broadcast_add", "broadcast_add", lambda: column() + row()),
    ("broadcast_maximum", "broadcast_maximum", lambda: nd.broadcast_maximum(column(), row())),
    ("broadcast_equal", "broadcast_equal", lambda: column() == row()),
    ("broadcast_like", "", lambda: nd.broadcast_like(nd.ones((1,)), nd.ones((HUGE,)))),
    ("dot", "dot", lambda: nd.dot(column(), row())),
    ("batch_dot", "batch_dot", lambda: nd.batch_dot(column()[None], row()[None])),
    ("khatri_rao", "khatri_rao", lambda: nd.khatri_rao(*[nd.ones((1000, 1))] * 6)),
    ("gemm2", "_linalg_gemm2", lambda: nd.linalg.gemm2(column(), row())),
    ("syrk", "_linalg_syrk", lambda: nd.linalg.syrk(column())),
    ("diag", "diag", lambda: nd.diag(nd.ones((WIDE,)))),
    ("diag_offset", "diag", lambda: nd.diag(vector(), k=10**9)),
    ("makediag", "_linalg_makediag", lambda: nd.linalg.makediag(nd.ones((WIDE,)))),
    ("makediag_offset", "_linalg_makediag", lambda: nd.linalg.makediag(vector(), offset=10**9)),
    (
        "upsampling",
        "UpSampling",
        lambda: nd.UpSampling(image(), scale=10**7, sample_type="nearest"),
    ),
    (
        "bilinear",
        "Bilinear",
        lambda: nd.contrib.BilinearResize2D(image(), height=10**7, width=10**7),
    ),
    (
        "bilinear_scale",
        "Bilinear",
        lambda: nd.contrib.BilinearResize2D(image(), scale_height=1e300, scale_width=1e300),
    ),
    ("adaptive", "Adaptive", lambda: nd.contrib.AdaptiveAvgPooling2D(image(), output_size=10**7)),
    (
        "roi_pooling",
        "ROIPooling",
        lambda: nd.ROIPooling(
            image(), nd.zeros((1, 5)), pooled_size=(10**7, 10**7), spatial_scale=1
        ),
    ),
    (
        "roi_align",
        "ROIAlign",
        lambda: nd.contrib.ROIAlign(
            image(), nd.zeros((1, 5)), pooled_size=(10**7, 10**7), spatial_scale=1.0
        ),
    ),
    (
        "deconvolution",
        "Deconvolution",
        lambda: nd.Deconvolution(
            image(), nd.ones((4, 1, 2, 2)), kernel=(2, 2), stride=(10**7, 10**7), num_filter=1
        ),
    ),
    (
        "convolution_padding",
        "Convolution",
        lambda: nd.Convolution(
            image(),
            nd.ones((1, 4, 1, 1)),
            kernel=(1, 1),
            pad=(10**7, 10**7),
            num_filter=1,
            no_bias=True,
        ),
    ),
    ("im2col", "im2col", lambda: nd.im2col(image(), kernel=(1, 1), pad=(10**7, 10**7))),
    (
        "col2im",
        "col2im",
        lambda: nd.col2im(nd.ones((1, 4, 64)), output_size=(10**8, 10**8), kernel=(1, 1)),
    ),
    (
        "correlation",
        "Correlation",
        lambda: nd.Correlation(image(), image(), max_displacement=10**6, pad_size=10**6),
    ),
    ("crop_like", "Crop", lambda: nd.Crop(image(), h_w=(10**9, 10**9))),
    (
        "grid",
        "GridGenerator",
        lambda: nd.GridGenerator(
            nd.ones((1, 6)), transform_type="affine", target_shape=(10**7, 10**7)
        ),
    ),
    (
        "transformer",
        "SpatialTransformer",
        lambda: nd.SpatialTransformer(
            image(),
            nd.ones((1, 6)),
            target_shape=(10**7, 10**7),
            transform_type="affine",
            sampler_type="bilinear",
        ),
    ),
    ("image_resize", "resize", lambda: nd.image.resize(nd.ones((8, 8, 3)), size=(10**7, 10**7))),
    (
        "imresize",
        "resize",
        lambda: mx.image.imresize(nd.ones((8, 8, 3), dtype="uint8"), 10**7, 10**7),
    ),
    (
        "border",
        "copyMakeBorder",
        lambda: mx.image.copyMakeBorder(nd.ones((8, 8, 3), dtype="uint8"), 10**7, 0, 10**7, 0),
    ),
    ("histogram", "_histogram", lambda: nd.histogram(vector(), bins=HUGE, range=(0, 1))),
    (
        "fft",
        "broadcast_to",
        lambda: nd.contrib.ifft(nd.contrib.fft(nd.ones((1,)).broadcast_to((HUGE,)))),
    ),
    (
        "count_sketch",
        "count_sketch",
        lambda: nd.contrib.count_sketch(
            nd.ones((1, 4)), nd.zeros((1, 4)), nd.ones((1, 4)), out_dim=HUGE
        ),
    ),
    ("maketrian", "", lambda: nd.linalg.maketrian(nd.ones((1, 3)), offset=2**40)),
    ("embedding", "Embedding", lambda: embedding_of_wide_rows()),
    ("take", "take", lambda: nd.take(nd.ones((4, WIDE)), nd.zeros((WIDE,)))),
    ("gather_nd", "gather_nd", lambda: nd.gather_nd(nd.ones((4, WIDE)), nd.zeros((1, WIDE)))),
    ("index", "", lambda: nd.ones((4, WIDE))[nd.zeros((WIDE,))]),
    ("concat", "Concat", lambda: nd.concat(*[nd.ones((1, WIDE))] * WIDE, dim=0)),
    ("stack", "stack", lambda: nd.stack(*[nd.ones((WIDE,))] * WIDE)),
    ("rnn", "RNN", lambda: rnn(10**9)),
    (
        "fully_connected",
        "FullyConnected",
        lambda: nd.FullyConnected(column(), column(), num_hidden=WIDE, no_bias=True),
    ),
    ("box_iou", "box_iou", lambda: nd.contrib.box_iou(nd.ones((WIDE, 4)), nd.ones((WIDE, 4)))),
    (
        "outer_product_by_indexing",
        "broadcast_mul",
        lambda: nd.ones((WIDE,))[:, None] * nd.ones((WIDE,))[None],
    ),
    ("index_array", "", lambda: nd.contrib.index_array(nd.ones((1,)).broadcast_to((HUGE,)))),
    ("method_tile", "tile", lambda: vector().tile((HUGE,))),
    ("method_reshape", "", lambda: vector().reshape((2**62, 2**62))),
]

for _row in (*CREATION, *EXPANSION):
    add(*_row)


def column() -> nd.NDArray:
    return nd.ones((WIDE, 1))


def row() -> nd.NDArray:
    return nd.ones((1, WIDE))


def recorded(function: Callable[[nd.NDArray], nd.NDArray], data: nd.NDArray) -> None:
    data.attach_grad()
    with autograd.record():
        result = function(data)
    result.backward()


def embedding_of_wide_rows() -> nd.NDArray:
    weight = nd.ones((2, WIDE))
    return nd.Embedding(nd.zeros((WIDE,)), weight, input_dim=2, output_dim=WIDE)


def rnn(state_size: int) -> nd.NDArray:
    data, state = nd.ones((1, 1, 1)), nd.ones((1, 1, 1))
    return nd.RNN(data, vector(), state, state_size=state_size, num_layers=1, mode="rnn_tanh")


def dense_layer() -> None:
    net = gluon.nn.Dense(10**9, in_units=10**9)
    net.initialize()


def deferred_layer() -> None:
    net = gluon.nn.Dense(10**12)
    net.initialize()
    net(nd.ones((1, 10**5)))


def embedding_layer() -> None:
    net = gluon.nn.Embedding(10**12, 10**6)
    net.initialize()


def initializer() -> None:
    gluon.Parameter("huge", shape=(2**40, 2**40)).initialize(mx.init.Xavier())


def bind_by_attribute() -> None:
    symbol = mx.sym.FullyConnected(mx.sym.var("data", shape=(2**25, 2**25)), num_hidden=4)
    symbol.simple_bind(mx.cpu())


def bind_by_argument() -> None:
    mx.sym.exp(mx.sym.var("data")).simple_bind(mx.cpu(), data=(HUGE,))


def bind_output() -> None:
    symbol = mx.sym.tile(mx.sym.var("data"), reps=(HUGE,), name="wall")
    symbol.bind(mx.cpu(), {"data": vector()}).forward()


def evaluate_graph() -> None:
    mx.sym.zeros((HUGE,), name="nothing").eval()


def node_in_graph() -> None:
    symbol = mx.sym.sum(mx.sym.broadcast_to(mx.sym.var("data"), shape=(HUGE,), name="wall"))
    gluon.SymbolBlock(symbol, [mx.sym.var("data")])(nd.ones((1,)))


def random_in_graph() -> None:
    symbol = mx.sym.sum(mx.sym.random.uniform(shape=(HUGE,), name="noise") * mx.sym.var("data"))
    gluon.SymbolBlock(symbol, [mx.sym.var("data")])(nd.ones((1,)))


def broadcast_in_graph() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    block = gluon.SymbolBlock(mx.sym.sum(mx.sym.broadcast_mul(a, b, name="outer")), [a, b])
    block(column(), row())


def module_bind() -> None:
    module = mx.mod.Module(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=10**9), label_names=None
    )
    module.bind([("data", (10**6, 10**6))])


def reshape_executor() -> None:
    executor = mx.sym.exp(mx.sym.var("data")).simple_bind(mx.cpu(), data=(4,))
    executor.reshape(allow_up_sizing=True, data=(HUGE,))


def gradient_of_many() -> None:
    data = nd.ones((1,))
    recorded(lambda x: nd.dot(nd.ones((WIDE, 1)) * x, row()), data)


def array_of_a_repeated_number() -> None:
    nd.array(np.broadcast_to(np.float32(1), (HUGE,)))


def csr_without_pointers() -> None:
    nd.sparse.zeros("csr", (HUGE, 4))


def dense_of_csr() -> None:
    nd.sparse.csr_matrix(([1.0], [0], [0, 1]), shape=(1, HUGE)).tostype("default")


def dense_of_rows() -> None:
    nd.sparse.row_sparse_array(([[1.0]], [0]), shape=(HUGE, 1)).tostype("default")


def cast_storage() -> None:
    rows = nd.sparse.row_sparse_array(([[1.0]], [0]), shape=(HUGE, 1))
    nd.cast_storage(rows, "default")


def operator_on_sparse() -> None:
    nd.exp(nd.sparse.zeros("row_sparse", (HUGE, 4)))


def sparse_to_numpy() -> None:
    nd.sparse.zeros("row_sparse", (HUGE, 4)).asnumpy()


def iterator_of_sparse() -> None:
    for batch in mx.io.NDArrayIter(
        nd.sparse.zeros("csr", (4, HUGE)), batch_size=2, last_batch_handle="discard"
    ):
        batch.data[0].asnumpy()


ELSEWHERE: list[tuple[Callable[[], object], str]] = [
    (dense_layer, "dense0_weight"),
    (deferred_layer, "dense0_"),
    (embedding_layer, "embedding0_weight"),
    (initializer, "huge"),
    (bind_by_attribute, "data"),
    (bind_by_argument, "data"),
    (bind_output, "wall"),
    (evaluate_graph, "nothing"),
    (node_in_graph, "wall"),
    (random_in_graph, "noise"),
    (broadcast_in_graph, "outer"),
    (module_bind, "data"),
    (reshape_executor, "data"),
    (gradient_of_many, "dot"),
    (array_of_a_repeated_number, "array"),
    (csr_without_pointers, "csr"),
    (dense_of_csr, "csr"),
    (dense_of_rows, "row_sparse"),
    (cast_storage, "row_sparse"),
    (operator_on_sparse, "row_sparse"),
    (sparse_to_numpy, "row_sparse"),
    (iterator_of_sparse, "csr"),
]
for _call, _names in ELSEWHERE:
    add(_call.__name__, _names, _call)
