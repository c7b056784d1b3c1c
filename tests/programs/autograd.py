"""Programs about `backward` and `autograd.grad`."""

from __future__ import annotations

X = "x = nd.array([1, 2, 3.]); x.attach_grad()\n"
M = "m = nd.array([[1, 2, 3], [4, 5, 6.]]); m.attach_grad()\n"

_BACKWARD = {
    "several_heads": X
    + """
with autograd.record():
    y, z = x * x, x * 3
autograd.backward([y, z])
r = x.grad
""",
    "several_heads_with_gradients": X
    + """
with autograd.record():
    y, z = x * x, x * 3
autograd.backward([y, z], [nd.array([1, 0, 2.]), nd.ones(3) * 10])
r = x.grad
""",
    "one_head_gradient_missing": X
    + """
with autograd.record():
    y, z = x * x, x * 3
autograd.backward([y, z], [None, nd.ones(3) * 10])
r = x.grad
""",
    "one_head_reaches_the_other": X
    + """
with autograd.record():
    y = x * x
    z = y * 3
autograd.backward([y, z])
r = x.grad
""",
    "heads_as_a_tuple": X
    + """
with autograd.record():
    y, z = x * x, x * 3
autograd.backward((y, z))
r = x.grad
""",
    "backward_of_one_array": X
    + """
with autograd.record():
    y = x * x
autograd.backward(y, nd.array([1, 2, 3.]))
r = x.grad
""",
    "head_gradient": X
    + """
with autograd.record():
    y = x * x
y.backward(nd.array([1, 10, 100.]))
r = x.grad
""",
    "fewer_head_gradients_than_heads": X
    + """
with autograd.record():
    y, z = x * x, x * 3
autograd.backward([y, z], [nd.ones(3)])
""",
    "a_variable_is_a_head": X + "x.backward()\nr = x.grad",
    "a_variable_is_a_head_with_gradient": X + "x.backward(nd.array([4, 5, 6.]))\nr = x.grad",
    "no_graph": "x = nd.ones(3)\nx.backward()",
    "computed_outside": X + "y = x * x\ny.backward()",
    "computed_from_constants": "with autograd.record():\n  y = nd.ones(3) * 2\ny.backward()",
    "second_backward": X
    + """
with autograd.record():
    y = x * x
y.backward()
y.backward()
""",
    "second_backward_through_plain_nodes": X
    + """
with autograd.record():
    y = x + 1
y.backward()
y.backward()
""",
    "backward_of_a_part_that_is_used_up": X
    + """
with autograd.record():
    y = x * 2
    z = y * x
z.backward()
y.backward()
""",
    "backward_of_another_branch": X
    + """
with autograd.record():
    y = x * 2
    z = x * x
y.backward()
first = x.grad.copy()
z.backward()
r = first, x.grad
""",
    "backward_through_a_used_part": X
    + """
with autograd.record():
    y = x * x
    z = y * 3
    w = y * 5
z.backward()
w.backward()
r = x.grad
""",
    "retain_graph": X
    + """
with autograd.record():
    y = x * x
y.backward(retain_graph=True)
first = x.grad.copy()
y.backward(nd.array([3, 3, 3.]))
r = first, x.grad
""",
    "retained_then_used_up": X
    + """
with autograd.record():
    y = x * x
y.backward(retain_graph=True)
y.backward()
y.backward()
""",
    "retained_graph_of_two_heads": X
    + """
with autograd.record():
    y = x * 2
    z = y * x
z.backward(retain_graph=True)
first = x.grad.copy()
y.backward()
r = first, x.grad
""",
    "retained_in_a_loop": X
    + """
r = []
with autograd.record():
    for _ in range(3):
        y = x * 2
        z = y * x
        z.backward(retain_graph=True)
        r.append(x.grad.copy())
""",
    "backward_inside_of_a_loop": X
    + """
r = []
with autograd.record():
    for _ in range(3):
        z = x * 2 * x
        z.backward()
        r.append(x.grad.copy())
""",
    "a_used_array_is_constant_inside_of_one_scope": X
    + """
with autograd.record():
    y = x * x
    y.backward()
    z = y * x
    z.backward()
r = x.grad
""",
    "a_used_array_is_constant_in_the_next_scope": X
    + """
with autograd.record():
    y = x * 2
    z = y * y
z.backward()
with autograd.record():
    w = y * x
w.backward()
r = x.grad
""",
    "a_graph_of_several_scopes_is_used_up_whole": X
    + """
with autograd.record():
    a = x * 2
with autograd.record():
    b = a * x
with autograd.record():
    c = b * x
c.backward()
first = x.grad.copy()
with autograd.record():
    d = a * b * x
d.backward()
r = first, x.grad
""",
    "a_branch_that_was_not_used_lives_on": X
    + """
with autograd.record():
    a = x * 2
    b = x * x
a.backward()
with autograd.record():
    c = b * a
c.backward()
r = x.grad
""",
    "truncated_backpropagation": """
w = nd.array([[0.5, -0.2], [0.1, 0.3]]); w.attach_grad()
state, r = nd.ones((1, 2)), []
for step in range(4):
    with autograd.record():
        for _ in range(2):
            state = nd.tanh(nd.dot(state, w) + step)
        loss = (state * state).sum()
    loss.backward()
    r.append(w.grad.copy())
""",
    "truncated_backpropagation_with_detach": """
w = nd.array([[0.5, -0.2], [0.1, 0.3]]); w.attach_grad()
state, r = nd.ones((1, 2)), []
for step in range(4):
    state = state.detach()
    with autograd.record():
        for _ in range(2):
            state = nd.tanh(nd.dot(state, w) + step)
        loss = (state * state).sum()
    loss.backward()
    r.append(w.grad.copy())
""",
    "a_used_array_as_variable": X
    + """
with autograd.record():
    y = x * 2
y.backward()
y.attach_grad()
with autograd.record():
    z = y * y
z.backward()
r = x.grad, y.grad
""",
    "the_update_of_a_variable": X
    + """
for _ in range(3):
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    x -= 0.1 * x.grad
r = x, x.grad
""",
    "the_assigned_update_of_a_variable": X
    + """
for _ in range(3):
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    x[:] = x - 0.1 * x.grad
r = x, x.grad
""",
    "a_rebound_variable_has_no_gradient": X
    + """
with autograd.record():
    y = x * x
y.backward()
x = x - 0.1 * x.grad
r = x.grad
""",
    "control_flow": X
    + """
with autograd.record():
    y = x
    while y.norm().asscalar() < 100:
        y = y * 2
    y = y if y.sum().asscalar() > 0 else y * 100
y.backward()
r = x.grad
""",
    "used_twice": X + "with autograd.record():\n  y = x * x + x\ny.backward()\nr = x.grad",
    "broadcast": M
    + """
b = nd.array([[1, 2, 3.]]); b.attach_grad()
with autograd.record():
    y = m * b
y.backward()
r = m.grad, b.grad
""",
}

