"""What one import may spend: nodes, bytes, elements, rounds and nesting.

A file of a few bytes can ask for much: loops repeat, functions call functions, constants double.
Every import has one `Budget`, from which all parts of the importer spend before they do the work.
Converters meet it without asking for it: constants, attributes and nodes reach them through the
importer, which has paid. What a converter repeats on the word of a file it goes through by
`Node.repeat`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mxnet import limits
from mxnet.errors import LimitExceededError

_BYTES_FOR_EACH = 10
"""Bytes that may be kept for each byte of the files of a model."""
_ELEMENTS_FOR_EACH = 4
"""Elements that may be computed for each byte of the files of a model."""
_NODES_FOR_EACH = 10
"""Nodes that may be imported for each node that is written in a file."""

MOST_AXES = 32
"""Axes of an array; a longer list of lengths is refused before it is computed with."""
_FEW_NAMES = 16
"""Inputs, outputs and attributes that the price of a node includes."""
_PRICE_OF_NAME = 1024
"""What a further one costs, in elements that could be computed meanwhile."""

NODES, BYTES, ELEMENTS = "import_nodes", "import_bytes", "import_elements"
LARGEST_INTEGER = (1 << 63) - 1
"""Integers of ONNX have 64 bits; no computation of shapes needs longer ones."""


def is_integer_in_range(number: int) -> bool:
    """Returns whether a number is one that ONNX can write, and not one of a million digits."""
    return -LARGEST_INTEGER - 1 <= number <= LARGEST_INTEGER


def volume(shape: Iterable[int]) -> int:
    """Returns how many elements a shape is paid for as.

    A length of zero counts as one: what is done along the other axes is not less for it.
    """
    return math.prod(max(length, 1) for length in shape)


class Budget:
    """What is left to an import.

    Args:
        origin: The file, for messages.
        num_bytes: Size of the file.

    Attributes:
        origin: The file, for messages.
    """

    def __init__(self, origin: str, num_bytes: int) -> None:
        self.origin = origin
        self._depth = 0
        self._written = 0
        self._spent = dict.fromkeys((NODES, BYTES, ELEMENTS), 0)
        self._free = dict.fromkeys(self._spent, 0)
        self.add_file(num_bytes)

    def add_file(self, num_bytes: int) -> None:
        """Notes that the model has a further file, in proportion to which more is allowed."""
        self._free[BYTES] += _BYTES_FOR_EACH * num_bytes
        self._free[ELEMENTS] += _ELEMENTS_FOR_EACH * num_bytes

    def add_written(self, num_nodes: int) -> None:
        """Notes how many nodes, inputs, outputs and tensors a file has.

        Raises:
            LimitExceededError: They are more than `graph_nodes`.
        """
        self._written += num_nodes
        limits.check("graph_nodes", self._written, f"{self.origin}: graph")
        self._free[NODES] = _NODES_FOR_EACH * self._written

    def spend(self, what: str, amount: int, where: str) -> None:
        """Takes something off what is left.

        Args:
            what: `NODES`, `BYTES` or `ELEMENTS`.
            amount: How much.
            where: What asks for it, for the message.

        Raises:
            LimitExceededError: There is not so much left; the message names file and limit.
        """
        self.require(what, amount, where)
        self._spent[what] += amount

    def spend_names(self, count: int, where: str) -> None:
        """Takes the price of names off: inputs, outputs and attributes of a node or a graph.

        Args:
            count: How many there are; few are included in the price of the node.
            where: What has them, for the message.
        """
        self.spend(ELEMENTS, _PRICE_OF_NAME * max(count - _FEW_NAMES, 0), where)

    def require(self, what: str, amount: int, where: str) -> None:
        """Raises if so much is not left, for what is spent while it is done.

        Args:
            what: `NODES`, `BYTES` or `ELEMENTS`.
            amount: How much.
            where: What asks for it, for the message.
        """
        over = self._spent[what] + amount - self._free[what]
        limits.check(what, over, f"{self.origin}: {where}")

    def affords(self, what: str, amount: int) -> bool:
        """Takes something off for what need not be done, of which half is kept for the rest.

        Args:
            what: `NODES`, `BYTES` or `ELEMENTS`.
            amount: How much.

        Returns:
            False if it is too much; nothing is taken off then.
        """
        total = self._spent[what] + amount
        if 2 * total > self._free[what] + limits.get(what):
            return False
        self._spent[what] = total
        return True

    @contextmanager
    def nested(self, where: str) -> Iterator[None]:
        """Goes into a graph or a function inside of a node.

        Raises:
            LimitExceededError: It is inside of more others than `graph_depth`.
        """
        self._depth += 1
        try:
            limits.check("graph_depth", self._depth, f"{self.origin}: {where}")
            yield
        except RecursionError as error:
            raise LimitExceededError(
                f"{self.origin}: {where}: graphs and functions are inside of too many others"
            ) from error
        finally:
            self._depth -= 1
