"""Symbolic recurrent cells: names of graphs, values, weights by gate, sentences, checkpoints."""

from .core import lines

_GRAPHS = """
unrolled(lambda: R.RNNCell(3), "ab")
unrolled(lambda: R.RNNCell(3, activation="relu", prefix="p_"), merge_outputs=True)
unrolled(lambda: R.LSTMCell(3), layout="TNC")
unrolled(lambda: R.LSTMCell(3, forget_bias=2.0), "ab", merge_outputs=True)
unrolled(lambda: R.GRUCell(3), merge_outputs=False)
unrolled(lambda: R.GRUCell(3), begin_state=[v("h0")])
unrolled(lambda: R.FusedRNNCell(3, num_layers=2, prefix="f_"))
unrolled(lambda: R.FusedRNNCell(3, num_layers=2, mode="gru", bidirectional=True, dropout=0.3, get_next_state=True), layout="TNC", merge_outputs=False)
unrolled(lambda: R.FusedRNNCell(3, mode="rnn_tanh", get_next_state=True), "ab", merge_outputs=True)
unrolled(lambda: R.FusedRNNCell(2, num_layers=2, dropout=0.2, bidirectional=True, prefix="a_").unfuse())
unrolled(stack)
unrolled(stack, merge_outputs=True)
unrolled(lambda: R.SequentialRNNCell())
unrolled(lambda: R.BidirectionalCell(R.LSTMCell(3, prefix="l_"), R.GRUCell(2, prefix="r_")))
unrolled(lambda: R.BidirectionalCell(R.LSTMCell(3, prefix="l_"), R.LSTMCell(3, prefix="r_"), output_prefix="o_"), "ab", merge_outputs=True, layout="TNC")
unrolled(lambda: R.BidirectionalCell(R.FusedRNNCell(2, prefix="a_"), R.RNNCell(2, prefix="b_")))
unrolled(lambda: R.BidirectionalCell(R.FusedRNNCell(2, prefix="a_"), R.RNNCell(2, prefix="b_")), merge_outputs=True)
unrolled(lambda: R.BidirectionalCell(R.FusedRNNCell(2, prefix="a_"), R.FusedRNNCell(2, prefix="b_")))
unrolled(lambda: R.DropoutCell(0.5))
unrolled(lambda: R.DropoutCell(0.5), "ab")
unrolled(lambda: R.DropoutCell(0.5), merge_outputs=False)
unrolled(lambda: R.ZoneoutCell(R.LSTMCell(3), 0.2, 0.3))
unrolled(lambda: R.ZoneoutCell(R.RNNCell(3), 0.2), merge_outputs=True)
unrolled(lambda: R.ResidualCell(R.RNNCell(3)))
unrolled(lambda: R.ResidualCell(R.RNNCell(3)), "ab", merge_outputs=True)
unrolled(lambda: R.ResidualCell(R.FusedRNNCell(3, prefix="f_")))
unrolled(lambda: R.ConvRNNCell(input_shape=(1, 3, 8, 7), num_hidden=4), "ab")
unrolled(lambda: R.ConvLSTMCell(input_shape=(1, 3, 8, 7), num_hidden=4, h2h_kernel=(5, 3), i2h_stride=(2, 1), activation="tanh"), "ab")
unrolled(lambda: R.ConvGRUCell(input_shape=(1, 3, 8, 7), num_hidden=4, prefix="cg_"), "ab")
unrolled(lambda: R.ConvLSTMCell(input_shape=(1, 8, 7, 3), num_hidden=4, conv_layout="NHWC", i2h_pad=(0, 0), h2h_dilate=(2, 2)), "ab")
unrolled(lambda: R.ModifierCell(R.RNNCell(3)))
unrolled(lambda: R.RNNCell(3), "ab", length=3)
R.RNNCell(3).unroll(2, mx.sym.Group([v("a"), v("b")]))
unrolled(lambda: R.RNNCell(3, prefix=""), "a", length=1)
counted()
twice(R.RNNCell(2))
twice(R.ZoneoutCell(R.RNNCell(2), 0.1, 0.1))
twice(R.ResidualCell(R.RNNCell(2)))
[(s.name, sorted(s.list_attr().items())) for s in R.LSTMCell(3).begin_state(func=mx.sym.Variable)]
[(s.name, sorted(s.list_attr().items())) for s in R.LSTMCell(3).begin_state(func=mx.sym.ones, dtype="float16")]
[s.name for s in stack().begin_state()]
[s.name for s in R.ResidualCell(R.LSTMCell(3)).begin_state(init_sym=mx.sym.ones)]
R.LSTMCell(3).begin_state(batch_size=3)
R.FusedRNNCell(3)(v("x"), [])
R.BidirectionalCell(R.RNNCell(2, prefix="a_"), R.RNNCell(2, prefix="b_"))(v("x"), [])
R.BaseRNNCell(prefix="q_")(v("x"), [])
R.BaseRNNCell(prefix="q_").state_info
R.ZoneoutCell(R.FusedRNNCell(3))
R.ZoneoutCell(R.BidirectionalCell(R.RNNCell(2), R.RNNCell(2)))
R.ResidualCell(R.LSTMCell(3)).base_cell.begin_state()
R.SequentialRNNCell(params=R.RNNParams("p_")).add(R.LSTMCell(3))
R.BidirectionalCell(R.RNNCell(2), R.RNNCell(2), params=R.RNNParams("p_"))
R.DropoutCell("x")
R.ConvLSTMCell(input_shape=(1, 3, 8, 7), num_hidden=4, h2h_kernel=(4, 4))
R.RNNParams("p_").get("w").name
sorted(R.LSTMCell(3, prefix="s_", params=R.RNNParams("t_")).params._params)
sorted(R.BidirectionalCell(R.RNNCell(2, prefix="a_"), R.RNNCell(2, prefix="b_")).params._params)
"""  # noqa: E501

