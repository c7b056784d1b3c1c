"""The page of a package index: no link of it leads into the source tree."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def without_local_links():
    spec = importlib.util.spec_from_file_location("setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.without_local_links


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see [docs/a.md](docs/a.md), now", "see docs/a.md, now"),
        ("[speed](#speed)", "speed"),
        ("![digits](docs/digits.png)", "digits"),
        ("[`x[0]`](docs/a.md#x)", "`x[0]`"),
        ("[a](b.md) and [c](https://example.org/c)", "a and [c](https://example.org/c)"),
    ],
)
def test_links_into_the_tree_become_their_text(line, expected, without_local_links):
    assert without_local_links(line).splitlines()[0] == expected


def test_code_stays_as_it_is(without_local_links):
    text = "```python\nhandlers[name](argument)\n```"
    assert without_local_links(text).startswith(text)


def test_the_readme_has_no_link_into_the_tree(without_local_links):
    page = without_local_links((ROOT / "README.md").read_text(encoding="utf-8"))
    prose = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    assert re.findall(r"\]\((?!https?://)[^)]*\)", prose) == []
    assert "docs/differences.md" in page
