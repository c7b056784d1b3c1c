"""Layers of programs whose parameters wait for the first data, used in many ways."""

from __future__ import annotations

from functools import partial

import mxnet as mx
from mxnet import nd

from .core import named

LAYERS = (
    ("x * w", {"w": (0, 3)}),
    ("w * x", {"w": (0, 0)}),
    ("x + w", {"w": None}),
    ("F.elemwise_add(x, w)", {"w": (0, 0)}),
    ("F.elemwise_mul(w, x)", {"w": (0, 0)}),
    ("F.FullyConnected(x, w * 2, num_hidden=4, no_bias=True)", {"w": (4, 0)}),
    ("F.FullyConnected(x, F.abs(w), b, num_hidden=4)", {"w": (4, 0), "b": (0,)}),
    ("F.FullyConnected(data=x, weight=w, bias=b, num_hidden=4)", {"w": (0, 0), "b": (0,)}),
    ("F.concat(x, w, dim=0)", {"w": (1, 0)}),
    ("F.where(x > 2, x, w)", {"w": (0, 0)}),
    ("F.LayerNorm(x, g * 2, b)", {"g": (0,), "b": (0,)}),
    ("F.Embedding(x, -w, input_dim=5, output_dim=2)", {"w": (0, 0)}),
    ("F.Custom(x, w, op_type='program_weigh')", {"w": (4, 0)}),
    ("F.batch_dot(F.expand_dims(x, 0), F.expand_dims(w, 0))", {"w": (0, 4)}),
    ("F.concat(x, w, dim=1)", {"w": (0, 0)}),
)


def _mistaken(hybridized):
    class Recurrent(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.layer = mx.gluon.rnn.LSTM(4, layout="NTC")

        def hybrid_forward(self, F, x):
            return F.sum(self.layer(x), axis=2) + F.ones(1)

    block = Recurrent()
    block.initialize()
    block.hybridize(hybridized)

    def attempt():
        try:
            return block(nd.ones((2, 5, 3))).shape
        except ValueError:
            return "refused"

    return attempt(), attempt(), block.layer.l0_i2h_weight.shape


PROGRAMS = named(
    "deferred_helpers",
    {
        f"{'hybridized ' if hybridized else ''}{source}": f"made(lambda F, x, {', '.join(shapes)}: {source}, {shapes}, {hybridized})"
        for source, shapes in LAYERS
        for hybridized in (False, True)
    },
) | {
    f"mistaken sum, hybridized {hybridized}": partial(_mistaken, hybridized)
    for hybridized in (False, True)
}
