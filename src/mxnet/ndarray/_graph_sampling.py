"""Parts of graphs, for graph neural networks: `mx.nd.contrib.dgl_*`.

A graph is a csr array whose stored elements are the numbers of the edges from rows to columns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from mxnet._state import rng
from mxnet.errors import ArgumentTypeError, IndexOutOfBoundsError, MXNetError
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray._ndarray import NDArray, from_tensor
from mxnet.ndarray._sparse_array import CSRNDArray
from mxnet.ndarray._sparse_base import like


def dgl_adjacency(data: Any = None) -> CSRNDArray:
    """Returns the adjacency matrix of a graph: ones, as float32, for its edges.

    Example:
        >>> import mxnet as mx
        >>> graph = mx.nd.array([[0, 5], [7, 0]]).tostype("csr")
        >>> print(mx.nd.contrib.dgl_adjacency(graph).asnumpy())
        [[0. 1.]
         [1. 0.]]
    """
    graph = _check_graph("dgl_adjacency", data)
    ones = torch.ones_like(graph._parts[0], dtype=torch.float32)
    return like(graph, ones)  # type: ignore[return-value]  # a csr array as well


def dgl_subgraph(
    graph: Any,
    *data: NDArray,
    return_mapping: bool,
    num_args: int | None = None,  # noqa: ARG001 - for compatibility
) -> NDArray | list[NDArray]:
    """Takes the edges between some vertices.

    Args:
        graph: The graph.
        *data: For each part its vertices, in rising order.
        return_mapping: Whether to give the numbers of the edges in the whole graph too.
        num_args: Accepted for compatibility.

    Returns:
        For each part a graph with edges numbered from 0; then, if asked for, the same graphs with
        the numbers that the edges had.

    Example:
        >>> import mxnet as mx
        >>> edges = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype="int64").tostype("csr")
        >>> part, kept = mx.nd.contrib.dgl_subgraph(edges, mx.nd.array([0, 2]), return_mapping=True)
        >>> print(part.asnumpy().tolist(), kept.asnumpy().tolist())
        [[0, 0], [1, 0]] [[0, 2], [5, 0]]
    """
    whole = _check_graph("dgl_subgraph", graph)
    parts = []
    for vertices in data:
        chosen = _check_vertices("dgl_subgraph", vertices, whole)
        if not kernels.in_order(chosen):
            raise MXNetError(f"dgl_subgraph: expected rising vertices, got {chosen.tolist()}")
        parts.append(_renumber(kernels.pick_matrix_rows(whole._matrix(), chosen), chosen, whole))
    return _numbered(parts, return_mapping)


def dgl_graph_compact(
    *graph_data: Any,
    return_mapping: bool,
    graph_sizes: int | Sequence[int],
    num_args: int | None = None,  # noqa: ARG001 - for compatibility
) -> NDArray | list[NDArray]:
    """Removes rows and columns without a vertex from graphs that were sampled.

    Args:
        *graph_data: The graphs, then for each the vertices of its rows.
        return_mapping: Whether to give the numbers of the edges before too.
        graph_sizes: Number of vertices of each graph.
        num_args: Accepted for compatibility.

    Example:
        >>> import mxnet as mx
        >>> edges = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype="int64").tostype("csr")
        >>> seeds = mx.nd.array([0], dtype="int64")
        >>> sample = mx.nd.contrib.dgl_csr_neighbor_uniform_sample
        >>> vertices, sampled, _ = sample(edges, seeds, num_neighbor=2, max_num_vertices=5)
        >>> size = int(vertices[-1].asscalar())
        >>> options = {"graph_sizes": size, "return_mapping": False}
        >>> compact = mx.nd.contrib.dgl_graph_compact(sampled, vertices, **options)
        >>> print(sampled.shape, compact.shape)
        (5, 3) (3, 3)
    """
    sizes = [graph_sizes] if isinstance(graph_sizes, int) else [int(size) for size in graph_sizes]
    count = len(sizes)
    if len(graph_data) != 2 * count:
        raise MXNetError(
            f"dgl_graph_compact: expected a graph and its vertices for each of {count} sizes, "
            f"got {len(graph_data)} arrays"
        )
    parts = []
    for graph, vertices, size in zip(graph_data[:count], graph_data[count:], sizes, strict=True):
        sampled = _check_graph("dgl_graph_compact", graph)
        chosen = vertices._plain[:size].long()
        rows = kernels.take_matrix_rows(sampled._matrix(), 0, size)
        parts.append(_renumber(rows, chosen, sampled))
    return _numbered(parts, return_mapping)


def dgl_csr_neighbor_uniform_sample(
    csr_matrix: Any,
    *seed_arrays: NDArray,
    num_args: int | None = None,  # noqa: ARG001 - for compatibility
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
) -> list[NDArray]:
    """Samples neighbours of vertices, and neighbours of those, all with the same probability.

    Args:
        csr_matrix: The graph.
        *seed_arrays: Vertices to begin with, an array for each part to sample.
        num_args: Accepted for compatibility.
        num_hops: How far to go.
        num_neighbor: How many neighbours of a vertex to take at most.
        max_num_vertices: How many vertices a part has at most.

    Returns:
        For each part its vertices in rising order, with their number as the last element; then the
        edges from them, a row for each; then how many steps a vertex is away.

    Example:
        >>> import mxnet as mx
        >>> edges = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype="int64").tostype("csr")
        >>> seeds = mx.nd.array([0], dtype="int64")
        >>> sample = mx.nd.contrib.dgl_csr_neighbor_uniform_sample
        >>> vertices, sampled, steps = sample(edges, seeds, num_neighbor=2, max_num_vertices=4)
        >>> print(vertices.asnumpy(), steps.asnumpy())
        [0 1 2 0 3] [0 1 1 0]
    """
    graph = _check_graph("dgl_csr_neighbor_uniform_sample", csr_matrix)
    limits = _Limits(num_hops, num_neighbor, max_num_vertices)
    found = [_sample(graph, None, seeds, limits) for seeds in seed_arrays]
    return [part[position] for position in range(3) for part in found]


def dgl_csr_neighbor_non_uniform_sample(
    csr_matrix: Any,
    probability: NDArray,
    *seed_arrays: NDArray,
    num_args: int | None = None,  # noqa: ARG001 - for compatibility
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
) -> list[NDArray]:
    """Samples neighbours of vertices by the probability of each vertex.

    Args:
        csr_matrix: The graph.
        probability: A weight for each vertex.
        *seed_arrays: Vertices to begin with, an array for each part to sample.
        num_args: Accepted for compatibility.
        num_hops: How far to go.
        num_neighbor: How many neighbours of a vertex to take at most.
        max_num_vertices: How many vertices a part has at most.

    Returns:
        As `dgl_csr_neighbor_uniform_sample`, with the weights of the vertices as the third set.

    Example:
        >>> import mxnet as mx
        >>> edges = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype="int64").tostype("csr")
        >>> weights, seeds = mx.nd.array([1, 0, 1]), mx.nd.array([0], dtype="int64")
        >>> sample = mx.nd.contrib.dgl_csr_neighbor_non_uniform_sample
        >>> vertices, *_ = sample(edges, weights, seeds, num_neighbor=1, max_num_vertices=4)
        >>> print(vertices.asnumpy()[:2])
        [0 2]
    """
    graph = _check_graph("dgl_csr_neighbor_non_uniform_sample", csr_matrix)
    limits = _Limits(num_hops, num_neighbor, max_num_vertices)
    weights = probability._plain
    found = [_sample(graph, weights, seeds, limits) for seeds in seed_arrays]
    for part in found:
        chosen = part[0]._plain
        here = weights.new_zeros(max_num_vertices)
        size = int(chosen[-1])
        here[:size] = weights[chosen[:size]]
        part.insert(2, from_tensor(here, graph._ctx.results))
    return [part[position] for position in range(4) for part in found]


class _Limits(NamedTuple):
    """How far a sample goes."""

    hops: int
    neighbours: int
    vertices: int


def _sample(
    graph: CSRNDArray, weights: Tensor | None, seeds: NDArray, limits: _Limits
) -> list[NDArray]:
    """Samples one part: its vertices, edges and distances."""
    data, indices, indptr = graph._matrix()
    generator = rng.generator_for(graph._ctx.device_type, graph._ctx.device_id)
    start = _check_vertices("dgl_csr_neighbor_sample", seeds, graph).tolist()
    distance: dict[int, int] = dict.fromkeys(start[: limits.vertices], 0)
    edges: dict[int, Tensor] = {}
    pending = deque(distance)
    while pending:
        vertex = pending.popleft()
        if distance[vertex] >= limits.hops:
            continue
        around = torch.arange(int(indptr[vertex]), int(indptr[vertex + 1]), device=data.device)
        around = _choose(around, indices, weights, limits.neighbours, generator)
        for neighbour in indices[around].tolist():
            if neighbour not in distance and len(distance) < limits.vertices:
                distance[neighbour] = distance[vertex] + 1
                pending.append(neighbour)
        inside = [place for place in around.tolist() if int(indices[place]) in distance]
        edges[vertex] = torch.tensor(inside, dtype=torch.int64, device=data.device)
    return _as_arrays(graph, distance, edges, limits.vertices)


def _choose(
    places: Tensor, indices: Tensor, weights: Tensor | None, count: int, generator: Any
) -> Tensor:
    """Draws some of the stored elements without putting them back, in their order."""
    if len(places) <= count:
        return places
    if weights is None:
        chance = torch.ones(len(places), device=places.device)
    else:
        chance = weights[indices[places]].float()
        count = min(count, int((chance > 0).sum()))
    drawn = torch.multinomial(chance, count, generator=generator)
    return places[drawn.sort().values]


def _as_arrays(
    graph: CSRNDArray, distance: dict[int, int], edges: dict[int, Tensor], size: int
) -> list[NDArray]:
    data, indices, indptr = graph._matrix()
    ctx = graph._ctx.results
    order = sorted(distance)
    vertices = indices.new_zeros(size + 1)
    vertices[: len(order)] = indices.new_tensor(order)
    vertices[-1] = len(order)
    steps = indices.new_zeros(size)
    steps[: len(order)] = indices.new_tensor([distance[vertex] for vertex in order])
    kept = [edges.get(vertex, indices.new_zeros(0)) for vertex in order]
    counts = indptr.new_zeros(size + 1)
    counts[1 : len(order) + 1] = indptr.new_tensor([len(part) for part in kept])
    stored = torch.cat(kept)
    parts = (data[stored], indices[stored], counts.cumsum(0))
    sampled = CSRNDArray._of_parts(parts, (size, graph._shape[1]), ctx)
    return [from_tensor(vertices, ctx), sampled, from_tensor(steps, ctx)]


def _renumber(rows: kernels.Matrix, chosen: Tensor, graph: CSRNDArray) -> CSRNDArray:
    """Keeps the columns of some vertices, and numbers them as they come."""
    data, indices, indptr = rows
    number = indices.new_full((graph._shape[1],), -1)
    number[chosen] = torch.arange(len(chosen), device=chosen.device)
    column, row = number[indices], kernels.row_numbers(indptr)
    kept = column >= 0
    parts = (data[kept], column[kept], kernels.pointers(row[kept], len(chosen)))
    return CSRNDArray._of_parts(parts, (len(chosen), len(chosen)), graph._ctx.results)


def _numbered(graphs: Sequence[CSRNDArray], with_old: bool) -> NDArray | list[NDArray]:
    """Numbers the edges of graphs from 0, and gives the graphs as they were as well."""
    results: list[NDArray] = []
    for graph in graphs:
        indices = graph._parts[1]
        results.append(like(graph, torch.arange(len(indices), device=indices.device)))
    if with_old:
        results.extend(graphs)
    return results[0] if len(results) == 1 else results


def _check_graph(where: str, graph: Any) -> CSRNDArray:
    if not isinstance(graph, CSRNDArray):
        raise ArgumentTypeError(f"{where}: takes a csr array, got {type(graph).__name__}")
    return graph


def _check_vertices(where: str, vertices: NDArray, graph: CSRNDArray) -> Tensor:
    chosen = vertices._plain.long().view(-1)
    if len(chosen) and not 0 <= int(chosen.min()) <= int(chosen.max()) < graph._shape[0]:
        raise IndexOutOfBoundsError(
            f"{where}: expected vertices below {graph._shape[0]}, got {chosen.tolist()}"
        )
    return chosen
