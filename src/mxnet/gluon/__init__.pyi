"""Written by `make stubs`; do not edit."""

from mxnet.gluon import block as block
from mxnet.gluon import checkpoint as checkpoint
from mxnet.gluon import contrib as contrib
from mxnet.gluon import data as data
from mxnet.gluon import loss as loss
from mxnet.gluon import metric as metric
from mxnet.gluon import model_zoo as model_zoo
from mxnet.gluon import nn as nn
from mxnet.gluon import parameter as parameter
from mxnet.gluon import probability as probability
from mxnet.gluon import rnn as rnn
from mxnet.gluon import sharding as sharding
from mxnet.gluon import train_step as train_step
from mxnet.gluon import trainer as trainer
from mxnet.gluon import utils as utils
from mxnet.gluon.block import Block as Block
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.block import SymbolBlock as SymbolBlock
from mxnet.gluon.checkpoint import Checkpoint as Checkpoint
from mxnet.gluon.parameter import Constant as Constant
from mxnet.gluon.parameter import DeferredInitializationError as DeferredInitializationError
from mxnet.gluon.parameter import Parameter as Parameter
from mxnet.gluon.parameter import ParameterDict as ParameterDict
from mxnet.gluon.parameter import tensor_types as tensor_types
from mxnet.gluon.sharding import shard as shard
from mxnet.gluon.train_step import TrainStep as TrainStep
from mxnet.gluon.trainer import Trainer as Trainer

__all__ = ['Block', 'Checkpoint', 'Constant', 'DeferredInitializationError', 'HybridBlock', 'Parameter', 'ParameterDict', 'SymbolBlock', 'TrainStep', 'Trainer', 'block', 'checkpoint', 'contrib', 'data', 'loss', 'metric', 'model_zoo', 'nn', 'parameter', 'probability', 'rnn', 'shard', 'sharding', 'tensor_types', 'train_step', 'trainer', 'utils']
