"""Parts of a batch that are computed in threads, which take turns and meet in some operators.

An operator that needs all parts of a batch, on several devices of one process, cannot wait for
those whose turn is after it. So each part has a thread. One runs at a time, until it comes to such
an operator; then the next one runs. When all have come there, one of them computes for all. What
happens is the same each time, and an interpreter with one lock loses nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from mxnet import limits
from mxnet.errors import MXNetError

T = TypeVar("T")

_LONGEST_TURN = 600.0
"""Seconds after which a part that has its turn is taken to hang."""


class _Member(threading.local):
    """What a thread is in its team."""

    team: Team | None = None
    number: int = 0


_member = _Member()


def has_other_parts() -> bool:
    """Returns whether this thread computes one of several parts of a batch."""
    return _member.team is not None


def meet(key: str, own: Any, combine: Callable[[list[Any]], Sequence[T]]) -> T:
    """Waits until all parts have come to the same place.

    Args:
        key: Name of the place.
        own: What this part has to offer.
        combine: Turns what all parts offer, in their order, into what each of them gets.

    Returns:
        What this part gets.
    """
    if _member.team is None:
        return combine([own])[0]
    result: T = _member.team.meet(_member.number, key, own, combine)
    return result


def run_in_turns(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """Runs tasks, one for each part of a batch, and returns their results.

    Raises:
        Exception: what the first task to fail raises.
    """
    return Team(tasks).run()


class Team:
    """Threads that take turns.

    Args:
        tasks: What each of them does.
    """

    def __init__(self, tasks: Sequence[Callable[[], Any]]) -> None:
        self._tasks = tasks
        self._turns = threading.Condition()
        self._turn = 0
        self._running = set(range(len(tasks)))
        self._results: list[Any] = [None] * len(tasks)
        self._errors: dict[int, BaseException] = {}
        self._offers: dict[int, tuple[str, Any]] = {}
        self._answers: dict[int, Any] = {}

    def run(self) -> list[Any]:
        """Runs all tasks to their end."""
        take_limits, numbers = limits.carry(), range(len(self._tasks))
        threads = [threading.Thread(target=self._work, args=(i, take_limits)) for i in numbers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for error in self._errors.values():  # the first one; others may follow from it
            raise error
        return self._results

    def _work(self, number: int, take_limits: Callable[[], None]) -> None:
        take_limits()
        _member.team, _member.number = self, number
        try:
            self._await_turn(number)
            if not self._errors:
                self._results[number] = self._tasks[number]()
        except BaseException as error:  # noqa: BLE001 - raised again by `run`
            self._errors.setdefault(number, error)
        finally:
            _member.team = None
            self._running.discard(number)
            self._pass_on(number)

    def meet(
        self, number: int, key: str, own: Any, combine: Callable[[list[Any]], Sequence[Any]]
    ) -> Any:
        """Offers something, and waits for what all get; see `meet` of this module."""
        self._offers[number] = (key, own)
        if len(self._offers) == len(self._tasks):
            self._combine(combine)
        else:
            self._pass_on(number)
            self._await_turn(number)
        if number not in self._answers:
            raise MXNetError(
                f"{key}: the parts of a batch on several contexts must all come here, "
                "but some have ended or come to another layer"
            )
        return self._answers.pop(number)

    def _combine(self, combine: Callable[[list[Any]], Sequence[Any]]) -> None:
        offers = [self._offers[number] for number in range(len(self._tasks))]
        self._offers.clear()
        if len({key for key, _ in offers}) == 1:
            self._answers = dict(enumerate(combine([own for _, own in offers])))

    def _await_turn(self, number: int) -> None:
        with self._turns:
            if not self._turns.wait_for(lambda: self._turn == number, _LONGEST_TURN):
                raise MXNetError(
                    f"part {number} of a batch has waited {_LONGEST_TURN:g} s for part {self._turn}"
                )

    def _pass_on(self, number: int) -> None:
        """Lets the next thread run that is not at its end."""
        count = len(self._tasks)
        following = [(number + step) % count for step in range(1, count + 1)]
        with self._turns:
            self._turn = next((i for i in following if i in self._running), number)
            self._turns.notify_all()
