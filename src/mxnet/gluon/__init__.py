"""Networks, their parameters, losses and training."""

from mxnet._start import make_getattr
from mxnet.gluon import block as block
from mxnet.gluon import loss as loss
from mxnet.gluon import nn as nn
from mxnet.gluon import parameter as parameter
from mxnet.gluon import utils as utils
from mxnet.gluon.block import Block as Block
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.block import SymbolBlock as SymbolBlock
from mxnet.gluon.parameter import Constant as Constant
from mxnet.gluon.parameter import DeferredInitializationError as DeferredInitializationError
from mxnet.gluon.parameter import Parameter as Parameter
from mxnet.gluon.parameter import ParameterDict as ParameterDict
from mxnet.gluon.parameter import tensor_types as tensor_types

_LATE = {
    "Checkpoint": "mxnet.gluon.checkpoint:Checkpoint",
    "TrainStep": "mxnet.gluon.train_step:TrainStep",
    "Trainer": "mxnet.gluon.trainer:Trainer",
    "checkpoint": "mxnet.gluon.checkpoint",
    "contrib": "mxnet.gluon.contrib",
    "data": "mxnet.gluon.data",
    "metric": "mxnet.gluon.metric",
    "model_zoo": "mxnet.gluon.model_zoo",
    "probability": "mxnet.gluon.probability",
    "rnn": "mxnet.gluon.rnn",
    "shard": "mxnet.gluon.sharding:shard",
    "sharding": "mxnet.gluon.sharding",
    "train_step": "mxnet.gluon.train_step",
    "trainer": "mxnet.gluon.trainer",
}
"""What a network that only predicts does without; much of torch comes with some of it."""

__getattr__ = make_getattr(__name__, globals(), _LATE)
