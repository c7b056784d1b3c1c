"""Seeds and streams; shapes, types and errors are compared in `tests/programs/random_frontends`."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd
from mxnet._legacy.imported_names import DECLARED

DRAWS = {
    "uniform": lambda ctx: nd.random.uniform(shape=50, ctx=ctx),
    "normal": lambda ctx: nd.random.normal(shape=50, ctx=ctx),
    "randn": lambda ctx: nd.random.randn(50, ctx=ctx),
    "gamma": lambda ctx: nd.random.gamma(2, shape=50, ctx=ctx),
    "exponential": lambda ctx: nd.random.exponential(2, shape=50, ctx=ctx),
    "poisson": lambda ctx: nd.random.poisson(20, shape=50, ctx=ctx),
    "negative_binomial": lambda ctx: nd.random.negative_binomial(20, 0.5, shape=50, ctx=ctx),
    "generalized": lambda ctx: nd.random.generalized_negative_binomial(20, 1, shape=50, ctx=ctx),
    "randint": lambda ctx: nd.random.randint(0, 1000, shape=50, ctx=ctx),
    "multinomial": lambda ctx: nd.random.multinomial(nd.ones((50, 10), ctx=ctx) / 10),
    "shuffle": lambda ctx: nd.random.shuffle(nd.arange(50, ctx=ctx)),
    "uniform_like": lambda ctx: nd.random.uniform_like(nd.ones(50, ctx=ctx)),
    "arrays": lambda ctx: nd.random.normal(nd.ones(2, ctx=ctx), nd.ones(2, ctx=ctx), shape=25),
    "dropout": lambda ctx: nd.Dropout(nd.ones(50, ctx=ctx), p=0.5, mode="always"),
}
CPUS = (mx.cpu(0), mx.cpu(1))
GPU = pytest.param(mx.gpu(0), marks=pytest.mark.gpu)


def draw(name, ctx):
    return DRAWS[name](ctx).asnumpy()


def same(a, b):
    return np.array_equal(a, b)


@pytest.mark.parametrize("ctx", [*CPUS, GPU], ids=str)
@pytest.mark.parametrize("name", DRAWS)
def test_the_same_seed_gives_the_same_numbers(name, ctx):
    mx.random.seed(11)
    first, second = draw(name, ctx), draw(name, ctx)
    assert not same(first, second)
    mx.random.seed(11)
    assert same(first, draw(name, ctx))
    assert same(second, draw(name, ctx))
    mx.random.seed(12)
    assert not same(first, draw(name, ctx))


@pytest.mark.parametrize("name", DRAWS)
def test_contexts_have_streams_of_their_own(name):
    mx.random.seed(11)
    first = draw(name, CPUS[0])
    assert not same(first, draw(name, CPUS[1]))
    mx.random.seed(11)
    draw(name, CPUS[1])
    assert same(first, draw(name, CPUS[0]))


def test_seeding_one_context_leaves_the_others_alone():
    mx.random.seed(11)
    expected = [draw("normal", CPUS[0]) for _ in range(2)]
    mx.random.seed(11)
    first = draw("normal", CPUS[0])
    mx.random.seed(99, ctx=CPUS[1])
    assert same(expected, [first, draw("normal", CPUS[0])])


@pytest.mark.parametrize("ctx", [*CPUS, mx.Context("cpu_pinned", 0), GPU], ids=str)
def test_seeding_by_context(ctx):
    mx.random.seed(7, ctx=ctx)
    first = draw("uniform", ctx)
    mx.random.seed(8, ctx=CPUS[0])
    mx.random.seed(7, ctx=ctx)
    assert same(first, draw("uniform", ctx))


def test_one_seed_gives_the_same_numbers_on_contexts_of_a_kind():
    for ctx in CPUS:
        mx.random.seed(7, ctx=ctx)
    assert same(draw("uniform", CPUS[0]), draw("uniform", CPUS[1]))


def test_a_context_is_given_by_name():
    mx.random.seed(7, ctx="cpu")
    first = draw("uniform", CPUS[0])
    mx.random.seed(7, ctx=mx.cpu())
    assert same(first, draw("uniform", CPUS[0]))


@pytest.mark.parametrize("seed", [0, -1, 2**31, 2**40, np.int64(5), True])
def test_any_integer_is_a_seed(seed):
    mx.random.seed(seed)
    first = draw("uniform", CPUS[0])
    mx.random.seed(seed)
    assert same(first, draw("uniform", CPUS[0]))


@pytest.mark.parametrize("seed", ["a", 3.0, None, nd.ones(1)])
def test_other_values_are_no_seeds(seed):
    with pytest.raises(ValueError, match="takes an int"):
        mx.random.seed(seed)


def test_an_unknown_context_raises():
    with pytest.raises(KeyError, match="unknown device type 'tpu'"):
        mx.random.seed(3, ctx="tpu")


def test_a_thread_continues_the_stream():
    mx.random.seed(11)
    expected = [draw("uniform", CPUS[0]) for _ in range(2)]
    mx.random.seed(11)
    found = []
    thread = threading.Thread(target=lambda: found.append(draw("uniform", CPUS[0])))
    thread.start()
    thread.join()
    assert same(expected, [*found, draw("uniform", CPUS[0])])


def test_empty_shapes_are_allowed():
    assert nd.random.uniform(shape=(0,)).shape == (0,)


@pytest.mark.parametrize(
    "call",
    [
        lambda: nd.random.normal(0, -1, shape=2),
        lambda: nd.random.randint(10, 0),
        lambda: nd.random.randint(5, 5),
        lambda: nd.random.uniform(2, 1, shape=2),
        lambda: nd.random.negative_binomial(-1, 0.5),
        lambda: nd.random.gamma(-1, 1),
        lambda: nd.random.poisson(-1),
    ],
)
def test_parameters_out_of_range_raise_when_the_result_is_read(call):
    result = call()
    with pytest.raises(mx.MXNetError):
        result.wait_to_read()


def test_unknown_arguments_raise():
    for call in (nd.random.uniform, nd.random.randn):
        with pytest.raises(mx.MXNetError, match="colour"):
            call(colour=3)
    with pytest.raises(mx.MXNetError, match="colour"):
        nd.random.multinomial(nd.ones(1), colour=3)
    with pytest.raises(mx.MXNetError, match="colour"):
        nd.random.shuffle(nd.ones(1), colour=3)


def test_means_follow_the_arrays_of_parameters():
    mx.random.seed(0)
    low, high = nd.array([0, 10]), nd.array([1, 20])
    means = nd.random.uniform(low, high, shape=4000).mean(axis=1).asnumpy()
    np.testing.assert_allclose(means, [0.5, 15], rtol=0.05)
    means = nd.random.exponential(nd.array([1, 5]), shape=4000).mean(axis=1).asnumpy()
    np.testing.assert_allclose(means, [1, 5], rtol=0.1)


def test_out_is_filled_in_its_own_type():
    out = nd.zeros((2, 3), dtype="float64", ctx=mx.cpu(1))
    result = nd.random.uniform(1, 2, out=out)
    assert result is out
    assert out.dtype == np.float64
    assert (out.asnumpy() >= 1).all()


def test_gradient_of_the_log_probability_of_a_sample():
    mx.random.seed(3)
    p = nd.array([[0.2, 0.8], [0.5, 0.5]])
    p.attach_grad()
    with autograd.record():
        sample, log_probability = nd.random.multinomial(p, shape=4, get_prob=True)
        loss = log_probability * nd.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    loss.backward()
    expected = np.zeros((2, 2))
    for row, indices in enumerate(sample.asnumpy()):
        for column, index in enumerate(indices):
            expected[row, index] += (row * 4 + column + 1) / p.asnumpy()[row, index]
    np.testing.assert_allclose(p.grad.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(
        log_probability.asnumpy(),
        np.log(np.take_along_axis(p.asnumpy(), sample.asnumpy().astype(int), 1)),
        rtol=1e-5,
    )


def test_samples_are_constants_of_the_graph():
    x = nd.ones(3)
    x.attach_grad()
    with autograd.record():
        noise = nd.random.normal(shape=3)
        y = x * noise
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), noise.asnumpy())


def test_mx_random_has_the_functions_of_nd_random():
    for name in DECLARED["mxnet.random"]:
        if name != "seed":
            assert getattr(mx.random, name) is getattr(nd.random, name)
