"""Images in which a decoder finds something else than a glance at the header: lengths, decoys,
scans, packed texts; and special files in place of images."""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import cv2
import numpy as np

import mxnet as mx
from mxnet import recordio
from mxnet.gluon.data import vision
from mxnet.tools import im2rec
from tests.security.attack import Attacks
from tests.security.attacks.images_and_archives import chunk, imread, webp, zeros

TABLE = Attacks()

PNG = b"\x89PNG\r\n\x1a\n"
NO_DATA = chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def png_header(
    width: int, height: int, depth: int = 8, colour: int = 0, interlace: int = 0
) -> bytes:
    values = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return PNG + chunk(b"IHDR", values)


def one_pixel(before: bytes = b"", data: bytes | None = None) -> bytes:
    """Returns a PNG of one pixel with chunks before it."""
    data = zlib.compress(b"\0\0") if data is None else data
    return png_header(1, 1) + before + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def exif(size: int, count: int) -> bytes:
    """Returns metadata whose every entry is a text of almost all bytes."""
    entries = struct.pack("<HHII", 0x10E, 2, size - 20, 16) * count
    return (b"II*\0" + struct.pack("<IH", 8, count) + entries).ljust(size, b"x")


def cheap_deflate(size: int) -> bytes:
    """Returns zeros, packed, without packing them: blocks that repeat."""
    block = zlib.compressobj(9)
    start = block.compress(bytes(1 << 22)) + block.flush(zlib.Z_FULL_FLUSH)
    again = block.compress(bytes(1 << 22)) + block.flush(zlib.Z_FULL_FLUSH)
    return start + again * (size >> 22)


PNGS = [
    ("length_of_2_gb", lambda: png_header(1, 1) + struct.pack(">I", 2**31 - 1) + b"tEXt"),
    ("length_of_the_image", lambda: png_header(1, 1) + struct.pack(">I", 2**31 - 1) + b"IDAT"),
    ("length_of_the_palette", lambda: png_header(1, 1, 8, 3) + struct.pack(">I", 2**31) + b"PLTE"),
    ("length_of_a_frame", lambda: one_pixel(struct.pack(">I", 2**32 - 1) + b"fdAT")),
    ("packed_texts", lambda: one_pixel(chunk(b"zTXt", b"a\0\0" + zeros(7 << 20)) * 300)),
    ("packed_unicode", lambda: one_pixel(chunk(b"iTXt", b"a\0\1\0\0\0" + zeros(7 << 20)) * 300)),
    ("packed_profiles", lambda: one_pixel(chunk(b"iCCP", b"a\0\0" + zeros(7 << 20)) * 300)),
    ("packed_image", lambda: one_pixel(data=cheap_deflate(5 << 30))),
    ("packed_large_image", lambda: png_header(4000, 4000) + chunk(b"IDAT", cheap_deflate(5 << 30))
                           + chunk(b"IEND", b"")),
    ("exif", lambda: one_pixel(chunk(b"eXIf", exif(6 << 20, 65535)))),
    ("second_header", lambda: one_pixel(png_header(30000, 30000)[8:])),
    ("no_header", lambda: PNG + NO_DATA),
    ("animation_of_large_frames", lambda: png_header(9000, 9000, 16, 6) + chunk(
        b"acTL", struct.pack(">II", 2, 0)) + NO_DATA),
    ("frame_outside", lambda: one_pixel(chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(
        b"fcTL", struct.pack(">IIIIIHHBB", 0, 5000, 5000, 2**31, 0, 1, 1, 0, 0)))),
    ("interlaced", lambda: png_header(20000, 20000, 1, 0, 1) + NO_DATA),
]  # fmt: skip


def frame(width: int, height: int, kind: int = 0xC2, components: int = 1) -> bytes:
    parts = b"".join(bytes([number + 1, 0x11, 0]) for number in range(components))
    head = struct.pack(">BHHB", 8, height, width, components) + parts
    return bytes([0xFF, kind]) + struct.pack(">H", len(head) + 2) + head


TABLES = b"\xff\xdb\x00\x43\x00" + b"\1" * 64 + b"".join(
    b"\xff\xc4\x00\x14" + bytes([place, 1, *[0] * 15, 0]) for place in (0x00, 0x10)
)  # fmt: skip


def scan(*, first: int = 1, last: int = 63, bits: int = 0x00, components: int = 1) -> bytes:
    parts = b"".join(bytes([number + 1, 0]) for number in range(components))
    head = bytes([components]) + parts + bytes([first, last, bits])
    return b"\xff\xda" + struct.pack(">H", len(head) + 2) + head


