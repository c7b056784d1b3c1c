"""Parameters of networks: `Parameter`, `Constant` and `ParameterDict`."""

from mxnet import ndarray, symbol
from mxnet.gluon.parameters import Constant as Constant
from mxnet.gluon.parameters import DeferredInitializationError as DeferredInitializationError
from mxnet.gluon.parameters import Parameter as Parameter
from mxnet.gluon.parameters import ParameterDict as ParameterDict
from mxnet.gluon.parameters import ParameterError as ParameterError

tensor_types = (symbol.Symbol, ndarray.NDArray)
"""Classes that blocks accept as arrays."""

for _class in (  # where programs and pickles find them, as in the original
    Constant,
    DeferredInitializationError,
    Parameter,
    ParameterDict,
    ParameterError,
):
    _class.__module__ = __name__
