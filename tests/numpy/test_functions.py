"""Functions of `mx.np` and `mx.sym.np` against golden results of the original."""

from __future__ import annotations

import importlib
import inspect
import json
import lzma
import math
import re
import sys
from pathlib import Path

import numpy as onp
import pytest

import mxnet as mx
from mxnet.errors import MXNetError
from mxnet.ops.core.registry import get_op
from tests.bundles import each

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

from np_cases import FAMILIES  # noqa: E402
from np_cases.core import Array, Case, build_graph, call, run  # noqa: E402

sys.path.remove(str(GOLDEN))


def read_cases() -> list:
    """Returns every case with what the original gives for it, None if that is no judge."""
    rows = []
    for family in FAMILIES:
        cases = importlib.import_module(f"np_cases.{family}").CASES
        expected = json.loads((GOLDEN / "np_functions" / f"{family}.json").read_text())
        unique = {case.id if not case.why else f"{case.id} {case.why}": case for case in cases}
        rows += [
            pytest.param(case, None if case.why else expected[case.id], id=f"{family}:{name}")
            for name, case in unique.items()
        ]
    return rows


ALL = read_cases()
VALID = [row for row in ALL if row.values[1] and "result" in row.values[1]]
INVALID = [row for row in ALL if row.values[1] and "error" in row.values[1]]
WITHOUT_JUDGE = [row for row in ALL if row.values[1] is None]


def assert_same(found: dict, expected: dict) -> None:
    """Compares two descriptions: containers, shapes and dtypes exactly, elements nearly."""
    assert found.keys() == expected.keys()
    if "items" in expected:
        assert found["in"] == expected["in"]
        assert len(found["items"]) == len(expected["items"])
        for one, other in zip(found["items"], expected["items"], strict=True):
            assert_same(one, other)
        return
    assert describe_kind(found) == describe_kind(expected)
    if isinstance(expected.get("value"), float):
        assert found["value"] == pytest.approx(expected["value"])
    if "elements" in expected:
        onp.testing.assert_allclose(
            read_elements(found), read_elements(expected), rtol=1e-4, atol=1e-5
        )


def describe_kind(description: dict) -> dict:
    """Returns a description without its numbers, which need not be equal to the last digit."""
    return {
        key: value
        for key, value in description.items()
        if key != "elements" and not isinstance(value, float)
    }


def read_elements(description: dict) -> list[float]:
    """Returns the elements of an array that is described."""
    return [float(word) for word in description["elements"].strip("[]").split(", ") if word]


@pytest.fixture(autouse=True)
def numpy_dialect():
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


@each(VALID)
def test_function_agrees_with_the_original(case: Case, expected: dict):
    found = run(case, mx)
    assert "error" not in found
    assert_same(found["result"], expected["result"])
    if case.gradient:
        for one, other in zip(found["gradients"], expected["gradients"], strict=True):
            assert_same(one, other)


@each(INVALID)
def test_mistakes_raise(case: Case, expected: dict):
    found = run(case, mx)
    assert "error" in found, found
    assert {MXNetError.__name__, expected["error"][0]} & {*found["error"]}


@each(WITHOUT_JUDGE)
def test_what_the_original_does_wrong_is_computed(case: Case, _expected: None):
    assert "error" not in run(case, mx)


def numpy_function(case: Case):
    """Returns the function of a case, None for methods."""
    function = mx.np
    for name in case.function.split("."):
        function = getattr(function, name, None)
    return function


WITH_OUT = [
    row
    for row in VALID
    if row.values[1]["result"]["in"] == "mx"
    and not row.values[0].function.startswith(".")
    and "out" in inspect.signature(numpy_function(row.values[0])).parameters
]


@each(WITH_OUT)
def test_out_is_filled_and_returned(case: Case, expected: dict):
    result = expected["result"]
    out = mx.np.zeros(tuple(result["shape"]), dtype=result["dtype"])
    assert call(case, mx.np, lambda array: mx.np.array(array.make()), out=out) is out
    elements = out.asnumpy().reshape(-1).astype("float64")
    onp.testing.assert_allclose(elements, read_elements(result), rtol=1e-4, atol=1e-5)


