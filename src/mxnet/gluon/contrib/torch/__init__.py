"""Modules of torch as blocks, and blocks as modules of torch."""

from mxnet.gluon.contrib.torch._block import TorchBlock as TorchBlock
from mxnet.gluon.torch_modules import as_torch_module as as_torch_module
