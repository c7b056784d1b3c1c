"""What functions of `mx.np` and `mx.npx` take in MXNet 2, where 1.9.1 takes other arguments.

Names that only MXNet 2 gives arguments are taken in any case. Its order and its defaults hold in
the modules under `mx.set_version(2)`, which puts functions in the places of those of 1.9.1.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from types import MappingProxyType
from typing import Any

from mxnet._state import modes, rules
from mxnet.errors import ArgumentTypeError, NotSupportedError

Function = Callable[..., Any]


def _float_dtype() -> str:
    return "float64" if modes.np_default_dtype else "float32"


@dataclass(frozen=True)
class Later:
    """What MXNet 2 gives a function.

    Attributes:
        signature: The parameters in its order, with its defaults, as `def` has them.
        renamed: Names of parameters with those that they have here.
        defaults: Values of parameters that are not given, or functions that return them, where
            those of 1.9.1 are others.
        checked: Values that parameters may have which mean nothing here.
    """

    signature: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    checked: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    @cached_property
    def shown(self) -> inspect.Signature:
        """The signature."""
        declared = ast.parse(f"def function({self.signature}): pass").body[0]
        arguments = declared.args  # type: ignore[attr-defined]
        values = [ast.literal_eval(item) for item in arguments.defaults]
        needed = [inspect.Parameter.empty] * (len(arguments.args) - len(values))
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            inspect.Parameter(item.arg, kind, default=value)
            for item, value in zip(arguments.args, [*needed, *values], strict=True)
        ]
        if arguments.kwarg is not None:
            parameters.append(inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD))
        return inspect.Signature(parameters)

    def place(self, function: Function) -> Function:
        """Returns a function that takes these arguments, for one that takes those of 1.9.1."""
        parameters = self.shown.parameters.values()
        takes_all = any(item.kind is item.VAR_KEYWORD for item in parameters)
        names = [item.name for item in parameters if item.kind is item.POSITIONAL_OR_KEYWORD]
        # None says something, such as no axis, where it is not what is taken anyway.
        takes_none = {item.name for item in parameters if item.name == "axis" and item.default}
        renamed, defaults = self.renamed, self.defaults
        first = 0
        while first < len(names) and names[first] in _ARRAYS:
            first += 1

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if len(args) > len(names) or not (takes_all or kwargs.keys() <= _KNOWN | {*names}):
                return self.shown.bind(*args, **kwargs)  # which raises
            given = dict(zip(names[first:], args[first:], strict=False))
            if not given.keys().isdisjoint(kwargs):
                twice = ", ".join(given.keys() & kwargs.keys())
                raise ArgumentTypeError(f"{function.__name__}: got {twice} twice")
            given |= kwargs
            for name, value in defaults.items():
                if given.get(name) is None:
                    given[name] = value() if callable(value) else value
            for name, values in self.checked.items():
                check_value(function.__name__, name, given.pop(name, None), values)
            rest = {
                renamed.get(k, k): v for k, v in given.items() if v is not None or k in takes_none
            }
            arrays = args[:first]
            if rest.get("no_bias"):  # then MXNet 2 passes over the bias
                arrays = arrays[:2]
                rest.pop("bias", None)
            return function(*arrays, **rest)

        call.__signature__ = self.shown  # type: ignore[attr-defined]
        return call


@dataclass(frozen=True)
class Instead:
    """A function that stands in the place of one of 1.9.1."""

    function: Function
    renamed: Mapping[str, str] = field(default_factory=dict)

    def place(self, _: Function) -> Function:
        """Returns the function."""
        return self.function


def check_value(where: str, name: str, value: Any, values: tuple[Any, ...]) -> None:
    """Refuses a value of an argument that is not one of a few.

    Raises:
        NotSupportedError: if it is none of them.
    """
    if not any(value is item for item in values):
        raise NotSupportedError(f"{where}: {name}={value!r} is not supported")


_ARRAYS = frozenset({"a", "x", "b", "data", "weight", "bias", "gamma", "beta", "index"})
"""Parameters that take arrays, in the places where functions of 1.9.1 take them, too."""
_KNOWN = frozenset({"ctx", "name", "out", "attr", "ddof", "UPLO", "rcond", "tol", "kind", "order"})
"""Arguments that MXNet 2 still takes by name under their names of before."""

_REDUCED = "a, axis=None, out=None, keepdims=False"
_SORTED = "a, axis=-1, descending=False, stable=True"
_SPREAD = "a, axis=None, dtype=None, out=None, correction=0, keepdims=False"
_DTYPE = {"dtype": _float_dtype}
_LIKE = "a, dtype=None, order='C', device=None, out=None"
_DEVICE = {"device": "ctx"}

LATER: dict[str, dict[str, Later | Instead]] = {
    "np": {
        **{name: Later(_REDUCED) for name in ("all", "amax", "amin", "any", "max", "min")},
        **{name: Later(_REDUCED) for name in ("argmax", "argmin")},
        **{name: Later(_SORTED) for name in ("argsort", "sort")},
        **{name: Later(_SPREAD, {"correction": "ddof"}) for name in ("std", "var")},
        **{
            name: Later("M, dtype=None, device=None", _DEVICE, _DTYPE)
            for name in ("blackman", "hamming", "hanning")
        },
        **{
            name: Later("shape, dtype=None, order='C', device=None", _DEVICE, _DTYPE)
            for name in ("empty", "ones")
        },
        **{name: Later(_LIKE, _DEVICE) for name in ("ones_like", "zeros_like")},
        "empty_like": Later(
            "prototype, dtype=None, device=None, order='C', subok=False, shape=None", _DEVICE
        ),
        "eye": Later("N, M=None, k=0, dtype=None, device=None, **kwargs", _DEVICE, _DTYPE),
        "indices": Later(
            "dimensions, dtype=None, device=None", _DEVICE, {"dtype": lambda: "int64"}
        ),
        "sum": Later(
            "a, axis=None, dtype=None, out=None, keepdims=None, initial=None, where=None",
            checked={"where": (None, True)},
        ),
    },
    "np.linalg": {
        "cholesky": Later("a, upper=False"),
        "eigh": Later("a, upper=False"),
        "eigvalsh": Later("a, upper=False"),
        "matrix_rank": Later("M, rtol=None, hermitian=False", {"M": "A", "rtol": "tol"}),
        "pinv": Later("a, rtol=None, hermitian=False", {"rtol": "rcond"}),
    },
    "np.random": {"power": Later("a, size=None, device=None, out=None", _DEVICE)},
    "npx": {
        "activation": Later("data, act_type='relu', **kwargs", defaults={"act_type": "relu"}),
        "arange_like": Later("data, start=0.0, step=1.0, repeat=1, ctx=None, axis=None"),
        "batch_dot": Later(
            "a, b, transpose_a=False, transpose_b=False, forward_stype='default'",
            {"a": "lhs", "b": "rhs"},
        ),
        "batch_norm": Later(
            "x, gamma, beta, running_mean, running_var, eps=1e-3, momentum=0.9, fix_gamma=True, "
            "use_global_stats=False, output_mean_var=False, axis=1, cudnn_off=False, "
            "min_calib_range=None, max_calib_range=None, **kwargs",
            {"x": "data", "running_mean": "moving_mean", "running_var": "moving_var"},
        ),
        "convolution": Later(
            "data=None, weight=None, bias=None, kernel=None, stride=None, dilate=None, pad=None, "
            "num_filter=1, num_group=1, workspace=1024, no_bias=False, cudnn_tune=None, "
            "cudnn_off=False, layout=None",
            defaults={"num_filter": 1},
        ),
        "deconvolution": Later(
            "data=None, weight=None, bias=None, kernel=None, stride=None, dilate=None, pad=None, "
            "adj=None, target_shape=None, num_filter=1, num_group=1, workspace=1024, "
            "no_bias=False, cudnn_tune=None, cudnn_off=False, layout=None",
            defaults={"num_filter": 1, "no_bias": False, "workspace": 1024},
        ),
        "dropout": Later("data, p=0.5, mode='training', axes=None, cudnn_off=False, **kwargs"),
        "embedding": Later(
            "data, weight, input_dim=None, output_dim=None, dtype='float32', sparse_grad=False, "
            "**kwargs"
        ),
        "fully_connected": Later(
            "x, weight, bias=None, num_hidden=None, no_bias=True, flatten=True, **kwargs",
            {"x": "data"},
            {"no_bias": True},
        ),
        "group_norm": Later(
            "data, gamma, beta, num_groups=1, eps=1e-3, output_mean_var=False",
            defaults={"eps": 1e-3},
        ),
        "layer_norm": Later(
            "data=None, gamma=None, beta=None, axis=None, eps=None, output_mean_var=None"
        ),
        "leaky_relu": Later(
            "data=None, gamma=None, act_type='leaky', slope=0.25, lower_bound=0.125, "
            "upper_bound=0.334, **kwargs"
        ),
        "log_softmax": Later(
            "data, axis=-1, length=None, temperature=None, use_length=False, dtype=None"
        ),
        "one_hot": Later(
            "data, depth=None, on_value=1.0, off_value=0.0, dtype='float32'", {"data": "indices"}
        ),
        "pick": Later("data, index, axis=-1, mode='clip', keepdims=False"),
        "pooling": Later(
            "data=None, kernel=None, stride=None, pad=None, pool_type='max', "
            "pooling_convention='valid', global_pool=False, cudnn_off=False, p_value=None, "
            "count_include_pad=None, layout=None, **kwargs"
        ),
        "rnn": Later(
            "data=None, parameters=None, state=None, state_cell=None, sequence_length=None, "
            "mode=None, state_size=None, num_layers=None, bidirectional=False, "
            "state_outputs=False, p=0.0, use_sequence_length=False, projection_size=None, "
            "lstm_state_clip_min=None, lstm_state_clip_max=None, lstm_state_clip_nan=None"
        ),
        "softmax": Later(
            "data, length=None, axis=-1, temperature=None, use_length=False, dtype=None"
        ),
    },
    "sym.np": {
        **{name: Later(_REDUCED, {"a": "data"}) for name in ("all", "any")},
        **{name: Later(_REDUCED) for name in ("amax", "amin", "max", "min")},
        **{
            name: Later("M, dtype=None, ctx=None", defaults=_DTYPE)
            for name in ("blackman", "hamming", "hanning")
        },
        "indices": Later("dimensions, dtype=None, ctx=None", defaults={"dtype": lambda: "int64"}),
        "ones": Later("shape, dtype=None, order='C', ctx=None", defaults=_DTYPE),
        "cumsum": Later("a, axis=None, dtype=None, out=None"),
        "diag": Later("v, k=0", {"v": "data"}),
        "diagflat": Later("v, k=0", {"v": "data"}),
        "diagonal": Later("a, offset=0, axis1=0, axis2=1", {"a": "data"}),
        "dot": Later("a, b, out=None"),
        "moveaxis": Later("a, source, destination"),
        "prod": Later(
            "a, axis=None, dtype=None, keepdims=False, initial=None, output=None", {"output": "out"}
        ),
        "repeat": Later("a, repeats, axis=None", {"a": "data"}),
        "reshape": Later(
            "a, newshape, reverse=False, order='C'", checked={"reverse": (None, False)}
        ),
        "roll": Later("a, shift, axis=None", {"a": "data"}),
        "squeeze": Later("x, axis=None", {"x": "a"}),
        "sum": Later(
            "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None",
            checked={"where": (None, True)},
        ),
        "trace": Later("a, offset=0, axis1=0, axis2=1, out=None", {"a": "data"}),
    },
}
"""By module and name of the function; in graphs others differ."""

RENAMED: dict[str, dict[str, Mapping[str, str]]] = {
    "np": {
        "diag": {"v": "array"},
        "diagflat": {"v": "array"},
        "sometrue": {"data": "a"},
        "squeeze": {"x": "a"},
    },
    "npx": {"constraint_check": {"input": "x"}, "nonzero": {"x": "a"}},
}
"""Names of arguments in `mx.nd.np` of MXNet 2, which here is `mx.np`, that are taken as well."""


def renamed_in(module: str, name: str) -> Mapping[str, str]:
    """Returns which arguments of a function have other names in MXNet 2."""
    later = LATER.get(module, {}).get(name)
    return later.renamed if later else RENAMED.get(module, {}).get(name, _NOTHING)


_NOTHING: Mapping[str, str] = MappingProxyType({})

_INSTALLED: list[tuple[dict[str, Any], str]] = []
"""Namespaces that functions were put into, with the modules of the table."""
_BEFORE: dict[int, dict[str, Function]] = {}
"""The functions of 1.9.1 of such a namespace, by its identity."""


def follow(namespace: dict[str, Any], module: str) -> None:
    """Puts functions of a module that fit the rules into a namespace, now and when they change."""
    if module in LATER:
        _INSTALLED.append((namespace, module))
        if rules.version > 1:
            _place(namespace, module)


def place_late(namespace: dict[str, Any], module: str, name: str) -> None:
    """Changes a function that a namespace has just got to the form that fits the rules."""
    if rules.version > 1 and name in LATER.get(module, {}):
        _place(namespace, module)


def _place(namespace: dict[str, Any], module: str) -> None:
    before = _BEFORE.setdefault(id(namespace), {})
    for name, later in LATER[module].items():
        if name in namespace and name not in before:
            before[name] = namespace[name]
            namespace[name] = later.place(namespace[name])


def _change(version: int) -> None:
    """Puts the functions of a version into all namespaces."""
    for namespace, module in _INSTALLED:
        if version > 1:
            _place(namespace, module)
        else:
            namespace.update(_BEFORE.pop(id(namespace), {}))


rules.watchers.append(_change)
