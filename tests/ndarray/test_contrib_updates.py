"""Updates in `mx.nd.contrib` that take lists do what the operators do."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.ndarray import contrib as updates

RATES = {"lrs": (0.1, 0.2), "wds": (0.0, 0.3)}


def arrays(*, low: float = -1.0, dtype: str = "float32") -> list[mx.nd.NDArray]:
    random = np.random.RandomState(5)
    return [mx.nd.array(random.uniform(low, 1, 3), dtype=dtype) for _ in range(2)]


@pytest.mark.parametrize("scale", [0.5, mx.nd.array([0.5])])
def test_adamw_of_several_is_adamw_of_each(scale):
    weights, grads, mean, var = arrays(), arrays(), arrays(), arrays(low=0.1)
    expected = [
        updates.adamw_update(
            w.copy(), g.copy(), m.copy(), v.copy(), scale, lr=lr, eta=0.5, wd=wd
        ).asnumpy()
        for w, g, m, v, lr, wd in zip(
            weights, grads, mean, var, RATES["lrs"], RATES["wds"], strict=True
        )
    ]
    updates.multi_adamw_update(
        weights, grads, mean, var, scale, etas=(0.5, 0.5), out=weights, **RATES
    )
    np.testing.assert_allclose([w.asnumpy() for w in weights], expected, rtol=1e-6)


def test_master_copies_of_adamw_and_lamb():
    for update, extra in (
        (updates.multi_mp_adamw_update, {"rescale_grad": 1.0, "etas": (1, 1)}),
        (updates.multi_mp_lamb_update, {"step_count": (1, 1)}),
    ):
        halves = arrays(dtype="float16")
        masters = [half.astype("float32") for half in halves]
        before = masters[0].asnumpy()
        grads = arrays(dtype="float16")
        update(halves, grads, arrays(), arrays(low=0.1), masters, out=halves, **extra, **RATES)
        assert (masters[0].asnumpy() != before).all()
        np.testing.assert_allclose(halves[0].asnumpy(), masters[0].asnumpy(), rtol=1e-3)
    half, master = halves[0], masters[0]
    updates.mp_adamw_update(
        half, grads[0], mx.nd.zeros(3), mx.nd.ones(3), master, 1, lr=0.1, eta=1, out=half
    )
    np.testing.assert_allclose(half.asnumpy(), master.asnumpy(), rtol=1e-3)


def test_lamb_of_several():
    weights = arrays()
    before = weights[0].asnumpy()
    updates.multi_lamb_update(
        weights, arrays(), arrays(), arrays(low=0.1), (1, 2), out=weights, **RATES
    )
    assert (weights[0].asnumpy() != before).any()
