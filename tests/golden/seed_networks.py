"""The part of a residual network whose printed form note 000 shows; runs under the original too."""

from __future__ import annotations

from mxnet.gluon import nn


class BasicBlockV1(nn.HybridBlock):
    """Two convolutions, named as the note prints them."""

    def __init__(self, channels: int, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.body = nn.HybridSequential(prefix="")
        for _ in range(2):
            self.body.add(make_convolution(channels, channels, 3, 1, 1))
            self.body.add(nn.BatchNorm(in_channels=channels), nn.Activation("relu"))
        self.body = self.body[:-1]

    def hybrid_forward(self, F, x):
        """Adds the input to what the body makes of it."""
        return F.relu(x + self.body(x))


class ResNetV1(nn.HybridBlock):
    """The layers that the note prints, with the last ones left out as there."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.output = nn.Dense(1000, in_units=512)
            self.features = nn.HybridSequential(prefix="")
            self.features.add(make_convolution(3, 64, 7, 2, 3), nn.BatchNorm(in_channels=64))
            self.features.add(nn.Activation("relu"), nn.MaxPool2D(3, 2, 1))
            stage = nn.HybridSequential(prefix="stage1_")
            with stage.name_scope():
                stage.add(BasicBlockV1(64), BasicBlockV1(64))
            self.features.add(stage, nn.GlobalAvgPool2D())

    def hybrid_forward(self, F, x):  # noqa: ARG002 - no operator is needed
        """Returns the features of images."""
        return self.features(x)


def make_convolution(before: int, after: int, size: int, stride: int, padding: int) -> nn.Conv2D:
    """Makes a convolution without bias between known numbers of channels."""
    return nn.Conv2D(after, size, stride, padding, use_bias=False, in_channels=before)
