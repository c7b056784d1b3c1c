"""Augmenters and the iterator for detection."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet._formats.opencv import cv2, need_opencv
from mxnet._start import publish_classes, tracebacks
from mxnet.errors import ArgumentTypeError, InvalidArgumentError, ShapeMismatchError
from mxnet.image._augmenters import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    Augmenter,
    CastAug,
    ColorNormalizeAug,
    ForceResizeAug,
    ResizeAug,
    color_augmenters,
    statistics,
)
from mxnet.image._det_augmenters import DetAugmenter as DetAugmenter
from mxnet.image._det_augmenters import DetBorrowAug as DetBorrowAug
from mxnet.image._det_augmenters import DetHorizontalFlipAug as DetHorizontalFlipAug
from mxnet.image._det_augmenters import DetRandomCropAug as DetRandomCropAug
from mxnet.image._det_augmenters import DetRandomPadAug as DetRandomPadAug
from mxnet.image._det_augmenters import DetRandomSelectAug as DetRandomSelectAug
from mxnet.image._det_augmenters import Label
from mxnet.image._geometry import Range
from mxnet.image.image import Buffer, ImageIter, InvalidSampleError
from mxnet.ndarray import NDArray
from mxnet.ops.image.resize import CUBIC

BOX_WIDTH = 5
"""Class, left, top, right and bottom edge."""
LEAST_LABEL = 7


def CreateMultiRandCropAugmenter(  # noqa: N802 - the name is the original's
    min_object_covered: float | Sequence[float] = 0.1,
    aspect_ratio_range: Range | Sequence[Range] = (0.75, 1.33),
    area_range: Range | Sequence[Range] = (0.05, 1.0),
    min_eject_coverage: float | Sequence[float] = 0.3,
    max_attempts: int | Sequence[int] = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """Makes an augmenter that applies one of several random crops.

    Every option may be a list with one value for each crop.

    Args:
        min_object_covered: See `DetRandomCropAug`.
        aspect_ratio_range: See `DetRandomCropAug`.
        area_range: See `DetRandomCropAug`.
        min_eject_coverage: See `DetRandomCropAug`.
        max_attempts: See `DetRandomCropAug`.
        skip_prob: Probability to apply none.

    Example:
        >>> import mxnet as mx
        >>> crop = mx.image.CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5, 0.9])
        >>> len(crop.aug_list)
        3
    """
    options = (min_object_covered, aspect_ratio_range, area_range, min_eject_coverage, max_attempts)
    lists = [list(option) if isinstance(option, list) else [option] for option in options]
    count = max(map(len, lists))
    if any(len(values) not in (1, count) for values in lists):
        raise InvalidArgumentError(
            "CreateMultiRandCropAugmenter: lists of options must be equally long, got "
            f"{[len(values) for values in lists]}"
        )
    rows: Iterable[tuple[Any, ...]] = zip(
        *[values * count if len(values) == 1 else values for values in lists], strict=True
    )
    return DetRandomSelectAug([DetRandomCropAug(*row) for row in rows], skip_prob)


def CreateDetAugmenter(  # noqa: N802 - the name is the original's
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = CUBIC,
    min_object_covered: float | Sequence[float] = 0.1,
    aspect_ratio_range: Range = (0.75, 1.33),
    area_range: Range = (0.05, 3.0),
    min_eject_coverage: float | Sequence[float] = 0.3,
    max_attempts: int = 50,
    pad_val: float | Sequence[float] = (127, 127, 127),
) -> list[DetAugmenter]:
    """Makes the usual list of augmenters for detection.

    Args:
        data_shape: Channels, height and width of the result.
        resize: Size of the shorter edge to scale to first; 0 for none.
        rand_crop: Probability of a random crop.
        rand_pad: Probability of random padding.
        rand_gray: Probability to take the colours out.
        rand_mirror: Whether to mirror sideways half of the time.
        mean: Mean by channel to subtract; True for that of ImageNet.
        std: Deviation by channel to divide by; True for that of ImageNet.
        brightness: Largest random change of brightness.
        contrast: Largest random change of contrast.
        saturation: Largest random change of saturation.
        pca_noise: Deviation of random changes along the principal axes of colour.
        hue: Largest random turn of the hue.
        inter_method: Interpolation, see `imresize`.
        min_object_covered: Least visible part of each object that a crop touches.
        aspect_ratio_range: Least and largest ratio of width to height of crops and padding.
        area_range: Least area of a crop and largest area of padding, in areas of the image.
        min_eject_coverage: Objects of which less than this is left are dropped.
        max_attempts: How often to try a crop or padding.
        pad_val: Colour of padding, by channel.

    Example:
        >>> import mxnet as mx
        >>> augmenters = mx.image.CreateDetAugmenter((3, 32, 32), rand_mirror=True, mean=True)
        >>> image, label = mx.nd.zeros((40, 60, 3)), mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]])
        >>> label = label.asnumpy()
        >>> for augment in augmenters:
        ...     image, label = augment(image, label)
        >>> image.shape, label.shape
        ((32, 32, 3), (1, 5))
    """
    augmenters: list[DetAugmenter] = []
    if resize > 0:
        augmenters.append(DetBorrowAug(ResizeAug(resize, inter_method)))
    if rand_crop > 0:
        augmenters.append(
            CreateMultiRandCropAugmenter(
                min_object_covered,
                aspect_ratio_range,
                area_range,
                min_eject_coverage,
                max_attempts,
                skip_prob=1 - rand_crop,
            )
        )
    if rand_mirror:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        pad = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        augmenters.append(DetRandomSelectAug([pad], 1 - rand_pad))
    borrowed: list[Augmenter] = [
        ForceResizeAug((data_shape[2], data_shape[1]), inter_method),
        CastAug(),
        *color_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray),
    ]
    mean = statistics("CreateDetAugmenter", "mean", mean, np.array(IMAGENET_MEAN))
    std = statistics("CreateDetAugmenter", "std", std, np.array(IMAGENET_STD))
    if mean is not None or std is not None:
        borrowed.append(ColorNormalizeAug(mean, std))
    return augmenters + [DetBorrowAug(augmenter) for augmenter in borrowed]


class ImageDetIter(ImageIter):
    """Reads images with boxes of objects, augments and batches them.

    The label of an image in its file is flat: the width of this header, at least 2, the number of
    values of an object, at least 5, the rest of the header, and the objects. A batch has labels of
    shape `(batch_size, objects, values)`; objects that an image does not have are -1.

    Args:
        batch_size: Number of images in a batch.
        data_shape: Channels, height and width of an image after augmentation.
        path_imgrec: Record file, as `im2rec` makes it.
        path_imglist: List file: lines of a number, the label and a file, separated by tabs.
        path_root: Folder in which the files of a list are.
        path_imgidx: Index of the record file; shuffling and parts take one.
        shuffle: Whether to shuffle before every epoch, by Python's `random`.
        part_index: Which part of the images to take.
        num_parts: Number of equal parts.
        aug_list: Augmenters; None for those of `CreateDetAugmenter`.
        imglist: List of `[label, ..., file]`.
        data_name: Name of the images.
        label_name: Name of the labels.
        last_batch_handle: What happens to images that do not fill a batch, see `ImageIter`.
        **kwargs: Options of `CreateDetAugmenter`.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import cv2
        >>> import mxnet as mx
        >>> import numpy as np
        >>> with TemporaryDirectory() as root:
        ...     _ = cv2.imwrite(f"{root}/0.png", np.zeros((40, 60, 3), "uint8"))
        ...     rows = [[2, 5, 0, 0.1, 0.2, 0.4, 0.6, "0.png"]]
        ...     batches = mx.image.ImageDetIter(1, (3, 32, 32), imglist=rows, path_root=root)
        ...     batch = next(batches)
        >>> batch.data[0].shape, batch.label[0].shape
        ((1, 3, 32, 32), (1, 1, 5))
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
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
        label_name: str = "label",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            batch_size=batch_size,
            data_shape=data_shape,
            path_imgrec=path_imgrec,
            path_imglist=path_imglist,
            path_root=path_root,
            path_imgidx=path_imgidx,
            shuffle=shuffle,
            part_index=part_index,
            num_parts=num_parts,
            aug_list=CreateDetAugmenter(data_shape, **kwargs) if aug_list is None else aug_list,
            imglist=imglist,
            data_name=data_name,
            label_name=label_name,
            last_batch_handle=last_batch_handle,
        )
        self.label_shape = self._estimate_label_shape()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    def _estimate_label_shape(self) -> tuple[int, int]:
        """Reads all labels; gives the largest number of objects and the values of each."""
        count, width = 0, 0
        self.reset()
        while True:
            try:
                label = self._parse_label(self.next_sample()[0])
            except StopIteration:
                break
            except InvalidSampleError as error:
                raise InvalidSampleError(f"{self._locate()}: {error}") from error
            count, width = max(count, label.shape[0]), label.shape[1]
        self.reset()
        return count, width

    def _parse_label(self, label: Any) -> Label:
        """Returns the objects of a flat label that have an area.

        Raises:
            InvalidSampleError: if the label is not as it should be, or no object has an area.
        """
        raw = label.asnumpy() if isinstance(label, NDArray) else np.asarray(label)
        raw = raw.ravel()
        if raw.size < LEAST_LABEL:
            raise InvalidSampleError(
                f"label: expected a header and objects, at least 7 values, got {raw.size}"
            )
        header, width = int(raw[0]), int(raw[1])
        if width < BOX_WIDTH or header < 0 or (raw.size - header) % width:
            raise InvalidSampleError(
                f"label: expected a header of {header} values and objects of {width}, "
                f"got {raw.size} values in all"
            )
        objects = raw[header:].reshape(-1, width)
        valid = (objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2])
        if not valid.any():
            raise InvalidSampleError("label: no object has an area")
        usable: Label = objects[valid]
        return usable

    def _check_valid_label(self, label: Label) -> None:
        """Checks that an augmented label has an object of some class with an area."""
        if label.ndim != 2 or label.shape[1] < BOX_WIDTH:
            raise InvalidSampleError(f"label: expected rows of 5 or more, got {label.shape}")
        valid = (label[:, 0] >= 0) & (label[:, 3] > label[:, 1]) & (label[:, 4] > label[:, 2])
        if not valid.any():
            raise InvalidSampleError("label: no object of a class has an area")

    def reshape(
        self, data_shape: Sequence[int] | None = None, label_shape: Sequence[int] | None = None
    ) -> None:
        """Changes the shapes of the batches.

        Args:
            data_shape: Channels, height and width; the augmenters stay as they are.
            label_shape: Number of objects, which cannot shrink, and values of each.
        """
        if data_shape is not None:
            self.check_data_shape(data_shape)
            name = self.provide_data[0][0]
            self.data_shape = tuple(data_shape)
            self.provide_data = [(name, (self.batch_size, *self.data_shape))]
        if label_shape is not None:
            self.check_label_shape(label_shape)
            name = self.provide_label[0][0]
            self.label_shape = (label_shape[0], label_shape[1])
            self.provide_label = [(name, (self.batch_size, *self.label_shape))]

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Checks that labels of a shape can hold those of the images."""
        if len(label_shape) != 2:
            raise ShapeMismatchError(
                f"label_shape: expected objects and values of each, got {tuple(label_shape)}"
            )
        count, width = self.label_shape
        if label_shape[0] < count:
            raise ShapeMismatchError(
                f"label_shape: expected room for {count} objects, got {label_shape[0]}"
            )
        if label_shape[1] != width:
            raise ShapeMismatchError(
                f"label_shape: expected {width} values of an object, got {label_shape[1]}"
            )

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Makes the labels of this iterator and another one the same shape.

        Args:
            it: The other iterator, such as that of validation.
            verbose: Whether to log a change.
        """
        if not isinstance(it, ImageDetIter):
            raise ArgumentTypeError(
                f"sync_label_shape: takes an ImageDetIter, got {type(it).__name__}"
            )
        (count, width), (other_count, other_width) = self.label_shape, it.label_shape
        if width != other_width:
            raise InvalidArgumentError(
                f"sync_label_shape: objects have {width} values here and {other_width} there"
            )
        shape = (max(count, other_count), width)
        for iterator in (self, it):
            if iterator.label_shape != shape:
                iterator.reshape(label_shape=shape)
                if verbose:
                    logging.info("labels have the shape %s now", shape)
        return it

    def _empty_label(self) -> Buffer:
        return np.full(self.provide_label[0][1], -1, np.float32)

    def _prepare(self, data: NDArray, label: Any) -> tuple[NDArray, Any]:
        self.check_valid_image(data)
        data, label = self.augmentation_transform(data, self._parse_label(label))
        self._check_valid_label(label)
        return data, label

    def _put(
        self, batch_data: Buffer, batch_label: Buffer, position: int, data: NDArray, label: Any
    ) -> None:
        room, shape = batch_label.shape[1:], np.shape(label)
        if shape[0] > room[0] or shape[1] != room[1]:
            raise ShapeMismatchError(
                f"ImageDetIter: expected a label of at most {room[0]} objects of {room[1]} "
                f"values, got {shape}"
            )
        full = np.full(room, -1, np.float32)
        full[: shape[0]] = label
        super()._put(batch_data, batch_label, position, data, full)

    def augmentation_transform(  # type: ignore[override]  # the original, too, adds the label
        self, data: NDArray, label: Label
    ) -> tuple[NDArray, Label]:
        """Applies the augmenters to an image and its label."""
        for augmenter in self.auglist:
            data, label = augmenter(data, label)
        return data, label

    def draw_next(
        self,
        color: Sequence[float] | None = None,
        thickness: int = 2,
        mean: Any = None,
        std: Any = None,
        clip: bool = True,
        waitKey: int | None = None,
        window_name: str = "draw_next",
        id2labels: Mapping[int, str] | None = None,
    ) -> Iterator[npt.NDArray[np.uint8]]:
        """Draws the boxes into the augmented images, one image after the other.

        Args:
            color: Colour of boxes as red, green, blue; None for a random one of each box.
            thickness: Thickness of lines.
            mean: Mean that the augmenters subtract; True for that of ImageNet.
            std: Deviation by which they divide; True for that of ImageNet.
            clip: Whether to limit colours to 0 to 255.
            waitKey: If given, the images are shown in a window, for so many milliseconds each.
            window_name: Name of the window.
            id2labels: Names of classes, to write at the boxes.

        Yields:
            Images `(height, width, channels)` with channels blue, green and red.
        """
        need_opencv("draw_next")
        while True:
            try:
                label, content = self.next_sample()
            except StopIteration:
                return
            try:
                data, label = self._prepare_located(self.imdecode(content), label)
            except InvalidSampleError as error:
                logging.debug("ImageDetIter passes over an image: %s", error)
                continue
            image = _restore(data.asnumpy(), mean, std, clip)
            _draw_boxes(image, label, color, thickness, id2labels or {})
            if waitKey is not None:
                cv2.imshow(window_name, image)
                cv2.waitKey(waitKey)
            yield image


