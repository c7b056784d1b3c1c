"""Linear regression with Gluon, in the NumPy dialect."""

from typing_extensions import assert_type

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import loss as gluon_loss
from mxnet.gluon import nn

npx.set_np()


def load_array(data_arrays, batch_size, is_train=True):
    dataset = gluon.data.ArrayDataset(*data_arrays)
    return gluon.data.DataLoader(dataset, batch_size, shuffle=is_train)


features = np.random.normal(size=(32, 2))
labels = features @ np.array([2, -3.4]) + 4.2
data_iter = load_array((features, labels), 8)
net = nn.Sequential()
net.add(nn.Dense(1))
net.initialize(init.Normal(sigma=0.01))
loss = gluon_loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03})
assert_type(trainer.learning_rate, float)
for epoch in range(2):
    for X, y in data_iter:
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(8)
    l = loss(net(features), labels)
    print(f"epoch {epoch + 1}, loss: {l.mean().asnumpy():f}")
assert_type(net(features), np.ndarray)
assert_type(loss(net(features), labels), np.ndarray)
w = net[0].weight.data()
print(f"error in w: {np.array([2, -3.4]) - w.reshape(2)}", net[0].bias.data())
dense = nn.Dense(3, activation="relu")
dense.initialize()
assert_type(dense(features), np.ndarray)
assert_type(len(net), int)
npx.reset_np()