def many_scans(count: int, between: bytes = b"") -> bytes:
    """Returns a picture of four million pixels that is gone through again and again."""
    scans = scan(first=0, last=0) + (between + scan()) * count
    return b"\xff\xd8" + TABLES + frame(2000, 2000) + scans + b"\xff\xd9"


def segment(kind: int, data: bytes) -> bytes:
    return bytes([0xFF, kind]) + struct.pack(">H", len(data) + 2) + data


SEQUENTIAL = TABLES + frame(2000, 2000, 0xC0, 3) + scan(first=0) * 20_000
METADATA = segment(0xE1, b"Exif\0\0" + exif(65520, 5000))

JPEGS = [
    ("many_scans", lambda: many_scans(20_000)),
    ("many_scans_after_filling", lambda: many_scans(20_000, b"\xff" * 7)),
    ("many_scans_with_tables", lambda: many_scans(10_000, TABLES[69:])),
    ("many_scans_of_parts", lambda: b"\xff\xd8" + SEQUENTIAL + b"\xff\xd9"),
    ("metadata", lambda: b"\xff\xd8" + METADATA * 300 + frame(8, 8) + scan()),
    ("metadata_of_no_bytes", lambda: b"\xff\xd8" + b"\xff\xe1\0\2" * 99_000 + frame(8, 8) + scan()),
    ("metadata_at_the_end", lambda: real(".jpg")[:-2] + b"\xff\xe2\0\2" * 99_000 + b"\xff\xd9"),
    ("preview_before_the_header", lambda: b"\xff\xd8" + segment(0xE1, b"\xff\xd8" + frame(8, 8))
        + frame(65000, 65000) + scan()),
    ("two_headers", lambda: b"\xff\xd8" + TABLES + frame(8, 8) + frame(65000, 65000) + scan()),
    ("short_segment", lambda: b"\xff\xd8\xff\xfe\x00\x00" + frame(65000, 65000) + scan()),
    ("bytes_between", lambda: b"\xff\xd8\xff\xe0\x00\x04abjunk" + frame(65000, 65000) + scan()),
    ("marks_between", lambda: b"\xff\xd8\xff\x01\xff\xd0\xff\x00" + frame(65000, 65000) + scan()),
    ("no_components", lambda: b"\xff\xd8" + frame(8, 8, 0xC0, 0) + scan(components=0)),
    ("ten_components", lambda: b"\xff\xd8" + frame(20000, 20000, 0xC0, 10) + scan(components=1)),
    ("reserved_mark", lambda: b"\xff\xd8\xff\x02" + frame(8, 8) + scan() + b"\xff\xd9"),
    ("filling_alone", lambda: b"\xff\xd8" + b"\xff" * (1 << 20)),
]  # fmt: skip


def gif(width: int, height: int, size: int, data: bytes, before: bytes = b"") -> bytes:
    blocks = b"".join(
        bytes([len(data[at : at + 255])]) + data[at : at + 255] for at in range(0, len(data), 255)
    )
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6) + before
    box = b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + bytes([size])
    return head + box + blocks + b"\0;"


CLEARS = bytes.fromhex("244992") * 400_000
WIDE_CLEARS = sum(256 << 9 * number for number in range(8)).to_bytes(9, "little") * 99_000
ENDS = bytes.fromhex("6ddbb6") * 400_000

GIFS = [
    ("clears_codes", lambda: gif(4, 4, 2, CLEARS)),
    ("ends_codes", lambda: gif(4, 4, 2, ENDS)),
    ("clears_wide_codes", lambda: gif(4000, 4000, 8, WIDE_CLEARS)),
    ("frame_outside", lambda: gif(4, 4, 2, b"").replace(
        b"," + struct.pack("<HHHH", 0, 0, 4, 4), b"," + struct.pack("<HHHH", 9, 9, 65535, 65535))),
    ("large_screen", lambda: gif(65535, 65535, 2, b"\x44\x51")),
    ("no_end", lambda: gif(4, 4, 2, b"\x44\x51")[:-1]),
    ("no_image", lambda: b"GIF89a" + struct.pack("<HHBBB", 4, 4, 0, 0, 0) + b";"),
    ("unknown_block", lambda: gif(4, 4, 2, b"\x44\x51", b"\x77")),
    ("width_of_codes", lambda: gif(4, 4, 99, b"\x44\x51")),
]  # fmt: skip


def canvas(flags: int, width: int, height: int) -> bytes:
    size = b"".join((side - 1).to_bytes(3, "little") for side in (width, height))
    return struct.pack("<4sIB3x", b"VP8X", 10, flags) + size


