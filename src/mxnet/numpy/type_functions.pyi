"""Written by `make stubs`; do not edit."""

from mxnet.numpy.fallback import finfo as finfo, finfo_obj as finfo_obj, iinfo as iinfo, iinfo_obj as iinfo_obj
from typing import Any

def can_cast(from_: Any, to: Any) -> Any: ...
def result_type(*arrays_and_dtypes: Any) -> Any: ...
