"""Makes the interface importable by Horovod's name."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

_OWN = "mxnet.contrib.horovod"


def install() -> bool:
    """Lets programs `import horovod.mxnet`, unless Horovod itself is installed.

    Returns:
        Whether `horovod.mxnet` is this package's.
    """
    present = sys.modules.get("horovod.mxnet")
    if present is not None:
        return present is sys.modules[_OWN]
    if "horovod" in sys.modules or importlib.util.find_spec("horovod") is not None:
        return False
    package = ModuleType(
        "horovod", "Stands for Horovod, of which only the part for MXNet is there."
    )
    package.__path__ = []
    vars(package)["mxnet"] = sys.modules[_OWN]
    sys.modules["horovod"] = package
    sys.modules["horovod.mxnet"] = sys.modules[_OWN]
    return True
