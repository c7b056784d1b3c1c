"""Calls of `mx.image` whose results are compared with the original's.

A case is a function without arguments. Seeds are set before each, so random ones are repeatable.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent / "image"
SHAPE = (3, 18, 24)
BOXES = [[0, 0.1, 0.2, 0.5, 0.6], [1, 0.4, 0.4, 0.9, 0.95], [2, 0.05, 0.05, 0.2, 0.15]]
ROUNDED = 1.0
"""Grey levels by which scaled and decoded images may differ."""
JPEG = 2.0
EXACT = 1e-3
KEPT = 100
"""Elements of an image that are compared."""
COLORS = {
    "mean": True,
    "std": True,
    "brightness": 0.1,
    "contrast": 0.2,
    "saturation": 0.3,
    "hue": 0.1,
    "pca_noise": 0.05,
    "rand_gray": 0.2,
}
"""What changes colours in lists of augmenters."""
Call = Callable[[], Any]
Cases = dict[str, tuple[float, Call]]
"""Calls by name, each with its tolerance."""


def content(name: str) -> bytes:
    """Reads a picture."""
    return (HERE / name).read_bytes()


def seed() -> None:
    """Sets the generators from which the original draws."""
    random.seed(7)
    np.random.seed(7)


def codec_cases(mx: Any) -> Cases:
    """Reading of files."""
    image = mx.image
    cases: Cases = {}
    for name in ("photo.png", "grey.png", "alpha.png", "deep.png", "photo.bmp"):
        for flag in (0, 1):
            tolerance = ROUNDED if flag == 0 else EXACT
            cases[f"imread {name} {flag}"] = (
                tolerance,
                lambda name=name, flag=flag: image.imread(str(HERE / name), flag),
            )
    for name in ("photo.jpg", "grey.jpg", "turned.jpg"):
        for flag in (0, 1):
            cases[f"imdecode {name} {flag}"] = (
                JPEG,
                lambda name=name, flag=flag: image.imdecode(content(name), flag=flag),
            )
    png = content("photo.png")
    array = np.frombuffer(png, np.uint8)
    forms = {
        "bytearray": bytearray(png),
        "NumPy": array,
        "NDArray": mx.nd.array(array, dtype="uint8"),
    }
    for name, form in forms.items():
        cases[f"imdecode of {name}"] = (EXACT, lambda form=form: image.imdecode(form))
    cases["imdecode bgr"] = (EXACT, lambda: image.imdecode(png, 1, False))
    cases["imdecode strings"] = (EXACT, lambda: image.imdecode(png, flag="1", to_rgb="0"))
    return cases


def scaling_cases(mx: Any) -> Cases:
    """Scaling, and the choice of the interpolation."""
    image, photo = mx.image, mx.image.imread(str(HERE / "photo.png"))
    floats = photo.astype("float32")
    calls: dict[str, Call] = {}
    for interp in range(5):
        for size in ((20, 14), (33, 47), (50, 11)):
            calls[f"imresize {size} {interp}"] = lambda s=size, i=interp: image.imresize(
                photo, *s, i
            )
        calls[f"imresize floats {interp}"] = lambda i=interp: image.imresize(
            floats, 21, 9, interp=i
        )
    for interp in (0, 1, 2, 3, 4, 9, 10):
        for size in (15, 45):
            calls[f"resize_short {size} {interp}"] = lambda s=size, i=interp: image.resize_short(
                photo, s, i
            )
    calls |= {
        "resize_short of a tall image": lambda: image.resize_short(photo.transpose((1, 0, 2)), 15),
        "scale_down": lambda: [
            image.scale_down(*s)
            for s in (((640, 480), (720, 120)), ((360, 1000), (480, 500)), ((9, 9), (333, 777)))
        ],
        "interp by size": lambda: [
            image.image._get_interp_method(9, s)
            for s in ((1, 1, 2, 2), (2, 2, 1, 1), (2, 2, 2, 2), (1, 2, 2, 1), ())
        ],
        "interp at random": lambda: [
            image.image._get_interp_method(10, (1, 1, 2, 2)) for _ in range(10)
        ],
    }
    return {name: (ROUNDED, call) for name, call in calls.items()}


def cropping_cases(mx: Any) -> Cases:
    """Parts of an image, borders around it, and its normalization."""
    image, photo = mx.image, mx.image.imread(str(HERE / "photo.png"))
    floats = photo.astype("float32")
    calls: dict[str, Call] = {
        "fixed_crop": lambda: image.fixed_crop(photo, 5, 6, 20, 10),
        "fixed_crop scaled": lambda: image.fixed_crop(photo, 5, 6, 20, 10, (7, 8)),
        "fixed_crop by size": lambda: image.fixed_crop(photo, 5, 6, 20, 10, (7, 8), 9),
        "fixed_crop same size": lambda: image.fixed_crop(photo, 5, 6, 20, 10, (20, 10)),
        "fixed_crop over the edge": lambda: image.fixed_crop(photo, 40, 30, 20, 20),
        "random_crop": lambda: [image.random_crop(photo, (20, 10)) for _ in range(3)],
        "random_crop of more": lambda: image.random_crop(photo, (200, 100)),
        "center_crop": lambda: [image.center_crop(photo, s) for s in ((20, 10), (21, 11))],
        "center_crop of more": lambda: image.center_crop(photo, (100, 200)),
        "random_size_crop": lambda: [
            image.random_size_crop(photo, (20, 10), 0.08, (0.75, 1.33)) for _ in range(4)
        ],
        "random_size_crop range": lambda: image.random_size_crop(
            photo, (20, 10), (0.5, 0.6), (0.75, 1.33), 9
        ),
        "random_size_crop in vain": lambda: image.random_size_crop(
            photo, (20, 10), (2, 3), (0.75, 1.33)
        ),
        "color_normalize": lambda: image.color_normalize(
            floats.copy(), mx.nd.array([1, 2, 3]), mx.nd.array([2, 2, 4])
        ),
        "color_normalize std": lambda: image.color_normalize(floats.copy(), None, 2.5),
        "color_normalize bytes": lambda: image.color_normalize(photo.copy(), 1, 2),
    }
    for kind in range(5):
        calls[f"copyMakeBorder {kind}"] = lambda kind=kind: image.copyMakeBorder(
            photo, 1, 2, 3, 4, kind, 7.0
        )
    return {name: (ROUNDED, call) for name, call in calls.items()}


def turning_cases(mx: Any) -> Cases:
    """Rotation of images and of batches."""
    image = mx.image
    first = image.imread(str(HERE / "photo.png")).astype("float32").transpose((2, 0, 1))
    batch = mx.nd.stack(first, first + 1)
    calls: dict[str, Call] = {
        "random_rotate": lambda: image.random_rotate(first, (-20, 20)),
        "random_rotate batch": lambda: image.random_rotate(batch, (-20, 20), zoom_in=True),
        "imrotate batch": lambda: image.imrotate(batch, mx.nd.array([30, -110])),
        "imrotate batch by one": lambda: image.imrotate(batch, 12, zoom_out=True),
    }
    for degrees in (0, 10, 45.5, -100, 180):
        for zoom in ({}, {"zoom_in": True}, {"zoom_out": True}):
            calls[f"imrotate {degrees} {zoom}"] = lambda d=degrees, z=zoom: image.imrotate(
                first, d, **z
            )
    return {name: (ROUNDED, call) for name, call in calls.items()}


def augmenters(mx: Any) -> dict[str, Call]:
    """Makes of augmenters by their call."""
    image = mx.image
    eigen = np.array([1.0, 2, 3]), np.eye(3) + 0.1
    return {
        "ResizeAug": lambda: image.ResizeAug(20, 3),
        "ForceResizeAug": lambda: image.ForceResizeAug((20, 13), 9),
        "RandomCropAug": lambda: image.RandomCropAug((20, 13)),
        "RandomSizedCropAug": lambda: image.RandomSizedCropAug((20, 13), 0.08, (0.75, 1.33)),
        "RandomSizedCropAug range": lambda: image.RandomSizedCropAug(
            (20, 13), (0.2, 0.3), (0.75, 1.33), 1
        ),
        "CenterCropAug": lambda: image.CenterCropAug((20, 13)),
        "BrightnessJitterAug": lambda: image.BrightnessJitterAug(0.5),
        "ContrastJitterAug": lambda: image.ContrastJitterAug(0.5),
        "SaturationJitterAug": lambda: image.SaturationJitterAug(0.5),
        "HueJitterAug": lambda: image.HueJitterAug(0.5),
        "ColorJitterAug": lambda: image.ColorJitterAug(0.1, 0.2, 0.3),
        "ColorJitterAug some": lambda: image.ColorJitterAug(0, 0.2, 0),
        "LightingAug": lambda: image.LightingAug(0.1, *eigen),
        "ColorNormalizeAug": lambda: image.ColorNormalizeAug([1, 2, 3.0], np.array([1, 2, 3.0])),
        "ColorNormalizeAug mean": lambda: image.ColorNormalizeAug(mx.nd.array([1, 2, 3]), None),
        "RandomGrayAug": lambda: image.RandomGrayAug(0.5),
        "RandomGrayAug always": lambda: image.RandomGrayAug(1),
        "HorizontalFlipAug": lambda: image.HorizontalFlipAug(0.5),
        "CastAug": lambda: image.CastAug("float64"),
        "SequentialAug": lambda: image.SequentialAug([image.CastAug(), image.RandomGrayAug(1)]),
        "RandomOrderAug": lambda: image.RandomOrderAug(
            [image.HorizontalFlipAug(0.5), image.BrightnessJitterAug(0.3), image.HueJitterAug(0.3)]
        ),
    }


def lists(mx: Any) -> dict[str, list[Any]]:
    """Lists of augmenters."""
    create, three = mx.image.CreateAugmenter, np.array([1, 2, 3.0])
    return {
        "plain": create(SHAPE),
        "resize": create(SHAPE, resize=22),
        "crop": create(SHAPE, rand_crop=True, rand_mirror=True),
        "all": create(
            SHAPE, rand_crop=True, rand_resize=True, rand_mirror=True, inter_method=9, **COLORS
        ),
        "mean": create(SHAPE, mean=three),
        "std": create(SHAPE, std=mx.nd.array(three)),
    }


def det_augmenters(mx: Any) -> dict[str, Call]:
    """Makes of augmenters for detection by their call."""
    image = mx.image
    return {
        "DetHorizontalFlipAug": lambda: image.DetHorizontalFlipAug(0.5),
        "DetBorrowAug": lambda: image.DetBorrowAug(image.ForceResizeAug((20, 13))),
        "DetRandomSelectAug": lambda: image.DetRandomSelectAug(
            [image.DetHorizontalFlipAug(1), image.DetRandomPadAug()], 0.3
        ),
        "DetRandomSelectAug none": lambda: image.DetRandomSelectAug([]),
        "DetRandomCropAug": lambda: image.DetRandomCropAug(),
        "DetRandomCropAug options": lambda: image.DetRandomCropAug(
            0.5, (0.8, 1.2), (0.4, 0.5), 0.5, 10
        ),
        "DetRandomCropAug numbers": lambda: image.DetRandomCropAug(0.1, 1.1, 0.6),
        "DetRandomCropAug in vain": lambda: image.DetRandomCropAug(0.9, (0.1, 0.2), (0.01, 0.02)),
        "DetRandomPadAug": lambda: image.DetRandomPadAug(),
        "DetRandomPadAug options": lambda: image.DetRandomPadAug(
            (0.5, 2.0), (1.5, 2.5), 3, (1, 2, 3)
        ),
        "DetRandomPadAug numbers": lambda: image.DetRandomPadAug(1.2, 2.0),
        "CreateMultiRandCropAugmenter": lambda: image.CreateMultiRandCropAugmenter(
            [0.1, 0.5], [(0.75, 1.33), (0.5, 2)], [(0.1, 1), (0.3, 0.9)], 0.3, [50, 20], 0.2
        ),
    }


def det_lists(mx: Any) -> dict[str, list[Any]]:
    """Lists of augmenters for detection."""
    create = mx.image.CreateDetAugmenter
    return {
        "plain": create(SHAPE),
        "all": create(
            SHAPE,
            resize=30,
            rand_crop=0.9,
            rand_pad=0.8,
            rand_mirror=True,
            inter_method=10,
            **COLORS,
        ),
        "options": create(
            SHAPE,
            rand_crop=0.4,
            rand_pad=0.3,
            min_object_covered=[0.1, 0.2],
            aspect_ratio_range=(0.5, 2),
            area_range=(0.2, 2.0),
            min_eject_coverage=0.5,
            max_attempts=7,
            pad_val=(1, 2, 3),
            mean=np.array([1, 2, 3]),
        ),
    }


def augmenter_cases(mx: Any) -> Cases:
    """What augmenters write about themselves and do to an image."""
    photo = mx.image.imread(str(HERE / "photo.png"))
    cases: Cases = {}
    for name, make in augmenters(mx).items():
        cases[f"{name} dumps"] = (EXACT, lambda make=make: make().dumps())
        cases[name] = (ROUNDED, lambda make=make: repeat(make(), photo.astype("float32")))
    for name, chain in lists(mx).items():
        cases[f"CreateAugmenter {name} dumps"] = (EXACT, lambda c=chain: [a.dumps() for a in c])
        cases[f"CreateAugmenter {name}"] = (
            ROUNDED,
            lambda c=chain: apply_thrice(deepcopy(c), photo),  # some shuffle their parts
        )
    for name, make in det_augmenters(mx).items():
        cases[f"{name} dumps"] = (EXACT, lambda make=make: make().dumps())
        cases[name] = (ROUNDED, lambda make=make: repeat_det([make()], photo.astype("float32")))
    for name, chain in det_lists(mx).items():
        cases[f"CreateDetAugmenter {name} dumps"] = (EXACT, lambda c=chain: [a.dumps() for a in c])
        cases[f"CreateDetAugmenter {name}"] = (
            ROUNDED,
            lambda c=chain: repeat_det(deepcopy(c), photo.copy()),
        )
    return cases


def repeat(augmenter: Any, image: Any) -> list[Any]:
    """Applies an augmenter to three copies of an image."""
    return [augmenter(image.copy()) for _ in range(3)]


def repeat_det(chain: list[Any], image: Any) -> list[Any]:
    """Applies augmenters to three copies of an image and its boxes."""
    results = []
    for _ in range(3):
        data, label = image.copy(), np.array(BOXES)
        for augmenter in chain:
            data, label = augmenter(data, label)
        results.append((data, label))
    return results


def apply_thrice(chain: list[Any], image: Any) -> list[Any]:
    """Applies augmenters one after the other, to three copies of an image."""
    return [functools.reduce(lambda i, augment: augment(i), chain, image.copy()) for _ in range(3)]


def batches(iterator: Any, epochs: int = 2) -> list[Any]:
    """Returns the means of images, labels and padding of all batches of some epochs."""
    results = []
    for epoch in range(epochs):
        if epoch:
            iterator.reset()
        for batch in iterator:
            means = batch.data[0].asnumpy().mean(axis=(2, 3))
            results.append((means, batch.label[0], batch.pad))
        results.append("end")
    return results


def iterator_cases(mx: Any) -> Cases:
    """Iterators over the pictures."""
    image = mx.image
    record, index = str(HERE / "pictures.rec"), str(HERE / "pictures.idx")
    root, names = str(HERE), ["photo.png", "grey.png", "photo.bmp", "alpha.png", "deep.png"]
    listed = {"path_root": root, "imglist": [[float(i), n] for i, n in enumerate(names)]}
    recorded = {"path_imgrec": record, "path_imgidx": index}
    options = {
        "record": {"path_imgrec": record},
        "index": recorded,
        "shuffled": {**recorded, "shuffle": True},
        "list": listed,
        "list file": {"path_imglist": str(HERE / "pictures.lst"), "path_root": root},
        "discard": {**listed, "last_batch_handle": "discard"},
        "roll over": {**listed, "last_batch_handle": "roll_over"},
        "roll over records": {**recorded, "last_batch_handle": "roll_over", "shuffle": True},
        "part": {**recorded, "num_parts": 2, "part_index": 1},
        "resized": {**listed, "resize": 20, "rand_crop": True, "rand_mirror": True},
        "no augmenters": {**listed, "aug_list": [image.ForceResizeAug((24, 18), 1)]},
    }
    cases: Cases = {
        f"ImageIter {name}": (ROUNDED, lambda o=option: batches(image.ImageIter(2, SHAPE, **o)))
        for name, option in options.items()
    }
    cases["ImageIter labels"] = (
        ROUNDED,
        lambda: batches(
            image.ImageIter(
                2,
                SHAPE,
                label_width=2,
                path_imglist=str(HERE / "pairs.lst"),
                path_root=root,
                dtype="int32",
            )
        ),
    )
    cases["ImageIter describes"] = (EXACT, lambda: describe(image.ImageIter(2, SHAPE, **listed)))
    return cases


def det_iterator_cases(mx: Any) -> Cases:
    """Iterators over pictures with boxes."""
    image = mx.image
    detected = {"path_imgrec": str(HERE / "boxes.rec"), "path_imgidx": str(HERE / "boxes.idx")}
    cases: Cases = {}
    for name, option in {
        "plain": detected,
        "shuffled": {**detected, "shuffle": True, "rand_mirror": True},
        "augmented": {**detected, "rand_crop": 0.5, "rand_pad": 0.5, "mean": True, "std": True},
        "discard": {**detected, "last_batch_handle": "discard"},
    }.items():
        cases[f"ImageDetIter {name}"] = (
            ROUNDED,
            lambda o=option: batches(image.ImageDetIter(2, SHAPE, **o)),
        )
    cases["ImageDetIter describes"] = (
        EXACT,
        lambda: describe(image.ImageDetIter(2, SHAPE, **detected)),
    )
    cases["ImageDetIter reshaped"] = (ROUNDED, lambda: reshaped(image, detected))
    cases["ImageDetIter drawn"] = (
        ROUNDED,
        lambda: [
            picture.astype("float32")
            for picture in image.ImageDetIter(2, SHAPE, **detected).draw_next((255, 0, 9), 1)
        ][:1],  # the original turns the colour around from image to image
    )
    return cases


def describe(iterator: Any) -> list[Any]:
    """Returns what an iterator says about itself."""
    return [
        [tuple(item) for item in (*iterator.provide_data, *iterator.provide_label)],
        iterator.batch_size,
        tuple(iterator.data_shape),
        [str(key) for key in iterator.seq],
        iterator.cur,
    ]


def reshaped(image: Any, options: dict[str, Any]) -> list[Any]:
    """Changes the shape of labels, alone and together."""
    first = image.ImageDetIter(2, SHAPE, **options)
    first.reshape(label_shape=(5, 5))
    second = image.ImageDetIter(2, SHAPE, **options)
    first.sync_label_shape(second)
    return [tuple(second.label_shape), tuple(second.provide_label[0]), batches(second, 1)]


def all_cases(mx: Any) -> Cases:
    """All of the above."""
    return {
        **codec_cases(mx),
        **scaling_cases(mx),
        **cropping_cases(mx),
        **turning_cases(mx),
        **augmenter_cases(mx),
        **iterator_cases(mx),
        **det_iterator_cases(mx),
    }


def thin(array: np.ndarray) -> np.ndarray:
    """Returns some elements of a large array, of all channels, and its mean: files stay small."""
    step = array.size // KEPT
    if step < 2:
        return array
    step += step % 3 == 0
    some = array.ravel()[::step].astype(np.float32)
    return np.append(some, array.mean(dtype=np.float64)).astype(np.float32).round(2)


def flatten(result: Any) -> tuple[Any, list[np.ndarray]]:
    """Takes arrays out of a result; what remains can be written to JSON."""
    if hasattr(result, "asnumpy"):
        result = result.asnumpy()
    if isinstance(result, np.ndarray):
        return {"array": [str(result.dtype), list(result.shape)]}, [thin(result)]
    if isinstance(result, (list, tuple)):
        parts = [flatten(item) for item in result]
        return [part[0] for part in parts], [array for part in parts for array in part[1]]
    return result, []
