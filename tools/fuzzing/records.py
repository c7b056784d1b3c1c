"""Record files and their indices."""

from __future__ import annotations

import random
import struct
from pathlib import Path

from mxnet import recordio
from tools.fuzzing.mutation import Format, Mutator

MAGIC = 0xCED7230A


def _record(mutator: Mutator, payload: bytes) -> bytes:
    length = mutator.number(len(payload), 29)
    flag = mutator.choice(0, [1, 2, 3, 4, 5, 6, 7])
    padding = -len(payload) % 4
    head = struct.pack("<II", mutator.number(MAGIC, 32), flag << 29 | length)
    return head + payload + bytes(padding if not mutator.strikes() else mutator.rng.randrange(4))


def _payload(mutator: Mutator) -> bytes:
    rng = mutator.rng
    if rng.random() < 0.2:
        return rng.randbytes(rng.randrange(0, 40)) + struct.pack("<I", MAGIC) * rng.randrange(0, 3)
    count = rng.randrange(0, 4)
    head = struct.pack(
        "<IfQQ",
        mutator.number(count, 32),
        rng.random(),
        mutator.number(7, 64),
        mutator.number(0, 64),
    )
    return head + rng.randbytes(4 * count) + rng.randbytes(rng.randrange(0, 60))


def make_records(rng: random.Random) -> bytes:
    """Makes a file of a few records."""
    mutator = Mutator(rng)
    return mutator.damage(
        b"".join(_record(mutator, _payload(mutator)) for _ in range(rng.randrange(0, 5)))
    )


def use_records(path: Path) -> None:
    """Reads a file record by record, each as an image record too."""
    reader = recordio.MXRecordIO(str(path), "r")
    try:
        while (item := reader.read()) is not None:
            try:
                recordio.unpack(item)
                recordio.unpack_img(item)
            except ValueError:
                continue  # refused, as it must be; the next one may be whole
    finally:
        reader.close()


def make_index(rng: random.Random) -> bytes:
    """Makes an index of records that each take 16 bytes."""
    mutator = Mutator(rng)
    lines = []
    for key in range(rng.randrange(0, 6)):
        place = mutator.number(16 * key, 64, signed=True)
        name = mutator.text(str(mutator.number(key, 64, signed=True)))
        lines.append(
            name + mutator.choice("\t", ["", " ", "\t\t", "\0"]) + mutator.text(str(place))
        )
    return mutator.damage("\n".join([*lines, ""]).encode("utf-8", "surrogatepass"))


def use_index(path: Path) -> None:
    """Reads a good record file by a hostile index."""
    data = path.with_suffix(".rec")
    data.write_bytes(b"".join(struct.pack("<II", MAGIC, 8) + bytes([i]) * 8 for i in range(5)))
    reader = recordio.MXIndexedRecordIO(str(path), str(data), "r")
    try:
        for key in list(reader.keys)[:50]:
            reader.read_idx(key)
    finally:
        reader.close()


RECORDS = Format("rec", ".rec", make_records, use_records)
INDEX = Format("idx", ".idx", make_index, use_index)
