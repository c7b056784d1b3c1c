"""Contributed operators: `mx.nd.contrib`."""

from mxnet.ndarray._contrib_updates import adamw_update as adamw_update
from mxnet.ndarray._contrib_updates import mp_adamw_update as mp_adamw_update
from mxnet.ndarray._contrib_updates import multi_adamw_update as multi_adamw_update
from mxnet.ndarray._contrib_updates import multi_lamb_update as multi_lamb_update
from mxnet.ndarray._contrib_updates import multi_mp_adamw_update as multi_mp_adamw_update
from mxnet.ndarray._contrib_updates import multi_mp_lamb_update as multi_mp_lamb_update
from mxnet.ndarray._control_flow import cond as cond
from mxnet.ndarray._control_flow import foreach as foreach
from mxnet.ndarray._control_flow import while_loop as while_loop
from mxnet.ndarray._namespaces import populate

_WRITTEN_BY_HAND = (
    "adamw_update",
    "cond",
    "foreach",
    "mp_adamw_update",
    "multi_adamw_update",
    "multi_lamb_update",
    "multi_mp_adamw_update",
    "multi_mp_lamb_update",
    "while_loop",
)
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]
