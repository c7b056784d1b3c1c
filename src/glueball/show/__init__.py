"""`glueball show MODEL`: a page with the graph of a network and what its layers cost."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path
from typing import Any

from glueball.console import CommandError, count, flops, plural, printable, size, write, write_json
from glueball.models import open_model
from glueball.show.description import describe
from glueball.show.page import make_page
from mxnet._formats.files import write_atomically

_MOST_INPUTS = 8
"""Inputs whose shapes are printed."""


def run(options: argparse.Namespace) -> int:
    """Writes the page and says where it is."""
    model = open_model(options.model, options.shape)
    description = describe(model)
    if options.json:
        write_json(description)
        return 0
    target = Path(options.output or f"{model.name}.html")
    if target.is_dir():
        raise CommandError(f"--output: {target} is a folder; give the name of a file")
    write_atomically(target, [make_page(description).encode("utf-8", "replace")])
    _say(description, target)
    if options.open:
        webbrowser.open(target.resolve().as_uri())
    return 0


def _say(description: dict[str, Any], target: Path) -> None:
    totals = description["totals"]
    write(
        f"{printable(description['title'])}: {plural(totals['layers'], 'layer')}, "
        f"{count(totals['parameters'])} parameters ({size(totals['parameterBytes'])})"
    )
    for given in description["inputs"][:_MOST_INPUTS]:
        shape = ",".join(map(str, given["shape"]))
        how = " (guessed; --shape changes it)" if given["guessed"] else ""
        write(f"{printable(given['name'])}={shape}{how}")
    if totals["flops"] is None:
        write("shapes, memory and operations are unknown: give --shape data=1,3,224,224")
    else:
        write(
            f"{flops(totals['flops'])} for this input, {size(totals['peakBytes'])} of memory "
            "for data and results at a time"
        )
    write(f"written to {target}")
