"""Loaders of images and of images with boxes, with the usual changes to both, as in MXNet 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mxnet._frontend.dialect import current_dialect
from mxnet._start import make_module, publish_classes, tracebacks
from mxnet.errors import ArgumentValueError, CheckFailedError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.contrib.data import _boxes
from mxnet.gluon.contrib.data._boxes import ImageBboxCrop as ImageBboxCrop
from mxnet.gluon.contrib.data._boxes import (
    ImageBboxRandomCropWithConstraints as ImageBboxRandomCropWithConstraints,
)
from mxnet.gluon.contrib.data._boxes import (
    ImageBboxRandomFlipLeftRight as ImageBboxRandomFlipLeftRight,
)
from mxnet.gluon.contrib.data._boxes import ImageBboxResize as ImageBboxResize
from mxnet.gluon.data import DataLoader, batchify
from mxnet.gluon.data.vision import ImageListDataset, ImageRecordDataset
from mxnet.gluon.data.vision import transforms as _images
from mxnet.gluon.nn import HybridSequential, Sequential

_MEAN, _DEVIATION = [123.68, 116.28, 103.53], [58.395, 57.12, 57.375]
"""Those of the images of ImageNet."""
_DTYPES = ("int32", "float32", "int64", "float64")
_DRAWN = 10
"""Number of an interpolation that is drawn."""


def _interpolation(inter_method: int) -> int:
    return int(np.random.randint(0, 5)) if inter_method == _DRAWN else inter_method


def _numbers(name: str, value: Any, usual: list[float]) -> Any:
    if value is True:
        return usual
    if value is not None and not isinstance(value, (tuple, list)):
        raise CheckFailedError(f"{name}: expected True or a list of numbers, got {value!r}")
    return value


def _colours(
    brightness: float, contrast: float, saturation: float, hue: float, noise: float, grey: float
) -> list[Block]:
    """Lists what changes colours at random."""
    changes: list[Block] = []
    if brightness or contrast or saturation or hue:
        changes.append(_images.RandomColorJitter(brightness, contrast, saturation, hue))
    if noise > 0:
        changes.append(_images.RandomLighting(noise))
    if grey > 0:
        changes.append(_images.RandomGray(grey))
    return changes


def _as_tensor(mean: Any, std: Any, dtype: str) -> list[Block]:
    """Lists what makes a tensor of an image."""
    mean, std = _numbers("mean", mean, _MEAN), _numbers("std", std, _DEVIATION)
    steps: list[Block] = [_images.ToTensor()]
    if mean is not None or std is not None:
        steps.append(_images.Normalize(0.0 if mean is None else mean, 1.0 if std is None else std))
    return [*steps, _images.Cast(dtype)]


def create_image_augment(
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
    inter_method: int = 2,
    dtype: str = "float32",
) -> Sequential:
    """Makes a block that changes images and makes tensors of one size of them.

    Args:
        data_shape: Channels, height and width of the result.
        resize: Length of the shorter edge before an image is cut; 0 leaves it.
        rand_crop: Whether to cut at a random place, in place of the middle.
        rand_resize: Whether to cut out random sizes and scale them; needs `rand_crop`.
        rand_mirror: Whether to mirror half of the images.
        mean: Mean of each channel that is subtracted, True for that of ImageNet.
        std: Deviation of each channel by which to divide, True for that of ImageNet.
        brightness: Largest share by which brightness changes.
        contrast: Largest share by which contrast changes.
        saturation: Largest share by which saturation changes.
        hue: Largest share by which the hue changes.
        pca_noise: Deviation of noise along the main colours of ImageNet.
        rand_gray: Probability that the result is grey.
        inter_method: Interpolation by OpenCV's number; 10 draws one.
        dtype: Element type of the result.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.data.vision import create_image_augment
        >>> augment = create_image_augment((3, 8, 8), resize=10, rand_crop=True, mean=True)
        >>> augment(mx.nd.ones((30, 20, 3), dtype="uint8")).shape
        (3, 8, 8)
    """
    interpolation = _interpolation(inter_method)
    size = (data_shape[2], data_shape[1])
    if rand_resize and not rand_crop:
        raise CheckFailedError("create_image_augment: rand_resize needs rand_crop")
    augmenter = Sequential()  # of which some blocks draw sizes in Python
    if resize > 0:
        augmenter.add(_images.Resize(resize, interpolation=interpolation))
    if rand_resize:
        augmenter.add(_images.RandomResizedCrop(size, interpolation=interpolation))
    elif rand_crop:
        augmenter.add(_images.RandomCrop(size, interpolation=interpolation))
    else:
        augmenter.add(_images.CenterCrop(size, interpolation=interpolation))
    if rand_mirror:
        augmenter.add(_images.RandomFlipLeftRight(0.5))
    augmenter.add(_images.Cast())
    for change in _colours(brightness, contrast, saturation, hue, pca_noise, rand_gray):
        augmenter.add(change)
    for step in _as_tensor(mean, std, dtype):
        augmenter.add(step)
    return augmenter


class _OnImage(Block):
    """Changes an image and leaves its boxes.

    Args:
        change: What changes the image.
    """

    def __init__(self, change: Block) -> None:
        super().__init__()
        self._change = change

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Changes the image."""
        return self._change(img), bbox


