"""Which tests of MXNet 2 are run, and which are left out for which reason."""

from __future__ import annotations

from tools.suites import original
from tools.suites.suite import Suite

_UNIT = "python/unittest/test_{}.py"
_GLUON = (
    "autograd deferred_compute gluon gluon_batch_processor gluon_control_flow gluon_data "
    "gluon_estimator gluon_event_handler gluon_indexing gluon_model_zoo gluon_probability_v2 "
    "gluon_rnn gluon_save gluon_trainer gluon_utils loss metric numpy_gluon "
    "numpy_gluon_data_vision numpy_contrib_gluon_data_vision contrib_gluon_data_vision "
    "numpy_loss optimizer contrib_optimizer smoke"
)
_ARRAYS = (
    "numpy_op numpy_ndarray numpy_interoperability numpy_default_dtype dynamic_shape "
    "higher_order_grad random image io recordio"
)
_OLD = (
    "ndarray operator symbol executor infer_shape infer_type sparse_ndarray sparse_operator "
    "contrib_control_flow contrib_hawkesll contrib_io contrib_krprod contrib_operator "
    "contrib_stes_op"
)
_REST = (
    "attr base exc_handling kvstore kvstore_custom memory_opt profiler runtime subgraph "
    "test_utils thread_local viz"
)

GROUPS: dict[str, tuple[str, ...]] = {
    "Gluon": tuple(map(_UNIT.format, _GLUON.split())),
    "`mx.np`, `npx` and data": tuple(map(_UNIT.format, _ARRAYS.split())),
    "Operators and graphs of 1.x": tuple(map(_UNIT.format, _OLD.split())),
    "The rest of the package": (
        *map(_UNIT.format, _REST.split()),
        "python/train/test_autograd.py",
        "python/quantization/test_quantization.py",
        "python/array-api/test_data_interchange.py",
    ),
    "Export to ONNX": ("python/onnx/test_operators.py",),
}
"""Files that are run, by what they are about."""

LEFT_OUT_FILES = {
    "python/unittest/test_engine.py, test_engine_import.py": "the engine of the C++ library",
    "python/unittest/test_ffi_container.py": "containers of the C++ library",
    "python/unittest/test_extensions.py": "operators compiled against the C++ library",
    "python/unittest/test_tvm_op.py": "a build with TVM",
    "python/unittest/test_contrib_intgemm.py": "a build with intgemm",
    "python/unittest/test_dgl_graph.py": "operators that sample graphs for DGL",
    "python/unittest/test_subgraph_op.py": "the C interface, through `ctypes`",
    "python/gpu, python/dnnl, python/test_quantization_gpu.py": "CUDA, oneDNN",
    "python/doctest, python/profiling": "examples in the original's text; a profiler of CUDA",
    "python/onnx/test_models.py": "trained models that are downloaded",
}
"""Files of the same folders that are not run, and what they need."""

LEFT_OUT: dict[str, str] = {
    test: original.LEFT_OUT[test]
    for test in (
        "python/unittest/test_higher_order_grad.py::test_arcsinh",
        "python/unittest/test_ndarray.py::test_ndarray_nan_comparison",
        "python/unittest/test_exc_handling.py::test_exc_post_fail",
    )
}
"""Tests that pass with the original and are left out here, and why."""

SUITE = Suite(
    revision="master",
    judge="2.0.0b1",
    folders=("tests/python", "conftest.py"),
    groups=GROUPS,
    expected="original_tests_2.json",
    left_out=LEFT_OUT,
    left_out_files=LEFT_OUT_FILES,
    part="MXNet 2, ",
    names={"mxnet.util.TemporaryDirectory": "tempfile.TemporaryDirectory"},
    variables={"MXNET_VERSION": "2", "SUITE_MARK": "garbage_expected"},
)
