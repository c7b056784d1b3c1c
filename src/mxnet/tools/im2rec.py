"""Lists images and packs them into record files.

First `python -m mxnet.tools.im2rec PREFIX ROOT --list` writes lists of the images below a folder,
one line `number, label, path` each, then the same without `--list` packs the images of every list
that begins with the prefix into `PREFIX*.rec` with an index `PREFIX*.idx`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm  # type: ignore[import-untyped]

from mxnet import recordio
from mxnet._formats.files import (
    access_error,
    read_foreign,
    read_saved,
    write_atomically,
    written_together,
)
from mxnet._formats.opencv import cv2, decode_with_opencv, need_opencv
from mxnet._formats.texts import describe_wrong
from mxnet.errors import FileFormatError, MXNetError
from mxnet.ops.image.resize import scale_shorter_edge
from mxnet.tools import command_name

_SHUFFLE_SEED = 100
_ITEMS_AT_ONCE = 16
_MOST_WRONG = 20
"""Wrong lines of a list that are named; the others are counted."""
_UNLISTED = ("Cc", "Cs", "Zl", "Zp")
"""Categories of characters that separate fields or lines, or cannot be written at all."""


@dataclass(frozen=True)
class Item:
    """One line of a list."""

    number: int
    labels: tuple[float, ...]
    path: str


def find_images(root: Path, recursive: bool, exts: Sequence[str]) -> list[Item]:
    """Finds images in a folder, or also below it with a label for each folder, in sorted order."""
    items: list[Item] = []
    labels: dict[str, int] = {}
    for folder, folders, names in os.walk(root, followlinks=True):
        folders.sort()
        if not recursive:
            folders.clear()
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix.lower() in exts and path.is_file():
                listed = os.path.relpath(path, root)
                if not _fits_into_a_line(listed):
                    tqdm.write(
                        f"left out: {listed!r}: tabs, ends of lines, other control characters and "
                        "bytes that are not utf-8 do not fit into a list",
                        file=sys.stderr,
                    )
                    continue
                label = labels.setdefault(folder, len(labels))
                items.append(Item(len(items), (float(label),), listed))
    if recursive:
        for folder, label in labels.items():
            tqdm.write(f"{os.path.relpath(folder, root)} {label}")
    return items


def _fits_into_a_line(path: str) -> bool:
    """Returns whether a path is read from a list as it is written there."""
    return path.isprintable() or not any(unicodedata.category(c) in _UNLISTED for c in path)


def write_list(path: Path, items: Iterable[Item]) -> None:
    """Writes a list of images."""
    lines = (
        "\t".join([str(item.number), *(f"{label:f}" for label in item.labels), item.path])
        for item in items
    )
    write_atomically(path, [f"{line}\n".encode() for line in lines])


def read_list(path: Path) -> list[Item]:
    """Reads a list of images; a line that is of another form is named and left out."""
    items, wrong = [], 0
    for number, line in enumerate(_read_text(path).splitlines(), 1):
        try:
            items.append(parse_line(line))
        except ValueError:
            wrong += 1
            if wrong <= _MOST_WRONG:
                tqdm.write(
                    f"{path}: line {number}: number, label and path expected, got {line[:80]!r}",
                    file=sys.stderr,
                )
    if wrong > _MOST_WRONG:
        tqdm.write(f"{path}: {wrong - _MOST_WRONG} other lines are wrong too", file=sys.stderr)
    return items


def _read_text(path: Path) -> str:
    try:
        return read_saved(path).decode("utf-8")
    except OSError as error:
        raise access_error("im2rec", path, error) from error
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{path}: byte {error.start} is not utf-8 text") from error


def parse_line(line: str) -> Item:
    """Reads one line of a list.

    Raises:
        ValueError: if it is of another form.
    """
    if describe_wrong(line):
        raise ValueError(describe_wrong(line))
    number, label, *labels, path = (field.strip() for field in line.strip().split("\t"))
    return Item(int(number), (float(label), *map(float, labels)), path)


def make_lists(options: argparse.Namespace) -> None:
    """Writes the lists for training, testing and validation, in chunks if asked for."""
    items = find_images(Path(options.root), options.recursive, options.exts)
    if options.shuffle:
        # The seed of the original, so that both give the same lists.
        random.Random(_SHUFFLE_SEED).shuffle(items)
    length = -(-len(items) // options.chunks)
    for number in range(options.chunks):
        chunk = items[number * length : (number + 1) * length]
        prefix = options.prefix + (f"_{number}" if options.chunks > 1 else "")
        if options.train_ratio == 1:
            write_list(Path(f"{prefix}.lst"), chunk)
            continue
        first = int(length * options.test_ratio)
        last = first + int(length * options.train_ratio)
        if options.test_ratio:
            write_list(Path(f"{prefix}_test.lst"), chunk[:first])
        if options.train_ratio + options.test_ratio < 1:
            write_list(Path(f"{prefix}_val.lst"), chunk[last:])
        write_list(Path(f"{prefix}_train.lst"), chunk[first:last])


def encode_item(options: argparse.Namespace, item: Item) -> tuple[Item, bytes | str]:
    """Makes the content of a record, or says why it cannot."""
    path = Path(options.root, item.path)
    label: Any = item.labels[0]
    if options.pack_label and len(item.labels) > 1:
        label = list(item.labels)
    header = recordio.IRHeader(0, label, item.number, 0)
    try:
        content = read_foreign(path)
    except OSError as error:
        return item, f"{path}: {error}"
    except MXNetError as error:
        return item, str(error)
    if options.pass_through:
        return item, recordio.pack(header, content)
    try:
        image = decode_with_opencv(str(path), content, options.color)
        if image is None:
            return item, f"{path}: no image that OpenCV can decode"
        image = transform(str(path), image, options.center_crop, options.resize)
        return item, recordio.pack_img(header, image, options.quality, options.encoding)
    except MXNetError as error:
        return item, str(error)
    except cv2.error as error:
        return item, f"{path}: {error}"


def transform(where: str, image: Any, center_crop: bool, resize: int) -> Any:
    """Cuts the middle square out of an image and makes its shorter edge as long as wanted."""
    height, width = image.shape[:2]
    if center_crop:
        margin = abs(height - width) // 2
        side = min(height, width)
        top, left = (margin, 0) if height > width else (0, margin)
        image = image[top : top + side, left : left + side]
        height = width = side
    if resize:
        rows, columns = scale_shorter_edge(f"{where}: resize", height, width, resize)
        image = cv2.resize(image, (columns, rows))
    return image


def _one_thread_each() -> None:
    """Keeps OpenCV's own threads out of worker processes, which are as many as asked for."""
    cv2.setNumThreads(0)


