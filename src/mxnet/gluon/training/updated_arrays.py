"""The weights and gradients that a trainer updates, as flat lists that are made once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mxnet._arrays.autograd.shared_passes import shared_passes
from mxnet.errors import MXNetError
from mxnet.gluon.parameter import Parameter
from mxnet.gluon.parameters.replacements import replacements
from mxnet.ndarray import NDArray


class StaleGradientError(MXNetError, UserWarning):
    """A gradient has not been computed since the last update."""


class Column(NamedTuple):
    """The gradients and weights on one context, one of each for each key."""

    keys: list[int]
    gradients: list[NDArray]
    weights: list[NDArray]

    def take_fresh(self) -> Column:
        """Returns the entries with new gradients, now marked as used; often the column itself."""
        fresh = self
        for gradient in self.gradients:
            if not gradient._fresh:
                fresh = self._select()
                break
        for gradient in fresh.gradients:
            gradient._fresh = False
        return fresh

    def _select(self) -> Column:
        rows = [row for row in zip(*self, strict=True) if row[1]._fresh]
        return Column(*map(list, zip(*rows, strict=True))) if rows else Column([], [], [])


class Trained:
    """The parameters of a trainer that have a gradient.

    It is out of date when one of them gets other arrays: by `reset_ctx`, `cast`, `grad_req` or
    another initialization.

    Args:
        parameters: All parameters of the trainer; their positions are the keys.

    Raises:
        MXNetError: if a parameter that needs a gradient is not initialized.
    """

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._count = replacements.count
        self._sources = [(item, item._data, item._grad) for item in parameters]
        trained = [(key, p) for key, p in enumerate(parameters) if p.grad_req != "null"]
        self.names = [parameter.name for _, parameter in trained]
        self.keys = [key for key, _ in trained]
        self.gradients = [parameter._gradients() for _, parameter in trained]
        """Of each key, on all contexts."""
        self.weights = [parameter._values() for _, parameter in trained]
        """Of each key, on all contexts."""
        contexts = max(map(len, self.gradients), default=0)
        self.columns = [self._column(place) for place in range(contexts)]
        """The same by context."""

    def _column(self, place: int) -> Column:
        rows = zip(self.keys, self.gradients, self.weights, strict=True)
        present = [(k, g[place], w[place]) for k, g, w in rows if place < len(g)]
        return Column(*(list(part) for part in zip(*present, strict=True)))

    def is_current(self) -> bool:
        """Returns whether all parameters still have the arrays that are listed here."""
        count = replacements.count
        if count == self._count:
            return True
        for parameter, data, gradients in self._sources:
            if parameter._data is not data or parameter._grad is not gradients:
                return False
        self._count = count
        return True

    def check_fresh(self) -> None:
        """Checks that all gradients are new.

        Raises:
            StaleGradientError: if one was not computed since the last update.
        """
        for column in self.columns:
            for gradient in column.gradients:
                if not gradient._fresh:
                    raise self._stale()

    def _stale(self) -> StaleGradientError:
        """Makes the error for the first gradient that is not new."""
        name, gradient = next(
            (name, gradient)
            for name, replicas in zip(self.names, self.gradients, strict=True)
            for gradient in replicas
            if not gradient._fresh
        )
        if shared_passes.wait:
            return StaleGradientError(
                f"Gradient of Parameter `{name}` on context {gradient.context} waits for backward "
                "of other parts of the batch, which a layer has normalized together with the parts "
                "for which it was called; call it for all of them before `step`."
            )
        return StaleGradientError(
            f"Gradient of Parameter `{name}` on context {gradient.context} has not been updated by "
            "backward since last `step`: either the parameter was not used in the forward pass, "
            "or backward was not called. To update only parameters with new gradients, call step "
            "with ignore_stale_grad=True."
        )

    def take_fresh(
        self,
    ) -> tuple[list[int], list[list[NDArray]], list[list[NDArray]]]:
        """Returns keys, gradients and weights of parameters with a new gradient on any context.

        These gradients are then marked as used.
        """
        keys, gradients, weights = [], [], []
        for key, replicas, values in zip(self.keys, self.gradients, self.weights, strict=True):
            fresh = [gradient for gradient in replicas if gradient._fresh]
            if fresh:
                keys.append(key)
                gradients.append(fresh)
                weights.append(values)
            for gradient in fresh:
                gradient._fresh = False
        return keys, gradients, weights
