"""A recurrent language model with truncated backpropagation through time."""

import math

from typing_extensions import assert_type

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn


class RNNModel(gluon.Block):
    def __init__(self, mode, vocab_size, num_embed, num_hidden, num_layers, dropout=0.5, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.drop = nn.Dropout(dropout)
            self.encoder = nn.Embedding(
                vocab_size, num_embed, weight_initializer=mx.init.Uniform(0.1)
            )
            make = {"lstm": rnn.LSTM, "gru": rnn.GRU, "rnn": rnn.RNN}[mode]
            self.rnn = make(num_hidden, num_layers, dropout=dropout, input_size=num_embed)
            self.decoder = nn.Dense(vocab_size, in_units=num_hidden)
            self.num_hidden = num_hidden

    def forward(self, inputs, hidden):
        emb = self.drop(self.encoder(inputs))
        output, hidden = self.rnn(emb, hidden)
        output = self.drop(output)
        decoded = self.decoder(output.reshape((-1, self.num_hidden)))
        return decoded, hidden

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def detach(hidden):
    if isinstance(hidden, (tuple, list)):
        return [detach(state) for state in hidden]
    return hidden.detach()


vocabulary, steps, batch_size = 12, 5, 4
corpus = nd.random.randint(0, vocabulary, shape=(40, batch_size))
model = RNNModel("lstm", vocabulary, 8, 8, 2)
model.collect_params().initialize(mx.init.Xavier(), ctx=mx.cpu())
trainer = gluon.Trainer(model.collect_params(), "sgd", {"learning_rate": 1, "momentum": 0, "wd": 0})
loss = gluon.loss.SoftmaxCrossEntropyLoss()
total = 0.0
hidden = model.begin_state(func=mx.nd.zeros, batch_size=batch_size, ctx=mx.cpu())
for i in range(0, corpus.shape[0] - 1 - steps, steps):
    data, target = corpus[i : i + steps], corpus[i + 1 : i + 1 + steps].reshape((-1,))
    hidden = detach(hidden)
    with autograd.record():
        output, hidden = model(data, hidden)
        L = loss(output, target)
    L.backward()
    grads = [p.grad(mx.cpu()) for p in model.collect_params().values()]
    assert_type(grads, list[nd.NDArray])
    gluon.utils.clip_global_norm(grads, 0.2 * steps * batch_size)
    trainer.step(batch_size)
    total += L.mean().asscalar()
print(math.exp(total / 7))
assert_type(loss(nd.ones((2, 3)), nd.zeros((2,))), nd.NDArray)
lstm = rnn.LSTM(4, layout="NTC")
lstm.initialize()
sequence = nd.ones((2, 3, 4))
assert_type(lstm(sequence), nd.NDArray)
outputs, states = lstm(sequence, lstm.begin_state(2))
assert_type(outputs, nd.NDArray)
assert_type(states, list[nd.NDArray])