def riff(*parts: bytes) -> bytes:
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def lossless(width: int, height: int) -> bytes:
    data = b"\x2f" + struct.pack("<I", width - 1 | height - 1 << 14) + bytes(33)
    return b"VP8L" + struct.pack("<I", len(data)) + data


def lossy(width: int, height: int) -> bytes:
    data = b"\x10\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height) + bytes(30)
    return b"VP8 " + struct.pack("<I", len(data)) + data


def animation_frame(left: int, width: int, picture: bytes) -> bytes:
    sides = b"".join(value.to_bytes(3, "little") for value in (left, 0, width - 1, width - 1, 1))
    body = sides + b"\0" + picture
    return b"ANMF" + struct.pack("<I", len(body)) + body


ALPHA = b"ALPH\2\0\0\0\0\0"

WEBPS = [
    ("small_canvas", lambda: riff(canvas(0, 8, 8), lossless(16000, 16000))),
    ("small_canvas_lossy", lambda: riff(canvas(0x10, 8, 8), ALPHA, lossy(16000, 16000))),
    ("lossy", lambda: riff(lossy(16000, 16000))),
    ("animation_of_a_large_canvas", lambda: riff(canvas(2, 6000, 6000), animation_frame(
        0, 8, lossless(8, 8)))),
    ("frame_outside", lambda: riff(canvas(2, 8, 8), animation_frame(2**23, 8, lossless(8, 8)))),
    ("picture_larger_than_its_frame", lambda: riff(canvas(2, 8, 8), animation_frame(
        0, 8, lossless(16000, 16000)))),
    ("exif", lambda: riff(canvas(8, 8, 8), lossless(8, 8), b"EXIF" + struct.pack("<I", 6 << 20)
        + exif(6 << 20, 65535))),
    ("length_of_a_chunk", lambda: riff(canvas(0, 8, 8), b"ICCP\xff\xff\xff\x7f", lossless(8, 8))),
    ("without_container", lambda: lossless(16000, 16000)[8:]),
    ("length_of_the_file", lambda: b"RIFFftypWEBP" + canvas(0, 8, 8) + lossless(16000, 16000)),
    ("no_picture", lambda: webp(b"VP8X", bytes(10))),
]  # fmt: skip

BMPS = [
    ("run_lengths", lambda: bmp(20000, 20000, 8, 1)),
    ("negative", lambda: bmp(30000, -(2**31), 8, 1)),
    ("rows_missing", lambda: bmp(5000, 5000, 24, 0)),
    ("old_header", lambda: b"BM" + struct.pack("<IIIIHHHH", 0, 0, 26, 12, 60000, 60000, 1, 1)),
    ("long_header", lambda: b"BM" + struct.pack("<IIIIiiHHI", 0, 0, 54, 2**31 - 1, 9, 9, 1, 8, 0)),
    ("offset", lambda: bmp(9, 9, 8, 0, 2**32 - 1)),
]


def bmp(width: int, height: int, bits: int, compression: int, offset: int = 54) -> bytes:
    fields = (40, width, height, 1, bits, compression, 0, 0, 0, 0, 0)
    return (
        b"BM"
        + struct.pack("<III", 0, 0, offset)
        + struct.pack("<IiiHHIIiiII", *fields)
        + bytes(2000)
    )


TEXTS = [
    ("unusual_separators", b"P5\v100000\f100000\r255\n" + bytes(64)),
    ("comment_before_the_size", b"P6 # 4 4 255\r100000 100000 255\n" + bytes(64)),
    ("comment_between", b"P5 100000 #\n#\n# 4\n100000 255\n" + bytes(64)),
    ("many_comments", b"P5 " + b"#\n" * 500_000),
    ("long_comment", b"P5 #" + b"x" * (1 << 20)),
    ("long_number", b"P5 " + b"9" * (1 << 20)),
    ("zeros_before_a_number", b"P5 " + b"0" * 70_000 + b"100000 100000 255\n"),
    ("text_of_bits", b"P1 20000 20000 " + b"0" * 1000),
    ("text_of_colours", b"P3 8000 8000 255 " + b"0 " * 1000),
    ("spaces", b"P4" + b" " * (1 << 20)),
]


def tiff(entries: list[tuple[int, int, int]]) -> bytes:
    body = struct.pack("<H", len(entries))
    for tag, kind, value in entries:
        body += struct.pack("<HHIi", tag, kind, 1, value)
    return b"II*\0" + struct.pack("<I", 8) + body + bytes(4)


