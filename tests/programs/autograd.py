"""Programs about `backward` and `autograd.grad`."""

from __future__ import annotations

from mxnet import autograd, nd

from .core import functions


def several_heads():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y, z = x * x, x * 3
    autograd.backward([y, z])
    return x.grad


def several_heads_with_gradients():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y, z = x * x, x * 3
    autograd.backward([y, z], [nd.array([1, 0, 2.0]), nd.ones(3) * 10])
    return x.grad


def one_head_gradient_missing():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y, z = x * x, x * 3
    autograd.backward([y, z], [None, nd.ones(3) * 10])
    return x.grad


def one_head_reaches_the_other():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
        z = y * 3
    autograd.backward([y, z])
    return x.grad


def heads_as_a_tuple():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y, z = x * x, x * 3
    autograd.backward((y, z))
    return x.grad


def backward_of_one_array():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    autograd.backward(y, nd.array([1, 2, 3.0]))
    return x.grad


def head_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    y.backward(nd.array([1, 10, 100.0]))
    return x.grad


def fewer_head_gradients_than_heads():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y, z = x * x, x * 3
    autograd.backward([y, z], [nd.ones(3)])


def a_variable_is_a_head():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    x.backward()
    return x.grad


def a_variable_is_a_head_with_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    x.backward(nd.array([4, 5, 6.0]))
    return x.grad


def no_graph():
    x = nd.ones(3)
    x.backward()


def computed_outside():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    y = x * x
    y.backward()


def computed_from_constants():
    with autograd.record():
        y = nd.ones(3) * 2
    y.backward()


def second_backward():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    y.backward()
    y.backward()


def second_backward_through_plain_nodes():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x + 1
    y.backward()
    y.backward()


def backward_of_a_part_that_is_used_up():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        z = y * x
    z.backward()
    y.backward()


def backward_of_another_branch():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        z = x * x
    y.backward()
    first = x.grad.copy()
    z.backward()
    return first, x.grad


def backward_through_a_used_part():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
        z = y * 3
        w = y * 5
    z.backward()
    w.backward()
    return x.grad


def retain_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    first = x.grad.copy()
    y.backward(nd.array([3, 3, 3.0]))
    return first, x.grad


def retained_then_used_up():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    y.backward(retain_graph=True)
    y.backward()
    y.backward()


def retained_graph_of_two_heads():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        z = y * x
    z.backward(retain_graph=True)
    first = x.grad.copy()
    y.backward()
    return first, x.grad


def retained_in_a_loop():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    r = []
    with autograd.record():
        for _ in range(3):
            y = x * 2
            z = y * x
            z.backward(retain_graph=True)
            r.append(x.grad.copy())
    return r


def backward_inside_of_a_loop():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    r = []
    with autograd.record():
        for _ in range(3):
            z = x * 2 * x
            z.backward()
            r.append(x.grad.copy())
    return r


def a_used_array_is_constant_inside_of_one_scope():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
        y.backward()
        z = y * x
        z.backward()
    return x.grad


def a_used_array_is_constant_in_the_next_scope():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        z = y * y
    z.backward()
    with autograd.record():
        w = y * x
    w.backward()
    return x.grad


def a_graph_of_several_scopes_is_used_up_whole():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

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
    return first, x.grad


def a_branch_that_was_not_used_lives_on():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        a = x * 2
        b = x * x
    a.backward()
    with autograd.record():
        c = b * a
    c.backward()
    return x.grad


def truncated_backpropagation():
    w = nd.array([[0.5, -0.2], [0.1, 0.3]])
    w.attach_grad()
    state, r = nd.ones((1, 2)), []
    for step in range(4):
        with autograd.record():
            for _ in range(2):
                state = nd.tanh(nd.dot(state, w) + step)
            loss = (state * state).sum()
        loss.backward()
        r.append(w.grad.copy())
    return r


def truncated_backpropagation_with_detach():
    w = nd.array([[0.5, -0.2], [0.1, 0.3]])
    w.attach_grad()
    state, r = nd.ones((1, 2)), []
    for step in range(4):
        state = state.detach()
        with autograd.record():
            for _ in range(2):
                state = nd.tanh(nd.dot(state, w) + step)
            loss = (state * state).sum()
        loss.backward()
        r.append(w.grad.copy())
    return r


def a_used_array_as_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
    y.backward()
    y.attach_grad()
    with autograd.record():
        z = y * y
    z.backward()
    return x.grad, y.grad


def the_update_of_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    for _ in range(3):
        with autograd.record():
            y = (x * x).sum()
        y.backward()
        x -= 0.1 * x.grad
    return x, x.grad


def the_assigned_update_of_a_variable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    for _ in range(3):
        with autograd.record():
            y = (x * x).sum()
        y.backward()
        x[:] = x - 0.1 * x.grad
    return x, x.grad


def a_rebound_variable_has_no_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    y.backward()
    x = x - 0.1 * x.grad
    return x.grad


def control_flow():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x
        while y.norm().asscalar() < 100:
            y = y * 2
        y = y if y.sum().asscalar() > 0 else y * 100
    y.backward()
    return x.grad


def used_twice():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = x * x + x
    y.backward()
    return x.grad


def broadcast():
    m = nd.array([[1, 2, 3], [4, 5, 6.0]])
    m.attach_grad()

    b = nd.array([[1, 2, 3.0]])
    b.attach_grad()
    with autograd.record():
        y = m * b
    y.backward()
    return m.grad, b.grad


def grad_of_one():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    g = autograd.grad(y, x)
    return isinstance(g, list), g, x.grad


def grad_of_several():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    a = nd.array([4, 5, 6.0])
    a.attach_grad()
    with autograd.record():
        y = x * x * a
    return autograd.grad(y, [x, a])


def grad_of_several_heads():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y, z = x * x, x * 3
    return autograd.grad([y, z], [x], [nd.ones(3) * 2, nd.ones(3)])


def grad_uses_up_the_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    autograd.grad(y, x)
    y.backward()


def grad_retains_the_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    g = autograd.grad(y, x, retain_graph=True)
    y.backward()
    return g, x.grad


def grad_of_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    a = nd.ones(3)
    with autograd.record():
        y = x * a
    autograd.grad(y, a)


def grad_of_something_unreachable():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    a = nd.ones(3)
    a.attach_grad()
    with autograd.record():
        y = x * 2
    autograd.grad(y, a)


def grad_without_a_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    autograd.grad(x * 2, x)


def grad_of_no_variables():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    autograd.grad(y, [])


def second_derivative_of_functions():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    r = []
    for f in nd.sin, nd.cos, nd.exp, nd.log, nd.sigmoid, nd.tanh, nd.sqrt, nd.relu:
        with autograd.record():
            g = autograd.grad(f(x), x, create_graph=True, retain_graph=True)[0]
        g.backward()
        r += [g, x.grad.copy()]
    return r


def gradient_without_created_graph_is_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
        g = autograd.grad(y, x, retain_graph=True)[0]
        z = g * x
    z.backward()
    return g, x.grad


PROGRAMS = functions(globals())
