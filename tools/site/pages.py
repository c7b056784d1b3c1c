"""Reads the programs of a page: fenced code, and the output that is shown below it.

A fence with the word `python` is a program, and all programs of a page run one after the other. A
fence with the word `text` that follows at once is what it prints. A picture that follows a program
with `plt.show()` is what that shows; `tools/make_pictures.py` draws it. Comments in front of a
fence change that:

- ``<!-- not run: reason -->``: the program is not run.
- ``<!-- numbers vary -->``: in the output, only what is not a number is compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(
    r"(?P<notes>(?:^<!--[^\n]*-->\n+)*)^```(?P<language>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
_VARIES = "<!-- numbers vary -->"
_SHOWS = "plt.show()"
_PICTURE = re.compile(r"\s*!\[(?P<words>[^\]]*)\]\((?P<file>[^)\s]+)\)")
_NUMBER = re.compile(r"\d+(\.\d+)?(e[-+]?\d+)?")


@dataclass(frozen=True)
class Program:
    """A program of a page.

    Args:
        text: Its source.
        line: Number of its first line in the page.
        start: Where its fence, with comments, begins in the page.
        end: Where its fence, that of its output, or its picture ends.
        output: What the page shows below it, None if nothing.
        picture: The file of the picture that it shows, counted from the page, None if none.
        words: What the picture is of, in words.
        numbers_vary: Whether numbers of the output are different on each machine.
        why_not_run: Why it is not run, None if it is.
    """

    text: str
    line: int
    start: int
    end: int
    output: str | None = None
    picture: str | None = None
    words: str = ""
    numbers_vary: bool = False
    why_not_run: str | None = None

    @property
    def shows_picture(self) -> bool:
        """Whether it draws something."""
        return _SHOWS in self.text

    def prints(self, printed: str) -> bool:
        """Returns whether what it has printed is what the page shows, if that shows anything."""
        if self.output is None:
            return True
        shown, printed = _strip(self.output), _strip(printed)
        if self.numbers_vary:
            return _NUMBER.sub("0", shown) == _NUMBER.sub("0", printed)
        return shown == printed


def _strip(text: str) -> str:
    """Returns a text without blank lines around it and what cannot be seen at ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip("\n").rstrip().splitlines())


def read_programs(page: str) -> list[Program]:
    """Returns the programs of a page, in their order."""
    fences = list(_FENCE.finditer(page))
    programs = []
    for index, fence in enumerate(fences):
        following = fences[index + 1] if index + 1 < len(fences) else None
        if fence["language"] != "python":
            continue
        shows_output = (
            following is not None
            and following["language"] in ("", "text")
            and not page[fence.end() : following.start()].strip()
        )
        output = following if shows_output else None
        reason = _NOT_RUN.search(fence["notes"])
        end = (output or fence).end()
        picture = _PICTURE.match(page, end) if _SHOWS in fence["text"] else None
        programs.append(
            Program(
                text=fence["text"],
                line=page.count("\n", 0, fence.start("text")) + 1,
                start=fence.start(),
                end=picture.end() if picture else end,
                output=output["text"] if output else None,
                picture=picture["file"] if picture else None,
                words=picture["words"] if picture else "",
                numbers_vary=bool(output) and _VARIES in output["notes"],
                why_not_run=reason[1] if reason else None,
            )
        )
    return programs
