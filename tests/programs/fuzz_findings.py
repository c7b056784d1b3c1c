"""Programs that random ones were reduced to, where they differed."""

from .core import of

DETACHED = of(
    """
x = nd.array([1., 2]); x.attach_grad()
b = nd.array([3., 1]); b.attach_grad()
def slope(forward, change):
    with autograd.record():
        y = forward()
    change()
    y.backward()
    return x.grad, b.grad, b
def write(a):
    a[:] = 5
def grow(a):
    a += 5
d = b.detach()
""",
    """
    slope(lambda: b.detach() * x, lambda: write(b))
    slope(lambda: b.detach() * x, lambda: grow(b))
    slope(lambda: d * x, lambda: write(b))
    slope(lambda: d * x, lambda: write(d))
    slope(lambda: nd.dot(x.detach(), x), lambda: write(x))
    slope(lambda: nd.exp(b.detach() * x), lambda: b.__setitem__(0, 2))
    """,
)

_HEADS = """
class Heads(mx.gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix='heads_')
        with self.name_scope():
            self.one = mx.gluon.nn.Dense(2, in_units=2, weight_initializer='ones')
            self.two = mx.gluon.nn.LayerNorm(in_channels=2)
    def hybrid_forward(self, F, x, y):
        return self.one(x) * 2, [F.tanh(self.two(y)), F.BlockGrad(x)]
net = Heads()
net.initialize()
if options is not None:
    net.hybridize(**options)
x = nd.array([[1., 2]]); y = nd.array([[1., 3]])
x.attach_grad(); y.attach_grad()
def grads():
    arrays = [x.grad, y.grad] + [p.grad() for p in net.collect_params().values()]
    return [a.copy() for a in arrays]
r = []
"""

_PARTS = """
for heads in ([0, 1], [0], [1], [0, 1]):
    with autograd.record():
        first, (second, third) = net(x, y)
    autograd.backward([(first, second)[i] for i in heads])
    r.append(grads())
"""

_TRAINED = """
trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': .1, 'momentum': .9})
for step in range(4):
    with autograd.record():
        first, (second, third) = net(x, y)
        loss = (first if step % 2 else second).square().sum()
    loss.backward()
    trainer.step(1, ignore_stale_grad=True)
    r += [p.data().copy() for p in net.collect_params().values()]
"""

_ADDED = """
net.collect_params().setattr('grad_req', 'add')
for _ in range(2):
    with autograd.record():
        first, (second, third) = net(x, y)
    second.backward(retain_graph=True)
    first.backward()
    r.append(grads())
with autograd.record():
    first, (second, third) = net(x, y)
r.append(autograd.grad([first], [x, net.one.weight.data()]))
"""

_OPTIONS = {
    "eager": None,
    "hybridized": {},
    "static": {"static_alloc": True, "static_shape": True},
}

PARTS_OF_RESULTS = {
    f"{what} {name}": f"options = {options!r}{_HEADS}{program}"
    for what, program in {"parts": _PARTS, "trained": _TRAINED, "added": _ADDED}.items()
    for name, options in _OPTIONS.items()
}

CALLED_GRAPH = """
a, b = mx.sym.var('a'), mx.sym.var('b')
call = nd.CachedOp(mx.sym.Group([mx.sym.exp(a * 2), mx.sym.sin(b), a - b]))
x = nd.array([1., 2]); y = nd.array([3., 4])
x.attach_grad(); y.attach_grad()
r = []
for head in (2, 0, 1):
    with autograd.record():
        results = call(x, y)
    results[head].backward()
    r += [x.grad.copy(), y.grad.copy()]
"""

PROGRAMS = DETACHED | PARTS_OF_RESULTS | {"parts of a called graph": CALLED_GRAPH}
