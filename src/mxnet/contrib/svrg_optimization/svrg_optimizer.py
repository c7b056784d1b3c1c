"""The optimizer that `SVRGModule` hands to a store, which then keeps full gradients as well."""

from __future__ import annotations

import inspect
from typing import Any

from mxnet.ndarray import NDArray
from mxnet.optimizer import Optimizer, create, register

FULL = "_full"
"""What a key of a store ends with under which the full gradient of a parameter is."""

_BASE_PARAMS = frozenset(inspect.signature(Optimizer).parameters)


@register
class _AssignmentOptimizer(Optimizer):
    """Replaces what a store has by what is pushed, in place of an update."""

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Replaces the value.

        Args:
            index: Key of the value.
            weight: The value.
            grad: What replaces it.
            state: None.
        """
        del index, state
        weight[:] = grad


@register
class _SVRGOptimizer(Optimizer):
    """Updates parameters by another optimizer, and replaces full gradients.

    Args:
        default_optimizer: The optimizer of the parameters, or its name.
        **kwargs: Arguments of that optimizer, if it is given by its name.
    """

    def __init__(self, default_optimizer: Optimizer | str, **kwargs: Any) -> None:
        super().__init__(**self._check_params(**kwargs))
        self.default_opt = (
            create(default_optimizer, **kwargs)
            if isinstance(default_optimizer, str)
            else default_optimizer
        )
        self.aux_opt = create(_AssignmentOptimizer.__name__)

    @staticmethod
    def _check_params(**kwargs: Any) -> dict[str, Any]:
        """Returns those arguments that every optimizer takes."""
        return {name: value for name, value in kwargs.items() if name in _BASE_PARAMS}

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Updates a parameter, or replaces a full gradient.

        Args:
            index: Number or name of the parameter.
            weight: Its values.
            grad: Its gradient.
            state: What `create_state` has returned.
        """
        self._optimizer_of(index).update(index, weight, grad, state)

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Returns what the optimizer of a parameter keeps between updates.

        Args:
            index: Number or name of the parameter.
            weight: Its values.
        """
        return self._optimizer_of(index).create_state(index, weight)

    def _optimizer_of(self, index: Any) -> Optimizer:
        # The original asks for `full` anywhere in a name, and so never trains the parameters of a
        # layer whose name it made itself, `fullyconnected0`.
        is_full = self._check_index(index).endswith(FULL)
        return self.aux_opt if is_full else self.default_opt

    def _check_index(self, index: Any) -> str:
        """Returns the name of a parameter that is given by its name or its number."""
        is_name = index in self.idx2name.values()
        name: str = index if is_name else self.idx2name[index]
        return name