REST = [
    (258, 3, 8),
    (259, 3, 1),
    (262, 3, 1),
    (273, 4, 8),
    (277, 3, 1),
    (278, 4, 2**30),
    (279, 4, 9),
]
TWICE = [(tag, 4, value) for tag in (256, 257) for value in (8, 2**15)]
J2K = b"\xff\x4f\xff\x51\x00\x29\x00\x00" + struct.pack(">8I", *[20000, 20000, 0, 0] * 2) + bytes(8)
DECOY = b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x18free\xff\x4f\xff\x51" + bytes(12)
RADIANCE = b"#?RADIANCE\n-Y 4 +X 4\nFORMAT=32-bit_rle_rgbe\n\n-Y 20000 +X 20000\n"
PAM = b"P7\nWIDTH 4\nHEIGHT 4\nWIDTH 20000\nHEIGHT 20000\nDEPTH 1\nMAXVAL 255\nENDHDR\n"
AVIF = b"\0\0\0\x14ftypavif\0\0\0\0avif" + struct.pack(">I", 70_000) + b"free" + bytes(69_992)

UNCHECKED = [
    ("tiff_of_signed_sizes", tiff([(256, 9, 2**15), (257, 9, 2**15), *REST])),
    ("tiff_of_two_sizes", tiff([*TWICE, *REST])),
    ("jpeg2000_after_a_decoy", DECOY + J2K),
    ("radiance_after_a_decoy", RADIANCE),
    ("pam_of_blanks", b"P7\n" + b"\n " * 40_000 + b"WIDTH"),
    ("pam_of_two_sizes", PAM),
    ("avif_with_a_late_size", AVIF + b"\0\0\0\x14ispe" + struct.pack(">III", 0, 9**5, 9**5)),
    ("pfm", b"Pf\v100000\f100000\r-1.0\n" + bytes(64)),
    ("openexr", b"\x76\x2f\x31\x01\x02\0\0\0" + bytes(100)),
]


def decode(folder: Path, make: object) -> None:
    imread(folder, make())


for label, cases in (("png", PNGS), ("jpeg", JPEGS), ("gif", GIFS), ("webp", WEBPS), ("bmp", BMPS)):
    TABLE.add_each(label, cases, decode)
TABLE.add_each("netpbm", TEXTS, imread)
TABLE.add_each("unchecked", UNCHECKED, imread)


def ask_for_all(folder: Path, content: object) -> None:
    """Reads a file with checks as they are where the program asks for its format."""
    with mx.limits.scope(unchecked_image_bytes=1 << 20):
        imread(folder, content)


TABLE.add_each("allowed", [row for row in UNCHECKED if row[0] != "openexr"], ask_for_all)


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def read_image(path: Path) -> None:
    mx.image.imread(str(path))


def read_operator(path: Path) -> None:
    mx.nd._internal._cvimread(str(path))


def read_folder(path: Path) -> None:
    vision.ImageFolderDataset(str(path.parent.parent))[0]


def read_listed(path: Path) -> None:
    vision.ImageListDataset(str(path.parent), [[3, path.name]])[0]


def iterate(path: Path) -> None:
    mx.image.ImageIter(1, (3, 8, 8), imglist=[[1.0, path.name]], path_root=str(path.parent)).next()


def detect(path: Path) -> None:
    label = np.array([2, 5, 0, 0, 0, 1, 1], np.float32)
    images = [[label, path.name]]
    mx.image.ImageDetIter(1, (3, 8, 8), imglist=images, path_root=str(path.parent)).next()


def pack_records(path: Path) -> None:
    options = im2rec.make_parser().parse_args([str(path.parent / "packed"), str(path.parent)])
    _, reason = im2rec.encode_item(options, im2rec.Item(0, (1.0,), path.name))
    raise ValueError(reason)


READERS: list[Callable[[Path], None]] = [
    read_image, read_operator, read_folder, read_listed, iterate, detect, pack_records,
]  # fmt: skip


def use_special(folder: Path, case: object) -> None:
    read, make = case
    (folder / "class").mkdir()
    path = folder / "class" / "picture.jpg"
    make(path)
    read(path)


for make in (make_pipe, make_device):
    TABLE.add_each(
        make.__name__,
        [(read.__name__, (read, make)) for read in READERS],
        use_special,
        names="picture.jpg",
    )


THIN = (20_000, 1), (1, 20_000)
"""Sizes of images that grow to gigabytes if their shorter edge becomes some hundred pixels long."""


def thin(width: int, height: int) -> bytes:
    rows = zlib.compress(bytes((width + 1) * height))
    return png_header(width, height) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def iterate_scaled(path: Path) -> None:
    options = {"imglist": [[1.0, path.name]], "path_root": str(path.parent)}
    mx.image.ImageIter(1, (3, 8, 8), **options, resize=256).next()


