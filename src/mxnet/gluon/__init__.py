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

_MODULES = "checkpoint contrib data metric model_zoo probability rnn sharding train_step trainer"
_LATE = {name: f"{__name__}.{name}" for name in _MODULES.split()} | {
    "Checkpoint": "mxnet.gluon.checkpoint:Checkpoint",
    "TrainStep": "mxnet.gluon.train_step:TrainStep",
    "Trainer": "mxnet.gluon.trainer:Trainer",
    "shard": "mxnet.gluon.sharding:shard",
}
"""What a network that only predicts does without; much of torch comes with some of it."""

__getattr__ = make_getattr(__name__, globals(), _LATE)
