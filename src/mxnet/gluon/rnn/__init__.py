"""Recurrent layers, which run whole sequences, and cells, which run one step."""

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
