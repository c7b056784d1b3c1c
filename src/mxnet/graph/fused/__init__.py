"""Layers that the original's oneDNN backends fuse: a layer and what follows it, as one node.

Few graphs have them, so that the modules are imported when a function is first asked for.
"""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet.graph.fused.compute import prepare_layers as prepare_layers
    from mxnet.graph.fused.compute import split_layers as split_layers
    from mxnet.graph.fused.fuse import fuse_layers as fuse_layers
    from mxnet.graph.fused.op import make_op as make_op

OPERATORS = frozenset(
    {
        *("_sg_mkldnn_conv", "_sg_mkldnn_fully_connected"),
        *("_sg_mkldnn_selfatt_qk", "_sg_mkldnn_selfatt_valatt"),
    }
)
"""Names of fused operators in files."""
BACKENDS = {"MKLDNN": False, "MKLDNN_QUANTIZE": True}
"""Names of the backends that fuse layers, with whether their graphs are to be quantized."""

__getattr__ = make_getattr(
    __name__,
    globals(),
    {
        "fuse_layers": f"{__name__}.fuse:fuse_layers",
        "make_op": f"{__name__}.op:make_op",
        "prepare_layers": f"{__name__}.compute:prepare_layers",
        "split_layers": f"{__name__}.compute:split_layers",
    },
)
