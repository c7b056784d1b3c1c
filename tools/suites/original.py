"""Which tests of MXNet 1.9.1 are run, and which are left out for which reason."""

from __future__ import annotations

from tools.suites.suite import Suite

_UNIT = "python/unittest/test_{}.py"
_GLUON = (
    "autograd ndarray gluon gluon_batch_processor gluon_contrib gluon_data gluon_data_vision "
    "gluon_estimator gluon_event_handler gluon_model_zoo gluon_rnn gluon_save gluon_trainer "
    "gluon_utils loss optimizer init metric rnn"
)
_OPERATORS = (
    "operator symbol executor infer_shape infer_type random image io recordio module "
    "sparse_ndarray sparse_operator numpy_gluon numpy_interoperability numpy_ndarray numpy_op "
    "higher_order_grad"
)
_REST = (
    "attr base contrib_autograd contrib_control_flow contrib_hawkesll contrib_io contrib_krprod "
    "contrib_operator contrib_optimizer contrib_stes_op contrib_svrg_module "
    "contrib_svrg_optimizer contrib_text dynamic_shape exc_handling kvstore kvstore_custom "
    "model_parallel multi_device_exec profiler runtime subgraph test_utils thread_local viz"
)
_TRAINING = "autograd bucketing conv mlp sparse_fm"

GROUPS: dict[str, tuple[str, ...]] = {
    "Gluon and arrays": tuple(map(_UNIT.format, _GLUON.split())),
    "Operators, graphs, `mx.np` and data": tuple(map(_UNIT.format, _OPERATORS.split())),
    "The rest of the package": (
        *map(_UNIT.format, _REST.split()),
        *map("python/train/test_{}.py".format, _TRAINING.split()),
        "python/quantization/test_quantization.py",
    ),
    "Export to ONNX": ("python-pytest/onnx/test_operators.py",),
}
"""Files that are run, by what they are about."""

LEFT_OUT_FILES = {
    "python/unittest/test_engine.py, test_engine_import.py": "the engine of the C++ library",
    "python/unittest/test_extensions.py": "operators compiled against the C++ library",
    "python/unittest/test_tvm_op.py": "a build with TVM",
    "python/unittest/test_contrib_intgemm.py": "a build with intgemm",
    "python/unittest/test_dgl_graph.py": "operators that sample graphs for DGL",
    "python/unittest/test_predictor.py": "the C interface for predictions",
    "python/unittest/test_dlpack.py, test_subgraph_op.py": "the C interface, through `ctypes`",
    "python/unittest/test_metric_perf.py": "prints times and checks nothing",
    "python/train/test_dtype.py, test_resnet_aug.py": "train on CIFAR-10 itself",
    "python/gpu, python/mkl, python/tensorrt, python/quantization_gpu": "CUDA, oneDNN, TensorRT",
    "python/doctest, python/profiling": "examples in the original's text; a profiler of CUDA",
    "python-pytest/onnx, but for test_operators.py": "trained models that are downloaded",
}
"""Files of the same folders that are not run, and what they need."""

LEFT_OUT: dict[str, str] = {
    "python/unittest/test_higher_order_grad.py::test_arcsinh": (
        "it expects the second derivative of `arcsinh` with the wrong sign"
    ),
    "python/unittest/test_ndarray.py::test_ndarray_nan_comparison": (
        "its last check wants NaN as the slope of `relu` at NaN, which no kernel of torch gives: "
        "each recorded `relu` would take longer; its values are NaN, as the test wants"
    ),
    "python/unittest/test_exc_handling.py::test_exc_post_fail": (
        "it reads a part of an array that could not be computed, after the error was raised for "
        "another part, and expects numbers; here every part raises"
    ),
    "python/unittest/test_symbol.py::test_zero_prop2": (
        "it expects that `batch_take` cannot be differentiated, which it can be here"
    ),
}
"""Tests that pass with the original and are left out here, and why."""

NUMPY_CHANGES: dict[str, dict[str, str]] = {
    "2.0": {
        "python/unittest/test_metric.py::test_acc": (
            "it divides a float32 scalar of NumPy by an int, which gave a double before NumPy 2"
        ),
        "python/unittest/test_operator.py::test_init": (
            "it asks NumPy for a range of uint8 that begins at -100, which NumPy 2 refuses"
        ),
        "python/unittest/test_numpy_interoperability.py::test_np_array_function_protocol": (
            "it wants the types that NumPy's functions return, and NumPy 2 returns tuples where "
            "1.9.1 returns lists (`broadcast_arrays`, `atleast_1d`, `meshgrid`)"
        ),
        "python/unittest/test_numpy_op.py::test_np_unique": (
            "it compares with the inverse of NumPy's `unique`, which was flat before NumPy 2"
        ),
    },
    "2.1": {
        "python/unittest/test_numpy_op.py::test_np_nonzero": (
            "it asks NumPy for `nonzero` of a 0-d array, which NumPy refuses since 2.1"
        )
    },
    "2.4": {
        "python/unittest/test_numpy_op.py::test_np_percentile": (
            "it calls NumPy's `percentile` with `interpolation=`, which NumPy 2.4 has no more"
        ),
        "python/unittest/test_numpy_ndarray.py::test_np_ndarray_indexing": (
            "it assigns an array with axes to one element of a NumPy array, which NumPy 2.4 refuses"
        ),
    },
}
"""Tests that pass with older releases of NumPy, by the first release that fails them, and why.

Each fails where it calls NumPy itself, or compares with what NumPy gives.
"""

SUITE = Suite(
    revision="1.9.1",
    judge="1.9.1",
    folders=("tests/python", "tests/python-pytest"),
    groups=GROUPS,
    expected="original_tests.json",
    left_out=LEFT_OUT,
    left_out_files=LEFT_OUT_FILES,
    numpy_changes=NUMPY_CHANGES,
)
