"""What came of giving a network the weights of another one."""

from __future__ import annotations

from dataclasses import dataclass, field

_SHOWN = 8
"""Names of a list that the text of a report shows."""


@dataclass(frozen=True)
class Report:
    """What `load` did.

    Args:
        matched: Names of torch by the names of Gluon, of all weights that were loaded.
        made: Parameters that torch's network has no counterpart of, with what they were set to.
        missing: Parameters that the source has no weight for.
        unexpected: Weights that the network has no parameter for.
        ignored: Weights that predictions do not depend on.
        changes: What was changed in the network so that it computes the same.
        notes: For which inputs the networks compute the same, where that is not all.
        largest_difference: Largest difference of the outputs for the example; None without one,
            or without a module of torch.
        largest_output: Largest magnitude of torch's outputs, to compare with.
    """

    matched: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    largest_difference: float | None = None
    largest_output: float | None = None

    @property
    def renamed(self) -> dict[str, str]:
        """Those of `matched` whose names differ."""
        return {ours: theirs for ours, theirs in self.matched.items() if ours != theirs}

    @property
    def is_complete(self) -> bool:
        """Whether every parameter has its weight and every weight its parameter."""
        return not self.missing and not self.unexpected

    def __str__(self) -> str:
        lines = [f"matched: {len(self.matched)}, of which {len(self.renamed)} are renamed"]
        lines += [f"made: {name} = {value}" for name, value in list(self.made.items())[:_SHOWN]]
        if len(self.made) > _SHOWN:
            lines.append(f"made: {len(self.made) - _SHOWN} more")
        for title in ("missing", "unexpected", "ignored"):
            names = getattr(self, title)
            if names:
                more = f", ... ({len(names)} in all)" if len(names) > _SHOWN else ""
                lines.append(f"{title}: {', '.join(names[:_SHOWN])}{more}")
        lines += [f"changed: {change}" for change in self.changes]
        lines += [f"note: {note}" for note in self.notes]
        if self.largest_difference is not None:
            lines.append(
                f"largest difference of outputs: {self.largest_difference:.3g}, "
                f"where they go up to {self.largest_output:.3g}"
            )
        return "\n".join(lines)
