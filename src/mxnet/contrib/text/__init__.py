"""Vocabularies, and vectors for their tokens: `mx.contrib.text`."""

from mxnet.contrib.text import embedding as embedding
from mxnet.contrib.text import utils as utils
from mxnet.contrib.text import vocab as vocab
