"""How notebooks show objects that are no arrays: a title, a table, and lines below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_MOST_ROWS = 60
"""Rows that are shown one by one."""
_AT_EACH_END = 25
"""Rows at each end of a table with more rows than this."""
_LONGEST = 120
"""Letters of a cell or a title."""
_LEFT_OUT = "…"

_STYLE = "text-align:left;vertical-align:top;padding:0 .6em;font-family:monospace"
_CELL = f'<td style="{_STYLE}">{{}}</td>'
_HEAD = f'<th style="{_STYLE};font-weight:normal;opacity:.6">{{}}</th>'
_NOTE = '<div style="opacity:.7">{}</div>'


def table_to_html(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str] = ()
) -> str:
    """Returns a table as HTML; all texts are escaped, and long ones are cut.

    Args:
        title: What is shown, in a few words.
        heads: Headings of the columns; without any, the table has none.
        rows: The cells. Of many rows those in the middle are left out.
        notes: Lines below the table.
    """
    listed = list(rows)
    head = f"<tr>{''.join(_HEAD.format(_text(name)) for name in heads)}</tr>" if heads else ""
    if len(listed) <= _MOST_ROWS:
        body = "".join(map(_row, listed))
    else:
        left_out = f"{_LEFT_OUT} {len(listed) - 2 * _AT_EACH_END} more"
        body = "".join(map(_row, listed[:_AT_EACH_END]))
        body += (
            f'<tr><td style="{_STYLE};opacity:.6" colspan="{len(listed[0])}">{left_out}</td></tr>'
        )
        body += "".join(map(_row, listed[-_AT_EACH_END:]))
    table = f"<table>{head}{body}</table>" if listed else ""
    below = "".join(_NOTE.format(_text(note)) for note in notes)
    return f"<div><div><b>{_text(title)}</b></div>{table}{below}</div>"


def shape_to_text(shape: Sequence[int] | None) -> str:
    """Returns a shape as `4x3`, with `?` for lengths that are not known yet."""
    if shape is None:
        return "?"
    return "x".join(str(length) if length > 0 else "?" for length in shape) or "scalar"


def count_to_text(number: int, noun: str) -> str:
    """Returns a number with its noun, such as `1 batch` or `1,200 parameters`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith(('ch', 'x', 's')) else 's'}"


def _row(cells: Sequence[object]) -> str:
    return f"<tr>{''.join(_CELL.format(_text(cell)) for cell in cells)}</tr>"


def _text(value: object) -> str:
    """Returns a value on one line, cut if it is long, and escaped after that."""
    text = " ".join(str(value).split())
    return escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}{_LEFT_OUT}")
