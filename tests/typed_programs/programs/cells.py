"""Recurrent cells: single steps, unrolling, modifiers, and a cell of one's own."""

from typing_extensions import assert_type

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn, rnn

x = nd.random.normal(shape=(2, 3, 4))
cell = rnn.LSTMCell(5, input_size=4)
cell.initialize()
state = cell.begin_state(batch_size=2)
output, state = cell(x[:, 0], state)
assert_type(output, nd.NDArray)
for step in range(1, 3):
    output, state = cell(x[:, step], state)
outputs, last = cell.unroll(3, x, layout="NTC", merge_outputs=True)
print(outputs.shape, len(last), last[0].shape)
stack = rnn.SequentialRNNCell()
stack.add(rnn.GRUCell(5))
stack.add(rnn.DropoutCell(0.3))
stack.add(rnn.ResidualCell(rnn.GRUCell(5)))
stack.add(rnn.ZoneoutCell(rnn.RNNCell(5), zoneout_outputs=0.1))
stack.initialize(mx.init.Orthogonal())
print(stack.unroll(3, x, merge_outputs=False)[0][0].shape)
both = rnn.BidirectionalCell(rnn.LSTMCell(2), rnn.LSTMCell(2))
both.initialize()
print(both.unroll(3, x, valid_length=nd.array([2, 3]))[0])


class Plain(rnn.HybridRecurrentCell):
    def __init__(self, units, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        self._units = units
        self.i2h = nn.Dense(units)
        self.h2h = nn.Dense(units)

    def state_info(self, batch_size=0):
        return [{"shape": (batch_size, self._units), "__layout__": "NC"}]

    def _alias(self):
        return "plain"

    def hybrid_forward(self, F, inputs, states):
        output = F.tanh(self.i2h(inputs) + self.h2h(states[0]))
        return output, [output]


own = Plain(6)
own.initialize()
output, state = own(x[:, 0], own.begin_state(2))
assert_type(output, nd.NDArray)
print(output.shape, state[0].shape)
