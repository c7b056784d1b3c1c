"""Recurrent cells."""

from mxnet.errors import InvalidArgumentError
from mxnet.gluon.rnn._cells import GRUCell, LSTMCell, RNNCell
from mxnet.gluon.rnn._containers import (
    BidirectionalCell,
    HybridSequentialRNNCell,
    SequentialRNNCell,
)
from mxnet.gluon.rnn._containers import begin_states_of as _cells_begin_state
from mxnet.gluon.rnn._containers import states_of as _cells_state_info
from mxnet.gluon.rnn._modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell
from mxnet.gluon.rnn._recurrent_cell import HybridRecurrentCell, RecurrentCell
from mxnet.gluon.rnn._sequence import as_list as _as_list
from mxnet.gluon.rnn._sequence import begin_state_of as _get_begin_state
from mxnet.gluon.rnn._sequence import format_sequence as _format_sequence
from mxnet.gluon.rnn._sequence import mask_steps as _mask_sequence_variable_length
from mxnet.gluon.rnn._sequence import reverse_steps as _reverse_sequences

__all__ = [
    "BidirectionalCell",
    "DropoutCell",
    "GRUCell",
    "HybridRecurrentCell",
    "HybridSequentialRNNCell",
    "InvalidArgumentError",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RecurrentCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
    "_as_list",
    "_cells_begin_state",
    "_cells_state_info",
    "_format_sequence",
    "_get_begin_state",
    "_mask_sequence_variable_length",
    "_reverse_sequences",
]

for _class in (  # where programs and pickles find them, as in the original
    BidirectionalCell,
    DropoutCell,
    GRUCell,
    HybridRecurrentCell,
    HybridSequentialRNNCell,
    LSTMCell,
    ModifierCell,
    RNNCell,
    RecurrentCell,
    ResidualCell,
    SequentialRNNCell,
    ZoneoutCell,
):
    _class.__module__ = __name__
