"""What is computed for a distribution: text and links on the page of an index, and the pages.

An index shows the README without the files beside it, so that links into the source tree would lead
nowhere. They become the plain text that they are written on.

The links are those of the repository whose workflow builds it, so that copies name their own.

A wheel has the documentation, which `glueball docs` shows; in the source tree that reads `docs`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_LOCAL_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?://|mailto:)[^)\s]*\)")
_REMARK = "\n\nFiles and folders that this page names are in the source distribution.\n"


def without_local_links(text: str) -> str:
    """Returns a page in Markdown whose links all lead somewhere wherever it is shown."""
    inside_code = False
    lines = []
    for line in text.splitlines():
        inside_code ^= line.startswith("```")
        lines.append(line if inside_code else _LOCAL_LINK.sub(r"\1", line))
    return "\n".join(lines).rstrip() + _REMARK


def links_of_home(variables: Mapping[str, str]) -> dict[str, str]:
    """Returns links to a repository by the variables of its workflows, elsewhere none."""
    server, name = variables.get("GITHUB_SERVER_URL"), variables.get("GITHUB_REPOSITORY")
    if not server or not name:
        return {}
    home = f"{server}/{name}"
    version = variables.get("GITHUB_REF_NAME", "HEAD")
    return {
        "Homepage": home,
        "Documentation": f"{home}/blob/{version}/docs/index.md",
        "Changelog": f"{home}/blob/{version}/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }


_DOCS = Path(__file__).with_name("docs")


class BuildWithPages(build_py):
    """Copies the pages of the documentation into the package, unless it stays in the tree."""

    def run(self) -> None:
        """Builds the packages, then the pages."""
        super().run()
        if not self.editable_mode:
            for source, target in self._pages().items():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Returns all files that are written."""
        pages = [] if self.editable_mode else map(str, self._pages().values())
        return [*super().get_outputs(include_bytecode), *pages]

    def _pages(self) -> dict[Path, Path]:
        """Returns the files in the build by those of the tree."""
        folder = Path(self.build_lib, "glueball", "pages")
        return {path: folder / path.relative_to(_DOCS) for path in sorted(_DOCS.rglob("*.md"))}


if __name__ == "__main__":
    setup(
        cmdclass={"build_py": BuildWithPages},
        long_description=without_local_links(
            Path(__file__).with_name("README.md").read_text(encoding="utf-8")
        ),
        long_description_content_type="text/markdown",
        project_urls=links_of_home(os.environ),
    )
