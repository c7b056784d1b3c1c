"""Collects, saves and loads the parameters of a block and its children."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping, Sequence, Set

from mxnet._start import PublicInit, expand, level_of_program, public_call, public_methods
from mxnet.context import Context
from mxnet.gluon.parameters.dictionary import ParameterDict, _load_arrays, load_values, save_values
from mxnet.gluon.parameters.parameter import Parameter, ParameterError
from mxnet.ndarray import NDArray

_OWN_CONTAINERS = frozenset(
    {"_children", "_reg_params", "_forward_hooks", "_forward_pre_hooks", "_mx_parents"}
)
"""Attributes of a block that the library itself sets."""


@public_methods("save_params", "save_parameters", "load_params")
class ParameterTree(PublicInit):
    """Base of `Block`, which sets the attributes."""

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

    @expand
    @public_call
    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Returns the parameters of this block and all its children.

        Args:
            select: Regular expression that the beginning of a name must match.
        """
        params = ParameterDict(self._params._prefix)
        self._mx_collect(params, select)
        return params

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

    def save_parameters(self, filename: str | os.PathLike[str], deduplicate: bool = False) -> None:
        """Saves the values of all parameters by their path.

        Args:
            filename: Path of the file; in the format of safetensors if it ends with
                `.safetensors`.
            deduplicate: Whether a shared parameter is stored once, not once for each path.
        """
        parameters = self._collect_params_with_prefix()
        if deduplicate:
            last = {id(item): name for name, item in parameters.items()}
            parameters = {n: item for n, item in parameters.items() if last[id(item)] == n}
        save_values(filename, parameters)

    def save_params(self, filename: str | os.PathLike[str]) -> None:
        """Saves parameters by name, as versions before 1.2.1 did; use `save_parameters`."""
        warnings.warn(
            "save_params is deprecated, use save_parameters",
            DeprecationWarning,
            stacklevel=level_of_program(),
        )
        self.collect_params().save(filename, strip_prefix=self.prefix)

    @public_call
    def load_parameters(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Loads parameters that this or any version of the original saved.

        Args:
            filename: Path of the file, which may also be one of safetensors.
            ctx: Contexts to put parameters on that are not initialized, by default the CPU.
            allow_missing: Whether parameters may be missing in the file.
            ignore_extra: Whether the file may hold others.
            cast_dtype: Whether to convert element types.
            dtype_source: Which type is kept then, `"current"` or `"saved"`.

        Raises:
            MXNetError: listing all missing, extra and misshaped names; nothing has changed then.
        """
        loaded = _load_arrays(filename)
        if not isinstance(loaded, dict):
            if loaded:
                raise ParameterError(f"load: {os.fspath(filename)!r} holds arrays without names")
            loaded = {}
        self._mx_load(
            loaded, os.fspath(filename), ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    @public_call
    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Sets parameters from arrays by name, all or none of them."""
        self._mx_load(
            param_dict, "param_dict", ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        )

    def _mx_load(
        self,
        loaded: Mapping[str, NDArray],
        origin: str,
        ctx: Context | Sequence[Context] | None,
        allow_missing: bool,
        ignore_extra: bool,
        cast_dtype: bool,
        dtype_source: str,
    ) -> None:
        plain = {key.removeprefix("arg:").removeprefix("aux:"): a for key, a in loaded.items()}
        parameters: Mapping[str, Parameter] = self._collect_params_with_prefix()
        if plain and not any("." in name for name in plain):
            # Saved by name, with the prefix of the block (exports) or without (save_params).
            parameters = dict(self.collect_params().items())
            stripped = {self.prefix + name: array for name, array in plain.items()}
            if len(stripped.keys() & parameters.keys()) > len(plain.keys() & parameters.keys()):
                plain = stripped
        load_values(
            parameters,
            plain,
            origin=origin,
            ctx=ctx,
            allow_missing=allow_missing,
            ignore_extra=ignore_extra,
            cast_dtype=cast_dtype,
            dtype_source=dtype_source,
        )

    def load_params(
        self,
        filename: str | os.PathLike[str],
        ctx: Context | Sequence[Context] | None = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> None:
        """Loads parameters; deprecated in favour of `load_parameters`."""
        warnings.warn(
            "load_params is deprecated, use load_parameters",
            DeprecationWarning,
            stacklevel=level_of_program(),
        )
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)


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
