"""Arrays, autograd and files on an accelerator."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd

pytestmark = pytest.mark.gpu


def test_creation_and_context():
    x = nd.array([[1, 2], [3, 4]], ctx=mx.gpu())
    assert x.context == mx.gpu(0)
    assert str(x) == "\n[[1. 2.]\n [3. 4.]]\n<NDArray 2x2 @gpu(0)>"
    with mx.gpu():
        assert nd.zeros((2,)).context == mx.gpu(0)
        assert nd.random.normal(shape=(3,)).context == mx.gpu(0)
    for y in (nd.arange(4, ctx=mx.gpu()), nd.eye(2, ctx=mx.gpu()), nd.full((2,), 3, ctx=mx.gpu())):
        assert y.context == mx.gpu(0)
        assert y._plain.is_cuda or y._plain.device.type != "cpu"


def test_moving_between_contexts():
    x = nd.arange(4)
    y = x.as_in_context(mx.gpu())
    assert y.as_in_context(mx.gpu()) is y
    assert x.copyto(mx.gpu()).context == mx.gpu(0)
    back = nd.zeros((4,))
    y.copyto(back)
    assert back.context == mx.cpu(0)
    np.testing.assert_array_equal(back.asnumpy(), x.asnumpy())
    with pytest.raises(mx.MXNetError):
        x + y


def test_a_gpu_that_is_not_there():
    with pytest.raises(mx.MXNetError, match="not available"):
        nd.zeros((1,), ctx=mx.gpu(99))


def test_memory_info():
    free, total = mx.context.gpu_memory_info(0)
    assert 0 < free <= total
    assert mx.num_gpus() == len(mx.test_utils.list_gpus()) >= 1


def test_indexing_and_assignment():
    x = nd.arange(12, ctx=mx.gpu()).reshape((3, 4))
    reference = np.arange(12, dtype=np.float32).reshape(3, 4)
    x[1] = nd.ones((4,))
    reference[1] = 1
    x[:, ::-1] = nd.arange(12, ctx=mx.gpu()).reshape((3, 4))
    reference[:, ::-1] = np.arange(12).reshape(3, 4)
    x[[0, 2], [1, 3]] = -5
    reference[[0, 2], [1, 3]] = -5
    np.testing.assert_array_equal(x.asnumpy(), reference)
    view = x[0:2]
    view += 1
    reference[0:2] += 1
    np.testing.assert_array_equal(x.asnumpy(), reference)
    np.testing.assert_array_equal(x[nd.array([2, 0])].asnumpy(), reference[[2, 0]])
    with pytest.raises(IndexError):
        x[nd.array([7], ctx=mx.gpu())]
    assert x.sum().asscalar() == reference.sum()


def test_gradients():
    x = nd.array([1.0, 2.0, 3.0], ctx=mx.gpu())
    x.attach_grad()
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    assert x.grad.context == mx.gpu(0)
    np.testing.assert_array_equal(x.grad.asnumpy(), [2, 4, 6])
    with pytest.raises(mx.MXNetError):
        y.backward()
    with autograd.record():
        moved = (x.as_in_context(mx.cpu()) * 3).sum()
    moved.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), [3, 3, 3])


def test_second_order():
    x = nd.array([1.0, 2.0], ctx=mx.gpu())
    x.attach_grad()
    with autograd.record():
        y = x * x * x
        first = autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    first.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), [6, 12], rtol=1e-6)


def test_files(tmp_path):
    x = nd.random.normal(shape=(3, 4), ctx=mx.gpu())
    nd.save(str(tmp_path / "x.params"), {"x": x})
    loaded = nd.load(str(tmp_path / "x.params"))["x"]
    assert loaded.context == mx.gpu(0)
    np.testing.assert_array_equal(loaded.asnumpy(), x.asnumpy())


def test_seed_repeats_the_numbers_of_the_gpu():
    def draw():
        return nd.random.uniform(shape=(5,), ctx=mx.gpu()).asnumpy()

    mx.random.seed(3)
    first = draw()
    mx.random.seed(3)
    np.testing.assert_array_equal(draw(), first)
    mx.random.seed(3, ctx=mx.gpu(0))
    np.testing.assert_array_equal(draw(), first)


def test_memory_is_shared_with_torch():
    tensor = torch.zeros(3, device="cuda")
    x = nd.from_torch(tensor)
    x[:] = 2
    assert tensor.sum().item() == 6
    assert x.to_torch().data_ptr() == tensor.data_ptr()
    assert nd.from_dlpack(x.to_dlpack_for_read()).context == mx.gpu(0)


def test_dropout_and_batch_norm_train():
    x = nd.ones((64, 32), ctx=mx.gpu())
    with autograd.record():
        dropped = nd.Dropout(x, p=0.5)
    kept = float((dropped != 0).mean().asscalar())
    assert 0.3 < kept < 0.7
    mean, var = nd.zeros((32,), ctx=mx.gpu()), nd.ones((32,), ctx=mx.gpu())
    gamma, beta = nd.ones((32,), ctx=mx.gpu()), nd.zeros((32,), ctx=mx.gpu())
    with autograd.record():
        nd.BatchNorm(x, gamma, beta, mean, var, fix_gamma=False, momentum=0.5)
    np.testing.assert_allclose(mean.asnumpy(), np.full(32, 0.5), rtol=1e-6)
