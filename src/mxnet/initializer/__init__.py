"""Initializers: how parameters get their first values (`mx.init`).

Example:
    >>> import mxnet as mx
    >>> weight = mx.nd.empty((2, 3))
    >>> mx.init.Constant(0.5)(mx.init.InitDesc("fc_weight"), weight)
    >>> print(weight.asnumpy())
    [[0.5 0.5 0.5]
     [0.5 0.5 0.5]]
"""

from mxnet._start import publish_classes, tracebacks
from mxnet.initializer._base import InitDesc as InitDesc
from mxnet.initializer._base import Initializer as Initializer
from mxnet.initializer._base import alias as alias
from mxnet.initializer._base import create as create
from mxnet.initializer._base import register as register
from mxnet.initializer._initializers import Bilinear as Bilinear
from mxnet.initializer._initializers import Constant as Constant
from mxnet.initializer._initializers import FusedRNN as FusedRNN
from mxnet.initializer._initializers import Load as Load
from mxnet.initializer._initializers import LSTMBias as LSTMBias
from mxnet.initializer._initializers import Mixed as Mixed
from mxnet.initializer._initializers import MSRAPrelu as MSRAPrelu
from mxnet.initializer._initializers import Normal as Normal
from mxnet.initializer._initializers import One as One
from mxnet.initializer._initializers import Orthogonal as Orthogonal
from mxnet.initializer._initializers import RNNFused as RNNFused
from mxnet.initializer._initializers import Uniform as Uniform
from mxnet.initializer._initializers import Xavier as Xavier
from mxnet.initializer._initializers import Zero as Zero

publish_classes(globals())
tracebacks.public_functions(globals())
