"""Compares random programs with the original: `python -m tools.random_programs --oracle PYTHON`."""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict

from tools.random_programs.farm import Package, ours
from tools.random_programs.generate import of_all_rows, programs
from tools.random_programs.known import reason
from tools.random_programs.report import described
from tools.random_programs.sample import write_sample
from tools.random_programs.search import Finding, Search

FEW = 2
"""Findings of one cause that are looked into."""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oracle", required=True, help="a Python that has MXNet 1.9.1, or 2.0.0b1")
    parser.add_argument(
        "--version", choices=["1", "2"], default="1", help="of MXNet, whose rules hold here"
    )
    parser.add_argument("--first", type=int, default=0, help="seed of the first program")
    parser.add_argument("--count", type=int, default=500, help="number of programs")
    parser.add_argument("--only", default="", help="part of the names of operators to take")
    parser.add_argument(
        "--dialect", choices=["nd", "np", "sparse"], default="nd", help="of the programs"
    )
    parser.add_argument(
        "--modes", default="recorded,symbolic,bound,inferred,hybridized", help="beside imperative"
    )
    parser.add_argument("--examples", type=int, default=1, help="programs to show of each cause")
    parser.add_argument("--doubt", help="pattern of listed reasons whose findings are shown, too")
    parser.add_argument(
        "--sample",
        help="file to write instead: `count` programs that begin with each operator, with results",
    )
    parser.add_argument("--any", action="store_true", help="a sample of `count` programs in all")
    return parser.parse_args()


def main() -> None:
    arguments = _options()
    original = arguments.oracle
    search = Search(ours(arguments.version), Package(original), Package(original, mkldnn=False))
    modes = [mode for mode in arguments.modes.split(",") if mode]
    if arguments.sample and not arguments.any:
        dialects = ("sparse",) if arguments.dialect == "sparse" else ("nd", "np")
        made = list(of_all_rows(arguments.first, arguments.count, dialects))
    else:
        made = list(programs(arguments.first, arguments.count, arguments.only, arguments.dialect))
    if arguments.sample:
        write_sample(arguments.sample, search, made, modes)
        return

    def why(finding: Finding) -> str:
        found = reason(finding)
        return "" if arguments.doubt and re.search(arguments.doubt, found) else found

    findings = search.singled_out(search.everything(made, modes))
    listed = Counter(filter(None, map(why, findings)))
    others = _few_of_each([finding for finding in findings if not why(finding)])
    others = search.confirmed(others)
    others = [finding for finding in search.reduced(others) if not why(finding)]
    steps = sum(len(program["steps"]) for program in made)
    print(
        f"{len(made)} programs, {steps} steps: {len(findings)} differences, "
        f"{len(others)} not listed"
    )
    for listed_as, count in listed.most_common():
        print(f"  listed: {listed_as} ({count})")
    for cause, count in Counter(finding.cause for finding in search.mkldnn).most_common():
        print(f"  agrees without MKLDNN: {cause} ({count})")
    for crash in search.crashes:
        print("  the original crashes:", *crash)
    _show(others, arguments.examples)


def _few_of_each(findings: list[Finding]) -> list[Finding]:
    """Returns some findings of each cause: to confirm and to reduce one takes seconds."""
    seen: Counter[str] = Counter()
    few = []
    for finding in findings:
        seen[finding.cause] += 1
        if seen[finding.cause] <= FEW:
            few.append(finding)
    return few


def _show(findings: list[Finding], examples: int) -> None:
    causes = defaultdict(list)
    for finding in findings:
        causes[finding.cause].append(finding)
    for cause, found in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"\n## {cause} ({len(found)})")
        for finding in found[:examples]:
            print(described(finding))


if __name__ == "__main__":
    main()
