"""Blocks as modules of torch, imported when the first one is made."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet.gluon.torch_modules._module import BlockModule as BlockModule
    from mxnet.gluon.torch_modules._module import as_torch_module as as_torch_module

__getattr__ = make_getattr(
    __name__,
    globals(),
    {
        name: f"mxnet.gluon.torch_modules._module:{name}"
        for name in ("BlockModule", "as_torch_module")
    },
)
