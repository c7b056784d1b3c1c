"""The page of a package index: no link leads into the source tree, others to the repository."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def setup_script():
    spec = importlib.util.spec_from_file_location("setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def without_local_links(setup_script):
    return setup_script.without_local_links


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


def test_links_lead_to_the_repository_that_builds_the_distribution(setup_script):
    workflow = {
        "GITHUB_SERVER_URL": "https://example.org",
        "GITHUB_REPOSITORY": "some/copy",
        "GITHUB_REF_NAME": "v1.2.3",
    }
    links = setup_script.links_of_home(workflow)
    assert links["Homepage"] == "https://example.org/some/copy"
    assert links["Changelog"] == "https://example.org/some/copy/blob/v1.2.3/CHANGELOG.md"
    assert set(links) == {"Homepage", "Documentation", "Changelog", "Issues"}


def test_elsewhere_no_address_is_invented(setup_script):
    assert setup_script.links_of_home({}) == {}