def detect_scaled(path: Path) -> None:
    label = np.array([2, 5, 0, 0, 0, 1, 1], np.float32)
    options = {"imglist": [[label, path.name]], "path_root": str(path.parent)}
    mx.image.ImageDetIter(1, (3, 8, 8), **options, resize=256).next()


def pack_scaled(path: Path) -> None:
    arguments = [str(path.parent / "packed"), str(path.parent), "--resize", "256"]
    options = im2rec.make_parser().parse_args(arguments)
    _, reason = im2rec.encode_item(options, im2rec.Item(0, (1.0,), path.name))
    raise ValueError(reason)


def read_records(path: Path, **options: object) -> None:
    label = np.array([2, 5, 0, 0, 0, 1, 1], np.float32)
    records = path.with_name("thin.rec")
    with recordio.MXRecordIO(str(records), "w") as writer:
        writer.write(recordio.pack(recordio.IRHeader(0, label, 0, 0), path.read_bytes()))
    kind = mx.io.ImageDetRecordIter if "rand_pad_prob" in options else mx.io.ImageRecordIter
    shape = (3, 300, 300) if "resize" not in options else (3, 8, 8)
    options = {"label_width": 7, "data_shape": shape, "batch_size": 1} | options
    if kind is mx.io.ImageDetRecordIter:
        del options["label_width"]
    next(kind(path_imgrec=str(records), **options))


SCALED: list[tuple[str, Callable[[Path], None]]] = [
    ("ImageIter", iterate_scaled),
    ("ImageDetIter", detect_scaled),
    ("im2rec", pack_scaled),
    ("ImageRecordIter", lambda path: read_records(path, resize=256)),
    ("ImageRecordIter_crop", read_records),
    ("ImageRecordIter_warp", lambda path: read_records(path, resize=1, min_img_size=9000)),
    ("ImageDetRecordIter", lambda path: read_records(path, rand_pad_prob=0.0, resize=256)),
    ("ImageDetRecordIter_pad", lambda path: read_records(
        path, rand_pad_prob=1.0, max_pad_scale=9000.0)),
]  # fmt: skip


def scale_thin(folder: Path, case: object) -> None:
    read, size = case
    path = folder / "thin.png"
    path.write_bytes(thin(*size))
    read(path)


TABLE.add_each(
    "thin",
    [(f"{name}_{size[0]}", (read, size)) for name, read in SCALED for size in THIN],
    scale_thin,
    names="pixels",
)


@TABLE.add(names="resize")
def thin_image_in_a_transform(_folder: Path) -> None:
    image = mx.image.imdecode(thin(*THIN[0]))
    vision.transforms.Resize(256, keep_ratio=True)(image)


@TABLE.add(names="resize_short")
def thin_image_in_a_function(_folder: Path) -> None:
    mx.image.resize_short(mx.image.imdecode(thin(*THIN[1])), 256)


@TABLE.add(harmless=True)
def name_of_several_lines(folder: Path) -> None:
    """A list has the images of the folder, and no line that a name makes up."""
    (folder / "root").mkdir()
    for name in ("a\n1\t0\t..\x1b.jpg", "b\u2028c.jpg", "d\tf.jpg", "g.jpg"):
        (folder / "root" / name).touch()
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(printed):
        im2rec.main([str(folder / "all"), str(folder / "root"), "--list", "--recursive"])
    assert "\x1b" not in printed.getvalue()
    assert printed.getvalue().count("left out") == 3
    assert (folder / "all.lst").read_text() == "0\t0.000000\tg.jpg\n"


@TABLE.add(names="record 0")
def scans_in_a_record(_folder: Path) -> None:
    recordio.unpack_img(recordio.pack(recordio.IRHeader(0, 1.0, 0, 0), many_scans(20_000)))


def real(extension: str) -> bytes:
    return cv2.imencode(extension, np.zeros((16, 16, 3), np.uint8))[1].tobytes()


ENDINGS = [(kind, real(f".{kind}")) for kind in ("jpg", "png", "webp", "bmp", "ppm")]
ENDINGS.append(("gif", gif(9, 9, 7, b"\x80" + bytes(81) + b"\x81")))


def cut_everywhere(folder: Path, content: object) -> None:
    """Reads an image that ends at each of its bytes."""
    for length in range(3, len(content), len(content) // 50 + 1):
        try:
            imread(folder, content[:length])
        except ValueError as error:
            if "picture.img" not in str(error):
                raise


TABLE.add_each("cut", ENDINGS, cut_everywhere, harmless=True)
