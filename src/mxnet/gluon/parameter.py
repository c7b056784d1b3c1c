"""Parameters of networks: `Parameter`, `Constant` and `ParameterDict`."""

from mxnet import ndarray, symbol
from mxnet.gluon._parameter import Constant as Constant
from mxnet.gluon._parameter import DeferredInitializationError as DeferredInitializationError
from mxnet.gluon._parameter import Parameter as Parameter
from mxnet.gluon._parameter import ParameterError as ParameterError
from mxnet.gluon._parameter_dict import ParameterDict as ParameterDict

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
