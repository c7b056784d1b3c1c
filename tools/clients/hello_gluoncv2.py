"""gluoncv2: predicts with three networks and trains one of them for a few steps."""

from gluoncv2.model_provider import get_model

import mxnet as mx
from mxnet import autograd, gluon, nd

mx.random.seed(1)
images, labels = nd.random.uniform(shape=(8, 3, 32, 32)), nd.arange(8)
for name in ("resnet20_cifar10", "seresnet20_cifar10", "densenet40_k12_cifar10"):
    net = get_model(name)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    assert net(images).shape == (8, 10)
net = get_model("resnet20_cifar10")
net.initialize(mx.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
losses = []
for _ in range(6):
    with autograd.record():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(images), labels)
    loss.backward()
    trainer.step(8)
    losses.append(loss.mean().asscalar())
assert losses[-1] < losses[0], losses
print(f"three networks; ResNet-20: loss {losses[0]:.2f} to {losses[-1]:.2f} in 6 steps")
