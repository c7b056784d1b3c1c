"""Recurrent layers, which run whole sequences, and cells, which run one step."""

from mxnet._start import make_getattr
from mxnet.gluon.rnn import rnn_cell as rnn_cell
from mxnet.gluon.rnn import rnn_layer as rnn_layer
from mxnet.gluon.rnn.rnn_cell import BidirectionalCell as BidirectionalCell
from mxnet.gluon.rnn.rnn_cell import DropoutCell as DropoutCell
from mxnet.gluon.rnn.rnn_cell import GRUCell as GRUCell
from mxnet.gluon.rnn.rnn_cell import HybridRecurrentCell as HybridRecurrentCell
from mxnet.gluon.rnn.rnn_cell import HybridSequentialRNNCell as HybridSequentialRNNCell
from mxnet.gluon.rnn.rnn_cell import LSTMCell as LSTMCell
from mxnet.gluon.rnn.rnn_cell import ModifierCell as ModifierCell
from mxnet.gluon.rnn.rnn_cell import RecurrentCell as RecurrentCell
from mxnet.gluon.rnn.rnn_cell import ResidualCell as ResidualCell
from mxnet.gluon.rnn.rnn_cell import RNNCell as RNNCell
from mxnet.gluon.rnn.rnn_cell import SequentialRNNCell as SequentialRNNCell
from mxnet.gluon.rnn.rnn_cell import ZoneoutCell as ZoneoutCell
from mxnet.gluon.rnn.rnn_layer import GRU as GRU
from mxnet.gluon.rnn.rnn_layer import LSTM as LSTM
from mxnet.gluon.rnn.rnn_layer import RNN as RNN

_CONTRIB = (
    "Conv1DGRUCell Conv1DLSTMCell Conv1DRNNCell Conv2DGRUCell Conv2DLSTMCell Conv2DRNNCell "
    "Conv3DGRUCell Conv3DLSTMCell Conv3DRNNCell LSTMPCell VariationalDropoutCell"
)
_LATE = {name: f"mxnet.gluon.contrib.rnn:{name}" for name in _CONTRIB.split()}
"""Cells that MXNet 2 shows here, by where they are: in `contrib`, as in MXNet 1.9.1."""

__getattr__ = make_getattr(__name__, globals(), _LATE)