@contextmanager
def encoded(options: argparse.Namespace, items: Sequence[Item]) -> Iterator[Iterable[Any]]:
    """Returns items with the content of their records, in order, made by several processes."""
    encode = partial(encode_item, options)
    if options.num_thread <= 1:
        yield map(encode, items)
        return
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    with context.Pool(
        options.num_thread, None if options.pass_through else _one_thread_each
    ) as pool:
        yield pool.imap(encode, items, _ITEMS_AT_ONCE)


def _with_bar(results: Iterable[Any], total: int, name: str) -> Iterable[Any]:
    """Draws a bar while results are taken, if a person is there to see it."""
    bar: Iterable[Any] = tqdm(
        results, total=total, desc=name, unit="image", disable=not sys.stderr.isatty()
    )
    return bar


def make_records(options: argparse.Namespace, path: Path) -> int:
    """Packs the images of a list, and gives how many had to be left out."""
    items = read_list(path)
    record, index = path.with_suffix(".rec"), path.with_suffix(".idx")
    left_out = 0
    with written_together() as saving, encoded(options, items) as results:
        unfinished = saving.reserve(record)
        with recordio.MXIndexedRecordIO(saving.reserve(index), unfinished, "w") as writer:
            for item, content in _with_bar(results, len(items), record.name):
                if isinstance(content, str):
                    tqdm.write(f"left out: {content}", file=sys.stderr)
                    left_out += 1
                else:
                    writer.write_idx(item.number, content)
    return left_out


def find_lists(prefix: Path) -> list[Path]:
    """Returns the lists that a prefix stands for: those in a folder, or of names that begin so."""
    folder, start = (prefix, "") if prefix.is_dir() else (prefix.parent, prefix.name)
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.name.startswith(start) and path.suffix == ".lst" and path.is_file()
    )


def make_parser(prog: str = "im2rec") -> argparse.ArgumentParser:
    """Declares the arguments of the command, which calls itself `prog`."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="List images, or pack listed images into record files.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("prefix", help="beginning of the names of the lists and record files")
    add("root", help="folder of the images")
    add = parser.add_argument_group("lists").add_argument
    add("--list", action="store_true", help="write lists; without it, pack listed images")
    add("--exts", nargs="+", default=[".jpeg", ".jpg", ".png"], help="endings of images")
    add("--chunks", type=int, default=1, help="number of lists to spread the images over")
    add("--train-ratio", type=float, default=1.0, help="share of images for training")
    add("--test-ratio", type=float, default=0.0, help="share of images for testing")
    add("--recursive", action="store_true", help="also look below ROOT; a label for each folder")
    add("--no-shuffle", dest="shuffle", action="store_false", help="keep the sorted order")
    add = parser.add_argument_group("records").add_argument
    add("--pass-through", action="store_true", help="pack files as they are")
    add("--resize", type=int, default=0, help="length of the shorter edge, 0 to keep it")
    add("--center-crop", action="store_true", help="cut out the middle square")
    add("--quality", type=int, default=95, help="1 to 100 for JPEG, compression 1 to 9 for PNG")
    add("--num-thread", type=int, default=1, help="number of processes that encode")
    add("--color", type=int, default=1, choices=[-1, 0, 1], help="1 colour, 0 grey, -1 as stored")
    add("--encoding", default=".jpg", choices=[".jpg", ".png"], help="format of packed images")
    add("--pack-label", action="store_true", help="pack all labels of a line, not the first alone")
    return parser


def main(arguments: Sequence[str] | None = None, prog: str | None = None) -> int:
    """Runs the command and gives its exit status: 1 if there are no lists, or images left out.

    Args:
        arguments: Those of the command line if not given.
        prog: What the command calls itself; as it was called if not given.
    """
    prog = prog or command_name("im2rec")
    options = make_parser(prog).parse_args(arguments)
    if options.list:
        with written_together():
            make_lists(options)
        return 0
    if not options.pass_through:
        need_opencv(prog)
    lists = find_lists(Path(options.prefix))
    if not lists:
        tqdm.write(f"{prog}: no list {options.prefix}*.lst; make one with --list", file=sys.stderr)
        return 1
    is_complete = True
    for path in lists:
        tqdm.write(f"{path} -> {path.with_suffix('.rec')}")
        left_out = make_records(options, path)
        if left_out:
            is_complete = False
            images = f"{left_out} image{'' if left_out == 1 else 's'}"
            tqdm.write(f"{prog}: {path}: {images} left out", file=sys.stderr)
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
