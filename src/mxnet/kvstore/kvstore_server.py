"""The server side of stores that span several machines."""

from __future__ import annotations

from typing import Any

from mxnet.errors import MXNetError


class KVStoreServer:
    """A process that holds weights for others; stores of one process have none.

    Args:
        kvstore: The store that the process serves.
    """

    def __init__(self, kvstore: Any) -> None:
        self.kvstore = kvstore

    def run(self) -> None:
        """Raises, because there are no stores that span several processes.

        Raises:
            MXNetError: always.
        """
        raise MXNetError(
            f"KVStoreServer: a store of type {self.kvstore.type!r} lives in one process and "
            "needs no server"
        )
