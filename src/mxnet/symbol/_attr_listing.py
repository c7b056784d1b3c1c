"""How the attributes of a node are listed."""

from __future__ import annotations

from collections.abc import Mapping

from mxnet._legacy.attribute_order import arrange
from mxnet.graph.ir import HIDDEN_KEYS, hide

_PLAIN = {hide(key): key for key in HIDDEN_KEYS}


def list_attrs(attrs: Mapping[str, str]) -> dict[str, str]:
    """Returns attributes in the order of the original, hidden ones under their plain names too.

    Args:
        attrs: Attributes in the order in which they were set.
    """
    listed = {}
    for key in arrange(tuple(attrs)):
        listed[key] = attrs[key]
        if key in _PLAIN:
            listed[_PLAIN[key]] = attrs[key]
    return listed
