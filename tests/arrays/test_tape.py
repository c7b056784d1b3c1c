"""Backward passes: what nodes that ask get to know about the pass that runs them."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd
from mxnet._arrays.autograd import tape
from tests.security.threads import run_together


@pytest.fixture(autouse=True)
def _asking():
    node = object()
    tape.begin_asking(node)
    yield
    tape.end_asking(node)


class Asking(torch.autograd.Function):
    """Identity whose backward notes what its pass was asked for, as a captured graph does."""

    @staticmethod
    def forward(ctx, tensor, seen, then):
        ctx.seen, ctx.then = seen, then
        return tensor.clone()

    @staticmethod
    def backward(ctx, gradient):
        before = tape.current_differentiation()
        ctx.then()
        assert tape.current_differentiation() is before
        ctx.seen.append((before.retains, before.collected is not None))
        return gradient, None, None


def asking(x, seen, then=lambda: None):
    tensor = Asking.apply(x._recorded(), seen, then)
    return nd.NDArray._wrap_recorded(tensor, x.ctx, None)


def variable(value=1.0):
    x = nd.array([value])
    x.attach_grad()
    return x


@pytest.mark.parametrize("retain", [False, True])
def test_a_node_knows_what_its_pass_was_asked_for(retain):
    x, seen = variable(), []
    with autograd.record():
        y = asking(x, seen) * 2
    y.backward(retain_graph=retain)
    with autograd.record():
        y = asking(x, seen) * 2
    autograd.grad(y, x, retain_graph=retain)
    assert seen == [(retain, False), (retain, True)]
    assert tape._passes.asked == {}


def test_a_pass_inside_of_a_pass_has_what_it_was_asked_for():
    x, outer, inner = variable(), [], []

    def differentiate():
        with torch.enable_grad(), autograd.record():  # torch switches it off in a pass
            z = asking(x, inner) * 3
        autograd.grad(z, x)

    with autograd.record():
        y = asking(x, outer, differentiate) * 2
    y.backward()
    assert (outer, inner) == ([(False, False)], [(False, True)])
    assert x.grad.asscalar() == 2


def test_passes_of_several_threads_do_not_meet():
    def work(number):
        x, seen = variable(number + 1.0), []
        for _ in range(30):
            with autograd.record():
                y = asking(x * x, seen)
            if number % 2:
                assert autograd.grad(y, x)[0].asscalar() == 2 * (number + 1)
            else:
                y.backward()
                assert x.grad.asscalar() == 2 * (number + 1)
        return seen

    for number, seen in enumerate(run_together(work)):
        assert seen == [(False, bool(number % 2))] * 30


def test_a_pass_that_fails_leaves_nothing_behind():
    x = variable()

    def fail():
        raise RuntimeError("planned")

    with autograd.record():
        y = asking(x, [], fail)
    with pytest.raises(mx.MXNetError, match="planned"):
        y.backward()
    assert tape._passes.asked == {}


def test_outside_of_passes_nothing_was_asked_for():
    assert tape.number_of_pass() == -1
    assert tape.current_differentiation().collected is None


@pytest.mark.parametrize("hooks_see_absence", [True, False])
def test_an_input_without_derivative_gets_zeros(monkeypatch, hooks_see_absence):
    if hooks_see_absence and not tape.hooks_see_absent_gradients():
        pytest.skip("this release of torch does not call hooks without a gradient")
    monkeypatch.setattr(tape, "hooks_see_absent_gradients", lambda: hooks_see_absence)
    weight, indices = nd.ones((2, 3)), nd.array([0, 1])
    for array in (weight, indices):
        array.attach_grad()
        array.grad[:] = 7
    with autograd.record():
        result = nd.one_hot(indices, 3) * weight
    result.backward()
    assert indices.grad.asnumpy().tolist() == [0, 0]
    assert weight.grad.asnumpy().tolist() == [[1, 0, 0], [0, 1, 0]]
