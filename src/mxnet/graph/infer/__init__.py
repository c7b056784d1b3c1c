"""What is known of a graph before it runs: shapes, element types, storage, costs."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr
from mxnet.graph.infer.shapes import Axis as Axis
from mxnet.graph.infer.shapes import Shapes as Shapes
from mxnet.graph.infer.shapes import complete_attrs as complete_attrs
from mxnet.graph.infer.shapes import find_open as find_open
from mxnet.graph.infer.shapes import infer_shapes as infer_shapes
from mxnet.graph.infer.shapes import is_open as is_open
from mxnet.graph.infer.shapes import trace_lengths as trace_lengths
from mxnet.graph.infer.types import Types as Types
from mxnet.graph.infer.types import check_types as check_types
from mxnet.graph.infer.types import declared_type as declared_type
from mxnet.graph.infer.types import infer_gradient_storage as infer_gradient_storage
from mxnet.graph.infer.types import infer_storage as infer_storage
from mxnet.graph.infer.types import infer_types as infer_types

if TYPE_CHECKING:
    from mxnet.graph.infer.costs import Costs as Costs
    from mxnet.graph.infer.costs import NodeCost as NodeCost
    from mxnet.graph.infer.costs import count_flops as count_flops

_NAMES = ("Costs", "NodeCost", "count_flops")
__getattr__ = make_getattr(
    __name__, globals(), {name: f"{__name__}.costs:{name}" for name in _NAMES}
)
