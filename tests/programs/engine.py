"""The size of groups of operations."""

from .core import of

SCOPES = """
before = mx.engine.set_bulk_size(3)
with mx.engine.bulk(10):
    x = nd.ones((2,))
    for _ in range(4):
        x += 1
    inside = mx.engine.set_bulk_size(10)
r = (before, inside, x, mx.engine.set_bulk_size(before))
"""

PROGRAMS = {"scopes": SCOPES} | of(
    "before = mx.engine.set_bulk_size(4); mx.engine.set_bulk_size(before)",
    """
    (mx.engine.set_bulk_size(7), mx.engine.set_bulk_size(before))
    mx.engine.set_bulk_size('a')
    mx.engine.set_bulk_size(2.5)
    mx.engine.set_bulk_size(None)
    """,
)
