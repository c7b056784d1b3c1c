"""Parameters of Gluon as parameters and buffers of torch, on the same memory."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from mxnet.gluon._parameter import Constant, Parameter
from mxnet.ndarray import NDArray


def share(parameter: Any, array: NDArray) -> Tensor:
    """Returns a parameter of torch on the memory of a value; a tensor for what has no gradient.

    Args:
        parameter: The parameter, or what holds an array beside the parameters.
        array: Its value.
    """
    array._own()
    array._aliased = True
    tensor = array._plain.detach()
    is_trained = isinstance(parameter, Parameter) and not isinstance(parameter, Constant)
    if is_trained and parameter._differentiable and tensor.is_floating_point():
        return nn.Parameter(tensor, requires_grad=parameter.grad_req != "null")
    return tensor
