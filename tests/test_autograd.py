"""What `tests/programs` cannot compare: where we differ from the original, and what is freed."""

# ruff: noqa: ARG002, ARG005 - the interface gives the arguments
from __future__ import annotations

import gc
import re
import sys
import threading
import weakref
from typing import ClassVar

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd


def variable(values, **kwargs):
    array = nd.array(values)
    array.attach_grad(**kwargs)
    return array


def check(array, expected, rtol=1e-5):
    np.testing.assert_allclose(array.asnumpy(), expected, rtol=rtol, atol=1e-6)


class Scale(autograd.Function):
    """Multiplies by a number, with a gradient that tells it was used."""

    def __init__(self, factor=3):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        self.save_for_backward(x)
        return x * self.factor

    def backward(self, dy):
        assert self.saved_tensors
        return dy * self.factor


class TestModes:
    def test_a_new_thread_neither_records_nor_trains_and_leaves_the_others_alone(self):
        seen = []

        def work():
            seen.append((autograd.is_recording(), autograd.is_training()))
            autograd.set_recording(True)

        thread = threading.Thread(target=work)
        with autograd.record():
            thread.start()
            thread.join()
        assert seen == [(False, False)]
        assert not autograd.is_recording()

    def test_torch_keeps_its_own_grad_mode(self):
        x = variable([1, 2])
        with torch.no_grad():
            y = torch.ones(2, requires_grad=True) * 2
        assert not y.requires_grad
        with autograd.record():
            tensor = torch.ones(2, requires_grad=True) * 2
            z = x * 2
        assert tensor.requires_grad
        z.backward()
        check(x.grad, [2, 2])

    def test_backward_sees_what_another_thread_writes_to_a_constant(self):
        x, c = variable([1, 2]), nd.array([3, 4])
        with autograd.record():
            y = x * c
        thread = threading.Thread(target=c.__setitem__, args=(slice(None), 7))
        thread.start()
        thread.join()
        y.backward()
        check(x.grad, [7, 7])

    def test_threads_differentiate_at_the_same_time(self):
        results = {}
        barrier = threading.Barrier(4)

        def work(number):
            x = variable([1, 2, 3])
            barrier.wait()
            for _ in range(20):
                with autograd.record():
                    y = (x * x * number).sum()
                y.backward()
            results[number] = x.grad.asnumpy()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(4):
            np.testing.assert_allclose(results[number], np.array([2, 4, 6]) * number)

    def test_a_graph_of_one_thread_is_differentiated_in_another(self):
        x = variable([1, 2, 3])
        with autograd.record():
            y = x * x
        thread = threading.Thread(target=y.backward)
        thread.start()
        thread.join()
        check(x.grad, [2, 4, 6])
        with pytest.raises(mx.MXNetError, match="not in a computational graph"):
            y.backward()


class TestBackward:
    def test_null_has_no_gradient_array(self):
        x, a = variable([1, 2]), variable([3, 4], grad_req="null")
        with autograd.record():
            y = x * a
        y.backward()
        check(x.grad, [3, 4])
        assert a.grad is None

    def test_a_head_given_twice_counts_twice(self):
        x = variable([1, 2, 3])
        with autograd.record():
            y = x * x
        autograd.backward([y, y])
        check(x.grad, [4, 8, 12])

    def test_a_head_gradient_of_another_shape_raises(self):
        x = variable([1, 2, 3])
        with autograd.record():
            y = x * x
        with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
            y.backward(nd.ones(2))

    @pytest.mark.parametrize("count", [1, 3])
    def test_head_gradients_must_be_as_many_as_heads(self, count):
        x = variable([1, 2])
        with autograd.record():
            y = [x * 2, x * 3]
        with pytest.raises(AssertionError, match="2 heads"):
            autograd.backward(y, [nd.ones(2)] * count)

    def test_lists_of_mark_variables_must_fit(self):
        with pytest.raises(mx.MXNetError, match="2 variables, 1 gradients"):
            autograd.mark_variables([nd.ones(1), nd.ones(1)], [nd.ones(1)])

    def test_an_array_that_was_not_recorded(self):
        x = variable([1, 2])
        with autograd.record():
            y = x * x
        y.backward()
        with pytest.raises(mx.MXNetError, match="Nothing has been recorded, or not since"):
            (x * x).backward()

    def test_an_array_of_arrays_without_gradients(self):
        with autograd.record():
            y = nd.ones(2) * 2
        with pytest.raises(mx.MXNetError, match=r"call x.attach_grad\(\), or net.initialize\(\)"):
            y.backward()

    def test_a_graph_that_is_freed_names_the_line_that_freed_it(self):
        x = variable([1, 2])
        with autograd.record():
            y = x * x
            heads = [y, y * 2, y * 3]
        heads[1].backward()
        line = sys._getframe().f_lineno - 1
        for head in (heads[1], heads[0], heads[2]):
            place = (
                rf"backward at {re.escape(__file__)}, line {line} has freed .* retain_graph=True"
            )
            with pytest.raises(mx.MXNetError, match=place):
                head.backward()

    def test_a_failed_backward_restores_the_modes(self):
        class Fails(Scale):
            def backward(self, dy):
                raise ValueError("broken")

        x = variable([1, 2])
        with autograd.record(train_mode=False):
            y = Fails()(x)
            y.backward()
            assert autograd.is_recording()
            assert not autograd.is_training()
        with pytest.raises(mx.MXNetError, match=r"Fails.backward: ValueError: broken") as info:
            x.grad.asnumpy()
        assert isinstance(info.value.__cause__, ValueError)

    def test_gradients_of_equal_use_in_many_steps(self):
        x = variable([0.5, 0.25])
        for _ in range(50):
            with autograd.record():
                y = x
                for _ in range(10):
                    y = y * 1.1
            y.backward()
        check(x.grad, [1.1**10] * 2)


