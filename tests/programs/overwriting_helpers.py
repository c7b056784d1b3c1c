"""Ways to write to arrays between the forward and the backward pass."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd

random = np.random.RandomState(0)


def array(*shape):
    return nd.array(random.uniform(0.2, 1.5, shape))


def heads(results):
    return [nd.arange(result.size).reshape(result.shape) + 1 for result in results]


def recorded(compute, shapes, place, value=0.75):
    """Gradients after a write to an input or, for None, to the output."""
    return _differentiated(compute, shapes, place, value, nd)


def hybridized(compute, shapes, place, value=0.75, **options):
    class Block(gluon.HybridBlock):
        def hybrid_forward(self, F, *arrays):
            return compute(F, *arrays)

    block = Block()
    block.hybridize(**options)
    block(*map(nd.ones, shapes))
    return _differentiated(lambda F, *arrays: block(*arrays), shapes, place, value, nd)


def _differentiated(compute, shapes, place, value, F):
    arrays = [array(*shape) for shape in shapes]
    for x in arrays:
        x.attach_grad()
    with autograd.record():
        y = compute(F, *arrays)
    target = y if place is None else arrays[place]
    target[:] = value
    y.backward(*heads([y]))
    return [x.grad for x in arrays]


def inside(compute, shapes, value=0.75):
    """Gradients after a write to what the operator read, which was computed itself."""
    arrays = [array(*shape) for shape in shapes]
    for x in arrays:
        x.attach_grad()
    with autograd.record():
        doubled = [x * 2 for x in arrays]
        y = compute(nd, *doubled)
    for x in doubled:
        x[:] = value
    y.backward(*heads([y]))
    return [x.grad for x in arrays]


def executed(compute, shapes, place, value=0.75, grad_req="write"):
    """Gradients of an executor after a write to an argument or, for None, to the output."""
    names = [f"x{number}" for number in range(len(shapes))]
    symbol = compute(mx.sym, *map(mx.sym.var, names))
    arrays = {name: array(*shape) for name, shape in zip(names, shapes)}
    gradients = {name: nd.zeros(x.shape) for name, x in arrays.items()}
    executor = symbol.bind(mx.cpu(), arrays, gradients, grad_req=grad_req)
    executor.forward(is_train=True)
    target = executor.outputs[0] if place is None else executor.arg_arrays[place]
    target[:] = value
    executor.backward(heads(executor.outputs))
    return executor.grad_arrays


def module(loss="SoftmaxOutput", what="outputs", steps=2):
    """Parameters of a module that is trained while a program writes to its arrays."""
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    net = getattr(mx.sym, loss)(net, mx.sym.var("label"), name="out")
    mod = mx.mod.Module(net, ["data"], ["label"])
    label = (2,) if loss == "SoftmaxOutput" else (2, 3)
    mod.bind([("data", (2, 4))], [("label", label)], inputs_need_grad=True)
    mod.init_params(mx.init.Constant(0.1))
    mod.init_optimizer(optimizer_params={"learning_rate": 0.5})
    for step in range(steps):
        batch = mx.io.DataBatch([array(2, 4)], [nd.ones(label)])
        mod.forward(batch, is_train=True)
        executor = mod._exec_group.execs[0]
        if what == "outputs":
            mod.get_outputs()[0][:] = 0.25 * (step + 1)
        elif what == "data":
            batch.data[0][:] = 0
        elif what == "label":
            executor.arg_dict["label"][:] = 2
        elif what == "weight":
            executor.arg_dict["fc_weight"][:] = 0.5
        mod.backward()
        mod.update()
    return {**mod.get_params()[0], "gradient": mod.get_input_grads()[0]}


def stochastic_depth(open_path):
    """A residual branch that is skipped by writing over its output, as modules of layers do."""
    data = mx.sym.var("data")
    branch = mx.sym.FullyConnected(data, num_hidden=3, no_bias=True, name="fc").bind(
        mx.cpu(),
        {"data": array(2, 3), "fc_weight": array(3, 3)},
        {"data": nd.zeros((2, 3)), "fc_weight": nd.zeros((3, 3))},
    )
    result = branch.forward(is_train=True)[0]
    if not open_path:
        result[:] = 0
    total = branch.arg_dict["data"] + result
    head = total * 2
    branch.backward([head if open_path else nd.zeros_like(head)])
    return total, branch.grad_dict["data"] + head, branch.grad_dict["fc_weight"]


def weight_in_loop(hybridize):
    """A training loop that writes to the parameters between the passes."""
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize(mx.init.Constant(0.2))
    if hybridize:
        net.hybridize()
    x = array(4, 3)
    x.attach_grad()
    with autograd.record():
        loss = (net(x) ** 2).sum()
    net.weight.set_data(nd.ones((2, 3)))
    loss.backward()
    return x.grad, net.weight.grad(), net.bias.grad()


def statistics(hybridize):
    """Moving averages that are written to between the passes."""
    net = gluon.nn.BatchNorm(in_channels=3)
    net.initialize()
    if hybridize:
        net.hybridize()
    x = array(4, 3)
    x.attach_grad()
    with autograd.record():
        y = net(x)
    net.running_mean.set_data(nd.ones(3) * 7)
    y.backward(*heads([y]))
    return x.grad, net.gamma.grad(), net.beta.grad()
