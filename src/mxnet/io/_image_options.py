"""Options of the iterators over packed images, with and without boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from mxnet.errors import AttributeValueError
from mxnet.io._sources import BatchOptions, check_dtype, check_part
from mxnet.ops.core.attrs import Floats, Shape


@dataclass(frozen=True, kw_only=True)
class RecordOptions(BatchOptions):
    """Which records to read, and how.

    Attributes:
        path_imgrec: File of records, folder, or several separated by `;`.
        path_imgidx: Index of the file, for shuffling and for parts of equal numbers of records.
        path_imglist: List of labels that replace those in the records, by image number.
        data_shape: Channels, height and width of an image in a batch.
        label_width: Number of labels of an image.
        preprocess_threads: Number of threads that decode and augment.
        num_parts: Into how many parts to cut the records.
        part_index: Which part to read.
        shuffle: Whether to read the records in a new order in every round.
        seed: Seed of the order.
        seed_aug: Seed of random augmentation.
        device_id: -1 for batches on `cpu(0)`, otherwise they are on `cpu_pinned(device_id)`.
        aug_seq: Accepted for programs that give it; there is one way to augment.
        verbose: Accepted for programs that give it.
        shuffle_chunk_size: Accepted for programs that give it; all records are shuffled.
        shuffle_chunk_seed: Accepted for programs that give it; all records are shuffled.
        resize: Length of the shorter edge before all else, -1 to keep it.
        fill_value: Value of pixels outside of the image.
        inter_method: 0 nearest, 1 bilinear, 2 cubic, 3 area, 4 Lanczos, 9 by size, 10 random.
        mean_img: File with an image to subtract; written first if it is not there.
        mean_r: Number to subtract from red; `mean_g`, `mean_b`, `mean_a` for the others.
        std_r: Number to divide red by; `std_g`, `std_b`, `std_a` for the others. With boxes, 0
            stands for no division.
        scale: Number to multiply by.
    """

    SHUFFLE_MAGIC: ClassVar[int] = 111
    """What the original adds to the seed of the order."""

    path_imglist: str = ""
    path_imgrec: str = ""
    path_imgidx: str = ""
    aug_seq: str = "aug_default"
    label_width: int = 1
    data_shape: Shape
    preprocess_threads: int = 4
    verbose: bool = True
    num_parts: int = 1
    part_index: int = 0
    device_id: int = 0
    shuffle_chunk_size: int = 0
    shuffle_chunk_seed: int = 0
    seed_aug: int | None = None
    shuffle: bool = False
    seed: int = 0
    resize: int = -1
    fill_value: int = 255
    inter_method: int = 1
    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 1.0
    std_g: float = 1.0
    std_b: float = 1.0
    std_a: float = 1.0
    scale: float = 1.0


@dataclass(frozen=True, kw_only=True)
class ImageOptions(RecordOptions):
    """Which images to read, and how to augment and scale them.

    Attributes:
        rand_crop: Whether to cut at a random place instead of the middle.
        random_resized_crop: Whether to cut out a part of random area and shape and resize it.
        max_rotate_angle: Largest random angle, in degrees, either way.
        rotate: Fixed angle, instead of a random one.
        max_aspect_ratio: Upper bound of the random aspect ratio.
        min_aspect_ratio: Lower bound of the random aspect ratio; without it the ratio is around 1.
        max_shear_ratio: Largest random shear either way.
        max_crop_size: Upper bound (`min_crop_size`: lower) of the edge of a square to crop.
        max_random_scale: Upper bound (`min_random_scale`: lower) of the random scale.
        max_random_area: Upper bound (`min_random_area`: lower) of the area of a random crop.
        max_img_size: Largest edge after scaling and rotating.
        min_img_size: Smallest edge after scaling and rotating.
        brightness: Largest random change of brightness.
        contrast: Largest random change of contrast.
        saturation: Largest random change of saturation.
        pca_noise: Standard deviation of noise along the main colours of ImageNet.
        random_h: Largest random change of hue, on a scale of 180.
        random_s: Largest random change of saturation, on a scale of 255.
        random_l: Largest random change of lightness, on a scale of 255.
        pad: Width of a border to put around the image.
        mirror: Whether to flip left and right.
        rand_mirror: Whether to flip half of the images.
        max_random_contrast: Largest random change of the factor of all pixels.
        max_random_illumination: Largest random number to add to all pixels.
    """

    rand_crop: bool = False
    random_resized_crop: bool = False
    max_rotate_angle: int = 0
    max_aspect_ratio: float = 0.0
    min_aspect_ratio: float | None = None
    max_shear_ratio: float = 0.0
    max_crop_size: int = -1
    min_crop_size: int = -1
    max_random_scale: float = 1.0
    min_random_scale: float = 1.0
    max_random_area: float = 1.0
    min_random_area: float = 1.0
    max_img_size: float = 1e10
    min_img_size: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 0.0
    pca_noise: float = 0.0
    random_h: int = 0
    random_s: int = 0
    random_l: int = 0
    rotate: int = -1
    pad: int = 0
    mirror: bool = False
    rand_mirror: bool = False
    max_random_contrast: float = 0.0
    max_random_illumination: float = 0.0


def check_records(where: str, options: RecordOptions) -> None:
    """Checks what the types of the options do not express.

    Raises:
        AttributeValueError: if options do not fit together.
    """
    shape = options.data_shape
    if len(shape) != 3 or shape[0] not in (1, 3, 4) or min(shape) <= 0:
        raise AttributeValueError(
            f"{where}: `data_shape` takes (channels, height, width) with 1, 3 or 4 channels, "
            f"got {shape}"
        )
    if options.aug_seq not in ("", "aug_default", "det_aug_default"):
        raise AttributeValueError(
            f"{where}: `aug_seq` takes the augmenter aug_default, got {options.aug_seq!r}"
        )
    if not options.path_imgrec:
        raise AttributeValueError(f"{where}: missing option 'path_imgrec'")
    check_part(where, options.num_parts, options.part_index)
    check_dtype(where, options.dtype, "float32", "uint8", "int8")
    if options.preprocess_threads <= 0:
        raise AttributeValueError(
            f"{where}: `preprocess_threads` takes a positive number, "
            f"got {options.preprocess_threads}"
        )


def check_augmentation(where: str, options: ImageOptions) -> None:
    """Checks that the ways of augmenting fit together.

    Raises:
        AttributeValueError: if they do not.
    """
    cuts_otherwise = (
        options.rand_crop
        or (options.min_crop_size, options.max_crop_size) != (-1, -1)
        or (options.min_random_scale, options.max_random_scale) != (1, 1)
    )
    if options.random_resized_crop and cuts_otherwise:
        raise AttributeValueError(
            f"{where}: `random_resized_crop` excludes `rand_crop`, `min_crop_size`, "
            "`max_crop_size`, `min_random_scale` and `max_random_scale`"
        )
    sizes = options.min_crop_size, options.max_crop_size
    if sizes != (-1, -1) and not 0 < sizes[0] <= sizes[1]:
        raise AttributeValueError(
            f"{where}: `min_crop_size` and `max_crop_size` take the bounds of a range, "
            f"got {sizes[0]} and {sizes[1]}"
        )
    ratios = options.min_aspect_ratio, options.max_aspect_ratio
    if ratios[0] is not None and not 0 < ratios[0] <= ratios[1]:
        raise AttributeValueError(
            f"{where}: `min_aspect_ratio` and `max_aspect_ratio` take the bounds of a range, "
            f"got {ratios[0]} and {ratios[1]}"
        )
    if options.label_width < 1:
        raise AttributeValueError(
            f"{where}: `label_width` takes a positive number, got {options.label_width}"
        )


@dataclass(frozen=True, kw_only=True)
class DetectionOptions(RecordOptions):
    """Which images with boxes to read, and how to augment them.

    A label is `[2 or more, object width, ..., objects]`: the first number counts the numbers
    before the objects, and an object is `[class, left, top, right, bottom, ...]` with edges
    between 0 and 1.

    Attributes:
        label_pad_width: Length of a padded label; 0 or -1 for that of the longest label.
        label_pad_value: What labels are padded with.
        rand_crop_prob: Probability of cutting out a part.
        min_crop_scales: Smallest edge of the part as a fraction of the image, for each sampler.
        max_crop_scales: Largest edge of the part.
        min_crop_aspect_ratios: Smallest ratio of width to height of the part.
        max_crop_aspect_ratios: Largest ratio of width to height of the part.
        min_crop_overlaps: Smallest intersection over union of the part and a box.
        max_crop_overlaps: Largest intersection over union.
        min_crop_sample_coverages: Smallest share of the part that a box covers.
        max_crop_sample_coverages: Largest such share.
        min_crop_object_coverages: Smallest share of a box that the part covers.
        max_crop_object_coverages: Largest such share.
        num_crop_sampler: Number of samplers, tried in random order.
        crop_emit_mode: Which boxes stay: with their centre in the part, or by overlap.
        emit_overlap_thresh: Smallest share of a box in the part if it stays by overlap.
        max_crop_trials: How often each sampler tries.
        rand_pad_prob: Probability of putting the image on a larger canvas.
        max_pad_scale: Largest edge of the canvas, relative to that of the image.
        max_random_hue: Largest random change of hue; its probability is `random_hue_prob`.
        max_random_saturation: Largest random change of saturation, likewise.
        max_random_illumination: Largest random change of lightness, likewise.
        max_random_contrast: Largest random change of contrast, likewise.
        rand_mirror_prob: Probability of a flip.
        resize_mode: `force` to the shape of the data; `shrink` into it; `fit` into it, or enlarge.
    """

    SHUFFLE_MAGIC: ClassVar[int] = 233

    path_imgrec: str = "./data/imgrec.rec"
    aug_seq: str = "det_aug_default"
    label_width: int = -1
    device_id: int = -1
    label_pad_width: int = 0
    label_pad_value: float = -1.0
    rand_crop_prob: float = 0.0
    min_crop_scales: Floats = (0.0,)
    max_crop_scales: Floats = (1.0,)
    min_crop_aspect_ratios: Floats = (1.0,)
    max_crop_aspect_ratios: Floats = (1.0,)
    min_crop_overlaps: Floats = (0.0,)
    max_crop_overlaps: Floats = (1.0,)
    min_crop_sample_coverages: Floats = (0.0,)
    max_crop_sample_coverages: Floats = (1.0,)
    min_crop_object_coverages: Floats = (0.0,)
    max_crop_object_coverages: Floats = (1.0,)
    num_crop_sampler: int = 1
    crop_emit_mode: Literal["center", "overlap"] = "center"
    emit_overlap_thresh: float = 0.3
    max_crop_trials: Shape = (25,)
    rand_pad_prob: float = 0.0
    max_pad_scale: float = 1.0
    max_random_hue: int = 0
    random_hue_prob: float = 0.0
    max_random_saturation: int = 0
    random_saturation_prob: float = 0.0
    max_random_illumination: int = 0
    random_illumination_prob: float = 0.0
    max_random_contrast: float = 0.0
    random_contrast_prob: float = 0.0
    rand_mirror_prob: float = 0.0
    fill_value: int = 127
    resize_mode: Literal["fit", "force", "shrink"] = "force"
    std_r: float = 0.0
    std_g: float = 0.0
    std_b: float = 0.0
    std_a: float = 0.0


@dataclass(frozen=True)
class CropSampler:
    """Bounds for one way to cut out a part, as `DetectionOptions` describes them."""

    scales: tuple[float, float]
    ratios: tuple[float, float]
    overlaps: tuple[float, float]
    sample_coverages: tuple[float, float]
    object_coverages: tuple[float, float]
    trials: int


def make_samplers(where: str, options: DetectionOptions) -> list[CropSampler]:
    """Returns the samplers; an option with a single number applies to all of them.

    Raises:
        AttributeValueError: if an option has neither one number nor one for each sampler.
    """
    count = options.num_crop_sampler

    def each(name: str) -> tuple[float, ...]:
        numbers: tuple[float, ...] = getattr(options, name)
        if count and len(numbers) not in (1, count):
            raise AttributeValueError(
                f"{where}: `{name}` takes a number for each of {count} samplers, got {len(numbers)}"
            )
        return numbers * count if len(numbers) == 1 else numbers[:count]

    bounds = [
        zip(each(f"min_crop_{name}"), each(f"max_crop_{name}"), strict=True)
        for name in ("scales", "aspect_ratios", "overlaps", "sample_coverages", "object_coverages")
    ]
    rows: Iterable[tuple[Any, ...]] = zip(*bounds, map(int, each("max_crop_trials")), strict=True)
    return [CropSampler(*row) for row in rows]