class _Steps(Block):
    """Changes images together with their boxes, step by step.

    Args:
        steps: Blocks of an image and its boxes.
    """

    def __init__(self, steps: Sequence[Block]) -> None:
        super().__init__()
        for step in steps:
            self.register_child(step)

    def forward(self, img: Any, bbox: Any) -> tuple[Any, Any]:
        """Takes all steps."""
        for step in self._children.values():
            img, bbox = step(img, bbox)
        return img, bbox


def create_bbox_augment(
    data_shape: Sequence[int],
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
    inter_method: int = 2,
    max_aspect_ratio: float = 2,
    area_range: tuple[float, float] = (0.3, 3.0),
    max_attempts: int = 50,
    pad_val: Any = (127, 127, 127),
    dtype: str = "float32",
) -> Block:
    """Makes a block that changes images with their boxes; see `create_image_augment`.

    Args:
        data_shape: Channels, height and width of the result.
        rand_crop: Probability that a part that overlaps the boxes enough is cut out.
        rand_pad: Probability that an image is put into a larger one.
        rand_gray: Probability that the result is grey.
        rand_mirror: Whether to mirror half of the images.
        mean: Mean of each channel, True for that of ImageNet.
        std: Deviation of each channel, True for that of ImageNet.
        brightness: Largest share by which brightness changes.
        contrast: Largest share by which contrast changes.
        saturation: Largest share by which saturation changes.
        pca_noise: Deviation of noise along the main colours of ImageNet.
        hue: Largest share by which the hue changes.
        inter_method: Interpolation by OpenCV's number; 10 draws one.
        max_aspect_ratio: Largest ratio of the sides of a part, relative to the image's.
        area_range: Least share of the sides of a part; largest ratio of a larger image.
        max_attempts: How often a part is drawn for each constraint.
        pad_val: Colour of larger images.
        dtype: Element type of the result.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.data.vision.dataloader import create_bbox_augment
        >>> augment = create_bbox_augment((3, 8, 8), rand_mirror=True, rand_pad=1)
        >>> image = mx.nd.ones((30, 20, 3), dtype="uint8")
        >>> tensor, boxes = augment(image, mx.nd.array([[2, 3, 9, 9, 1]]))
        >>> tensor.shape, boxes.shape
        ((3, 8, 8), (1, 5))
    """
    interpolation = _interpolation(inter_method)
    steps: list[Block] = []
    if rand_crop > 0:
        limits = (area_range[0], 1.0, max_aspect_ratio)
        steps.append(ImageBboxRandomCropWithConstraints(rand_crop, *limits, max_trial=max_attempts))
    if rand_mirror > 0:
        steps.append(ImageBboxRandomFlipLeftRight(0.5))
    if rand_pad > 0:
        steps.append(_boxes.ImageBboxRandomExpand(rand_pad, area_range[1], pad_val))
    steps.append(ImageBboxResize(data_shape[2], data_shape[1], interp=interpolation))
    changes = _colours(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    changes += _as_tensor(mean, std, dtype)
    return _Steps([*steps, *map(_OnImage, changes)])


class BboxLabelTransform(Block):
    """Makes rows of boxes of the labels of images in record files.

    Such a label has the length of its header and that of a row in front. A row has the class, then
    left, top, right and bottom edge; here the class comes behind these.

    Args:
        coord_normalized: Whether edges are shares of the sides of the image.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.contrib.data.vision.dataloader import BboxLabelTransform
        >>> label = mx.nd.array([2, 5, 7, 0.1, 0.5, 0.4, 1])
        >>> BboxLabelTransform()(mx.nd.ones((4, 10, 3)), label)[1].asnumpy().round().tolist()
        [[1.0, 2.0, 4.0, 4.0, 7.0]]
    """

    def __init__(self, coord_normalized: bool = True) -> None:
        super().__init__()
        self._coord_normalized = coord_normalized

    def forward(self, img: Any, label: Any) -> tuple[Any, Any]:
        """Makes an array of the boxes."""
        flat = np.array(label if isinstance(label, np.ndarray) else label.asnumpy()).ravel()
        header, width = int(flat[0]), int(flat[1])
        if width < 5 or len(flat) < header + 5 or (len(flat) - header) % width:
            raise ArgumentValueError(
                f"BboxLabelTransform: expected rows of 5 or more numbers behind the header, got "
                f"{len(flat)} numbers, a header of {header} and rows of {width}"
            )
        rows = flat[header:].reshape(-1, width)
        rows = np.concatenate([rows[:, 1:5], rows[:, :1], rows[:, 5:]], axis=1)
        if self._coord_normalized:
            rows[:, :4] *= np.array([img.shape[1], img.shape[0]] * 2)
        return img, current_dialect().array_functions.array(rows)


class ImageDataLoader:
    """Loads batches of images from a record file or a list.

    Args:
        batch_size: Number of images in a batch.
        data_shape: Channels, height and width of an image.
        path_imgrec: Path of a `.rec` file, beside which its `.idx` file is.
        path_imglist: Path of a `.lst` file, in `path_root`.
        path_root: Folder that the paths of a list start from.
        part_index: Which part of the images to load.
        num_parts: Into how many parts they are split.
        aug_list: Block or list of blocks that images go through; made by `create_image_augment` of
            further arguments if not given.
        imglist: List of labels and paths in place of a file.
        dtype: Element type of labels.
        shuffle: Whether to load in a random order; this and the arguments behind it are those of
            `gluon.data.DataLoader`.
        sampler: Yields the indices of images.
        last_batch: What to do with images that fill no batch.
        batch_sampler: Yields the indices of batches.
        batchify_fn: Makes a batch of images.
        num_workers: Number of processes that load.
        pin_memory: Whether batches are in pinned memory.
        pin_device_id: Which GPU they are for.
        prefetch: How many batches to load ahead.
        thread_pool: Whether workers are threads.
        timeout: Seconds after which a worker is given up.
        try_nopython: Accepted for compatibility.
        **kwargs: Arguments of `create_image_augment`.
    """

    _with_boxes = False

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        path_imgrec: str | None = None,
        path_imglist: str | None = None,
        path_root: str = ".",
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: Any = None,
        imglist: list[Any] | None = None,
        dtype: str = "float32",
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Any = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: int = 120,
        try_nopython: bool | None = None,
        **kwargs: Any,
    ) -> None:
        if dtype not in _DTYPES:
            raise CheckFailedError(f"{type(self).__name__}: dtype takes {_DTYPES}, got {dtype!r}")
        dataset = self._open(path_imgrec, path_imglist, path_root, imglist)
        if num_parts > 1:
            dataset = dataset.shard(num_parts, part_index)
        augmenter = self._augmenter(aug_list, data_shape, kwargs)
        augmenter.hybridize()
        self._iter = DataLoader(
            self._transformed(dataset, augmenter),
            batch_size=batch_size,
            shuffle=shuffle,
            sampler=sampler,
            last_batch=last_batch,
            batch_sampler=batch_sampler,
            batchify_fn=self._batchify(batchify_fn),
            num_workers=num_workers,
            pin_memory=pin_memory,
            pin_device_id=pin_device_id,
            prefetch=prefetch,
            thread_pool=thread_pool,
            timeout=timeout,
            try_nopython=try_nopython,
        )

    def _open(self, record: str | None, listed: str | None, root: str, images: Any) -> Any:
        """Returns the dataset of a file or a list."""
        if record:
            return ImageRecordDataset(record, flag=1)
        if listed or isinstance(images, list):
            return ImageListDataset(root, listed or images, flag=1)
        raise CheckFailedError(
            f"{type(self).__name__}: expected path_imgrec, path_imglist or a list as imglist"
        )

    def _augmenter(self, given: Any, data_shape: Sequence[int], options: dict[str, Any]) -> Block:
        if given is None:
            make = create_bbox_augment if self._with_boxes else create_image_augment
            return make(data_shape, **options)
        if isinstance(given, Block):
            return given
        if not isinstance(given, list):
            raise ArgumentValueError(
                f"{type(self).__name__}: aug_list takes a block or a list, got {given!r}"
            )
        if self._with_boxes:
            return _Steps(given)
        hybrid = all(isinstance(item, HybridBlock) for item in given)
        block = HybridSequential() if hybrid else Sequential()
        for item in given:
            block.add(item)
        return block

    def _transformed(self, dataset: Any, augmenter: Block) -> Any:
        return dataset.transform_first(augmenter)

    def _batchify(self, given: Any) -> Any:
        return given

    def __iter__(self) -> Iterator[Any]:
        return iter(self._iter)

    def __len__(self) -> int:
        return len(self._iter)


