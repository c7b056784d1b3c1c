"""Runs programs in all modes under both packages, and reduces those that differ."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tools.random_programs.compare import (
    Difference,
    differences,
    kept_steps,
    pruned,
    without_dependents,
)  # fmt: skip
from tools.random_programs.farm import Package
from tools.random_programs.selection import for_gradients, for_graphs, with_heads
from tools.random_programs.steps import names_read, writes

Program = dict[str, Any]
Variants = Callable[[Program], Iterator[Program]]
GRAPHS = ("symbolic", "bound", "inferred", "hybridized", "replaced")
"""Modes that run graphs."""


class Finding(NamedTuple):
    """A program that differs in a mode, with its first difference."""

    mode: str
    program: Program
    difference: Difference

    @property
    def operators(self) -> str:
        """Returns the operators of the program, that of the difference alone if it is known."""
        if self.difference.where.startswith("step "):
            steps = [self.program["steps"][int(self.difference.where[5:])]]
        else:
            steps = [step for step in self.program["steps"] if step["do"] != "nothing"]
        return " ".join(label(step) for step in steps)

    @property
    def cause(self) -> str:
        """Returns what findings of the same cause have in common: operators and kind."""
        where = self.difference.where.split()[0]
        return f"{self.mode}: {self.operators}: {where}: {self.difference.kind}"


def label(step: Program) -> str:
    """Returns the name of what a step does."""
    name = step.get("name", "")
    return {
        "call": name,
        "method": f".{name}",
        "operator": f"operator {name}",
        "inplace": name,
    }.get(step["do"], step["do"]) + ("(out)" if "out" in step else "")


class Search:
    """A comparison of two packages.

    Args:
        ours: Where programs run under this package.
        theirs: Where they run under the original.
        plain: The same without MKLDNN.
    """

    def __init__(self, ours: Package, theirs: Package, plain: Package) -> None:
        self._ours = ours
        self._theirs = theirs
        self._plain = plain
        self.mkldnn: list[Finding] = []
        self._results: dict[str, Any] = {}
        self.crashes: list[tuple[str, str, Any]] = []
        self.cases: list[tuple[str, Program, dict[str, Any]]] = []

    def confirmed(self, findings: list[Finding]) -> list[Finding]:
        """Leaves out findings that are gone when their programs run again, without others.

        Programs before one may have written to foreign memory in the original. Findings that are
        gone when it runs without MKLDNN go to `mkldnn`.
        """
        kept = []
        for mode in dict.fromkeys(finding.mode for finding in findings):
            named = {str(n): found for n, found in enumerate(findings) if found.mode == mode}
            programs = [found.program | {"name": name} for name, found in named.items()]
            ours = self._ours.run(mode, programs)
            theirs = self._theirs.run(mode, programs)
            plain = theirs if mode in GRAPHS else self._plain.run(mode, programs)
            for name, finding in named.items():
                if not _differs(finding, ours[name], theirs[name]):
                    continue
                same = mode in GRAPHS or _differs(finding, ours[name], plain[name])
                (kept if same else self.mkldnn).append(finding)
        return kept

    def compare(
        self, mode: str, programs: list[Program]
    ) -> tuple[list[Program], list[Finding], dict[str, Any]]:
        """Runs programs in a mode.

        Returns:
            The programs without what crashes the original, findings, and its results.
        """
        theirs = self._theirs.run(mode, programs)
        left = self._without_crashes(mode, programs, theirs)
        ours = self._ours.run(mode, left)
        findings = []
        for program in left:
            mine = ours[program["name"]]
            if "crash" in mine:
                findings.append(
                    Finding(mode, program, Difference("program", "crash", mine["crash"], None))
                )
                continue
            found = differences(program, mine, theirs[program["name"]])
            findings += [Finding(mode, program, difference) for difference in found]
            if not found:
                self.cases.append((mode, program, theirs[program["name"]]))
        return left, findings, theirs

    def _without_crashes(
        self, mode: str, programs: list[Program], theirs: dict[str, Any]
    ) -> list[Program]:
        """Takes steps that kill the original out of programs, which then run again."""
        left = []
        for program in programs:
            while "crash" in theirs[program["name"]]:
                _, place = theirs[program["name"]]["crash"]
                self.crashes.append((mode, _at(program, place), program["name"]))
                if place in ("", "-1") or mode in GRAPHS:
                    break
                keep = without_dependents(program, {int(place)})
                program = pruned(program, keep)
                theirs.update(self._theirs.run(mode, [program]))
            else:
                left.append(program)
        return left

    def everything(self, programs: list[Program], modes: list[str]) -> list[Finding]:
        """Compares programs on arrays, then what both agree on in the other modes."""
        programs, findings, theirs = self.compare("imperative", programs)
        self._results = theirs
        found = defaultdict(list)
        for finding in findings:
            found[finding.program["name"]].append(finding.difference)
        agreed = [
            pruned(program, kept_steps(program, found[program["name"]], theirs[program["name"]]))
            for program in programs
        ]
        recorded = list(for_gradients(agreed, theirs))
        graphs = list(for_graphs(recorded, theirs))
        findings = self.real(findings, theirs)
        for mode in modes:
            findings += _new(
                self.compare(mode, graphs if mode in GRAPHS else recorded)[1], findings
            )
        return findings

    def real(self, findings: list[Finding], theirs: dict[str, Any]) -> list[Finding]:
        """Leaves out findings that come from rounding in the steps before.

        The step is carried out alone, here, on the arrays that it had in the original. What differs
        then too is reported as a program of one step. What no longer does is left out if the arrays
        were not the same.
        """
        alone = {}
        for number, finding in enumerate(findings):
            if finding.difference.where.startswith("step "):
                index = int(finding.difference.where[5:])
                program = alone_program(finding.program, index, theirs[finding.program["name"]])
                if program is not None:
                    alone[number] = program | {"name": f"{number}"}
        again = self._ours.run("imperative", list(alone.values()))
        kept = []
        for number, finding in enumerate(findings):
            if number not in alone:
                kept.append(finding)
                continue
            found = differences(
                alone[number], again[str(number)], {"step 0": finding.difference.theirs}
            )
            if found:
                program = alone[number] | {"name": finding.program["name"]}
                kept.append(Finding(finding.mode, program, found[0]))
            elif finding.difference.kind not in ("values", "nan here", "nan there", "infinities"):
                kept.append(finding)
        return kept

    def singled_out(self, findings: list[Finding]) -> list[Finding]:
        """Replaces programs by one step of them, where that differs in the same way."""
        current = dict(enumerate(findings))
        self._step(current, set(current), self._single_steps)
        return list(current.values())

    def reduced(self, findings: list[Finding]) -> list[Finding]:
        """Leaves out steps of programs as long as they differ in the same way."""
        current = dict(enumerate(findings))
        open_ones = {number for number, finding in current.items() if length(finding.program) > 1}
        while open_ones:
            open_ones = self._step(current, open_ones, _smaller)
        return list(current.values())

    def _step(
        self, current: dict[int, Finding], open_ones: set[int], variants: Variants
    ) -> set[int]:
        """Replaces findings by smaller ones, if there are any, and returns which."""
        candidates = {
            f"{number} {index}": program | {"name": f"{number} {index}"}
            for number in open_ones
            for index, program in enumerate(variants(current[number].program))
            if program.get("heads", True)
        }
        found = defaultdict(list)
        for name, finding in self._findings_by_name(current, candidates).items():
            found[int(name.split()[0])].append(finding)
        for number, smaller in found.items():
            name = current[number].program["name"]
            best = min(smaller, key=lambda finding: length(finding.program))
            current[number] = best._replace(program=best.program | {"name": name})
        return set(found)

    def _single_steps(self, program: Program) -> Iterator[Program]:
        """Yields the steps of a program alone, on the arrays that they had in the original."""
        results = self._results.get(program["name"])
        if results is None or length(program) < 2:
            return
        for index, step in enumerate(program["steps"]):
            if step["do"] != "nothing":
                alone = alone_program(program, index, results)
                if alone is not None:
                    yield with_heads(alone)

    def _findings_by_name(
        self, current: dict[int, Finding], candidates: dict[str, Program]
    ) -> dict[str, Finding]:
        by_mode = defaultdict(list)
        for name, program in candidates.items():
            by_mode[current[int(name.split()[0])].mode].append(program)
        found: dict[str, Finding] = {}
        for mode, programs in by_mode.items():
            for finding in self.compare(mode, programs)[1]:
                name = finding.program["name"]
                wanted = current[int(name.split()[0])].difference
                if (
                    finding.difference.kind == wanted.kind
                    and finding.difference.where.split()[0] == wanted.where.split()[0]
                ):
                    found.setdefault(name, finding)
        return found


def _differs(finding: Finding, ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Returns whether a finding is there in other results of its program."""
    if "crash" in ours or "crash" in theirs:
        return "crash" in ours
    found = differences(finding.program, ours, theirs)
    return finding.difference[:2] in [difference[:2] for difference in found]


