"""Limits on the steps of loops and on the memory of their outputs."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet.errors import AttributeValueError, LimitExceededError, MXNetError
from mxnet.graph.run.program import NodeError


def count_down(most, outputs=False):
    """A loop that subtracts 1 while the number is positive."""
    step = lambda x: ([x * 1] if outputs else [], [x - 1])  # noqa: E731
    rows, last = mx.sym.contrib.while_loop(
        lambda x: x > 0, step, [mx.sym.var("x")], max_iterations=most
    )
    return rows[0] if outputs else last[0]


def run(symbol, **arrays):
    return symbol.bind(mx.cpu(), {k: mx.nd.array(v) for k, v in arrays.items()}).forward()[0]


def test_a_loop_ends_by_its_condition_however_many_steps_it_may_take():
    assert run(count_down(2**31 - 1), x=[5]).asscalar() == 0


def test_steps_are_limited_and_the_body_is_named():
    symbol = count_down(10**6)
    with mx.limits.scope(loop_iterations=4):
        assert run(symbol, x=[4]).asscalar() == 0
        with pytest.raises(LimitExceededError, match=r"_while_loop that runs '.*5 iterations"):
            run(symbol, x=[5])
    assert run(symbol, x=[5]).asscalar() == 0


def test_steps_of_nested_loops_count_together():
    def row_sum(row, _):
        return mx.sym.contrib.foreach(lambda x, _: (x * 1, []), row, [])[0], []

    symbol = mx.sym.contrib.foreach(row_sum, mx.sym.var("x"), [])[0]
    data = [[1, 2, 3], [4, 5, 6]]
    with mx.limits.scope(loop_iterations=6):
        assert run(symbol, x=data).shape == (2, 3, 1)
    with mx.limits.scope(loop_iterations=5), pytest.raises(LimitExceededError, match="_foreach"):
        run(symbol, x=data)


def test_a_loop_over_data_takes_a_step_for_every_row():
    symbol = mx.sym.contrib.foreach(lambda x, _: (x * 2, []), mx.sym.var("x"), [])[0]
    with mx.limits.scope(loop_iterations=2):
        assert run(symbol, x=[[1]] * 5).shape == (5, 1)


@pytest.mark.parametrize("most", [0, -1, 2**31, 10**12])
def test_numbers_of_steps_that_the_original_refuses(most):
    with pytest.raises(AttributeValueError, match="max_iterations"):
        count_down(most)


def test_rows_of_all_steps_are_checked_before_any_is_allocated():
    symbol = count_down(1000, outputs=True)
    with mx.limits.scope(array_bytes=3999), pytest.raises(LimitExceededError, match="4,000 bytes"):
        run(symbol, x=[2])
    assert run(symbol, x=[2]).shape == (1000, 1)


def test_a_body_that_fails_runs_twice_and_not_twice_for_every_loop_around_it():
    runs = []

    class Failing(mx.operator.CustomOp):
        def forward(self, **_):
            runs.append(1)
            raise ValueError("refused")

    @mx.operator.register("fails_in_a_loop")
    class FailingProp(mx.operator.CustomOpProp):
        def create_operator(self, *_):
            return Failing()

    body = lambda x: mx.sym.Custom(x, op_type="fails_in_a_loop", name="failing")  # noqa: E731
    for _ in range(6):
        inner = body
        body = lambda x, inner=inner: mx.sym.contrib.foreach(  # noqa: E731
            lambda row, _: (inner(row), []), x, []
        )[0]
    with pytest.raises(MXNetError, match="refused") as caught:
        run(body(mx.sym.var("x")), x=[[[[[[[1]]]]]]]).asnumpy()
    assert isinstance(caught.value, NodeError)
    assert "failing" in str(caught.value)
    assert len(runs) == 2
