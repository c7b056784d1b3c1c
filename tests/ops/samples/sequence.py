"""Operations on batches of sequences of unequal length."""

from .core import ints, rand, sample, values

NAMES = ("SequenceMask", "SequenceLast", "SequenceReverse")
BOTH_AXES = NAMES[:2]


def used(name, *inputs, **fields):
    """A sample with lengths."""
    return sample(name, *inputs, use_sequence_length=True, **fields)


SAMPLES = [
    *(
        used(name, rand(3, 2, *rest), values(lengths))
        for name in NAMES
        for rest, lengths in (((), [1, 3]), ((2,), [1, 3]), ((2,), [2, 2]), ((2, 1, 2), [3, 1]))
    ),
    *(
        used(name, rand(3, 2, 2), values([1, 3], dtype))
        for name in NAMES
        for dtype in ("int32", "int64", "float64")
    ),
    *(used(name, rand(3, 2, 2), values([1.7, 2.2])) for name in NAMES),
    *(
        used(name, rand(3, 2, 2, dtype=dtype), values([1, 3]))
        for name in NAMES
        for dtype in ("float64", "float16")
    ),
    *(
        used(name, ints(3, 2, 2, dtype=dtype), values([1, 3]))
        for name in NAMES
        for dtype in ("int32", "int64", "uint8", "int8")
    ),
    *(
        used(name, rand(2, 3, 2), values([3, 1]), axis=axis)
        for name in BOTH_AXES
        for axis in (1, "1")
    ),
    *(used(name, rand(2, 3), values([3, 1]), axis=1) for name in BOTH_AXES),
    *(used(name, rand(3, 2), values([1, 3]), train=False) for name in NAMES),
    *(
        sample(name, rand(3, 2, *rest), axis=0)
        for name in ("SequenceMask", "SequenceReverse")
        for rest in ((), (2,))
    ),
    *(used(name, rand(3, 2), values([0, 2])) for name in ("SequenceMask", "SequenceReverse")),
    used("SequenceMask", values([[1, 2], [3, 4]], "float16"), values([1, 2]), value=-1e9),
    *(
        sample("SequenceLast", rand(3, 2, *rest), axis=axis, gradient=False)
        for rest in ((), (2,))
        for axis in (0, 1)
    ),
    sample(
        "SequenceLast",
        rand(3, 2, 2),
        oracle=False,
        why="the original's backward pass dies of a segmentation fault",
    ),
    used(
        "SequenceLast",
        rand(3, 2, 2),
        values([0, 2]),
        oracle=False,
        why="the original reads outside the array",
    ),
    used(
        "SequenceLast",
        rand(3, 2, 2),
        values([9, 2]),
        oracle=False,
        why="the original reads outside the array",
    ),
    used(
        "SequenceReverse",
        rand(3, 2, 2),
        values([9, 2]),
        oracle=False,
        why="the original reads outside the array",
    ),
    used("SequenceMask", rand(3, 2, 2), values([9, 2])),
    used("SequenceMask", rand(3, 2, 2), values([1, 3]), value=-1.5),
    used("SequenceMask", rand(2, 3, 2), values([1, 3]), value="2", axis=1),
    used("SequenceMask", ints(3, 2), values([1, 3], "int32"), value=-1.7),
    sample("SequenceMask", rand(3, 2), value=5),
    *(used(name, rand(3, 2, 2), raises=True) for name in NAMES),
    *(used(name, rand(3, 2, 2), values([1, 2, 3]), raises=True) for name in NAMES),
    *(used(name, rand(3, 2, 2), values([[1, 2]]), raises=True) for name in NAMES),
    *(sample(name, rand(3), raises=True) for name in NAMES),
    *(sample(name, rand(3, 2, 2), axis=axis, raises=True) for name in NAMES for axis in (2, -1)),
    sample("SequenceReverse", rand(3, 2, 2), axis=1, raises=True),
]