def _restore(data: npt.NDArray[Any], mean: Any, std: Any, clip: bool) -> npt.NDArray[np.uint8]:
    """Undoes the normalization of an image and gives it to OpenCV's taste."""
    image = data.astype(np.float32)
    for given, default, undo in ((std, IMAGENET_STD, np.multiply), (mean, IMAGENET_MEAN, np.add)):
        if given is not None:
            values = given.asnumpy() if isinstance(given, NDArray) else given
            undo(image, np.asarray(default if given is True else values, np.float32), out=image)
    if clip:
        image = image.clip(0, 255)
    return np.ascontiguousarray(image[:, :, ::-1].astype(np.int64).astype(np.uint8))


def _draw_boxes(
    image: npt.NDArray[np.uint8],
    label: Label,
    color: Sequence[float] | None,
    thickness: int,
    names: Mapping[int, str],
) -> None:
    height, width = image.shape[:2]
    for row in label:
        if row[0] < 0:
            continue
        left, top, right, bottom = (row[1:5] * (width, height, width, height)).astype(int).tolist()
        drawn = [random.random() * 255 for _ in range(3)] if color is None else color
        colour = tuple(drawn)[::-1]
        cv2.rectangle(image, (left, top), (right, bottom), colour, thickness)
        name = names.get(int(row[0]))
        if name is not None:
            place = (left + 5, top + 15)
            cv2.putText(image, name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1)


publish_classes(globals())
tracebacks.public_functions(globals())
