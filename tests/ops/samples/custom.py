"""The operator that a program supplies in Python."""

# ruff: noqa: ARG002 - the interface gives the arguments
from __future__ import annotations

from typing import Any

from .core import ints, rand, sample


def _power(mx: Any) -> type:
    class Power(mx.operator.CustomOp):
        def __init__(self, exponent: int) -> None:
            super().__init__()
            self.exponent = exponent

        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] ** self.exponent)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            slope = self.exponent * in_data[0] ** (self.exponent - 1)
            self.assign(in_grad[0], req[0], out_grad[0] * slope)

    class PowerProp(mx.operator.CustomOpProp):
        def __init__(self, exponent: str = "2") -> None:
            super().__init__()
            self.exponent = int(exponent)

        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Power(self.exponent)

    return PowerProp


def _pair(mx: Any) -> type:
    class Pair(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            a, b = in_data
            self.assign(out_data[0], req[0], a * b)
            self.assign(out_data[1], req[1], (a + b).sum(axis=1))
            if is_train:
                aux[0][:] = aux[0] + 1

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            a, b = in_data
            both = out_grad[1].reshape((-1, 1))
            self.assign(in_grad[0], req[0], out_grad[0] * b + both)
            self.assign(in_grad[1], req[1], out_grad[0] * a + both)

    class PairProp(mx.operator.CustomOpProp):
        def list_arguments(self):
            return ["a", "b"]

        def list_outputs(self):
            return ["product", "sum"]

        def list_auxiliary_states(self):
            return ["count"]

        def infer_shape(self, in_shape):
            return in_shape, [in_shape[0], in_shape[0][:1]], [[1]]

        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Pair()

    return PairProp


def prepare(mx: Any) -> None:
    """Registers the operators of the samples with the package that runs them."""
    mx.operator.register("sample_power")(_power(mx))
    mx.operator.register("sample_pair")(_pair(mx))


SAMPLES = [
    sample("Custom", rand(2, 3), op_type="sample_power"),
    sample("Custom", rand(2, 3), op_type="sample_power", exponent=3),
    sample("Custom", rand(2, 3, dtype="float64"), op_type="sample_power", exponent="3"),
    sample("Custom", ints(2, 3), op_type="sample_power", gradient=False),
    sample("Custom", rand(2, 3), rand(2, 3), rand(1), op_type="sample_pair"),
    sample("Custom", rand(2, 3), rand(2, 3), rand(1), op_type="sample_pair", train=False),
    sample("Custom", rand(2, 3), rand(2, 3), op_type="sample_pair", raises=True),
    sample("Custom", rand(2, 3), op_type="sample_nothing", raises=True),
    sample("Custom", rand(2, 3), raises=True),
]
