"""Curves and tables of training in notebooks: `mx.notebook`."""

from typing import TYPE_CHECKING

from mxnet import _importing

if TYPE_CHECKING:
    from mxnet.notebook import callback as callback

_LATE = {"callback": "mxnet.notebook.callback"}

__getattr__ = _importing.make_getattr(__name__, globals(), _LATE)
