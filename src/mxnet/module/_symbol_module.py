"""What a module of one symbol knows: its inputs, and the values of its parameters."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet import ndarray as nd
from mxnet._start import public_call
from mxnet.context import Context, cpu
from mxnet.errors import InvalidArgumentError, MXNetError
from mxnet.initializer import InitDesc
from mxnet.io import DataDesc
from mxnet.module._checks import check_inputs
from mxnet.module._groups import spread_groups
from mxnet.module.base_module import DEFAULT_INITIALIZER, BaseModule, Params
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

CPU = cpu()


class SymbolModule(BaseModule):
    """Inputs and parameters of a symbol; see `Module` for the arguments."""

    def __init__(
        self,
        symbol: Symbol,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Context | Sequence[Context] = CPU,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Any = None,
        compression_params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(logger)
        self._context = [context] if isinstance(context, Context) else list(context)
        self._work_load_list = list(work_load_list or [1] * len(self._context))
        if len(self._work_load_list) != len(self._context):
            raise InvalidArgumentError(
                f"Module: work_load_list takes one share for each of {len(self._context)} "
                f"contexts, got {len(self._work_load_list)}"
            )
        self._group2ctxs = spread_groups(group2ctxs, len(self._context))
        self._symbol = symbol
        self._compression_params = compression_params
        self._data_names, self._label_names = list(data_names or ()), list(label_names or ())
        self._state_names = list(state_names or ())
        self._fixed_param_names = list(fixed_param_names or ())
        check_inputs(
            symbol,
            self._data_names,
            self._label_names,
            self._state_names,
            self._fixed_param_names,
        )
        inputs = {*self._data_names, *self._label_names, *self._state_names}
        self._param_names = [n for n in symbol.list_arguments() if n not in inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self._output_names: list[str] = symbol.list_outputs()
        self._arg_params: Params | None = None
        self._aux_params: Params | None = None
        self._params_dirty = False
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._update_on_kvstore = False
        self._updater: Any = None
        self._numbers: dict[str, int] = {}
        self._preload_opt_states: str | None = None
        self._reset_bind()

    def _reset_bind(self) -> None:
        self.binded = False
        self._exec_group: Any = None
        self._data_shapes: list[DataDesc] | None = None
        self._label_shapes: list[DataDesc] | None = None

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """Names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> Any:
        """Descriptions of the data."""
        self._require("data_shapes", "binded")
        return self._data_shapes

    @property
    def label_shapes(self) -> Any:
        """Descriptions of the labels, None if there are none."""
        self._require("label_shapes", "binded")
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        self._require("output_shapes", "binded")
        shapes: list[tuple[str, tuple[int, ...]]] = self._exec_group.get_output_shapes()
        return shapes

    @public_call
    def get_params(self) -> tuple[Params, Params]:
        """Returns parameters and auxiliary states by name, on the CPU.

        The dictionaries and their arrays stay the same; they are brought up to date here.
        """
        self._require("get_params", "params_initialized")
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._arg_params, self._aux_params  # type: ignore[return-value]  # initialized

    def _sync_params_from_devices(self) -> None:
        """Brings the arrays that `get_params` gives up to date."""
        self._exec_group.get_params(self._arg_params, self._aux_params)
        if self._update_on_kvstore:
            for name, array in sorted((self._arg_params or {}).items()):
                if array.stype == "row_sparse":  # contexts have the rows that they asked for
                    rows = nd.arange(array.shape[0])
                    self._kvstore.row_sparse_pull(name, out=array, row_ids=rows)
        self._params_dirty = False

    @public_call
    def init_params(
        self,
        initializer: Any = DEFAULT_INITIALIZER,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Sets the values of parameters and auxiliary states.

        Args:
            initializer: Fills what is not given; what a variable says with `init` goes before.
            arg_params: Parameters by name.
            aux_params: Auxiliary states by name.
            allow_missing: Whether the initializer fills what is missing in these.
            force_init: Whether to do so if they have values already.
            allow_extra: Whether names that the module does not have are passed over.

        Raises:
            MXNetError: if one is missing and that is not allowed.
        """
        if self._keeps_params("init_params", force_init):
            return
        self._require("init_params", "binded")
        attributes = self._symbol.attr_dict()
        for own, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            for name, array in sorted((own or {}).items()):
                value = None if given is None else given.get(name)
                if value is not None:
                    if value is not array:
                        value.copyto(array)
                    continue
                if given is not None and not allow_missing:
                    raise MXNetError(
                        f"Module.init_params: {name} is missing; with allow_missing=True the "
                        "initializer would fill it"
                    )
                if initializer is not None:
                    initializer(InitDesc(name, attributes.get(name)), array)
        self.params_initialized = True
        self._params_dirty = False
        self._exec_group.set_params(self._arg_params, self._aux_params, allow_extra=allow_extra)

    @public_call
    def set_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Sets parameters and auxiliary states.

        Args:
            arg_params: Parameters by name.
            aux_params: Auxiliary states by name.
            allow_missing: Whether parameters that are not given stay as they are.
            force_init: Whether to set them if they have values already.
            allow_extra: Whether names that the module does not have are passed over.
        """
        if not allow_missing:
            super().set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self._keeps_params("set_params", force_init):
            return
        self._require("set_params", "binded")
        self._exec_group.set_params(arg_params or {}, aux_params, allow_extra=allow_extra)
        self._params_dirty = True
        self.params_initialized = True
