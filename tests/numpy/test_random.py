"""`mx.np.random` and `mx.npx.random`: shapes, moments, seeds, gradients, mistakes."""

from __future__ import annotations

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, np, npx
from mxnet.errors import MXNetError

COUNT = 20_000

DISTRIBUTIONS = {
    # arguments, mean, variance
    "normal": ((2.0, 3.0), 2.0, 9.0),
    "uniform": ((-1.0, 3.0), 1.0, 16 / 12),
    "gamma": ((2.5, 0.5), 1.25, 0.625),
    "gumbel": ((1.0, 2.0), 1 + 2 * 0.57721566, 4 * onp.pi**2 / 6),
    "logistic": ((1.0, 0.5), 1.0, 0.25 * onp.pi**2 / 3),
    "lognormal": ((0.0, 0.5), onp.exp(0.125), (onp.exp(0.25) - 1) * onp.exp(0.25)),
    "exponential": ((2.0,), 2.0, 4.0),
    "rayleigh": ((2.0,), 2 * (onp.pi / 2) ** 0.5, (4 - onp.pi) / 2 * 4),
    "weibull": ((2.0,), onp.pi**0.5 / 2, 1 - onp.pi / 4),
    "pareto": ((6.0,), 0.2, 6 / (25 * 4)),
    "power": ((3.0,), 0.75, 3 / (16 * 5)),
    "beta": ((2.0, 3.0), 0.4, 0.04),
    "chisquare": ((3.0,), 3.0, 6.0),
}
WITH_DTYPE = ("normal", "uniform", "gamma", "lognormal", "beta", "chisquare")


@pytest.fixture(autouse=True)
def dialect():
    with mx.util.np_shape(True), mx.util.np_array(True):
        mx.random.seed(11)
        yield


def check_moments(drawn, mean: float, variance: float) -> None:
    """Compares mean and variance, within about five standard errors."""
    numbers = drawn.asnumpy().astype("float64")
    assert abs(numbers.mean() - mean) < 5 * (variance / numbers.size) ** 0.5
    assert numbers.var() == pytest.approx(variance, rel=0.15)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_numbers_as_parameters(name: str):
    arguments, mean, variance = DISTRIBUTIONS[name]
    function = getattr(np.random, name)
    scalar = function(*arguments)
    assert (type(scalar), scalar.shape, scalar.dtype) == (np.ndarray, (), onp.float32)
    assert function(*arguments, size=()).shape == ()
    assert function(*arguments, size=[2, 0]).shape == (2, 0)
    check_moments(function(*arguments, size=COUNT), mean, variance)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_arrays_as_parameters(name: str):
    arguments, mean, variance = DISTRIBUTIONS[name]
    function = getattr(np.random, name)
    first, *rest = arguments
    column = np.array([[first], [first]])
    assert function(column, *rest).shape == (2, 1)
    assert function(column, *map(np.array, rest)).shape == (2, 1)
    check_moments(function(column, *rest, size=(2, COUNT)), mean, variance)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_seed_decides(name: str):
    arguments = DISTRIBUTIONS[name][0]
    drawn = []
    for seed in (3, 3, 4):
        npx.random.seed(seed)
        drawn.append(getattr(np.random, name)(*arguments, size=9).asnumpy())
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] != drawn[2]).any()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_symbols_draw_in_the_shape_of_their_arrays(name: str):
    arguments = DISTRIBUTIONS[name][0]
    x = mx.sym.var("x").as_np_ndarray()
    symbol = getattr(mx.sym.np.random, name)(x, *arguments[1:])
    (drawn,) = symbol.eval(mx.cpu(), x=np.array([arguments[0]] * 3))
    assert (drawn.shape, drawn.dtype) == ((3,), onp.float32)


@pytest.mark.parametrize("name", WITH_DTYPE)
def test_dtype_of_the_result(name: str):
    arguments = DISTRIBUTIONS[name][0]
    function = getattr(np.random, name)
    for dtype in ("float64", onp.float16):
        assert function(*arguments, size=2, dtype=dtype).dtype == onp.dtype(dtype)
    with mx.util.np_default_dtype(True):
        assert function(*arguments).dtype == onp.float64
    if name != "beta":  # whose result is converted
        with pytest.raises(MXNetError):
            function(*arguments, dtype="int32")


