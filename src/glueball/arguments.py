"""The subcommands and what each takes; nothing here imports torch."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from glueball import installation
from glueball.console import CommandError


class Command(NamedTuple):
    """A subcommand.

    Attributes:
        module: Where its `run(options)` is.
        help: What it does, in one line.
        add_arguments: Declares what it takes.
        check: Raises an error for what cannot work, before torch is imported; None if nothing does.
    """

    module: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    check: Callable[[argparse.Namespace], None] | None = None


class Tool(NamedTuple):
    """A program that has a command line of its own, to which all arguments are handed on."""

    module: str
    help: str


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for scripts")


def _doctor(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)


def _scan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", help="a program, a notebook, a page (.md or .rst) or a folder of them"
    )
    parser.add_argument("--all", action="store_true", help="list all names, not the most used")
    _add_json(parser)


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", help="NAME-symbol.json, NAME-0000.params, or NAME for the newest of its files"
    )
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=LENGTHS",
        help="shape of an input, such as data=1,3,224,224; may be given for each of them",
    )


def _show(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    parser.add_argument("-o", "--output", help="the page; by default NAME.html in this folder")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    _add_json(parser)


def _convert(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    add = parser.add_argument
    add(
        "--to",
        required=True,
        choices=["onnx", "torch", "safetensors", "openvino"],
        help="format; torch is a file of torch.export, safetensors has the parameters alone",
    )
    add("-o", "--output", help="file to write; by default NAME with the ending of the format")
    add("--opset", type=int, help="version of ONNX's operators")
    add(
        "--dynamic-batch",
        action="store_true",
        help="leave the first length of data open (onnx and openvino)",
    )
    add("--no-compare", action="store_true", help="do not compare outputs")
    add("--tolerance", type=float, help="largest difference of outputs, relative to the largest")
    _add_json(parser)


def _weights(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", nargs="?", help="network of the model zoo; without one, all that fit are listed")
    add(
        "source",
        nargs="?",
        help="a .safetensors or .pth file, its address, or a repository of the Hugging Face hub "
        "(owner/name or owner/name:file, at HF_ENDPOINT); by default one that is known",
    )
    add("-o", "--output", help="beginning of the names of files; by default the network's name")
    _add_json(parser)


def _check_convert(options: argparse.Namespace) -> None:
    """Raises an error if a package is missing that writes the format."""
    needed = {"onnx": ["onnx"], "openvino": ["onnx", "openvino"]}.get(options.to, [])
    missing = [module for module in needed if not installation.is_importable(module)]
    if missing:
        raise CommandError(
            f"--to {options.to} needs {' and '.join(missing)}: "
            f"run `pip install 'glueball[{','.join(missing)}]'`"
        )


def _docs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "page",
        nargs="?",
        help="a page such as migration, zh/migration or differences#operators; "
        "all pages are listed if it is not given",
    )
    parser.add_argument("--path", action="store_true", help="print where the file is")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def _positives(text: str) -> list[int]:
    return [_positive(part) for part in text.split(",")]


def _bench(parser: argparse.ArgumentParser) -> None:
    _add_model(parser)
    add = parser.add_argument
    add(
        "--modes",
        help="some of eager,hybridized,static,inductor,openvino; by default all but inductor, "
        "which compiles for minutes",
    )
    add("--batch", type=_positives, default=[1], metavar="N,N,...", help="samples of a call")
    add("--batch-axis", type=int, default=0, help="axis of the data that counts samples")
    add("--seconds", type=float, default=2.0, help="how long to measure each mode")
    add("--ctx", default="cpu", help="cpu, gpu or gpu:1")
    add("--threads", type=_positive, help="threads of operators on the CPU")
    _add_json(parser)


COMMANDS = {
    "doctor": Command(
        "glueball.doctor", "say what is installed, what is missing and what is in the way", _doctor
    ),
    "scan": Command(
        "glueball.scan", "say which names of MXNet programs use and which are not here", _scan
    ),
    "show": Command(
        "glueball.show", "write a page with the graph of a model and the costs of layers", _show
    ),
    "convert": Command(
        "glueball.convert",
        "write a model for ONNX, torch, safetensors or OpenVINO",
        _convert,
        _check_convert,
    ),
    "weights": Command(
        "glueball.weights", "turn weights of torchvision, timm or the hub into Gluon's", _weights
    ),
    "bench": Command("glueball.bench", "measure how long a call of a model takes", _bench),
    "docs": Command("glueball.docs", "list the pages of the documentation, or show one", _docs),
}
FORWARDED = {
    "im2rec": Tool("mxnet.tools.im2rec", "list images, or pack listed images into record files"),
    "launch": Tool("mxnet.tools.launch", "start the workers of a distributed job"),
}
