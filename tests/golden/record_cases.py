"""Images in record files, and calls of `ImageRecordIter` whose batches do not depend on chance."""

from __future__ import annotations

import numpy as np

SIZES = ((24, 36), (36, 24), (32, 32), (29, 28), (45, 35), (26, 60))
"""Heights and widths of the images."""

COMMON = {"data_shape": (3, 20, 20), "batch_size": 3, "preprocess_threads": 1, "verbose": False}

CASES: dict[str, dict[str, object]] = {
    "plain": {},
    "shape as text": {"data_shape": "(3,16,24)"},
    "larger than the images": {"data_shape": (3, 30, 34)},
    "grey": {"data_shape": (1, 20, 20)},
    "resize": {"resize": 24},
    "resize up": {"resize": 40},
    "nearest": {"resize": 22, "inter_method": 0},
    "cubic": {"resize": 22, "inter_method": 2},
    "area": {"resize": 22, "inter_method": 3},
    "lanczos": {"resize": 22, "inter_method": 4},
    "auto down": {"resize": 22, "inter_method": 9},
    "auto up": {"resize": 50, "inter_method": 9},
    "mean": {"mean_r": 10, "mean_g": 20.5, "mean_b": 30},
    "mean and std": {
        "mean_r": 123.68,
        "mean_g": 116.28,
        "mean_b": 103.53,
        "std_r": 58.395,
        "std_g": 57.12,
        "std_b": 57.375,
    },
    "scale": {"scale": 1 / 255},
    "mean, std and scale": {"mean_r": 100, "std_g": 2, "scale": 0.5},
    "mirror": {"mirror": True},
    "pad": {"pad": 4, "data_shape": (3, 30, 30)},
    "pad with a colour": {"pad": 4, "data_shape": (3, 30, 30), "fill_value": 0},
    "rotate": {"rotate": 30},
    "rotate by cubic": {"rotate": 30, "inter_method": 2},
    "rotate by area": {"rotate": 30, "inter_method": 3},
    "rotate grey": {"rotate": 30, "data_shape": (1, 20, 20), "fill_value": 9},
    "rotate and fill": {"rotate": 90, "fill_value": 0, "data_shape": (3, 24, 24)},
    "crop size": {"max_crop_size": 22, "min_crop_size": 22},
    "random scale that is fixed": {"max_random_scale": 1.5, "min_random_scale": 1.5},
    "smaller scale": {"max_random_scale": 0.8, "min_random_scale": 0.8, "data_shape": (3, 16, 16)},
    "largest size": {"max_img_size": 24},
    "smallest size": {"min_img_size": 40},
    "bytes": {"dtype": "uint8"},
    "bytes with a mean": {"dtype": "uint8", "mean_r": 20, "scale": 0.5, "mirror": True},
    "signed bytes": {"dtype": "int8"},
    "signed bytes about the mean": {"dtype": "int8", "mean_r": 128, "mean_g": 128, "mean_b": 128},
    "resized and cropped": {"resize": 28, "data_shape": (3, 24, 24), "mirror": True},
    "by index": {"path_imgidx": True},
    "rounded": {"batch_size": 4},
    "shuffled": {"shuffle": True, "seed": 3},
    "first part": {"num_parts": 2, "part_index": 0},
    "second part": {"num_parts": 2, "part_index": 1},
    "second part by index": {"num_parts": 2, "part_index": 1, "path_imgidx": True},
    "labels from a list": {"path_imglist": True, "label_width": 2},
    "on the CPU": {"device_id": -1},
    "other names": {"data_name": "images", "label_name": "classes"},
}


DETECTION_CASES: dict[str, dict[str, object]] = {
    "boxes": {},
    "padded": {"label_pad_width": 20, "label_pad_value": -5},
    "mirrored": {"rand_mirror_prob": 1},
    "fitted": {"resize_mode": "fit", "data_shape": (3, 24, 30)},
    "fitted from below": {"resize_mode": "fit", "data_shape": (3, 70, 50)},
    "shrunk": {"resize_mode": "shrink", "data_shape": (3, 30, 30)},
    "resized first": {"resize": 30},
    "scaled": {"mean_r": 10, "mean_b": 3, "std_r": 2, "scale": 0.5},
    "shuffled boxes": {"shuffle": True, "seed": 5},
    "rounded boxes": {"batch_size": 4},
    "not rounded boxes": {"batch_size": 4, "round_batch": False},
}


def make_boxes(number: int) -> list[float]:
    """Makes the label of an image: what stands first, and one to three boxes."""
    rng = np.random.RandomState(50 + number)
    label = [2.0, 5.0]
    for box in range(1 + number % 3):
        left, top, width, height = rng.uniform((0, 0, 0.1, 0.1), (0.5, 0.5, 0.4, 0.4))
        label += [float(box), left, top, left + width, top + height]
    return label


def make_image(number: int) -> np.ndarray:
    """Makes something like a photograph: shades, a few shapes and a little noise."""
    rng = np.random.RandomState(number)
    height, width = SIZES[number]
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    image = np.full((height, width, 3), 128.0)
    for channel in range(3):
        for _ in range(4):
            wave = rng.uniform(0, 0.25, 2)
            shade = np.sin(wave[0] * x + wave[1] * y + rng.uniform(0, 6))
            image[..., channel] += rng.uniform(10, 45) * shade
    for _ in range(4):
        centre, radius = rng.uniform(0, (height, width)), rng.uniform(3, 9)
        image[(y - centre[0]) ** 2 + (x - centre[1]) ** 2 < radius**2] = rng.uniform(0, 255, 3)
    return np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8)


def describe(iterator: object) -> dict[str, object]:
    """Returns the arrays of one round, and of two rounds what goes with them."""
    found = {"data": [], "label": [], "pad": []}
    for turn in range(2):
        for batch in iterator:
            if turn == 0:
                found["data"].append(batch.data[0].asnumpy())
            found["label"].append(batch.label[0].asnumpy().tolist())
            found["pad"].append(batch.pad)
        iterator.reset()
    found["context"] = str(batch.data[0].context)
    found["provide_data"] = str(iterator.provide_data)
    found["provide_label"] = str(iterator.provide_label)
    return found
