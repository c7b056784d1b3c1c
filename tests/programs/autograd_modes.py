"""Programs about recording modes and about how a gradient is requested."""

from __future__ import annotations

X = "x = nd.array([1, 2, 3.]); x.attach_grad()\n"
MODES = "def modes(): return autograd.is_recording(), autograd.is_training()\n"

_SCOPES = {
    "modes_at_the_start": MODES + "r = modes()",
    "record_trains": MODES + "with autograd.record():\n  r = modes()\nr = r, modes()",
    "record_for_prediction": MODES + "with autograd.record(train_mode=False):\n  r = modes()",
    "record_takes_the_mode_by_position": MODES + "with autograd.record(False):\n  r = modes()",
    "pause": MODES
    + """
with autograd.record():
    with autograd.pause():
        r = modes()
    r = r, modes()
""",
    "pause_that_trains": MODES
    + """
with autograd.record():
    with autograd.pause(train_mode=True):
        r = modes()
""",
    "train_mode_does_not_record": MODES
    + "with autograd.train_mode():\n  r = modes()\nr = r, modes()",
    "predict_mode_keeps_recording": MODES
    + """
with autograd.record():
    with autograd.predict_mode():
        r = [modes()]
        with autograd.train_mode():
            r.append(modes())
        r.append(modes())
    r.append(modes())
r.append(modes())
""",
    "record_inside_of_record": MODES
    + """
with autograd.record():
    with autograd.record(train_mode=False):
        r = [modes()]
    r.append(modes())
r.append(modes())
""",
    "record_inside_of_pause": MODES
    + """
with autograd.pause():
    with autograd.record():
        r = [modes()]
    r.append(modes())
""",
    "an_exception_leaves_the_scope": MODES
    + """
try:
    with autograd.record():
        raise KeyError
except KeyError:
    r = modes()
""",
    "set_recording_gives_the_state_before": MODES
    + """
r = [autograd.set_recording(True), autograd.set_recording(True), modes()]
r += [autograd.set_recording(False), autograd.set_recording(False), modes()]
""",
    "set_training_gives_the_state_before": MODES
    + """
r = [autograd.set_training(True), autograd.set_training(True), modes()]
r += [autograd.set_training(False), autograd.set_training(False), modes()]
""",
    "set_recording_records": X
    + """
autograd.set_recording(True)
y = x * x
autograd.set_recording(False)
y.backward()
r = x.grad
""",
    "a_thread_has_modes_of_its_own": MODES
    + """
import threading
r = []
with autograd.record():
    thread = threading.Thread(target=lambda: r.append(modes()))
    thread.start()
    thread.join()
    r.append(modes())
""",
    "a_paused_part_is_constant": X
    + """
with autograd.record():
    with autograd.pause():
        y = x * 2
    z = y * x
z.backward()
r = x.grad
""",
    "nested_record_is_one_graph": X
    + """
with autograd.record():
    y = x * 2
    with autograd.record(train_mode=False):
        z = y * y
    w = z + y
w.backward()
r = x.grad
""",
    "a_graph_over_two_scopes": X
    + """
with autograd.record():
    y = x * x
with autograd.record():
    z = y * x
z.backward()
r = x.grad
""",
    "backward_takes_the_training_mode": X
    + """
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
r = seen
""",
}

_REQUESTS = {
    "write_replaces": X
    + """
for factor in 2, 5:
    with autograd.record():
        y = x * factor
    y.backward()
r = x.grad
""",
    "add_accumulates": X
    + """
x.attach_grad('add')
for factor in 2, 5:
    with autograd.record():
        y = x * factor
    y.backward()
r = x.grad
""",
    "add_is_cleared_by_hand": X
    + """
x.attach_grad(grad_req='add')
for factor in 2, 5:
    x.grad[:] = 0
    with autograd.record():
        y = x * factor
    y.backward()
r = x.grad
""",
    "null_records_nothing": X
    + """
x.attach_grad('null')
with autograd.record():
    y = x * 2
y.backward()
""",
    "unknown_request": X + "x.attach_grad('sum')",
    "attach_again_clears_the_gradient": X
    + """
with autograd.record():
    y = x * 2
y.backward()
x.attach_grad()
r = x.grad
""",
    "attach_again_after_recording": X
    + """
with autograd.record():
    y = x * 2
before = x.grad
x.attach_grad()
y.backward()
r = before, x.grad
""",
    "attach_changes_the_request": X
    + """
with autograd.record():
    y = x * 2
y.backward()
x.attach_grad('add')
for _ in range(2):
    with autograd.record():
        y = x * 3
    y.backward()
r = x.grad
""",
    "attach_on_an_intermediate_cuts": X
    + """
with autograd.record():
    y = x * 2
    y.attach_grad()
    z = y * y
z.backward()
r = x.grad, y.grad
""",
    "no_gradient_before_attach": "x = nd.ones(3)\nr = x.grad, (x + 1).grad",
    "gradient_has_the_dtype": "x = nd.ones(3, dtype='float16'); x.attach_grad()\nr = x.grad",
    "gradient_object_stays": X
    + """
g = x.grad
with autograd.record():
    y = x * 2
y.backward()
r = g, x.grad
""",
    "a_view_of_the_gradient_sees_it": X
    + """
g = x.grad[1:]
with autograd.record():
    y = x * 2
y.backward()
r = g
""",
    "gradient_zero_where_unused": X
    + """
a = nd.ones(2); a.attach_grad()
a.grad[:] = 7
with autograd.record():
    y = x * 2
y.backward()
r = a.grad
""",
    "mark_one": """
x, g = nd.array([1, 2.]), nd.zeros(2)
autograd.mark_variables(x, g)
with autograd.record():
    y = x * x
y.backward()
r = g, x.grad
""",
    "mark_several": """
xs, gs = [nd.array([1, 2.]), nd.array([3, 4.])], [nd.ones(2), nd.ones(2)]
autograd.mark_variables(xs, gs, ['write', 'add'])
with autograd.record():
    y = xs[0] * xs[1]
y.backward()
r = gs
""",
    "mark_all_alike": """
xs, gs = [nd.array([1, 2.]), nd.array([3, 4.])], [nd.ones(2), nd.ones(2)]
autograd.mark_variables(xs, gs, 'add')
with autograd.record():
    y = xs[0] * xs[1]
y.backward()
r = gs
""",
    "mark_with_null": """
xs, gs = [nd.array([1, 2.]), nd.array([3, 4.])], [nd.ones(2), nd.ones(2)]
autograd.mark_variables(xs, gs, ['write', 'null'])
with autograd.record():
    y = xs[0] * xs[1]
y.backward()
r = gs
""",
}

PROGRAMS = {**_SCOPES, **_REQUESTS}