@pytest.mark.parametrize("name", sorted(DISTRIBUTIONS.keys() - {"beta", "chisquare", "power"}))
def test_out_and_context(name: str):
    arguments = DISTRIBUTIONS[name][0]
    function = getattr(np.random, name)
    out = np.zeros(3)
    assert function(*arguments, size=3, out=out) is out
    assert out.asnumpy().any()
    assert function(*arguments, ctx=mx.cpu(1)).ctx == mx.cpu(1)
    with pytest.raises(MXNetError, match="shape"):
        function(*arguments, size=4, out=out)


def test_gradients_reach_location_and_scale():
    loc, scale = np.array([1.0, 2.0]), np.array([0.5, 3.0])
    for name in ("normal", "gumbel", "logistic"):
        loc.attach_grad()
        scale.attach_grad()
        with autograd.record():
            drawn = getattr(np.random, name)(loc, scale, size=(4, 2))
        drawn.backward()
        standard = (drawn.asnumpy() - loc.asnumpy()) / scale.asnumpy()
        assert loc.grad.asnumpy().tolist() == [4, 4]
        onp.testing.assert_allclose(scale.grad.asnumpy(), standard.sum(0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["uniform", "gamma", "power", "beta", "chisquare"])
def test_other_parameters_get_zeros(name: str):
    arguments = DISTRIBUTIONS[name][0]
    first = np.array([arguments[0]] * 2)
    first.attach_grad()
    with autograd.record():
        drawn = getattr(np.random, name)(first, *arguments[1:])
    drawn.backward()
    assert first.grad.asnumpy().tolist() == [0, 0]


def test_whole_numbers():
    drawn = np.random.randint(2, 6, size=COUNT)
    assert (drawn.dtype, sorted(set(drawn.tolist()))) == (onp.int64, [2, 3, 4, 5])
    check_moments(drawn, 3.5, 15 / 12)
    assert np.random.randint(3).shape == ()
    assert np.random.randint(1, size=4).tolist() == [0] * 4
    assert np.random.randint(5, size=2, dtype="int32").dtype == onp.int32
    for arguments in ((5, 2), (1.5,), (np.array([3]),)):
        with pytest.raises(MXNetError):
            np.random.randint(*arguments).wait_to_read()


def test_rand_and_randn_take_lengths():
    assert np.random.rand().shape == np.random.randn().shape == ()
    assert np.random.rand(2, 3).shape == np.random.randn(2, 3, dtype="float64").shape == (2, 3)
    check_moments(np.random.rand(COUNT), 0.5, 1 / 12)
    check_moments(np.random.randn(COUNT), 0, 1)
    with pytest.raises(TypeError):
        np.random.rand(2, unknown=1)


def test_choice():
    assert np.random.choice(5).shape == ()
    assert sorted(np.random.choice(5, 5, replace=False).tolist()) == [0, 1, 2, 3, 4]
    array = np.array([5.0, 6.0, 7.0])
    drawn = np.random.choice(array, (2, 2))
    assert (drawn.shape, drawn.dtype) == ((2, 2), onp.float32)
    assert {*drawn.reshape(-1).tolist()} <= {5, 6, 7}
    rows = np.random.choice(np.array([[1.0, 2.0], [3.0, 4.0]]), 3).tolist()
    assert all(row in ([1, 2], [3, 4]) for row in rows)
    chances = np.array([0.0, 1.0, 0.0])
    assert np.random.choice(array, 3, p=chances).tolist() == [6, 6, 6]
    assert np.random.choice(3, 2, p=chances).tolist() == [1, 1]
    for wrong in ([1, 2], 2.5):
        with pytest.raises(MXNetError):
            np.random.choice(wrong, 2)
    with pytest.raises(AssertionError):
        np.random.choice(3, 2, p=[0.5, 0.25, 0.25])


def test_multinomial():
    drawn = np.random.multinomial(10, [0.25, 0.75], size=(2, COUNT))
    assert (drawn.shape, drawn.dtype) == ((2, COUNT, 2), onp.int64)
    check_moments(drawn[:, :, 0], 2.5, 10 * 0.25 * 0.75)
    assert np.random.multinomial(4, np.array([0.0, 1.0])).tolist() == [0, 4]
    with pytest.raises(ValueError, match="NumPy"):
        np.random.multinomial(4, onp.array([0.5, 0.5]))
    with pytest.raises(TypeError):
        np.random.multinomial(4, [0.5, 0.5], unknown=1)


def test_multivariate_normal_has_its_covariances():
    mean, cov = np.array([1.0, -1.0]), np.array([[2.0, 0.5], [0.5, 1.0]])
    drawn = np.random.multivariate_normal(mean, cov, size=COUNT)
    assert drawn.shape == (COUNT, 2)
    onp.testing.assert_allclose(drawn.asnumpy().mean(0), mean.asnumpy(), atol=0.05)
    onp.testing.assert_allclose(onp.cov(drawn.asnumpy().T), cov.asnumpy(), atol=0.1)
    stack = np.array([[[1.0, 0.0], [0.0, 1.0]]] * 3)
    assert np.random.multivariate_normal(mean, cov).shape == (2,)
    assert np.random.multivariate_normal(mean, stack).shape == (3, 2)
    assert np.random.multivariate_normal(mean, stack, size=(4, 5)).shape == (4, 5, 3, 2)
    assert np.random.multivariate_normal(mean.astype("float64"), cov.astype("float64")).dtype == (
        onp.float64
    )
    for wrong in (-cov, np.zeros((3, 3))):
        with pytest.raises(MXNetError):
            np.random.multivariate_normal(mean, wrong).wait_to_read()


def test_shuffle_works_in_place():
    array = np.array(onp.arange(40.0).reshape(20, 2))
    before = array.asnumpy()
    assert np.random.shuffle(array) is None
    after = array.asnumpy()
    assert (after != before).any()
    assert sorted(after[:, 0].tolist()) == before[:, 0].tolist()
    assert (after[:, 1] - after[:, 0] == 1).all()
    with pytest.raises(AssertionError):
        np.random.shuffle([1, 2])


def test_extension_draws_for_each_set_of_parameters():
    loc = np.array([1.0, 200.0])
    assert npx.random.normal_n().shape == npx.random.uniform_n().shape == ()
    assert npx.random.normal_n(loc, 1.0, batch_shape=3).shape == (3, 2)
    drawn = npx.random.uniform_n(loc, loc + 1, batch_shape=(3, 4), dtype="float64")
    assert (drawn.shape, drawn.dtype) == ((3, 4, 2), onp.float64)
    check_moments(npx.random.normal_n(loc, 2.0, batch_shape=COUNT)[:, 1], 200, 4)


def test_bernoulli():
    check_moments(npx.random.bernoulli(0.25, size=COUNT), 0.25, 0.1875)
    check_moments(npx.random.bernoulli(logit=np.array(0.0), size=COUNT), 0.5, 0.25)
    assert npx.random.bernoulli(np.array([0.0, 1.0])).tolist() == [0, 1]
    assert npx.random.bernoulli(0.5, size=3, dtype="bool").dtype == onp.bool_
    for arguments in ((), (0.5, 0.5), (1.5,)):
        with pytest.raises(ValueError, match="bernoulli"):
            npx.random.bernoulli(*arguments).asnumpy()


def test_parameters_out_of_range_are_value_errors():
    for function, arguments in (
        (np.random.normal, (0.0, -1.0)),
        (np.random.exponential, (-1.0,)),
        (np.random.weibull, (0.0,)),
        (np.random.gamma, (np.array([1.0, -1.0]),)),
    ):
        with pytest.raises(ValueError, match="expected"):
            function(*arguments).asnumpy()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_lists_and_shapes_that_do_not_fit_are_refused(name: str):
    arguments = DISTRIBUTIONS[name][0]
    function = getattr(np.random, name)
    with pytest.raises((MXNetError, TypeError)):
        function([1.0, 2.0])
    with pytest.raises(MXNetError, match="broadcast"):
        function(np.array([1.0, 2.0]), *arguments[1:], size=(3,))


def test_a_graph_with_draws_is_named_as_by_the_original():
    with mx.name.NameManager():
        symbol = mx.sym.np.random.normal(mx.sym.var("x").as_np_ndarray(), 1.0, size=(2,))
    assert symbol.list_outputs() == ["normal0_output0"]
    assert symbol.attr_dict()["normal0"] == {
        "ctx": "cpu(0)",
        "dtype": "float32",
        "loc": "None",
        "scale": "1.0",
        "size": "(2,)",
    }


@pytest.mark.parametrize(("trials", "chances"), [(5, [0.5, 0.6]), (-1, [0.5, 0.5])])
def test_impossible_trials_show_when_counts_are_read(trials, chances):
    counts = np.random.multinomial(trials, chances)
    assert counts.shape == (2,)
    with pytest.raises(mx.MXNetError, match=r"at (most|least)"):
        counts.asnumpy()


def test_chances_may_be_rounded():
    assert int(np.random.multinomial(5, np.array([0.5, 0.5000001])).sum()) == 5
