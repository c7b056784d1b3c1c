"""Symbolic recurrent cells."""

from mxnet.rnn._base import BaseRNNCell as BaseRNNCell
from mxnet.rnn._base import RNNParams as RNNParams
from mxnet.rnn._cells import DropoutCell as DropoutCell
from mxnet.rnn._cells import GRUCell as GRUCell
from mxnet.rnn._cells import LSTMCell as LSTMCell
from mxnet.rnn._cells import RNNCell as RNNCell
from mxnet.rnn._containers import BidirectionalCell as BidirectionalCell
from mxnet.rnn._containers import SequentialRNNCell as SequentialRNNCell
from mxnet.rnn._conv import BaseConvRNNCell as BaseConvRNNCell
from mxnet.rnn._conv import ConvGRUCell as ConvGRUCell
from mxnet.rnn._conv import ConvLSTMCell as ConvLSTMCell
from mxnet.rnn._conv import ConvRNNCell as ConvRNNCell
from mxnet.rnn._fused import FusedRNNCell as FusedRNNCell
from mxnet.rnn._modifiers import ModifierCell as ModifierCell
from mxnet.rnn._modifiers import ResidualCell as ResidualCell
from mxnet.rnn._modifiers import ZoneoutCell as ZoneoutCell

for _class in (  # where programs and pickles find them, as in the original
    BaseRNNCell,
    RNNParams,
    DropoutCell,
    GRUCell,
    LSTMCell,
    RNNCell,
    BidirectionalCell,
    SequentialRNNCell,
    BaseConvRNNCell,
    ConvGRUCell,
    ConvLSTMCell,
    ConvRNNCell,
    FusedRNNCell,
    ModifierCell,
    ResidualCell,
    ZoneoutCell,
):
    _class.__module__ = __name__
