"""`ImageRecordIter`: options, order, chance, and files that are damaged."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import recordio
from mxnet.errors import FileFormatError, MXNetError
from mxnet.io._image_pipeline import Buffers
from tests.golden import record_cases as cases

GOLDEN = Path(__file__).parent.parent / "golden" / "io"
IMAGES = GOLDEN / "images.rec"


def records(path=IMAGES):
    with recordio.MXRecordIO(path, "r") as reader:
        return list(iter(reader.read, None))


def write(path, contents):
    with recordio.MXRecordIO(path, "w") as writer:
        for content in contents:
            writer.write(content)
    return path


def images(path=IMAGES, **options):
    given = {"path_imgrec": str(path), "data_shape": (3, 20, 20), "batch_size": 3, **options}
    return mx.io.ImageRecordIter(**given)


def read(iterator):
    return np.concatenate([batch.data[0].asnumpy() for batch in iterator])


def test_examples_carry_the_numbers_of_their_images():
    assert [batch.index.tolist() for batch in images()] == [[100, 101, 102], [103, 104, 105]]


def test_random_changes_do_not_depend_on_threads():
    random = {
        "rand_crop": True,
        "rand_mirror": True,
        "max_rotate_angle": 10,
        "brightness": 0.2,
        "contrast": 0.2,
        "saturation": 0.2,
        "pca_noise": 0.1,
        "random_h": 5,
        "shuffle": True,
        "seed": 4,
    }
    one = images(preprocess_threads=1, **random)
    three = images(preprocess_threads=3, prefetch_buffer=1, **random)
    for _ in range(2):
        assert np.array_equal(read(one), read(three))
        one.reset()
        three.reset()


def test_rounds_differ_by_chance_and_seeds_too():
    iterator = images(rand_crop=True, rand_mirror=True)
    first = read(iterator)
    iterator.reset()
    assert not np.array_equal(first, read(iterator))
    other = images(rand_crop=True, rand_mirror=True, seed_aug=9)
    assert not np.array_equal(first, read(other))


def test_random_crops_are_parts_of_the_image():
    whole = records()[:1]
    image = recordio.unpack_img(whole[0])[1][..., ::-1].transpose(2, 0, 1)
    height, width = image.shape[1:]
    parts = {
        image[:, top : top + 20, left : left + 20].tobytes()
        for top in range(height - 19)
        for left in range(width - 19)
    }
    iterator = images(batch_size=6, shuffle=True, rand_crop=True, dtype="uint8")
    found = set()
    for _ in range(8):
        for batch in iterator:
            where = batch.index.tolist().index(100)
            found.add(batch.data[0].asnumpy()[where].tobytes())
        iterator.reset()
    assert found <= parts
    assert len(found) > 3


def test_half_of_the_images_are_mirrored():
    plain, flipped = read(images()), read(images(mirror=True))
    iterator = images(rand_mirror=True)
    count = 0
    for _ in range(20):
        for row, one, other in zip(read(iterator), plain, flipped, strict=True):
            assert np.array_equal(row, one) or np.array_equal(row, other)
            count += np.array_equal(row, other)
        iterator.reset()
    assert 35 < count < 85


@pytest.mark.parametrize(
    "options",
    [
        {"random_resized_crop": True, "min_random_area": 0.2, "max_aspect_ratio": 0.3},
        {
            "random_resized_crop": True,
            "min_aspect_ratio": 0.7,
            "max_aspect_ratio": 1.4,
            "max_random_area": 0.5,
            "min_random_area": 0.4,
        },
        {"max_crop_size": 24, "min_crop_size": 20, "rand_crop": True},
        {"max_random_scale": 1.5, "min_random_scale": 0.9},
        {"max_shear_ratio": 0.2, "max_rotate_angle": 20, "fill_value": 0},
        {"random_h": 20, "random_s": 30, "random_l": 30},
        {"max_random_contrast": 0.3, "max_random_illumination": 20},
        {"inter_method": 10, "resize": 30},
        {"brightness": 0.5, "contrast": 0.5, "saturation": 0.5, "data_shape": (1, 20, 20)},
        {"pca_noise": 0.5, "data_shape": (1, 20, 20)},
    ],
    ids=lambda options: next(iter(options)),
)
def test_random_options_change_images_within_bounds(options):
    iterator = images(**options)
    found = [read(iterator), (iterator.reset(), read(iterator))[1]]
    assert not np.array_equal(*found)
    assert np.isfinite(found).all()
    if "max_random_contrast" not in options:
        assert 0 <= np.min(found) <= np.max(found) <= 255


def one_colour(tmp_path, colour, **options):
    """Returns the first pixels of 500 images of one colour, red first, after random changes."""
    image = np.full((4, 4, 3), colour[::-1], np.uint8)
    content = recordio.pack_img((0, 1.0, 0, 0), image, 3, ".png")
    path = write(tmp_path / "same.rec", [content] * 500)
    changed = images(path, data_shape=(3, 4, 4), batch_size=500, seed=7, **options)
    return next(changed).data[0].asnumpy()[:, :, 0, 0]


def test_large_shifts_of_lightness_are_rare(tmp_path):
    shifts = one_colour(tmp_path, (128, 128, 128), random_l=60)[:, 0] - 128
    # Of numbers drawn evenly a fifth would be beyond 48.
    assert 0.01 < np.mean(np.abs(shifts) > 48) < 0.12
    assert 50 < np.abs(shifts).max() <= 60


@pytest.mark.parametrize(("colour", "grey"), [((0, 0, 200), 59.8), ((200, 0, 0), 22.8)])
def test_saturation_moves_towards_the_grey_of_the_original(tmp_path, colour, grey):
    pixels = one_colour(tmp_path, colour, saturation=0.5)
    high, low = pixels.max(axis=1), pixels.min(axis=1)
    paler = low > 8
    assert paler.sum() > 50
    share = low[paler] / (200 - high[paler])
    assert np.abs(share - grey / (200 - grey)).max() < 0.03


def test_every_round_is_shuffled_anew():
    iterator = images(shuffle=True, seed=1, path_imgidx=str(GOLDEN / "images.idx"))
    orders = []
    for _ in range(4):
        orders.append(tuple(int(n) for batch in iterator for n in batch.index))
        iterator.reset()
    assert len(set(orders)) > 1
    assert all(sorted(order) == list(range(100, 106)) for order in orders)


def test_parts_together_are_the_whole():
    for options in ({}, {"path_imgidx": str(GOLDEN / "images.idx")}):
        found = []
        for part in range(3):
            iterator = images(num_parts=3, part_index=part, batch_size=1, **options)
            found += [int(n) for batch in iterator for n in batch.index]
        assert found == list(range(100, 106))


def test_a_folder_and_several_files_are_read(tmp_path):
    half = records()
    write(tmp_path / "a.rec", half[:2])
    write(tmp_path / "b.rec", half[2:])
    expected = read(images())
    assert np.array_equal(read(images(tmp_path)), expected)
    both = f"{tmp_path / 'a.rec'};{tmp_path / 'b.rec'}"
    assert np.array_equal(read(images(both)), expected)
    shuffled = images(both, shuffle=True, batch_size=6)
    assert sorted(next(shuffled).index.tolist()) == list(range(100, 106))


def test_the_last_batch_is_filled_with_the_one_before():
    iterator = images(batch_size=4, round_batch=False)
    first, last = list(iterator)
    assert (first.pad, last.pad) == (0, 2)
    assert last.index.tolist() == [104, 105, 102, 103]
    iterator.reset()
    assert [batch.pad for batch in iterator] == [0, 2]


def test_a_round_that_is_left_begins_again():
    iterator = images(batch_size=2, preprocess_threads=2)
    for _ in range(5):
        assert next(iterator).index.tolist() == [100, 101]
        iterator.reset()
    assert len(list(iterator)) == 3


def test_a_batch_as_large_as_the_data_can_be_read_again():
    iterator = images(batch_size=12)
    for _ in range(2):
        assert [batch.pad for batch in iterator] == [6]
        iterator.reset()


def test_several_labels_are_packed(tmp_path):
    contents = []
    for number, record in enumerate(records()):
        _, image = recordio.unpack(record)
        contents.append(recordio.pack((0, [number, number * 2, -1], number, 0), image))
    path = write(tmp_path / "a.rec", contents)
    iterator = images(path, label_width=3)
    assert iterator.provide_label[0].shape == (3, 3)
    assert next(iterator).label[0].asnumpy().tolist() == [[0, 0, -1], [1, 2, -1], [2, 4, -1]]
    with pytest.raises(MXNetError, match="image 0: 1 labels expected, got 3"):
        images(path)


def test_the_mean_image_is_written_and_subtracted(tmp_path):
    path = str(tmp_path / "mean.bin")
    plain = read(images())
    shifted = read(images(mean_img=path, scale=0.5, mirror=True))
    mean = mx.nd.load(path)["mean_img"].asnumpy()
    assert np.allclose(mean, plain.mean(axis=0), atol=1e-4)
    assert np.allclose(shifted, ((plain - mean) * 0.5)[..., ::-1], atol=1e-4)
    assert read(images(mean_img=path, dtype="int8")).dtype == np.int8
    with pytest.raises(FileFormatError, match=r"shape \(3, 16, 16\) expected"):
        images(mean_img=path, data_shape=(3, 16, 16))
    mx.nd.save(path, [mx.nd.ones(2)])
    with pytest.raises(FileFormatError, match="mean_img expected"):
        images(mean_img=path)


def test_the_classes_give_other_types_on_other_contexts():
    options = {"path_imgrec": str(IMAGES), "data_shape": (3, 20, 20), "batch_size": 2}
    expected = {
        mx.io.ImageRecordIter: ("float32", mx.cpu_pinned(0)),
        mx.io.ImageRecordUInt8Iter: ("uint8", mx.cpu_pinned(0)),
        mx.io.ImageRecordInt8Iter: ("int8", mx.cpu_pinned(0)),
        mx.io.ImageRecordIter_v1: ("float32", mx.cpu(0)),
        mx.io.ImageRecordUInt8Iter_v1: ("uint8", mx.cpu(0)),
    }
    for kind, (dtype, context) in expected.items():
        iterator = kind(**options)
        assert isinstance(iterator, mx.io.MXDataIter)
        found = next(iterator).data[0]
        assert (np.dtype(found.dtype).name, found.context) == (dtype, context)


def test_four_channels(tmp_path):
    image = np.dstack([cases.make_image(2), np.full((32, 32), 77, np.uint8)])
    packed = recordio.pack_img((0, 1.0, 5, 0), image, 3, ".png")
    path = write(tmp_path / "a.rec", [packed])
    found = next(images(path, data_shape=(4, 20, 20), batch_size=1, mean_a=7)).data[0].asnumpy()
    assert np.array_equal(found[0, 0], image[6:26, 6:26, 2])
    assert (found[0, 3] == 70).all()
    with pytest.raises(MXNetError, match="image 100: 4 channels expected, got 3"):
        images(data_shape=(4, 20, 20))


BAD_OPTIONS = {
    "data_shape": ({"data_shape": (20, 20)}, "data_shape"),
    "channels": ({"data_shape": (2, 20, 20)}, "1, 3 or 4 channels"),
    "no file": ({"path_imgrec": ""}, "path_imgrec"),
    "dtype": ({"dtype": "float16"}, "dtype"),
    "part": ({"num_parts": 2, "part_index": 2}, "part_index"),
    "threads": ({"preprocess_threads": 0}, "preprocess_threads"),
    "augmenter": ({"aug_seq": "foo"}, "aug_seq"),
    "label_width": ({"label_width": 0}, "label_width"),
    "two ways to crop": ({"random_resized_crop": True, "rand_crop": True}, "excludes `rand_crop`"),
    "crop sizes": ({"max_crop_size": 10, "min_crop_size": 20}, "bounds of a range"),
    "ratios": ({"min_aspect_ratio": 2.0, "max_aspect_ratio": 1.0}, "bounds of a range"),
    "text": ({"batch_size": "many"}, "batch_size"),
    "crop too large": ({"max_crop_size": 30, "min_crop_size": 30}, "crop of 30 pixels"),
    "resize": ({"resize": 0}, "image 100"),
    "too few": ({"batch_size": 13}, "too few"),
    "labels": ({"label_width": 2}, "2 labels expected, got 1"),
}


@pytest.mark.parametrize("name", BAD_OPTIONS)
def test_wrong_options_are_named(name):
    options, words = BAD_OPTIONS[name]
    with pytest.raises(MXNetError, match=words):
        images(**options)


def test_missing_and_unknown_options():
    with pytest.raises(ValueError, match="missing option 'batch_size'"):
        mx.io.ImageRecordIter(path_imgrec=str(IMAGES), data_shape=(3, 20, 20))
    with pytest.warns(UserWarning, match="no option 'rand_corp'"):
        images(rand_corp=True)


FAULTS = {
    "truncated JPEG": (5, lambda record: record[: len(record) // 2], "image 105: truncated"),
    "truncated PNG": (3, lambda record: record[: len(record) // 2], "image 103: truncated"),
    "no image": (2, lambda record: record[:24], "image 102: OpenCV cannot decode 0 bytes"),
    "other bytes": (4, lambda record: record[:24] + b"nonsense", "image 104: OpenCV cannot decode"),
    "no header": (1, lambda record: record[:10], "24 bytes of header expected"),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("threads", [1, 3])
def test_damaged_images_are_named(tmp_path, name, threads):
    number, damage, words = FAULTS[name]
    contents = records()
    contents[number] = damage(contents[number])
    path = write(tmp_path / "a.rec", contents)
    with pytest.raises(MXNetError, match=rf"a\.rec: record at offset \d+: .*{words}"):
        list(images(path, preprocess_threads=threads))


def test_a_truncated_file_is_named(tmp_path):
    path = tmp_path / "a.rec"
    path.write_bytes(IMAGES.read_bytes()[:-50])
    iterator = images(path)
    next(iterator)
    for _ in range(2):
        with pytest.raises(recordio.RecordError, match=r"a\.rec: record at offset \d+: truncated"):
            next(iterator)
    iterator.reset()
    assert next(iterator).index.tolist() == [100, 101, 102]
    with pytest.raises(recordio.RecordError, match="truncated"):
        images(path, shuffle=True)


def test_garbage_in_a_file_is_named(tmp_path):
    path = tmp_path / "a.rec"
    path.write_bytes(b"garbage!" * 20)
    with pytest.raises(recordio.RecordError, match=r"a\.rec: record at offset 0: the magic"):
        images(path)


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_wrong_index_is_named(tmp_path, shuffle):
    index = tmp_path / "a.idx"
    index.write_text("".join(f"{number}\t{number * 4}\n" for number in range(6)))
    with pytest.raises(recordio.RecordError, match=r"images\.rec: record at offset"):
        list(images(path_imgidx=str(index), shuffle=shuffle, batch_size=6))
    index.write_text("0\t90000\n")
    with pytest.raises(recordio.RecordError, match="wrong index"):
        images(path_imgidx=str(index), batch_size=1)


@pytest.mark.parametrize("option", ["path_imgrec", "path_imgidx", "path_imglist"])
def test_a_missing_file_is_named(option):
    with pytest.raises(FileNotFoundError, match=r"no\.file"):
        images(**{option: "no.file"})


def test_lists_are_checked(tmp_path):
    path = tmp_path / "a.lst"
    path.write_text("100\t1\ta.jpg\n")
    with pytest.raises(MXNetError, match="image 101 is not in the list"):
        images(path_imglist=str(path))
    path.write_text("100\tx\ta.jpg\n")
    with pytest.raises(FileFormatError, match=r"a\.lst: line 1"):
        images(path_imglist=str(path))


def test_an_iterator_that_is_dropped_leaves_no_thread():
    before = set(threading.enumerate())
    iterator = images(batch_size=1, prefetch_buffer=1)
    next(iterator)
    new = {thread for thread in threading.enumerate() if thread not in before}
    assert new
    del iterator
    gc.collect()
    for thread in new:
        thread.join(10)
        assert not thread.is_alive()


def test_batches_stay_as_they_are_when_others_are_read():
    iterator = images(batch_size=1, prefetch_buffer=1)
    kept = [batch.data[0] for batch in iterator]
    copies = [array.asnumpy().copy() for array in kept]
    for _ in range(3):
        iterator.reset()
        list(iterator)
    assert all(np.array_equal(a.asnumpy(), b) for a, b in zip(kept, copies, strict=True))


def test_memory_is_used_again():
    buffers = Buffers((4,), "float32", 2)
    first = buffers.take()
    address = first.ctypes.data
    other = buffers.take()
    assert other.ctypes.data != address
    del first
    assert buffers.take().ctypes.data == address


def test_garbage_collection_at_any_time_does_not_block():
    # A collector that runs in the reading thread finds iterators which were dropped in a cycle.
    thresholds = gc.get_threshold()
    gc.set_threshold(3)
    try:
        for _ in range(15):
            iterator = images(batch_size=1, prefetch_buffer=1, preprocess_threads=2)
            cycle = [iterator]
            cycle.append(cycle)
            del iterator, cycle
    finally:
        gc.set_threshold(*thresholds)


def test_a_program_that_leaves_early_ends():
    program = (
        "import sys, mxnet as mx\n"
        "options = dict(path_imgrec=sys.argv[1], data_shape=(3, 20, 20), batch_size=1)\n"
        "ahead = mx.io.PrefetchingIter(mx.io.ImageRecordIter(**options))\n"
        "next(ahead)\n"
    )
    command = [sys.executable, "-W", "error", "-c", program, str(IMAGES)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (answer.returncode, answer.stderr) == (0, "")
