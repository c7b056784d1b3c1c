"""Networks that classify images, as published for MXNet.

`get_model("resnet18_v1", classes=10)` gives one by its name, as `resnet18_v1(classes=10)` does.
With `pretrained=True` the published parameters are loaded, from files in `~/.mxnet/models`.
"""

from typing import Any

from mxnet._start import did_you_mean as _did_you_mean
from mxnet._start import tracebacks
from mxnet.gluon.model_zoo.vision._network import NETWORKS as _NETWORKS
from mxnet.gluon.model_zoo.vision._network import ImageNetwork as _ImageNetwork
from mxnet.gluon.model_zoo.vision._network import UnknownNetworkError as _UnknownNetworkError
from mxnet.gluon.model_zoo.vision.alexnet import AlexNet as AlexNet
from mxnet.gluon.model_zoo.vision.alexnet import alexnet as alexnet
from mxnet.gluon.model_zoo.vision.densenet import DenseNet as DenseNet
from mxnet.gluon.model_zoo.vision.densenet import densenet121 as densenet121
from mxnet.gluon.model_zoo.vision.densenet import densenet161 as densenet161
from mxnet.gluon.model_zoo.vision.densenet import densenet169 as densenet169
from mxnet.gluon.model_zoo.vision.densenet import densenet201 as densenet201
from mxnet.gluon.model_zoo.vision.densenet import get_densenet as get_densenet
from mxnet.gluon.model_zoo.vision.inception import Inception3 as Inception3
from mxnet.gluon.model_zoo.vision.inception import inception_v3 as inception_v3
from mxnet.gluon.model_zoo.vision.mobilenet import MobileNet as MobileNet
from mxnet.gluon.model_zoo.vision.mobilenet import MobileNetV2 as MobileNetV2
from mxnet.gluon.model_zoo.vision.mobilenet import get_mobilenet as get_mobilenet
from mxnet.gluon.model_zoo.vision.mobilenet import get_mobilenet_v2 as get_mobilenet_v2
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet0_5 as mobilenet0_5
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet0_25 as mobilenet0_25
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet0_75 as mobilenet0_75
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet1_0 as mobilenet1_0
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet_v2_0_5 as mobilenet_v2_0_5
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet_v2_0_25 as mobilenet_v2_0_25
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet_v2_0_75 as mobilenet_v2_0_75
from mxnet.gluon.model_zoo.vision.mobilenet import mobilenet_v2_1_0 as mobilenet_v2_1_0
from mxnet.gluon.model_zoo.vision.resnet import BasicBlockV1 as BasicBlockV1
from mxnet.gluon.model_zoo.vision.resnet import BasicBlockV2 as BasicBlockV2
from mxnet.gluon.model_zoo.vision.resnet import BottleneckV1 as BottleneckV1
from mxnet.gluon.model_zoo.vision.resnet import BottleneckV2 as BottleneckV2
from mxnet.gluon.model_zoo.vision.resnet import ResNetV1 as ResNetV1
from mxnet.gluon.model_zoo.vision.resnet import ResNetV2 as ResNetV2
from mxnet.gluon.model_zoo.vision.resnet import get_resnet as get_resnet
from mxnet.gluon.model_zoo.vision.resnet import resnet18_v1 as resnet18_v1
from mxnet.gluon.model_zoo.vision.resnet import resnet18_v2 as resnet18_v2
from mxnet.gluon.model_zoo.vision.resnet import resnet34_v1 as resnet34_v1
from mxnet.gluon.model_zoo.vision.resnet import resnet34_v2 as resnet34_v2
from mxnet.gluon.model_zoo.vision.resnet import resnet50_v1 as resnet50_v1
from mxnet.gluon.model_zoo.vision.resnet import resnet50_v2 as resnet50_v2
from mxnet.gluon.model_zoo.vision.resnet import resnet101_v1 as resnet101_v1
from mxnet.gluon.model_zoo.vision.resnet import resnet101_v2 as resnet101_v2
from mxnet.gluon.model_zoo.vision.resnet import resnet152_v1 as resnet152_v1
from mxnet.gluon.model_zoo.vision.resnet import resnet152_v2 as resnet152_v2
from mxnet.gluon.model_zoo.vision.squeezenet import SqueezeNet as SqueezeNet
from mxnet.gluon.model_zoo.vision.squeezenet import get_squeezenet as get_squeezenet
from mxnet.gluon.model_zoo.vision.squeezenet import squeezenet1_0 as squeezenet1_0
from mxnet.gluon.model_zoo.vision.squeezenet import squeezenet1_1 as squeezenet1_1
from mxnet.gluon.model_zoo.vision.vgg import VGG as VGG
from mxnet.gluon.model_zoo.vision.vgg import get_vgg as get_vgg
from mxnet.gluon.model_zoo.vision.vgg import vgg11 as vgg11
from mxnet.gluon.model_zoo.vision.vgg import vgg11_bn as vgg11_bn
from mxnet.gluon.model_zoo.vision.vgg import vgg13 as vgg13
from mxnet.gluon.model_zoo.vision.vgg import vgg13_bn as vgg13_bn
from mxnet.gluon.model_zoo.vision.vgg import vgg16 as vgg16
from mxnet.gluon.model_zoo.vision.vgg import vgg16_bn as vgg16_bn
from mxnet.gluon.model_zoo.vision.vgg import vgg19 as vgg19
from mxnet.gluon.model_zoo.vision.vgg import vgg19_bn as vgg19_bn


def get_model(name: str, **kwargs: Any) -> _ImageNetwork:
    """Returns a network by its name.

    Args:
        name: Such as `resnet50_v1`, `vgg16_bn`, `mobilenet0.5`; capital letters are
            taken for small ones.
        **kwargs: Options of the network: `pretrained`, `ctx`, `root`, `classes`, `prefix`, ...

    Returns:
        The network.

    Example:
        >>> from mxnet.gluon.model_zoo import vision
        >>> vision.get_model("mobilenetv2_0.25", classes=10).output
        HybridSequential(
          (0): Conv2D(None -> 10, kernel_size=(1, 1), stride=(1, 1), bias=False)
          (1): Flatten
        )
    """
    make = _NETWORKS.get(name.lower())
    if make is None:
        known = "\n".join(f"\t{key}" for key in sorted(_NETWORKS))
        close = _did_you_mean(name, _NETWORKS)
        raise _UnknownNetworkError(
            f"get_model: there is no network {name!r}{close}; there are\n{known}"
        )
    return make(**kwargs)


tracebacks.public_functions(globals())
