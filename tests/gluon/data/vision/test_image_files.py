"""Datasets of image files: folders, lists and record files."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import cv2
import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon.data import DataLoader, vision
from mxnet.gluon.data.vision import transforms


def picture(seed: int) -> np.ndarray:
    return np.random.RandomState(seed).randint(0, 256, (6, 5, 3)).astype(np.uint8)


def write(path: Path, seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".png", picture(seed)[:, :, ::-1])[1].tobytes())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed, name in enumerate(["cat/1.png", "cat/2.png", "dog/1.png"]):
        write(tmp_path / name, seed)
    return tmp_path


def test_a_folder_for_each_class(folder):
    dataset = vision.ImageFolderDataset(folder)
    assert dataset.synsets == ["cat", "dog"]
    assert [label for _, label in dataset.items] == [0, 0, 1]
    for index in range(3):
        image, label = dataset[index]
        np.testing.assert_array_equal(image.asnumpy(), picture(index))
        assert label == index // 2
    assert pickle.loads(pickle.dumps(dataset))[2][1] == 1


def test_what_is_no_image_is_told(folder):
    (folder / "cat" / "notes.txt").write_text("no image")
    (folder / "list.txt").write_text("no folder")
    with pytest.warns(UserWarning) as caught:
        assert len(vision.ImageFolderDataset(folder)) == 3
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 2
    assert any("notes.txt" in text and ".png" in text for text in texts)
    assert any("list.txt" in text for text in texts)


def test_a_damaged_image_is_named(folder):
    path = folder / "dog" / "1.png"
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(mx.MXNetError, match=r"1\.png"):
        vision.ImageFolderDataset(folder)[2]


def test_a_folder_in_a_loader(folder):
    chain = transforms.Compose([transforms.Resize(4), transforms.ToTensor()])
    dataset = vision.ImageFolderDataset(folder).transform_first(chain)
    (batch,) = DataLoader(dataset, batch_size=3)
    assert batch[0].shape == (3, 3, 4, 4)
    assert batch[1].asnumpy().tolist() == [0, 0, 1]
    for index in range(3):
        np.testing.assert_array_equal(batch[0][index].asnumpy(), dataset[index][0].asnumpy())


ROWS = {
    "one label": ([[3, "cat/1.png"], (4.5, "dog/1.png")], [3, 4.5]),
    "labels": ([[1, 2, "cat/1.png"], [3, 4, "dog/1.png"]], [[1, 2], [3, 4]]),
    "lists of labels": ([[[1, 2], "cat/1.png"], [[3, 4], "dog/1.png"]], [[1, 2], [3, 4]]),
}


@pytest.mark.parametrize("kind", ROWS)
def test_a_list_of_images(kind, folder):
    rows, labels = ROWS[kind]
    dataset = vision.ImageListDataset(root=folder, imglist=rows)
    assert len(dataset) == 2
    for index, seed in enumerate((0, 2)):
        image, label = dataset[index]
        np.testing.assert_array_equal(image.asnumpy(), picture(seed))
        np.testing.assert_array_equal(label, labels[index])


def test_a_list_file(folder):
    (folder / "all.lst").write_text("0\t7.0\tcat/1.png\n\n5\t1.5\tdog/1.png\n")
    dataset = vision.ImageListDataset(folder, "all.lst", flag=0)
    assert [label for _, label in dataset] == [7.0, 1.5]
    assert dataset[0][0].shape == (6, 5, 1)
    (folder / "many.lst").write_text("0\t1\t2\t3\tcat/1.png\n")
    label = vision.ImageListDataset(folder, "many.lst")[0][1]
    assert (label.dtype, label.tolist()) == (np.float32, [1, 2, 3])


@pytest.mark.parametrize("line", ["0\tcat/1.png", "0\tred\tcat/1.png", "cat/1.png"])
def test_damaged_list_files(line, folder):
    (folder / "all.lst").write_text(f"0\t1\tdog/1.png\n{line}\n")
    with pytest.raises(mx.MXNetError, match="line 2"):
        vision.ImageListDataset(folder, "all.lst")


def test_misuse_of_lists(folder):
    with pytest.raises(TypeError, match="NoneType"):
        vision.ImageListDataset(folder)
    with pytest.raises(mx.MXNetError, match="labels and a path"):
        vision.ImageListDataset(folder, [["cat/1.png"]])
    with pytest.raises(FileNotFoundError):
        vision.ImageListDataset(folder, "nothing.lst")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    writer = mx.recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), str(tmp_path / "a.rec"), "w")
    for index in range(4):
        header = mx.recordio.IRHeader(0, float(index), index, 0)
        content = mx.recordio.pack_img(header, picture(index)[:, :, ::-1], 9, ".png")
        writer.write_idx(index, content)
    writer.close()
    return tmp_path / "a.rec"


def test_record_files(records):
    dataset = vision.ImageRecordDataset(str(records))
    assert len(dataset) == 4
    image, label = dataset[2]
    np.testing.assert_array_equal(image.asnumpy(), picture(2))
    assert label == 2.0
    assert vision.ImageRecordDataset(str(records), flag=0)[0][0].shape == (6, 5, 1)
    doubled = vision.ImageRecordDataset(str(records), transform=lambda x, y: (x, 2 * y))
    assert doubled[3][1] == 6.0


def test_an_index_of_another_file(records):
    index = records.with_suffix(".idx")
    rows = index.read_text().splitlines()
    index.write_text("\n".join([*rows, f"9\t{records.stat().st_size}", ""]))
    dataset = vision.ImageRecordDataset(str(records))
    assert len(dataset) == 5
    with pytest.raises(mx.MXNetError, match=r"a\.idx"):
        dataset[4]
    middle = records.stat().st_size // 2
    index.write_text("\n".join([*rows, f"9\t{middle - middle % 4 + 4}", ""]))
    with pytest.raises(mx.MXNetError, match=r"a\.rec"):
        vision.ImageRecordDataset(str(records))[4]


@pytest.mark.parametrize("num_workers", [0, 2])
def test_record_files_in_a_loader(records, num_workers):
    dataset = vision.ImageRecordDataset(str(records)).transform_first(transforms.ToTensor())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking, in some versions
        batches = list(DataLoader(dataset, batch_size=2, num_workers=num_workers))
    assert [batch[1].asnumpy().tolist() for batch in batches] == [[0, 1], [2, 3]]
    expected = picture(3).transpose(2, 0, 1) / np.float32(255)
    np.testing.assert_allclose(batches[1][0][1].asnumpy(), expected, rtol=1e-6)
