"""`glueball doctor`: versions, devices, libraries, variables, and what is missing or in the way."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import warnings
from typing import Any

from glueball import installation
from glueball.console import Colour, first_sentence, painted, plural, size, table, write, write_json
from glueball.variables import is_relevant, purpose_of


def run(options: argparse.Namespace) -> int:
    """Prints the report; the status is 1 if there is a problem."""
    report = examine()
    if options.json:
        write_json(report)
    else:
        _print(report)
    return 1 if report["problems"] else 0


def examine() -> dict[str, Any]:
    """Returns all that can be found out, and what of it is a problem."""
    problems: list[str] = []
    report: dict[str, Any] = {
        "versions": _versions(),
        "devices": [],
        "libraries": {},
        "variables": {name: os.environ[name] for name in sorted(filter(is_relevant, os.environ))},
        "extras": _extras(),
        "problems": problems,
    }
    for original in installation.find_originals():
        name = original.split()[0]
        problems.append(
            f"{original}, the original, is in the same environment and provides `import mxnet` "
            f"too: run `pip uninstall {name}`, then `pip install --force-reinstall glueball`"
        )
    torch = _import("torch", problems)
    if torch is not None:
        report["devices"] = _devices(torch)
        report["libraries"] = _libraries(torch)
    if _import("mxnet", problems) is not None and installation.own_version() is None:
        problems.append(
            f"`import mxnet` comes from {installation.find_package()}, which is not this package"
        )
    return report


def _import(name: str, problems: list[str]) -> Any:
    """Imports a package; a failure and warnings are problems."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", UserWarning)
        try:
            return importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - broken packages raise anything
            problems.append(
                f"`import {name}` fails: {type(error).__name__}: {error}{_remedy(error)}"
            )
            return None
        finally:
            problems += [
                f"`import {name}` warns: {first_sentence(warning.message)}"
                for warning in seen
                if isinstance(warning.message, Warning) and warning.category is UserWarning
            ]


def _remedy(error: Exception) -> str:
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    package = "glueball" if error.name == "mxnet" else error.name.split(".")[0]
    return f"; run `pip install {package}`"


def _versions() -> dict[str, str | None]:
    folder = installation.find_package()
    return {
        "glueball": installation.own_version(),
        "mxnet (interface)": "1.9.1",
        "python": platform.python_version(),
        "numpy": installation.version_of("numpy"),
        "torch": installation.version_of("torch"),
        "system": platform.platform(),
        "interpreter": sys.executable,
        "package": None if folder is None else str(folder),
    }


def _devices(torch: Any) -> list[dict[str, Any]]:
    """Lists what contexts can be: `mx.cpu()`, `mx.gpu(0)` and so on."""
    devices: list[dict[str, Any]] = [
        {
            "context": "cpu()",
            "name": f"{platform.machine()}, {torch.backends.cpu.get_cpu_capability()}",
            "memory": _memory(),
            "details": f"{plural(os.cpu_count() or 1, 'core')}, "
            + plural(torch.get_num_threads(), "thread"),
        }
    ]
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            found = torch.cuda.get_device_properties(index)
            devices.append(
                {
                    "context": f"gpu({index})",
                    "name": found.name,
                    "memory": found.total_memory,
                    "details": f"compute capability {found.major}.{found.minor}",
                }
            )
    return devices


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on every system
        return None


def _libraries(torch: Any) -> dict[str, str | None]:
    """Returns versions of the libraries that compute, None for those that are not there."""
    cudnn = torch.backends.cudnn
    return {
        "oneDNN": "yes" if torch.backends.mkldnn.is_available() else None,
        "MKL": "yes" if torch.backends.mkl.is_available() else None,
        "OpenMP": "yes" if torch.backends.openmp.is_available() else None,
        "CUDA": torch.version.cuda,
        "ROCm": getattr(torch.version, "hip", None),
        "cuDNN": str(cudnn.version()) if cudnn.is_available() else None,
        "OpenCV": _opencv(),
    }


def _opencv() -> str | None:
    try:
        return str(importlib.import_module("cv2").__version__)
    except Exception:  # noqa: BLE001 - its shared libraries may be missing, which raises anything
        return None


def _extras() -> list[dict[str, Any]]:
    return [
        {
            "extra": name,
            "installed": {
                package: installation.version_of(package) or "yes"
                for package, module in extra.modules.items()
                if installation.is_importable(module)
            },
            "missing": [
                package
                for package, module in extra.modules.items()
                if not installation.is_importable(module)
            ],
            "purpose": extra.purpose,
        }
        for name, extra in installation.EXTRAS.items()
    ]


def _print(report: dict[str, Any]) -> None:
    _print_pairs("Versions", report["versions"])
    write("\nDevices")
    for device in report["devices"]:
        memory = f", {size(device['memory'])}" if device["memory"] else ""
        write(f"  mx.{device['context']}: {device['name']}{memory}, {device['details']}")
    if len(report["devices"]) == 1:
        write("  no GPU that torch can use")
    elif not report["devices"]:
        write("  unknown, as torch cannot be imported")
    if report["libraries"]:
        _print_pairs("Libraries", report["libraries"])
    write("\nVariables")
    for name, value in report["variables"].items():
        write(f"  {name}={value}  ({purpose_of(name)})")
    if not report["variables"]:
        write("  none of those that matter is set")
    write("\nExtras")
    rows = [
        (
            f"  {extra['extra']}",
            ", ".join(f"{name} {version}" for name, version in extra["installed"].items())
            if not extra["missing"]
            else f"missing; pip install 'glueball[{extra['extra']}]'",
            extra["purpose"],
        )
        for extra in report["extras"]
    ]
    for line in table(["  extra", "installed", "for"], rows):
        write(line)
    write()
    for problem in report["problems"]:
        write(f"{painted('PROBLEM:', Colour.BAD)} {problem}")
    if not report["problems"]:
        write(painted("No problems found.", Colour.GOOD))


def _print_pairs(title: str, pairs: dict[str, str | None]) -> None:
    write(title if title == "Versions" else f"\n{title}")
    width = max(map(len, pairs), default=0)
    for name, value in pairs.items():
        write(f"  {name.ljust(width)}  {value or 'not found'}")