def _new(found: list[Finding], before: list[Finding]) -> list[Finding]:
    """Returns the findings of a mode that are not those of another mode once more."""
    seen = {(finding.program["name"], *finding.difference[:2]) for finding in before}
    return [f for f in found if (f.program["name"], *f.difference[:2]) not in seen]


def _at(program: Program, place: str) -> str:
    if place in ("", "-1"):
        return " ".join(label(step) for step in program["steps"] if step["do"] != "nothing")
    return json.dumps(program["steps"][int(place)])


def length(program: Program) -> int:
    """Returns the number of steps that a program carries out."""
    return sum(step["do"] != "nothing" for step in program["steps"])


def _smaller(program: Program) -> Iterator[Program]:
    """Yields programs without some steps: one of them, or all but those that a step depends on."""
    for index, step in enumerate(program["steps"]):
        if step["do"] == "nothing":
            continue
        for keep in (_needed_for(program, index), without_dependents(program, {index})):
            if 0 < sum(keep) < length(program):
                yield with_heads(pruned(program, keep))


def _needed_for(program: Program, wanted: int) -> list[bool]:
    needed = set(names_read(program["steps"][wanted]))
    keep = [False] * len(program["steps"])
    keep[wanted] = True
    for index in range(wanted - 1, -1, -1):
        step = program["steps"][index]
        made = any(name.startswith(f"{index}.") for name in needed)
        if step["do"] != "nothing" and (
            made or (writes(step) and needed.intersection(names_read(step)))
        ):
            keep[index] = True
            needed.update(names_read(step))
    return keep


