"""Keeps the facts about operators in their declarations."""

from tools.list_operator_names import find_names, list_names

# Names with the reason why they stand outside of the declaration.
ALLOWED = {
    "_array_trace.py": {"BlockGrad", "Cast", "Reshape", "_copy"},  # calls operators while tracing
    "gluon/contrib/cnn/conv_layers.py": {
        "Convolution",
        "_contrib_DeformableConvolution",
        "_contrib_ModulatedDeformableConvolution",
    },  # the layer calls it
    "gluon/loss.py": {"CTCLoss"},  # the name of a loss in __all__
    "gluon/nn/_convolution.py": {"Convolution", "Deconvolution"},  # the layer calls it
    "gluon/rnn/rnn_layer.py": {"RNN"},  # the name of a layer in __all__
    "ndarray/_sparse_dispatch.py": {
        "Concat",
        "Custom",
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

# Tables that are still to move into declarations; only to be made shorter.
TABLES = {
    "executor/_monitoring.py": {
        "Dropout",
        "L2Normalization",
        "LRN",
        "MakeLoss",
        "Pad",
        "Pooling",
        "Pooling_v1",
        "Reshape",
        "SliceChannel",
        "SwapAxis",
        "_grad_add",
        "cumsum",
        "depth_to_space",
        "diag",
        "elemwise_add",
        "log_softmax",
        "one_hot",
        "reverse",
        "softmax",
        "space_to_depth",
        "squeeze",
        "tile",
    },
    "gluon/hybrid/op_hooks.py": {
        "Activation",
        "BatchNorm",
        "BilinearSampler",
        "Concat",
        "Convolution",
        "Correlation",
        "Crop",
        "Deconvolution",
        "Dropout",
        "FullyConnected",
        "GridGenerator",
        "GroupNorm",
        "InstanceNorm",
        "L2Normalization",
        "LRN",
        "LayerNorm",
        "LeakyReLU",
        "MakeLoss",
        "Pad",
        "Pooling",
        "Pooling_v1",
        "RNN",
        "ROIPooling",
        "SequenceLast",
        "SequenceMask",
        "SequenceReverse",
        "SliceChannel",
        "SoftmaxActivation",
        "SoftmaxOutput",
        "SpatialTransformer",
        "SwapAxis",
        "UpSampling",
        "_contrib_BilinearResize2D",
        "_contrib_SyncBatchNorm",
        "_split_v2",
        "add_n",
        "cumsum",
        "depth_to_space",
        "diag",
        "elemwise_add",
        "log_softmax",
        "make_loss",
        "one_hot",
        "reverse",
        "softmax",
        "softmin",
        "space_to_depth",
        "squeeze",
        "tile",
    },
    "graph/fusion.py": {
        "Activation",
        "BatchNorm",
        "BatchNorm_v1",
        "Convolution",
        "Dropout",
        "FullyConnected",
        "LeakyReLU",
        "_contrib_SyncBatchNorm",
        "_grad_add",
        "clip",
        "elemwise_add",
    },
    "graph/merging.py": {"_mul_scalar", "log_softmax", "pick"},
    "graph/passes.py": {"BlockGrad", "Custom", "Dropout", "MakeLoss", "_copy", "make_loss"},
    "graph/reordering.py": {"Activation", "Pooling", "relu"},
    "graph/storage.py": {"cast_storage"},
    "ops/storage_rules.py": {
        "BlockGrad",
        "Concat",
        "Embedding",
        "_contrib_SparseEmbedding",
        "_div_scalar",
        "_equal_scalar",
        "_greater_equal_scalar",
        "_greater_scalar",
        "_identity_with_attr_like_rhs",
        "_lesser_equal_scalar",
        "_lesser_scalar",
        "_minus_scalar",
        "_mul_scalar",
        "_not_equal_scalar",
        "_plus_scalar",
        "_scatter_elemwise_div",
        "_scatter_minus_scalar",
        "_scatter_plus_scalar",
        "_sparse_retain",
        "_square_sum",
        "add_n",
        "arcsin",
        "arcsinh",
        "arctan",
        "arctanh",
        "broadcast_div",
        "cast_storage",
        "cbrt",
        "degrees",
        "dot",
        "elemwise_add",
        "elemwise_mul",
        "elemwise_sub",
        "expm1",
        "log1p",
        "make_loss",
        "radians",
        "rint",
        "round",
        "sin",
        "sinh",
        "tan",
    },
    "symbol/symbol.py": {"BlockGrad", "cast"},
    "visualization.py": {
        "Activation",
        "BatchNorm",
        "Concat",
        "Convolution",
        "Custom",
        "Embedding",
        "Flatten",
        "FullyConnected",
        "LeakyReLU",
        "Pooling",
        "Reshape",
    },
}


def test_names_of_operators_stand_in_their_declarations():
    listed = {module: set(names) for module, names in list_names().items()}
    assert listed == ALLOWED | TABLES


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
