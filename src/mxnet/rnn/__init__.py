"""Symbolic recurrent networks: cells, sentences in buckets, checkpoints."""

from mxnet._start import tracebacks
from mxnet.rnn import io as io
from mxnet.rnn import rnn as rnn
from mxnet.rnn import rnn_cell as rnn_cell
from mxnet.rnn.io import BucketSentenceIter as BucketSentenceIter
from mxnet.rnn.io import encode_sentences as encode_sentences
from mxnet.rnn.rnn import do_rnn_checkpoint as do_rnn_checkpoint
from mxnet.rnn.rnn import load_rnn_checkpoint as load_rnn_checkpoint
from mxnet.rnn.rnn import rnn_unroll as rnn_unroll
from mxnet.rnn.rnn import save_rnn_checkpoint as save_rnn_checkpoint
from mxnet.rnn.rnn_cell import BaseConvRNNCell as BaseConvRNNCell
from mxnet.rnn.rnn_cell import BaseRNNCell as BaseRNNCell
from mxnet.rnn.rnn_cell import BidirectionalCell as BidirectionalCell
from mxnet.rnn.rnn_cell import ConvGRUCell as ConvGRUCell
from mxnet.rnn.rnn_cell import ConvLSTMCell as ConvLSTMCell
from mxnet.rnn.rnn_cell import ConvRNNCell as ConvRNNCell
from mxnet.rnn.rnn_cell import DropoutCell as DropoutCell
from mxnet.rnn.rnn_cell import FusedRNNCell as FusedRNNCell
from mxnet.rnn.rnn_cell import GRUCell as GRUCell
from mxnet.rnn.rnn_cell import LSTMCell as LSTMCell
from mxnet.rnn.rnn_cell import ModifierCell as ModifierCell
from mxnet.rnn.rnn_cell import ResidualCell as ResidualCell
from mxnet.rnn.rnn_cell import RNNCell as RNNCell
from mxnet.rnn.rnn_cell import RNNParams as RNNParams
from mxnet.rnn.rnn_cell import SequentialRNNCell as SequentialRNNCell
from mxnet.rnn.rnn_cell import ZoneoutCell as ZoneoutCell

tracebacks.public_functions(globals())
