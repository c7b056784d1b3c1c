"""Blocks that get arrays of the other dialect than the one that is switched on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mxnet as mx
from mxnet import gluon
from tests.golden.mixing_cases import CASES, run

_GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mixing.json").read_text())
_REMEDIES = {"nd": "npx.set_np()", "np": "as_np_ndarray()"}


_ONLY_HERE = ["classic np np later nd"]
"""Cases whose first call the original refuses: `F.relu` of an `mx.np` array in `hybrid_forward`."""


@pytest.mark.parametrize("case", CASES)
def test_call_gives_the_dialect_of_its_array_or_says_what_to_call(case):
    _, _, array, _, switch = case.split()
    expected, result = _GOLDEN[case], run(mx, case)
    if result in ("nd", "np"):
        assert result == array
        # Where array and switch agree, the original wants the block made in this dialect, too.
        assert array == switch or expected in ("nd", "np") or case in _ONLY_HERE
    else:
        assert expected != array or array != switch
        assert _REMEDIES[switch] in result or "as_np_ndarray() on it" in result


def test_hybridized_loss_refuses_arrays_of_both_dialects():
    loss = gluon.loss.L2Loss()
    loss.hybridize()
    with pytest.raises(TypeError, match=r"some of mx.nd and some of mx.np.*call npx.set_np"):
        loss(mx.nd.ones((2, 3)), mx.np.ones((2, 3)))


@mx.util.use_np
def test_block_must_not_return_classic_arrays_after_set_np():
    class Half(gluon.Block):
        def forward(self, x):
            return x, [x.as_nd_ndarray()]

    with pytest.raises(TypeError, match=r"Half 'half_': results must be of mx.np"):
        Half(prefix="half__")(mx.np.ones(3))


@mx.util.use_np
def test_block_may_take_classic_arrays_and_convert_them():
    class Convert(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.np.tanh(x.as_np_ndarray())

    assert type(Convert()(mx.nd.ones(3))) is mx.np.ndarray


def test_symbols_of_the_other_dialect_are_refused():
    with pytest.raises(TypeError, match="as_nd_ndarray"):
        gluon.nn.Dense(2)(mx.sym.var("x").as_np_ndarray())


@mx.util.use_np
def test_recurrent_layer_refuses_states_of_the_other_dialect():
    layer = gluon.rnn.GRU(2, input_size=3)
    layer.initialize()
    with pytest.raises(TypeError, match="as_np_ndarray"):
        layer(mx.np.ones((2, 1, 3)), [mx.nd.zeros((1, 1, 2))])