class TestGrad:
    @pytest.mark.parametrize(
        ("function", "derivatives"),
        [
            (lambda x: x**4, [lambda x: 4 * x**3, lambda x: 12 * x**2, lambda x: 24 * x]),
            (lambda x: x * x * x, [lambda x: 3 * x**2, lambda x: 6 * x, lambda x: 6 + 0 * x]),
            (nd.exp, [np.exp] * 3),
            (nd.sin, [np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x)]),
            (nd.log, [lambda x: 1 / x, lambda x: -1 / x**2, lambda x: 2 / x**3]),
            (lambda x: 1 / x, [lambda x: -1 / x**2, lambda x: 2 / x**3, lambda x: -6 / x**4]),
        ],
        ids=["power", "product", "exp", "sin", "log", "reciprocal"],
    )
    def test_derivatives_up_to_the_third(self, function, derivatives):
        values = np.array([0.5, 1, 2], dtype="float32")
        x = variable(values)
        with autograd.record():
            result = function(x)
            for derivative in derivatives[:-1]:
                (result,) = autograd.grad(result, [x], create_graph=True, retain_graph=True)
                check(result, derivative(values), rtol=1e-4)
        result.backward()
        check(x.grad, derivatives[-1](values), rtol=1e-4)

    def test_gradient_penalty(self):
        x = variable([[1, 2], [3, 4]])
        with autograd.record():
            y = (x * x * x).sum(axis=1)
            (g,) = autograd.grad(y, [x], create_graph=True, retain_graph=True)
            loss = (g * g).sum() + y.sum()
        loss.backward()
        values = x.asnumpy()
        check(x.grad, 36 * values**3 + 3 * values**2)

    def test_created_graph_with_head_gradient(self):
        x = variable([1, 2, 3])
        with autograd.record():
            y = x * x * x
            (g,) = autograd.grad(y, [x], nd.array([1, 2, 3]), create_graph=True)
        g.backward()
        check(x.grad, [6, 24, 54])

    def test_no_variables(self):
        with pytest.raises(AssertionError, match="at least one variable"):
            autograd.grad(nd.ones(1), [])

    def test_gradients_attached_are_left_alone(self):
        x = variable([1, 2])
        with autograd.record():
            y = x * x
        check(autograd.grad(y, x)[0], [2, 4])
        check(x.grad, [0, 0])

    def test_a_function_has_no_second_derivative(self):
        x = variable([1, 2])
        with autograd.record():
            y = Scale()(x * x)
            (g,) = autograd.grad(y, [x], create_graph=True, retain_graph=True)
            z = g * g
        with pytest.raises(mx.MXNetError, match="twice"):
            z.backward()


