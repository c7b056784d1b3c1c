"""The libraries that `make clients` tries: what to install, which program to run, and why so."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Client:
    """A release of a library.

    Attributes:
        name: Name of its environment.
        title: What the documentation calls it.
        install: Arguments of `pip install`, a line each, after Glueball is installed.
        program: File in this folder that uses it.
        why: Why these lines and pins are needed.
        variables: Environment variables that it needs.
    """

    name: str
    title: str
    install: tuple[str, ...]
    program: str
    why: str
    variables: dict[str, str] = field(default_factory=dict, hash=False)


CLIENTS = (
    Client(
        "gluoncv",
        "GluonCV 0.10.5",
        (
            "--no-deps gluoncv==0.10.5.post0",
            "yacs autocfg portalocker pillow scipy pandas matplotlib requests "
            "opencv-python-headless",
        ),
        "hello_gluoncv.py",
        "`--no-deps`, since it asks for the full `opencv-python`. Its torch half stays out beside "
        "torch 2 and newer, as without torch.",
    ),
    Client(
        "gluonnlp",
        "GluonNLP 0.10.0",
        ("--no-deps gluonnlp==0.10.0", "packaging"),
        "hello_gluonnlp.py",
        "`--no-deps`, since it asks for Cython, which only its build needs.",
    ),
    Client(
        "gluonts",
        "GluonTS 0.17.0",
        ("gluonts==0.17.0 packaging",),
        "hello_gluonts.py",
        "It needs `packaging` and does not say so. No pins: `gluonts.mx` is still in it, and looks "
        "for MXNet only when it is imported.",
    ),
    Client(
        "gluonts-0.8",
        "GluonTS 0.8.1",
        (
            "--no-deps gluonts==0.8.1",
            "numpy<2 pandas<2 pydantic<2 toolz ujson holidays<0.14 matplotlib",
        ),
        "hello_gluonts.py",
        "`--no-deps`, since it asks for a `typing-extensions` that torch is too new for. It uses "
        "interfaces that pandas 2, pydantic 2 and holidays 0.14 changed; wheels of pandas 1 need "
        "NumPy 1. It says `np.float`, which NumPy 1.24 removed: `MXNET_NUMPY_ALIASES=1` brings "
        "that back.",
        {"MXNET_NUMPY_ALIASES": "1"},
    ),
    Client(
        "autogluon",
        "AutoGluon 0.6.2",
        (
            "--no-deps --ignore-requires-python autogluon.common==0.6.2 autogluon.core==0.6.2 "
            "autogluon.features==0.6.2 autogluon.tabular==0.6.2",
            "numpy<2 pandas<2 scipy<1.14 scikit-learn<1.3 autograd boto3 dask dill distributed "
            "matplotlib networkx psutil requests",
        ),
        "hello_autogluon.py",
        "Its tables know networks of MXNet (`NN_MXNET`), as those of 0.7 do; 0.8 has none. It "
        "states Python up to 3.9 and works on 3.11; it was written for pandas 1 and scikit-learn "
        "1.1. AutoGluon 0.3.1 does not import on Python 3.11, for reasons of its own.",
    ),
    Client(
        "mxboard",
        "MXBoard 0.1.0",
        ("--no-deps mxboard==0.1.0", "protobuf<3.21 six pillow numpy<2.4"),
        "hello_mxboard.py",
        "Its generated messages need protobuf 3. It turns arrays of one element into numbers, "
        "which NumPy 2.4 refuses.",
    ),
    Client(
        "tensorly",
        "TensorLy 0.6.0",
        ("--no-deps tensorly==0.6.0", "scipy"),
        "hello_tensorly.py",
        "`--no-deps`, since it asks for `nose`, which its tests alone need.",
    ),
    Client(
        "gluoncv2",
        "gluoncv2 0.0.64",
        ("--no-deps gluoncv2==0.0.64", "requests"),
        "hello_gluoncv2.py",
        "Networks alone; `requests` is for downloads.",
    ),
    Client(
        "gluonfr",
        "gluonfr 1.0.2",
        ("--no-deps gluonfr==1.0.2", "matplotlib scikit-learn scipy"),
        "hello_gluonfr.py",
        "`--no-deps` leaves out `seaborn`, which only its plots need.",
    ),
    Client(
        "d2l",
        "d2l 0.17.6",
        ("--no-deps d2l==0.17.6", "ipython matplotlib matplotlib-inline pandas requests"),
        "hello_d2l.py",
        "`--no-deps`, since it pins Jupyter, NumPy and pandas of 2022.",
    ),
    Client("mxfusion", "MXFusion 0.3.1", ("mxfusion==0.3.1",), "hello_mxfusion.py", "No pins."),
)
