"""The published datasets, read from small files in their formats."""

from __future__ import annotations

import gzip
import hashlib
import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon.data import DataLoader, vision
from mxnet.gluon.data.vision import transforms

from . import files


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "no mirror").as_uri())


@pytest.mark.parametrize("cls", [vision.MNIST, vision.FashionMNIST])
@pytest.mark.parametrize("packed", [True, False])
def test_mnist(cls, packed, tmp_path):
    arrays = files.write_mnist(tmp_path, packed=packed)
    for train, part in ((True, "train"), (False, "t10k")):
        dataset = cls(root=str(tmp_path), train=train)
        assert len(dataset) == files.SIZES[part]
        for index in (0, 2, -1):
            image, label = dataset[index]
            assert image.dtype == np.uint8
            expected = arrays[f"{part}-images-idx3-ubyte"][index][..., None]
            np.testing.assert_array_equal(image.asnumpy(), expected)
            assert type(label) is np.int32
            assert label == arrays[f"{part}-labels-idx1-ubyte"][index]


def test_several_samples_at_once(tmp_path):
    arrays = files.write_mnist(tmp_path)
    dataset = vision.MNIST(tmp_path)
    images, labels = dataset[1:4]
    assert images.shape == (3, 28, 28, 1)
    np.testing.assert_array_equal(labels, arrays["train-labels-idx1-ubyte"][1:4])
    assert dataset[[0, 5]][0].shape == (2, 28, 28, 1)
    with pytest.raises(IndexError):
        dataset[6]
    assert len(list(dataset)) == 6


def test_a_transform_of_pairs(tmp_path):
    files.write_mnist(tmp_path)
    dataset = vision.MNIST(
        tmp_path, True, lambda image, label: (image.astype("float32"), label + 1)
    )
    plain = vision.MNIST(tmp_path)
    assert dataset[3][0].dtype == np.float32
    assert dataset[3][1] == plain[3][1] + 1


def test_datasets_can_be_pickled(tmp_path):
    files.write_mnist(tmp_path)
    dataset = vision.MNIST(tmp_path)
    again = pickle.loads(pickle.dumps(dataset))
    np.testing.assert_array_equal(again[2][0].asnumpy(), dataset[2][0].asnumpy())
    assert again[2][1] == dataset[2][1]


def test_loader_gives_what_single_samples_give(tmp_path):
    files.write_mnist(tmp_path)
    dataset = vision.MNIST(tmp_path)
    chain = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.13, 0.31)])
    transformed = dataset.transform_first(chain)
    batches = list(DataLoader(transformed, batch_size=4))
    assert [batch[0].shape for batch in batches] == [(4, 1, 28, 28), (2, 1, 28, 28)]
    images = np.concatenate([batch[0].asnumpy() for batch in batches])
    labels = np.concatenate([batch[1].asnumpy() for batch in batches])
    for index in range(6):
        np.testing.assert_array_equal(images[index], transformed[index][0].asnumpy())
        assert labels[index] == transformed[index][1]
    assert batches[0][1].dtype == np.int32


CIFAR = {
    "CIFAR10": (vision.CIFAR10, files.CIFAR10, "cifar-10-binary.tar.gz", "cifar-10-batches-bin"),
    "CIFAR100": (vision.CIFAR100, files.CIFAR100, "cifar-100-binary.tar.gz", "cifar-100-binary"),
}


@pytest.mark.parametrize("where", ["folder", "subfolder", "archive"])
@pytest.mark.parametrize("name", CIFAR)
def test_cifar(name, where, tmp_path):
    cls, contents, archive, folder = CIFAR[name]
    if where == "archive":
        files.write_archive(tmp_path / archive, folder, contents)
    else:
        target = tmp_path if where == "folder" else tmp_path / folder
        target.mkdir(exist_ok=True)
        for file, content in contents.items():
            (target / file).write_bytes(content)
    num_labels = 1 if name == "CIFAR10" else 2
    for train in (True, False):
        names = [file for file in contents if file.startswith("test") != train]
        raw = b"".join(contents[file] for file in names)
        rows = np.frombuffer(raw, np.uint8).reshape(-1, num_labels + 3072)
        dataset = cls(root=tmp_path, train=train)
        assert len(dataset) == len(rows)
        assert dataset._label.dtype == np.int32
        np.testing.assert_array_equal(dataset._label, rows[:, 0])
        image, label = dataset[1]
        assert image.shape == (32, 32, 3)
        assert (image.dtype, type(label)) == (np.uint8, np.int32)
        planes = rows[1, num_labels:].reshape(3, 32, 32)
        np.testing.assert_array_equal(image.asnumpy(), planes.transpose(1, 2, 0))


def test_fine_labels_of_cifar100(tmp_path):
    for file, content in files.CIFAR100.items():
        (tmp_path / file).write_bytes(content)
    rows = np.frombuffer(files.CIFAR100["test.bin"], np.uint8).reshape(-1, 3074)
    dataset = vision.CIFAR100(tmp_path, fine_label=True, train=False)
    np.testing.assert_array_equal(dataset._label, rows[:, 1])


