"""Constants, dictionaries of parameters and constants by name, and how blocks collect them."""

from __future__ import annotations

import os
import re
import warnings
from collections import OrderedDict
from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    Set,
    ValuesView,
)
from math import prod
from typing import Any, Protocol

from mxnet import initializer
from mxnet import ndarray as nd
from mxnet._formats import element_types
from mxnet._frontend.dialect import current_dialect
from mxnet._start import (
    PublicInit,
    accept_device,
    did_you_mean,
    expand,
    level_of_program,
    plain,
    public_call,
    public_methods,
)
from mxnet._state import also_takes, rules
from mxnet.context import Context
from mxnet.errors import ArgumentTypeError, UnknownNameError
from mxnet.gluon.parameters.parameter import Parameter, ParameterError
from mxnet.ndarray import NDArray
from mxnet.ops.core.attrs import PARAMETER_SHAPES, list_lengths, shapes_agree

_load_arrays = plain(nd.load)


@public_methods("__init__")
class Constant(Parameter):
    """A parameter that training does not change.

    Args:
        name: Name under which it is saved. It may be left out for one that is an attribute of a
            block: `Constant([1, 2])`.
        value: Value, an array or anything that the function `array` takes.

    Example:
        >>> import mxnet as mx
        >>> shift = mx.gluon.Constant("shift", [1, 2])
        >>> shift.initialize()
        >>> print(shift.data().asnumpy(), shift.grad_req)
        [1. 2.] null
    """

    @also_takes("value")
    def __init__(self, name: Any = None, value: Any = None) -> None:
        if value is None:  # as MXNet 2 takes it
            if name is None or isinstance(name, str):
                raise ArgumentTypeError("Constant: missing 1 required argument: value")
            name, value = "const", name
        if not isinstance(value, NDArray):
            value = current_dialect().array_functions.array(value)
        self.value = value
        super().__init__(
            "const" if name is None else name,
            grad_req="null",
            shape=value.shape,
            dtype=value.dtype,
            init=_ConstantValue(value),
        )

    @property
    def grad_req(self) -> str:
        """Always `"null"`."""
        return "null"

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req != "null":
            warnings.warn(
                f"Constant {self.name!r} has no gradient; grad_req stays 'null'",
                stacklevel=level_of_program(),
            )


class _ConstantValue(initializer.Initializer):
    """Fills an array with a given value, whatever its name."""

    def __init__(self, value: NDArray) -> None:
        super().__init__()
        self._value = value

    def _init_weight(self, name: str, arr: NDArray) -> None:  # noqa: ARG002 - whatever its name
        arr[:] = self._value


