"""Networks: blocks, hybrid blocks, and blocks made of graphs."""

from mxnet.gluon._block import AttributeTypeError as AttributeTypeError
from mxnet.gluon._block import Block as Block
from mxnet.gluon._block import ChildTypeError as ChildTypeError
from mxnet.gluon._block import ForwardNotDefinedError as ForwardNotDefinedError
from mxnet.gluon._grouping import _flatten as _flatten
from mxnet.gluon._grouping import _regroup as _regroup
from mxnet.gluon._hybrid_block import HybridBlock as HybridBlock
from mxnet.gluon._symbol_block import SymbolBlock as SymbolBlock
