"""Makes small pictures and runs the calls of `image_cases.py` on them under MXNet 1.9.1.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_image.py

Writes the pictures and `results.npz` into `tests/golden/image/`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import image_cases  # noqa: E402

FOLDER = image_cases.HERE


def photo(height: int, width: int) -> np.ndarray:
    """Draws smooth colours, an edge and a little noise."""
    random = np.random.RandomState(height * 1000 + width)
    y, x = np.mgrid[0:height, 0:width]
    waves = [128 + 80 * np.sin(x / (7 + c) + y / (11 + 2 * c) + c) for c in range(3)]
    image = np.stack(waves, -1) + random.randn(height, width, 1) * 3
    cv2.circle(image, (width // 3, height // 2), height // 5, (30, 200, 90), -1)
    return np.clip(image, 0, 255).astype(np.uint8)


def write_pictures() -> None:
    """Writes files of several formats."""
    FOLDER.mkdir(exist_ok=True)
    image = photo(36, 48)
    cv2.imwrite(str(FOLDER / "photo.png"), image)
    cv2.imwrite(str(FOLDER / "photo.bmp"), image)
    cv2.imwrite(str(FOLDER / "photo.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    cv2.imwrite(str(FOLDER / "grey.png"), image[:, :, 0])
    cv2.imwrite(str(FOLDER / "grey.jpg"), image[:, :, 0])
    cv2.imwrite(str(FOLDER / "alpha.png"), np.dstack([image, image[:, :, :1]]))
    cv2.imwrite(str(FOLDER / "deep.png"), photo(30, 20).astype(np.uint16) * 257)
    jpeg = (FOLDER / "photo.jpg").read_bytes()
    # an orientation of 6 in the EXIF header: to be turned clockwise
    entry = bytes.fromhex("0112 0003 00000001 0006 0000")
    exif = b"Exif\0\0MM\0*" + bytes.fromhex("00000008 0001") + entry + bytes(4)
    header = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (FOLDER / "turned.jpg").write_bytes(jpeg[:2] + header + jpeg[2:])


def write_records() -> None:
    """Writes record and list files of the pictures."""
    names = ["photo.png", "grey.png", "photo.bmp", "alpha.png", "deep.png"]
    random = np.random.RandomState(0)
    for stem in ("pictures", "boxes"):
        record = mx.recordio.MXIndexedRecordIO(
            str(FOLDER / f"{stem}.idx"), str(FOLDER / f"{stem}.rec"), "w"
        )
        for key, name in enumerate(n for n in names if n != "photo.bmp"):
            label: object = float(key % 3)
            if stem == "boxes":
                count = 1 + key % 3
                boxes = np.sort(random.rand(count, 2, 2), axis=1)
                rows = np.concatenate([np.arange(count)[:, None], boxes[:, 0], boxes[:, 1]], 1)
                label = np.array([2, 5, *rows.ravel()], np.float32)
            header = mx.recordio.IRHeader(0, label, key, 0)
            record.write_idx(key, mx.recordio.pack(header, image_cases.content(name)))
        record.close()
    lines = [f"{key}\t{key % 3}\t{name}\n" for key, name in enumerate(names)]
    (FOLDER / "pictures.lst").write_text("".join(lines))
    lines = [f"{key}\t{key}\t{key + 7}\t{name}\n" for key, name in enumerate(names)]
    (FOLDER / "pairs.lst").write_text("".join(lines))


def main() -> None:
    """Writes everything."""
    write_pictures()
    write_records()
    store, texts = {}, {}
    for name, (_, case) in image_cases.all_cases(mx).items():
        image_cases.seed()
        texts[name], arrays = image_cases.flatten(case())
        for position, array in enumerate(arrays):
            store[f"{name}/{position}"] = array
    store["texts"] = np.array(json.dumps(texts))
    np.savez_compressed(FOLDER / "results.npz", **store)
    print(f"{len(texts)} results, {(FOLDER / 'results.npz').stat().st_size} bytes")


if __name__ == "__main__":
    main()
