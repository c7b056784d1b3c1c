"""Vocabularies, and vectors for their tokens: `mx.contrib.text`."""

from mxnet._start import make_module
from mxnet.contrib.text import embedding as embedding
from mxnet.contrib.text import vocab as vocab
from mxnet.contrib.text.vocab import UNKNOWN_INDEX, count_tokens_from_str

_constants = make_module(
    f"{__name__}._constants", "The number of the unknown token.", {"UNKNOWN_IDX": UNKNOWN_INDEX}
)
utils = make_module(
    f"{__name__}.utils", "Counting tokens.", {"count_tokens_from_str": count_tokens_from_str}
)
