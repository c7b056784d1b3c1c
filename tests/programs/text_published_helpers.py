"""Files that are published with their checksums."""

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

from .text_helpers import C, E, V, ab, count, ct, load, put, read, state, watched


def published(cls, names, archives=None):
    tables = {"pretrained_file_name_sha1": names}
    if archives:
        tables["pretrained_archive_name_sha1"] = archives
    return mock.patch.multiple(cls, **tables)


def sha1(content):
    return hashlib.sha1(content).hexdigest()


def zipped(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return stream.getvalue()


the = b"the 1 2\nof 3 4\n"
