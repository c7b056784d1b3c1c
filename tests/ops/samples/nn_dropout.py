"""Dropout: shapes and dtypes here, what is random in tests/ops/nn/test_dropout.py."""

from .core import ints, rand, sample

SAMPLES = [
    *(sample("Dropout", rand(*shape), random=True) for shape in ((5,), (2, 3), (2, 3, 1, 2))),
    sample("Dropout", rand(2, 3), p=0),
    sample("Dropout", rand(2, 3), p="0.0", mode="always"),
    sample("Dropout", rand(2, 3), p=0.9, random=True),
    sample("Dropout", rand(2, 3), train=False),
    sample("Dropout", rand(2, 3), train=False, p=0.9, axes=(0,)),
    sample("Dropout", rand(2, 3), train=False, mode="training", cudnn_off=True),
    sample("Dropout", rand(2, 3), train=False, mode="always", random=True),
    sample("Dropout", rand(2, 3, 4), axes=(1,), random=True),
    sample("Dropout", rand(2, 3, 4), axes="(0, 2)", p=0.25, random=True),
    sample("Dropout", rand(2, 3), axes=(), cudnn_off=None, random=True),
    sample("Dropout", rand(2, 3, dtype="float64"), random=True),
    sample("Dropout", rand(2, 3, dtype="float16"), random=True),
    sample("Dropout", rand(2, 3), p=-0.1, raises=True),
    sample("Dropout", rand(2, 3), p=1.5, raises=True),
    sample("Dropout", rand(2, 3), mode="never", raises=True),
    sample("Dropout", rand(2, 3), axes=(2,), raises=True),
    sample("Dropout", rand(2, 3), axes=(-1,), raises=True),
    sample("Dropout", ints(2, 3), raises=True),
]
