"""Files of data that programs for tests fetch, offline where they are there already."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mxnet._formats.archives import UNPACKING_ERRORS, open_unpacked, unpack
from mxnet._formats.files import while_room, write_atomically
from mxnet.base import data_dir as home_dir
from mxnet.errors import FileAccessError, FileFormatError, InvalidArgumentError, MXNetError
from mxnet.gluon.data._published_files import read_idx
from mxnet.gluon.data.vision import MNIST
from mxnet.gluon.utils import _get_repo_file_url
from mxnet.gluon.utils import download as fetch
from mxnet.io import MNISTIter

_BLOCK_SIZE = 1 << 20
_CIFAR10_URL = "http://data.mxnet.io/mxnet/data/cifar10.zip"
_MNIST_URL = "http://data.mxnet.io/data/mnist/"
"""Where the original looks, and this package if the files it can check are out of reach."""
_MNIST_HASHES = {
    file.unpacked: file.sha1
    for file in (MNIST._train_data, MNIST._train_label, MNIST._test_data, MNIST._test_label)
}
"""Hashes of the packed files, by the names of the unpacked ones."""
_MNIST_FILES = tuple(_MNIST_HASHES)


_PLACES = {
    "imagenet1k-inception-bn": ("imagenet/inception-bn/Inception-BN", 126),
    **{
        f"imagenet1k-resnet-{depth}": (f"imagenet/resnet/{depth}-layers/resnet-{depth}", 0)
        for depth in (18, 34, 50, 101, 152)
    },
    "imagenet1k-resnext-50": ("imagenet/resnext/50-layers/resnext-50", 0),
    "imagenet1k-resnext-101": ("imagenet/resnext/101-layers/resnext-101", 0),
    "imagenet1k-resnext-101-64x4d": ("imagenet/resnext/101-layers/resnext-101-64x4d", 0),
    "imagenet11k-resnet-152": ("imagenet-11k/resnet-152/resnet-152", 0),
    "imagenet11k-place365ch-resnet-152": ("imagenet-11k-place365-ch/resnet-152", 0),
    "imagenet11k-place365ch-resnet-50": ("imagenet-11k-place365-ch/resnet-50", 0),
}
"""Where the networks are that MXNet offered, and the epochs of their parameters."""

_MODELS = {
    name: {
        "symbol": f"http://data.mxnet.io/models/{path}-symbol.json",
        "params": f"http://data.mxnet.io/models/{path}-{epoch:04}.params",
    }
    for name, (path, epoch) in _PLACES.items()
}


def download(
    url: str,
    fname: str | None = None,
    dirname: str | None = None,
    overwrite: bool = False,
    retries: int = 5,
) -> str:
    """Downloads a file, unless it is there already.

    Args:
        url: Address.
        fname: Name of the file, the last part of the address if None.
        dirname: Folder, which is made if need be; part of `fname` if None.
        overwrite: Whether to download it again.
        retries: How often to try again.

    Returns:
        Path of the file.
    """
    name = url.split("/")[-1] if fname is None else fname
    path = name if dirname is None else os.path.join(dirname, name)
    fetch(url, path=path, overwrite=overwrite, retries=retries)
    return path


def download_model(
    model_name: str, dst_dir: str = "./", meta_info: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[str | None, int]:
    """Downloads a network with its parameters, unless the files are there already.

    Args:
        model_name: Name of the network, such as `"imagenet1k-resnet-50"`.
        dst_dir: Folder, which is made if need be.
        meta_info: Addresses by name: dicts with `symbol` and `params`; by default those of the
            networks that MXNet offered.

    Returns:
        The prefix and the epoch for `mx.model.load_checkpoint`; None and 0 if there is no such
        network.

    Raises:
        InvalidArgumentError: if an address is missing.
    """
    addresses = dict(_MODELS if meta_info is None else meta_info)
    if model_name not in addresses:
        return None, 0
    for kind in ("symbol", "params"):
        if kind not in addresses[model_name]:
            raise InvalidArgumentError(f"download_model: {model_name}: address of {kind} missing")
    os.makedirs(dst_dir, exist_ok=True)
    prefix = os.path.join(dst_dir, model_name)
    download(addresses[model_name]["symbol"], f"{prefix}-symbol.json")
    download(addresses[model_name]["params"], f"{prefix}-0000.params")
    return prefix, 0


def get_mnist_pkl() -> None:
    """Makes sure that the file `data/mnist.pkl.gz` is there."""
    os.makedirs("data", exist_ok=True)
    if not os.path.exists("data/mnist.pkl.gz"):
        download("http://deeplearning.net/data/mnist/mnist.pkl.gz", dirname="data")


def get_mnist(path: str = "data") -> dict[str, Any]:
    """Returns MNIST as NumPy's arrays: images of `(1, 28, 28)` in [0, 1], and labels.

    The files, plain or gzipped, are looked for in the current folder, in `data` and in the folder
    of `gluon.data.vision.MNIST`; if they are in none of these they are downloaded to `data`.

    Args:
        path: The folder that is called `data` here.

    Returns:
        `train_data`, `train_label`, `test_data` and `test_label`.
    """
    train_data, train_label, test_data, test_label = (
        _find_mnist(name, Path(path)) for name in _MNIST_FILES
    )
    return {
        "train_data": _read_images(train_data),
        "train_label": read_idx(train_label, 1).astype("int8"),
        "test_data": _read_images(test_data),
        "test_label": read_idx(test_label, 1).astype("int8"),
    }


def _read_images(path: Path) -> Any:
    return read_idx(path, 3)[:, None].astype("float32") / 255


def _find_mnist(name: str, data: Path) -> Path:
    folders = (Path(), data, Path(home_dir(), "datasets", "mnist"))
    for path in (folder / f"{name}{end}" for folder in folders for end in ("", ".gz")):
        if path.is_file():
            return path
    target = data / f"{name}.gz"
    url = _get_repo_file_url("gluon/dataset/mnist", target.name)
    try:
        return Path(fetch(url, path=target, sha1_hash=_MNIST_HASHES[name], retries=1))
    except MXNetError as error:
        if isinstance(error.__cause__, OSError):  # not one with another content
            with suppress(MXNetError):
                return Path(fetch(_MNIST_URL + target.name, path=target, retries=1))
        places = ", ".join(str(folder.absolute()) for folder in folders)
        raise FileAccessError(
            f"MNIST: {name} or {name}.gz is in none of {places}, and {error}; put the file there"
        ) from error


def get_mnist_ubyte(path: str = "data") -> None:
    """Makes sure that the files of MNIST, unpacked, are in a folder.

    Args:
        path: The folder.
    """
    for name in _MNIST_FILES:
        target = Path(path, name)
        if not target.is_file():
            source = _find_mnist(name, Path(path))
            target.parent.mkdir(parents=True, exist_ok=True)
            _unpack(source, target)


def get_mnist_iterator(
    batch_size: int,
    input_shape: tuple[int, ...],
    num_parts: int = 1,
    part_index: int = 0,
    path: str = "data",
) -> tuple[MNISTIter, MNISTIter]:
    """Returns iterators over the training and the test images of MNIST.

    Args:
        batch_size: Number of examples in a batch.
        input_shape: Shape of an image; with three axes it is an image, otherwise a row.
        num_parts: Into how many parts the images are cut, of training and of testing.
        part_index: Which of them to give.
        path: Folder of the files.
    """
    get_mnist_ubyte(path)
    common: dict[str, Any] = {
        "batch_size": batch_size,
        "flat": len(input_shape) != 3,
        "num_parts": num_parts,
        "part_index": part_index,
    }
    files = [str(Path(path, name)) for name in _MNIST_FILES]
    train = MNISTIter(image=files[0], label=files[1], shuffle=True, **common)
    return train, MNISTIter(image=files[2], label=files[3], **common)


def get_cifar10(path: str = "data") -> None:
    """Makes sure that the record files of CIFAR-10 are in the folder `cifar` of another one.

    Args:
        path: The other one.
    """
    folder = Path(path, "cifar")
    if not all((folder / name).is_file() for name in ("train.rec", "test.rec")):
        get_zip_data(path, _CIFAR10_URL, "cifar10.zip")


def get_zip_data(data_dir: str, url: str, data_origin_name: str) -> None:
    """Downloads an archive into a folder and unpacks it there.

    Args:
        data_dir: The folder.
        url: Address.
        data_origin_name: Name of the archive.

    Raises:
        FileFormatError: if it is damaged.
    """
    archive = download(url, fname=data_origin_name, dirname=data_dir)
    try:
        unpack(archive, data_dir)
    except FileFormatError as error:
        raise FileFormatError(
            f"get_zip_data: {archive} is no archive, or is damaged ({error}); remove it"
        ) from error


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Downloads a file packed by bzip2 into a folder and unpacks it, unless that is done already.

    Args:
        data_dir: The folder.
        data_name: Name of the unpacked file.
        url: Address.
        data_origin_name: Name of the packed file, which is removed.
    """
    target = Path(data_dir, data_name)
    if not target.exists():
        packed = Path(download(url, fname=data_origin_name, dirname=data_dir))
        _unpack(packed, target)
        packed.unlink()


def get_im2rec_path(home_env: str = "MXNET_HOME") -> str:
    """Returns the path of the program that packs images into record files.

    Args:
        home_env: Variable that may name a folder with the program in its `tools`.
    """
    candidates = [Path(__file__).parents[1] / "tools" / "im2rec.py"]
    if home_env in os.environ:
        candidates.insert(0, Path(os.environ[home_env], "tools", "im2rec.py"))
    return str(next(path for path in candidates if path.is_file()))


def _unpack(packed: Path, target: Path) -> None:
    """Writes what a file holds, unpacked if it is packed.

    Raises:
        FileFormatError: if it is damaged.
    """
    try:
        with open_unpacked(packed) as source:
            blocks = iter(lambda: source.read(_BLOCK_SIZE), b"")
            write_atomically(target, while_room(target, blocks))
    except UNPACKING_ERRORS as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise FileFormatError(f"{packed}: the file is damaged: {error}; remove it") from error
