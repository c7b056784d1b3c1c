"""Options of the iterators over packed images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mxnet.errors import AttributeValueError
from mxnet.io._options import BatchOptions
from mxnet.ops.core.attrs import Shape


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


@dataclass(frozen=True, kw_only=True)
class ImageOptions(RecordOptions):
    """Which images to read, and how to augment and scale them.

    Attributes:
        resize: Length of the shorter edge before all else, -1 to keep it.
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
        fill_value: Value of pixels outside of the image.
        inter_method: 0 nearest, 1 bilinear, 2 cubic, 3 area, 4 Lanczos, 9 by size, 10 random.
        pad: Width of a border to put around the image.
        mirror: Whether to flip left and right.
        rand_mirror: Whether to flip half of the images.
        mean_img: File with an image to subtract; written first if it is not there.
        mean_r: Number to subtract from red; `mean_g`, `mean_b`, `mean_a` for the others.
        std_r: Number to divide red by; `std_g`, `std_b`, `std_a` for the others.
        scale: Number to multiply by.
        max_random_contrast: Largest random change of the factor of all pixels.
        max_random_illumination: Largest random number to add to all pixels.
    """

    resize: int = -1
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
    fill_value: int = 255
    inter_method: int = 1
    pad: int = 0
    mirror: bool = False
    rand_mirror: bool = False
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
    if not 0 <= options.part_index < options.num_parts:
        raise AttributeValueError(
            f"{where}: `part_index` takes 0 to {options.num_parts - 1}, got {options.part_index}"
        )
    if options.dtype not in (None, "float32", "uint8", "int8"):
        raise AttributeValueError(
            f"{where}: `dtype` takes float32, uint8 or int8, got {options.dtype!r}"
        )
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
