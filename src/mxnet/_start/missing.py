"""What is said of modules and names that are not here: what to use instead, or what was meant."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import MappingProxyType, ModuleType

_INTERNAL = "it was a part of the original's own machinery"
_ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "api": _INTERNAL,
        "contrib.tensorrt": 'use net.hybridize(backend="inductor"), or export to ONNX '
        "(mx.onnx.export_model) and build the engine with TensorRT's own tools",
        "cython": _INTERNAL,
        "torch": "it was the bridge to Lua Torch; use x.to_torch() and mx.nd.from_torch()",
        "tvmop": _INTERNAL,
    }
)
"""What to use in the place of a module, by its name inside of the package."""

_PAGE = "docs/differences.md lists what differs from MXNet 1.9.1"


_IMPORTS = "<frozen importlib._bootstrap"

_MOST_LETTERS = 3
"""By how many letters names differ in length that are taken for each other."""


def advise_on(name: str) -> str:
    """Returns what to use in the place of a module of the original, "" if nothing is known.

    Args:
        name: Full name of the module, or of one inside of it.
    """
    inside = name.partition(".")[2]
    while inside:
        if inside in _ADVICE:
            return f"; {_ADVICE[inside]} ({_PAGE})"
        inside = inside.rpartition(".")[0]
    return ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns a question after the name that an unknown one is like, "" if it is like none.

    Args:
        name: The unknown name.
        known: All names that there are.
    """
    wanted = name.lower()
    by_lower = {item.lower(): item for item in known if not item.startswith("_")}
    alike = [item for item in by_lower if abs(len(item) - len(name)) <= _MOST_LETTERS]
    close = get_close_matches(wanted, alike, n=1, cutoff=0.75)
    if not close and len(name) > _MOST_LETTERS:
        close = sorted((item for item in by_lower if wanted in item), key=len)
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""


def explain_missing_name(package: str, name: str, known: Iterable[str]) -> str:
    """Returns the message about a name that a module does not have.

    Args:
        package: Name of the module.
        name: What it was asked for.
        known: The names that it has.
    """
    message = f"module {package!r} has no attribute {name!r}"
    if name.startswith("_"):  # what tools ask all modules for
        return message
    advice = advise_on(f"{package}.{name}")
    return message + (advice or did_you_mean(name, known) or _find_elsewhere(name))


def _find_elsewhere(name: str) -> str:
    """Returns which module has a name, if one does that programs see."""
    places = [
        module.__name__
        for module in list(sys.modules.values())
        if isinstance(module, ModuleType)
        and module.__name__.startswith("mxnet.")
        and "._" not in module.__name__
        and callable(vars(module).get(name))
        and getattr(vars(module)[name], "__module__", "").startswith(module.__name__)
    ]
    return f"; there is {min(places, key=len)}.{name}" if places else ""


class _ExplainingFinder(MetaPathFinder):
    """Says of modules of the package that no other finder has found what to use instead."""

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raises for a module of the package, with the type that the import would raise."""
        del path, target
        if not fullname.startswith("mxnet."):
            return None
        asker, functions = _find_asker()
        if asker.startswith("<frozen importlib.util"):  # is there a module of that name?
            return None
        parent, _, name = fullname.rpartition(".")
        advice = advise_on(fullname)
        # `from mxnet import x` replaces the message if the name of the module is in the exception.
        shown = None if advice and "_handle_fromlist" in functions else fullname
        advice = advice or did_you_mean(name, _modules_in(parent))
        try:
            raise ModuleNotFoundError(  # noqa: TRY301 - see below
                f"No module named {fullname!r}{advice}", name=shown
            )
        except ModuleNotFoundError as error:
            error.__traceback__ = None  # a bare `raise` adds no frame: it ends at the import
            raise


def _find_asker() -> tuple[str, list[str]]:
    """Returns the file that asks for a module, and the functions of Python's imports in between."""
    frame, functions = sys._getframe(2), []
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_IMPORTS):
        functions.append(frame.f_code.co_name)
        frame = frame.f_back
    return frame.f_code.co_filename, functions


def _modules_in(package: str) -> list[str]:
    """Returns the names of modules in a package that have been imported."""
    start = f"{package}."
    inside = [name.removeprefix(start) for name in list(sys.modules) if name.startswith(start)]
    return [name for name in inside if "." not in name and not name.startswith("_")]


def install() -> None:
    """Lets imports of modules that are not here say what to use instead."""
    sys.meta_path.append(_ExplainingFinder())
