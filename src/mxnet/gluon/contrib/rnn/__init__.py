"""More recurrent cells: convolutional, with projection, and with variational dropout."""

from mxnet.gluon.contrib.rnn import conv_rnn_cell as conv_rnn_cell
from mxnet.gluon.contrib.rnn import rnn_cell as rnn_cell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv1DGRUCell as Conv1DGRUCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv1DLSTMCell as Conv1DLSTMCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv1DRNNCell as Conv1DRNNCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv2DGRUCell as Conv2DGRUCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv2DLSTMCell as Conv2DLSTMCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv2DRNNCell as Conv2DRNNCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv3DGRUCell as Conv3DGRUCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv3DLSTMCell as Conv3DLSTMCell
from mxnet.gluon.contrib.rnn.conv_rnn_cell import Conv3DRNNCell as Conv3DRNNCell
from mxnet.gluon.contrib.rnn.rnn_cell import LSTMPCell as LSTMPCell
from mxnet.gluon.contrib.rnn.rnn_cell import VariationalDropoutCell as VariationalDropoutCell
