"""Prediction on a CPU by OpenVINO, an extra that need not be installed (ADR 0024).

The modules are imported when a graph is to be computed so.
"""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet.graph.openvino.config import read_config as read_config
    from mxnet.graph.openvino.plan import make_plan as make_plan

BACKEND = "openvino"
"""Name of the backend in `hybridize` and `optimize_for`."""

__getattr__ = make_getattr(
    __name__,
    globals(),
    {"make_plan": f"{__name__}.plan:make_plan", "read_config": f"{__name__}.config:read_config"},
)
