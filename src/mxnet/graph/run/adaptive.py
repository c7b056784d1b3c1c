"""Plans on a GPU that are captured by themselves, once calls of one shape repeat themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from torch import Tensor

from mxnet._state import Lock, modes
from mxnet.graph.lower import ERRORS, NodeError, PlanError, Report
from mxnet.graph.run.plan import Plan

if TYPE_CHECKING:
    from mxnet.graph.run.captured import CapturedPlan

_EQUAL_CALLS = 3
"""Calls of one shape of which the last is captured."""
_MOST_SHAPES = 4
"""Shapes for which there are captures, each of which keeps its activations in memory."""
_MOST_KNOWN = 64
"""Shapes whose calls are counted; a program with more does not repeat itself."""
_MOST_CAPTURED = 24
"""Captures of one shape after which parameters are taken to be others in each call."""


class AdaptivePlan:
    """A plan that is captured for the shapes of calls that repeat themselves.

    Results are those of the plan. What cannot be captured, or is of no use when it is, goes on as
    the plan does, which a warning says once.

    Args:
        plan: The plan.
        given: Positions of the tensors that differ from call to call; the others are parameters.
        capture: Returns the plan as one that is captured.
        report: Is told why the plan is not captured.
        claimed: Shapes for which there are captures, of all plans that share the room for them.

    Attributes:
        plan: The plan.
        captured: The plan that is replayed, for each shape that has captures.
        reason: Why calls are not captured any more; empty while they are.
    """

    def __init__(
        self,
        plan: Plan,
        given: Sequence[int],
        capture: Callable[[], CapturedPlan],
        report: Report,
        claimed: set[Any],
    ) -> None:
        self.plan, self.captured, self.reason = plan, dict[Any, "CapturedPlan"](), ""
        self._given, self._capture, self._report = tuple(given), capture, report
        self._claimed, self._counts = claimed, dict[Any, int]()
        self._lock = Lock()

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        if self.reason or not modes.captures:
            return self.plan(tensors)
        shapes = tuple([tensors[position].shape for position in self._given])
        captured = self.captured.get(shapes)
        if captured is None:
            captured = self._count(shapes)
            if captured is None:
                return self.plan(tensors)
        elif captured.is_refused:
            self._give_up("it checks values, which captures do not", quietly=True)
            return self.plan(tensors)
        elif captured.count > _MOST_CAPTURED:
            self._give_up("parameters are replaced between calls")
            return self.plan(tensors)
        try:
            return captured(tensors)
        except (NodeError, PlanError):
            raise
        except ERRORS as error:
            results = self.plan(tensors)  # which raises if the call is wrong, not the capture
            self._give_up(f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")
            return results

    def _count(self, shapes: Any) -> CapturedPlan | None:
        """Counts a call; returns what is to be captured if there were enough."""
        with self._lock:
            if len(self._counts) >= _MOST_KNOWN and shapes not in self._counts:
                self._counts.clear()
            count = self._counts[shapes] = self._counts.get(shapes, 0) + 1
            if count < _EQUAL_CALLS or len(self._claimed) >= _MOST_SHAPES:
                return None
            self._claimed.add(shapes)
            return self.captured.setdefault(shapes, self._capture())

    def _give_up(self, reason: str, *, quietly: bool = False) -> None:
        """Lets the plan run uncaptured from now on, and says so unless nothing has failed."""
        with self._lock:
            if self.reason:
                return
            self.reason = reason
            self._claimed.difference_update(self.captured)
            self.captured = {}
        if not quietly:
            self._report(f"is not captured any more: {reason}")
