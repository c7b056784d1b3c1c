"""Networks: blocks, hybrid blocks, and blocks made of graphs."""

from mxnet.gluon._grouping import _flatten as _flatten
from mxnet.gluon._grouping import _regroup as _regroup
from mxnet.gluon.blocks.block import Block as Block
from mxnet.gluon.blocks.naming import _BlockScope as _BlockScope
from mxnet.gluon.hybrid.block import HybridBlock as HybridBlock
from mxnet.gluon.hybrid.symbol_block import SymbolBlock as SymbolBlock
from mxnet.gluon.parameters.dictionary import ParameterDict as ParameterDict
from mxnet.gluon.parameters.parameter import (
    DeferredInitializationError as DeferredInitializationError,
)
from mxnet.gluon.parameters.parameter import Parameter as Parameter
from mxnet.gluon.utils import HookHandle as HookHandle
from mxnet.gluon.utils import _indent as _indent
from mxnet.ndarray import NDArray as NDArray
from mxnet.symbol import Symbol as Symbol

for _class in (  # where programs and pickles find them, as in the original
    Block,
    HybridBlock,
    SymbolBlock,
):
    _class.__module__ = __name__
