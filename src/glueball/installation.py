"""What is installed, found without importing any of it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

_ORIGINAL = re.compile(r"mxnet([-_](cu\d+(mkl)?|mkl|native))?", re.IGNORECASE)
_VERSION = re.compile(r'^PRODUCT_VERSION = "([^"]+)"', re.MULTILINE)


class Extra(NamedTuple):
    """Packages that need not be installed.

    Attributes:
        modules: What is imported from them, by the name of the package.
        purpose: What does not work without them.
    """

    modules: Mapping[str, str]
    purpose: str


EXTRAS: Mapping[str, Extra] = MappingProxyType(
    {
        "images": Extra(
            {"opencv-python-headless": "cv2"}, "decoding and augmenting images: mx.image, im2rec"
        ),
        "plot": Extra(
            {"matplotlib": "matplotlib", "graphviz": "graphviz"},
            "pictures: mx.viz.plot_network, curves in the examples",
        ),
        "onnx": Extra(
            {"onnx": "onnx", "onnxruntime": "onnxruntime"}, "ONNX files: glueball convert --to onnx"
        ),
        "safetensors": Extra(
            {"safetensors": "safetensors"},
            "other programs' .safetensors tools; files are read and written without it",
        ),
        "openvino": Extra(
            {"openvino": "openvino"}, 'fast prediction on CPUs: hybridize(backend="openvino")'
        ),
        "hub": Extra(
            {"huggingface_hub": "huggingface_hub"},
            "downloads through its cache and login: glueball weights",
        ),
        "tensorboard": Extra({"tensorboard": "tensorboard"}, "curves of training in TensorBoard"),
    }
)
"""Extras of this package that users install, as in `pip install glueball[images]`."""


def version_of(package: str) -> str | None:
    """Returns the version of an installed package, None if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def is_importable(module: str) -> bool:
    """Returns whether a module can be found, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def find_package() -> Path | None:
    """Returns the folder from which `import mxnet` comes, None if there is none."""
    spec = importlib.util.find_spec("mxnet")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def own_version() -> str | None:
    """Returns the version of this product if `import mxnet` is this product."""
    folder = find_package()
    path = None if folder is None else folder / "_version.py"
    if path is None or not path.is_file():
        return None
    found = _VERSION.search(path.read_text(encoding="utf-8"))
    return found[1] if found else None


def describe_version() -> str:
    """Returns the line that `glueball --version` prints."""
    version = own_version()
    if version is None:
        return "glueball: `import mxnet` is not this package; run `glueball doctor`"
    return f"glueball {version} (MXNet 1.9.1)"


def find_originals() -> list[str]:
    """Lists wheels of the original MXNet that Python would see, with their versions."""
    return sorted(
        {
            f"{found.metadata['Name']} {found.version}"
            for found in metadata.distributions()
            if _ORIGINAL.fullmatch(found.metadata["Name"] or "")
        }
    )
