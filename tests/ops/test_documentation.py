"""What `help()` says of operators."""

from __future__ import annotations

from collections import defaultdict

import pytest

import mxnet as mx
from mxnet.ops.core.registry import all_names


def test_no_two_operators_of_a_dialect_share_their_documentation():
    names = defaultdict(set)
    for op in all_names().values():
        names[op.doc, op.name.startswith("_np")].add(op.name)
    assert [sorted(group) for group in names.values() if len(group) > 1] == []


def test_every_operator_has_documentation_that_begins_with_a_sentence():
    firsts = {op.name: op.doc.split("\n")[0] for op in all_names().values()}
    assert [name for name, line in firsts.items() if not line.endswith((".", ":"))] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("greater", "lhs > rhs"),
        ("lesser_equal", "lhs <= rhs"),
        ("broadcast_greater", "is greater than"),
        ("broadcast_logical_xor", "one"),
        ("maximum", "larger"),
    ],
)
def test_help_says_which_of_a_family_it_is(name, words):
    assert words in getattr(mx.nd, name).__doc__
