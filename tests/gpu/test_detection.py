"""Detectors and regions on a GPU: captured networks, and many images at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.gluon import HybridBlock, nn

pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("exact_convolutions")]

STATIC = {"static_alloc": True, "static_shape": True, "strict": True}


class Detector(HybridBlock):
    """A single-shot detector of one scale."""

    def __init__(self, classes: int = 3) -> None:
        super().__init__()
        self.features = nn.Conv2D(8, 3, strides=2, padding=1, activation="relu")
        self.classes = nn.Conv2D(3 * (classes + 1), 3, padding=1)
        self.boxes = nn.Conv2D(3 * 4, 3, padding=1)
        self.count = classes + 1

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        features = self.features(x)
        anchors = F.contrib.MultiBoxPrior(features, sizes=(0.3, 0.5), ratios=(1.0, 2.0))
        scores = F.transpose(self.classes(features), axes=(0, 2, 3, 1))
        scores = F.reshape(scores, shape=(0, -1, self.count))
        chances = F.softmax(F.transpose(scores, axes=(0, 2, 1)), axis=1)
        offsets = F.flatten(F.transpose(self.boxes(features), axes=(0, 2, 3, 1)))
        return F.contrib.MultiBoxDetection(chances, offsets, anchors, nms_topk=50, threshold=0.1)


class Regions(HybridBlock):
    """Proposals, and what both ways of pooling make of them."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Conv2D(8, 3, strides=2, padding=1, activation="relu")
        self.scores = nn.Conv2D(2 * 3, 1, activation="sigmoid")
        self.moves = nn.Conv2D(4 * 3, 1)

    def hybrid_forward(self, F: Any, x: Any, info: Any) -> Any:
        features = self.features(x)
        rois = F.contrib.MultiProposal(
            self.scores(features),
            self.moves(features) * 0.1,
            info,
            feature_stride=2,
            scales=(2.0, 4.0, 8.0),
            ratios=(1.0,),
            rpn_min_size=1,
            rpn_pre_nms_top_n=100,
            rpn_post_nms_top_n=10,
        )
        options = {"pooled_size": (3, 3), "spatial_scale": 0.5}
        largest = F.ROIPooling(features, rois, **options)
        return F.concat(largest, F.contrib.ROIAlign(features, rois, **options), dim=1)


def images(size: int = 4) -> Any:
    return nd.random.uniform(-1, 1, shape=(size, 3, 32, 32), ctx=mx.gpu())


def check_captured(net: Any, *others: Any) -> None:
    """Compares a network with itself, captured."""
    mx.random.seed(5)
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    batches = [images() for _ in range(6)]
    expected = [net(batch, *others).asnumpy() for batch in batches]
    net.hybridize(**STATIC)
    for batch, result in zip(batches, expected, strict=True):
        np.testing.assert_allclose(net(batch, *others).asnumpy(), result, rtol=1e-4, atol=1e-5)


def test_a_detector_is_captured() -> None:
    check_captured(Detector())


def test_regions_are_captured() -> None:
    check_captured(Regions(), nd.array([[32, 32, 1]] * 4, ctx=mx.gpu()))


def rows_of_boxes(batch: int, count: int) -> np.ndarray:
    """Rows of class, score and corners, many of which overlap or have the same score."""
    random = np.random.RandomState(1)
    low = random.randint(0, 40, (batch, count, 2))
    size = random.randint(0, 12, (batch, count, 2))
    kind = random.randint(0, 3, (batch, count, 1))
    score = random.randint(0, 200, (batch, count, 1)) / 200
    return np.concatenate((kind, score, low, low + size), 2).astype("float32")


@pytest.mark.parametrize("topk", [-1, 100])
@pytest.mark.parametrize("force_suppress", [False, True])
@pytest.mark.parametrize("count", [60, 1500])
def test_a_gpu_keeps_the_boxes_of_the_cpu(count: int, force_suppress: bool, topk: int) -> None:
    rows = rows_of_boxes(3, count)
    options = {"id_index": 0, "topk": topk, "force_suppress": force_suppress}
    results = [
        nd.contrib.box_nms(nd.array(rows, ctx=ctx), **options).asnumpy()
        for ctx in (mx.cpu(), mx.gpu())
    ]
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("operator", ["ROIPooling", "ROIAlign"])
def test_a_gpu_pools_the_regions_of_the_cpu(operator: str) -> None:
    random = np.random.RandomState(2)
    low = random.uniform(-5, 20, (30, 2))
    corners = np.concatenate((low, low + random.uniform(0, 40, (30, 2))), 1)
    rois = np.concatenate((random.randint(-1, 2, (30, 1)), corners), 1).astype("float32")
    data = random.uniform(-1, 1, (2, 8, 24, 17)).astype("float32")
    results = []
    for ctx in (mx.cpu(), mx.gpu()):
        x = nd.array(data, ctx=ctx)
        x.attach_grad()
        function = getattr(nd, operator, None) or getattr(nd.contrib, operator)
        with mx.autograd.record():
            y = function(x, nd.array(rois, ctx=ctx), pooled_size=(4, 3), spatial_scale=0.7)
        y.backward()
        results.append((y.asnumpy(), x.grad.asnumpy()))
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