class ImageBboxDataLoader(ImageDataLoader):
    """Loads batches of images with their boxes; rows of -1 fill up those with fewer boxes.

    Its arguments are those of `ImageDataLoader`, and `coord_normalized` before `dtype`.

    Args:
        batch_size: Number of images in a batch.
        data_shape: Channels, height and width of an image.
        path_imgrec: Path of a `.rec` file.
        path_imglist: Path of a `.lst` file.
        path_root: Folder that the paths of a list start from.
        part_index: Which part of the images to load.
        num_parts: Into how many parts they are split.
        aug_list: Block or list of blocks of an image and its boxes.
        imglist: List of labels and paths in place of a file.
        coord_normalized: Whether edges in labels are shares of the sides of the image.
        dtype: Element type of labels.
        *args: Further arguments by position.
        **kwargs: Further arguments by name, and those of `create_bbox_augment`.
    """

    _with_boxes = True

    def __init__(
        self,
        batch_size: int,
        data_shape: Sequence[int],
        path_imgrec: str | None = None,
        path_imglist: str | None = None,
        path_root: str = ".",
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: Any = None,
        imglist: list[Any] | None = None,
        coord_normalized: bool = True,
        dtype: str = "float32",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        self._coord_normalized = coord_normalized
        files = (path_imgrec, path_imglist, path_root, part_index, num_parts, aug_list, imglist)
        super().__init__(batch_size, data_shape, *files, dtype, *args, **kwargs)

    def _transformed(self, dataset: Any, augmenter: Block) -> Any:
        return dataset.transform(_Steps([BboxLabelTransform(self._coord_normalized), augmenter]))

    def _batchify(self, given: Any) -> Any:
        return given or batchify.Group(batchify.Stack(), batchify.Pad(val=-1))


publish_classes(globals())
tracebacks.public_functions(globals())

_LOADING = (
    *(BboxLabelTransform, ImageBboxDataLoader, ImageDataLoader),
    *(create_bbox_augment, create_image_augment),
)
_CHANGES = (
    *(ImageBboxCrop, ImageBboxRandomCropWithConstraints, ImageBboxRandomFlipLeftRight),
    ImageBboxResize,
)
_FUNCTIONS = [value for name, value in vars(_boxes).items() if name.startswith("bbox_")]


def _module(name: str, doc: str, members: Sequence[Any], **modules: Any) -> Any:
    """Makes a module under the name that it has in MXNet 2."""
    named = {member.__name__: member for member in members}
    return make_module(f"{__name__}.{name}", doc, {**named, **modules})


dataloader = _module("dataloader", "Loaders of images, with what changes these.", _LOADING)
transforms = _module(
    "transforms",
    "Changes of images with their boxes.",
    _CHANGES,
    bbox=_module(
        "transforms.bbox",
        "Changes of images with their boxes.",
        _CHANGES,
        bbox=_module(
            "transforms.bbox.bbox",
            "Changes of images with their boxes.",
            (*_CHANGES, _boxes.ImageBboxRandomExpand),
        ),
        utils=_module("transforms.bbox.utils", "Functions of boxes.", _FUNCTIONS),
    ),
)
