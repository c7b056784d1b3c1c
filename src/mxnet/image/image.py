"""Reading, scaling, cropping and augmenting of images, and the iterator for classification."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet import ndarray as nd
from mxnet import recordio
from mxnet._formats.files import access_error, read_foreign
from mxnet._frontend.dialect import functions_for, in_scope_of_program
from mxnet._start import publish_classes, tracebacks
from mxnet.errors import (
    FileFormatError,
    InvalidArgumentError,
    LimitExceededError,
    MissingFileError,
    MXNetError,
    ShapeMismatchError,
)
from mxnet.image._augmenters import IMAGENET_MEAN, IMAGENET_STD, color_augmenters, statistics
from mxnet.image._augmenters import Augmenter as Augmenter
from mxnet.image._augmenters import BrightnessJitterAug as BrightnessJitterAug
from mxnet.image._augmenters import CastAug as CastAug
from mxnet.image._augmenters import CenterCropAug as CenterCropAug
from mxnet.image._augmenters import ColorJitterAug as ColorJitterAug
from mxnet.image._augmenters import ColorNormalizeAug as ColorNormalizeAug
from mxnet.image._augmenters import ContrastJitterAug as ContrastJitterAug
from mxnet.image._augmenters import ForceResizeAug as ForceResizeAug
from mxnet.image._augmenters import HorizontalFlipAug as HorizontalFlipAug
from mxnet.image._augmenters import HueJitterAug as HueJitterAug
from mxnet.image._augmenters import LightingAug as LightingAug
from mxnet.image._augmenters import RandomCropAug as RandomCropAug
from mxnet.image._augmenters import RandomGrayAug as RandomGrayAug
from mxnet.image._augmenters import RandomOrderAug as RandomOrderAug
from mxnet.image._augmenters import RandomSizedCropAug as RandomSizedCropAug
from mxnet.image._augmenters import ResizeAug as ResizeAug
from mxnet.image._augmenters import SaturationJitterAug as SaturationJitterAug
from mxnet.image._augmenters import SequentialAug as SequentialAug
from mxnet.image._codec import (
    LABEL_DTYPES,
    ImageList,
    Key,
    make_image_list,
    part_of,
    read_image_list,
)
from mxnet.image._codec import imdecode as imdecode
from mxnet.image._codec import imread as imread
from mxnet.image._geometry import _get_interp_method as _get_interp_method
from mxnet.image._geometry import center_crop as center_crop
from mxnet.image._geometry import color_normalize as color_normalize
from mxnet.image._geometry import copyMakeBorder as copyMakeBorder
from mxnet.image._geometry import fixed_crop as fixed_crop
from mxnet.image._geometry import imresize as imresize
from mxnet.image._geometry import imrotate as imrotate
from mxnet.image._geometry import random_crop as random_crop
from mxnet.image._geometry import random_rotate as random_rotate
from mxnet.image._geometry import random_size_crop as random_size_crop
from mxnet.image._geometry import resize_short as resize_short
from mxnet.image._geometry import scale_down as scale_down
from mxnet.io import DataBatch, DataIter
from mxnet.ndarray import NDArray
from mxnet.ops.image.resize import CUBIC


class InvalidSampleError(MXNetError):
    """A sample is of no use, because of its image or its label; iterators pass over it."""


LEAST_AREA = 0.08
RATIOS = (3.0 / 4.0, 4.0 / 3.0)


def CreateAugmenter(  # noqa: N802 - the name is the original's
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = CUBIC,
) -> list[Augmenter]:
    """Makes the usual list of augmenters for classification.

    Args:
        data_shape: Channels, height and width of the result.
        resize: Size of the shorter edge to scale to first; 0 for none.
        rand_crop: Whether to cut at a random place, and not in the middle.
        rand_resize: Whether to cut a rectangle of random size and shape; goes with `rand_crop`.
        rand_mirror: Whether to mirror sideways half of the time.
        mean: Mean by channel to subtract; True for that of ImageNet.
        std: Deviation by channel to divide by; True for that of ImageNet.
        brightness: Largest random change of brightness.
        contrast: Largest random change of contrast.
        saturation: Largest random change of saturation.
        hue: Largest random turn of the hue.
        pca_noise: Deviation of random changes along the principal axes of colour.
        rand_gray: Probability to take the colours out.
        inter_method: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> for augmenter in mx.image.CreateAugmenter((3, 24, 32), resize=40):
        ...     print(augmenter.dumps())
        ["resizeaug", {"size": 40, "interp": 2}]
        ["centercropaug", {"size": [32, 24], "interp": 2}]
        ["castaug", {"type": "float32"}]
    """
    augmenters: list[Augmenter] = []
    if resize > 0:
        augmenters.append(ResizeAug(resize, inter_method))
    size = (data_shape[2], data_shape[1])
    if rand_resize and not rand_crop:
        raise InvalidArgumentError("CreateAugmenter: `rand_resize` goes with `rand_crop`")
    if rand_resize:
        augmenters.append(RandomSizedCropAug(size, LEAST_AREA, RATIOS, inter_method))
    else:
        crop = RandomCropAug if rand_crop else CenterCropAug
        augmenters.append(crop(size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += color_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    mean = statistics("CreateAugmenter", "mean", mean, nd.array(IMAGENET_MEAN))
    std = statistics("CreateAugmenter", "std", std, nd.array(IMAGENET_STD))
    if mean is not None or std is not None:
        augmenters.append(ColorNormalizeAug(mean, std))
    return augmenters


Buffer = npt.NDArray[np.float32]
HANDLES = ("pad", "discard", "roll_over")


class ImageIter(DataIter):
    """Reads images from a record file, a list file or a list, augments and batches them.

    The batches are of shape `(batch_size, channels, height, width)` and of float32.

    Args:
        batch_size: Number of images in a batch.
        data_shape: Channels, height and width of an image after augmentation.
        label_width: Number of labels of an image.
        path_imgrec: Record file, as `im2rec` makes it.
        path_imglist: List file: lines of a number, labels and a file, separated by tabs.
        path_root: Folder in which the files of a list are.
        path_imgidx: Index of the record file; shuffling and parts take one.
        shuffle: Whether to shuffle before every epoch, by Python's `random`.
        part_index: Which part of the images to take.
        num_parts: Number of equal parts.
        aug_list: Augmenters; None for those of `CreateAugmenter`.
        imglist: List of `[label, ..., file]`.
        data_name: Name of the images.
        label_name: Name of the labels.
        dtype: Element type in which labels of lists are kept.
        last_batch_handle: What happens to images that do not fill a batch: `pad` fills it from the
            start, `discard` drops them, `roll_over` keeps them for the next epoch.
        **kwargs: Options of `CreateAugmenter`.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import cv2
        >>> import mxnet as mx
        >>> import numpy as np
        >>> with TemporaryDirectory() as root:
        ...     _ = cv2.imwrite(f"{root}/0.png", np.zeros((40, 60, 3), "uint8"))
        ...     rows = [[3, "0.png"], [5, "0.png"]]
        ...     batches = mx.image.ImageIter(2, (3, 32, 32), imglist=rows, path_root=root)
        ...     batch = next(batches)
        >>> batch.data[0].shape, batch.label[0].asnumpy().tolist()
        ((2, 3, 32, 32), [3.0, 5.0])
    """

    imgidx: list[Key] | None = None

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        label_width: int = 1,
        path_imgrec: str | os.PathLike[str] | None = None,
        path_imglist: str | os.PathLike[str] | None = None,
        path_root: str | os.PathLike[str] | None = None,
        path_imgidx: str | os.PathLike[str] | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: list[Any] | None = None,
        imglist: list[Sequence[Any]] | None = None,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: Any = "float32",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self._check_options(path_imgrec, path_imglist, imglist, dtype, last_batch_handle)
        self.batch_size = batch_size
        self.imgrec = self._open_records(path_imgrec, path_imgidx)
        self._path_imglist = os.fspath(path_imglist) if path_imglist else None
        self.imglist = self._list_images(path_imglist, imglist, dtype)
        self.path_root = path_root
        self.check_data_shape(data_shape)
        self.data_shape = tuple(data_shape)
        self.label_width = label_width
        self.provide_data = [(data_name, (batch_size, *self.data_shape))]
        width = (label_width,) if label_width > 1 else ()
        self.provide_label: list[tuple[str, tuple[int, ...]]] = [(label_name, (batch_size, *width))]
        self.shuffle = shuffle
        self.seq = self._order(part_index, num_parts)
        self.auglist: list[Any] = (
            CreateAugmenter(self.data_shape, **kwargs) if aug_list is None else aug_list
        )
        self.cur = 0
        self._allow_read = True
        self.last_batch_handle = last_batch_handle
        self.num_image = None if self.seq is None else len(self.seq)
        self._cache_data: Buffer | None = None
        self._cache_label: Buffer | None = None
        self._cache_idx = 0
        self.reset()

    @staticmethod
    def _check_options(
        path_imgrec: Any, path_imglist: Any, imglist: Any, dtype: Any, handle: str
    ) -> None:
        if not (path_imgrec or path_imglist or isinstance(imglist, list)):
            raise InvalidArgumentError(
                "ImageIter: takes path_imgrec, path_imglist or imglist, a list"
            )
        if np.dtype(dtype).name not in LABEL_DTYPES:
            raise InvalidArgumentError(
                f"ImageIter: `dtype` takes {', '.join(LABEL_DTYPES)}, got {dtype}"
            )
        if handle not in HANDLES:
            raise InvalidArgumentError(
                f"ImageIter: `last_batch_handle` takes {', '.join(HANDLES)}, got {handle!r}"
            )

    def _open_records(
        self, path: str | os.PathLike[str] | None, index: str | os.PathLike[str] | None
    ) -> recordio.MXRecordIO | None:
        if not path:
            return None
        if not index:
            return recordio.MXRecordIO(path, "r")
        records = recordio.MXIndexedRecordIO(index, path, "r")
        self.imgidx = list(records.keys)
        return records

    @staticmethod
    def _list_images(path: Any, images: Any, dtype: Any) -> ImageList | None:
        if path:
            return read_image_list(path, dtype)
        return make_image_list(images, dtype) if isinstance(images, list) else None

    def _order(self, part_index: int, num_parts: int) -> list[Key] | None:
        """Returns the keys of the images in order; None for records read one after the other."""
        keys = list(self.imglist or ()) if self.imgrec is None else self.imgidx
        if keys is None and (self.shuffle or num_parts > 1):
            raise InvalidArgumentError(
                "ImageIter: shuffling and parts of a record file take path_imgidx"
            )
        return part_of(keys, part_index, num_parts) if keys and num_parts > 1 else keys

    def reset(self) -> None:
        """Goes back to the first batch; images that rolled over stay in store."""
        if self.seq is not None and self.shuffle:
            random.shuffle(self.seq)
        if self.last_batch_handle != "roll_over" or self._cache_data is None:
            self._rewind()
        self._allow_read = True

    def hard_reset(self) -> None:
        """Goes back to the first batch and drops images that rolled over."""
        self._cache_data = self._cache_label = None
        self._cache_idx = 0
        ImageIter.reset(self)

    def _rewind(self) -> None:
        if self.imgrec is not None:
            self.imgrec.reset()
        self.cur = 0

    def next_sample(self) -> tuple[Any, bytes]:
        """Returns label and content of the file of the next image.

        Raises:
            StopIteration: after the last image.
        """
        if not self._allow_read:
            raise StopIteration
        if self.seq is None:
            return self._next_record()
        if self.cur >= len(self.seq):
            if self.last_batch_handle != "discard":
                self.cur = 0
            raise StopIteration
        key = self.seq[self.cur]
        self.cur += 1
        if self.imgrec is None:
            label, name = (self.imglist or {})[key]
            return label, self.read_image(name)
        record = self.imgrec.read_idx(key)  # type: ignore[attr-defined]  # keys come from an index
        if record is None:
            raise FileFormatError(f"{self.imgrec.uri}: there is no record {key}")
        header, image = recordio.unpack(record)
        return (header.label if self.imglist is None else self.imglist[key][0]), image

    def _next_record(self) -> tuple[Any, bytes]:
        if self.imgrec is None:
            raise StopIteration
        record = self.imgrec.read()
        if record is None:
            if self.last_batch_handle != "discard":
                self._rewind()
            raise StopIteration
        header, image = recordio.unpack(record)
        self.cur += 1
        return header.label, image

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.
        """
        kept = self._cache_data is not None
        if self._cache_data is not None and self._cache_label is not None:
            data, label, count = self._cache_data, self._cache_label, self._cache_idx
        else:
            data = np.zeros((self.batch_size, *self.data_shape), np.float32)
            label = self._empty_label()
            count = self._batchify(data, label)
        pad = self.batch_size - count
        if pad:
            if self.last_batch_handle == "discard":
                raise StopIteration
            if self.last_batch_handle == "roll_over" and not kept:
                self._cache_data, self._cache_label, self._cache_idx = data, label, count
                raise StopIteration
            self._fill(data, label, count)
            if self.last_batch_handle == "pad":
                self._allow_read = False
            self._cache_data = self._cache_label = None
            self._cache_idx = 0
        pictures, labels = (in_scope_of_program(nd.from_numpy(item)) for item in (data, label))
        return DataBatch([pictures], [labels], pad=pad)

    def _empty_label(self) -> Buffer:
        """Returns memory for the labels of a batch."""
        return np.zeros(self.provide_label[0][1], np.float32)

    def _fill(self, data: Buffer, label: Buffer, start: int) -> None:
        """Fills a batch from the start of the images, as often as it takes."""
        while start < self.batch_size:
            start = self._batchify(data, label, start)

    def _batchify(self, batch_data: Buffer, batch_label: Buffer, start: int = 0) -> int:
        """Reads images into a batch and gives how far it is filled.

        Raises:
            StopIteration: if there is no image left to begin with.
        """
        count = start
        while count < self.batch_size:
            try:
                label, content = self.next_sample()
            except StopIteration:
                if count == 0:
                    raise
                break
            try:
                data, label = self._prepare_located(self.imdecode(content), label)
            except InvalidSampleError as error:
                logging.debug("ImageIter passes over an image: %s", error)
                continue
            self._put(batch_data, batch_label, count, self.postprocess_data(data), label)
            count += 1
        return count

    def _prepare_located(self, data: NDArray, label: Any) -> tuple[NDArray, Any]:
        """Checks and augments a decoded image; an error about its size names it."""
        try:
            return self._prepare(data, label)
        except LimitExceededError as error:
            raise LimitExceededError(f"{self._locate()}: {error}") from error

    def _prepare(self, data: NDArray, label: Any) -> tuple[NDArray, Any]:
        """Checks and augments a decoded image."""
        self.check_valid_image(data)
        return self.augmentation_transform(data), label

    def _put(
        self, batch_data: Buffer, batch_label: Buffer, position: int, data: NDArray, label: Any
    ) -> None:
        if data.shape != batch_data.shape[1:]:
            raise ShapeMismatchError(
                f"{type(self).__name__}: expected augmented images of shape "
                f"{batch_data.shape[1:]}, got {data.shape}"
            )
        batch_data[position] = data.asnumpy()
        values = label.asnumpy() if isinstance(label, NDArray) else np.asarray(label, np.float32)
        room = batch_label[position]
        if values.size != room.size:
            raise ShapeMismatchError(
                f"{type(self).__name__}: expected {room.size} labels for an image, "
                f"got {values.size}"
            )
        batch_label[position] = values.reshape(room.shape)

    def check_data_shape(self, data_shape: Sequence[int]) -> None:
        """Checks that a shape is one of colour images, channels first."""
        if len(data_shape) != 3:
            raise ShapeMismatchError(
                f"data_shape: expected channels, height and width, got {tuple(data_shape)}"
            )
        if data_shape[0] != 3:
            raise ShapeMismatchError(f"data_shape: expected 3 channels, got {data_shape[0]}")

    def check_valid_image(self, data: NDArray | list[NDArray]) -> None:
        """Checks that an image has pixels."""
        if len(data[0].shape) == 0:
            raise InvalidSampleError("the image has no pixels")

    def imdecode(self, s: bytes) -> NDArray:
        """Decodes the content of an image file.

        Raises:
            FileFormatError: if it is no image; names the file or the record.
        """
        try:
            return imdecode(s)
        except (FileFormatError, LimitExceededError) as error:
            raise type(error)(f"{self._locate()}: {error}") from error

    def _locate(self) -> str:
        """Names the image that was read last."""
        if self.cur == 0:
            return "an image"
        if self.seq is None:
            return f"record {self.cur - 1}"
        key = self.seq[self.cur - 1]
        return f"record {key}" if self.imglist is None else self.imglist[key][1]

    def read_image(self, fname: str) -> bytes:
        """Reads a file of the list.

        Raises:
            MissingFileError: if there is no such file.
            FileAccessError: if it cannot be read.
        """
        path = Path(self.path_root or "") / fname
        try:
            return read_foreign(path)
        except FileNotFoundError as error:
            raise MissingFileError(f"{self._listing()}: there is no file {str(path)!r}") from error
        except OSError as error:
            raise access_error(self._listing(), path, error) from error

    def _listing(self) -> str:
        """Names the list of the image that is read, and the number that it has there."""
        if self._path_imglist is None or not self.seq or self.cur == 0:
            return type(self).__name__
        return f"{type(self).__name__}: {self._path_imglist!r}: image {self.seq[self.cur - 1]}"

    def augmentation_transform(self, data: NDArray) -> NDArray:
        """Applies the augmenters to an image."""
        for augmenter in self.auglist:
            data = augmenter(data)
        return data

    def postprocess_data(self, datum: NDArray) -> NDArray:
        """Puts the channels first."""
        turned: NDArray = functions_for(datum).transpose(datum, axes=(2, 0, 1))
        return turned


publish_classes(globals())
tracebacks.public_functions(globals())
