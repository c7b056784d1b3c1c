"""Names that modules of the original import from others, and programs import from these modules.

`from mxnet.gluon.rnn.rnn_cell import HybridBlock` works in the original, as the module imports that
class. Modules here are divided otherwise: a `__getattr__` of each finds such names in their own
modules on the first access.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from mxnet._start import after_import, make_getattr

_SOURCES = {
    "collections": "OrderedDict defaultdict namedtuple",
    "functools": "reduce",
    "multiprocessing": "current_process",
    "multiprocessing.pool": "ThreadPool",
    "numbers": "Number",
    "mxnet.attribute": "AttrScope",
    "mxnet.autograd": "is_recording",
    "mxnet.base": "MXNetError NDArrayHandle NotImplementedForSymbol SymbolHandle _LIB _Null "
    "_as_list c_array c_array_buf c_str c_str_array check_call integer_types mx_real_t mx_uint "
    "numeric_types py_str string_types",
    "mxnet.context": "Context cpu current_context gpu",
    "mxnet.executor": "Executor",
    "mxnet.executor_manager": "_check_arguments _load_data _load_label _split_input_slice",
    "mxnet.gluon.block": "Block HybridBlock",
    "mxnet.gluon.loss": "SoftmaxCrossEntropyLoss",
    "mxnet.gluon.nn": "Activation LeakyReLU",
    "mxnet.gluon.parameter": "tensor_types",
    "mxnet.gluon.rnn.rnn_cell": "BidirectionalCell HybridRecurrentCell SequentialRNNCell "
    "_format_sequence _get_begin_state _mask_sequence_variable_length",
    "mxnet.gluon.utils": "_brief_print_list _get_repo_file_url _indent check_sha1 download "
    "replace_file shape_is_known split_and_load",
    "mxnet.image.image": "Augmenter CastAug ColorJitterAug ColorNormalizeAug ForceResizeAug "
    "HueJitterAug ImageIter LightingAug RandomGrayAug RandomOrderAug ResizeAug copyMakeBorder "
    "fixed_crop",
    "mxnet.initializer": "InitDesc Uniform",
    "mxnet.io": "DataBatch DataDesc DataIter",
    "mxnet.io.utils": "_has_instance _init_data _slice_along_batch_axis",
    "mxnet.kvstore": "KVStore",
    "mxnet.metric": "Accuracy CompositeEvalMetric EvalMetric",
    "mxnet.model": "BatchEndParam _create_kvstore _create_sparse_kvstore _initialize_kvstore "
    "_update_params _update_params_on_kvstore load_checkpoint save_checkpoint",
    "mxnet.module.base_module": "BaseModule _check_input_names _parse_data_desc",
    "mxnet.module.bucketing_module": "BucketingModule",
    "mxnet.name": "NameManager",
    "mxnet.ndarray": "CachedOp NDArray array clip concat mean multiply normal sqrt square tile "
    "zeros",
    "mxnet.ndarray.ndarray": "_DTYPE_MX_TO_NP _DTYPE_NP_TO_MX _GRAD_REQ_MAP "
    "_STORAGE_TYPE_STR_TO_ID",
    "mxnet.ndarray.sparse": "CSRNDArray",
    "mxnet.optimizer": "register",
    "mxnet.runtime": "Features",
    "mxnet.symbol": "Symbol load_json",
    "mxnet.util": "is_np_array is_np_shape np_array np_shape set_np use_np",
}
"""The names by the module that defines them."""

_MODULES = {
    "mxnet.contrib.text.embedding": "is_np_array",
    "mxnet.executor": "_check_arguments _load_data _load_label _split_input_slice",
    "mxnet.gluon.block": "MXNetError OrderedDict _brief_print_list defaultdict is_np_array "
    "load_json mx_real_t np_array np_shape",
    "mxnet.gluon.contrib.cnn.conv_layers": "Activation numeric_types",
    "mxnet.gluon.contrib.data.text": "check_sha1 download",
    "mxnet.gluon.contrib.estimator.estimator": "cpu split_and_load",
    "mxnet.gluon.contrib.estimator.event_handler": "CompositeEvalMetric EvalMetric",
    "mxnet.gluon.contrib.estimator.utils": "Accuracy CompositeEvalMetric EvalMetric "
    "SoftmaxCrossEntropyLoss",
    "mxnet.gluon.contrib.rnn.conv_rnn_cell": "HybridRecurrentCell numeric_types",
    "mxnet.gluon.contrib.rnn.rnn_cell": "BidirectionalCell HybridRecurrentCell SequentialRNNCell "
    "_as_list _format_sequence _get_begin_state _mask_sequence_variable_length tensor_types",
    "mxnet.gluon.data.dataloader": "ThreadPool is_np_array is_np_shape set_np",
    "mxnet.gluon.data.vision.datasets": "_get_repo_file_url check_sha1 download is_np_array",
    "mxnet.gluon.data.vision.transforms": "is_np_array numeric_types",
    "mxnet.gluon.loss": "numeric_types",
    "mxnet.gluon.model_zoo.model_store": "replace_file",
    **dict.fromkeys(
        (
            *("mxnet.gluon.model_zoo.vision.alexnet", "mxnet.gluon.model_zoo.vision.densenet"),
            *("mxnet.gluon.model_zoo.vision.inception", "mxnet.gluon.model_zoo.vision.mobilenet"),
            *("mxnet.gluon.model_zoo.vision.resnet", "mxnet.gluon.model_zoo.vision.squeezenet"),
            "mxnet.gluon.model_zoo.vision.vgg",
        ),
        "HybridBlock cpu",
    ),
    "mxnet.gluon.nn.activations": "is_np_array",
    "mxnet.gluon.nn.basic_layers": "_indent is_np_array",
    "mxnet.gluon.nn.conv_layers": "is_np_array numeric_types",
    "mxnet.gluon.parameter": "Context MXNetError OrderedDict _brief_print_list _indent cpu "
    "defaultdict is_np_array is_np_shape mx_real_t shape_is_known",
    "mxnet.gluon.rnn.rnn_cell": "Block HybridBlock LeakyReLU _indent numeric_types string_types "
    "tensor_types",
    "mxnet.gluon.rnn.rnn_layer": "HybridBlock is_np_array tensor_types",
    "mxnet.gluon.trainer": "KVStore _create_kvstore _create_sparse_kvstore",
    "mxnet.gluon.utils": "is_np_array is_np_shape",
    "mxnet.image.detection": "Augmenter CastAug ColorJitterAug ColorNormalizeAug ForceResizeAug "
    "HueJitterAug ImageIter LightingAug RandomGrayAug RandomOrderAug ResizeAug copyMakeBorder "
    "fixed_crop is_np_array numeric_types",
    "mxnet.image.image": "Number is_np_array numeric_types",
    "mxnet.initializer": "is_np_array string_types",
    "mxnet.io.io": "CSRNDArray NDArray NDArrayHandle _LIB _has_instance _init_data "
    "_slice_along_batch_axis array c_str_array check_call concat mx_real_t mx_uint namedtuple "
    "py_str tile",
    "mxnet.io.utils": "OrderedDict",
    "mxnet.kvstore.base": "NDArray c_array c_str c_str_array check_call string_types",
    "mxnet.metric": "OrderedDict numeric_types string_types",
    "mxnet.model": "_check_arguments _load_data mx_real_t namedtuple",
    "mxnet.module.base_module": "BatchEndParam DataBatch DataDesc DataIter cpu",
    "mxnet.module.bucketing_module": "NameManager Uniform _check_input_names",
    "mxnet.module.executor_group": "_DTYPE_MX_TO_NP _split_input_slice",
    "mxnet.module.module": "BaseModule InitDesc Uniform _check_input_names _create_kvstore "
    "_initialize_kvstore _parse_data_desc _update_params _update_params_on_kvstore zeros",
    "mxnet.module.python_module": "Uniform",
    "mxnet.module.sequential_module": "Uniform",
    "mxnet.ndarray._internal": "CachedOp _Null",
    "mxnet.ndarray.contrib": "_as_list",
    "mxnet.ndarray.ndarray": "Context Features NDArrayHandle _LIB c_array c_array_buf c_str "
    "check_call current_context is_np_array mx_real_t mx_uint reduce",
    "mxnet.ndarray.op": "CachedOp",
    "mxnet.ndarray.random": "_Null numeric_types",
    "mxnet.ndarray.sparse": "NDArrayHandle _LIB check_call integer_types mx_real_t numeric_types",
    "mxnet.ndarray.utils": "_LIB c_array c_str c_str_array check_call mx_uint py_str string_types",
    "mxnet.operator": "NDArrayHandle _LIB c_array c_str check_call is_np_array mx_uint",
    "mxnet.optimizer.contrib": "clip mean register sqrt square zeros",
    "mxnet.optimizer.optimizer": "NDArray array clip is_np_array multiply normal py_str sqrt "
    "square zeros",
    "mxnet.recordio": "current_process namedtuple",
    "mxnet.registry": "string_types",
    "mxnet.rnn.rnn": "load_checkpoint save_checkpoint",
    "mxnet.rnn.rnn_cell": "numeric_types string_types",
    "mxnet.symbol._internal": "AttrScope NameManager _Null",
    "mxnet.symbol.contrib": "AttrScope Symbol _as_list",
    "mxnet.symbol.random": "_Null numeric_types",
    "mxnet.symbol.symbol": "AttrScope Context Executor NDArray NDArrayHandle "
    "NotImplementedForSymbol Number SymbolHandle _DTYPE_MX_TO_NP _DTYPE_NP_TO_MX _GRAD_REQ_MAP "
    "_LIB _STORAGE_TYPE_STR_TO_ID array c_array c_str c_str_array check_call current_context "
    "integer_types is_np_shape mx_uint numeric_types py_str string_types",
}
"""The names by the module that programs import them from."""

SOURCE_OF: Mapping[str, str] = MappingProxyType(
    {name: module for module, names in _SOURCES.items() for name in names.split()}
)
NAMES_IN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {module: tuple(names.split()) for module, names in _MODULES.items()}
)


def install() -> None:
    """Lets the modules find these names, once they are imported."""
    for module in NAMES_IN:
        after_import(module, _extend)


def _extend(module: ModuleType) -> None:
    names = frozenset(NAMES_IN[module.__name__])
    explain = make_getattr(module.__name__, vars(module))
    find_otherwise: Callable[[str], Any] = vars(module).get("__getattr__", explain)

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes the function of the module
        if name in names:
            value = getattr(importlib.import_module(SOURCE_OF[name]), name)
            setattr(module, name, value)
            return value
        try:
            return find_otherwise(name)
        except AttributeError as error:
            error.__traceback__ = None  # a bare `raise` adds no frame: it ends in the program
            raise

    vars(module)["__getattr__"] = __getattr__
