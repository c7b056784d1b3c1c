"""Transforms compared with the original's results, and the chances of random ones."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms as T

from ....golden.transform_cases import CASES, GRAPHS, PRINTED, apply, graph, images, make

GOLDEN = Path(__file__).parents[3] / "golden"
TEXTS = json.loads((GOLDEN / "transforms.json").read_text())
IMAGES = {name: nd.array(image, dtype=image.dtype) for name, image in images().items()}
PHOTO = IMAGES["photo"]


@pytest.fixture(scope="module")
def golden():
    with np.load(GOLDEN / "transforms.npz") as stored:
        return dict(stored)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_result_is_that_of_the_original(case, golden):
    expected = golden[str(case)]
    found = apply(case, T, IMAGES[case.image])
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    if expected.dtype == np.uint8:
        difference = np.abs(found.astype(int) - expected.astype(int))
        assert difference.max() <= 1
        if "Hue" not in case.expression:  # which drops fractions of what it computed in floats
            assert (difference > 0).mean() < 0.1, "more than a few pixels differ"
    elif expected.dtype == np.int32:
        np.testing.assert_array_equal(found, expected)
    else:
        scale = max(1.0, np.abs(expected).max())
        tolerance = 2e-3 if expected.dtype == np.float16 else 2e-5
        np.testing.assert_allclose(found / scale, expected / scale, rtol=0, atol=tolerance)


@pytest.mark.parametrize("line", PRINTED)
def test_printed_form(line):
    assert repr(make(line, T)) == TEXTS["printed"][line]


@pytest.mark.parametrize("line", GRAPHS)
def test_graph(line):
    assert graph(line, mx) == TEXTS["graphs"][line]


DETERMINISTIC = """
T.ToTensor()
T.Cast('float16')
T.Resize((9, 7))
T.Resize(9, True, 2)
T.CropResize(3, 2, 8, 9)
T.CropResize(3, 2, 8, 9, (5, 6), 3)
T.CenterCrop(9)
T.CenterCrop((40, 8))
T.Compose([T.CenterCrop(12), T.Resize(20), T.ToTensor(), T.Normalize((0.1, 0.2, 0.3), 0.4)])
""".strip().splitlines()


@pytest.mark.parametrize("line", DETERMINISTIC)
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_a_batch_gives_what_its_images_give(line, dtype):
    batch = IMAGES["batch"].astype(dtype)
    transform = make(line, T)
    expected = np.stack([transform(image).asnumpy() for image in batch])
    found = transform(batch)
    assert found.asnumpy().dtype == expected.dtype
    np.testing.assert_array_equal(found.asnumpy(), expected)


@pytest.mark.parametrize(
    "line", ["T.Normalize((0.1, 0.2, 0.3), 0.4)", "T.Rotate(33)", "T.Rotate(-20, zoom_in=True)"]
)
def test_a_batch_of_tensors_gives_what_its_tensors_give(line):
    transform = make(line, T)
    expected = np.stack([transform(image).asnumpy() for image in IMAGES["tensors"]])
    np.testing.assert_array_equal(transform(IMAGES["tensors"]).asnumpy(), expected)


def test_each_tensor_of_a_batch_has_an_angle_of_its_own():
    tensors = IMAGES["tensors"]
    found = T.Rotate(nd.array([30, -50]))(tensors)
    for index, angle in enumerate((30, -50)):
        expected = T.Rotate(angle)(tensors[index]).asnumpy()
        np.testing.assert_allclose(found[index].asnumpy(), expected, atol=1e-5)


HYBRID = [
    *(line for line in GRAPHS if "Normalize" not in line),
    "T.HybridCompose([T.Resize(9), T.RandomFlipLeftRight(), T.ToTensor()])",
    "T.RandomGray(0.5)",
    "T.HybridRandomApply(T.RandomBrightness(0.5), 0.5)",
]


@pytest.mark.parametrize("line", HYBRID)
def test_hybrid_transforms_in_networks_and_graphs(line):
    mx.random.seed(5)
    expected = make(line, T)(PHOTO)
    net = nn.HybridSequential()
    net.add(make(line, T))
    net.hybridize()
    assert (net(PHOTO).shape, net(PHOTO).dtype) == (expected.shape, expected.dtype)
    if "Random" not in line:
        np.testing.assert_array_equal(net(PHOTO).asnumpy(), expected.asnumpy())
    symbol = net(mx.sym.var("x"))
    (found,) = symbol.eval(x=PHOTO)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)


def test_hybridized_transforms_draw_anew():
    for line in ("T.RandomFlipLeftRight()", "T.RandomGray(0.5)"):
        net = nn.HybridSequential()
        net.add(make(line, T), T.ToTensor())
        net.hybridize()
        mx.random.seed(2)
        assert len({net(PHOTO).asnumpy().tobytes() for _ in range(20)}) == 2


def test_an_exported_chain(tmp_path):
    net = T.HybridCompose([T.Resize((9, 7)), T.ToTensor(), T.Normalize((0.1, 0.2, 0.3), 0.4)])
    expected = net(PHOTO).asnumpy()
    net.export(str(tmp_path / "chain"))
    again = mx.gluon.SymbolBlock.imports(str(tmp_path / "chain-symbol.json"), ["data"])
    np.testing.assert_array_equal(again(PHOTO).asnumpy(), expected)


def draws(transform, image, count: int) -> list[np.ndarray]:
    mx.random.seed(11)
    return [transform(image).asnumpy() for _ in range(count)]


def share(found: list[np.ndarray], expected: np.ndarray) -> float:
    return sum(np.array_equal(item, expected) for item in found) / len(found)


@pytest.mark.parametrize(
    ("transform", "axis"), [(T.RandomFlipLeftRight(), 1), (T.RandomFlipTopBottom(), 0)]
)
def test_flips(transform, axis):
    plain, flipped = PHOTO.asnumpy(), np.flip(PHOTO.asnumpy(), axis)
    found = draws(transform, PHOTO, 200)
    assert share(found, plain) + share(found, flipped) == 1
    assert 0.4 < share(found, flipped) < 0.6


LUMINANCE = np.array([0.299, 0.587, 0.114])


def fitted(found: np.ndarray, image: np.ndarray, other: np.ndarray) -> float:
    """Returns the factor f of `found = f * image + (1 - f) * other`, which must hold everywhere."""
    distance = image - other
    factor = float(((found - other) * distance).sum() / (distance**2).sum())
    np.testing.assert_allclose(found, factor * image + (1 - factor) * other, rtol=1e-4, atol=1e-2)
    return factor


def spread(factors: list[float], low: float, high: float) -> None:
    """Checks that factors look uniformly distributed."""
    assert low <= min(factors) < low + 0.15 * (high - low)
    assert high - 0.15 * (high - low) < max(factors) <= high
    assert abs(np.mean(factors) - (low + high) / 2) < 0.1 * (high - low)


@pytest.mark.parametrize(
    "line",
    [
        "T.RandomFlipLeftRight()",
        "T.RandomBrightness(0.5)",
        "T.RandomHue(0.5)",
        "T.RandomLighting(0.5)",
        "T.RandomResizedCrop(8)",
        "T.RandomCrop(8, pad=2)",
    ],
)
def test_each_image_of_a_batch_is_changed_by_itself(line):
    random.seed(6)
    mx.random.seed(6)
    batch = nd.stack(*[PHOTO] * 16)
    found = make(line, T)(batch)
    assert found.dtype == batch.dtype
    assert len({image.asnumpy().tobytes() for image in found}) > 1
    if "Crop" in line:
        assert found.shape == (16, 8, 8, 3)


def test_brightness():
    image = IMAGES["floats"].asnumpy()
    found = draws(T.RandomBrightness(0.4), IMAGES["floats"], 100)
    spread([fitted(item, image, np.zeros_like(image)) for item in found], 0.6, 1.4)
    found = draws(T.RandomBrightness(3), IMAGES["floats"], 100)
    spread([fitted(item, image, np.zeros_like(image)) for item in found], 0, 4)


def test_contrast():
    image = IMAGES["floats"].asnumpy()
    mean = np.full_like(image, (image @ LUMINANCE).mean())
    found = draws(T.RandomContrast(0.4), IMAGES["floats"], 100)
    spread([fitted(item, image, mean) for item in found], 0.6, 1.4)


def test_bytes_are_limited_to_their_range():
    found = draws(T.RandomBrightness(3), PHOTO, 20)
    assert {item.dtype for item in found} == {np.dtype(np.uint8)}
    bright = max(found, key=lambda item: item.sum())
    assert (bright >= PHOTO.asnumpy()).all(), "values that are too large do not wrap"


def test_hue_turns_colors_and_keeps_greys():
    grey = nd.full((4, 4, 3), 77, dtype="uint8")
    for item in draws(T.RandomHue(0.5), grey, 5):
        assert np.abs(item.astype(int) - 77).max() <= 1
    image = nd.array(np.full((2, 2, 3), (200, 40, 40)), dtype="uint8")
    found = draws(T.RandomHue(0.5), image, 50)
    assert len({tuple(item[0, 0]) for item in found}) > 25
    for item in found:
        assert abs(int(item.max()) - 200) <= 1, "lightness and saturation stay as they are"
        assert abs(int(item.min()) - 40) <= 1


def test_lighting_shifts_all_pixels_alike():
    image = IMAGES["floats"].asnumpy()
    shifts = []
    for item in draws(T.RandomLighting(0.1), IMAGES["floats"], 300):
        shift = item - image
        np.testing.assert_allclose(shift, np.broadcast_to(shift[:1, :1], shift.shape), atol=1e-3)
        shifts.append(shift[0, 0])
    # The first principal component alone moves all channels by about 55.46 * 0.57 * alpha.
    assert 2 < np.std(shifts) < 5
    assert np.abs(np.mean(shifts, axis=0)).max() < 1


def test_color_jitter_without_amounts_changes_nothing():
    np.testing.assert_array_equal(T.RandomColorJitter()(PHOTO).asnumpy(), PHOTO.asnumpy())
    found = draws(T.RandomColorJitter(0.3, 0.3, 0.3, 0.1), PHOTO, 5)
    assert len({item.tobytes() for item in found}) == 5


def test_seeds_repeat_what_is_drawn():
    for line in ("T.RandomColorJitter(0.3, 0.3, 0.3, 0.1)", "T.RandomLighting(0.2)"):
        first, second = (draws(make(line, T), PHOTO, 4) for _ in range(2))
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_gray(dtype):
    image = PHOTO.astype(dtype)
    found = draws(T.RandomGray(1), image, 1)[0]
    assert found.dtype == np.dtype(dtype)
    np.testing.assert_allclose(found, np.repeat(image.asnumpy() @ LUMINANCE[:, None], 3, 2), atol=1)
    assert np.ptp(found, axis=2).max() == 0
    assert share(draws(T.RandomGray(0), image, 10), image.asnumpy()) == 1
    assert 0.2 < share(draws(T.RandomGray(0.7), image, 400), image.asnumpy()) < 0.4
    grey = IMAGES["grey"].astype(dtype)
    np.testing.assert_array_equal(T.RandomGray(1)(grey).asnumpy(), grey.asnumpy())


def is_part(part: np.ndarray, whole: np.ndarray) -> bool:
    """Returns whether an image is found inside of another."""
    windows = np.lib.stride_tricks.sliding_window_view(whole, part.shape)
    return bool((windows == part).all(axis=(-3, -2, -1)).any())


def test_random_crops_are_parts():
    random.seed(3)
    whole = PHOTO.asnumpy()
    found = [T.RandomCrop((9, 6))(PHOTO).asnumpy() for _ in range(20)]
    assert {item.shape for item in found} == {(6, 9, 3)}
    assert all(is_part(item, whole) for item in found)
    assert len({item.tobytes() for item in found}) > 10
    padded = np.pad(whole, ((4, 4), (4, 4), (0, 0)), constant_values=9)
    crop = T.RandomCrop(padded.shape[1::-1], pad=4, pad_value=9)
    np.testing.assert_array_equal(crop(PHOTO).asnumpy(), padded)
    one_side = T.RandomCrop((30, 24), pad=((3, 0), (0, 0), (0, 0)))(PHOTO).asnumpy()
    np.testing.assert_array_equal(one_side, np.pad(whole, ((3, 0), (0, 0), (0, 0))))
    assert T.RandomCrop(50)(PHOTO).shape == (50, 50, 3)


def test_random_apply():
    small, large = (9, 9, 3), PHOTO.shape
    random.seed(0)
    found = [T.RandomApply(T.Resize(9), 0.7)(PHOTO).shape for _ in range(100)]
    assert 0.55 < found.count(small) / 100 < 0.85
    assert set(found) == {small, large}
    several = T.RandomApply([T.Resize(20), T.CenterCrop(9)], 1)
    assert several(PHOTO).shape == small
    mx.random.seed(0)
    hybrid = T.HybridRandomApply(T.Resize(9), 0.7)
    found = [hybrid(PHOTO).shape for _ in range(100)]
    assert 0.55 < found.count(small) / 100 < 0.85


def test_composing_callables():
    chain = T.Compose((T.Resize(9), lambda image: image[:4], T.ToTensor()))
    assert chain(PHOTO).shape == (3, 4, 9)
    steps = [T.Resize(9), T.ToTensor()]
    T.Compose(steps)
    assert len(steps) == 2, "the list of the caller stays as it is"


def test_center_crop_of_a_numpy_array():
    found = T.CenterCrop(9)(PHOTO.asnumpy())
    np.testing.assert_array_equal(found, T.CenterCrop(9)(PHOTO).asnumpy())


def test_transforms_can_be_pickled():
    chain = T.Compose([T.Resize(9), T.RandomFlipLeftRight(), T.ToTensor(), T.Normalize(0.1, 0.2)])
    again = pickle.loads(pickle.dumps(chain))
    assert repr(again) == repr(chain)
    assert again(PHOTO).shape == (3, 9, 9)


MISUSE = {
    "T.ToTensor()(PHOTO[:, :, 0])": mx.MXNetError,
    "T.ToTensor()(PHOTO.asnumpy())": ValueError,
    "T.Normalize((0.1, 0.2), 1)(IMAGES['tensor'])": mx.MXNetError,
    "T.Normalize()(PHOTO)": mx.MXNetError,
    "T.Resize(0)(PHOTO)": mx.MXNetError,
    "T.Resize(5, interpolation=9)(PHOTO)": mx.MXNetError,
    "T.Resize(5)(PHOTO.astype('int32'))": mx.MXNetError,
    "T.CropResize(5, 5, 100, 10)(PHOTO)": mx.MXNetError,
    "T.CropResize(0, 0, 0, 10)(PHOTO)": mx.MXNetError,
    "T.CenterCrop((5, 6, 7))(PHOTO)": ValueError,
    "T.Cast('no such type')(PHOTO)": TypeError,
    "T.Rotate(30)(PHOTO)": TypeError,
    "T.Rotate(30, True, True)(IMAGES['tensor'])": ValueError,
    "T.Rotate('left')(IMAGES['tensor'])": TypeError,
    "T.Rotate(30)(IMAGES['tensor'][0])": ValueError,
    "T.RandomRotation((30, 0))": ValueError,
    "T.RandomRotation((0, 30), rotate_with_proba=1.5)": ValueError,
    "T.RandomRotation((0, 30), rotate_with_proba=-1)": ValueError,
    "T.RandomFlipLeftRight()(PHOTO[:, :, 0])": mx.MXNetError,
    "T.HybridCompose([T.CenterCrop(3)])": mx.MXNetError,
    "T.HybridRandomApply(T.CenterCrop(3))": mx.MXNetError,
}


@pytest.mark.parametrize("line", MISUSE)
def test_misuse(line):
    with pytest.raises(MISUSE[line]):
        eval(line, {"T": T, "PHOTO": PHOTO, "IMAGES": IMAGES})  # noqa: S307 - ours


def test_in_mxnet_2_crops_are_hybrid():
    before = mx.set_version(2)
    try:
        image = mx.np.arange(300).reshape(10, 10, 3).astype("uint8")
        with pytest.warns(UserWarning, match="runs imperatively"):
            prepare = T.HybridCompose([T.Resize(12), T.RandomCrop(8, pad=2), T.ToTensor()])
            results = {prepare(image).asnumpy().tobytes() for _ in range(20)}
        assert prepare(image).shape == (3, 8, 8)
        assert len(results) > 1, "each call cuts at another place"
    finally:
        mx.set_version(before)
