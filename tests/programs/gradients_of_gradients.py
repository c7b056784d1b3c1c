"""Gradients of gradients that are zero, and variables that have no effect."""

from __future__ import annotations

from mxnet import autograd, nd

from .core import functions, named
from .gradient_helpers import fractions, table_and_indices, variables

NO_EFFECT = named(
    variables,
    {
        f"{expression} by {names}": f"gradients(lambda: {expression}, {names})"
        for expression, names in (
            ("nd.BlockGrad(x)", "x"),
            ("nd.BlockGrad(x) + z", "x"),
            ("nd.BlockGrad(x) + z", "[x, z]"),
            ("nd.BlockGrad(x * 2) + z", "[x, z]"),
            ("x.detach() + z", "[x, z]"),
            ("nd.sign(x)", "x"),
            ("nd.argmax(x, axis=0)", "[x]"),
            ("nd.one_hot(x, 3)", "[x]"),
            ("nd.zeros_like(x)", "x"),
            ("nd.ones_like(x) * z", "[x, z]"),
            ("nd.shape_array(x)", "[x]"),
            ("nd.where(x > 0, x, z)", "[x, z]"),
            ("nd.take(z, x)", "[x, z]"),
        )
    },
)

UNUSED = named(
    table_and_indices,
    {
        f"gradient of indices: {expression}": f"of_both(lambda: {expression}, z, i)"
        for expression in (
            "nd.take(z, i)",
            "nd.pick(z, i)",
            "nd.gather_nd(z, i.reshape((1, 2)))",
            "nd.scatter_nd(z[0, :2], i.reshape((1, 2)), shape=(3,))",
            "nd.where(i, z, z * 2)",
            "nd.one_hot(i, 2) * z[:, :2]",
            "nd.broadcast_like(z[0:1], i.reshape((2, 1)), lhs_axes=(0,), rhs_axes=(0,))",
            "nd.slice_like(z, i.reshape((2, 1)), axes=(1,))",
            "nd.reshape_like(z[:, 0], i)",
            "(i > 0) * z[:, 0]",
        )
    },
)

TWICE = named(
    fractions,
    {
        f"twice: {expression}": f"twice(lambda: {expression}, x)"
        for expression in (
            "nd.abs(x)",
            "nd.relu(x)",
            "nd.radians(x)",
            "nd.clip(x, .2, .5)",
            "nd.BlockGrad(x)",
            "nd.sin(x)",
            "nd.tan(x)",
            "nd.tanh(x)",
            "nd.arcsin(x)",
            "nd.arctanh(x)",
            "nd.log(x)",
            "nd.reciprocal(x)",
            "nd.sqrt(x)",
            "nd.cbrt(x)",
            "nd.rsqrt(x)",
            "nd.rcbrt(x)",
            "nd.square(x)",
            "nd.expm1(x)",
            "nd.log1p(x)",
            "nd.sigmoid(x)",
        )
    },
)


def twice_through_dropout():
    x = nd.array([[1.0, 2], [3, 4]])
    x.attach_grad()
    with autograd.record():
        y = nd.Dropout(x, p=0.5)
        g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
        h = g * 2
    h.backward()
    return x.grad


PROGRAMS = NO_EFFECT | UNUSED | TWICE | functions(globals())
