"""A pass for every setting: the rectifier behind the maximum, where there is less to rectify."""

from __future__ import annotations

from mxnet.graph.lower.calls import Call, CallGraph
from mxnet.graph.passes.basics import activation_of, attribute, role_of


def pool_before_rectifying(graph: CallGraph) -> None:
    """Lets maxima be taken first where they are taken of rectified data.

    The greatest of rectified numbers is the greatest number, rectified. Gradients are the same too:
    among positive numbers the first maximum stays the first, and others get none.
    """
    for pool in graph.calls_of("pooling"):
        if not _takes_maxima(pool):
            continue
        rectifier = pool.args[0]
        if not _rectifies(rectifier) or len(rectifier.users) > 1:
            continue
        with graph.inserting_after(pool):
            behind = graph.node_copy(rectifier)
        behind.shape = pool.shape
        pool.replace_all_uses_with(behind)
        pool.set_arguments(rectifier.args)
        behind.set_arguments((pool,))
        graph.erase_node(rectifier)


def _rectifies(node: Call) -> bool:
    activation = activation_of(node)
    return activation is not None and activation[0] == "relu"


def _takes_maxima(node: Call) -> bool:
    """Returns whether a node gives the maxima of windows, each of which has a point of the data."""
    if role_of(node) != "pooling" or attribute(node, "pool_type") != "max":
        return False
    if attribute(node, "global_pool"):
        return True
    pads, kernel = attribute(node, "pad"), attribute(node, "kernel")
    inside = all(pad < window for pad, window in zip(pads, kernel, strict=False))
    return inside and attribute(node, "pooling_convention") == "valid"
