"""The part of the metadata that is computed: the text on the page of a package index.

An index shows the README without the files beside it, so that links into the source tree would lead
nowhere. They become the plain text that they are written on.
"""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup

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


if __name__ == "__main__":
    setup(
        long_description=without_local_links(
            Path(__file__).with_name("README.md").read_text(encoding="utf-8")
        ),
        long_description_content_type="text/markdown",
    )