def alone_program(program: Program, wanted: int, theirs: dict[str, Any]) -> Program | None:
    """Returns a program of one step alone, on the arrays that it had in the original."""
    step = program["steps"][wanted]
    contents: dict[str, Any] = {}
    for index in range(wanted):
        result = theirs[f"step {index}"]
        if result[0] == "ok":
            contents.update((f"{index}.{part}", kept) for part, kept in enumerate(result[1]))
    given = dict(zip(names_read(step), theirs.get(f"given {wanted}", ("", ()))[1], strict=False))
    contents.update(given)
    names = {name: f"x{place}" for place, name in enumerate(dict.fromkeys(names_read(step)))}
    inputs = {}
    for name, new in names.items():
        if name in program["inputs"] and name not in given:
            inputs[new] = program["inputs"][name]
        elif name in contents:
            dtype, shape, content, *stype = contents[name]
            inputs[new] = {"dtype": dtype, "shape": list(shape), "content": content.hex()}
            inputs[new] |= {"stype": stype[0]} if stype else {}
        else:
            return None
    alone = program | {"inputs": inputs, "steps": [_renamed(step, names)]}
    floats = [name for name in program.get("floats", ()) if name.split(".")[0] == str(wanted)]
    return alone | (
        {"floats": [f"0.{name.split('.')[1]}" for name in floats]} if "floats" in program else {}
    )


def _renamed(step: Program, names: dict[str, str]) -> Program:
    changed = step | {"in": [names[name] for name in step["in"]]}
    if "out" in step:
        changed["out"] = names[step["out"]]
    if "key" in step:
        changed["key"] = [
            {"array": names[part["array"]]} if isinstance(part, dict) and "array" in part else part
            for part in step["key"]
        ]
    return changed
