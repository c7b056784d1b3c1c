"""Keeps the facts about operators in their declarations."""

from tools.list_operator_names import find_names, list_names

# Names with the reason why they stand outside of the declaration; facts belong into `Traits`.
ALLOWED = {
    "gluon/contrib/cnn/conv_layers.py": {
        "Convolution",
        "_contrib_DeformableConvolution",
        "_contrib_ModulatedDeformableConvolution",
    },  # the layer calls it
    "gluon/loss.py": {"CTCLoss"},  # the name of a loss in __all__
    "gluon/nn/_convolution.py": {"Convolution", "Deconvolution"},  # the layer calls it
    "gluon/rnn/rnn_layer.py": {"RNN"},  # the name of a layer in __all__
    "graph/merging.py": {"_mul_scalar", "log_softmax", "pick"},  # the chain of one loss
    "ndarray/_sparse_dispatch.py": {
        "Concat",
        "Embedding",
        "_contrib_SparseEmbedding",
        "_contrib_edge_id",
        "_contrib_getnnz",
        "_identity_with_attr_like_rhs",
        "_scatter_elemwise_div",
        "_square_sum",
        "adam_update",
        "add_n",
        "broadcast_div",
        "broadcast_mul",
        "dot",
        "elemwise_add",
        "elemwise_mul",
        "elemwise_sub",
        "ftrl_update",
        "mean",
        "sgd_mom_update",
        "sgd_update",
        "zeros_like",
    },  # kernels for sparse arrays, which operators do not know
    "ops/binary.py": {
        "broadcast_maximum",
        "broadcast_minimum",
    },  # declared here with a kernel of another module
}


def test_names_of_operators_stand_in_their_declarations():
    listed = {module: set(names) for module, names in list_names().items()}
    assert listed == ALLOWED


def test_tables_of_names_are_listed(tmp_path, monkeypatch):
    module = tmp_path / "graph" / "facts.py"
    module.parent.mkdir()
    module.write_text(
        'get_op("Convolution")\n'
        'TABLE = {"elemwise_add", "max"}\n'
        "def f(op):\n"
        '    return op.name == "max"\n'
    )
    monkeypatch.setattr("tools.list_operator_names.SOURCE", tmp_path)
    assert sorted(find_names(module)) == [(2, "elemwise_add"), (4, "max")]


def test_declarations_are_not_listed():
    listed = list_names()
    assert "ops/nn/conv.py" not in listed
    assert "ops/elementwise.py" not in listed
