"""The programs of the notes this project started from, run as they are written there.

`programs/NNN_name.py.txt` is a program of note NNN, `.out.txt` beside it what the note prints.
Mended is only what Python cannot read: a tab among spaces (000_backward_inside_of_record), prompts
and a remark inside of a statement (003), an indentation (002). The notes import at their top.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd

PROGRAMS = Path(__file__).parent / "programs"
PRINTING = sorted(path.name.removesuffix(".out.txt") for path in PROGRAMS.glob("*.out.txt"))
ASSIGNED_IN_GRAPH = (
    "Assigning to NDArrays that are already in a computational graph will cause undefined behavior "
    "when evaluating gradients"
)


def read(name: str) -> str:
    return (PROGRAMS / f"{name}.py.txt").read_text()


def run(name: str, **given: object) -> dict[str, object]:
    """Runs a program and gives its variables; the last line's value is in `_` as at a prompt."""
    scope = {"mx": mx, "nd": nd, "autograd": autograd, "random": random, **given}
    *start, last = read(name).rstrip().splitlines()
    try:
        code = compile(last, name, "eval")
    except SyntaxError:
        exec(compile(read(name), name, "exec"), scope)  # noqa: S102 - the sources are ours
    else:
        exec(compile("\n".join(start), name, "exec"), scope)  # noqa: S102
        scope["_"] = eval(code, scope)  # noqa: S307
    return scope


def normalize(text: str) -> str:
    """Evens out white space; the notes' older NumPy prints `[ 3.]` where it is `[3.]` today."""
    return re.sub(r"\s*([\[\]])\s*", r"\1", re.sub(r"\s+", " ", text)).strip()


@pytest.mark.parametrize("name", [n for n in PRINTING if n not in ("004_gpu_zeros", "004_shape")])
def test_prints_what_the_note_shows(name, capsys):
    run(name)
    assert normalize(capsys.readouterr().out) == normalize(
        (PROGRAMS / f"{name}.out.txt").read_text()
    )


@pytest.mark.gpu
def test_zeros_on_the_gpu(capsys):
    run("004_gpu_zeros")
    expected = (PROGRAMS / "004_gpu_zeros.out.txt").read_text()
    assert normalize(capsys.readouterr().out) == normalize(expected)


@pytest.mark.parametrize("name", ["000_mean_plus_2x", "001_mean_plus_2x"])
def test_gradient_of_mean_plus_2x_is_3_because_the_elements_are_summed(name, capsys):
    scope = run(name)
    printed = normalize(capsys.readouterr().out)
    assert "grad:[[3. 3. 3.][3. 3. 3.]]<NDArray 2x3 @cpu(0)>" in printed
    # x + 0.00001 in the first difference, as much in one element alone in the second
    change = (scope["yy"] - scope["y"]).asnumpy()
    step = 3e-5 if name.startswith("001") else 0
    np.testing.assert_allclose(change[1], np.full(3, step + 1e-5 / 6), atol=2e-6)


def test_an_intermediate_has_no_gradient(capsys):
    scope = run("000_no_gradient_of_intermediate")
    assert scope["y"].grad is None
    assert normalize(capsys.readouterr().out) == "[8. 8. 8. 8.]<NDArray 4 @cpu(0)> None"


@pytest.mark.parametrize("name", ["000_siamese_loss", "001_siamese_loss"])
def test_loss_of_a_siamese_network(name):
    loss = run(name)["my_softmax_loss"]
    left, right = nd.array([[3, 4], [0.6, 0]]), nd.zeros((2, 2))
    left.attach_grad()
    with autograd.record():
        result = loss(left, right, nd.array([1, 0]))
    result.backward()
    np.testing.assert_allclose(result.asnumpy(), [25, 0.16], rtol=1e-5)
    np.testing.assert_allclose(left.grad.asnumpy(), [[6, 8], [-0.8, 0]], rtol=1e-5)


@pytest.mark.parametrize("name", ["000_sigmoid", "001_sigmoid"])
def test_sigmoid_with_a_backward_of_its_own(name):
    scope = run(name)
    m = scope["m"].asnumpy()
    np.testing.assert_allclose(m, 1 / (1 + np.exp(-scope["x"].asnumpy())), rtol=1e-5)
    np.testing.assert_allclose(scope["dx"], m * (1 - m), rtol=1e-5)


