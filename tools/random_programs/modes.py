"""Runs a program in several ways: on arrays, recorded, as a symbol, as a hybridized block."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numpy as np

import mxnet as mx
from tools.random_programs.steps import names_read, perform, result_names, writes
from tools.random_programs.values import elements, is_variable, snapshot

Program = dict[str, Any]
Result = dict[str, Any]
"""What came out of steps and gradients: `("ok", snapshots)`, `("shapes", shapes)` or
`("raised", classes, message)`."""


NOTICE: list[Callable[[int], Any]] = []
"""Functions that are told the number of a step before it runs, and -1 after the last one."""


def inputs_of(program: Program) -> dict[str, Any]:
    """Makes the arrays of a program's inputs."""
    return {name: array_of(recipe) for name, recipe in program["inputs"].items()}


def array_of(recipe: dict[str, Any]) -> Any:
    """Makes the array of an input, in the dialect that is switched on."""
    make = mx.np.array if mx.util.is_np_array() else mx.nd.array
    if "content" in recipe:
        found = np.frombuffer(bytes.fromhex(recipe["content"]), dtype=recipe["dtype"])
        found = found.reshape(recipe["shape"])
    else:
        found = elements(recipe)
    array = make(found, dtype=recipe["dtype"])
    return array.tostype(recipe["stype"]) if recipe.get("stype") else array


@contextmanager
def dialect_of(program: Program) -> Iterator[Any]:
    """Switches to the dialect of a program and yields where its functions on arrays are.

    Names of functions in programs of the NumPy dialect begin with `np.` or `npx.`.
    """
    numpy = program.get("dialect") == "np"
    with mx.util.np_shape(numpy), mx.util.np_array(numpy):
        yield mx if numpy else mx.nd


def attempt(action: Callable[[], list[Any]]) -> tuple[tuple[str, Any], list[Any]]:
    """Calls an action that returns arrays, and returns what came out beside the arrays."""
    try:
        arrays = action()
        return ("ok", [snapshot(array) for array in arrays]), arrays
    except Exception as error:  # noqa: BLE001 - whatever a package raises is a result
        names = [kind.__name__ for kind in type(error).__mro__]
        return ("raised", names[:-2], _message(error)), []


def _message(error: Exception) -> str:
    """Returns what an error says, without the lines of the original that say where in its code."""
    lines = [
        line for line in str(error).splitlines() if not line.startswith(("Traceback", "  File"))
    ]
    return " ".join(lines)[:300]


