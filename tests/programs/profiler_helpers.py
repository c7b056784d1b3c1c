"""A profiler whose notes are counted, since times differ."""

from __future__ import annotations

import json
import warnings

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet import profiler as p

OWN = (
    "DeleteVariable",
    "DeleteOperator",
    "SetValueOp",
    "WaitForVar",
    "ResourceParallelRandomSetSeed",
)
"""What the original's engine does beside the operators of the program."""

ALONE = {"profile_memory": False, "profile_api": False}


def begin(folder, **options):
    """Starts the profiler with nothing noted."""
    nd.waitall()
    p.set_config(
        aggregate_stats=True, continuous_dump=False, filename=folder + "/profile.json", **options
    )
    p.dumps(reset=True)
    p.set_state("run")


def end():
    """Returns how often each name was noted, by section."""
    nd.waitall()
    p.set_state("stop")
    sections = json.loads(p.dumps(reset=True, format="json"))["Time"]
    return {
        section: sorted(
            [name, row["Count"]]
            for name, row in rows.items()
            if name.rpartition("::")[2] not in OWN
        )
        for section, rows in sorted(sections.items())
    }


def operators():
    """Returns how often each operator was noted, apart from updates, which have other names."""
    noted = end()["operator"]
    return [row for row in noted if "update" not in row[0] and "Copy" not in row[0]]


def quietly(function, *args):
    """Calls a function that warns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args)
    return [str(item.message) for item in caught]
