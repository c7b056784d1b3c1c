"""Files of safetensors."""

from __future__ import annotations

import json
import random
import struct
from math import prod
from pathlib import Path

import mxnet as mx
from tools.fuzzing.mutation import TEXTS, Format, Mutator

ITEM_SIZES = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2, "I64": 8, "I8": 1, "U16": 2, "BOOL": 1}
WRONG = [None, True, -1, 1.5, "x", [], {}, [[]], 2**64, {"dtype": "F32"}]


def make(rng: random.Random) -> bytes:
    """Makes a file of a few arrays."""
    mutator = Mutator(rng)
    header: dict[str, object] = {}
    position = 0
    for number in range(rng.randrange(0, 4)):
        lengths = [rng.randrange(0, 5) for _ in range(rng.randrange(0, 4))]
        dtype = rng.choice(list(ITEM_SIZES))
        end = position + prod(lengths) * ITEM_SIZES[dtype]
        entry: dict[str, object] = {
            "dtype": mutator.choice(dtype, [*TEXTS, *WRONG]),
            "shape": mutator.choice([mutator.number(n, 64, True) for n in lengths], WRONG),
            "data_offsets": mutator.choice(
                [mutator.number(position, 64, True), mutator.number(end, 64, True)], WRONG
            ),
        }
        header[mutator.text(f"w{number}")] = mutator.choice(entry, WRONG)
        position = end
    text = json.dumps(mutator.choice(header, WRONG)).encode()
    content = struct.pack("<Q", mutator.number(len(text), 64)) + text + rng.randbytes(position)
    return mutator.damage(content)


def use(path: Path) -> object:
    """Loads the arrays and reads their elements."""
    loaded = mx.nd.load(str(path))
    arrays = loaded.values() if isinstance(loaded, dict) else loaded
    return [array.asnumpy() for array in arrays]


FORMAT = Format("safetensors", ".safetensors", make, use)