def _spoken(mode: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a mode that runs each program in its dialect."""

    @wraps(mode)
    def run(program: Program, *more: Any) -> Any:
        with dialect_of(program):
            return mode(program, *more)

    return run


def run_steps(program: Program, arrays: dict[str, Any], result: Result) -> dict[str, Any]:
    """Carries out the steps on arrays; the program goes on without a step that raises.

    If a program writes to arrays, it is noted what each step was given: other names may be views.
    """
    noted = any(writes(step) for step in program["steps"])
    frontend = mx if mx.util.is_np_array() else mx.nd
    for index, step in enumerate(program["steps"]):
        for notice in NOTICE:
            notice(index)
        if step["do"] == "nothing" or any(name not in arrays for name in names_read(step)):
            result[f"step {index}"] = ("skipped",)
            continue
        if noted:
            result[f"given {index}"] = ("ok", [snapshot(arrays[name]) for name in names_read(step)])
        result[f"step {index}"], made = attempt(lambda step=step: perform(frontend, step, arrays))
        arrays.update(zip(result_names(index, len(made)), made, strict=True))
    for notice in NOTICE:
        notice(-1)
    return arrays


@_spoken
def imperative(program: Program) -> Result:
    """Runs a program on arrays; if it writes to some, all are looked at again in the end."""
    result: Result = {}
    arrays = run_steps(program, inputs_of(program), result)
    if any(writes(step) for step in program["steps"]):
        for name, array in arrays.items():
            result[f"end {name}"], _ = attempt(lambda array=array: [array])
    return result


@_spoken
def recorded(program: Program) -> Result:
    """Runs a program inside of `record()` and differentiates its heads by all variables."""
    return _record(program, "write")


@_spoken
def accumulated(program: Program) -> Result:
    """Does what `recorded` does, and adds the gradients to those that are there."""
    return _record(program, "add")


def _record(program: Program, grad_req: str) -> Result:
    result: Result = {}
    arrays = inputs_of(program)
    variables = _attach(program, arrays, grad_req)
    with mx.autograd.record():
        arrays = run_steps(program, arrays, result)
    heads = [arrays[name] for name in program["heads"] if name in arrays]
    _differentiate(heads, variables, result)
    return result


def _attach(program: Program, arrays: dict[str, Any], grad_req: str = "write") -> dict[str, Any]:
    """Gives arrays a gradient; the original cannot do that with arrays of no elements."""
    variables = {}
    for name, recipe in program["inputs"].items():
        if is_variable(recipe) and _attached(arrays[name], grad_req, recipe.get("grad_stype")):
            variables[name] = arrays[name]
    return variables


def _attached(array: Any, grad_req: str, stype: str | None) -> bool:
    def attach() -> list[Any]:
        array.attach_grad(grad_req, stype=stype) if stype else array.attach_grad(grad_req)
        if grad_req == "add":
            _fill(array.grad)
        return []

    return attempt(attach)[0][0] == "ok"


def _fill(gradient: Any) -> None:
    """Puts something into a gradient that others are added to."""
    if gradient.stype == "default":
        gradient += 2
    else:
        gradient[:] = mx.nd.full(gradient.shape, 2, dtype=gradient.dtype).tostype(gradient.stype)


def _differentiate(heads: list[Any], variables: dict[str, Any], result: Result) -> None:
    def backward() -> list[Any]:
        mx.autograd.backward(
            heads, [_slope(head.shape, head.dtype, i) for i, head in enumerate(heads)]
        )
        return []

    if not heads:
        return
    result["backward"], _ = attempt(backward)
    if result["backward"][0] == "ok":
        for name, variable in variables.items():
            result[f"gradient {name}"], _ = attempt(lambda variable=variable: [variable.grad])


@_spoken
def headed(program: Program) -> Result:
    """Differentiates with head gradients of all kinds: of all heads at once, of one, by `grad`.

    Some are left out, others have the elements of the head in another shape; other numbers of
    elements make the original read foreign memory.
    """
    result: Result = {}
    for way in _WAYS:
        variables, heads, slopes = _headed(program, way)
        if not heads:
            return result
        given = (heads, slopes, list(variables.values()))
        found, gradients = attempt(lambda way=way, given=given: _WAYS[way](*given))
        result[f"backward {way}"] = found if found[0] == "raised" else ("ok", [])
        for name, array in zip(variables, gradients, strict=False):
            result[f"gradient {name} {way}"], _ = attempt(lambda array=array: [array])
    return result


def _headed(program: Program, way: str) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """Records a program, and returns its variables, its heads and the gradients of these."""
    arrays = inputs_of(program)
    variables = _attach(program, arrays)
    with mx.autograd.record():
        arrays = run_steps(program, arrays, {})
    heads = [arrays[name] for name in program["heads"] if name in arrays]
    return variables, heads, [_odd_slope(_salt(program) + way, x, i) for i, x in enumerate(heads)]


@_spoken
def has_odd_slopes(program: Program, way: str) -> bool:
    """Returns whether `headed` gives a head of a program a gradient of another shape."""
    _, heads, slopes = _headed(program, way)
    pairs = zip(heads, slopes, strict=True)
    return any(slope is not None and slope.shape != head.shape for head, slope in pairs)


def _salt(program: Program) -> str:
    """Returns what choices in a mode depend on, which stays when a program is reduced."""
    found: str = program.get("salt", program["name"])
    return found


def _together(heads: list[Any], slopes: list[Any], variables: list[Any]) -> list[Any]:
    mx.autograd.backward(heads, slopes)
    return [variable.grad for variable in variables]


def _alone(heads: list[Any], slopes: list[Any], variables: list[Any]) -> list[Any]:
    """Differentiates one head after the other; what the last one does not reach stays."""
    for head, slope in zip(heads, slopes, strict=True):
        head.backward(slope, retain_graph=True)
    return [variable.grad for variable in variables]


def _grad(heads: list[Any], slopes: list[Any], variables: list[Any]) -> list[Any]:
    return list(mx.autograd.grad(heads, variables, slopes))


_WAYS = {"together": _together, "alone": _alone, "grad": _grad}


def _odd_slope(name: str, head: Any, index: int) -> Any:
    """Returns the gradient of a head as `headed` gives it; None stands for ones."""
    kind = zlib.crc32(f"{name} {index}".encode()) % 20
    if kind >= 15:
        return None
    size = int(np.prod(head.shape))
    shapes = {0: (size,), 1: (1, *head.shape), 2: tuple(head.shape)[::-1]}
    return _slope(shapes.get(kind, head.shape), head.dtype, index)


def _slope(shape: tuple[int, ...], dtype: Any, index: int) -> Any:
    """Returns the gradient of a head: numbers that differ from element to element."""
    seed = zlib.crc32(repr((tuple(shape), index)).encode())
    return array_of({"shape": shape, "dtype": np.dtype(dtype).name, "draw": "unit", "seed": seed})


def _build(frontend: Any, program: Program, values: dict[str, Any]) -> list[Any]:
    """Carries out the steps on symbols (or whatever `F` works on) and returns the heads."""
    for index, step in enumerate(program["steps"]):
        if step["do"] == "nothing":
            continue
        made = perform(frontend, step, values)
        values.update(zip(result_names(index, len(made)), made, strict=True))
    return [values[name] for name in program["heads"]]


def _variable(name: str, stype: str | None = None) -> Any:
    variable = mx.sym.var(name, stype=stype) if stype else mx.sym.var(name)
    return variable.as_np_ndarray() if mx.util.is_np_array() else variable


def _legacy(array: Any) -> Any:
    """Returns an array as executors take it: those of the NumPy dialect, too, work on `mx.nd`."""
    return array.as_nd_ndarray() if mx.util.is_np_array() else array


def _symbol_of(program: Program) -> Any:
    variables = {n: _variable(n, recipe.get("stype")) for n, recipe in program["inputs"].items()}
    return mx.sym.Group(_build(mx.sym, program, variables))


def _zeros(array: Any, recipe: dict[str, Any]) -> Any:
    """Returns what a graph writes a gradient to."""
    stype = recipe.get("grad_stype")
    if stype is None:
        return mx.nd.zeros_like(array)
    return mx.nd.sparse.zeros(stype, array.shape, dtype=array.dtype)


@_spoken
def symbolic(program: Program) -> Result:
    """Builds the program as a symbol, binds it and runs it forward and backward."""
    result: Result = {}
    arrays = {name: _legacy(array) for name, array in inputs_of(program).items()}
    floats = {n: _zeros(arrays[n], r) for n, r in program["inputs"].items() if is_variable(r)}
    executor = None

    def build() -> list[Any]:
        nonlocal executor
        symbol = _symbol_of(program)
        used = set(symbol.list_arguments())
        states = {name: arrays[name] for name in symbol.list_auxiliary_states()}
        executor = symbol.bind(
            mx.cpu(),
            {name: array for name, array in arrays.items() if name in used},
            args_grad={name: array for name, array in floats.items() if name in used},
            grad_req={name: "write" if name in floats else "null" for name in used},
            aux_states=states,
        )
        return []

    result["build"], _ = attempt(build)
    if executor is not None:
        _execute(executor, floats, result)
    return result


def _execute(executor: Any, gradients: dict[str, Any], result: Result) -> None:
    """Runs an executor forward and backward."""
    result["forward"], outputs = attempt(lambda: executor.forward(is_train=True))
    if result["forward"][0] != "ok":
        return
    slopes = [_slope(head.shape, head.dtype, i) for i, head in enumerate(outputs)]
    result["backward"], _ = attempt(lambda: executor.backward(slopes) or [])
    if result["backward"][0] == "ok":
        for name, array in gradients.items():
            result[f"gradient {name}"], _ = attempt(lambda array=array: [array])


@_spoken
def bound(program: Program) -> Result:
    """Lets the program make its own arrays by `simple_bind`, with keywords that are no shapes."""
    result: Result = {}
    arrays = {name: _legacy(array) for name, array in inputs_of(program).items()}
    executor = None

    def build() -> list[Any]:
        nonlocal executor
        symbol = _symbol_of(program)
        used = symbol.list_inputs()
        wanted = {n for n, r in program["inputs"].items() if is_variable(r)}
        executor = symbol.simple_bind(
            mx.cpu(),
            grad_req={n: "write" if n in wanted else "null" for n in symbol.list_arguments()},
            type_dict={name: arrays[name].dtype for name in used},
            force_rebind=True,
            axis=-1,
            **{name: arrays[name].shape for name in used},
        )
        for known in (executor.arg_dict, executor.aux_dict):
            for name, array in known.items():
                array[:] = arrays[name]
        return []

    result["build"], _ = attempt(build)
    if executor is not None:
        gradients = {n: array for n, array in executor.grad_dict.items() if array is not None}
        _execute(executor, gradients, result)
    return result


@_spoken
def inferred(program: Program) -> Result:
    """Infers shapes from those of the inputs, in each of which a length is left open in turn."""
    result: Result = {}
    symbol: Any = None

    def build() -> list[Any]:
        nonlocal symbol
        symbol = _symbol_of(program)
        return []

    result["build"], _ = attempt(build)
    shapes = {name: tuple(recipe["shape"]) for name, recipe in program["inputs"].items()}
    unknown = -1 if mx.util.is_np_shape() else 0
    for name in symbol.list_inputs() if symbol is not None else ():
        for axis in range(len(shapes[name])):
            opened = (*shapes[name][:axis], unknown, *shapes[name][axis + 1 :])
            result[f"without {name} {axis}"] = _infer(symbol, shapes | {name: opened}, unknown)
    return result


def _infer(symbol: Any, shapes: dict[str, tuple[int, ...]], unknown: int) -> tuple[str, Any]:
    """Returns shapes of all arguments and outputs, `None` for unknown ones and lengths."""
    used = set(symbol.list_inputs())
    given = {name: shape for name, shape in shapes.items() if name in used}
    try:
        groups = symbol.infer_shape_partial(**given)
    except Exception as error:  # noqa: BLE001 - as in `attempt`
        return ("raised", [kind.__name__ for kind in type(error).__mro__][:-2], _message(error))
    nothing = () if unknown == 0 else None
    return "shapes", [
        None if shape == nothing else [None if n == unknown else n for n in shape]
        for group in groups
        for shape in group
    ]


class _Net(mx.gluon.HybridBlock):
    """The steps of a program as a block."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program

    def hybrid_forward(self, F: Any, *inputs: Any) -> list[Any]:
        return _build(F, self._program, dict(zip(self._program["inputs"], inputs, strict=True)))


class _ForwardNet(mx.gluon.HybridBlock):
    """The steps of a program as a block of MXNet 2, whose `forward` computes on arrays."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program

    def forward(self, *inputs: Any) -> list[Any]:
        return _build(mx, self._program, dict(zip(self._program["inputs"], inputs, strict=True)))


@_spoken
def hybridized(program: Program) -> Result:
    """Runs the program as a hybridized block inside of `record()`, twice, and differentiates it."""
    return _run_net(program, _Net(program))


@_spoken
def forwarded(program: Program) -> Result:
    """Runs the program like `hybridized`, as a block of MXNet 2."""
    return _run_net(program, _ForwardNet(program))


def _run_net(program: Program, net: Any) -> Result:
    result: Result = {}
    arrays = inputs_of(program)
    variables = _attach(program, arrays)
    net.hybridize()

    def call() -> list[Any]:
        with mx.autograd.record():
            found = net(*arrays.values())
        return list(found) if isinstance(found, (list, tuple)) else [found]

    for attempted in ("forward", "forward again"):
        result[attempted], heads = attempt(call)
        if not heads:
            return result
    _differentiate(heads, variables, result)
    return result


class _Owner(mx.gluon.HybridBlock):
    """The steps of a program as a block whose variables, but for the first input, it owns."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program
        names = list(program["inputs"])
        self.owned = [n for n in names[1:] if is_variable(program["inputs"][n])]
        self.given = [n for n in names if n not in self.owned]
        with self.name_scope():
            for name in self.owned:
                recipe = program["inputs"][name]
                parameter = self.params.get(name, shape=recipe["shape"], dtype=recipe["dtype"])
                setattr(self, name, parameter)

    def hybrid_forward(self, F: Any, *inputs: Any, **parameters: Any) -> list[Any]:
        values = dict(zip(self.given, inputs, strict=True)) | parameters
        return _build(F, self._program, values)


def _set_data(net: _Owner, arrays: dict[str, Any]) -> None:
    for name in net.owned:
        getattr(net, name).set_data(arrays[name] * 0.5)


def _put(net: _Owner, arrays: dict[str, Any]) -> None:
    """Puts other arrays in the places of those that the parameters have had."""
    for name in net.owned:
        parameter = getattr(net, name)
        parameter._data[0] = arrays[name] * 0.25
        parameter._data[0].attach_grad()
        parameter._grad[0] = parameter._data[0].grad


def _put_data_alone(net: _Owner, arrays: dict[str, Any]) -> None:
    for name in net.owned:
        getattr(net, name)._data[0] = arrays[name] * 0.75


def _again(net: _Owner, _: dict[str, Any]) -> None:
    net.initialize(mx.init.Constant(0.5), force_reinit=True)


def _reset_ctx(net: _Owner, _: dict[str, Any]) -> None:
    net.collect_params().reset_ctx([mx.cpu(0)])


def _double(net: _Owner, arrays: dict[str, Any]) -> None:
    """Casts the block, and the arrays that it gets next."""
    net.cast("float64")
    for name, array in arrays.items():
        if np.dtype(array.dtype).kind == "f":
            arrays[name] = array.astype("float64")


_CHANGES = {
    "set_data": _set_data,
    "put": _put,
    "force_reinit": _again,
    "reset_ctx": _reset_ctx,
    "cast": _double,
    "put_data_alone": _put_data_alone,
}
"""What is done to parameters between two calls."""


@_spoken
def replaced(program: Program) -> Result:
    """Calls a hybridized block with parameters that are replaced between the calls."""
    result: Result = {}
    arrays = inputs_of(program)
    net = _Owner(program)
    net.initialize()
    salt = _salt(program)
    net.hybridize(static_alloc=zlib.crc32(salt.encode()) % 3 == 0)
    _set_data(net, arrays)
    order = sorted(_CHANGES, key=lambda name: zlib.crc32((salt + name).encode()))
    for change in ["first", *order]:
        if change != "first":
            changed, _ = attempt(lambda change=change: _CHANGES[change](net, arrays) or [])
            result[f"build {change}"] = changed
        _call_owner(net, arrays, change, result)
    return result


def _call_owner(net: _Owner, arrays: dict[str, Any], change: str, result: Result) -> None:
    """Runs a block forward and backward, and notes results and gradients."""
    given = {name: arrays[name].copy() for name in net.given}
    variables = [name for name in net.given if is_variable(net._program["inputs"][name])]
    for name in variables:
        given[name].attach_grad()

    def call() -> list[Any]:
        with mx.autograd.record():
            found = net(*given.values())
        return list(found) if isinstance(found, (list, tuple)) else [found]

    result[f"forward {change}"], heads = attempt(call)
    if not heads:
        return
    slopes = [_slope(head.shape, head.dtype, i) for i, head in enumerate(heads)]
    result[f"backward {change}"], _ = attempt(lambda: mx.autograd.backward(heads, slopes) or [])
    gradients = {name: lambda name=name: [given[name].grad] for name in variables}
    gradients |= {n: lambda name=n: [getattr(net, name).grad()] for n in net.owned}
    for name, read in gradients.items():
        result[f"gradient {name} {change}"], _ = attempt(read)


MODES = {
    "imperative": imperative,
    "recorded": recorded,
    "accumulated": accumulated,
    "headed": headed,
    "symbolic": symbolic,
    "bound": bound,
    "inferred": inferred,
    "hybridized": hybridized,
    "forwarded": forwarded,
    "replaced": replaced,
}
