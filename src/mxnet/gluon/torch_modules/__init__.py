"""Blocks as modules of torch."""

from mxnet.gluon.torch_modules._module import BlockModule as BlockModule
from mxnet.gluon.torch_modules._module import as_torch_module as as_torch_module