_GRAD = {
    "grad_of_one": X
    + """
with autograd.record():
    y = x * x
g = autograd.grad(y, x)
r = isinstance(g, list), g, x.grad
""",
    "grad_of_several": X
    + """
a = nd.array([4, 5, 6.]); a.attach_grad()
with autograd.record():
    y = x * x * a
r = autograd.grad(y, [x, a])
""",
    "grad_of_several_heads": X
    + """
with autograd.record():
    y, z = x * x, x * 3
r = autograd.grad([y, z], [x], [nd.ones(3) * 2, nd.ones(3)])
""",
    "grad_uses_up_the_graph": X
    + """
with autograd.record():
    y = x * x
autograd.grad(y, x)
y.backward()
""",
    "grad_retains_the_graph": X
    + """
with autograd.record():
    y = x * x
g = autograd.grad(y, x, retain_graph=True)
y.backward()
r = g, x.grad
""",
    "grad_of_a_constant": X
    + """
a = nd.ones(3)
with autograd.record():
    y = x * a
autograd.grad(y, a)
""",
    "grad_of_something_unreachable": X
    + """
a = nd.ones(3); a.attach_grad()
with autograd.record():
    y = x * 2
autograd.grad(y, a)
""",
    "grad_without_a_graph": X + "autograd.grad(x * 2, x)",
    "grad_of_no_variables": X
    + """
with autograd.record():
    y = x * x
autograd.grad(y, [])
""",
    "second_derivative_of_functions": X
    + """
r = []
for f in nd.sin, nd.cos, nd.exp, nd.log, nd.sigmoid, nd.tanh, nd.sqrt, nd.relu:
    with autograd.record():
        g = autograd.grad(f(x), x, create_graph=True, retain_graph=True)[0]
    g.backward()
    r += [g, x.grad.copy()]
""",
    "gradient_without_created_graph_is_constant": X
    + """
with autograd.record():
    y = x * x
    g = autograd.grad(y, x, retain_graph=True)[0]
    z = g * x
z.backward()
r = g, x.grad
""",
}

PROGRAMS = {**_BACKWARD, **_GRAD}
