"""Datasets of images: well-known ones, and those in folders, lists and record files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mxnet import errors, image, recordio
from mxnet import ndarray as nd
from mxnet._formats import image_lists, opencv
from mxnet._frontend.dialect import dialect_of_program, in_scope_of_program
from mxnet._start import level_of_program
from mxnet._state import is_np_array
from mxnet.base import data_dir
from mxnet.gluon.data import _published_files, dataset

Transform = Callable[[Any, Any], Any] | None
Root = str | os.PathLike[str]
Names = Sequence[str | tuple[str, str]]
_HOME = os.path.join(data_dir(), "datasets")


def _as_labels(labels: _published_files.Bytes) -> Any:
    """Returns labels as an array of NumPy, after `npx.set_np()` as one of `mx.np`."""
    values = labels.astype(np.int32)
    return in_scope_of_program(nd.from_numpy(values)) if is_np_array() else values


class MNIST(dataset._DownloadedDataset):
    """70,000 handwritten digits: images of shape `(28, 28, 1)` and integer labels.

    Args:
        root: Folder of the four published files, gzipped or unpacked. What is missing is
            downloaded, from `MXNET_GLUON_REPO` if that variable is set.
        train: Whether to use the 60,000 training examples instead of the 10,000 test examples.
        transform: Function of each example: `transform(data, label)` returns a pair.

    Example:
        >>> from mxnet.gluon.data import vision
        >>> dataset = vision.MNIST(train=True)  # doctest: +SKIP
        >>> image, label = dataset[0]  # doctest: +SKIP
        >>> print(image.shape, len(dataset))  # doctest: +SKIP
        (28, 28, 1) 60000
    """

    _namespace = "mnist"
    _train_data = _published_files.StoredFile(
        "train-images-idx3-ubyte.gz", "6c95f4b05d2bf285e1bfb0e7960c31bd3b3f8a7d"
    )
    _train_label = _published_files.StoredFile(
        "train-labels-idx1-ubyte.gz", "2a80914081dc54586dbdf242f9805a6b8d2a15fc"
    )
    _test_data = _published_files.StoredFile(
        "t10k-images-idx3-ubyte.gz", "c3a25af1f52dad7f726cce8cacb138654b760d48"
    )
    _test_label = _published_files.StoredFile(
        "t10k-labels-idx1-ubyte.gz", "763e7fa3757d93b0cdec073cef058b2004252c17"
    )

    def __init__(
        self, root: Root = f"{_HOME}/mnist", train: bool = True, transform: Transform = None
    ) -> None:
        self._train = train
        super().__init__(os.fspath(root), transform)

    def _get_data(self) -> None:
        files = (
            (self._train_data, self._train_label)
            if self._train
            else (self._test_data, self._test_label)
        )
        paths = _published_files.locate(type(self).__name__, self._root, self._namespace, files)
        images, labels = (
            _published_files.read_idx(paths[0], 3),
            _published_files.read_idx(paths[1], 1),
        )
        if len(images) != len(labels):
            raise errors.FileFormatError(
                f"{paths[0]} has {len(images)} images, but {paths[1]} has {len(labels)} labels"
            )
        self._data = in_scope_of_program(nd.from_numpy(images[..., np.newaxis]))
        self._label = _as_labels(labels)


class FashionMNIST(MNIST):
    """70,000 pictures of clothes in ten classes, in the format of MNIST.

    Args:
        root: Folder of the four published files, gzipped or unpacked; missing ones are downloaded.
        train: Whether to use the 60,000 training examples instead of the 10,000 test examples.
        transform: Function of each example: `transform(data, label)` returns a pair.

    Example:
        >>> from mxnet.gluon.data import vision
        >>> dataset = vision.FashionMNIST(train=False)  # doctest: +SKIP
        >>> image, label = dataset[0]  # doctest: +SKIP
        >>> print(image.shape, len(dataset))  # doctest: +SKIP
        (28, 28, 1) 10000
    """

    _namespace = "fashion-mnist"
    _train_data = _published_files.StoredFile(
        "train-images-idx3-ubyte.gz", "0cf37b0d40ed5169c6b3aba31069a9770ac9043d"
    )
    _train_label = _published_files.StoredFile(
        "train-labels-idx1-ubyte.gz", "236021d52f1e40852b06a4c3008d8de8aef1e40b"
    )
    _test_data = _published_files.StoredFile(
        "t10k-images-idx3-ubyte.gz", "626ed6a7c06dd17c0eec72fa3be1740f146a2863"
    )
    _test_label = _published_files.StoredFile(
        "t10k-labels-idx1-ubyte.gz", "17f9ab60e7257a1620f4ad76bbbaf857c3920701"
    )

    def __init__(
        self, root: Root = f"{_HOME}/fashion-mnist", train: bool = True, transform: Transform = None
    ) -> None:
        super().__init__(root, train, transform)


class CIFAR10(dataset._DownloadedDataset):
    """60,000 photographs in ten classes: images of shape `(32, 32, 3)` and integer labels.

    Args:
        root: Folder of the published archive or of the `.bin` files in it. If neither is there,
            the archive is downloaded, from `MXNET_GLUON_REPO` if that variable is set.
        train: Whether to use the 50,000 training examples instead of the 10,000 test examples.
        transform: Function of each example: `transform(data, label)` returns a pair.

    Example:
        >>> from mxnet.gluon.data import vision
        >>> dataset = vision.CIFAR10(train=True)  # doctest: +SKIP
        >>> image, label = dataset[0]  # doctest: +SKIP
        >>> print(image.shape, len(dataset))  # doctest: +SKIP
        (32, 32, 3) 50000
    """

    _namespace = "cifar10"
    _folder = "cifar-10-batches-bin"
    _archive_file = _published_files.StoredFile(
        "cifar-10-binary.tar.gz", "fab780a1e191a7eda0f345501ccd62d20f7ed891"
    )
    _train_data: Names = tuple(f"data_batch_{number}.bin" for number in range(1, 6))
    _test_data: Names = ("test_batch.bin",)
    _num_labels = 1
    _label_column = 0

    def __init__(
        self, root: Root = f"{_HOME}/cifar10", train: bool = True, transform: Transform = None
    ) -> None:
        self._train = train
        super().__init__(os.fspath(root), transform)

    def _get_data(self) -> None:
        root = Path(self._root)
        files = self._train_data if self._train else self._test_data
        # Subclasses may name a file as programs for MXNet do, with its hash.
        names = tuple(file if isinstance(file, str) else file[0] for file in files)
        contents = _published_files.read_unpacked((root, root / self._folder), names)
        if contents is None:
            (archive,) = _published_files.locate(
                type(self).__name__, root, self._namespace, (self._archive_file,)
            )
            contents = dict(_published_files.read_archived(archive, names))
        length = self._num_labels + 3 * 32 * 32
        rows = np.concatenate(
            [_published_files.read_records(path, item, length) for path, item in contents.items()]
        )
        self._data = dialect_of_program().array_functions.array(self._images(rows), dtype=np.uint8)
        self._label = _as_labels(rows[:, self._label_column])

    def _images(self, rows: _published_files.Bytes) -> _published_files.Bytes:
        """Returns the pixels, which are stored a channel at a time after the labels."""
        planes: _published_files.Bytes = rows[:, self._num_labels :].reshape(-1, 3, 32, 32)
        return np.moveaxis(planes, 1, -1)


class CIFAR100(CIFAR10):
    """60,000 photographs in a hundred classes, which form twenty groups.

    Args:
        root: Folder of the published archive, downloaded if missing, or of its `.bin` files.
        fine_label: Whether labels are the hundred classes instead of the twenty groups.
        train: Whether to use the 50,000 training examples instead of the 10,000 test examples.
        transform: Function of each example: `transform(data, label)` returns a pair.

    Example:
        >>> from mxnet.gluon.data import vision
        >>> dataset = vision.CIFAR100(fine_label=True, train=False)  # doctest: +SKIP
        >>> image, label = dataset[0]  # doctest: +SKIP
        >>> print(image.shape, len(dataset))  # doctest: +SKIP
        (32, 32, 3) 10000
    """

    _namespace = "cifar100"
    _folder = "cifar-100-binary"
    _archive_file = _published_files.StoredFile(
        "cifar-100-binary.tar.gz", "a0bb982c76b83111308126cc779a992fa506b90b"
    )
    _train_data: Names = ("train.bin",)
    _test_data: Names = ("test.bin",)
    _num_labels = 2

    def __init__(
        self,
        root: Root = f"{_HOME}/cifar100",
        fine_label: bool = False,
        train: bool = True,
        transform: Transform = None,
    ) -> None:
        self._label_column = 1 if fine_label else 0
        super().__init__(root, train, transform)


class ImageRecordDataset(dataset.RecordFileDataset):
    """The images and labels in a record file that has an index.

    Args:
        filename: The `.rec` file; the `.idx` file must be beside it.
        flag: 1 for images in colour, 0 for grey ones.
        transform: Function of each example: `transform(image, label)` returns a pair.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import mxnet as mx
        >>> import numpy as np
        >>> from mxnet.gluon.data import vision
        >>> with TemporaryDirectory() as root:
        ...     names = f"{root}/a.idx", f"{root}/a.rec"
        ...     with mx.recordio.MXIndexedRecordIO(*names, "w") as record:
        ...         header, image = mx.recordio.IRHeader(0, 3, 0, 0), np.zeros((4, 6, 3), "uint8")
        ...         record.write_idx(0, mx.recordio.pack_img(header, image))
        ...     image, label = vision.ImageRecordDataset(names[1])[0]
        >>> image.shape, label
        ((4, 6, 3), 3.0)
    """

    def __init__(self, filename: str, flag: int = 1, transform: Transform = None) -> None:
        super().__init__(filename)
        opencv.preload()
        self._flag = flag
        self._transform = transform

    def __getitem__(self, idx: int) -> Any:
        record = super().__getitem__(idx)
        if record is None:
            raise errors.FileFormatError(
                f"{self.filename}: sample {idx} would begin where the file ends; "
                f"{self.idx_file} does not belong to it"
            )
        try:
            header, content = recordio.unpack(record)
            picture = image.imdecode(content, self._flag)
        except (errors.FileFormatError, errors.LimitExceededError) as error:
            raise type(error)(f"{self.filename}: sample {idx}: {error}") from error
        if self._transform is not None:
            return self._transform(picture, header.label)
        return picture, header.label


class ImageFolderDataset(dataset.Dataset):
    """Images in folders, one folder for each class: `root/car/0001.jpg`, `root/cat/fluffy.png`.

    Args:
        root: The folder above those of the classes.
        flag: 1 for images in colour, 0 for grey ones.
        transform: Function of each example: `transform(image, label)` returns a pair.

    Attributes:
        synsets: Names of the classes; labels are positions in this list.
        items: Path and label of each image.

    Example:
        >>> import os
        >>> from tempfile import TemporaryDirectory
        >>> import cv2
        >>> import numpy as np
        >>> from mxnet.gluon.data import vision
        >>> with TemporaryDirectory() as root:
        ...     for name in ("car", "cat"):
        ...         os.mkdir(f"{root}/{name}")
        ...         _ = cv2.imwrite(f"{root}/{name}/0.png", np.zeros((4, 6, 3), "uint8"))
        ...     dataset = vision.ImageFolderDataset(root)
        ...     image, label = dataset[1]
        >>> dataset.synsets, image.shape, label
        (['car', 'cat'], (4, 6, 3), 1)
    """

    def __init__(self, root: Root, flag: int = 1, transform: Transform = None) -> None:
        self._root = os.path.expanduser(root)
        self._flag = flag
        self._transform = transform
        self._exts = [".jpg", ".jpeg", ".png"]
        self._list_images(self._root)
        opencv.preload()

    def _list_images(self, root: str) -> None:
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        for name in sorted(os.listdir(root)):
            folder = os.path.join(root, name)
            if not os.path.isdir(folder):
                warnings.warn(
                    f"ImageFolderDataset: {folder} is left out, as it is no folder",
                    stacklevel=level_of_program(),
                )
                continue
            label = len(self.synsets)
            self.synsets.append(name)
            self.items += [(path, label) for path in self._images_in(folder)]

    def _images_in(self, folder: str) -> list[str]:
        paths = []
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.splitext(name)[1].lower() in self._exts:
                paths.append(path)
            else:
                warnings.warn(
                    f"ImageFolderDataset: {path} is left out; images end in "
                    f"{', '.join(self._exts)}",
                    stacklevel=level_of_program(),
                )
        return paths

    def __getitem__(self, idx: int) -> Any:
        path, label = self.items[idx]
        picture = image.imread(path, self._flag)
        if self._transform is not None:
            return self._transform(picture, label)
        return picture, label

    def __len__(self) -> int:
        return len(self.items)


class ImageListDataset(dataset.Dataset):
    """Images named in a list, with their labels.

    Args:
        root: The folder that the paths in the list start from.
        imglist: A `.lst` file in that folder, whose lines are an index, labels and a path between
            tabs; or a sequence of such rows without the index: `[label, path]`,
            `[label, label, path]` or `[[label, label], path]`.
        flag: 1 for images in colour, 0 for grey ones.

    Attributes:
        items: Path and label of each image: a number, or an array if there are several.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import cv2
        >>> import numpy as np
        >>> from mxnet.gluon.data import vision
        >>> with TemporaryDirectory() as root:
        ...     _ = cv2.imwrite(f"{root}/0.png", np.zeros((4, 6, 3), "uint8"))
        ...     dataset = vision.ImageListDataset(root, [[3, "0.png"]])
        ...     image, label = dataset[0]
        >>> image.shape, label
        ((4, 6, 3), 3)
    """

    def __init__(
        self, root: Root = ".", imglist: Root | Sequence[Any] | None = None, flag: int = 1
    ) -> None:
        self._root = os.path.expanduser(root)
        self._flag = flag
        self._list = "imglist"
        if isinstance(imglist, (str, os.PathLike)):
            self._list = os.fspath(imglist)
            rows = _read_list(Path(self._root) / imglist)
        elif isinstance(imglist, Sequence):
            rows = [(*row[:-1], row[-1]) for row in imglist]
        else:
            raise errors.UnsupportedTypeError(
                "ImageListDataset: imglist takes the name of a .lst file or a list of rows, "
                f"got {type(imglist).__name__}"
            )
        self.items = [(os.path.join(self._root, row[-1]), _label_of(row)) for row in rows]
        opencv.preload()

    def __getitem__(self, idx: int) -> tuple[nd.NDArray, Any]:
        path, label = self.items[idx]
        try:
            return image.imread(path, self._flag), label
        except errors.FileAccessError as error:
            kind, errno = type(error), error.errno
            where = f"ImageListDataset: {self._list!r}: item {idx}"
            if errno is None:  # the message says it all
                raise kind(f"{where}: {error}") from error
            raise kind(errno, f"{where}: {error.strerror}", path) from error

    def __len__(self) -> int:
        return len(self.items)


def _read_list(path: Path) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for number, line in image_lists.read_lines(path):
        fields = line.strip().split("\t")
        if fields == [""]:
            continue
        try:
            rows.append((*map(float, fields[1:-1]), fields[-1]))
        except ValueError as error:
            raise errors.FileFormatError(f"{path}: line {number}: {error!s:.100}") from error
        if len(fields) < 3:
            raise errors.FileFormatError(
                f"{path}: line {number}: expected an index, labels and a path between tabs, "
                f"got {line[:60]!r}"
            )
    return rows


def _label_of(row: Sequence[Any]) -> Any:
    """Returns the label of a row: a single one unchanged, several as an array."""
    if len(row) < 2:
        raise errors.MXNetError(f"ImageListDataset: expected labels and a path, got {row!r}")
    labels = row[0] if len(row) == 2 else row[:-1]
    return np.asarray(labels, np.float32) if isinstance(labels, (list, tuple)) else labels
