"""Scalars and arrays without elements in the classic dialect, compared with the original."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mxnet as mx
from mxnet import gluon, np
from tests.golden.np_shape_cases import is_random, list_cases, run

_GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "np_shape.json").read_text())


@pytest.mark.parametrize("name", _GOLDEN)
@mx.util.use_np_shape
def test_result_is_that_of_the_original(name):
    result = run(list_cases(mx)[name], values=not is_random(name))
    assert json.loads(json.dumps(result)) == _GOLDEN[name]


def test_classic_draws_need_an_axis():
    with pytest.raises(mx.MXNetError, match="at least one axis"):
        mx.nd.random.uniform(shape=())


@mx.util.use_np
def test_constants_without_elements_stay_so_in_graphs():
    class Joined(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            nothing = F.np.zeros((0, 2))
            return nothing + x, F.np.concatenate([nothing, x])

    block = Joined()
    block.hybridize()
    assert [result.shape for result in block(np.ones((1, 2)))] == [(0, 2), (1, 2)]


def test_classic_constants_get_their_lengths_from_where_they_are_used():
    (result,) = (mx.sym.zeros((0, 3)) + mx.sym.var("x")).eval(x=mx.nd.ones((4, 3)))
    assert result.shape == (4, 3)