ITERATES = ["concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "row_stack"]
"""Functions that take an array for the list of its rows, of which a symbol knows nothing."""


def takes_whole_part(case: Case) -> bool:
    """Returns whether integers stand beside a number with a fraction.

    As in the original, arrays take its whole part, and symbols become float64.
    """
    has_integers = any(not array.dtype.startswith("float") for array in case.arrays)
    return has_integers and any(isinstance(argument, float) for argument in case.args)


def has_symbols(case: Case) -> bool:
    """Returns whether a case can run on symbols, which have no values and no shape."""
    if takes_whole_part(case):
        return False
    if not case.arrays or (case.function in ITERATES and isinstance(case.args[0], Array)):
        return False
    if case.function == "where" and len(case.args) == 1:
        return False
    if case.function.startswith("."):
        return case.function not in (".copy", ".nonzero")
    module = mx.sym.np
    for name in case.function.split("."):
        module = getattr(module, name, None)
    return module is not None


def flatten(description: dict) -> list[dict]:
    """Returns the arrays in a description."""
    if "items" in description:
        return [array for item in description["items"] for array in flatten(item)]
    return [description] if description["in"] == "mx" else []


def has_empty(case: Case, result: dict) -> bool:
    """Returns whether an array has no elements, which executors take for one of unknown shape."""
    results = [math.prod(array["shape"]) for array in flatten(result)]
    return 0 in [*results, *(array.make().size for array in case.arrays)]


ON_SYMBOLS = [
    row
    for row in VALID
    if has_symbols(row.values[0])
    and not has_empty(row.values[0], row.values[1]["result"])
    and flatten(row.values[1]["result"])
]


@each(ON_SYMBOLS)
def test_symbols_compute_the_same(case: Case, expected: dict):
    feeds: dict[str, mx.np.ndarray] = {}

    def make(array: Array) -> mx.sym.np._Symbol:
        name = f"x{len(feeds)}"
        feeds[name] = mx.np.array(array.make())
        return mx.sym.var(name).as_np_ndarray()

    result = call(case, mx.sym.np, make)
    outputs = list(result) if isinstance(result, (list, tuple)) else [result]
    check_outputs([output.eval(mx.cpu(), **feeds)[0] for output in outputs], expected["result"])


def check_outputs(outputs: list[mx.np.ndarray], expected: dict) -> None:
    """Compares outputs of a graph with a description of what the function returns for arrays."""
    arrays = [array.asnumpy() for array in outputs]
    if expected["in"] == "tuple" and len(arrays) == 1:
        arrays = list(arrays[0])  # rows, which symbols return together
    for array, description in zip(arrays, flatten(expected), strict=True):
        assert list(array.shape) == description["shape"]
        assert array.dtype.name == description["dtype"]
        onp.testing.assert_allclose(
            array.reshape(-1).astype("float64"), read_elements(description), rtol=1e-4, atol=1e-5
        )


def read_graphs() -> list:
    """Returns every case that the original can write to a file, with the file and its results."""
    rows = []
    for family in FAMILIES:
        packed = (GOLDEN / "np_functions" / f"{family}.graphs.xz").read_bytes()
        graphs = json.loads(lzma.decompress(packed))
        rows += [
            pytest.param(*row.values, graphs[row.values[0].id], id=row.id)
            for row in ON_SYMBOLS
            if row.id.startswith(f"{family}:") and row.values[0].id in graphs
        ]
    return rows


GRAPHS = read_graphs()
OTHER_OPERATORS = ["empty_like", "resize", "unravel_index", "linalg.det", "linalg.slogdet"]
"""Functions for which the original calls programs of its own, by the operator `Custom`, and those
whose classic operators return `(1,)` here where the NumPy dialect has a scalar."""
OF_THE_ORIGINAL = [row for row in GRAPHS if row.values[0].function not in OTHER_OPERATORS]


@each(OF_THE_ORIGINAL)
def test_files_of_the_original_are_read(case: Case, expected: dict, graph: dict):
    symbol = mx.sym.load_json(json.dumps(graph)).as_np_ndarray()
    feeds = {f"x{index}": mx.np.array(array.make()) for index, array in enumerate(case.arrays)}
    check_outputs(symbol.eval(mx.cpu(), **feeds), expected["result"])


def operators(graph: dict) -> list[tuple]:
    """Returns the operators of a file, without aliases, and where their inputs come from."""
    return [
        (node["op"] if node["op"] == "null" else get_op(node["op"]).name, node["inputs"])
        for node in graph["nodes"]
    ]


# The original composes norms of vectors of other functions, and writes `tile` under the name that
# refuses empty results here; it reads the other one, too.
SAME_OPERATORS = [
    row for row in OF_THE_ORIGINAL if row.values[0].function not in ("linalg.norm", "tile")
]


@each(SAME_OPERATORS)
def test_files_have_the_operators_of_the_original(case: Case, _expected: dict, graph: dict):
    written = build_graph(case, mx)
    assert written is not None
    assert operators(json.loads(written)) == operators(graph)


class Arranging(mx.gluon.HybridBlock):
    """Splits, joins, picks, pads and stacks."""

    def forward(self, x: mx.np.ndarray) -> mx.np.ndarray:
        left, right = mx.np.split(x, 2, axis=1)
        joined = mx.np.concatenate([left, mx.np.flip(right, 0)], axis=0)
        picked = mx.np.where(joined > 0, joined, mx.np.zeros_like(joined))
        padded = mx.np.pad(mx.npx.reshape(picked, (-2, -1)), ((1, 0), (0, 1)), mode="edge")
        widened = mx.np.expand_dims(padded.T, 0)
        return mx.np.stack([widened, widened]).sum() + mx.np.arange(3).sum()


def test_functions_are_traced():
    results = []
    for is_hybridized in (False, True):
        net = Arranging()
        net.hybridize(is_hybridized, strict=True)
        x = mx.np.array(onp.arange(12).reshape(3, 4) - 5.0)
        x.attach_grad()
        with mx.autograd.record():
            y = net(x)
        y.backward()
        results.append((float(y), x.grad.asnumpy().tolist()))
    assert results[0] == results[1]
    assert results[0][0] == 69


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("reshape", ("old", 4)),
        ("ravel", ("old",)),
        ("append", ("new", "old")),
        ("where", ("new", "old", 1)),
        ("where", ("old", "new", 1)),
        ("full", ((2,), "old")),
        ("split", ("old", 2)),
        ("insert", ("old", 0, 1)),
        ("insert", ("new", 0, "old")),
        ("delete", ("new", "old")),
        ("take", ("new", "old")),
    ],
)
def test_operands_of_the_classic_dialect_are_told_what_to_call(name, args):
    arrays = {"old": mx.nd.ones(2), "new": mx.np.ones(2)}
    symbols = {"old": mx.sym.var("old"), "new": mx.sym.var("new").as_np_ndarray()}
    for module, operands in ((mx.np, arrays), (mx.sym.np, symbols)):
        with pytest.raises(TypeError, match="as_np_ndarray"):
            getattr(module, name)(*[operands[a] if isinstance(a, str) else a for a in args])


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("add", {"x1": [1, 2], "x2": [3, 4]}),
        ("maximum", {"x1": [1, 5], "x2": [3, 4]}),
        ("exp", {"x": [0, 1]}),
        ("sort", {"a": [3, 1]}),
    ],
)
def test_arrays_by_name(name: str, args: dict):
    arrays = {key: mx.np.array(value) for key, value in args.items()}
    expected = getattr(onp, name)(*(onp.array(value, "float32") for value in args.values()))
    onp.testing.assert_allclose(getattr(mx.np, name)(**arrays).asnumpy(), expected, rtol=1e-6)


