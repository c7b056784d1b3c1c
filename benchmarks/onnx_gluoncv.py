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
    net(images)  # gives all parameters their shapes
    for name, parameter in net.collect_params().items():  # some of which GluonCV draws, too
        if name.endswith(("_gamma", "_var")):
            parameter.set_data(mx.nd.ones(parameter.shape))
        elif name.endswith(("_beta", "_mean")):
            parameter.set_data(mx.nd.zeros(parameter.shape))
    with mx.autograd.train_mode():
        net(images)


def export_and_run(
    net: mx.gluon.HybridBlock, image: mx.nd.NDArray
) -> tuple[list[np.ndarray], list[np.ndarray], str]:
    """Returns what the network and its ONNX file compute, and how long export and run took."""
    expected = [item.asnumpy() for item in net(image)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        start = time.perf_counter()
        mx.onnx.export_block(net, path, image)
        exported = time.perf_counter()
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        loaded = time.perf_counter()
        outputs = session.run(None, {session.get_inputs()[0].name: image.asnumpy()})
        ran = time.perf_counter()
    times = f"export {exported - start:.1f} s, run {ran - loaded:.2f} s"
    return expected, outputs, times


def try_network(name: str, size: int) -> None:
    """Exports a network for images of a size, and prints how its outputs differ.

    Scores of random weights are close to each other, so that rounding decides which box is better.
    That is why boxes are compared before suppression, and those after it with what we make of the
    boxes that ONNX Runtime suppresses.
    """
    net = make_network(name)
    images = mx.nd.random.uniform(-1, 1, shape=(4, 3, size, size))
    settle_statistics(net, images)
    image = images[:1].copy()
    net.set_nms(nms_thresh=0, nms_topk=-1, post_nms=-1)
    expected, outputs, _ = export_and_run(net, image)
    print(f"{name} at {size}")
    for label, output, wanted in zip(("class", "score", "box"), outputs, expected, strict=True):
        scale = max(1.0, float(np.abs(wanted).max()))
        difference = float(np.abs(output - wanted).max()) / scale
        verdict = "equal" if difference <= TOLERANCE else "DIFFERENT"
        print(f"  all boxes: {label:5} {wanted.shape!s:16} difference {difference:.1e} {verdict}")
    raw = mx.nd.array(np.concatenate(outputs, -1))
    net.set_nms(nms_thresh=0.45, nms_topk=400, post_nms=100)
    _, outputs, times = export_and_run(net, image)
    suppressed = mx.nd.contrib.box_nms(
        raw, overlap_thresh=0.45, topk=400, valid_thresh=0.01, id_index=0, score_index=1
    )
    wanted, found = suppressed[0, :100].asnumpy(), np.concatenate(outputs, -1)[0]
    difference = float(np.abs(found - wanted).max()) / size
    verdict = "equal" if difference <= TOLERANCE else "DIFFERENT"
    print(f"  100 boxes after suppression: difference {difference:.1e} {verdict}; {times}")


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
