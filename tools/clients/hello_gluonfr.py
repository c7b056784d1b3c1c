"""gluonfr: trains a face network on random pictures with an angular margin."""

from gluonfr.loss import ArcLoss
from gluonfr.model_zoo import get_model

import mxnet as mx
from mxnet import autograd, gluon, nd

mx.random.seed(1)
net = get_model("mobilefacenet", classes=4, weight_norm=True, feature_norm=True)
net.initialize(mx.init.Xavier())
loss_of = ArcLoss(classes=4, m=0.1, s=8)
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
faces, people = nd.random.uniform(shape=(4, 3, 112, 112)), nd.arange(4)
losses = []
for _ in range(4):
    with autograd.record():
        embeddings, cosines = net(faces)
        loss = loss_of(cosines, people)
    loss.backward()
    trainer.step(4)
    losses.append(loss.mean().asscalar())
assert losses[-1] < losses[0], losses
print(f"embeddings {embeddings.shape}; loss {losses[0]:.2f} to {losses[-1]:.2f} in 4 steps")
