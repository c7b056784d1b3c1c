"""Where this package gives something else than the original, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.programs.core import read_golden


class Difference(NamedTuple):
    """Reason of a difference and what we give instead, as `core.describe` writes it."""

    why: str
    expected: Any


def _array(shape: str, values: Sequence[Any], dtype: str = "float32", ctx: str = "cpu(0)") -> Any:
    numbers = [float(v) for v in values] if dtype.startswith("float") else list(values)
    return {"NDArray": f"{dtype} {shape} {ctx}", "values": numbers}


def _tuple(*items: Any) -> Any:
    return {"tuple": list(items)}


def _raises(*names: str) -> Any:
    return {"raises": list(names)}


METHODS = read_golden("methods")["names_of_methods"]
CUBE = list(range(24))
EMPTY = "An empty part is an empty array, and assigning to it does nothing; the original raises."
OVERLAP = "The original reads elements that it has overwritten before; we assign the old values."
IN_LISTS = "Arrays inside of lists count as their elements; the original cannot convert them."
TRUTH = "A truth value counts as the number it is; the original drops it in some places."
MASK = "An array of truth values selects, as in NumPy; the original asks for its np mode."
BOOL = "Arrays of truth values can be assigned to in every way; the original lacks the kernels."
NUMPY_KEY = "Every integer of NumPy can be an index; the original takes two of its types."
NEW_AXIS = "A new axis goes where NumPy puts it."
NUMBER = "An array of one element can become a number."
INT16 = "int16 is an element type here."
LOST_CONTEXT = "A deep copy stays where the array is."
SEQUENCE = "A tuple does as well as a list."
TYPE = "An argument of a wrong type is a TypeError; the original fails on a missing attribute."
LAST_AXIS = "Negative axes count from the end everywhere."
SHAPE_INT = "A shape of one axis can be an int everywhere."
LATER = "MXNet 2 has it, and it is added to what the original has."
RESHAPE = "After -2 there can be -1, as in the operator."

_NONE_ASSIGNED = (
    "x[1:1] = nd.array([5])",
    "x[1:1] = nd.array([1, 2, 3, 4])",
    "x[1:1] = np.arange(4)",
    "x[1:1] = [1, 2, 3, 4]",
    "x[1:1] = nd.ones((1, 3, 4)) * 6",
    "x[1:1] = nd.array([5], dtype='int32')",
    "cube: x[5:7] = nd.ones((1,))",
    "cube: x[1:0] = 3",
    "cube: x[[]] = 3",
)
NAMED_FILE = "Text of another encoding is a ValueError that names the file and the byte."
KEPT_ERROR = (
    "A failed array raises every time it is read; the original clears its error the first time."
)
_READS_THAT_RAISE = {
    "told(lambda: (bad(), bad()), first, second, every)": "first second",
    "told(lambda: (bad(), bad()), every, second, first, every)": "every second first",
    "told(lambda: (bad(), bad()), second, lambda made: (made[0] + made[1]).asnumpy(), first)": (
        "second <lambda> first"
    ),
    "told(with_copy, second, first, every)": "second first",
    "told(with_copy, lambda made: str(made[0]), lambda made: str(made[0]), second)": (
        "<lambda> <lambda> second"
    ),
    "told(with_row, second, first, second)": "second first second",
    "told(with_row, lambda made: made[1].asnumpy(), lambda made: bool(made[0][0, 0]), first)": (
        "<lambda> <lambda> first"
    ),
    "told(rows, first, second, first, every)": "first second first",
    "told(assigned, first, second, every)": "first second",
    "told(written, second, first, every)": "second first",
    "told(added, first, second, every)": "first second",
    "told(added, second, first)": "second first",
    "told(lambda: differentiated(lambda x: x * bad()), first, second, every)": "first second",
    "told(lambda: differentiated(lambda x: x * bad()), second, first, every)": "second first",
    "told(lambda: differentiated(lambda x: nd.linalg.potrf(x - 5)), first, second, every)": (
        "first second"
    ),
    "told(lambda: differentiated(lambda x: custom(x, 'forward') * 2), first, second, every)": (
        "first second"
    ),
    "told(lambda: executed(lambda x: x * S.random.normal(0, -1, shape=(2, 2))), first, second, every)": (
        "first second"
    ),
    "told(failed_variable, first, second, every)": "first second",
    "told(failed_variable, second, first, every)": "second first",
    "told(lambda: executed(lambda x: custom(x, 'forward')), second, first, every)": "second first",
}
_ROWS: dict[str, dict[str, tuple[str, Any]]] = {
    "assignment": {
        **dict.fromkeys(_NONE_ASSIGNED, (EMPTY, _array("2x3x4", CUBE))),
        "cube: x[::-1] = x": (OVERLAP, _array("2x3x4", CUBE[12:] + CUBE[:12])),
        "vector: x[1:] = x[:-1]": (OVERLAP, _tuple(*[_array("5", [0, 0, 1, 2, 3])] * 2)),
        "cube: x[0] = [nd.array([1])] * 4": (IN_LISTS, _array("2x3x4", [1] * 12 + CUBE[12:])),
        "cube: x[True] = 0": (TRUTH, _array("2x3x4", CUBE[:12] + [0] * 12)),
        "bool x[::-1] = [1.5, 2.5, 3.5]": (BOOL, _array("3", [True] * 3, "bool")),
        "bool x[1:] = nd.array([5, 6], dtype='int64')": (BOOL, _array("3", [True] * 3, "bool")),
        "vector: x[nd.array([True, False, True, False, True], dtype='bool')] = 0": (
            MASK,
            _tuple(*[_array("5", [0, 1, 0, 3, 0])] * 2),
        ),
    },
    "creation": {
        "nd.array([nd.array([1]), nd.array([2])])": (IN_LISTS, _array("2", [1, 2])),
        "nd.array([nd.array([1])[0], nd.array([2])[0], 3])": (IN_LISTS, _array("3", [1, 2, 3])),
        "nd.array([1, 2], dtype='int16')": (INT16, _array("2", [1, 2], "int16")),
        "nd.array([1], ctx=5)": (TYPE, _raises("MXNetError", "TypeError")),
    },
    "files": {
        "(nd.save(f, (x, x + 1)), nd.load(f))[1]": (
            SEQUENCE,
            [_array("2x2", [1, 2, 3, 4]), _array("2x2", [2, 3, 4, 5])],
        ),
        "nd.save(5, x)": (TYPE, _raises("TypeError")),
        "nd.save(None, x)": (TYPE, _raises("TypeError")),
        "copy.deepcopy(x.copyto(mx.cpu(1)))": (
            LOST_CONTEXT,
            _array("2x2", [1, 2, 3, 4], ctx="cpu(1)"),
        ),
    },
    "functions": {
        "nd.relu(x, foo=5)": ("a warning says what is ignored", _raises("UserWarning", "Warning")),
        "nd.split_v2(v, [1])": (SEQUENCE, [_array("1", [0]), _array("5", [1, 2, 3, 4, 5])]),
        "nd.concatenate((m, m), 0)": (SEQUENCE, _array("4x3", [*range(6), *range(6)])),
        "nd.concatenate([m, 5])": (TYPE, _raises("MXNetError", "TypeError")),
        "nd.concatenate([m, m], axis=-1)": (
            LAST_AXIS,
            _array("2x6", [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]),
        ),
    },
    "indexing": {
        "x[1:0]": (EMPTY, _array("0x3x4", [])),
        "x[:, :, 10:12]": (EMPTY, _array("2x3x0", [])),
        "x[:, 1:1]": (EMPTY, _array("2x0x4", [])),
        "v[1:0]": (EMPTY, _array("0", [])),
        "v[3:1]": (EMPTY, _array("0", [])),
        "x[[]]": (EMPTY, _array("0x3x4", [])),
        "v[np.array([], dtype='int64')]": (EMPTY, _array("0", [])),
        "x[True, 0]": (TRUTH, _array("4", CUBE[12:16])),
        "x[np.int32(1), np.int8(2)]": (NUMPY_KEY, _array("4", CUBE[20:])),
        "x[np.uint8(1)]": (NUMPY_KEY, _array("3x4", CUBE[12:])),
        "x[np.array(1)]": (NUMPY_KEY, _array("3x4", CUBE[12:])),
        "x[[0, 1], None].shape": (NEW_AXIS, _tuple(2, 1, 3, 4)),
        "x[[nd.array([0]), nd.array([1])]]": (IN_LISTS, _array("2x3x4", CUBE)),
        "x[m]": (MASK, _array("2", [1, 3])),
        "x[(x > 1).astype('bool')]": (MASK, _array("2", [2, 3])),
        "nd.array([[1, 2], [3, 4]])[nd.array([True, False], dtype='bool')]": (
            MASK,
            _array("1x2", [1, 2]),
        ),
        "nd.array([[1, 2], [3, 4]])[nd.array([[True, False], [False, True]], dtype='bool')]": (
            MASK,
            _array("2", [1, 4]),
        ),
    },
    "array_internals": {
        "each_failed_array_raises": (KEPT_ERROR, [True] * 4),
        "waiting_for_all_drops_other_errors": (KEPT_ERROR, _tuple(True, True, True)),
        "failed_draws_share_an_error": (KEPT_ERROR, _tuple(True, True)),
        "an_executor_works_after_the_error": (KEPT_ERROR, [True, True]),
    },
    "error_moments": {
        line: (KEPT_ERROR, reads.split()) for line, reads in _READS_THAT_RAISE.items()
    },
    "text_uses": {
        'wiki(b" \\xff a \\n b c d e \\n")': (
            NAMED_FILE,
            _raises("MXNetError", "RuntimeError", "ValueError"),
        )
    },
    "methods": {
        "names_of_methods": (LATER, sorted({*METHODS, "drop_grad", "log_sigmoid", "mish"})),
        "x.astype('int16')": (INT16, _array("2x3", [1, 2, 3, 4, 5, 6], "int16")),
        "x.reshape(shape=24).shape": (SHAPE_INT, _tuple(24)),
        "v.broadcast_to(4).shape": (SHAPE_INT, _tuple(4)),
        "x.reshape((-2, -1)).shape": (RESHAPE, _tuple(2, 3, 4, 1)),
        "a_weak_reference": ("Arrays can be referred to weakly.", _tuple(True, True)),
    },
    "operators": {
        "in place: x += x[0]": (OVERLAP, _tuple(True, *[_array("2x2", [2, 4, 4, 6])] * 2)),
        "protocol: float(one)": (NUMBER, 3.0),
        "protocol: int(one)": (NUMBER, 3),
        "protocol: int(nd.array([3.7]))": (NUMBER, 3),
        "protocol: int(nd.array([-3.7]))": (NUMBER, -3),
        "protocol: float(nd.array([[2.5]]))": (NUMBER, 2.5),
        "protocol: float(nd.array([1], dtype='int64'))": (NUMBER, 1.0),
        "protocol: [1, 2, 3, 4][int(one)]": (NUMBER, 4),
        "protocol: range(int(one))": (NUMBER, {"object": "range", "text": "range(0, 3)"}),
        "protocol: '%d' % one": (NUMBER, "3"),
        "protocol: '%.2f' % one": (NUMBER, "3.00"),
        "protocol: np.array([1, 2, 3])[int(nd.array([1]))]": (
            NUMBER,
            {"scalar": "int64", "value": 2},
        ),
        "protocol: nd.array([[5]]).asscalar()": (
            "A scalar comes from an array of one element whatever its shape.",
            {"scalar": "float32", "value": 5.0},
        ),
    },
    "shape_arguments": {
        "used(lambda: nn.Dense(3, activation='nosuch'))": (
            "The constructor refuses an unknown activation; the original refuses it when called.",
            _tuple([], _raises("MXNetError", "RuntimeError", "ValueError", "AssertionError")),
        )
    },
    "symbolic_expressions": {
        "S.Convolution(x, kernel=(3, 3), num_filter=-1)": (
            "A negative number is refused at once; the original takes it for a large one.",
            _raises("MXNetError"),
        ),
        "mx.sym.fromjson(block().tojson()).list_auxiliary_states()": (
            LATER,
            ["bn_moving_mean", "bn_moving_var"],
        ),
        "mx.attribute.current().get({})": (LATER, {"dict": []}),
        "mx.name.current().get(None, 'zzz')": (LATER, "zzz0"),
    },
    "control_flow": {
        'F.foreach(lambda d, s: (d, s), D, [S], name="x")': (
            LATER,
            _tuple(_array("3x2", range(6)), [_array("2", [1, 2])]),
        )
    },
    "data_uses": {
        "sorted(n for n in dir(data) if n[0] != '_' and n[0].isupper())": (
            LATER,
            "ArrayDataset BatchSampler DataLoader Dataset FilterSampler IntervalSampler "
            "RandomSampler RecordFileDataset Sampler SequentialSampler SimpleDataset".split(),
        )
    },
    "symbol_attributes": {
        "S.var('v', profiler_scope='p')": (LATER, {"object": "Symbol", "text": "<Symbol v>"})
    },
}

DIFFERENT = {
    f"{module}: {name}": Difference(*row)
    for module, rows in _ROWS.items()
    for name, row in rows.items()
}
