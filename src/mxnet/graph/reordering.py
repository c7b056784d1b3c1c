"""A pass for every setting: the rectifier behind the maximum, where there is less to rectify."""

from __future__ import annotations

from torch import fx

from mxnet.graph.passes import attribute, operator_of


def pool_before_rectifying(graph: fx.Graph) -> None:
    """Lets maxima be taken first where they are taken of rectified data.

    The greatest of rectified numbers is the greatest number, rectified. Gradients are the same too:
    among positive numbers the first maximum stays the first, and others get none.
    """
    for pool in list(graph.nodes):
        if not _takes_maxima(pool):
            continue
        rectifier = pool.args[0]
        if not _rectifies(rectifier) or len(rectifier.users) > 1:
            continue
        with graph.inserting_after(pool):
            behind = graph.node_copy(rectifier)
        pool.replace_all_uses_with(behind)
        pool.args, behind.args = rectifier.args, (pool,)
        graph.erase_node(rectifier)


def _rectifies(node: fx.Node) -> bool:
    op = operator_of(node)
    if op is None:
        return False
    return op.name == "relu" or (op.name == "Activation" and attribute(node, "act_type") == "relu")


def _takes_maxima(node: fx.Node) -> bool:
    """Returns whether a node gives the maxima of windows, each of which has a point of the data."""
    op = operator_of(node)
    if op is None or op.name != "Pooling" or attribute(node, "pool_type") != "max":
        return False
    if attribute(node, "global_pool"):
        return True
    pads, kernel = attribute(node, "pad"), attribute(node, "kernel")
    inside = all(pad < window for pad, window in zip(pads, kernel, strict=False))
    return inside and attribute(node, "pooling_convention") == "valid"