def test_functions_show_the_signature_of_the_original():
    assert str(inspect.signature(mx.np.add)).startswith("(x1: 'Any', x2: 'Any', out: 'Any' = None")


def count_calls(function, *args) -> list[str]:
    """Returns the files of Python functions that a function calls, one for each call."""
    files = []
    sys.setprofile(lambda frame, event, _: event == "call" and files.append(frame.f_code))
    try:
        function(*args)
    finally:
        sys.setprofile(None)
    return [code.co_filename for code in files[1:]]


@pytest.mark.parametrize(
    "call_sum", [lambda x: mx.np.sum(x, axis=1), lambda x: mx.np.sum(x, 1), lambda x: mx.np.sum(x)]
)
def test_functions_that_are_operators_take_few_calls(call_sum):
    x = mx.np.ones((3, 4))
    for _ in range(2):
        call_sum(x)
    files = count_calls(call_sum, x)
    assert len(files) <= 5
    assert len(set(files)) <= 3


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "missing 1 required positional argument: 'm'"),
        ((1, 2, 3), {}, "takes from 1 to 2 positional arguments but 3 were given"),
        ((1,), {"m": 2}, "got multiple values for argument 'm'"),
        ((1,), {"name": "n"}, "got an unexpected keyword argument 'name'"),
        ((1,), {"out": 2}, "got an unexpected keyword argument 'out'"),
    ],
)
def test_functions_that_are_operators_refuse_what_does_not_fit(args, kwargs, message):
    with pytest.raises(TypeError, match=re.escape(f"tril() {message}")):
        mx.np.tril(*args, **kwargs)


def test_functions_that_are_operators_tell_calls_of_one_form_apart():
    x = mx.np.array([[1, 2, 3], [4, 5, 6]])
    for axis, expected in ((0, [5, 7, 9]), (1, [6, 15]), (None, 21), ([0, 1], 21), (0, [5, 7, 9])):
        assert mx.np.sum(x, axis=axis).tolist() == expected
        assert mx.np.sum(x, axis).tolist() == expected
        assert mx.np.sum(a=x, axis=axis).tolist() == expected
        assert x.sum(axis).tolist() == expected
    out = mx.np.zeros((2,))
    assert mx.np.sum(x, 1, out=out) is out
    assert mx.np.sum(x, 1, None, False, None, out) is out
    assert out.tolist() == [6, 15]


@pytest.mark.parametrize(
    ("values", "decimals", "expected"),
    [
        ([1.5, 0.2345, 0.5335, 12345.678], 3, [1.5, 0.234, 0.53400004, 12345.678]),
        ([0.05, 0.15, 0.25, 0.35], 1, [0.0, 0.2, 0.2, 0.4]),
        ([15.0, 25.0, 35.0], -1, [20.0, 20.0, 40.0]),
        ([1e38, 0.0], 3, [onp.inf, 0.0]),
        ([1.0, 0.0], 5000, [onp.inf, 0.0]),
        ([3e38, 1.0], -5000, [0.0, 0.0]),
    ],
)
def test_rounding_gives_the_bits_of_the_original(values, decimals, expected):
    found = mx.np.around(mx.np.array(values), decimals).asnumpy()
    onp.testing.assert_array_equal(found, onp.array(expected, "float32"))
