"""The server side of stores that span several machines, which have none here."""

from __future__ import annotations

from typing import Any

from mxnet.errors import MXNetError


class KVStoreServer:
    """A process that holds weights for others; the stores of this package need none.

    Args:
        kvstore: The store that the process serves.
    """

    def __init__(self, kvstore: Any) -> None:
        self.kvstore = kvstore

    def run(self) -> None:
        """Raises, because every process holds all values itself.

        Raises:
            MXNetError: always.
        """
        raise MXNetError(
            f"KVStoreServer: a store of type {self.kvstore.type!r} needs no server, because every "
            "process holds all values"
        )
