"""Curves and tables of training in notebooks: `mx.notebook`."""

from typing import TYPE_CHECKING

from mxnet._start import importing
from mxnet.notebook._tables import Bokeh_Failed_To_Import as Bokeh_Failed_To_Import

if TYPE_CHECKING:
    from mxnet.notebook import callback as callback

_LATE = {"bokeh": "mxnet.notebook._tables:bokeh", "callback": "mxnet.notebook.callback"}

__getattr__ = importing.make_getattr(__name__, globals(), _LATE)
