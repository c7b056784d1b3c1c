"""Parts of graphs that are drawn at random; what is not random is in programs/sparse_graphs.py."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.errors import IndexOutOfBoundsError, MXNetError

SIZE = 6
"""Vertices of a graph in which each has an edge to every other one."""


@pytest.fixture
def graph():
    edges = 1 - np.eye(SIZE, dtype=np.int64)
    numbers = edges * np.arange(1, SIZE * SIZE + 1).reshape(SIZE, SIZE)
    return nd.array(numbers, dtype="int64").tostype("csr")


def vertices(*numbers):
    return nd.array(numbers, dtype="int64")


def test_a_sample_has_so_many_neighbours_of_each_vertex(graph):
    mx.random.seed(1)
    found = nd.contrib.dgl_csr_neighbor_uniform_sample(
        graph, vertices(0, 3), num_hops=1, num_neighbor=2, max_num_vertices=SIZE
    )
    chosen, edges, steps = (item.asnumpy() for item in found)
    size = chosen[-1]
    assert {0, 3} <= set(chosen[:size].tolist())
    assert (np.diff(chosen[:size]) > 0).all()
    for row, vertex in enumerate(chosen[:size]):
        count = 2 if vertex in (0, 3) else 0
        assert (edges[row] != 0).sum() == count
        assert steps[row] == (0 if count else 1)
        places = edges[row].nonzero()[0]
        assert edges[row][places].tolist() == graph.asnumpy()[vertex][places].tolist()
        assert set(places.tolist()) <= set(chosen[:size].tolist())


def test_samples_differ(graph):
    mx.random.seed(2)
    seeds = vertices(0)
    drawn = {
        tuple(nd.contrib.dgl_csr_neighbor_uniform_sample(graph, seeds)[1].indices.asnumpy())
        for _ in range(30)
    }
    assert len(drawn) > 3


def test_no_more_vertices_than_asked_for(graph):
    found = nd.contrib.dgl_csr_neighbor_uniform_sample(
        graph, vertices(0), num_hops=2, num_neighbor=5, max_num_vertices=3
    )
    assert found[0].asnumpy()[-1] == 3
    assert set(found[1].indices.asnumpy().tolist()) <= set(found[0].asnumpy()[:3].tolist())


def test_vertices_without_weight_are_not_drawn(graph):
    weights = nd.array([1, 0, 1, 0, 0, 1])
    for _ in range(10):
        found = nd.contrib.dgl_csr_neighbor_non_uniform_sample(
            graph, weights, vertices(0), num_neighbor=4, max_num_vertices=SIZE
        )
        chosen, edges, shares, _ = (item.asnumpy() for item in found)
        assert chosen[: chosen[-1]].tolist() == [0, 2, 5]
        assert edges[0].nonzero()[0].tolist() == [2, 5]
        assert shares.tolist() == [1, 1, 1, 0, 0, 0]


def test_a_compact_graph_keeps_the_numbers_of_edges(graph):
    chosen, edges, _ = nd.contrib.dgl_csr_neighbor_uniform_sample(
        graph, vertices(1), num_neighbor=2, max_num_vertices=SIZE
    )
    size = int(chosen.asnumpy()[-1])
    fresh, before = nd.contrib.dgl_graph_compact(
        edges, chosen, graph_sizes=(size,), return_mapping=True
    )
    assert fresh.shape == before.shape == (3, 3)
    assert fresh.data.asnumpy().tolist() == [0, 1]
    assert before.data.asnumpy().tolist() == edges.data.asnumpy().tolist()


def test_mistakes(graph):
    with pytest.raises(MXNetError, match="rising"):
        nd.contrib.dgl_subgraph(graph, vertices(2, 0), return_mapping=False)
    with pytest.raises(IndexOutOfBoundsError, match="below 6"):
        nd.contrib.dgl_csr_neighbor_uniform_sample(graph, vertices(9))
    with pytest.raises(TypeError, match="csr"):
        nd.contrib.dgl_adjacency(nd.ones((2, 2)))
    with pytest.raises(MXNetError, match="2 sizes"):
        nd.contrib.dgl_graph_compact(graph, vertices(1), graph_sizes=(1, 1), return_mapping=False)
