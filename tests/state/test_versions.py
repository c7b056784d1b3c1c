"""The version whose rules hold is chosen for the process, by the program or the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Thread

import numpy as onp
import pytest

import mxnet as mx


def test_the_version_is_chosen_and_given_back():
    assert mx.__version__.startswith("1.9.1+")
    assert mx.set_version(2) == 1
    try:
        assert mx.__version__.startswith("2.0.0b1+")
        assert mx.libinfo.__version__ == mx.__version__
        found = []
        thread = Thread(target=lambda: found.append(mx.npx.is_np_array()))
        thread.start()
        thread.join()
        assert found == [True]
    finally:
        assert mx.set_version(1) == 2
    assert mx.__version__.startswith("1.9.1+")
    assert not mx.npx.is_np_array()


@pytest.mark.parametrize("version", [3, "2", None])
def test_others_are_refused(version):
    with pytest.raises(ValueError, match="takes 1 or 2"):
        mx.set_version(version)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2", "2.0.0b1 True"), ("2.0.0", "2.0.0b1 True"), ("1.9.1", "1.9.1 False")],
)
def test_the_environment_decides(value, expected):
    program = "import mxnet as mx; print(mx.__version__.split('+')[0], mx.npx.is_np_shape())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"MXNET_VERSION": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected


@pytest.fixture
def version_2():
    before = mx.set_version(2)
    yield
    mx.set_version(before)


@pytest.mark.usefixtures("version_2")
@pytest.mark.parametrize("hybridize", [False, True])
def test_a_gradient_of_a_result_leaves_its_graph(hybridize):
    net = mx.gluon.nn.Dense(2, in_units=2, use_bias=False)
    net.initialize(mx.init.One())
    net.hybridize(hybridize)
    x, y = mx.np.array([[1, 2], [3, 4]]), mx.np.array([[5, 6], [7, 8]])
    x.attach_grad()
    y.attach_grad()
    with mx.autograd.record():
        inner = net(x) * y
        outer = inner * x
    inner.attach_grad()
    outer.attach_grad()
    outer.backward(retain_graph=True)
    sums = onp.array([[3, 3], [7, 7]])
    assert outer.grad.tolist() == [[1, 1], [1, 1]]
    assert inner.grad.tolist() == x.tolist()
    onp.testing.assert_array_equal(y.grad.asnumpy(), sums * x.asnumpy())
    inner.drop_grad()
    outer.drop_grad()
    y.drop_grad()
    before = x.grad.asnumpy()
    outer.backward(mx.np.full((2, 2), 2.0))
    assert inner.grad is outer.grad is y.grad is None
    onp.testing.assert_array_equal(x.grad.asnumpy(), 2 * before)


@pytest.mark.usefixtures("version_2")
def test_gradients_of_results_stay_when_their_graph_is_used_up():
    x = mx.np.array([1, 2, 3])
    x.attach_grad()
    with mx.autograd.record():
        inner = x * 2
        inner.attach_grad("add")
        outer = inner**2
        outer.attach_grad()
    outer.backward()
    assert inner.grad.tolist() == [4, 8, 12]
    assert outer.grad.tolist() == [1, 1, 1]
    with pytest.raises(mx.MXNetError, match="backward"):
        outer.backward()
    with mx.autograd.record():
        later = inner * x
    later.backward()
    assert x.grad.tolist() == [2, 4, 6]


def test_in_the_old_version_a_gradient_cuts_the_graph():
    x = mx.nd.array([1, 2])
    x.attach_grad()
    with mx.autograd.record():
        y = x * 2
    y.attach_grad()
    y.backward()
    assert y.grad.asnumpy().tolist() == [1, 1]
    assert x.grad.asnumpy().tolist() == [0, 0]


@pytest.mark.usefixtures("version_2")
def test_blocks_answer_as_in_mxnet_2(tmp_path):
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(2))
    net.initialize()
    net.hybridize()
    shown = []
    net.register_op_hook(lambda name, operator, _: shown.append((type(name), operator)))
    net(mx.np.ones((1, 3)))
    assert shown == [(str, "FullyConnected")]
    start = str(tmp_path / "net")
    assert net.export(start) == (f"{start}-symbol.json", f"{start}-0000.params")
    block = mx.gluon.Block()
    assert block() is block

    class Listed(mx.gluon.Block):
        def __init__(self):
            super().__init__()
            self.layers = [mx.gluon.nn.Dense(1)]

    with pytest.warns(UserWarning, match="holds blocks in a list"):
        Listed().collect_params()
