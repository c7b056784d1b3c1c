"""Programs about shapes that follow from those of other variables, forward and backward."""

# ruff: noqa: E501 - a program is one line
from __future__ import annotations

from .core import of

SETUP = """
S = mx.sym
v = S.var
def found(symbol, **shapes):
    arguments, outputs, states = symbol.infer_shape(**shapes)
    names = symbol.list_arguments(), symbol.list_auxiliary_states()
    return dict(zip(names[0], arguments)), outputs, dict(zip(names[1], states))
data = v('data')
shifted = S.FullyConnected(data=data, weight=v('weight') + 1, name='fc', num_hidden=7)
"""

PROGRAMS = of(
    SETUP,
    """
    found(shifted, data=(3, 5))
    found(shifted, data=(3, 5), weight=(1, 5))
    found(v('a', shape=(0, 10)) + v('b', shape=(12, 0)))
    found(S.FullyConnected(data=v('a', shape=(0, 10)), num_hidden=21, name='f') + v('c', shape=(5, 0)))
    found(S.SliceChannel(data=v('a', shape=(0, 10)), num_outputs=10, axis=1, squeeze_axis=True)[1] + v('c', shape=(5,)))
    found(S.SliceChannel(data=v('a', shape=(0, 15, 0)), num_outputs=3)[1] + v('c', shape=(3, 5, 2)))
    found(S.SliceChannel(data=v('a', shape=(0, 15, 4)), num_outputs=2, axis=-1)[0] + v('c', shape=(3, 0, 0)))
    found(S.Convolution(data=v('a', shape=(0, 10, 0, 0)), num_filter=21, kernel=(3, 3), pad=(1, 1), name='k') + v('c', shape=(5, 21, 32, 32)))
    found(S.Convolution(data=v('a', shape=(0, 4, 0)), num_filter=2, kernel=(3,), dilate=(2,), no_bias=True, name='k') + v('c', shape=(5, 2, 8)))
    found(S.Convolution(data=v('a', shape=(0, 4, 9)), num_filter=2, kernel=(3,), stride=(2,), name='k') + v('c', shape=(5, 2, 4)))
    found(v('d', shape=(2, 0)) + S.Concat(v('a', shape=(0, 10)), v('b', shape=(0, 5)), dim=1))
    found(v('d', shape=(2, 9)) + S.Concat(v('a', shape=(0, 4)), v('b', shape=(0, 0)), dim=1))
    found(S.Convolution(data, num_filter=2, kernel=(3, 3), name='k'), data=(1, 3, 8, 8), k_weight=(2, 4, 3, 3))
    found(S.FullyConnected(data, num_hidden=2, name='f'), data=(4, 3), f_bias=(3,))
    found(S.Embedding(data, input_dim=4, output_dim=2, name='e'), data=(5,), e_weight=(4, 3))
    S.Embedding(v('x'), v('w'), input_dim=100, output_dim=3).infer_shape_partial(x=(4, 5))
    S.transpose(v('x'), axes=(1, 2, 0)).infer_shape_partial(x=(0, 3, 0))
    S.pick(v('x'), v('i'), axis=1).infer_shape_partial(x=(3, 0, 3), i=(3, 3))
    S.Pooling(v('a'), kernel=(2, 2), stride=(2, 2), pool_type='max').infer_shape_partial(a=(0, 3, 8, 8))
    S.SoftmaxOutput(S.FullyConnected(data, num_hidden=4, name='f'), name='s').infer_shape_partial(data=(0, 7))
    found(S.RNN(v('a'), state_size=3, num_layers=2, mode='lstm', name='r'), a=(2, 3, 4))
    found(S.BatchNorm(v('a'), name='b'), a=(2, 3, 4))
    found(S.LinearRegressionOutput(v('a'), v('l')), a=(4, 1))
    found(S.SequenceMask(v('a'), v('b'), use_sequence_length=True), a=(2, 3, 4))
    found(S.Crop(v('a'), v('b')), a=(1, 2, 6, 6), b=(1, 2, 3, 3))
    """,
)
