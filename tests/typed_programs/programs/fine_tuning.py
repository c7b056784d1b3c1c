"""Networks of the model zoo, fine-tuned."""

from typing_extensions import assert_type

import mxnet as mx
from mxnet import gluon, init, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision as models

pretrained = models.squeezenet1_1(classes=10)
pretrained.initialize()
finetuned = models.get_model("squeezenet1.1", classes=2)
finetuned.features = pretrained.features
finetuned.output.initialize(init.Xavier())
finetuned.output.collect_params().setattr("lr_mult", 10)
x = nd.random.uniform(shape=(1, 3, 224, 224))
assert_type(finetuned(x), nd.NDArray)
assert_type(pretrained.features(x), nd.NDArray)
resnet = models.resnet18_v2(pretrained=False, ctx=mx.cpu())
body = nn.HybridSequential()
for layer in resnet.features[:4]:
    body.add(layer)
for layer in resnet.features[4:6]:
    body.add(layer)
body.initialize()
print(body(x).shape, len(resnet.features))


class Detector(gluon.HybridBlock):
    def __init__(self, backbone, classes, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.backbone = backbone
            self.heads = nn.HybridSequential()
            for _ in range(2):
                self.heads.add(nn.Conv2D(classes, 3, padding=1))

    def hybrid_forward(self, F, x):
        features = self.backbone(x)
        return [head(features) for head in self.heads], F.mean(features)


detector = Detector(body, 4)
detector.heads.initialize()
heads, mean = detector(x)
print(len(heads), heads[0].shape, mean.shape)
detector.backbone.collect_params().setattr("grad_req", "null")
detector.hybridize(active=False)
detector.cast("float32")