@public_methods("__getitem__", "save", "load", "initialize", "get_constant", "get")
class ParameterDict:
    """A dictionary of parameters by full name, which begins with the prefix.

    Args:
        prefix: Prefix of the names of new parameters.
        shared: Parameters to look in before a new one is made.

    Example:
        >>> import mxnet as mx
        >>> params = mx.gluon.ParameterDict("net_")
        >>> weight = params.get("weight", shape=(2, 3))
        >>> params.initialize(mx.init.One())
        >>> list(params), params["net_weight"] is weight
        (['net_weight'], True)
        >>> params.setattr("lr_mult", 0.1)
        >>> weight.lr_mult
        0.1
    """

    _tree: ParameterTree | None = None
    """The block whose parameters these are: they are found by their paths in it, too."""

    def __init__(self, prefix: str = "", shared: ParameterDict | None = None) -> None:
        self._prefix = prefix
        self._params: OrderedDict[str, Parameter] = OrderedDict()
        self._shared = shared

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_tree"}

    def __repr__(self) -> str:
        name = f"{self._prefix} " if self._prefix else ""
        content = "\n".join(f"  {parameter}" for parameter in self.values())
        return f"{name}(\n{content}\n)"

    def _repr_html_(self) -> str:
        """Returns what notebooks show: a table of the parameters."""
        from mxnet._formats import html_tables  # noqa: PLC0415 - notebooks only

        rows, elements = [], 0
        for parameter in self.values():
            shape = parameter.shape
            is_known = shape is not None and all(length > 0 for length in shape)
            elements += prod(shape) if shape is not None and is_known else 0
            dtype = getattr(parameter.dtype, "__name__", parameter.dtype)
            places = ", ".join(str(array.context) for array in parameter._data or ())
            rows.append(
                (
                    parameter.name,
                    html_tables.shape_to_text(shape),
                    dtype,
                    parameter.grad_req,
                    places or "no data yet",
                )
            )
        name = f"{type(self).__name__} {self._prefix}".strip()
        number = html_tables.count_to_text(len(rows), "parameter")
        size = html_tables.count_to_text(elements, "element")
        heads = ("name", "shape", "type", "gradient", "where")
        return html_tables.table_to_html(f"{name}, {number}, {size}", heads, rows)

    def __getitem__(self, key: str) -> Parameter:
        found = self._params.get(key)
        if found is None and self._tree is not None:
            found = self._tree._collect_params_with_prefix().get(key)
        if found is None:
            hint = did_you_mean(key, self._params)
            raise UnknownNameError(f"ParameterDict: there is no parameter {key!r}{hint}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __len__(self) -> int:
        return len(self._params)

    def __contains__(self, key: object) -> bool:
        if key in self._params:
            return True
        return self._tree is not None and key in self._tree._collect_params_with_prefix()

    def items(self) -> ItemsView[str, Parameter]:
        """Names and parameters."""
        return self._params.items()

    def keys(self) -> KeysView[str]:
        """Names."""
        return self._params.keys()

    def values(self) -> ValuesView[Parameter]:
        """Parameters."""
        return self._params.values()

    @property
    def prefix(self) -> str:
        """Prefix of the names of new parameters."""
        return self._prefix

    def _get_impl(self, name: str) -> Parameter | None:
        if name in self._params:
            return self._params[name]
        if self._shared is not None and name in self._shared._params:
            self._params[name] = self._shared._params[name]
            return self._params[name]
        return None

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """Returns the parameter `prefix + name`, after making it if it does not exist.

        Args:
            name: Name without the prefix.
            **kwargs: Arguments of `Parameter`; they must agree with those of an existing one.

        Example:
            >>> import mxnet as mx
            >>> params = mx.gluon.ParameterDict("net_")
            >>> weight = params.get("weight", shape=(2, 3))
            >>> weight.name, params.get("weight") is weight
            ('net_weight', True)
        """
        full_name = self._prefix + name
        parameter = self._get_impl(full_name)
        if parameter is None:
            parameter = self._params[full_name] = Parameter(full_name, **kwargs)
            return parameter
        for key, value in kwargs.items():
            _agree(parameter, key, value)
        return parameter

    def get_constant(self, name: str, value: Any = None) -> Constant:
        """Returns the constant `prefix + name`, made from `value` if it does not exist.

        Example:
            >>> import mxnet as mx
            >>> params = mx.gluon.ParameterDict("net_")
            >>> scale = params.get_constant("scale", [1, 2])
            >>> params.initialize()
            >>> print(scale.data().asnumpy(), scale.grad_req)
            [1. 2.] null
        """
        full_name = self.prefix + name
        parameter = self._get_impl(full_name)
        if parameter is None:
            if value is None:
                raise UnknownNameError(f"No constant named {full_name!r}; give a value to make one")
            constant = Constant(full_name, value)
            self._params[full_name] = constant
            return constant
        if not isinstance(parameter, Constant):
            raise ParameterError(f"Parameter {full_name!r} exists already and is not a constant")
        if value is not None:
            given = value
            if not isinstance(value, NDArray):
                given = current_dialect().array_functions.array(value)
            stored = parameter.value
            if given.shape != stored.shape or (given.asnumpy() != stored.asnumpy()).any():
                raise ParameterError(f"Constant {full_name!r} exists already with another value")
        return parameter

    def update(self, other: ParameterDict | Mapping[str, Parameter]) -> None:
        """Adds the parameters of another dictionary."""
        for name, parameter in other.items():
            if self._params.get(name, parameter) is not parameter:
                raise ParameterError(
                    f"ParameterDict.update: both dictionaries have a Parameter {name!r}, but not "
                    "the same one"
                )
            self._params[name] = parameter

    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initializes all parameters, now or once their shapes are known.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3, prefix="fc_")
            >>> params = net.collect_params()
            >>> params.initialize(mx.init.One())
            >>> print(params["fc_weight"].data()[0].asnumpy(), params["fc_bias"].data().asnumpy())
            [1. 1. 1.] [0. 0.]
        """
        default = initializer.Uniform() if init is None else initializer.create(init)
        if verbose:
            default.set_verbosity(verbose=verbose)
        for parameter in self.values():
            parameter.initialize(None, ctx, default, force_reinit=force_reinit)

    def zero_grad(self) -> None:
        """Sets all gradients to zero.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(1, in_units=2)
            >>> net.initialize()
            >>> net.collect_params().setattr("grad_req", "add")
            >>> with mx.autograd.record():
            ...     loss = net(mx.nd.ones((1, 2)))
            >>> loss.backward()
            >>> net.collect_params().zero_grad()
            >>> print(net.weight.grad().asnumpy())
            [[0. 0.]]
        """
        for parameter in self.values():
            parameter.zero_grad()

    @accept_device
    def reset_ctx(self, ctx: Context | Sequence[Context]) -> None:
        """Moves all parameters to other contexts."""
        for parameter in self.values():
            parameter.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """Returns all contexts in use."""
        contexts = OrderedDict((ctx, None) for p in self.values() for ctx in p.list_ctx())
        return list(contexts)

    def setattr(self, name: str, value: Any) -> None:
        """Sets an attribute of every parameter, such as `grad_req` or `lr_mult`.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3, prefix="fc_")
            >>> params = net.collect_params()
            >>> params.setattr("grad_req", "null")  # freezes all of them
            >>> net.weight.grad_req
            'null'
        """
        for parameter in self.values():
            setattr(parameter, name, value)

    def save(self, filename: str | os.PathLike[str], strip_prefix: str = "") -> None:
        """Saves all values.

        Args:
            filename: Path of the file; in the format of safetensors if it ends with
                `.safetensors`.
            strip_prefix: Prefix to remove from the names, which must all begin with it.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> params = mx.gluon.ParameterDict()
            >>> weight = params.get("weight", shape=(2,), init="ones")
            >>> params.initialize()
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "net.params")
            ...     params.save(path)
            ...     weight.set_data(mx.nd.zeros(2))
            ...     params.load(path)
            >>> print(weight.data().asnumpy())
            [1. 1.]
        """
        values: dict[str, Parameter] = {}
        for parameter in self.values():
            if not parameter.name.startswith(strip_prefix):
                raise ParameterError(
                    f"save: prefix {strip_prefix!r} is to be stripped before saving, but "
                    f"Parameter {parameter.name!r} does not start with it"
                )
            values[parameter.name.removeprefix(strip_prefix)] = parameter
        save_values(filename, values)

    def load(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Loads values saved by `save`, all or none of them."""
        loaded = _load_arrays(filename)
        if not isinstance(loaded, dict):
            if loaded:
                raise ParameterError(f"load: {os.fspath(filename)!r} holds arrays without names")
            loaded = {}  # a network without parameters
        self.load_dict(
            {key.removeprefix("arg:").removeprefix("aux:"): array for key, array in loaded.items()},
            ctx,
            allow_missing,
            ignore_extra,
            restore_prefix,
            os.fspath(filename),
            cast_dtype,
            dtype_source,
        )

    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: str | None = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Sets values by name, all or none of them.

        Args:
            param_dict: Arrays by name.
            ctx: Contexts to put parameters on that are not initialized.
            allow_missing: Whether parameters may keep their value.
            ignore_extra: Whether to ignore arrays that have no parameter.
            restore_prefix: Prefix to add to the names.
            filename: Where the arrays come from, for messages.
            cast_dtype: Whether to convert element types.
            dtype_source: Which type is kept then, that of the `"current"` or the `"saved"` value.
        """
        for name in self.keys() if restore_prefix else ():
            if not name.startswith(restore_prefix):
                raise ParameterError(
                    f"load: restore_prefix is {restore_prefix!r} but Parameter {name!r} does not "
                    "start with it"
                )
        load_values(
            self._params,
            {restore_prefix + name: array for name, array in param_dict.items()},
            origin=filename or "param_dict",
            ctx=ctx,
            allow_missing=allow_missing,
            ignore_extra=ignore_extra,
            cast_dtype=cast_dtype,
            dtype_source=dtype_source,
        )


def _agree(parameter: Parameter, key: str, value: Any) -> None:
    """Checks that an existing parameter has an attribute; fills in unknown lengths."""
    if not hasattr(parameter, key):
        setattr(parameter, key, value)
        return
    stored = getattr(parameter, key)
    if value is None or stored is None:
        if stored is None:
            setattr(parameter, key, value)
        return
    if key == "shape":
        wanted = PARAMETER_SHAPES.read(list_lengths(value))
        if wanted is not None and shapes_agree(parameter._shape or (), wanted):
            parameter.shape = wanted
            return
    elif key == "dtype":
        if element_types.element_type(stored) is element_types.element_type(value):
            return
    elif stored == value or key == "init":
        return
    raise ParameterError(
        f"Cannot retrieve Parameter {parameter.name!r} because the desired attribute does not "
        f"match the stored one for {key!r}: desired {value!r}, stored {stored!r}"
    )


class HasParameters(Protocol):
    """A block, or what stands for one."""

    def collect_params(self) -> ParameterDict:
        """Returns its parameters and those of its children."""


def parameters_by_name(tree: HasParameters) -> dict[str, Parameter]:
    """Returns the parameters of a block and its children by the names that they have in graphs."""
    return {item.name: item for item in tree.collect_params().values()}


def save_values(filename: str | os.PathLike[str], parameters: Mapping[str, Parameter]) -> None:
    """Writes the values of parameters to a file; of sharded ones the first rank writes it.

    All ranks must call it then, and it is complete when they return.
    """
    from mxnet._state import processes  # noqa: PLC0415 - few programs save

    is_split = any(parameter._is_sharded for parameter in parameters.values())
    writes = not is_split or processes.rank() == 0
    values: dict[str, NDArray] = {}
    for name, parameter in parameters.items():
        value = value_to_save(parameter)  # which all ranks take part in
        if writes:
            values[name] = value
    if writes:
        nd.save(filename, values)
    if is_split:
        processes.barrier("save_parameters")


_MOST_PROBLEMS = 30
"""Parameters that do not fit which a message lists."""


def value_to_save(parameter: Parameter) -> NDArray:
    """Returns the value of a parameter on the CPU."""
    return parameter._reduce()


def load_values(
    parameters: Mapping[str, Parameter],
    values: Mapping[str, NDArray],
    *,
    origin: str,
    ctx: Context | Sequence[Context] | None,
    allow_missing: bool,
    ignore_extra: bool,
    cast_dtype: bool,
    dtype_source: str,
) -> None:
    """Sets parameters from arrays, after checking that all of them fit.

    Raises:
        ParameterError: naming every missing, extra and misshaped parameter; no parameter has
            changed then.
    """
    problems: list[str] = []
    if not allow_missing:
        given = {id(parameters[name]) for name in values if name in parameters}
        missing = [name for name, item in parameters.items() if id(item) not in given]
        if missing:
            problems.append(
                f"missing in the file: {_quoted(missing)} (allow_missing=True to ignore)"
            )
    if not ignore_extra:
        extra = [name for name in values if name not in parameters]
        if extra:
            problems.append(
                f"not present in the network: {_quoted(extra)} (ignore_extra=True to ignore)"
            )
    fitting = {name: array for name, array in values.items() if name in parameters}
    for name, array in fitting.items():
        mismatch = parameters[name]._find_mismatch(array, cast_dtype, dtype_source)
        if mismatch is not None:
            problems.append(f"Parameter {name!r}: {mismatch}")
    if problems:
        listed = "\n  ".join(problems[:_MOST_PROBLEMS])
        more = len(problems) - _MOST_PROBLEMS
        end = f"\n  and {more} more" if more > 0 else ""
        if values and not fitting:
            end += f"\n  {_explain_names(values, parameters)}"
        raise ParameterError(f"Failed loading parameters from {origin!r}:\n  {listed}{end}")
    for name, array in fitting.items():
        parameters[name]._load_init(array, ctx, cast_dtype, dtype_source)


def _explain_names(given: Iterable[str], known: Iterable[str]) -> str:
    """Returns why no name of a file is one of a network."""
    if _are_places(given) and not _are_places(known):
        return (
            "The file has names by place in the network, as net.save_parameters writes them: "
            "read it by net.load_parameters."
        )
    return (
        "No name of the file is one of the network: it was written from another one, or from one "
        "with another prefix. Files of net.save_parameters have names by place, such as '0.weight'."
    )


def _are_places(names: Iterable[str]) -> bool:
    return all("." in name for name in names)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names))


_OWN_CONTAINERS = frozenset(
    {"_children", "_reg_params", "_forward_hooks", "_forward_pre_hooks", "_mx_parents"}
)
"""Attributes of a block that the library itself sets."""


class ParameterTree(PublicInit):
    """Base of `Block`, which sets the attributes: finds the parameters of it and its children."""

    _prefix: str
    _params: ParameterDict
    _reg_params: dict[str, Parameter]
    _children: Mapping[str, ParameterTree]

    @property
    def prefix(self) -> str:
        """Prefix of the names of parameters."""
        return self._prefix

    @property
    def params(self) -> ParameterDict:
        """Parameters of this block without those of its children; see `collect_params`."""
        return self._params

    def _check_container_with_block(self) -> None:
        """Warns about blocks in lists and dictionaries, which do not become children."""
        for name, value in self.__dict__.items():
            if not (isinstance(value, (list, tuple, dict)) and value):
                continue
            if name in _OWN_CONTAINERS or name.startswith("__"):
                continue
            if _holds_block(value, {id(child) for child in self._children.values()}):
                warnings.warn(
                    f"{type(self).__name__}.{name} holds blocks in a {type(value).__name__}, where "
                    "they are not found: use nn.Sequential or register_child",
                    stacklevel=level_of_program(),
                )

    def _mx_check_containers(self) -> None:
        self._check_container_with_block()
        for child in self._children.values():
            child._mx_check_containers()

    @expand
    @public_call
    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Returns the parameters of this block and all its children.

        They are found by name and by path, such as `"features.0.weight"`. Under `set_version(2)`
        this is a `dict` by path.

        Args:
            select: Regular expression that the beginning of a name must match, or that of a path
                if it matches no name.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.HybridSequential(prefix="net_")
            >>> with net.name_scope():
            ...     net.add(mx.gluon.nn.Dense(4), mx.gluon.nn.Dense(2))
            >>> list(net.collect_params())
            ['net_dense0_weight', 'net_dense0_bias', 'net_dense1_weight', 'net_dense1_bias']
            >>> list(net.collect_params(".*bias"))
            ['net_dense0_bias', 'net_dense1_bias']
        """
        if rules.version > 1:
            self._mx_check_containers()
            by_path: ParameterDict = self._mx_select_by_path(select)
            return by_path
        params = ParameterDict(self._params._prefix)
        self._mx_collect(params, select)
        if select and not params._params:
            found = self._mx_select_by_path(select).values()
            params._params.update((item.name, item) for item in found)
        params._tree = self
        return params

    def _mx_select_by_path(self, select: str | None) -> Any:
        from mxnet.gluon.parameters.paths import select_by_path  # noqa: PLC0415 - it needs this

        return select_by_path(self, select)

    def _mx_collect(self, params: ParameterDict, select: str | None) -> None:
        """Adds the parameters of this block and all its children; see `collect_params`."""
        self._check_container_with_block()
        own: Mapping[str, Parameter] = self.params._params
        if select:
            own = {name: item for name, item in own.items() if re.match(select, name)}
        if own:
            params.update(own)
        usual = ParameterTree.collect_params
        for child in self._children.values():
            if type(child).collect_params is usual:
                child._mx_collect(params, select)
            else:
                params.update(child.collect_params(select))

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Returns all parameters by the path of attributes that leads to them."""
        if prefix:
            prefix += "."
        params = {prefix + name: parameter for name, parameter in self._reg_params.items()}
        for name, child in self._children.items():
            params.update(child._collect_params_with_prefix(prefix + name))
        return params


def _holds_block(value: object, children: Set[int], depth: int = 16) -> bool:
    """Returns whether a list, tuple or dictionary holds a block that is not a child."""
    if not isinstance(value, (list, tuple, dict)) or not depth:
        return False
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, ParameterTree):
            if id(item) not in children:
                return True
        elif isinstance(item, (list, tuple, dict)) and _holds_block(item, children, depth - 1):
            return True
    return False
