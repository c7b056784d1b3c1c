"""Articles to be read."""

from __future__ import annotations

import collections
import hashlib
import io
import os
import pickle
import warnings
import zipfile
from unittest import mock

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.contrib import text

from .core import GIVEN
from .text_published_helpers import (
    C,
    E,
    V,
    ab,
    count,
    ct,
    load,
    published,
    put,
    read,
    sha1,
    state,
    the,
    watched,
    zipped,
)

folder = GIVEN["folder"]

T = mx.gluon.contrib.data.text


def wiki(content, seq_len=3, vocab=None, packed=False, segment="train"):
    content = content.encode("utf8") if isinstance(content, str) else content
    archive = zipped(**{"wikitext-2/wiki_train_tokens": content})
    put("wikitext-2-v1.zip" if packed else "wiki.train.tokens", archive if packed else content)

    class Wiki(T._WikiText):
        def __init__(self):
            self._archive_file = ("wikitext-2-v1.zip", sha1(archive))
            self._data_file = {"train": ("wiki.train.tokens", sha1(content))}
            self._segment, self._seq_len = segment, seq_len
            super().__init__(folder, "wikitext-2", vocab)

    w = Wiki()
    return [len(w), w.vocabulary.idx_to_token, w.frequencies, *(w[i] for i in range(len(w)))]


t = " \n = Title = \n \n the cat sat on the mat . \n the dog <unk> ran \n \n end \n"
