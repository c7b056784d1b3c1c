"""Layers and detectors as operator tests use them: symbols, gradients, types, mistakes."""

from .core import of

_SETUP = """
random = np.random.RandomState(7)
def some(*shape, low=-1, high=1, dtype="float32"):
    return nd.array(random.uniform(low, high, shape), dtype=dtype)
def boxes(*shape):
    low = random.uniform(0, 0.6, shape + (2,))
    return np.concatenate([low, low + random.uniform(0.1, 0.4, shape + (2,))], -1)
def slopes(function, *arrays):
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        result = function(*arrays)
    heads = result if isinstance(result, (list, tuple)) else [result]
    autograd.backward(list(heads))
    return [head.asnumpy() for head in heads] + [array.grad.asnumpy() for array in arrays]
def types(symbol, **given):
    return [[np.dtype(kind).name for kind in group] for group in symbol.infer_type(**given)]
V = mx.sym.Variable
"""

_HAWKES = (
    _SETUP
    + """
lags, marks = some(2, 4, low=0.1), nd.array([[0, 1, 1, 0], [1, 0, 0, 0]], dtype="int32")
lengths, ends = nd.array([4, 2]), nd.array([5, 6])
state = some(2, 2, low=0)
def likelihood(lda, alpha, beta):
    return nd.contrib.hawkesll(lda, alpha, beta, state, lags, marks, lengths, ends)
arrays = some(2, 2, low=0.2), some(2, low=0.2), some(2, low=0.2)
"""
)

_ROWS = (
    _SETUP
    + """
kinds = random.randint(-1, 3, (2, 40, 1))
scores = random.randint(0, 8, (2, 40, 1)) / 8
rows = nd.array(np.concatenate([kinds, scores, boxes(2, 40)], -1))
nms = nd.contrib.box_nms
"""
)

_ANCHORS = (
    _SETUP
    + """
anchors = nd.array(boxes(1, 30))
scores = nd.softmax(some(2, 4, 30, low=-3, high=3), axis=1)
offsets = some(2, 120)
detect = nd.contrib.MultiBoxDetection
"""
)

_REGIONS = (
    _SETUP
    + """
image = nd.array(random.randint(0, 3, (2, 3, 9, 12)))
near, far = random.uniform(-4, 12, (6, 2)), random.uniform(10, 40, (6, 2))
regions = np.concatenate([random.randint(0, 2, (6, 1)), near, far], 1)
regions[2, 3:] = regions[2, 1:3] - 1
regions = nd.array(regions)
def pool(size, scale=0.5):
    return slopes(lambda x: nd.ROIPooling(x, regions, pooled_size=size, spatial_scale=scale), image)
"""
)

PROGRAMS = {
    **of(
        _HAWKES,
        """
        likelihood(*arrays)
        slopes(lambda *a: likelihood(*a)[0], *arrays)
        mx.sym.contrib.hawkesll(name="h").list_arguments()
        mx.sym.contrib.hawkesll(name="h").list_outputs()
        """,
    ),
    **of(
        _ROWS,
        """
        nms(rows, overlap_thresh=0.3, id_index=0)
        nms(rows, overlap_thresh=0.3, id_index=0, background_id=1)
        nms(rows, overlap_thresh=0.3, id_index=0, force_suppress=True, topk=9)
        nms(rows, overlap_thresh=0.3, topk=9, valid_thresh=0.25)
        nms(rows, overlap_thresh=0.3, id_index=0, valid_thresh=0.9)
        nms(rows.astype("float64"), overlap_thresh=0.3, id_index=0, background_id=-2)
        slopes(lambda x: nms(x, overlap_thresh=0.4, id_index=0, topk=12), rows)
        """,
    ),
    **of(
        _ANCHORS,
        """
        detect(scores, offsets, anchors, nms_threshold=0.3)
        detect(scores, offsets, anchors, nms_threshold=0.3, nms_topk=5, threshold=0.5)
        detect(scores, offsets, anchors, nms_threshold=0.2, force_suppress=True, clip=False)
        detect(scores, offsets, anchors, nms_threshold=-1, threshold=0.7)
        detect(scores, offsets, anchors, threshold=2.0)
        detect(scores[:, :1], offsets, anchors)
        """,
    ),
    **of(
        _REGIONS,
        """
        pool((3, 2))
        pool((1, 1), 0.25)
        pool((7, 7), 1.0)
        nd.ROIPooling(image, regions, pooled_size=(2, 5), spatial_scale=0.3)
        """,
    ),
    **of(
        _SETUP,
        """
        slopes(lambda x: nd.Pooling(x, (3, 3), "avg", pad=(1, 0, 2, 2)), some(1, 2, 5, 5))
        nd.Pooling(some(1, 2, 5, 5), kernel=(3, 3), stride=(2, 1, 3), pad=(1, 1, 1))
        nd.Pooling(some(1, 2, 7), kernel=(3,), stride=(2, 2), pad=(1, 5), pooling_convention="full")
        nd.Pooling(some(1, 2, 5, 5), kernel=(3, 3), pad=(1,))
        nd.Pooling(some(1, 2, 7), kernel=(3,), stride=(2, 2), pooling_convention="same")
        nd.Pooling_v1(some(1, 2, 5, 5), kernel=(3, 3), stride=(1, 2, 2), pad=(1, 1, 0, 0))
        mx.sym.Pooling(V("d"), kernel=(3, 3), pad=(1, 1, 1, 1)).infer_shape(d=(1, 2, 5, 5))
        """,
    ),
    **of(
        _SETUP,
        """
        nd.FullyConnected(some(2, 3), some(4, 3), some(4), num_hidden=5)
        mx.sym.FullyConnected(V("d"), V("w"), num_hidden=5).infer_shape(d=(2, 3), w=(4, 3))
        types(mx.sym.SequenceMask(V("d"), V("n"), use_sequence_length=True), d="float16")
        types(mx.sym.SequenceMask(V("d"), V("n"), use_sequence_length=True), d="float16", n="int32")
        types(mx.sym.SequenceLast(V("d"), V("n"), use_sequence_length=True), d="float64")
        types(mx.sym.SequenceReverse(V("d"), V("n"), use_sequence_length=True), d="int32")
        mx.sym.softmax(V("d"), V("n"), use_length=True).infer_shape(d=(2, 3, 4))
        mx.sym.softmax(V("d"), V("n"), use_length=True, axis=1).infer_shape(d=(2, 3, 4))
        list(mx.operator.get_operator_arguments("Activation").types)
        list(mx.operator.get_operator_arguments("SoftmaxOutput").types)
        list(mx.operator.get_operator_arguments("Pooling").types)
        list(mx.operator.get_operator_arguments("LeakyReLU").types)
        list(mx.operator.get_operator_arguments("topk").types)[:5]
        list(mx.operator.get_operator_arguments("_contrib_MultiBoxPrior").types)
        slopes(lambda x: nd.UpSampling(x, scale=3, sample_type="nearest"), some(1, 2, 2, 3))
        """,
    ),
}