@pytest.mark.parametrize("name", ["000_random_normal", "001_random_normal"])
def test_random_features(name):
    scope = run(name)
    features, labels = scope["X"].asnumpy(), scope["y"].asnumpy()
    assert features.shape == (1000, 2)
    noise = labels - (2 * features[:, 0] - 3.4 * features[:, 1] + 4.2)
    assert 0.005 < noise.std() < 0.02


def test_arrays_of_two_dtypes_do_not_mix():
    with pytest.raises(mx.MXNetError, match="expected int32, got float32"):
        nd.array([1, 2], dtype="int32") + nd.array([1, 2])


@pytest.mark.parametrize("name", ["003_assign_in_record", "003_assign_in_record_retained"])
def test_assigning_inside_of_record_raises(name):
    x = nd.array([1, 2, 3])
    x.attach_grad()
    with pytest.raises(mx.MXNetError, match=ASSIGNED_IN_GRAPH):
        run(name, x=x)
    np.testing.assert_array_equal(x.asnumpy(), [1, 2, 3])


def test_backward_in_a_loop(capsys):
    x = nd.array([1, 2, 3])
    x.attach_grad()
    run("003_backward_in_a_loop", x=x)
    np.testing.assert_array_equal(x.grad.asnumpy(), 4 * x.asnumpy())
    assert capsys.readouterr().out.count("[ 4.  8. 12.]") == 10


def test_retain_graph_in_a_loop(capsys):
    x = run("003_retain_graph_in_a_loop")["x"]
    assert x.shape == (3,)
    np.testing.assert_array_equal(x.grad.asnumpy(), 4 * x.asnumpy())
    assert capsys.readouterr().out.count("<NDArray 3 @cpu(0)>") == 20


def test_gradient_is_4x():
    assert run("003_gradient_4x")["_"].asnumpy().all()


def test_second_backward_through_a_used_graph_raises():
    expected = "Cannot differentiate node because it is not in a computational graph"
    with pytest.raises(mx.MXNetError, match=expected):
        run("003_second_backward")


def test_normal():
    value = run("004_normal")["_"]
    assert "<NDArray 2x3 @cpu(0)>" in repr(value)
    shown = run("004_shape", val=value)["_"]
    assert str(shown) == (PROGRAMS / "004_shape.out.txt").read_text().strip()


def test_an_array_of_a_numpy_array_is_a_deep_copy():
    scope = run("004_numpy")
    scope["val"][0] = 9
    np.testing.assert_array_equal(scope["nd_val"].asnumpy(), [1, 2, 3])
    scope["val_"][1] = 9
    np.testing.assert_array_equal(scope["nd_val"].asnumpy(), [1, 2, 3])


def train_linear_regression(ctx: mx.Context) -> tuple[nd.NDArray, nd.NDArray]:
    """Trains as note 002 describes: batches, forward and loss in record, backward, descent.

    Note 003 has the update, `param[:] = param - lr * param.grad`.
    """
    source = read("002_minibatch").replace("mx.gpu()", f"mx.{ctx}")
    scope = {"mx": mx, "nd": nd, "random": random.Random(0)}
    exec(source, scope)  # noqa: S102
    mx.random.seed(0)
    features = nd.random.normal(shape=(200, 2), ctx=ctx)
    labels = 2 * features[:, 0] - 3.4 * features[:, 1] + 4.2
    w, b, lr = nd.zeros((2, 1), ctx=ctx), nd.zeros(1, ctx=ctx), 0.1
    for param in (w, b):
        param.attach_grad()
    for _ in range(20):
        for x, y in scope["next_minibatch"](10, features, labels):
            assert x.shape == (10, 2)
            with autograd.record():
                loss = (nd.dot(x, w) + b - y.reshape((-1, 1))) ** 2 / 20
            loss.backward()
            for param in (w, b):
                param[:] = param - lr * param.grad
    return w, b


@pytest.mark.parametrize("ctx", [mx.cpu(), pytest.param(mx.gpu(), marks=pytest.mark.gpu)], ids=str)
def test_linear_regression_on_minibatches(ctx):
    w, b = train_linear_regression(ctx)
    np.testing.assert_allclose(w.asnumpy().ravel(), [2, -3.4], atol=1e-3)
    np.testing.assert_allclose(b.asnumpy(), [4.2], atol=1e-3)


def test_predict_mode_is_the_default_and_record_trains():
    assert not autograd.is_training()
    with autograd.record():
        assert autograd.is_training()
