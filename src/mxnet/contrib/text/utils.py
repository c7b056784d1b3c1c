"""Counting tokens."""

from mxnet.gluon.contrib.data._vocabulary import count_tokens_from_str as count_tokens_from_str
