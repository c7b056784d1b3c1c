"""Faults, mistakes and own subclasses of the iterators."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, LimitExceededError

PICTURES = Path(__file__).resolve().parents[1] / "golden" / "image"
SHAPE = (3, 18, 24)
BOX = [2, 5, 0, 0.1, 0.2, 0.6, 0.7]


def listed(*names, **options):
    return mx.image.ImageIter(
        len(names), SHAPE, imglist=[[i, n] for i, n in enumerate(names)], **options
    )


def detected(*labels, **options):
    images = [[np.array(label, np.float32), "photo.png"] for label in labels]
    return mx.image.ImageDetIter(len(labels), SHAPE, imglist=images, path_root=PICTURES, **options)


@pytest.mark.parametrize("name", ["photo.jpg", "photo.png"])
def test_broken_image_is_named(name, tmp_path, capfd):
    content = (PICTURES / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(FileFormatError, match=name):
        listed(name, path_root=tmp_path).next()
    capfd.readouterr()  # what OpenCV writes to the terminal


def test_large_image_is_named(tmp_path):
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((100, 100, 3), np.uint8))
    with mx.limits.scope(image_pixels=0), pytest.raises(LimitExceededError, match=r"black\.png"):
        listed("black.png", path_root=tmp_path).next()


def test_missing_image_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"gone\.png") as caught:
        listed("gone.png", path_root=tmp_path).next()
    assert isinstance(caught.value, mx.MXNetError)


def test_broken_record_is_numbered(tmp_path):
    path = str(tmp_path / "broken.rec")
    record = mx.recordio.MXRecordIO(path, "w")
    for content in ((PICTURES / "photo.png").read_bytes(), b"no image"):
        record.write(mx.recordio.pack(mx.recordio.IRHeader(0, 1.0, 0, 0), content))
    record.close()
    with pytest.raises(FileFormatError, match="record 1"):
        mx.image.ImageIter(2, SHAPE, path_imgrec=path).next()


def test_missing_image_is_an_error_of_the_system():
    with pytest.raises(FileNotFoundError, match="nowhere"):
        listed("nowhere.png", path_root=PICTURES).next()


@pytest.mark.parametrize("line", ["x\t1\tphoto.png", "1\tone\tphoto.png"])
def test_line_of_a_list_that_cannot_be_read_is_numbered(line, tmp_path):
    path = tmp_path / "broken.lst"
    path.write_text(f"0\t1\tphoto.png\n\n{line}\n")
    with pytest.raises(FileFormatError, match="line 3"):
        mx.image.ImageIter(1, SHAPE, path_imglist=path)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"imglist": 5},
        {"imglist": [], "dtype": "uint8"},
        {"imglist": [], "last_batch_handle": "keep"},
        {"imglist": [[0, "a"]], "num_parts": 2, "part_index": 2},
        {"path_imgrec": PICTURES / "pictures.rec", "shuffle": True},
        {"path_imgrec": PICTURES / "pictures.rec", "num_parts": 2},
        {"imglist": [["photo.png", 0]]},
    ],
)
def test_options_that_do_not_fit_are_refused(options):
    with pytest.raises((AssertionError, mx.MXNetError)):
        mx.image.ImageIter(1, SHAPE, **options)


@pytest.mark.parametrize("shape", [(24, 18), (1, 18, 24)])
def test_shape_is_one_of_colour_images(shape):
    with pytest.raises(ValueError, match="data_shape"):
        mx.image.ImageIter(1, shape, imglist=[])


def test_images_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"\(3, 18, 24\)"):
        listed("photo.png", path_root=PICTURES, aug_list=[]).next()


def test_number_of_labels_is_checked():
    images = [[1, 2, "photo.png"]]
    with pytest.raises(ValueError, match="labels"):
        mx.image.ImageIter(1, SHAPE, imglist=images, path_root=PICTURES).next()


def test_empty_list_ends_at_once():
    assert list(mx.image.ImageIter(2, SHAPE, imglist=[])) == []


def test_batch_larger_than_the_list_is_filled_by_repetition():
    names = [[i, "photo.png"] for i in range(2)]
    batch = mx.image.ImageIter(5, SHAPE, imglist=names, path_root=PICTURES).next()
    assert batch.label[0].asnumpy().tolist() == [0, 1, 0, 1, 0]
    assert batch.pad == 3


def test_hard_reset_drops_what_rolled_over():
    names = [[i, "photo.png"] for i in range(3)]
    iterator = mx.image.ImageIter(
        2, SHAPE, imglist=names, path_root=PICTURES, last_batch_handle="roll_over"
    )
    assert len(list(iterator)) == 1
    iterator.hard_reset()
    assert iterator.next().label[0].asnumpy().tolist() == [0, 1]


def test_subclass_changes_the_way_of_a_sample():
    class Marked(mx.image.ImageIter):
        def check_valid_image(self, data):
            if self.cur == 2 and data.shape:
                raise mx.image.image.InvalidSampleError("not this one")

        def augmentation_transform(self, data):
            return super().augmentation_transform(data) * 0 + self.cur

    names = [[i, "photo.png"] for i in range(4)]
    batch = Marked(3, SHAPE, imglist=names, path_root=PICTURES).next()
    assert batch.label[0].asnumpy().tolist() == [0, 2, 3]
    assert batch.data[0].asnumpy()[:, 0, 0, 0].tolist() == [1, 3, 4]


def test_network_trains_from_it():
    iterator = listed("photo.png", "grey.png", "alpha.png", path_root=PICTURES, mean=True, std=True)
    net = mx.gluon.nn.Dense(3)
    net.initialize()
    batch = iterator.next()
    assert net(batch.data[0]).shape == (3, 3)


@pytest.mark.parametrize(
    "label",
    [
        [2],
        [2, 5],
        [2, 4, 0, 0.1, 0.2, 0.6],
        [2, 5, 0, 0.1, 0.2, 0.6, 0.7, 3],
        [2, 0, 0, 0.1, 0.2, 0.6, 0.7],
        [2, 5, 0, 0.6, 0.2, 0.1, 0.7],
        [-3, 5, 0, 0.6, 0.2, 0.1, 0.7],
    ],
)
def test_label_that_is_no_list_of_boxes_is_refused(label):
    with pytest.raises(RuntimeError, match=r"photo\.png: label"):
        detected(label)


def test_objects_of_unlike_width_are_refused():
    with pytest.raises(ValueError, match="6 values"):
        detected(BOX, [2, 6, *BOX[2:], 9]).next()


def test_objects_without_a_class_are_passed_over():
    batch = detected(BOX, [2, 5, -1, 0.1, 0.2, 0.6, 0.7]).next()
    assert batch.pad == 1
    assert batch.label[0].shape == (2, 1, 5)


@pytest.mark.parametrize(
    ("shape", "message"), [((0, 5), "room"), ((3, 6), "values"), ((4,), "objects and values")]
)
def test_label_shape_holds_all_labels(shape, message):
    with pytest.raises(ValueError, match=message):
        detected(BOX).reshape(label_shape=shape)


def test_iterators_to_be_aligned_fit_together(caplog):
    iterator = detected(BOX)
    with pytest.raises(AssertionError, match="ImageDetIter"):
        iterator.sync_label_shape(5)
    with pytest.raises(AssertionError, match="6 there"):
        iterator.sync_label_shape(detected([2, 6, *BOX[2:], 9]))
    with caplog.at_level("INFO"):
        larger = detected([*BOX, *BOX[2:]])
        assert iterator.sync_label_shape(larger, verbose=True) is larger
    assert iterator.label_shape == (2, 5)
    assert "(2, 5)" in caplog.text


def test_drawing_uses_names_and_random_colours():
    plain, named = (
        next(detected(BOX, resize=0).draw_next((0, 255, 0), id2labels=names))
        for names in (None, {0: "cat"})
    )
    assert plain.shape == (18, 24, 3)
    assert (plain != named).any()
    assert len(list(detected(BOX, BOX).draw_next())) == 2
