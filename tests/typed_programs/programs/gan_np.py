"""A generative adversarial network in the NumPy dialect."""

from typing_extensions import assert_type

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

npx.set_np()
X = np.random.normal(0.0, 1, (64, 2))
data = np.dot(X, np.array([[1, 2], [-0.1, 0.5]])) + np.array([1, 2])
net_G = nn.Sequential()
net_G.add(nn.Dense(2))
net_D = nn.Sequential()
net_D.add(nn.Dense(5, activation="tanh"), nn.Dense(3, activation="tanh"), nn.Dense(1))


def update_D(X, Z, net_D, net_G, loss, trainer_D):
    batch_size = X.shape[0]
    ones, zeros = np.ones((batch_size,), ctx=X.ctx), np.zeros((batch_size,), ctx=X.ctx)
    with autograd.record():
        real_Y = net_D(X)
        fake_X = net_G(Z)
        fake_Y = net_D(fake_X.detach())
        loss_D = (loss(real_Y, ones) + loss(fake_Y, zeros)) / 2
    loss_D.backward()
    trainer_D.step(batch_size)
    return float(loss_D.sum())


loss = gluon.loss.SigmoidBCELoss()
net_D.initialize(init=init.Normal(0.02), force_reinit=True)
net_G.initialize(init=init.Normal(0.02), force_reinit=True)
trainer_D = gluon.Trainer(net_D.collect_params(), "adam", {"learning_rate": 0.05})
trainer_G = gluon.Trainer(net_G.collect_params(), "adam", {"learning_rate": 0.005})
for X in gluon.data.DataLoader(data, batch_size=16):
    Z = np.random.normal(0, 1, size=(16, 2))
    print(update_D(X, Z, net_D, net_G, loss, trainer_D))
    with autograd.record():
        loss_G = loss(net_D(net_G(Z)), np.ones((16,)))
    loss_G.backward()
    trainer_G.step(16)
fake = net_G(np.random.normal(0, 1, size=(10, 2)))
assert_type(fake, np.ndarray)
assert_type(loss(net_D(fake), np.ones((10,))), np.ndarray)
assert_type(npx.sigmoid(net_D(fake)), np.ndarray)
npx.reset_np()
