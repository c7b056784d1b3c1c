"""What completion shows of classes and objects: the original's names, and few others."""

import importlib
import json
from pathlib import Path

import pytest

import mxnet as mx
from mxnet._legacy.imported_names import resolve
from tests.legacy.shown_objects import OBJECTS, list_shown

GOLDEN = Path(__file__).parents[1] / "golden"
SHOWN = json.loads((GOLDEN / "shown_names.json").read_text("utf-8"))
IMPORTED = json.loads((GOLDEN / "imported_names.json").read_text("utf-8"))

ABSENT = {
    "current": "a property of the class alone, which is deprecated; it is found, but not listed",
    "handle": "an address in the library of the original, which stores and executors have not",
}
"""Names of the original that are not shown, and why."""
ADDED = {
    "resync tell": "readers of records: going on behind damage, and where one is",
    "clean refresh": "loaders: as the second class of the original has them",
    "grad_stype stype": "storage types of a parameter",
    "load_dict share_parameters reset_ctx reset_device setattr zero_grad": "blocks of MXNet 2",
    "infer_shape": "cells of MXNet 2, hybrid or not",
    "export hybrid_forward infer_type optimize_for": "crops, which are hybrid in MXNet 2",
    "fused_step step use_fused_step": "optimizers of MXNet 2",
    "amp_loss_scale": "trainers of MXNet 2",
    "get_inputs get_optimized_symbol getitems has_dynamic_shape_op": "graphs, iterators of MXNet 2",
    "log_sigmoid mish": "functions of MXNet 2",
    "device list_device to_device diagonal drop_grad mT": "arrays and parameters of MXNet 2",
    "plan_report": "blocks: what became of hybridize()",
    "to_fx to_torch tobytes": "blocks and arrays for torch, and bytes of an array",
    "all any": "reductions of symbols that arrays have as well",
    "broadcast_all pushpull_all share_updater": "stores: all keys in one call, for trainers",
    "update_many": "optimizers: all weights in one call, for trainers",
    "advance load_state state_on": "the scale of losses in steps that are captured",
    "compute name": "operators that NumPy computes: what each of them is",
    "results": "contexts: where results of operators are",
}
"""Names that the original does not have, by what they are for."""
ON_OBJECTS = (
    {"current_batch", "data_list", "device_id", "device_typeid", "dtype", "fuse_relu", "imgidx"}
    | {"global_num_inst", "global_sum_metric", "k", "layout", "metrics", "num_inst", "num_source"}
    | {"saved_tensors", "stat_helper", "sum_metric", "data", "indices"}
)
"""What objects of the original show as well, and their classes do not."""
OTHERWISE = {
    "mxnet.executor_manager.DataParallelExecutorGroup": "is the group of modules",
    "mxnet.ndarray.ndarray.NDArrayBase": "is the class of arrays",
    "mxnet.symbol.symbol.SymbolBase": "is the class of symbols",
    "mxnet.symbol.register.SymbolBase": "is in a module that is not here",
}
"""Classes of the original that are others here."""


@pytest.mark.parametrize("path", sorted(SHOWN["classes"].keys() - OTHERWISE.keys()))
def test_a_class_shows_the_names_of_the_original(path):
    module, _, name = path.rpartition(".")
    original = {*SHOWN["classes"][path].split()}
    shown = {*list_shown(getattr(importlib.import_module(module), name))}
    assert original - shown <= ABSENT.keys()
    assert shown - original <= {*" ".join(ADDED).split()} | ON_OBJECTS


@pytest.mark.parametrize("kind", OBJECTS)
def test_an_object_shows_the_names_of_the_original(kind):
    original = {*SHOWN["objects"][kind].split()}
    shown = {*list_shown(OBJECTS[kind](mx))}
    assert original - shown <= ABSENT.keys()
    # The totals of a composite metric are those of its parts.
    totals = {"num_inst", "sum_metric", "global_num_inst", "global_sum_metric"}
    more = totals if kind == "composite metric" else set()
    assert shown - original <= {*" ".join(ADDED).split()} | more


def test_what_is_listed_as_absent_or_added_is_so():
    shown = {name for kind in OBJECTS for name in list_shown(OBJECTS[kind](mx))}
    for path in SHOWN["classes"].keys() - OTHERWISE.keys():
        module, _, name = path.rpartition(".")
        shown |= {*list_shown(getattr(importlib.import_module(module), name))}
    original = {name for names in SHOWN["classes"].values() for name in names.split()}
    assert {*" ".join(ADDED).split()} <= shown
    assert ABSENT.keys() <= original


def test_a_name_is_what_it_is_in_the_original():
    others = []
    for path, names in IMPORTED.items():
        try:
            module = importlib.import_module(path)
        except ImportError:
            continue
        for name, source in names.items():
            home = source.partition(":")[0]
            if not source or name == "__all__" or home.partition(".")[0] == "numpy":
                continue
            try:
                expected = resolve(source)
            except (ImportError, AttributeError):
                continue
            found = getattr(module, name, expected)
            if found is not expected and type(found) is not type(expected):
                others.append(f"{path}.{name}")
    assert others == []


def test_recurrent_layers_say_whether_states_were_left_out():
    layer = mx.gluon.rnn.LSTM(2)
    layer.initialize()
    assert layer.skip_states is None
    layer(mx.nd.ones((1, 2, 3)))
    assert layer.skip_states is True
    layer(mx.nd.ones((1, 2, 3)), layer.begin_state(2))
    assert layer.skip_states is False
