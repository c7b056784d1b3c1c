"""Options of the iterator over packed images with boxes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, Literal

from mxnet.errors import AttributeValueError
from mxnet.io._image_options import ImageOptions, RecordOptions
from mxnet.ops.core.attrs import Floats, Shape


@dataclass(frozen=True, kw_only=True)
class DetectionOptions(RecordOptions):
    """Which images with boxes to read, and how to augment them.

    A label is `[2 or more, object width, ..., objects]`: the first number counts the numbers
    before the objects, and an object is `[class, left, top, right, bottom, ...]` with edges
    between 0 and 1.

    Attributes:
        label_pad_width: Length of a padded label; 0 or -1 for that of the longest label.
        label_pad_value: What labels are padded with.
        resize: Length of the shorter edge before all else, -1 to keep it.
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
        fill_value: Value of the pixels of the canvas.
        inter_method: 0 nearest, 1 bilinear, 2 cubic, 3 area, 4 Lanczos, 9 by size, 10 random.
        resize_mode: `force` to the shape of the data; `shrink` into it; `fit` into it, or enlarge.
        mean_r: Number to subtract from red; `mean_g`, `mean_b`, `mean_a` for the others.
        std_r: Number to divide red by, 0 for no division; `std_g`, `std_b`, `std_a` for the others.
        scale: Number to multiply by.
    """

    SHUFFLE_MAGIC: ClassVar[int] = 233

    path_imgrec: str = "./data/imgrec.rec"
    aug_seq: str = "det_aug_default"
    label_width: int = -1
    device_id: int = -1
    label_pad_width: int = 0
    label_pad_value: float = -1.0
    resize: int = -1
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
    inter_method: int = 1
    resize_mode: Literal["fit", "force", "shrink"] = "force"
    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 0.0
    std_g: float = 0.0
    std_b: float = 0.0
    std_a: float = 0.0
    scale: float = 1.0


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

    def bounds(name: str, number: int) -> tuple[float, float]:
        lowest = _choose(where, options, f"min_crop_{name}", number)
        return lowest, _choose(where, options, f"max_crop_{name}", number)

    return [
        CropSampler(
            bounds("scales", number),
            bounds("aspect_ratios", number),
            bounds("overlaps", number),
            bounds("sample_coverages", number),
            bounds("object_coverages", number),
            int(_choose(where, options, "max_crop_trials", number)),
        )
        for number in range(options.num_crop_sampler)
    ]


def _choose(where: str, options: DetectionOptions, name: str, number: int) -> float:
    values: tuple[float, ...] = getattr(options, name)
    if len(values) == 1:
        return values[0]
    if len(values) != options.num_crop_sampler:
        raise AttributeValueError(
            f"{where}: `{name}` takes a number for each of {options.num_crop_sampler} samplers, "
            f"got {len(values)}"
        )
    return values[number]


def scaling_options(options: DetectionOptions) -> ImageOptions:
    """Returns the same way of scaling pixels as options of `ImageRecordIter`."""
    shared = {field.name for field in fields(RecordOptions)} | {"scale"}
    shared |= {f"mean_{channel}" for channel in "rgba"}
    values = {name: getattr(options, name) for name in shared}
    values |= {f"std_{c}": getattr(options, f"std_{c}") or 1.0 for c in "rgba"}
    return ImageOptions(**values)
