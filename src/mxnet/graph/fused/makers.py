"""What makes the fused operators of files from their subgraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from mxnet.graph.fused.attention import SCORES, SUMS, make_attention_op
from mxnet.graph.fused.op import CONVOLUTION, DENSE, FusedOp, make_fused_op
from mxnet.graph.ir import Graph

MAKERS: Mapping[str, Callable[[Sequence[Graph]], FusedOp]] = {
    **{fusion.name: partial(make_fused_op, fusion) for fusion in (CONVOLUTION, DENSE)},
    **{fusion.name: partial(make_attention_op, fusion) for fusion in (SCORES, SUMS)},
}
"""By the names that operators have in files."""
