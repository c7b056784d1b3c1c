"""Programs that call quantized operators by hand: on arrays, in symbols, in blocks and with errors."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd, sym

from .core import functions

contrib = nd.contrib


def _images(seed=0, shape=(2, 3, 8, 8)):
    return np.random.RandomState(seed).uniform(0, 1, shape).astype("float32")


def _weights(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("float32")


def _network(F, data, filters, rows, bias):
    """Quantizes data and weights, and computes a small network on bytes."""
    image = F.contrib.quantize_v2(data, out_type="uint8", min_calib_range=0.0, max_calib_range=1.0)
    weight = F.contrib.quantize_v2(filters)
    sums = F.contrib.quantized_conv(
        data=image[0],
        weight=weight[0],
        min_data=image[1],
        max_data=image[2],
        min_weight=weight[1],
        max_weight=weight[2],
        kernel=(3, 3),
        pad=(1, 1),
        num_filter=4,
        no_bias=True,
    )
    small = F.contrib.requantize(
        sums[0], sums[1], sums[2], min_calib_range=-4.0, max_calib_range=4.0
    )
    active = F.contrib.quantized_act(small[0], small[1], small[2], act_type="relu")
    pooled = F.contrib.quantized_pooling(
        active[0], active[1], active[2], kernel=(2, 2), stride=(2, 2), pool_type="max"
    )
    flat = F.contrib.quantized_flatten(pooled[0], pooled[1], pooled[2])
    matrix, offset = F.contrib.quantize_v2(rows), F.contrib.quantize_v2(bias)
    scores = F.contrib.quantized_fully_connected(
        flat[0],
        matrix[0],
        offset[0],
        flat[1],
        flat[2],
        matrix[1],
        matrix[2],
        offset[1],
        offset[2],
        num_hidden=5,
    )
    result = F.contrib.requantize(scores[0], scores[1], scores[2])
    return F.contrib.dequantize(result[0], result[1], result[2])


def _parameters():
    return [_weights(1, 4, 3, 3, 3), _weights(2, 5, 64), _weights(3, 5)]


def a_network_of_arrays():
    return _network(nd, *map(nd.array, [_images(), *_parameters()]))


def a_network_of_symbols():
    names = ("data", "filters", "rows", "bias")
    symbol = _network(sym, *map(sym.var, names))
    given = dict(zip(names, map(nd.array, [_images(), *_parameters()])))
    outputs = symbol.bind(mx.cpu(), given, grad_req="null").forward()
    shapes = symbol.infer_shape(data=(2, 3, 8, 8), filters=(4, 3, 3, 3), rows=(5, 64), bias=(5,))
    return outputs, shapes[1], sym.load_json(symbol.tojson()).list_arguments()


class _Network(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            for name, value in zip(("filters", "rows", "bias"), _parameters()):
                setattr(self, name, self.params.get_constant(name, value))

    def hybrid_forward(self, F, data, filters, rows, bias):
        return _network(F, data, filters, rows, bias)


def a_hybridized_network():
    net = _Network()
    net.initialize()
    net.hybridize()
    data = nd.array(_images())
    first = net(data)
    return first, float((net(data) - first).abs().sum().asscalar())


def a_residual_block_on_bytes():
    ends = [nd.array([value]) for value in (-1, 1, -2, 3)]
    left, right = (contrib.quantize_v2(nd.array(_weights(seed, 2, 3, 4))) for seed in (0, 1))
    total = contrib.quantized_elemwise_add(
        left[0], right[0], *left[1:], *right[1:], min_calib_range=-1.5, max_calib_range=1.5
    )
    joined = contrib.quantized_concat(total[0], right[0], *total[1:], *ends[2:], num_args=2, dim=1)
    return total, joined, contrib.dequantize(*joined)


def normalized_bytes():
    data = contrib.quantize_v2(nd.array(_weights(0, 2, 3, 5)))
    statistics = [nd.array(_weights(seed, 3)) for seed in range(3)] + [nd.array([0.5, 1, 2])]
    options = {"min_calib_range": -3.0, "max_calib_range": 3.0}
    result = contrib.quantized_batch_norm(data[0], *statistics, *data[1:], **options)
    return result, contrib.dequantize(*result), statistics[2]


def words_of_a_quantized_table():
    table = contrib.quantize_v2(nd.array(_weights(0, 6, 3)))
    rows = contrib.quantized_embedding(
        nd.array([[1, 5], [0, 9]]), *table, input_dim=6, output_dim=3
    )
    return contrib.dequantize(*rows)


def the_error_of_quantization():
    data = nd.array(_weights(0, 50))
    errors = []
    for out_type in ("int8", "uint8"):
        restored = contrib.dequantize(*contrib.quantize_v2(data, out_type=out_type))
        kept = nd.maximum(data, 0) if out_type == "uint8" else data
        errors.append(float((restored - kept).abs().max().asscalar()))
    return [round(error, 6) for error in errors]


def results_are_written_to_arrays():
    data = nd.array([-1, 0.25, 1])
    out = [nd.zeros(3, dtype="int8"), nd.zeros(1), nd.zeros(1)]
    contrib.quantize_v2(data, min_calib_range=-1.0, max_calib_range=1.0, out=out)
    numbers = nd.zeros(3)
    contrib.dequantize(*out, out=numbers)
    return out, numbers


def gradients_are_zero():
    data = nd.array([-1, 0.25, 1])
    data.attach_grad()
    with autograd.record():
        restored = contrib.dequantize(*contrib.quantize_v2(data))
        total = (restored + data * 2).sum()
    total.backward()
    return data.grad


def _entropy(values, num_bins=401, **options):
    reach = float(np.abs(values).max())
    counts, edges = np.histogram(values, bins=num_bins, range=(-reach, reach))
    pair = [nd.array(counts.astype("float32")), nd.array(edges.astype("float32"))]
    return contrib.calibrate_entropy(*pair, **options)


def thresholds_of_histograms():
    random = np.random.RandomState(4)
    normal, one_sided = random.randn(4000), np.maximum(random.randn(4000), 0)
    return _entropy(normal), _entropy(one_sided), _entropy(normal, num_quantized_bins=127)


def a_threshold_in_a_symbol():
    symbol = sym.contrib.calibrate_entropy(
        sym.var("counts"), sym.var("edges"), num_quantized_bins=5
    )
    given = {"counts": nd.array([9, 1, 2, 3, 4, 5, 6, 7, 20]), "edges": nd.arange(10)}
    return symbol.list_outputs(), symbol.bind(mx.cpu(), given, grad_req="null").forward()


def integers_of_the_wrong_type():
    return contrib.dequantize(nd.array([1, 2], dtype="int32"), nd.array([-1]), nd.array([1]))


def a_convolution_of_signed_bytes():
    data, weight = nd.ones((1, 1, 2, 2), dtype="int8"), nd.ones((1, 1, 1, 1), dtype="int8")
    ends = [nd.array([value]) for value in (-1, 1, -1, 1)]
    options = {"kernel": (1, 1), "num_filter": 1, "no_bias": True}
    return contrib.quantized_conv(data, weight, *ends, **options)[0].asnumpy()


def a_convolution_in_groups():
    data, weight = nd.ones((1, 2, 2, 2), dtype="uint8"), nd.ones((2, 1, 1, 1), dtype="int8")
    ends = [nd.array([value]) for value in (-1, 1, -1, 1)]
    options = {"kernel": (1, 1), "num_filter": 2, "num_group": 2, "no_bias": True}
    return contrib.quantized_conv(data, weight, *ends, **options)[0].asnumpy()


def a_missing_calibration():
    data = nd.ones((1, 2), dtype="int8")
    arrays = [nd.ones(2)] * 4 + [nd.array([-1]), nd.array([1])]
    return contrib.quantized_batch_norm(data, *arrays)[0].asnumpy()


def an_unknown_type_of_results():
    return contrib.quantize_v2(nd.ones(3), out_type="int4")


def a_recurrent_layer():
    data = contrib.quantize_asym(nd.array(_weights(0, 3, 2, 4)))
    arrays = [nd.array(_weights(1, 220)), nd.zeros((1, 2, 5)), nd.zeros((1, 2, 5))]
    options = {"state_size": 5, "num_layers": 1, "mode": "lstm"}
    return contrib.quantized_rnn(data[0], *arrays, *data[1:], **options)[0].asnumpy()


def a_recurrent_layer_in_a_symbol():
    options = {"state_size": 5, "num_layers": 2, "mode": "lstm", "state_outputs": True}
    symbol = sym.contrib.quantized_rnn(sym.var("data"), name="q", **options)
    arguments, outputs, _ = symbol.infer_shape(data=(3, 2, 4))
    return symbol.list_outputs(), arguments, outputs, symbol.infer_type(data="uint8")[1]


PROGRAMS = functions(globals())
