"""Hostile `.states` files: pickles, which in the original run whatever they name."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import numpy as np

import mxnet as mx
from tests.security.attack import PAYLOAD, Attacks
from tests.security.attacks.params_files import dense
from tests.security.pickles import (
    BUILD,
    EMPTY_DICT,
    EMPTY_LIST,
    EMPTY_SET,
    EMPTY_TUPLE,
    EVAL,
    MARK,
    NDARRAY,
    NEWOBJ,
    NEWOBJ_EX,
    NONE,
    PAY,
    PROTO,
    REDUCE,
    STACK_GLOBAL,
    STOP,
    array,
    call,
    data,
    dict_of,
    dtype,
    from_buffer,
    named,
    new,
    number,
    optimizer,
    scalar,
    states,
    text,
    tuple_of,
    with_optimizer,
)

TABLE = Attacks()
SGD = "mxnet.optimizer.optimizer", "SGD"
GOLDEN = Path(__file__).resolve().parents[2] / "golden"

CODE = [
    ("reduce_global", states(EVAL)),
    ("reduce_system", states(call("os", "system", text("touch OWNED")))),
    ("reduce_posix", states(call("posix", "system", text("touch OWNED")))),
    (
        "stack_global",
        states(text("builtins") + text("exec") + STACK_GLOBAL + tuple_of(PAY) + REDUCE),
    ),
    ("instance", states(MARK + PAY + b"ibuiltins\neval\n")),
    ("object", states(MARK + named("builtins", "eval") + PAY + b"o")),
    ("new_object", states(named("subprocess", "Popen") + tuple_of(text("touch OWNED")) + NEWOBJ)),
    (
        "new_object_with_names",
        states(named("subprocess", "Popen") + EMPTY_TUPLE + dict_of(text("args"), PAY) + NEWOBJ_EX),
    ),
    ("as_the_optimizer", with_optimizer(EVAL)),
    ("as_a_key", PROTO + dict_of(EVAL, NONE) + STOP),
    ("as_an_attribute", with_optimizer(optimizer(dict_of(text("lr"), EVAL)))),
    ("as_a_schedule", with_optimizer(optimizer(dict_of(text("lr_scheduler"), EVAL)))),
    ("before_good_states", PROTO + EVAL + b"0" + EMPTY_DICT + STOP),
    ("python_2_names", states(call("__builtin__", "eval", PAY))),
    ("dotted_name", states(text("numpy") + text("dtype.__class__") + STACK_GLOBAL)),
    ("dotted_name_of_ours", states(call("mxnet.optimizer.optimizer", "SGD.__init__.__globals__"))),
    ("module_of_ours", states(call("mxnet.optimizer.optimizer", "pickle.loads", data(b"N.")))),
    ("getattr", states(call("builtins", "getattr", named("builtins", "object"), text("x")))),
    ("method_of_a_dict", states(call("builtins", "dict.fromkeys", EMPTY_LIST))),
    ("numpy_load", states(call("numpy", "load", text("x.npy"), NONE, b"\x88"))),
    ("numpy_unpickler", states(call("numpy.core.numeric", "_frombuffer", PAY))),
    ("torch_unpickler", states(call("torch._utils", "_rebuild_tensor_v2", PAY))),
    ("copyreg", states(call("copyreg", "__newobj__", named("builtins", "eval"), PAY))),
    (
        "copyreg_with_state",
        states(
            call(
                "copyreg", "_reconstructor", named("builtins", "set"), named("builtins", "set"), PAY
            )
        ),
    ),
    ("functools_partial", states(call("functools", "partial", named("builtins", "eval"), PAY))),
    ("defaultdict_factory", states(call("collections", "defaultdict", named("builtins", "eval")))),
    (
        "defaultdict_of_defaultdict",
        states(call("collections", "defaultdict", named("collections", "defaultdict"))),
    ),
    ("extension_registry", states(b"\x82\x01")),
    ("persistent_object", states(text("x") + b"Q")),
    ("persistent_object_by_text", states(b"Px\n")),
    ("optimizer_by_constructor", with_optimizer(call("mxnet.optimizer.optimizer", "SGD", PAY))),
    ("updater", states(call("mxnet.optimizer.optimizer", "Updater", NONE))),
    ("class_as_value", states(named("mxnet.ndarray.ndarray", "NDArray"))),
    ("class_in_a_tuple", states(tuple_of(named("numpy", "ndarray")))),
]

OBJECT_POINTER = struct.pack("<Q", 0x4141414141414141)
ARRAY_WITHOUT_STATE = call(
    "numpy.core.multiarray",
    "_reconstruct",
    named("numpy", "ndarray"),
    tuple_of(number(0)),
    data(b"b"),
)
FLAGS = tuple_of(number(3), text("|"), NONE, NONE, NONE, number(-1), number(-1), number(63))
SLOTS = tuple_of(NONE, dict_of(text("device_typeid"), NONE, text("__eq__"), NONE))

CORRUPTION = [
    ("scalar_of_objects", states(scalar(dtype("O8"), OBJECT_POINTER))),
    ("scalar_of_a_dtype_with_flags", states(scalar(dtype("f8", FLAGS), OBJECT_POINTER))),
    ("dtype_of_records", states(dtype("V8"))),
    ("dtype_of_text", states(dtype("U1000000000"))),
    ("dtype_of_dates", states(dtype("M8"))),
    ("dtype_of_an_expression", states(dtype("i4,(1000000000,)f8"))),
    ("scalar_cut_off", states(scalar(dtype("f8"), b"1234"))),
    ("array_longer_than_its_bytes", states(from_buffer(bytes(8), 10**12))),
    ("array_of_negative_length", states(from_buffer(b"", -1, 0))),
    ("array_whose_shape_overflows", states(from_buffer(b"", 2**62, 2**62, 0))),
    ("array_without_state", states(ARRAY_WITHOUT_STATE)),
    ("array_by_constructor", states(call("numpy", "ndarray", tuple_of(number(10**12))))),
    ("slots_of_a_class", states(named("mxnet.context", "Context") + SLOTS + BUILD)),
    ("slots_of_a_context", states(new("mxnet.context", "Context") + SLOTS + BUILD)),
    ("state_of_a_class", states(named(*SGD) + dict_of(text("update"), NONE) + BUILD)),
    ("state_of_a_dict", states(EMPTY_DICT + dict_of(text("x"), NONE) + BUILD)),
    (
        "slots_of_an_optimizer",
        with_optimizer(optimizer(tuple_of(EMPTY_DICT, dict_of(text("update"), NONE)))),
    ),
    ("method_of_an_optimizer", with_optimizer(optimizer(dict_of(text("update_many"), NONE)))),
    ("class_of_an_optimizer", with_optimizer(optimizer(dict_of(text("__class__"), NONE)))),
    ("attribute_without_name", with_optimizer(optimizer(dict_of(number(1), NONE)))),
    ("ndarray_without_state", states(NDARRAY)),
    ("ndarray_of_nothing", states(NDARRAY + dict_of(text("handle"), NONE) + BUILD)),
    ("ndarray_of_an_address", states(call("mxnet.ndarray.ndarray", "NDArray", number(0x41414141)))),
    ("ndarray_cut_off", states(array(dense((1000, 1000), bytes(16))))),
    ("ndarray_of_petabytes", states(array(dense((2**25, 2**25))))),
    ("ndarray_of_unknown_dtype", states(array(dense((1,), bytes(8), code=77)))),
    ("ndarray_state_twice", states(array(dense((1,), bytes(4))) + EMPTY_DICT + BUILD)),
    (
        "dense_as_row_sparse",
        states(array(dense((1,), bytes(4)), "mxnet.ndarray.sparse RowSparseNDArray")),
    ),
    ("stack_underflow", PROTO + b"RRRR" + STOP),
    ("append_to_bytes", states(call("builtins", "bytearray") + number(300) + b"a")),
    (
        "set_items_of_an_array",
        states(array(dense((1,), bytes(4))) + MARK + number(0) + NONE + b"u"),
    ),
    ("unknown_instruction", PROTO + b"\xff" + STOP),
    ("negative_memo", PROTO + NONE + b"p-1\ng-2\n" + STOP),
]

CSR_OF_ALL_ROWS = struct.pack(
    "<Iii1qi2qiii" + "ii1q" * 2, 0xF993FAC9, 2, 1, 0, 2, 2**40, 4, 1, 0, 0, 6, 1, 0, 6, 1, 0
)


def collide(count: int) -> bytes:
    """Pushes keys which all have the same hash."""
    keys = b"".join(number(index * (2**61 - 1)) + NONE for index in range(count))
    return MARK + keys + b"d"


def share(levels: int, begin: bytes, end: bytes) -> bytes:
    """Pushes a container of one twice, in which is one twice, and so on."""
    made = begin + end
    for level in range(levels):
        made += b"q%c0" % level + begin + (b"h%c" % level) * 2 + end
    return made


LONG_RANGE = call("builtins", "range", number(10**10))
BOMBS = [
    ("memo_index", PROTO + NONE + b"r\xff\xff\xff\x7f" + STOP),
    ("memo_index_by_text", PROTO + NONE + b"p" + b"9" * 300 + b"\n" + STOP),
    ("bytes_of_exabytes", PROTO + b"\x8e" + struct.pack("<Q", 2**62) + STOP),
    ("text_of_gigabytes", PROTO + b"X\xff\xff\xff\xff" + STOP),
    ("bytearray_of_exabytes", PROTO + b"\x96" + struct.pack("<Q", 2**63 - 1) + STOP),
    ("frame_of_exabytes", PROTO + b"\x95" + struct.pack("<Q", 2**63) + STOP),
    ("long_of_gigabytes", PROTO + b"\x8b\xff\xff\xff\x7f" + STOP),
    ("long_of_negative_length", PROTO + b"\x8b\xff\xff\xff\xff" + STOP),
    ("million_digits", PROTO + b"L" + b"9" * 10**6 + b"L\n" + STOP),
    ("million_digits_of_a_float", PROTO + b"F" + b"9" * 10**6 + b"\n" + STOP),
    ("set_of_a_range", states(call("builtins", "set", LONG_RANGE))),
    ("frozenset_of_a_range", states(call("builtins", "frozenset", LONG_RANGE))),
    ("bytearray_of_a_length", states(call("builtins", "bytearray", number(10**11)))),
    ("bytes_of_a_length", states(call("builtins", "bytes", number(10**11)))),
    ("list_of_a_range", states(call("builtins", "list", LONG_RANGE))),
    ("text_times", states(call("_codecs", "encode", text("x"), text("zip")))),
    ("deep_tuples", states(EMPTY_TUPLE + b"\x85" * 200_000)),
    ("deep_lists", states(EMPTY_LIST * 1000 + b"a" * 999)),
    (
        "deep_dicts_from_above",
        PROTO
        + EMPTY_DICT
        + b"q\x00"
        + (NONE + EMPTY_DICT + b"q\x01s0h\x01") * 1000
        + b"0h\x00"
        + STOP,
    ),
    (
        "deep_defaultdicts",
        states((call("collections", "defaultdict") + NONE) * 1000 + NONE + b"s" * 1000),
    ),
    (
        "deep_slices",
        states((named("builtins", "slice") + MARK) * 1000 + NONE + (b"t" + REDUCE) * 1000),
    ),
    (
        "deep_optimizers",
        with_optimizer((new(*SGD) + MARK + text("x")) * 500 + NONE + (b"d" + BUILD) * 500),
    ),
    ("list_of_itself", states(EMPTY_LIST + b"q\x00h\x00a")),
    ("dict_of_itself", PROTO + EMPTY_DICT + b"q\x00" + number(0) + b"h\x00s" + STOP),
    ("tuple_of_itself", states(EMPTY_LIST + b"q\x00h\x00\x85a")),
    (
        "optimizer_of_itself",
        with_optimizer(new(*SGD) + b"q\x00" + dict_of(text("x"), b"h\x00") + BUILD),
    ),
    ("shared_lists", states(share(60, MARK, b"l"))),
    ("shared_tuples", states(share(60, MARK, b"t"))),
    ("shared_tuples_as_keys", PROTO + dict_of(share(40, MARK, b"t"), NONE) + STOP),
    ("shared_sets_as_keys", PROTO + dict_of(share(40, MARK, b"\x91"), NONE) + STOP),
    ("colliding_keys", PROTO + collide(100_000) + STOP),
    ("million_sets", PROTO + EMPTY_SET * 2_000_000 + STOP),
    ("million_marks", PROTO + MARK * 2_000_000 + STOP),
    ("million_memos", PROTO + NONE + b"\x94" * 2_000_000 + STOP),
    (
        "one_array_many_times",
        PROTO
        + data(dense((250_000,), bytes(10**6)))
        + b"q\x00"
        + MARK
        + (NDARRAY + dict_of(text("handle"), b"h\x00") + BUILD) * 5000
        + b"l"
        + STOP,
    ),
    (
        "one_bytearray_many_times",
        PROTO
        + data(bytes(10**6))
        + b"q\x00"
        + MARK
        + call("builtins", "bytearray", b"h\x00") * 20_000
        + b"l"
        + STOP,
    ),
    ("csr_of_a_trillion_rows", states(array(CSR_OF_ALL_ROWS, "mxnet.ndarray.sparse CSRNDArray"))),
]


def make_trainer() -> mx.gluon.Trainer:
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    return mx.gluon.Trainer(net.collect_params(), "sgd", {"momentum": 0.9})


def load(folder: Path, content: object) -> None:
    path = folder / "net.states"
    path.write_bytes(content)
    try:
        make_trainer().load_states(str(path))
    finally:
        assert mx.cpu() == mx.cpu(), "a class was changed"
        assert mx.optimizer.SGD().create_state(0, mx.nd.ones(1)) is None
        assert np.dtype("f8").flags == 0


TABLE.add_each("code", CODE, load)
TABLE.add_each("corruption", CORRUPTION, load)
TABLE.add_each("bomb", BOMBS, load)


def set_states(folder: Path, content: object) -> None:  # noqa: ARG001 - writes no file
    mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(content)


TABLE.add_each(
    "updater",
    [("code", states(EVAL)), ("memo", BOMBS[0][1]), ("empty", b""), ("dtype", states(dtype("O8")))],
    set_states,
    names="optimizer states",
)


@TABLE.add
def store_loads_code(folder: Path) -> None:
    path = folder / "store.states"
    path.write_bytes(states(EVAL))
    store = mx.kvstore.create("local")
    store.init(0, mx.nd.ones(2))
    store.set_optimizer(mx.optimizer.SGD())
    store.load_optimizer_states(str(path))


def make_module() -> mx.mod.Module:
    net = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax"
    )
    module = mx.mod.Module(net)
    module.bind([("data", (1, 3))], [("softmax_label", (1,))])
    module.init_params()
    return module


@TABLE.add
def checkpoint_loads_code(folder: Path) -> None:
    module = make_module()
    module.init_optimizer()
    module.save_checkpoint(str(folder / "net"), 1, save_optimizer_states=True)
    (folder / "net-0001.states").write_bytes(states(EVAL))
    loaded = mx.mod.Module.load(str(folder / "net"), 1, load_optimizer_states=True)
    loaded.bind([("data", (1, 3))], [("softmax_label", (1,))])
    loaded.init_optimizer()


def endless(**attributes: object) -> bytes:
    """Returns a file with a schedule whose attributes a constructor would refuse."""
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.5)
    vars(schedule).update(attributes)
    made = mx.optimizer.SGD(lr_scheduler=schedule)
    made.num_update = 2**52
    return pickle.dumps(({}, made))


def load_and_step(folder: Path, content: object) -> None:
    path = folder / "net.states"
    path.write_bytes(content)
    trainer = make_trainer()
    trainer.load_states(str(path))
    float(trainer.learning_rate)


TABLE.add_each(
    "schedule",
    [
        ("step_of_zero", endless(step=0)),
        ("step_of_text", endless(step="x")),
        ("count_of_minus_infinity", endless(count=-1e300)),
        ("mode_of_its_own", endless(warmup_mode=PAYLOAD)),
        ("no_number", endless(base_lr="x")),
    ],
    load_and_step,
)
TABLE.add_each(
    "slow_schedule",
    [("many_steps", endless()), ("slow_decay", endless(factor=1 - 1e-15))],
    load_and_step,
    harmless=True,
)


def wrong_optimizer(**attributes: object) -> bytes:
    made = mx.optimizer.SGD()
    vars(made).update(attributes)
    return pickle.dumps(({}, made))


TABLE.add_each(
    "attribute",
    [
        ("rate_of_text", wrong_optimizer(lr="x")),
        ("counts_of_text", wrong_optimizer(_index_update_count={0: "x"})),
        ("huge_count", wrong_optimizer(num_update=2**900)),
        ("names_of_numbers", wrong_optimizer(idx2name={0: 1})),
        ("multipliers_of_lists", wrong_optimizer(lr_mult={0: []})),
        ("schedule_of_a_number", wrong_optimizer(lr_scheduler=3)),
    ],
    load,
)


def damage(folder: Path, name: object) -> None:
    """Loads a real file with one byte changed, and cut off, many times; the last error counts."""
    content, path = (GOLDEN / name).read_bytes(), folder / "net.states"
    trainer, last = make_trainer(), None
    for position in range(2, len(content), 1 + len(content) // 50):
        changed = bytearray(content)
        changed[position] ^= 1 << position % 8
        for case in (changed, content[:position]):
            path.write_bytes(case)
            try:
                trainer.load_states(str(path))
            except mx.base.MXNetError as error:
                last = error
    raise last


TABLE.add_each(
    "damaged",
    [
        (name.split("/")[1].split(".")[0], name)
        for name in (
            "training/mlp-schedule.states",
            "optimizer/adam.states",
            "optimizer/half.states",
            "optimizer/nadam-alone.states",
            "optimizer/schedule.states",
        )
    ],
    damage,
)
