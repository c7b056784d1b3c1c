"""The weights and gradients that a trainer updates, in one process or in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from mxnet._arrays.autograd.shared_passes import shared_passes
from mxnet._state import processes
from mxnet.errors import MXNetError
from mxnet.gluon.parameter import Parameter
from mxnet.gluon.parameters import ArraysOf, replacements
from mxnet.kvstore import KVStore
from mxnet.kvstore._reducer import Gradient, Reducer, Sums
from mxnet.kvstore._replicas import copy_to_all
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
        self._arrays = ArraysOf(parameters)
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
        return replacements.count == self._arrays.count or self._arrays.are_current()

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

    def take_fresh(self) -> tuple[list[int], list[list[NDArray]], list[list[NDArray]]]:
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


def are_exchanged(store: Any) -> bool:
    """Returns whether a store adds gradients up over processes, all of which wait for the sums."""
    return isinstance(store, KVStore) and store.num_workers > 1 and "async" not in store.type


class ReducedGradients:
    """Sums of gradients, as what tests gradients for overflow takes parameters.

    Args:
        arrays: The sums.
    """

    _is_sharded = False

    def __init__(self, arrays: Sequence[NDArray]) -> None:
        self._grad = arrays


class ProcessGradients:
    """Adds the gradients of a trainer up over processes, and updates weights by the sums.

    Args:
        store: The store of the trainer.
        parameters: Parameters of the trainer; their positions are the keys.
        order: The positions in the order in which a network uses the parameters.
    """

    def __init__(self, store: Any, parameters: Sequence[Parameter], order: Sequence[int]) -> None:
        self._store, self._parameters = store, parameters
        self._order = order
        self.requires_fresh = False
        """Whether a gradient that is not new in some process is an error in all."""
        self._group: Any = None
        self._reducer: Reducer | None = None
        self._trained: Trained | None = None

    def replace_by_sums(self, trained: Trained) -> None:
        """Replaces all gradients by their sums."""
        sums = self._reduce(trained)
        self._find_reducer(trained).write_back(sums)

    def update_by_sums(self, trained: Trained, scaler: Any) -> None:
        """Updates the weights by sums of gradients, as every process does, and keeps the gradients.

        Args:
            trained: What is trained.
            scaler: Loss scale of mixed precision, None without; it may forbid the update.
        """
        sums = self._reduce(trained)
        self._find_reducer(trained).note_results()
        if scaler is not None and scaler.has_overflow([ReducedGradients(sums.totals)]):
            return
        rows = zip(trained.keys, sums.totals, trained.weights, sums.num_fresh, strict=True)
        updated = [(key, total, weights) for key, total, weights, count in rows if count]
        if updated:
            keys, totals, weights = zip(*updated, strict=True)
            self._store._updater(list(keys), list(totals), [arrays[0] for arrays in weights])
            if self._store._updater.optimizer._is_random:
                self._store.broadcast_all(keys, weights)
            else:
                for arrays in weights:
                    copy_to_all(arrays[0], arrays)
        for replicas in trained.gradients:
            for gradient in replicas:
                gradient._fresh = False

    def copy_weights_from_first(self, trained: Trained) -> None:
        """Makes weights equal that processes have updated by random numbers of their own."""
        self._store.broadcast_all(trained.keys, trained.weights)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Takes no notice of gradients that backward passes compute inside of a `with` block."""
        reducer = self._reducer
        if reducer is None:
            yield
            return
        reducer.is_paused = True
        try:
            yield
        finally:
            reducer.is_paused = False

    def _reduce(self, trained: Trained) -> Sums:
        sums = self._find_reducer(trained).reduce("Trainer.step")
        if self.requires_fresh:
            size = processes.size()
            for name, count in zip(trained.names, sums.num_fresh, strict=True):
                if count < size:
                    raise StaleGradientError(
                        f"Gradient of Parameter `{name}` has been updated by backward since last "
                        f"`step` in {count} of {size} processes: in the others the parameter was "
                        "not used in the forward pass, or backward was not called. To update only "
                        "parameters with new gradients, call step with ignore_stale_grad=True."
                    )
        return sums

    def _find_reducer(self, trained: Trained) -> Reducer:
        """Returns what adds the gradients up, made anew if parameters have got other arrays."""
        if self._reducer is None or self._trained is not trained:
            overlaps = self._reducer is None or self._reducer.overlaps
            if self._reducer is not None:
                self._reducer.stop_watching()
            if self._group is None:
                self._group = processes.make_group("Trainer")
            places = {key: place for place, key in enumerate(trained.keys)}
            self._reducer = Reducer(
                self._list(trained),
                [places[key] for key in reversed(self._order) if key in places],
                self._group,
                self._store._compress,
                overlaps,
            )
            self._trained = trained
        return self._reducer

    def _list(self, trained: Trained) -> list[Gradient]:
        rows = zip(trained.keys, trained.gradients, trained.weights, strict=True)
        return [
            Gradient(gradients, weights, self._parameters[key].grad_req == "add")
            for key, gradients, weights in rows
        ]