_VALUES = """
computed(lambda: R.RNNCell(3))
computed(lambda: R.LSTMCell(3), merge_outputs=True)
computed(lambda: R.GRUCell(3), layout="TNC", shape=(3, 2, 4))
computed(stack)
computed(lambda: R.BidirectionalCell(R.LSTMCell(3, prefix="l_"), R.GRUCell(2, prefix="r_")))
computed(lambda: fused(both=True))
computed(lambda: fused("gru"), layout="TNC", shape=(3, 2, 4))
computed(lambda: fused(both=True).unfuse(), merge_outputs=True)
computed(lambda: R.ZoneoutCell(R.LSTMCell(3), 0.0, 0.0))
convolved(lambda: R.ConvRNNCell(input_shape=(1, 2, 4, 5), num_hidden=2))
convolved(lambda: R.ConvLSTMCell(input_shape=(1, 2, 4, 5), num_hidden=2))
convolved(lambda: R.ConvLSTMCell(input_shape=(1, 2, 4, 5), num_hidden=2, h2h_kernel=(1, 3), activation="tanh"))
"""  # noqa: E501

_WEIGHTS = """
shapes(R.LSTMCell(2).unpack_weights(numbered(lstm_i2h_weight=(8, 3), lstm_i2h_bias=(8,), lstm_h2h_weight=(8, 2), lstm_h2h_bias=(8,), other=(2,))))
shapes(R.GRUCell(2).unpack_weights(numbered(gru_i2h_weight=(6, 3), gru_i2h_bias=(6,), gru_h2h_weight=(6, 2), gru_h2h_bias=(6,))))
shapes(R.ConvLSTMCell(input_shape=(1, 3, 8, 7), num_hidden=2).unpack_weights(numbered(ConvLSTM_i2h_weight=(8, 3, 3, 3), ConvLSTM_i2h_bias=(8,), ConvLSTM_h2h_weight=(8, 2, 3, 3), ConvLSTM_h2h_bias=(8,))))
R.LSTMCell(2).unpack_weights({})
R.LSTMCell(2).pack_weights({})
shapes(fused().unpack_weights(vector()))
shapes(fused(both=True).unpack_weights(vector(both=True)))
shapes(fused("gru", 1, True).unpack_weights(vector("gru", 1, True)))
shapes(fused("rnn_tanh", 2, True).unpack_weights(vector("rnn_tanh", 2, True)))
fused(both=True).pack_weights(fused(both=True).unpack_weights(vector(both=True)))["f_parameters"]
shapes(fused("gru").pack_weights(fused("gru").unpack_weights(vector("gru"))))
shapes(fused(both=True).unfuse().pack_weights(fused(both=True).unpack_weights(vector(both=True))))
shapes(R.ResidualCell(fused()).unpack_weights(vector()))
[type(cell).__name__ + cell._prefix for cell in R.FusedRNNCell(3, num_layers=3, dropout=0.5, prefix="f_").unfuse()._cells]
saved(fused(), fused())
saved(fused(), fused().unfuse())
called(2)
called(0)
"""  # noqa: E501

_SENTENCES = r"""
R.encode_sentences(WORDS)
R.encode_sentences(WORDS, invalid_label=0, start_label=1)
R.encode_sentences(WORDS, invalid_label=2, invalid_key="PAD")
R.encode_sentences(WORDS, vocab={"a": 5, "b": 6, "c": 7})
R.encode_sentences(WORDS, vocab={"a": 5, "b": 6, "c": 7}, unknown_token="<unk>")
R.encode_sentences(WORDS, vocab={"a": 5, "b": 6, "c": 7, "<unk>": 0}, unknown_token="<unk>")
R.encode_sentences([])
R.encode_sentences(["ab", "c"])
batches()
batches(buckets=[4, 8])
batches(buckets=[8, 4], invalid_label=0, data_name="d", label_name="l", dtype="int32", layout="TN")
batches(buckets=[8, 20])
batches(layout="XX")
R.BucketSentenceIter([[1, 2]], 4)
"""

PROGRAMS = lines("rnn_cell_helpers", _GRAPHS + _VALUES + _WEIGHTS + _SENTENCES)
