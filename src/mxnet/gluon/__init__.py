"""Networks, their parameters, losses and training."""

from mxnet.gluon import block as block
from mxnet.gluon import contrib as contrib
from mxnet.gluon import data as data
from mxnet.gluon import loss as loss
from mxnet.gluon import model_zoo as model_zoo
from mxnet.gluon import nn as nn
from mxnet.gluon import parameter as parameter
from mxnet.gluon import rnn as rnn
from mxnet.gluon import utils as utils
from mxnet.gluon._symbol_block import SymbolBlock as SymbolBlock
from mxnet.gluon.block import Block as Block
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.parameter import Constant as Constant
from mxnet.gluon.parameter import DeferredInitializationError as DeferredInitializationError
from mxnet.gluon.parameter import Parameter as Parameter
from mxnet.gluon.parameter import ParameterDict as ParameterDict
from mxnet.gluon.parameter import tensor_types as tensor_types
from mxnet.gluon.trainer import Trainer as Trainer

vars(block)["SymbolBlock"] = SymbolBlock  # where programs import it from; it derives from that module
