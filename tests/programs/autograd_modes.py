"""Programs about recording modes and about how a gradient is requested."""

from __future__ import annotations

from mxnet import autograd, nd

from .core import functions


def _modes():
    return autograd.is_recording(), autograd.is_training()


def modes_at_the_start():
    return _modes()


def record_trains():
    with autograd.record():
        r = _modes()
    return r, _modes()


def record_for_prediction():
    with autograd.record(train_mode=False):
        r = _modes()
    return r


def record_takes_the_mode_by_position():
    with autograd.record(False):
        r = _modes()
    return r


def pause():
    with autograd.record():
        with autograd.pause():
            r = _modes()
        r = r, _modes()
    return r


def pause_that_trains():
    with autograd.record():
        with autograd.pause(train_mode=True):
            r = _modes()
    return r


def train_mode_does_not_record():
    with autograd.train_mode():
        r = _modes()
    return r, _modes()


def predict_mode_keeps_recording():
    with autograd.record():
        with autograd.predict_mode():
            r = [_modes()]
            with autograd.train_mode():
                r.append(_modes())
            r.append(_modes())
        r.append(_modes())
    r.append(_modes())
    return r


def record_inside_of_record():
    with autograd.record():
        with autograd.record(train_mode=False):
            r = [_modes()]
        r.append(_modes())
    r.append(_modes())
    return r


def record_inside_of_pause():
    with autograd.pause():
        with autograd.record():
            r = [_modes()]
        r.append(_modes())
    return r


def an_exception_leaves_the_scope():
    try:
        with autograd.record():
            raise KeyError
    except KeyError:
        r = _modes()
    return r


def set_recording_gives_the_state_before():
    r = [autograd.set_recording(True), autograd.set_recording(True), _modes()]
    r += [autograd.set_recording(False), autograd.set_recording(False), _modes()]
    return r


def set_training_gives_the_state_before():
    r = [autograd.set_training(True), autograd.set_training(True), _modes()]
    r += [autograd.set_training(False), autograd.set_training(False), _modes()]
    return r


def set_recording_records():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    autograd.set_recording(True)
    y = x * x
    autograd.set_recording(False)
    y.backward()
    return x.grad


def a_thread_has_modes_of_its_own():
    import threading

    r = []
    with autograd.record():
        thread = threading.Thread(target=lambda: r.append(_modes()))
        thread.start()
        thread.join()
        r.append(_modes())
    return r


def a_paused_part_is_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        with autograd.pause():
            y = x * 2
        z = y * x
    z.backward()
    return x.grad


def nested_record_is_one_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        with autograd.record(train_mode=False):
            z = y * y
        w = z + y
    w.backward()
    return x.grad


def a_graph_over_two_scopes():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * x
    with autograd.record():
        z = y * x
    z.backward()
    return x.grad


def backward_takes_the_training_mode():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    class F(autograd.Function):
        def forward(self, a):
            return a * 2

        def backward(self, d):
            seen.append(autograd.is_training())
            return d

    seen = []
    for train_mode in True, False:
        with autograd.record():
            y = F()(x)
        y.backward(train_mode=train_mode)
    nd.waitall()
    return seen


def write_replaces():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    for factor in 2, 5:
        with autograd.record():
            y = x * factor
        y.backward()
    return x.grad


def add_accumulates():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    x.attach_grad("add")
    for factor in 2, 5:
        with autograd.record():
            y = x * factor
        y.backward()
    return x.grad


def add_is_cleared_by_hand():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    x.attach_grad(grad_req="add")
    for factor in 2, 5:
        x.grad[:] = 0
        with autograd.record():
            y = x * factor
        y.backward()
    return x.grad


def null_records_nothing():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    x.attach_grad("null")
    with autograd.record():
        y = x * 2
    y.backward()


def unknown_request():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    x.attach_grad("sum")


def attach_again_clears_the_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
    y.backward()
    x.attach_grad()
    return x.grad


def attach_again_after_recording():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
    before = x.grad
    x.attach_grad()
    y.backward()
    return before, x.grad


def attach_changes_the_request():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
    y.backward()
    x.attach_grad("add")
    for _ in range(2):
        with autograd.record():
            y = x * 3
        y.backward()
    return x.grad


def attach_on_an_intermediate_cuts():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = x * 2
        y.attach_grad()
        z = y * y
    z.backward()
    return x.grad, y.grad


def no_gradient_before_attach():
    x = nd.ones(3)
    return x.grad, (x + 1).grad


def gradient_has_the_dtype():
    x = nd.ones(3, dtype="float16")
    x.attach_grad()
    return x.grad


def gradient_object_stays():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    g = x.grad
    with autograd.record():
        y = x * 2
    y.backward()
    return g, x.grad


def a_view_of_the_gradient_sees_it():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    g = x.grad[1:]
    with autograd.record():
        y = x * 2
    y.backward()
    return g


def gradient_zero_where_unused():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    a = nd.ones(2)
    a.attach_grad()
    a.grad[:] = 7
    with autograd.record():
        y = x * 2
    y.backward()
    return a.grad


def mark_one():
    x, g = nd.array([1, 2.0]), nd.zeros(2)
    autograd.mark_variables(x, g)
    with autograd.record():
        y = x * x
    y.backward()
    return g, x.grad


def mark_several():
    xs, gs = [nd.array([1, 2.0]), nd.array([3, 4.0])], [nd.ones(2), nd.ones(2)]
    autograd.mark_variables(xs, gs, ["write", "add"])
    with autograd.record():
        y = xs[0] * xs[1]
    y.backward()
    return gs


def mark_all_alike():
    xs, gs = [nd.array([1, 2.0]), nd.array([3, 4.0])], [nd.ones(2), nd.ones(2)]
    autograd.mark_variables(xs, gs, "add")
    with autograd.record():
        y = xs[0] * xs[1]
    y.backward()
    return gs


def mark_with_null():
    xs, gs = [nd.array([1, 2.0]), nd.array([3, 4.0])], [nd.ones(2), nd.ones(2)]
    autograd.mark_variables(xs, gs, ["write", "null"])
    with autograd.record():
        y = xs[0] * xs[1]
    y.backward()
    return gs


PROGRAMS = functions(globals())
