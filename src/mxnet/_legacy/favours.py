"""The list of all favours: what is done, for which programs, and when it can go."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Favour:
    """One favour.

    Attributes:
        where: The module of this package, or `module:name` of what is kept for clients.
        reason: Which programs need it, and what would fail without it.
        until: When it can go.
    """

    where: str
    reason: str
    until: str


FUNCTIONS = (
    Favour(
        "mxnet._legacy.clients:admit_gluoncv",
        reason="GluonCV 0.10 refuses to be imported beside torch 2.0 or newer.",
        until="a release of GluonCV imports its MXNet half beside any torch",
    ),
    Favour(
        "mxnet._legacy.clients:allow_as_number",
        reason="Programs format and convert one-element results of asnumpy() as numbers, which "
        "NumPy 2.4 and newer refuse.",
        until="programs written for MXNet no longer run with NumPy 2.4 or newer",
    ),
    Favour(
        "mxnet._legacy.clients:arrange_attributes",
        reason="Programs print and compare the dicts of Symbol.attr_dict() and list_attr(), whose "
        "order in the original is that of a C++ hash table.",
        until="the printed order of attributes is no longer compared with the original's",
    ),
    Favour(
        "mxnet._legacy.clients:restore_numpy_aliases",
        reason="GluonTS 0.8 and many programs say np.float and np.int, which NumPy 1.24 removed; "
        "they come back where MXNET_NUMPY_ALIASES=1 asks for them.",
        until="GluonTS 0.8 is no longer among the clients that are tried",
    ),
    Favour(
        "mxnet._legacy.clients:admit_tensorboard",
        reason="Training loops pass losses and images to the SummaryWriter of torch, which takes "
        "arrays of NumPy and torch alone.",
        until="the writer of torch takes anything with __dlpack__ or __array__",
    ),
)
"""What is done for clients, by function."""

_LOSSES = "losses of GluonCV and of many projects, which derive from those of Gluon, call it"
_STORES = "training loops of projects that predate Gluon import it"
_LOADERS = "loaders of GluonCV and GluonTS derive from DataLoader with the original's parts"
_MAJOR = "the next major version of the package"

PRIVATE_NAMES = (
    Favour("mxnet.gluon.loss:_apply_weighting", _LOSSES, _MAJOR),
    Favour("mxnet.gluon.loss:_reshape_like", _LOSSES, _MAJOR),
    Favour("mxnet.model:_create_kvstore", _STORES, _MAJOR),
    Favour("mxnet.model:_initialize_kvstore", _STORES, _MAJOR),
    Favour("mxnet.gluon.data.dataloader:_MultiWorkerIter", _LOADERS, _MAJOR),
    Favour("mxnet.gluon.data.dataloader:_as_in_context", _LOADERS, _MAJOR),
    Favour("mxnet.gluon.block:_flatten", "GluonTS takes arguments of blocks apart with it", _MAJOR),
    Favour("mxnet.gluon.block:_regroup", "GluonTS puts results of blocks together with it", _MAJOR),
    Favour(
        "mxnet.gluon.parameter:Parameter._ctx_list",
        "libraries that wrap a parameter copy it along with the data",
        _MAJOR,
    ),
    Favour(
        "mxnet.gluon.parameter:Parameter._ctx_map",
        "MXFusion and xfer look up in it which array of the data to replace",
        _MAJOR,
    ),
)
"""Private names of the original that stand where clients look for them."""
