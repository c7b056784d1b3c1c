"""d2l, the library of the book Dive into Deep Learning: linear regression and a small GRU."""

from d2l import mxnet as d2l

import mxnet as mx
from mxnet import gluon, init, np, npx
from mxnet.gluon import nn, rnn

npx.set_np()
mx.random.seed(1)
weight, bias = np.array([2, -3.4]), 4.2
features, labels = d2l.synthetic_data(weight, bias, 1000)
net = nn.Sequential()
net.add(nn.Dense(1))
net.initialize(init.Normal(sigma=0.01))
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03})
loss_of = gluon.loss.L2Loss()
for _ in range(3):
    for batch, targets in d2l.load_array((features, labels), 10):
        with mx.autograd.record():
            loss = loss_of(net(batch), targets)
        loss.backward()
        trainer.step(10)
found = net[0].weight.data().reshape(-1)
assert abs(found - weight).max() < 0.05, found

model = d2l.RNNModel(rnn.GRU(16), 28)
model.initialize()
output, _ = model(np.zeros((2, 5)), model.begin_state(batch_size=2, ctx=mx.cpu()))
assert output.shape == (10, 28)
attention = d2l.MultiHeadAttention(16, 4, 0.0)
attention.initialize()
words = np.random.normal(size=(2, 5, 16))
assert attention(words, words, words, np.array([3, 5])).shape == (2, 5, 16)
print(f"regression: weights {found}; GRU: {output.shape}; attention with masked words")
