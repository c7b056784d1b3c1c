"""Gradients of gradients that are zero, and variables that have no effect."""

SETUP = """
x = nd.array([1., 2, -3]); x.attach_grad()
z = nd.array([1., 2, -3]); z.attach_grad()
"""

FIRST = """
with autograd.record():
    y = {expression}
r = autograd.grad(y, {variables})
"""

NO_EFFECT = {
    f"{expression} by {variables}": SETUP + FIRST.format(expression=expression, variables=variables)
    for expression, variables in (
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
}

INDICES = """
z = nd.arange(6).reshape((2, 3)); z.attach_grad()
i = nd.array([0., 1]); i.attach_grad(); i.grad[:] = 7
with autograd.record():
    y = {expression}
y.backward()
r = (z.grad, i.grad)
"""

UNUSED = {
    f"gradient of indices: {expression}": INDICES.format(expression=expression)
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
}

SECOND = """
x = nd.array([.1, .3, .6]); x.attach_grad()
with autograd.record():
    y = {expression}
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    h = (g * nd.array([1., 2, 3])).sum()
h.backward()
r = (g, x.grad)
"""

TWICE = {
    f"twice: {expression}": SECOND.format(expression=expression)
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
}

DROPOUT = """
x = nd.array([[1., 2], [3, 4]]); x.attach_grad()
with autograd.record():
    y = nd.Dropout(x, p=.5)
    g = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    h = g * 2
h.backward()
r = x.grad
"""

PROGRAMS = NO_EFFECT | UNUSED | TWICE | {"twice: Dropout": DROPOUT}
