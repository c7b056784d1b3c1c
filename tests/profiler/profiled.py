"""What the tests of the profiler share."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

from mxnet import profiler


@contextmanager
def profiled(**options):
    """Profiles a `with` block; statistics are kept."""
    profiler.set_config(**{"aggregate_stats": True, "continuous_dump": False, **options})
    profiler.set_state("run")
    try:
        yield
    finally:
        profiler.set_state("stop")


def counts(section="operator", kind="Time"):
    """Returns how often each name was noted, and forgets it."""
    statistics = json.loads(profiler.dumps(reset=True, format="json"))
    return {name: row["Count"] for name, row in statistics[kind].get(section, {}).items()}


def events(path="profile.json"):
    """Returns the events of a trace."""
    return json.loads(Path(path).read_text(encoding="utf-8"))["traceEvents"]
