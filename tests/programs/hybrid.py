"""Programs on hybridized blocks: what they take and give, hooks, parameters that change."""

from __future__ import annotations

from .core import lines

_STRUCTURES = """
both(lambda F, a: a, x)
both(lambda F, a: (a, a + 1), x)
both(lambda F, a: [a, a + 1], x)
both(lambda F, a: (a,), x)
both(lambda F, a: [a], x)
both(lambda F, a: (a, [a + 1, a + 2]), x)
both(lambda F, a: [a, (a + 1, [a + 2])], x)
both(lambda F, a: F.split(a, num_outputs=3, axis=1), x)
both(lambda F, a: (F.split(a, num_outputs=3, axis=1), a), x)
both(lambda F, a: F.topk(a, k=2, ret_typ="both"), x)
both(lambda F, a, b: a + b, x, y)
both(lambda F, a, b: a + b[0] * b[1], x, [x, y])
both(lambda F, a, b: a + b[0] * b[1][0], x, (x, [y]))
both(lambda F, a, b: a if b is None else a + b, x, None)
both(lambda F, a, b, c: a + c, x, None, y)
both(lambda F, a, b: a + b[1], x, [None, y])
twice(lambda F, a, b: [a * 2, b], x, y)
twice(lambda F, a: F.concat(a, a, dim=1), x)
block(lambda F, a: a * 2)(x.astype("float64"))
block(lambda F, a: a * 2)(x.astype("int32"))
block(lambda F, a: a * 2)(x.as_in_context(mx.cpu(1)))
block(lambda F, a: F.reshape(a, shape=(-1,)))(x)
block(lambda F, a: a.reshape((3, 2)))(x)
block(lambda F, a: F.slice_axis(a, axis=1, begin=0, end=2))(x)
block(lambda F, a: F.Dropout(a, p=0.5))(x)
block(lambda F, a: F.zeros_like(a) + 1)(x)
block(lambda F, a: F.zeros((2, 3)) + a)(x)
block(lambda F, a: F.stack(a, a))(x)
block(lambda F, a: F.stop_gradient(a) * a)(x)
gradients(block(lambda F, a: F.stop_gradient(a) * a), x)
gradients(block(lambda F, a, b: a * b), x, y)
gradients(block(lambda F, a, b: [a * b, a + 2 * b]), x, y)
gradients(block(lambda F, a: F.split(a, num_outputs=3, axis=1)), x)
gradients(block(lambda F, a: F.split(a, num_outputs=3, axis=1)[1]), x)
gradients(block(lambda F, a: F.sign(a)), x)
gradients(block(lambda F, a: F.MakeLoss(a * 2)), x)
gradients(block(lambda F, a: F.BlockGrad(a) + a), x)
gradients(block(lambda F, a: F.broadcast_mul(a, F.ones((1, 3)) * 2)), x)
gradients(block(cumulate), x)
both(cumulate, x)
"""

_NETWORKS = """
dense()(x)
(dense(), dense())[0](x).shape
gradients(stack(), x)
gradients(stack(), x, train_mode=False)
(gradients(stack(), x), 0)[1]
[(gradients(n, x), states(n)) for n in [stack()]][0][1]
train(stack())
train(stack(hybrid=False))
train(stack(static_alloc=True))
train(stack(static_alloc=True, static_shape=True))
train(stack(inline_limit=0, forward_bulk_size=3, backward_bulk_size=2))
after(stack(), lambda n: n[0].weight.set_data(nd.ones((3, 3)) * 2), x)
after(stack(), lambda n: n[0].weight.data().__setitem__(slice(None), 3), x)
after(stack(), lambda n: n[1].running_mean.set_data(nd.array([1, 2, 3])), x)
after(stack(), lambda n: n[1].running_var.set_data(nd.array([1, 2, 3])), x)
after(stack(), lambda n: n[1].gamma.set_data(nd.array([1, 2, 3])), x)
after(stack(), lambda n: n.initialize(mx.init.Constant(2), force_reinit=True), x)
after(stack(), lambda n: n.hybridize(False), x)
after(stack(), lambda n: n.hybridize(), x)
after(stack(), lambda n: n[0].hybridize(False), x)
after(stack(), lambda n: n.cast("float32"), x)
after(stack(), add_layer, x)
after(stack(), lambda n: n.collect_params().setattr("grad_req", "null"), x)
after(stack(), reload, x)
(lambda n: [n(x), n.cast("float64"), n(x.astype("float64"))])(stack())
(lambda n: [n(x), n(x[:1]), n(nd.concat(x, x, dim=0))])(stack())
moved(stack())
(lambda n: n(x.as_in_context(mx.cpu(1))))(stack())
(lambda n: n(nd.ones((2, 4))))(stack())
(lambda n: n(x.astype("float64")))(stack())
(lambda n: n(5))(stack())
(lambda n: n(None))(stack())
(lambda n: n("a"))(stack())
(lambda n: n())(stack())
(lambda n: n(x, x))(stack())
(lambda n: (n.hybridize(), n(x))[1])(nn.Dense(2, in_units=3))
(lambda n: (n.hybridize(), n.initialize(mx.init.One()), n(x))[2])(nn.Dense(2))
(lambda n: (n.initialize(), n(x).shape, n(x).shape, n.weight.shape))(hybrid(nn.Dense(2)))
dense().optimize_for(x)
(lambda n: n.export(folder + "/e"))(stack())
(exported(stack()), sorted(nd.load(folder + "/e-0000.params")))[1]
(exported(stack()), load()(x))[1]
(exported(stack(), epoch=7), mx.sym.load(folder + "/e-symbol.json").list_arguments())[1]
(lambda n: (n(x), n.summary(x))[1])(stack())
(lambda n: (n(x), n.infer_shape(x))[1])(stack())
repr(stack())
"""

_HOOKS = """
seen(stack(), lambda n, f: n.register_forward_hook(f), x)
seen(stack(), lambda n, f: n.register_forward_pre_hook(f), x)
seen(stack(), lambda n, f: n[0].register_forward_hook(f), x)
seen(stack(), lambda n, f: n[0].register_forward_pre_hook(f), x)
seen(stack(hybrid=False), lambda n, f: n[0].register_forward_hook(f), x)
"""

_REQUESTS = """
requested(dense(), "add", "null", "write")
requested(hybrid(dense()), "add", "null", "write")
requested(hybrid(dense()), "null", "add")
[(setattr(n.bias, "grad_req", "null"), gradients(n, x)) for n in [hybrid(dense())]]
"""

PROGRAMS = {
    **lines("hybrid_helpers", _STRUCTURES),
    **lines("hybrid_helpers", _NETWORKS),
    **lines("hybrid_helpers", _HOOKS),
    **lines("hybrid_helpers", _REQUESTS),
}
