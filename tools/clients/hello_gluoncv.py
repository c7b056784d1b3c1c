"""GluonCV: trains a small ResNet for a few steps and a detector on one picture with a box."""

import numpy as np
from gluoncv.loss import SSDMultiBoxLoss
from gluoncv.model_zoo import get_model
from gluoncv.model_zoo.ssd.target import SSDTargetGenerator

import mxnet as mx
from mxnet import autograd, gluon, nd

mx.random.seed(1)
np.random.seed(1)

net = get_model("cifar_resnet20_v1", classes=10)
net.initialize(mx.init.Xavier())
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
images, labels = nd.random.uniform(shape=(16, 3, 32, 32)), nd.arange(16) % 10
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
losses = []
for _ in range(5):
    with autograd.record():
        loss = loss_of(net(images), labels)
    loss.backward()
    trainer.step(16)
    losses.append(loss.mean().asscalar())
assert losses[-1] < losses[0], losses

detector = get_model("ssd_512_mobilenet1.0_voc", pretrained_base=False)
detector.initialize()
picture = nd.random.uniform(shape=(1, 3, 256, 256))
with autograd.train_mode():
    scores, offsets, anchors = detector(picture)
boxes, classes = nd.array([[[40, 40, 160, 160]]]), nd.array([[[3]]])
targets = SSDTargetGenerator()(anchors, scores, boxes, classes)
step = gluon.Trainer(detector.collect_params(), "sgd", {"learning_rate": 1e-3})
with autograd.record():
    scores, offsets, _ = detector(picture)
    total, _, _ = SSDMultiBoxLoss()(scores, offsets, *targets[:2])
    autograd.backward(total)
step.step(1)
found = detector(picture)
assert found[2].shape == (1, 100, 4)
print(f"ResNet-20: loss {losses[0]:.2f} to {losses[-1]:.2f} in 5 steps; SSD: one step, 100 boxes")
