"""Shows a finding so that a reader can try it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.random_programs.search import Finding
from tools.random_programs.values import elements, restored, stype_of

FEW = 12


def described(finding: Finding) -> str:
    """Returns the steps and inputs of a program, and what both packages gave."""
    program = finding.program
    lines = [f"   {program['name']}"]
    lines += [f"   {name} = {_input(recipe)}" for name, recipe in program["inputs"].items()]
    for index, step in enumerate(program["steps"]):
        if step["do"] != "nothing":
            lines.append(f"   {index}: { {k: v for k, v in step.items() if v not in ({}, [])} }")
    lines.append(f"   {finding.difference.where}: {finding.difference.kind}")
    lines.append(f"   here:  {_outcome(finding.difference.ours)}")
    lines.append(f"   there: {_outcome(finding.difference.theirs)}")
    return "\n".join(lines)


def _input(recipe: dict[str, Any]) -> str:
    if "content" in recipe:
        found = np.frombuffer(bytes.fromhex(recipe["content"]), recipe["dtype"])
    else:
        found = elements(recipe).reshape(-1)
    stored = " ".join(recipe[key] for key in ("stype", "grad_stype") if key in recipe)
    return f"{recipe['dtype']}{tuple(recipe['shape'])} {stored} {_few(found)}"


def _few(numbers: np.ndarray) -> str:
    return str(numbers[:FEW].tolist()) + ("..." if numbers.size > FEW else "")


def _outcome(outcome: Any) -> str:
    if not outcome or outcome[0] != "ok":
        return str(outcome)[:400]
    return "; ".join(
        f"{kept[0]}{tuple(kept[1])} {stype_of(kept)} {_few(restored(kept).reshape(-1))}"
        for kept in outcome[1]
    )
