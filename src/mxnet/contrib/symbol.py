"""Contributed operators on symbols where programs before 1.0 have them: `mx.contrib.sym`."""

from mxnet.symbol import contrib
from mxnet.symbol._functions import populate

_WRITTEN_BY_HAND = [
    name for name in contrib._WRITTEN_BY_HAND.split() if name.startswith(("backward_", "dgl_"))
]
globals().update({name: getattr(contrib, name) for name in _WRITTEN_BY_HAND})
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]