def test_a_missing_file_is_named_with_its_place_and_hash(tmp_path):
    files.write_mnist(tmp_path)
    (tmp_path / "train-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(mx.MXNetError) as error:
        vision.MNIST(root=tmp_path)
    text = str(error.value)
    assert "train-labels-idx1-ubyte.gz" in text
    assert "2a80914081dc54586dbdf242f9805a6b8d2a15fc" in text
    assert "train-images" not in text, "that one is there"
    assert str(tmp_path) in text
    assert "MXNET_GLUON_REPO" in text
    assert isinstance(error.value, FileNotFoundError)


def test_all_missing_files_are_named_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"(?s)train-images.*train-labels"):
        vision.FashionMNIST(root=tmp_path)
    with pytest.raises(FileNotFoundError, match=r"cifar-100-binary\.tar\.gz"):
        vision.CIFAR100(root=tmp_path)
    assert list(tmp_path.iterdir()) == [], "nothing half done is left"


def test_files_come_from_a_mirror(tmp_path, monkeypatch):
    mirror = tmp_path / "mirror" / "gluon" / "dataset" / "mnist"
    mirror.mkdir(parents=True)
    files.write_mnist(mirror)
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "mirror").as_uri())
    root = tmp_path / "home" / "mnist"
    with pytest.raises(mx.MXNetError, match="SHA-1"):
        vision.MNIST(root=root)
    assert list(root.iterdir()) == []
    for name in ("_train_data", "_train_label"):
        file = getattr(vision.MNIST, name)
        digest = hashlib.sha1((mirror / file.name).read_bytes(), usedforsecurity=False).hexdigest()
        monkeypatch.setattr(vision.MNIST, name, file._replace(sha1=digest))
    assert len(vision.MNIST(root=root)) == 6
    assert sorted(path.name for path in root.iterdir()) == [
        "train-images-idx3-ubyte.gz",
        "train-labels-idx1-ubyte.gz",
    ]


def packed(name: str, content: bytes) -> bytes:
    return gzip.compress(content) if name.endswith(".gz") else content


IMAGES = files.idx(np.zeros((6, 28, 28)))


@pytest.mark.parametrize("name", ["train-images-idx3-ubyte.gz", "train-images-idx3-ubyte"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "starts with nothing"),
        (b"\0\0\x08", "expected an idx file"),
        (b"\0\0\x0d\x03" + IMAGES[4:], "expected an idx file"),
        (files.idx(np.zeros(6)) + bytes(40), "with 3 axes"),
        (IMAGES[:-1], "announces 4704 bytes"),
        (IMAGES + b"\0", "got more"),
        (IMAGES[:4] + b"\xff" * 12, "announces"),
        (files.idx(np.zeros((5, 28, 28))), "5 images"),
    ],
)
def test_damaged_idx_files(name, content, message, tmp_path):
    files.write_mnist(tmp_path)
    (tmp_path / "train-images-idx3-ubyte.gz").unlink()
    (tmp_path / name).write_bytes(packed(name, content))
    with pytest.raises(mx.MXNetError, match=message) as error:
        vision.MNIST(tmp_path)
    assert name in str(error.value)
    assert isinstance(error.value, ValueError)


def test_a_gzip_stream_that_breaks_off(tmp_path):
    files.write_mnist(tmp_path)
    path = tmp_path / "train-images-idx3-ubyte.gz"
    whole = path.read_bytes()
    for content in (whole[:-100], whole[:30], whole[:300] + b"\xff" * 300 + whole[600:]):
        path.write_bytes(content)
        with pytest.raises(mx.MXNetError, match=r"train-images-idx3-ubyte\.gz"):
            vision.MNIST(tmp_path)


def test_damaged_cifar_files(tmp_path):
    contents = dict(files.CIFAR100)
    archive = tmp_path / "cifar-100-binary.tar.gz"
    files.write_archive(archive, "cifar-100-binary", {"train.bin": contents["train.bin"]})
    assert len(vision.CIFAR100(tmp_path)) == 4
    with pytest.raises(mx.MXNetError, match=r"does not have test\.bin"):
        vision.CIFAR100(tmp_path, train=False)
    archive.write_bytes(archive.read_bytes()[:-2000])
    with pytest.raises(mx.MXNetError, match="damaged"):
        vision.CIFAR100(tmp_path)
    for content in (b"", contents["train.bin"][:-1]):
        (tmp_path / "train.bin").write_bytes(content)
        with pytest.raises(mx.MXNetError, match="3074 bytes"):
            vision.CIFAR100(tmp_path)


@pytest.mark.parametrize(
    "cls", [vision.MNIST, vision.FashionMNIST, vision.CIFAR10, vision.CIFAR100]
)
def test_the_default_folder(cls):
    root = inspect.signature(cls).parameters["root"].default
    name = {"FashionMNIST": "fashion-mnist"}.get(cls.__name__, cls.__name__.lower())
    assert Path(root) == Path(mx.base.data_dir()) / "datasets" / name