class TestFunction:
    def test_one_instance_called_several_times_keeps_the_state_of_each_call(self):
        class Square(autograd.Function):
            calls = 0

            def forward(self, x):
                self.calls += 1
                self.save_for_backward(x)
                return x * x

            def backward(self, dy):
                (x,) = self.saved_tensors
                return 2 * x * dy

        square, x = Square(), variable([2, 3])
        with autograd.record():
            y = square(square(x))
        square(nd.ones(5))
        y.backward()
        check(x.grad, 4 * np.array([2, 3]) ** 3)
        assert square.calls == 3

    def test_backward_runs_on_the_instance_that_was_called(self):
        class Counts(Scale):
            calls = 0

            def backward(self, dy):
                self.calls += 1
                return dy

        function, x = Counts(), variable([1, 2])
        with autograd.record():
            y = function(x)
        y.backward(retain_graph=True)
        y.backward()
        assert function.calls == 2

    def test_init_of_the_base_need_not_be_called(self):
        class Plain(autograd.Function):
            def __init__(self, factor):
                self.factor = factor

            def forward(self, x):
                return x * self.factor

            def backward(self, dy):
                return dy * self.factor

        x = variable([1, 2])
        with autograd.record():
            y = Plain(4)(x)
        y.backward()
        check(x.grad, [4, 4])

    def test_arguments_that_are_no_arrays(self):
        class Linear(autograd.Function):
            def forward(self, x, factor, offset, name=None):
                self.factor = factor
                return x * factor + offset

            def backward(self, dy):
                return dy * self.factor, dy

        x, offset = variable([1, 2]), variable([3, 4])
        with autograd.record():
            y = Linear()(x, 5, offset, "name")
        y.backward()
        check(y, [8, 14])
        check(x.grad, [5, 5])
        check(offset.grad, [1, 1])

    def test_gradients_are_added_on_request(self):
        x = variable([1, 2], grad_req="add")
        for _ in range(2):
            with autograd.record():
                y = Scale()(x)
            y.backward()
        check(x.grad, [6, 6])

    def test_an_input_passed_on_is_an_output_of_its_own(self):
        class PassOn(autograd.Function):
            def forward(self, x):
                return x

            def backward(self, dy):
                return dy * 5

        x = variable([1, 2])
        with autograd.record():
            y = PassOn()(x) * 2
        y.backward()
        check(x.grad, [10, 10])

    @pytest.mark.parametrize(
        ("gradients", "message"),
        [
            (lambda dy: (dy, dy), "expected 1 gradients.*got 2"),
            (lambda dy: [], "expected 1 gradients.*got 0"),
            (lambda dy: None, "expected an NDArray, got NoneType"),
            (lambda dy: 3, "expected an NDArray, got int"),
            (lambda dy: nd.ones(7), r"expected shape \(2,\), got \(7,\)"),
        ],
    )
    def test_misuse_of_backward(self, gradients, message):
        class Wrong(Scale):
            def backward(self, dy):
                return gradients(dy)

        x = variable([1, 2])
        with autograd.record():
            y = Wrong()(x)
        with pytest.raises(mx.MXNetError, match=message):
            y.backward()

    def test_a_gradient_that_broadcasts_is_taken(self):
        class Short(Scale):
            def backward(self, dy):
                return nd.array([7])

        x = variable([1, 2])
        with autograd.record():
            y = Short()(x)
        y.backward()
        check(x.grad, [7, 7])

    @pytest.mark.parametrize("recording", [True, False])
    def test_forward_must_be_defined(self, recording):
        autograd.set_recording(recording)
        try:
            with pytest.raises(NotImplementedError, match="forward"):
                autograd.Function()(nd.ones(1))
        finally:
            autograd.set_recording(False)

    def test_errors_of_forward_pass(self):
        class Fails(autograd.Function):
            def forward(self, x):
                raise KeyError("mine")

        with autograd.record(), pytest.raises(KeyError, match="mine"):
            Fails()(variable([1]))


class Canary(autograd.Function):
    """Identity that dies with its graph."""

    alive: ClassVar = weakref.WeakSet()

    def forward(self, x):
        held = x.copy()
        self.save_for_backward(held)
        self.alive.add(held)
        return x * 1

    def backward(self, dy):
        return dy * 1


@pytest.fixture
def alive():
    """The canaries alive now, none of which may be of an earlier test."""
    gc.collect()
    Canary.alive.clear()
    return Canary.alive


