"""The report on the plans of a network, as data and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any, NamedTuple

from mxnet.graph.run import PlanFacts

_WIDTH = 100
_NOT_CALLED = "hybridized, not called yet"
_IMPERATIVE = "imperative"


class PlanRow(NamedTuple):
    """What became of a block: of one of its plans, or that it has none."""

    block: str
    """Where the block is in the network, such as `net.features[3]`."""
    kind: str
    """Class of the block."""
    way: str
    """How it runs: that of the plan, `imperative`, or `hybridized, not called yet`."""
    reason: str
    """Why it does not run as it was meant to; empty if it does."""
    plan: PlanFacts | None
    """What is known of the plan; None if there is none."""


class PlanReport:
    """Rows on all blocks of a network that were hybridized, printed as a table.

    Args:
        rows: What became of each block.

    Attributes:
        rows: The same, to be read by programs.
    """

    def __init__(self, rows: list[PlanRow]) -> None:
        self.rows = rows

    @property
    def given_up(self) -> list[PlanRow]:
        """The rows on what does not run as it was meant to."""
        return [row for row in self.rows if row.reason]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if not self.rows:
            return "No block is hybridized: call net.hybridize(), then the network."
        head = ("block", "for", "runs as", "calls", "kept", "images")
        lines = [head, *map(_cells_of, self.rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
        text = [_join(head, widths), _join(tuple("-" * width for width in widths), widths)]
        for row, cells in zip(self.rows, lines[1:], strict=True):
            text.append(_join(cells, widths))
            text += _details_of(row)
        return "\n".join(text)


def _join(cells: tuple[str, ...], widths: list[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return "  ".join(cell.ljust(width) for cell, width in pairs).rstrip()


def _cells_of(row: PlanRow) -> tuple[str, ...]:
    name = f"{row.block} ({row.kind})"
    facts = row.plan
    if facts is None:
        return (name, "", row.way, "", "", "")
    place = "" if facts.device == "cpu" else f" on {facts.device}"
    captures = f" x{facts.captures}" if facts.captures else ""
    conversions = f", {facts.num_conversions} reordered" if facts.num_conversions else ""
    return (
        name,
        f"{facts.mode}{place}",
        f"{row.way}{captures}",
        f"{facts.num_operators} -> {facts.num_calls}",
        str(facts.num_prepared or ""),
        f"{facts.layout}{conversions}" if facts.layout else "",
    )


def _details_of(row: PlanRow) -> list[str]:
    """Returns lines on what one call computes, and on why a plan was given up."""
    fused = {} if row.plan is None else row.plan.fused
    notes = [f"one call: {names}{f' (x{n})' if n > 1 else ''}" for names, n in fused.items()]
    if row.reason:
        notes.append(f"because: {row.reason}")
    return [
        line
        for note in notes
        for line in wrap(note, _WIDTH, initial_indent="    ", subsequent_indent="      ")
    ]


def make_report(block: Any) -> PlanReport:
    """Returns the report on a block and the blocks in it that have plans of their own."""
    return PlanReport([*_find_rows(block, "net")])


def _find_rows(block: Any, place: str) -> Iterator[PlanRow]:
    hybrid = getattr(block, "_mx_hybrid", None)
    rows: list[PlanRow] = []
    if hybrid is not None:
        kind = type(block).__name__
        programs = hybrid.find_programs()
        for facts in (item for program in programs for item in program.describe()):
            rows.append(PlanRow(place, kind, facts.way, facts.reason, facts))
        rows += [PlanRow(place, kind, _IMPERATIVE, reason, None) for reason in hybrid.refusals]
        yield from rows
    inner = [
        row
        for name, child in block._children.items()
        for row in _find_rows(child, _place_of(block, place, name, child))
    ]
    used = [row for row in inner if row.way != _NOT_CALLED]
    if used or rows or hybrid is None:  # children of a graph are not called themselves
        yield from used
    else:
        yield PlanRow(place, type(block).__name__, _NOT_CALLED, "", None)


def _place_of(block: Any, place: str, name: str, child: Any) -> str:
    """Returns where a child is: an attribute, or a position."""
    if name.isdigit():
        return f"{place}[{name}]"
    attributes = [key for key, value in vars(block).items() if value is child]
    return f"{place}.{attributes[0] if attributes else name}"
