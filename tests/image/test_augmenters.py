"""Options and mistakes of augmenters."""

import random

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import InvalidArgumentError


def test_base_class_does_nothing_by_itself():
    augmenter = mx.image.Augmenter(size=mx.nd.ones((2,)), other=np.zeros(1), name="x")
    assert augmenter.dumps() == '["augmenter", {"size": [1.0, 1.0], "other": [0.0], "name": "x"}]'
    with pytest.raises(NotImplementedError, match="Augmenter"):
        augmenter(mx.nd.ones((2, 2, 3)))
    with pytest.raises(NotImplementedError, match="DetAugmenter"):
        mx.image.DetAugmenter()(mx.nd.ones((2, 2, 3)), np.zeros((1, 5)))


def test_own_augmenter_joins_a_sequence():
    class Invert(mx.image.Augmenter):
        def __call__(self, src):
            return 255 - src

    chain = mx.image.SequentialAug([Invert(), mx.image.CastAug("float32")])
    assert chain.dumps() == [
        "sequentialaug",
        ['["invert", {}]', '["castaug", {"type": "float32"}]'],
    ]
    assert chain(mx.nd.ones((1, 1, 3), dtype="uint8")).asnumpy().tolist() == [[[254.0] * 3]]


@pytest.mark.parametrize(
    "options",
    [
        {"rand_resize": True},
        {"mean": [1, 2, 3]},
        {"mean": np.array([1, 2])},
        {"std": 5},
        {"mean": False},
    ],
)
def test_senseless_options_are_refused(options):
    with pytest.raises(AssertionError, match="CreateAugmenter"):
        mx.image.CreateAugmenter((3, 4, 4), **options)


def test_misspelt_option_is_refused():
    with pytest.raises(TypeError, match="rand_corp"):
        mx.image.CreateAugmenter((3, 4, 4), rand_corp=True)


def test_jitter_is_in_place_and_repeatable():
    results = []
    for _ in range(2):
        random.seed(3)
        image = mx.nd.ones((2, 2, 3))
        assert mx.image.BrightnessJitterAug(0.5)(image) is image
        results.append(image.asnumpy())
    np.testing.assert_array_equal(*results)
    assert results[0][0, 0, 0] != 1


def test_borrowing_takes_augmenters_of_images():
    with pytest.raises(TypeError, match="Augmenter"):
        mx.image.DetBorrowAug(5)
    with pytest.raises(ValueError, match="DetAugmenters"):
        mx.image.DetRandomSelectAug([mx.image.CastAug()])


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("DetRandomCropAug", {"area_range": (0.5, 0.4)}),
        ("DetRandomCropAug", {"area_range": (0, 0)}),
        ("DetRandomCropAug", {"aspect_ratio_range": (-1, 1)}),
        ("DetRandomPadAug", {"area_range": (0.5, 1.0)}),
        ("DetRandomPadAug", {"aspect_ratio_range": (2, 1)}),
    ],
)
def test_empty_range_switches_off_with_a_warning(kind, options):
    with pytest.warns(UserWarning, match="does nothing"):
        augmenter = getattr(mx.image, kind)(**options)
    assert not augmenter.enabled
    image, label = mx.nd.ones((9, 9, 3)), np.array([[0, 0.1, 0.1, 0.9, 0.9]])
    same, boxes = augmenter(image, label)
    assert same is image
    assert boxes is label


def test_range_has_two_ends():
    with pytest.raises(InvalidArgumentError, match="area_range"):
        mx.image.DetRandomCropAug(area_range=(0.1, 0.2, 0.3))


def test_lists_of_crops_are_equally_long():
    with pytest.raises(AssertionError, match="equally long"):
        mx.image.CreateMultiRandCropAugmenter([0.1, 0.5], [(0.1, 1.0), (0.1, 1.0), (0.2, 2)])


@pytest.mark.parametrize("colour", [5, (5,), (5, 5, 5)])
def test_one_number_is_a_colour_of_all_channels(colour):
    random.seed(0)
    augmenter = mx.image.DetRandomPadAug(1.0, 2.0, pad_val=colour)
    image, _ = augmenter(mx.nd.zeros((20, 20, 3)), np.array([[0, 0.1, 0.1, 0.9, 0.9]]))
    found = np.unique(image.asnumpy().reshape(-1, 3), axis=0)
    assert found.tolist() == [[0, 0, 0], [5, 5, 5]]


def test_crop_keeps_what_else_belongs_to_an_object():
    random.seed(1)
    label = np.array([[3, 0.2, 0.2, 0.8, 0.8, 42.0]])
    _, boxes = mx.image.DetRandomCropAug(0.1, 1.0, 0.5)(mx.nd.zeros((40, 40, 3)), label)
    assert boxes.shape == (1, 6)
    assert boxes[0, [0, 5]].tolist() == [3, 42]


_COLOUR = {
    "contrast": lambda: mx.image.ContrastJitterAug(0.5),
    "saturation": lambda: mx.image.SaturationJitterAug(0.5),
    "hue": lambda: mx.image.HueJitterAug(0.5),
    "lighting": lambda: mx.image.LightingAug(0.5, [1.0, 2, 3], np.eye(3)),
    "normalize": lambda: mx.image.ColorNormalizeAug([1.0, 2, 3], [2.0, 2, 2]),
    "grey": lambda: mx.image.RandomGrayAug(1.0),
    "border": lambda: lambda src: mx.image.copyMakeBorder(src, 1, 2, 3, 0),
}


@pytest.mark.parametrize("name", _COLOUR)
@pytest.mark.parametrize("switched_on", [True, False])
def test_augmenters_keep_the_dialect_of_an_image(name, switched_on):
    pixels = np.random.RandomState(3).uniform(0, 255, (4, 5, 3)).astype(np.float32)
    results = []
    with mx.util.np_shape(switched_on), mx.util.np_array(switched_on):
        for source in (mx.np.array(pixels), mx.nd.array(pixels)):
            random.seed(5)
            np.random.seed(5)
            result = _COLOUR[name]()(source)
            assert type(result) is type(source)
            results.append(result.asnumpy())
    np.testing.assert_allclose(*results, rtol=1e-6)
