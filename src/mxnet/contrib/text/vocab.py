"""Numbers for tokens."""

from mxnet.gluon.contrib.data._vocabulary import Vocabulary as Vocabulary
