"""Programs that calibrate quantized graphs: collectors, thresholds, parameters, logs and errors.

Results are those of the original with `MXNET_SUBGRAPH_BACKEND=NONE` and SciPy. Otherwise it joins
layers in the executor in which it looks for ranges, and does not find those of the joined ones.
"""

from __future__ import annotations

import logging
import re

import mxnet as mx
import numpy as np
from mxnet import gluon, nd, sym
from mxnet.contrib import quantization

from .core import functions, lines, variants
from .quantization_helpers import bn, conv, dense, flat, pool, relu, words


class _Log(logging.Handler):
    """Keeps at which levels is logged; the words are our own."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.levelname)


def _rounded(text):
    """Returns a line whose numbers have four digits, on which all computers agree."""
    return re.sub(r"-?\d+\.\d{6}", lambda found: f"{round(float(found[0]), 3) + 0.0:g}", text)


def _logger():
    logger = logging.Logger("quantization", logging.DEBUG)
    logger.addHandler(_Log())
    return logger, logger.handlers[0].lines


def _feed(collector, *batches, dtype="float32"):
    for batch in batches:
        executor = sym.identity(sym.var("data")).simple_bind(
            mx.cpu(), data=(len(batch),), grad_req="null", type_dict={"data": dtype}
        )
        executor.set_monitor_callback(collector.collect, monitor_all=True)
        executor.forward(data=nd.array(batch, dtype=dtype))[0].wait_to_read()


def _of(found):
    return {name: [np.asarray(item) for item in row] for name, row in found.items()}


def histograms():
    logger, told = _logger()
    collector = quantization._LayerHistogramCollector(
        num_bins=5, include_layer=["data"], logger=logger
    )
    _feed(collector, [1, 2, -3.0], [0.5, 0.25], [-1, 2.9, 3.5, 8])
    return _of(collector.hist_dict), told


def histograms_of_many_elements():
    """Edges are computed in double precision; an element next to one is counted on either side."""
    collector = quantization._LayerHistogramCollector(include_layer=["data"])
    random = np.random.RandomState(0)
    _feed(collector, *(random.normal(0, 0.3, 20000) * scale for scale in (1, 1.2, 0.9)))
    counts, edges, low, high, edge = collector.hist_dict["data"]
    places = np.arange(counts.size)
    return counts.size, counts @ places, counts @ places**2, edges[:3], low, high, float(edge)


def histograms_of_zeros():
    collector = quantization._LayerHistogramCollector(num_bins=5, include_layer=["data"])
    _feed(collector, [0, 0.0], [0.0])
    return _of(collector.hist_dict)


def histograms_of_half_precision():
    collector = quantization._LayerHistogramCollector(num_bins=5, include_layer=["data"])
    _feed(collector, [1, 2, -3.0], dtype="float16")
    return _of(collector.hist_dict)


def _smallest_and_largest(dtype, include=("data",)):
    logger, told = _logger()
    collector = quantization._LayerOutputMinMaxCollector(
        dtype, include_layer=list(include), logger=logger
    )
    _feed(collector, [1, 2, 3.0], [0.5, 0.25], [-1, 8])
    return _of(collector.min_max_dict), told


def combined_histograms():
    counts, edges = np.histogram([-1, 0.5, 2], bins=5, range=(-2, 2))
    old = (counts, edges, -1, 2, 2)
    results = []
    for new in ([0.1, 1.0], [-5.0, 1], [2.0, 1], [-2.1, 0], [-2.7999, 0], [0.1, 5.0]):
        new = np.array(new)
        found = quantization.combine_histogram(old, new, new.min(), new.max(), np.abs(new).max())
        results.append([np.asarray(item) for item in found])
    return results


def _elements(seed, positive=False):
    elements = np.random.RandomState(seed).randn(3000)
    return np.abs(elements) if positive else elements


def _histogram(elements, num_bins=8001):
    edge = np.abs(elements).max()
    counts, edges = np.histogram(elements, bins=num_bins, range=(-edge, edge))
    return counts, edges, elements.min(), elements.max(), edge


def _thresholds(dtype):
    logger, told = _logger()
    histograms = {"a": _histogram(_elements(1)), "b_output": _histogram(_elements(2, True))}
    found = quantization._get_optimal_thresholds(histograms, dtype, logger=logger)
    return _of(found), told, list(histograms)


def _random_histogram(number):
    random = np.random.RandomState(number)
    size = (3, 50, 2000, 100000)[number % 4]
    elements = (
        random.normal(size=size),
        np.abs(random.laplace(size=size)),
        np.maximum(random.normal(size=size), 0),
        random.standard_t(2, size),
        random.choice([0, 0.5, 1, -3.0], size),
    )[number % 5]
    edge = float(np.float32(np.abs(elements).max()))
    return np.histogram(elements.astype("float32"), bins=1001, range=(-edge, edge))


def thresholds_of_random_histograms():
    """The last bit of a divergence decides between two thresholds."""
    results = []
    for number in range(40):
        counts, edges = _random_histogram(number)
        found = nd.contrib.calibrate_entropy(
            nd.array(counts), nd.array(edges), num_quantized_bins=(127, 255, 511)[number % 3]
        )
        results.append([float(item.asscalar()) for item in found])
    return np.array(results)


def one_threshold():
    found = quantization._get_optimal_threshold(_histogram(_elements(3)), "int8", 127)
    return [np.asarray(item) for item in found]


def _smooth(values, eps):
    return quantization._smooth_distribution(np.array(values), eps)


def parameters():
    graph = sym.Group(
        [sym.var("foo_min"), sym.var("bar_max"), sym.var("z_weight_quantize"), sym.var("kept")]
    )
    values = {"z_weight": nd.array([[2, -3], [127, 1]]), "kept": nd.ones(2), "left": nd.ones(1)}
    found = quantization._quantize_params(graph, values, {"foo": (-1, 1), "bar": (2, 3)})
    return dict(sorted(found.items()))


def parameters_that_are_missing():
    return quantization._quantize_params(sym.var("z_weight_quantize"), {}, {})


def parameters_in_files(folder):
    nd.save(f"{folder}/p.params", {"arg:a": nd.ones(1), "aux:b": nd.zeros(1)})
    sym.var("z").save(f"{folder}/s.json")
    logger, told = _logger()
    args, states = quantization._load_params(f"{folder}/p.params", logger)
    found = quantization._load_sym(f"{folder}/s.json", logger)
    return args, states, found.name, told


def _model():
    net = sym.SoftmaxOutput(dense(flat(pool(relu(bn(conv()))))), name="softmax")
    shapes, _, states = net.infer_shape(data=(2, 3, 8, 8))
    random = np.random.RandomState(0)
    names = zip(net.list_arguments(), shapes)
    args = {
        n: nd.array(random.randn(*s) / 5) for n, s in names if n not in ("data", "softmax_label")
    }
    states = zip(net.list_auxiliary_states(), states)
    return net, args, {name: nd.array(random.rand(*shape) + 0.5) for name, shape in states}


def _batches():
    data = np.random.RandomState(1).randn(10, 3, 8, 8)
    return mx.io.NDArrayIter(data, np.zeros(10), 2)


def _words(graph):
    return [_rounded(line) for line in words(graph)]


def _quantized_model(**options):
    logger, told = _logger()
    if options.get("calib_mode") != "none":
        options = {"calib_data": _batches(), **options}
    graph, args, states = quantization.quantize_model(*_model(), logger=logger, **options)
    return _words(graph), sorted((name, a.dtype) for name, a in args.items()), sorted(states), told


def _quantized_graph(calib_mode, collector=None, **options):
    logger, told = _logger()
    net, args, states = _model()
    qnet, qargs, _, collector = quantization.quantize_graph(
        net,
        args,
        states,
        calib_mode=calib_mode,
        LayerOutputCollector=collector,
        logger=logger,
        **options,
    )
    if collector is None:
        return _words(qnet), sorted(qargs), told
    module = mx.mod.Module(net)
    batches = _batches()
    module.bind(batches.provide_data, batches.provide_label, for_training=False)
    module.set_params(args, states)
    module._exec_group.execs[0].set_monitor_callback(collector.collect, monitor_all=True)
    module.forward(next(batches), is_train=False)
    qnet, qargs, _ = quantization.calib_graph(
        qnet, args, states, collector, calib_mode=calib_mode, logger=logger
    )
    return _words(qnet), sorted(qargs), told


class _Collector:
    """Takes ranges that are known before."""

    def __init__(self):
        self.min_max_dict, self.seen = {}, []

    def collect(self, name, array):
        if name.endswith((b"data", b"output")):
            self.seen.append(name)
            self.min_max_dict[name.decode()] = (-1, len(self.seen))


def custom_collector():
    collector = _Collector()
    return _quantized_graph("customize", collector), collector.seen


def batches_of_loader():
    arrays = [np.arange(12.0).reshape(6, 2), np.ones((6, 1, 1, 3, 2)), np.zeros(6)]
    results = []
    for parts in (arrays[:2], arrays[1:], arrays):
        loader = gluon.data.DataLoader(gluon.data.ArrayDataset(*parts), batch_size=4)
        found, described = quantization._as_data_iter(loader)
        batch = next(found)
        shapes = [array.shape for array in batch.data]
        results.append(
            [(item.name, item.shape) for item in described] + shapes + [found.batch_size]
        )
        found.reset()
        results.append(len(list(found)))
    return results


def _call(name, *args, **options):
    """Returns what a call raises."""
    try:
        getattr(quantization, name)(*args, **options)
    except Exception as error:
        kinds = (ValueError, TypeError, AttributeError)
        return [kind for kind in kinds if isinstance(error, kind)]


def _refused(**options):
    options = {"calib_data": _batches(), **options}
    return _call("quantize_model", *_model(), **options)


PROGRAMS = {
    **functions(globals()),
    **variants(
        "range", _smallest_and_largest, {d: {"dtype": d} for d in ("int8", "uint8", "auto")}
    ),
    "range_of_nothing": lambda: _smallest_and_largest("int8", ["nobody"]),
    **variants("thresholds", _thresholds, {d: {"dtype": d} for d in ("int8", "uint8", "auto")}),
    **variants(
        "smooth",
        _smooth,
        {
            "zeros": {"values": [0, 1, 2.0], "eps": 1e-4},
            "none": {"values": [0.5, 0.5], "eps": 1e-4},
            "much": {"values": [0, 1, 3.0], "eps": 0.1},
            "nothing": {"values": [0, 0.0], "eps": 1e-4},
            "little": {"values": [0, 1e-5], "eps": 1e-4},
        },
    ),
    **variants(
        "model",
        _quantized_model,
        {
            "none": {"calib_mode": "none"},
            "naive": {"calib_mode": "naive"},
            "naive_auto": {
                "calib_mode": "naive",
                "quantized_dtype": "auto",
                "num_calib_examples": 3,
            },
            "entropy": {"calib_mode": "entropy"},
            "entropy_auto": {"calib_mode": "entropy", "quantized_dtype": "auto"},
            "entropy_uint8": {"quantized_dtype": "uint8", "num_calib_examples": 0},
            "full": {"calib_mode": "naive", "quantize_mode": "full", "excluded_sym_names": ["c"]},
            "operators": {"calib_mode": "naive", "excluded_op_names": ["Convolution", "BatchNorm"]},
        },
    ),
    **variants(
        "graph",
        _quantized_graph,
        {
            "none": {"calib_mode": "none"},
            "naive": {"calib_mode": "naive"},
            "entropy": {"calib_mode": "entropy"},
            "entropy_auto": {"calib_mode": "entropy", "quantized_dtype": "auto"},
            "smart": {"calib_mode": "naive", "quantize_mode": "smart", "quantized_dtype": "uint8"},
        },
    ),
    **variants(
        "refused",
        _refused,
        {
            "mode": {"calib_mode": "foo"},
            "custom": {"calib_mode": "customize"},
            "no_data": {"calib_data": None},
            "other_data": {"calib_data": [1]},
            "dtype": {"quantized_dtype": "int16"},
            "granularity": {"quantize_granularity": "foo"},
            "names": {"excluded_sym_names": "c"},
            "operators": {"excluded_op_names": ("Convolution",)},
        },
    ),
    **lines(
        "quantization_calibration",
        """
        _call("quantize_graph", *_model(), calib_mode="foo")
        _call("quantize_graph", *_model(), calib_mode="customize")
        _call("quantize_graph", *_model(), ctx="cpu")
        _call("quantize_graph", *_model(), quantized_dtype="foo")
        _call("quantize_graph", *_model(), quantize_granularity="foo")
        _call("quantize_graph", *_model(), excluded_sym_names="c")
        _call("calib_graph", *_model(), None, "none")
        _call("calib_graph", *_model(), None, None)
        _call("calib_graph", *_model(), None, "foo")
        _call("calib_graph", *_model(), None, "naive")
        _call("quantize_model_mkldnn", *_model(), ctx="cpu")
        _call("_load_sym", 3)
        _call("_load_params", 3)
        _call("_load_params", ({},))
        _call("_as_data_iter", 3)
        _call("_as_data_iter", None)
        """,
    ),
}
