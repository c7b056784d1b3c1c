"""Collectors take names and arrays as monitors give them."""

from __future__ import annotations

import numpy as np

from mxnet import nd
from mxnet.contrib import quantization


def test_a_histogram_of_zeros_grows_when_other_elements_come():
    collector = quantization._LayerHistogramCollector(num_bins=5)
    collector.collect("x", nd.zeros(3))
    collector.collect(b"x", nd.array([2.0, 0]))
    counts, edges, low, high, edge = collector.hist_dict["x"]
    assert counts.tolist() == [0, 0, 4, 0, 1]
    assert np.allclose(edges, [-2, -1.2, -0.4, 0.4, 1.2, 2])
    assert (low, high, edge) == (0, 2, 2)


def test_without_names_all_outputs_are_collected():
    collector = quantization._LayerOutputMinMaxCollector("int8")
    for name in ("a", "b"):
        collector.collect(name, nd.array([-1.0, 3]))
    assert collector.min_max_dict == {"a": (-1, 3), "b": (-1, 3)}


def test_layers_that_are_not_wanted_are_left_out():
    collector = quantization._LayerHistogramCollector(include_layer=["a"])
    collector.collect("b", nd.ones(2))
    assert not collector.hist_dict