class TestMemory:
    def test_graphs_die_in_a_training_loop(self, alive):
        w = variable([1, 2])
        for _ in range(20):
            with autograd.record():
                loss = (Canary()(w) * w).sum()
            loss.backward()
            w -= 0.01 * w.grad
        assert len(alive) <= 1

    def test_graphs_die_when_a_state_is_carried_over(self, alive):
        w, state = variable([1, 2]), nd.ones(2)
        for _ in range(20):
            with autograd.record():
                state = nd.tanh(Canary()(state * w))
                loss = (state * state).sum()
            loss.backward()
        gc.collect()
        assert len(alive) <= 2

    def test_graphs_die_when_backward_is_inside_of_one_record(self, alive):
        w = variable([1, 2])
        with autograd.record():
            for _ in range(20):
                loss = (Canary()(w) * w).sum()
                loss.backward()
        assert len(alive) <= 1

    def test_graphs_die_without_backward(self, alive):
        w = variable([1, 2])
        with autograd.record():
            for _ in range(20):
                Canary()(w)
        assert len(alive) == 0

    def test_graphs_die_when_one_of_several_results_becomes_a_variable(self, alive):
        w = variable([1, 2])
        with autograd.record():
            state = nd.split(Canary()(w), 2, axis=0)[0]
        assert len(alive) == 1
        state.attach_grad()
        gc.collect()
        assert len(alive) == 0

    def test_graphs_of_second_derivatives_die(self, alive):
        w = variable([1, 2])
        for _ in range(20):
            with autograd.record():
                y = Canary()(nd.ones(2)) * w * w
                (g,) = autograd.grad(y, [w], create_graph=True, retain_graph=True)
                loss = (g * g).sum()
            loss.backward()
        gc.collect()
        assert len(alive) <= 2

    def test_a_loss_that_is_kept_keeps_no_graph(self, alive):
        w, losses = variable([1, 2]), []
        for _ in range(20):
            with autograd.record():
                loss = (Canary()(w) * w).sum()
            loss.backward()
            losses.append(loss)
        assert len(alive) == 0
        assert len(losses) == 20

    def test_an_array_of_an_earlier_scope_collects_no_graphs(self, alive):
        w = variable([1, 2])
        with autograd.record():
            early = w * 2
        for _ in range(20):
            with autograd.record():
                early * 3
                loss = (Canary()(w) * w).sum()
            loss.backward()
        assert len(alive) <= 1
        early.backward()
        check(w.grad, [2, 2])

    def test_a_graph_over_many_scopes(self):
        x = variable([1, 2])
        y, middle = x, None
        for step in range(2000):
            with autograd.record():
                y = y + x
            middle = y if step == 1000 else middle
        y.backward()
        check(x.grad, [2001, 2001])
        with autograd.record():
            z = middle * x
        z.backward()
        check(x.grad, middle.asnumpy())

    def test_tapes_die_with_their_arrays(self):
        w, tapes = variable([1, 2]), weakref.WeakSet()
        for _ in range(20):
            with autograd.record():
                y = w * w
            tapes.add(y._role.tape)
            y.backward()
        assert len(tapes) <= 2


@pytest.mark.gpu
def test_functions_differentiate_on_the_gpu():
    modes = []

    class Square(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x

        def backward(self, dy):
            modes.append((autograd.is_recording(), autograd.is_training()))
            (x,) = self.saved_tensors
            return 2 * x * dy

    x = nd.array([1, 2, 3], ctx=mx.gpu())
    x.attach_grad()
    with autograd.record():
        y = Square()(x)
    y.backward()
    check(x.grad, [2, 4, 6])
    assert x.grad.context == mx.gpu(0)
    assert modes == [(False, True)]


def test_a_backward_can_record_and_differentiate_itself():
    class Square(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x

        def backward(self, dy):
            x = self.saved_tensors[0].copy()
            x.attach_grad()
            with autograd.record():
                y = x * x
            y.backward()
            return dy * x.grad

    x = nd.array([3])
    x.attach_grad()
    with autograd.record():
        y = Square()(x)
    y.backward()
    assert x.grad.asscalar() == 6


def test_a_head_of_integers_is_used_up_too():
    x = nd.ones(2)
    x.attach_grad()
    with autograd.record():
        y = x.astype("int32")
    y.backward()
    with pytest.raises(mx.MXNetError, match="not in a computational graph"):
        y.backward()


def test_a_forward_must_return_arrays():
    class Nothing(autograd.Function):
        def forward(self, x):
            del x

    x = nd.ones(2)
    x.attach_grad()
    with (
        autograd.record(),
        pytest.raises(TypeError, match=r"Nothing\.forward: expected an NDArray"),
    ):
        Nothing()(x)


def test_recording_that_is_switched_on_sees_what_another_thread_has_used_up():
    x = nd.ones(2)
    x.attach_grad()
    autograd.set_recording(True)
    y = x * 3
    autograd.set_recording(False)
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert autograd.set_recording(True) is False
    z = y * x
    autograd.set_recording(False)
    z.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]


def test_a_recorded_result_has_a_negative():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = -(x * 2)
        z = -y
    z.backward()
    assert y.asnumpy().tolist() == [-2, -4]
    assert x.grad.asnumpy().tolist() == [2, 2]
