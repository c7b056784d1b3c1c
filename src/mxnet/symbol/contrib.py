"""Contributed operators, and functions put together from them: `mx.sym.contrib`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet._start import tracebacks
from mxnet.errors import ArgumentTypeError
from mxnet.name import NameManager
from mxnet.symbol import random
from mxnet.symbol._control_flow import cond as cond
from mxnet.symbol._control_flow import foreach as foreach
from mxnet.symbol._control_flow import while_loop as while_loop
from mxnet.symbol._functions import FUNCTIONS, populate
from mxnet.symbol.symbol import Symbol


def rand_zipfian(
    true_classes: Symbol, num_sampled: int, range_max: int
) -> tuple[Symbol, Symbol, Symbol]:
    """Draws classes of which small numbers are the most common; see `mx.nd.contrib.rand_zipfian`.

    Args:
        true_classes: Classes to give the expected counts of.
        num_sampled: Number of classes to draw, with repetition.
        range_max: Number of classes.

    Example:
        >>> import mxnet as mx
        >>> drawn, *_ = mx.sym.contrib.rand_zipfian(mx.sym.var("true"), num_sampled=4, range_max=10)
        >>> print(drawn.eval()[0].shape)
        (4,)
    """
    width = math.log(range_max + 1)
    places = random.uniform(0, width, shape=(num_sampled,), dtype="float64")
    ranks: Any = FUNCTIONS["op"]["exp"](places)
    cast: Any = FUNCTIONS["op"]["cast"]
    sampled = cast(ranks - 1, dtype="int64") % range_max

    def expect(drawn: Symbol) -> Symbol:
        number = cast(drawn, dtype="float64")
        share: Any = FUNCTIONS["op"]["log"]((number + 2.0) / (number + 1.0))
        count: Symbol = share / width * num_sampled
        return count

    return sampled, expect(true_classes), expect(sampled)


def adamw_update(
    weight: Symbol,
    grad: Symbol,
    mean: Symbol,
    var: Symbol,
    rescale_grad: Symbol | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0,
    clip_gradient: float = -1,
    out: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Returns the weight after a step of Adam; see `mx.nd.contrib.adamw_update`.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients.
        var: Average of squared gradients.
        rescale_grad: Factor of the gradient; zero, infinite or NaN skips the update.
        lr: Learning rate.
        eta: Factor of the whole step.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        out: Accepted for compatibility.
        name: Name of the node.
        **kwargs: Further attributes of the operator.

    Example:
        >>> import mxnet as mx
        >>> arrays = [mx.sym.var(name) for name in ("weight", "grad", "mean", "var")]
        >>> y = mx.sym.contrib.adamw_update(*arrays, rescale_grad=1.0, lr=0.01, eta=1)
        >>> print(y.list_inputs())
        ['weight', 'grad', 'mean', 'var']
    """
    return FUNCTIONS["_internal"]["_adamw_update"](
        weight, grad, mean, var, _as_symbol(rescale_grad),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def mp_adamw_update(
    weight: Symbol,
    grad: Symbol,
    mean: Symbol,
    var: Symbol,
    weight32: Symbol,
    rescale_grad: Symbol | float,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0,
    clip_gradient: float = -1,
    out: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Returns the half precision weight after a step of Adam; see `adamw_update`.

    Args:
        weight: The weight.
        grad: Its gradient.
        mean: Average of gradients.
        var: Average of squared gradients.
        weight32: The weight in single precision, which is updated.
        rescale_grad: Factor of the gradient; zero, infinite or NaN skips the update.
        lr: Learning rate.
        eta: Factor of the whole step.
        beta1: Share of `mean` that is kept.
        beta2: Share of `var` that is kept.
        epsilon: Added to the divisor.
        wd: Weight decay.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
        out: Accepted for compatibility.
        name: Name of the node.
        **kwargs: Further attributes of the operator.

    Example:
        >>> import mxnet as mx
        >>> arrays = [mx.sym.var(name) for name in ("weight", "grad", "mean", "var", "weight32")]
        >>> y = mx.sym.contrib.mp_adamw_update(*arrays, rescale_grad=1.0, lr=0.01, eta=1)
        >>> print(len(y.list_outputs()))
        1
    """
    return FUNCTIONS["_internal"]["_mp_adamw_update"](
        weight, grad, mean, var, weight32, _as_symbol(rescale_grad),
        lr=lr, eta=eta, beta1=beta1, beta2=beta2, epsilon=epsilon, wd=wd,
        clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def _as_symbol(rescale_grad: Symbol | float) -> Symbol:
    """Returns the factor of the gradients as a symbol."""
    if isinstance(rescale_grad, Symbol):
        return rescale_grad
    return FUNCTIONS["_internal"]["_full"](shape=(1,), value=float(rescale_grad))


# The nodes are operators in Python (`mxnet.operator._graph_sampling`); see `mx.nd.contrib`.


def _make_node(
    function: str, inputs: Sequence[Any], name: str | None, options: dict[str, Any]
) -> Symbol:
    for item in inputs:
        if not isinstance(item, Symbol):
            raise ArgumentTypeError(f"{function}: takes symbols, got {type(item).__name__}")
    # Counted by function; `Custom` itself adds the prefix of a scope.
    node_name = name or NameManager.get(NameManager._current.value, None, function)
    given = {key: str(value) for key, value in options.items() if value is not None}
    node: Symbol = FUNCTIONS["op"]["Custom"](
        *inputs, op_type=function, num_inputs=str(len(inputs)), name=node_name, **given
    )
    return node


def dgl_adjacency(data: Symbol | None = None, name: str | None = None) -> Symbol:
    """Returns the adjacency matrix of a graph: ones, as float32, for its edges.

    Args:
        data: The graph, which is csr.
        name: Name of the node.

    Example:
        >>> import mxnet as mx
        >>> y = mx.sym.contrib.dgl_adjacency(mx.sym.var("graph"))
        >>> graph = mx.nd.array([[0, 5], [7, 0]]).tostype("csr")
        >>> print(y.eval(graph=graph)[0].asnumpy())
        [[0. 1.]
         [1. 0.]]
    """
    return _make_node("dgl_adjacency", [data], name, {})


def dgl_subgraph(
    *data: Symbol, return_mapping: bool, num_args: int | None = None, name: str | None = None
) -> Symbol:
    """Takes the edges between some vertices; see `mx.nd.contrib.dgl_subgraph`.

    Args:
        *data: The graph, then for each part its vertices, in rising order.
        return_mapping: Whether to give the numbers of the edges in the whole graph too.
        num_args: Accepted for compatibility.
        name: Name of the node.

    Example:
        >>> import mxnet as mx
        >>> graph, vertices = mx.sym.var("graph"), mx.sym.var("vertices")
        >>> y = mx.sym.contrib.dgl_subgraph(graph, vertices, return_mapping=False)
        >>> edges = mx.nd.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]], dtype="int64").tostype("csr")
        >>> print(y.eval(graph=edges, vertices=mx.nd.array([0, 2]))[0].shape)
        (2, 2)
    """
    del num_args
    return _make_node("dgl_subgraph", data, name, {"return_mapping": return_mapping})


def dgl_graph_compact(
    *graph_data: Symbol,
    return_mapping: bool,
    graph_sizes: int | Sequence[int],
    num_args: int | None = None,
    name: str | None = None,
) -> Symbol:
    """Removes rows and columns without a vertex; see `mx.nd.contrib.dgl_graph_compact`.

    Args:
        *graph_data: The graphs, then for each the vertices of its rows.
        return_mapping: Whether to give the numbers of the edges before too.
        graph_sizes: Number of vertices of each graph.
        num_args: Accepted for compatibility.
        name: Name of the node.

    Example:
        >>> import mxnet as mx
        >>> graph, vertices = mx.sym.var("graph"), mx.sym.var("vertices")
        >>> compact = mx.sym.contrib.dgl_graph_compact
        >>> y = compact(graph, vertices, graph_sizes=3, return_mapping=False)
        >>> print(y.list_arguments())
        ['graph', 'vertices']
    """
    del num_args
    sizes = graph_sizes if isinstance(graph_sizes, int) else tuple(map(int, graph_sizes))
    options = {"return_mapping": return_mapping, "graph_sizes": sizes}
    return _make_node("dgl_graph_compact", graph_data, name, options)


def dgl_csr_neighbor_uniform_sample(
    *seed_arrays: Symbol,
    num_args: int | None = None,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    name: str | None = None,
) -> Symbol:
    """Samples neighbours; see `mx.nd.contrib.dgl_csr_neighbor_uniform_sample`.

    Args:
        *seed_arrays: The graph, then vertices to begin with, for each part to sample.
        num_args: Accepted for compatibility.
        num_hops: How far to go.
        num_neighbor: How many neighbours of a vertex to take at most.
        max_num_vertices: How many vertices a part has at most.
        name: Name of the node.

    Example:
        >>> import mxnet as mx
        >>> graph, seeds = mx.sym.var("graph"), mx.sym.var("seeds")
        >>> y = mx.sym.contrib.dgl_csr_neighbor_uniform_sample(graph, seeds, num_neighbor=2)
        >>> print(len(y.list_outputs()))
        3
    """
    del num_args
    options = {
        "num_hops": num_hops,
        "num_neighbor": num_neighbor,
        "max_num_vertices": max_num_vertices,
    }
    return _make_node("dgl_csr_neighbor_uniform_sample", seed_arrays, name, options)


def dgl_csr_neighbor_non_uniform_sample(
    *seed_arrays: Symbol,
    num_args: int | None = None,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    name: str | None = None,
) -> Symbol:
    """Samples neighbours by weights; see `mx.nd.contrib.dgl_csr_neighbor_non_uniform_sample`.

    Args:
        *seed_arrays: The graph, the weight of each vertex, then vertices to begin with, for each
            part to sample.
        num_args: Accepted for compatibility.
        num_hops: How far to go.
        num_neighbor: How many neighbours of a vertex to take at most.
        max_num_vertices: How many vertices a part has at most.
        name: Name of the node.

    Example:
        >>> import mxnet as mx
        >>> inputs = [mx.sym.var(name) for name in ("graph", "weights", "seeds")]
        >>> y = mx.sym.contrib.dgl_csr_neighbor_non_uniform_sample(*inputs, num_neighbor=2)
        >>> print(len(y.list_outputs()))
        4
    """
    del num_args
    options = {
        "num_hops": num_hops,
        "num_neighbor": num_neighbor,
        "max_num_vertices": max_num_vertices,
    }
    return _make_node("dgl_csr_neighbor_non_uniform_sample", seed_arrays, name, options)


_WRITTEN_BY_HAND = (
    "adamw_update backward_hawkesll backward_index_copy backward_quadratic cond dgl_adjacency "
    "dgl_csr_neighbor_non_uniform_sample dgl_csr_neighbor_uniform_sample dgl_graph_compact "
    "dgl_subgraph foreach mp_adamw_update rand_zipfian while_loop"
)
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND.split()]

tracebacks.public_functions(globals())
