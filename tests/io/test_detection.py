"""`ImageDetRecordIter`: chance, and labels that do not fit; the rest is in `test_image_golden`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import recordio
from mxnet.errors import MXNetError
from mxnet.io._augment import Draws
from mxnet.io._detection import DetectionAugmenter, Objects
from mxnet.io._image_options import DetectionOptions

BOXES = Path(__file__).parent.parent / "golden" / "io" / "boxes.rec"


def boxes(path=BOXES, **options):
    given = {"path_imgrec": str(path), "data_shape": (3, 20, 20), "batch_size": 3, **options}
    return mx.io.ImageDetRecordIter(**given)


def objects_of(row):
    """Reads the boxes of a row of labels."""
    label = row[4 : 4 + int(row[3])]
    return label[2:].reshape(-1, 5)


def test_random_changes_keep_boxes_in_the_image():
    random = {
        "rand_crop_prob": 1.0,
        "num_crop_sampler": 2,
        "min_crop_scales": (0.3, 0.5),
        "max_crop_scales": (0.9, 1.0),
        "min_crop_object_coverages": 0.2,
        "rand_pad_prob": 0.5,
        "max_pad_scale": 2,
        "rand_mirror_prob": 0.5,
        "max_random_hue": 10,
        "random_hue_prob": 1.0,
        "max_random_contrast": 0.3,
        "random_contrast_prob": 1.0,
        "shuffle": True,
    }
    iterator = boxes(**random)
    plain = {
        tuple(b) for batch in boxes() for row in batch.label[0].asnumpy() for b in objects_of(row)
    }
    changed = set()
    for _ in range(5):
        for batch in iterator:
            for row in batch.label[0].asnumpy():
                found = objects_of(row)
                assert len(found)
                assert (found[:, 1:] >= 0).all()
                assert (found[:, 1:] <= 1).all()
                assert (found[:, 3:] >= found[:, 1:3]).all()
                assert (row[4 + int(row[3]) :] == -1).all()
                changed |= {tuple(b) for b in found}
        iterator.reset()
    assert len(changed - plain) > 10


def augment(image, label, **options):
    given = {"data_shape": (3, 40, 40), "batch_size": 1, **options}
    augmenter = DetectionAugmenter("test", DetectionOptions(**given))
    draws = Draws(np.random.default_rng(0).random(augmenter.num_draws))
    return augmenter.augment(image, Objects.read(np.array(label, np.float32)), draws)


def square(left, top, right, bottom, size=80):
    image = np.zeros((size, size, 3), np.uint8)
    image[int(top * size) : int(bottom * size), int(left * size) : int(right * size)] = 255
    return image


@pytest.mark.parametrize(
    "options",
    [
        {"rand_crop_prob": 1, "min_crop_scales": (0.6,), "min_crop_object_coverages": (0.99,)},
        {"rand_pad_prob": 1, "max_pad_scale": 3.0},
        {"rand_mirror_prob": 1},
        {"rand_mirror_prob": 1, "rand_pad_prob": 1, "max_pad_scale": 2.0},
        {"crop_emit_mode": "overlap", "rand_crop_prob": 1, "min_crop_scales": (0.5,)},
    ],
    ids=str,
)
def test_a_box_stays_on_its_object(options):
    edges = (0.25, 0.375, 0.75, 0.875)
    image, found = augment(square(*edges), [2, 5, 7, *edges], fill_value=0, **options)
    assert len(found.rows) == 1
    assert found.rows[0, 0] == 7
    ys, xs = np.nonzero(image[..., 0] > 127)
    seen = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]) / 40
    assert np.abs(seen - found.rows[0, 1:]).max() < 0.06


def test_an_object_outside_of_the_part_is_dropped():
    edges = (0.0, 0.0, 0.3, 0.3)
    label = [2, 5, 1, *edges, 2, 0.7, 0.7, 1.0, 1.0]
    options = {"min_crop_scales": (0.4,), "max_crop_scales": (0.5,), "rand_crop_prob": 1}
    options |= {"min_crop_object_coverages": (0.6,), "max_crop_trials": (500,)}
    _, found = augment(square(*edges), label, **options)
    assert len(found.rows) == 1


def test_without_a_part_that_fits_the_image_stays():
    edges = (0.0, 0.0, 0.3, 0.3)
    options = {"min_crop_overlaps": (0.99,), "max_crop_scales": (0.2,), "rand_crop_prob": 1}
    image, found = augment(square(*edges), [2, 5, 1, *edges], **options)
    assert image.shape == (40, 40, 3)
    assert found.rows[0, 1:].tolist() == pytest.approx(edges)


def write(tmp_path, label):
    with recordio.MXRecordIO(BOXES, "r") as reader:
        _, image = recordio.unpack(reader.read())
    with recordio.MXRecordIO(tmp_path / "a.rec", "w") as writer:
        writer.write(recordio.pack((0, label, 8, 0), image))
    return tmp_path / "a.rec"


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ([1.0, 2.0], "got 2 numbers"),
        ([2, 4, 0, 0, 0, 1, 1], "5 or more"),
        ([2, 5, 0, 0, 0, 1, 1, 9], "objects of 5 numbers expected after the first 2, got 6"),
        (3.0, "got 1 numbers"),
    ],
)
def test_labels_of_another_form_are_named(tmp_path, label, words):
    path = write(tmp_path, label)
    with pytest.raises(MXNetError, match=rf"a\.rec: record at offset 0: image 8: .*{words}"):
        boxes(path, batch_size=1)


def test_wrong_options_are_named():
    with pytest.raises(MXNetError, match="at most 5 numbers"):
        boxes(label_pad_width=5)
    with pytest.raises(ValueError, match="each of 3 samplers, got 2"):
        boxes(num_crop_sampler=3, min_crop_scales=(0.1, 0.2))
    with pytest.raises(ValueError, match="dtype"):
        boxes(dtype="uint8")
    with pytest.raises(ValueError, match="mean_img"):
        boxes(mean_img="a.bin")
    with pytest.raises(MXNetError, match="7 labels expected, got 12"):
        boxes(label_width=7)
    with pytest.raises(FileNotFoundError, match=r"imgrec\.rec"):
        mx.io.ImageDetRecordIter(data_shape=(3, 20, 20), batch_size=1)


def test_labels_of_other_widths_may_stand_first(tmp_path):
    path = write(tmp_path, [4, 6, 50, 60, 1, 0.1, 0.2, 0.5, 0.6, 9])
    label = next(boxes(path, batch_size=1)).label[0].asnumpy()[0]
    assert label.tolist() == pytest.approx([3, 20, 20, 10, 4, 6, 50, 60, 1, 0.1, 0.2, 0.5, 0.6, 9])
