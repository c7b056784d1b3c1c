"""Keeps the facts about operators in their declarations."""

from mxnet.graph.passes.table import _WITH_HISTORY
from tools.list_operator_names import find_names, list_names

# Why names stand outside of the declaration; facts about an operator belong into `Traits`.
CALLED = "the layer calls this operator"
SPELLED = "a public name"
SORTED = "the original's list of functions with an attribute or inputs that matter"
REFUSED = "the operator that an error is about"
OF_NUMPY = "a function of NumPy of this name"
ORIGIN = "what is computed by one kernel or assigned stands for it in `autograd.get_symbol`"

OF_TORCH = "what a function or a layer of torch becomes, or that function's name"
DECLARED = "the declaration itself, with a scalar"
OF_LISTS = "a method of lists"
OF_ACTIVATIONS = "a value of the attribute that chooses a function"
OF_TABLES = "the head of a column"
OF_KEYS = "what a key of a store ends with"
OF_WEB = "a coding of HTTP"
FOUND = "a list that a test finds by running every sample"
LISTED = "the original's list of operators that are functions of another module"

ALLOWED = {
    "_formats/downloads.py": {"identity": OF_WEB},
    "_start/importing.py": dict.fromkeys(
        (
            *("Activation", "Convolution", "Pooling", "RNN", "Softmax", "batch_dot", "dot"),
            *("expand_dims", "transpose", "where"),
        ),
        OF_TORCH,
    ),
    "base.py": dict.fromkeys(("_npi_hsplit", "_npi_split"), LISTED),
    "contrib/amp/lists/symbol_bf16.py": dict.fromkeys(
        ("BatchNorm", "_Minimum", "broadcast_mul"), SORTED
    ),
    "contrib/amp/lists/symbol_fp16.py": dict.fromkeys(("Activation", "LeakyReLU"), SORTED),
    "contrib/svrg_optimization/svrg_optimizer.py": {"_full": OF_KEYS},
    "gluon/contrib/cnn/conv_layers.py": {
        "Convolution": CALLED,
        "_contrib_DeformableConvolution": CALLED,
        "_contrib_ModulatedDeformableConvolution": CALLED,
    },
    "gluon/contrib/torch/_tables.py": dict.fromkeys(
        ("LeakyReLU", "exp", "log", "log_softmax", "squeeze", "transpose"), OF_TORCH
    ),
    "gluon/parameters/arrays.py": {"sort": OF_LISTS},
    "gluon/parameters/dictionary.py": {"where": OF_TABLES},
    "gluon/rnn/_cells.py": dict.fromkeys(
        ("SliceChannel", "_rminus_scalar", "elemwise_add", "elemwise_mul"), ORIGIN
    ),
    "gluon/nn/conv_layers.py": dict.fromkeys(("Convolution", "Deconvolution"), CALLED),
    "initializer/_initializers.py": dict.fromkeys(("_random_normal", "_random_uniform"), CALLED),
    "graph/passes/patterns.py": {"Dropout": REFUSED},
    "graph/passes/table.py": dict.fromkeys(_WITH_HISTORY, FOUND),
    "ndarray/_indexing.py": {"broadcast_to": ORIGIN},
    "ndarray/_sparse_base.py": dict.fromkeys(("_copy", "negative"), SPELLED),
    "ndarray/sparse.py": {"cast_storage": SPELLED},
    "numpy/_ndarray.py": dict.fromkeys(("broadcast_like", "expand_dims"), SPELLED),
    "numpy_op_signature.py": dict.fromkeys(
        ("_npx_constraint_check", "_npx_nonzero", "_npx_reshape"), LISTED
    ),
    "numpy/fallback.py": dict.fromkeys(("cumsum", "nanprod", "nansum"), OF_NUMPY),
    "ops/nn/activation.py": dict.fromkeys(("log_sigmoid", "mish"), OF_ACTIVATIONS),
    "ops/math/elementwise.py": {"_contrib_backward_gradientmultiplier": DECLARED},
    "symbol/_operators.py": dict.fromkeys(("diag", "expand_dims", "squeeze"), SPELLED),
    "symbol/numpy/_symbol.py": {"Cast": CALLED},
}


def test_names_of_operators_stand_in_their_declarations():
    listed = {module: set(names) for module, names in list_names().items()}
    for table in ("ops/core/traits.py", "graph/mxnet2.py"):  # names that MXNet 2 has for them
        assert listed.pop(table)
    assert listed == {module: set(names) for module, names in ALLOWED.items()}


def test_tables_of_names_are_listed(tmp_path, monkeypatch):
    module = tmp_path / "graph" / "facts.py"
    module.parent.mkdir()
    module.write_text(
        '__all__ = ["Concat"]\n'
        'get_op("Convolution")(functions["dot"])\n'
        'TABLE = {"elemwise_add", "max"}\n'
        "def f(op):\n"
        '    return op.name == "max"\n'
    )
    monkeypatch.setattr("tools.list_operator_names.SOURCE", tmp_path)
    assert sorted(find_names(module)) == [(3, "elemwise_add"), (5, "max")]


def test_declarations_are_not_listed():
    listed = list_names()
    assert "ops/nn/linear.py" not in listed
    assert "ops/math/reduction.py" not in listed
