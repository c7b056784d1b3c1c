"""The programs in `docs/profiling.md` run, and print what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

from tests.profiler.profiled import events

PAGE = Path(__file__).resolve().parents[2] / "docs" / "profiling.md"
ROW = re.compile(r"^(\S+)\s+(\d+)(?:\s+\d+\.\d{4}){4}$", re.MULTILINE)


def test_the_page_shows_what_its_programs_print(capsys):
    text = PAGE.read_text(encoding="utf-8")
    scope = {}
    for program in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(program, scope)  # noqa: S102 - the page is ours
    table = capsys.readouterr().out
    printed = table[table.index("\nblock\n") :]
    shown = re.search(r"\n```\n(block\n.*?)```", text, re.DOTALL)[1]
    assert len(ROW.findall(shown)) > 20
    assert sorted(ROW.findall(shown)) == sorted(ROW.findall(printed))
    assert {"net", "Convolution"} <= {event["name"] for event in events()}
