"""Names that programs import from `mxnet.base`."""

from __future__ import annotations

from mxnet.errors import MXNetError as MXNetError

string_types = (str,)
numeric_types = (float, int)
integer_types = (int,)
