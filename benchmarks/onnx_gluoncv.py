"""Exports detectors of GluonCV to ONNX and compares what ONNX Runtime computes.

    python benchmarks/onnx_gluoncv.py [NETWORK ...]

The networks have random weights, so that many boxes are found and suppressed. GluonCV is not among
the dependencies of this project: `pip install --no-deps gluoncv==0.10.5.post0 portalocker yacs
autocfg`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import onnxruntime

import mxnet as mx

NETWORKS = ("ssd_300_vgg16_atrous_voc", "ssd_512_resnet50_v1_voc", "yolo3_darknet53_voc")
TOLERANCE = 1e-4


def make_network(name: str) -> mx.gluon.HybridBlock:
    """Returns a detector with random weights, the same ones in every run."""
    from gluoncv import model_zoo

    mx.random.seed(1)
    np.random.seed(1)
    net = model_zoo.get_model(name, pretrained=False, pretrained_base=False)
    net.initialize(mx.init.Normal(0.03))
    return net


def settle_statistics(net: mx.gluon.HybridBlock, images: mx.nd.NDArray) -> None:
    """Lets the statistics of normalizations be those of some images, so that no layer explodes."""

    def forget_at_once(block: mx.gluon.Block) -> None:
        if isinstance(block, mx.gluon.nn.BatchNorm):
            block._kwargs["momentum"] = 0.0

    net.apply(forget_at_once)
    with mx.autograd.train_mode():
        net(images)


def try_network(name: str, size: int) -> None:
    """Exports a network for images of a size, and prints how its outputs differ."""
    net = make_network(name)
    images = mx.nd.random.uniform(-1, 1, shape=(4, 3, size, size))
    settle_statistics(net, images)
    image = images[:1].copy()
    net.hybridize()
    expected = [item.asnumpy() for item in net(image)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        start = time.perf_counter()
        mx.onnx.export_block(net, path, image)
        taken = time.perf_counter() - start
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        start = time.perf_counter()
        outputs = session.run(None, {session.get_inputs()[0].name: image.asnumpy()})
        ran = time.perf_counter() - start
    found = int((expected[0] >= 0).sum())
    print(f"{name} at {size}: {found} boxes, export {taken:.1f} s, first run {ran:.1f} s")
    rows, others = (np.concatenate(item, -1)[0] for item in (expected, outputs))
    scale = np.array([1, 1, size, size, size, size])
    distances = np.abs((rows[:, None] - others[None]) / scale).max(-1)
    nearest = distances.min(1)
    equal = int((nearest <= TOLERANCE).sum())
    same = int((np.diag(distances) <= TOLERANCE).sum())
    print(
        f"  {equal} of {len(rows)} rows (class, score, box) equal, {same} at the same place; "
        f"largest difference of these {nearest[nearest <= TOLERANCE].max(initial=0):.1e}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=NETWORKS)
    parser.add_argument("--size", type=int, default=0, help="height and width of the image")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.networks:
        usual = 512 if "512" in name else 300 if "300" in name else 320
        try_network(name, options.size or usual)
    return 0


if __name__ == "__main__":
    sys.exit(main())
