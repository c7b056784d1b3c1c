"""All samples: every module of this package that has a list `SAMPLES`, by family."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from .core import Sample


def families() -> dict[str, list[Sample]]:
    """Returns the samples of each family, which is the name of its module."""
    here = Path(__file__).parent
    names = sorted(module.name for module in pkgutil.iter_modules([str(here)]))
    modules = {name: importlib.import_module(f"{__package__}.{name}") for name in names}
    return {name: module.SAMPLES for name, module in modules.items() if hasattr(module, "SAMPLES")}
