"""Image transforms on an accelerator give what they give on the CPU."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms as T

from ..golden.transform_cases import CASES, apply, images, make

pytestmark = pytest.mark.gpu

IMAGES = images()


def on(ctx: mx.Context, name: str) -> nd.NDArray:
    return nd.array(IMAGES[name], dtype=IMAGES[name].dtype, ctx=ctx)


def assert_alike(found: np.ndarray, expected: np.ndarray) -> None:
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    if expected.dtype == np.uint8:
        assert np.abs(found.astype(int) - expected.astype(int)).max() <= 1
    else:
        scale = max(1.0, float(np.abs(expected).max()))
        tolerance = 2e-3 if expected.dtype == np.float16 else 1e-5
        np.testing.assert_allclose(found / scale, expected / scale, rtol=0, atol=tolerance)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_result_is_that_of_the_cpu(case):
    expected = apply(case, T, on(mx.cpu(), case.image))
    assert_alike(apply(case, T, on(mx.gpu(), case.image)), expected)


@pytest.mark.parametrize(
    "line",
    [
        "T.ToTensor()",
        "T.Resize(9)",
        "T.CropResize(1, 2, 8, 9, 5)",
        "T.CenterCrop(9)",
        "T.CenterCrop(40)",
        "T.RandomCrop(9, pad=3)",
        "T.RandomResizedCrop(9)",
        "T.RandomFlipLeftRight()",
        "T.RandomFlipTopBottom()",
        "T.RandomBrightness(0.3)",
        "T.RandomContrast(0.3)",
        "T.RandomSaturation(0.3)",
        "T.RandomHue(0.3)",
        "T.RandomColorJitter(0.3, 0.3, 0.3, 0.3)",
        "T.RandomLighting(0.3)",
        "T.RandomGray(0.5)",
        "T.RandomApply(T.RandomHue(0.3))",
        "T.HybridRandomApply(T.RandomHue(0.3))",
        "T.HybridCompose([T.Resize(9), T.RandomHue(0.2), T.ToTensor(), T.Normalize(0.1, 0.2)])",
    ],
)
def test_results_stay_on_the_device(line):
    photo = on(mx.gpu(), "photo")
    transform = make(line, T)
    for _ in range(3):
        found = transform(photo)
        assert found.context == mx.gpu(0)
        assert found._plain.device.type != "cpu"
    expected = transform(photo.as_in_context(mx.cpu()))
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)


def test_to_tensor_of_an_image_on_the_device():
    photo = on(mx.gpu(), "photo")
    found = T.ToTensor()(photo)
    assert found.context == mx.gpu(0)
    np.testing.assert_allclose(found.asnumpy(), IMAGES["photo"].transpose(2, 0, 1) / 255, rtol=1e-6)


def test_fixed_factors():
    photo = on(mx.gpu(), "photo")
    for name in ("brightness", "contrast", "saturation", "hue"):
        for factor in (0.5, 1.3):
            options = {"min_factor": factor, "max_factor": factor}
            operator = getattr(nd.image, f"random_{name}")
            expected = operator(photo.as_in_context(mx.cpu()), **options).asnumpy()
            assert_alike(operator(photo, **options).asnumpy(), expected)


def test_flips_are_drawn_on_the_device():
    photo = on(mx.gpu(), "photo")
    mx.random.seed(1)
    found = [T.RandomFlipLeftRight()(photo).asnumpy() for _ in range(60)]
    flipped = sum(np.array_equal(item, IMAGES["photo"][:, ::-1]) for item in found)
    kept = sum(np.array_equal(item, IMAGES["photo"]) for item in found)
    assert flipped + kept == 60
    assert 15 < flipped < 45


def test_random_crops_of_a_seed_are_the_same_on_both():
    results = []
    for ctx in (mx.cpu(), mx.gpu()):
        random.seed(4)
        crop = T.RandomCrop(12, pad=2, pad_value=7)
        results.append([crop(on(ctx, "photo")).asnumpy() for _ in range(5)])
    np.testing.assert_array_equal(*results)


def test_transforms_in_front_of_a_network():
    net = nn.HybridSequential()
    net.add(T.ToTensor(), T.Normalize((0.1, 0.2, 0.3), 0.4), nn.Dense(4))
    net.initialize(ctx=[mx.cpu(), mx.gpu()])
    net.hybridize()
    expected = net(on(mx.cpu(), "batch")).asnumpy()
    np.testing.assert_allclose(net(on(mx.gpu(), "batch")).asnumpy(), expected, rtol=1e-3, atol=1e-4)


def test_seeds_repeat_what_is_drawn_on_the_device():
    photo = on(mx.gpu(), "photo")
    results = []
    for _ in range(2):
        mx.random.seed(8)
        jitter = T.RandomColorJitter(0.3, 0.3, 0.3, 0.2)
        results.append([jitter(photo).asnumpy() for _ in range(4)])
    np.testing.assert_array_equal(*results)
