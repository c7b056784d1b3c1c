"""How modules are imported: late, without a file, or not at all.

The first two and a paused collector make `import mxnet` short; of modules and names that are not
here it is said what to use instead, or what was meant.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import MappingProxyType, ModuleType
from typing import Any

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

_OTHER_WORDS = {
    "AdaptiveAvgPool2d": "nd.contrib.AdaptiveAvgPooling2D",
    "BCELoss": "gluon.loss.SigmoidBCELoss",
    "BCEWithLogitsLoss": "gluon.loss.SigmoidBCELoss",
    "ColorJitter": "RandomColorJitter",
    "ConvTranspose1d": "Conv1DTranspose",
    "ConvTranspose2d": "Conv2DTranspose",
    "ConvTranspose3d": "Conv3DTranspose",
    "CosineSimilarity": "CosineEmbeddingLoss",
    "CrossEntropyLoss": "gluon.loss.SoftmaxCrossEntropyLoss",
    "GRU": "gluon.rnn.GRU",
    "GRUCell": "gluon.rnn.GRUCell",
    "Glorot": "Xavier",
    "GlorotUniform": "Xavier",
    "He": "MSRAPrelu",
    "HeNormal": "MSRAPrelu",
    "Kaiming": "MSRAPrelu",
    "L1": "L1Loss",
    "LSTM": "gluon.rnn.LSTM",
    "LSTMCell": "gluon.rnn.LSTMCell",
    "Linear": "Dense",
    "MSELoss": "gluon.loss.L2Loss",
    "Model": "Block",
    "Module": "Block",
    "ModuleDict": "Block",
    "ModuleList": "Sequential",
    "NLLLoss": "SoftmaxCrossEntropyLoss",
    "PixelShuffle": "gluon.contrib.nn.PixelShuffle2D",
    "RNN": "gluon.rnn.RNN",
    "ReLU": "Activation",
    "RandomHorizontalFlip": "RandomFlipLeftRight",
    "RandomVerticalFlip": "RandomFlipTopBottom",
    "Sigmoid": "Activation",
    "SmoothL1Loss": "HuberLoss",
    "Softmax": "nd.softmax",
    "StepLR": "FactorScheduler",
    "StepScheduler": "FactorScheduler",
    "SyncBatchNorm": "gluon.contrib.nn.SyncBatchNorm",
    "Tanh": "Activation",
    "TripletMarginLoss": "TripletLoss",
    "Upsample": "nd.UpSampling",
    "bmm": "batch_dot",
    "cat": "concat",
    "clamp": "clip",
    "conv2d": "Convolution",
    "inv": "inverse",
    "inverse": "inv",
    "max_pool2d": "Pooling",
    "manual_seed": "random.seed",
    "float": "float32",
    "int": "int32",
    "masked_fill": "where",
    "matmul": "dot",
    "no_grad": "autograd.pause",
    "permute": "transpose",
    "rand": "random.uniform",
    "randn": "random.randn",
    "tensor": "array",
    "unsqueeze": "expand_dims",
    "view": "reshape",
}
"""What torch and Keras call what has another name here: in the same module, or below `mxnet`."""

_SYNONYMS = {
    "bias": ("use_bias", "no_bias"),
    "class_num": ("classes",),
    "device": ("ctx", "context"),
    "dim": ("axis", "axes", "dim"),
    "dims": ("axis", "axes"),
    "axes": ("axis",),
    "axis": ("axes", "dim"),
    "batch_first": ("layout",),
    "betas": ("beta1",),
    "context": ("ctx",),
    "embedding_dim": ("output_dim",),
    "eps": ("epsilon",),
    "filters": ("channels", "num_filter"),
    "groups": ("num_group",),
    "in_features": ("in_units",),
    "keepdim": ("keepdims",),
    "kernel_size": ("pool_size",),
    "learning_rate": ("optimizer_params",),
    "lr": ("learning_rate", "optimizer_params"),
    "mean": ("loc",),
    "num_classes": ("classes", "num_class", "depth"),
    "num_embeddings": ("input_dim",),
    "num_features": ("in_channels",),
    "num_filter": ("channels",),
    "num_hidden": ("units", "hidden_size"),
    "num_splits": ("num_outputs",),
    "out_channels": ("channels", "num_filter"),
    "out_features": ("units", "num_hidden"),
    "p": ("rate",),
    "pad": ("padding",),
    "padding": ("pad",),
    "shape": ("size",),
    "size": ("shape",),
    "std": ("sigma", "scale"),
    "stride": ("strides", "step"),
    "strides": ("stride",),
    "training": ("train_mode",),
    "units": ("num_hidden", "hidden_size"),
    "weight_decay": ("wd",),
    "workers": ("num_workers",),
}
"""What arguments are called here whose names in other places of the trade are not similar."""
_PLACES = (
    "gluon.nn",
    "gluon.rnn",
    "gluon.loss",
    "gluon.data",
    "gluon",
    "optimizer",
    "metric",
    "lr_scheduler",
    "initializer",
    "io",
    "autograd",
    "random",
    "numpy",
    "numpy_extension",
    "ndarray",
    "symbol",
)
"""Where a name is looked for that another module lacks."""
_SHORTEST_PART = 3
"""Letters of a name that a longer one has to begin with, to be what was meant."""

_PAGE = "`glueball docs differences` lists what differs from MXNet 1.9.1"
_IMPORTS = "<frozen importlib._bootstrap"
_MOST_LETTERS = 3
"""By how many letters names differ in length that are taken for each other."""


def make_getattr(
    package: str, namespace: dict[str, Any], late: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a module: it imports what comes late, and explains the rest.

    Args:
        package: Name of the module.
        namespace: Its globals, which get what is imported.
        late: Full names of modules that are imported when they are first asked for, by their name
            in the package; `module:name` is something in a module.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes the function of the module
        if name in late:
            module, _, member = late[name].partition(":")
            found: Any = importlib.import_module(module)
            found = namespace[name] = getattr(found, member) if member else found
            return found
        try:
            raise AttributeError(  # noqa: TRY301 - see below
                explain_missing_name(package, name, [*late, *namespace]), name=name
            )
        except AttributeError as error:
            error.__traceback__ = None  # a bare `raise` adds no frame: it ends in the program
            raise

    return __getattr__


def stand_for(alias: str, package: str) -> None:
    """Makes a name of a package another one's, and the names of its modules those of the other's.

    Otherwise Python would import these again, as modules of their own.

    Args:
        alias: The name that stands for the package.
        package: The package.
    """
    sys.modules[alias] = importlib.import_module(package)
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        sys.modules[name.replace(package, alias, 1)] = sys.modules[name]


def add_module(module: ModuleType) -> ModuleType:
    """Makes a module without a file importable by its name, and returns it.

    Its package has to hold it under its name, too.
    """
    module.__spec__ = ModuleSpec(module.__name__, None)
    module.__package__ = module.__spec__.parent
    sys.modules[module.__name__] = module
    _FINDER.run(module)
    return module


def publish_classes(namespace: dict[str, Any]) -> None:
    """Puts classes of a package's private modules into the public one that has their names.

    There programs and pickles find them, as in the original.

    Args:
        namespace: The public module's `globals()`, when everything is in it.
    """
    for value in tuple(namespace.values()):
        if isinstance(value, type) and value.__module__.startswith(f"{namespace['__package__']}._"):
            value.__module__ = namespace["__name__"]


def make_module(name: str, doc: str, members: Mapping[str, Any]) -> ModuleType:
    """Makes a module without a file, whose members are all public; see `add_module`."""
    module = ModuleType(name, doc)
    vars(module).update(members, __all__=list(members))
    return add_module(module)


def make_modules_late(namespace: dict[str, Any], modules: Mapping[str, str]) -> None:
    """Adds modules without files to a package, each of which is made when it is first asked for.

    Args:
        namespace: The package's `globals()`, when everything is in it.
        modules: What each has of the package, names between spaces, by its name in the package.
    """
    package = namespace["__name__"]
    paths = {name: f"{package}.{name}" for name in modules}
    for name, members in modules.items():
        _FINDER.late[paths[name]] = _Making(namespace, members.split())
    namespace["__getattr__"] = make_getattr(package, namespace, paths)
    _FINDER.listen()


class OptionalModule:
    """Stands for a module that may not be installed, and is imported when first used.

    Args:
        name: Name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_there: bool | None = None

    def is_there(self) -> bool:
        """Imports the module, and returns whether that was possible."""
        if self._is_there is None:
            try:
                importlib.import_module(self._name)
            except ImportError:
                self._is_there = False
            else:
                self._is_there = True
        return self._is_there

    def __getattr__(self, name: str) -> Any:
        # Kept, so that the next time there is nothing to look for.
        value = self.__dict__[name] = getattr(importlib.import_module(self._name), name)
        return value


def after_import(name: str, action: Callable[[ModuleType], None]) -> None:
    """Calls a function with a module as soon as it has been imported, now if it is already.

    Args:
        name: Full name of the module.
        action: The function.
    """
    module = sys.modules.get(name)
    if module is not None:
        action(module)
        return
    _FINDER.actions[name] = action
    _FINDER.listen()


def after_every_import(package: str, action: Callable[[ModuleType], None]) -> None:
    """Calls a function with a package and all modules of it, each as soon as it has been imported.

    Args:
        package: Name of the package.
        action: The function.
    """
    size = len(package)
    for name, module in list(sys.modules.items()):
        # Slices, because a call for each of torch's thousands of modules would take a while.
        if name[:size] == package and name[size : size + 1] in ("", "."):
            action(module)
    _FINDER.common[f"{package}."] = action
    _FINDER.listen()


class _Finder(MetaPathFinder):
    """Finds modules as Python does, and has each passed to its function once it is loaded."""

    def __init__(self) -> None:
        self.actions: dict[str, Callable[[ModuleType], None]] = {}
        self.common: dict[str, Callable[[ModuleType], None]] = {}
        """Functions for all modules of a package, by what their names begin with."""
        self.late: dict[str, _Making] = {}
        """What makes modules that have no files, by their names."""

    def listen(self) -> None:
        """Lets Python ask this finder before all others, from now on."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def run(self, module: ModuleType) -> None:
        """Passes a module on that has been loaded."""
        action = self.actions.pop(module.__name__, None)  # gone if the module is loaded again
        for begin, common in self.common.items():
            if module.__name__.startswith(begin):
                common(module)
        if action is not None:
            action(module)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self.late:
            return ModuleSpec(fullname, self.late[fullname])
        if fullname not in self.actions and not fullname.startswith((*self.common,)):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loading(spec.loader)
        return spec


_FINDER = _Finder()


class _Loading(Loader):
    """Loads a module with another loader, then passes it to the function that waits for it."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:  # what asks a module for files or code finds its own loader
            module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _FINDER.run(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)  # `python -m` asks for the code of a module


class _Making(Loader):
    """Makes a module of what its package has."""

    def __init__(self, namespace: Mapping[str, Any], members: Sequence[str]) -> None:
        self._namespace, self._members = namespace, members

    def exec_module(self, module: ModuleType) -> None:
        package = self._namespace["__name__"].replace("mxnet", "mx", 1)
        module.__doc__ = f"Has {', '.join(f'`{package}.{name}`' for name in self._members)}."
        members = {name: self._namespace[name] for name in self._members}
        vars(module).update(members, __all__=list(members))
        _FINDER.run(module)


@contextmanager
def collector_paused(*, all_stays: bool = False) -> Iterator[None]:
    """Pauses the collector for the time of a `with` block, unless it is off already.

    It starts whenever many objects have been made, and then goes through all that the process has,
    the hundreds of thousands of torch among them: a third of the time of an import or of a plan.

    Args:
        all_stays: Whether what there is at the end counts as old, so that the collector does not
            go through all of it as soon as it is on again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if all_stays and not gc.get_freeze_count():
            # Moves every object to the oldest generation without looking at it.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()


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


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Returns a question after the name that an unknown one is like, "" if it is like none.

    Args:
        name: The unknown name; what is no string is like none.
        known: All names that there are.
    """
    if not isinstance(name, str):
        return ""
    wanted = name.lower()
    shown = [item for item in known if not item.startswith("_")]
    shown.sort(key=lambda item: item[:1].isupper() == name[:1].isupper())  # the last one stays
    by_lower = {item.lower(): item for item in shown}
    alike = [item for item in by_lower if abs(len(item) - len(name)) <= _MOST_LETTERS]
    longer = sorted((item for item in by_lower if wanted in item), key=len)
    if len(name) <= _MOST_LETTERS:
        longer = []
    close = (
        get_close_matches(wanted, alike, n=1, cutoff=0.9)
        or [item for item in longer if item.startswith(wanted)]
        or get_close_matches(wanted, alike, n=1, cutoff=0.75)
        or [item for item in alike if sorted(item) == sorted(wanted)]
        or longer
    )
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""


def find_meant(name: str, known: list[str]) -> str:
    """Returns a question after the argument that an unknown one stands for, "" if there is none."""
    for other in _SYNONYMS.get(name, ()):
        if other in known:
            return f" (did you mean {other!r}?)"
    close = did_you_mean(name, known)
    if close:
        return close
    parts = {other: "".join(word[:1] for word in other.split("_")) for other in known}
    for other, initials in parts.items():
        longer, shorter = sorted((name, other), key=len)[::-1]
        begins = len(shorter) >= _SHORTEST_PART and longer.startswith(shorter)
        if begins or (len(name) > 1 and name == initials) or (len(other) == 1 and name[0] == other):
            return f" (did you mean {other!r}?)"
    return ""


def type_name(value: object) -> str:
    """Returns the type of a value as programs write it, with the package of others' classes."""
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    return kind.__name__ if package in ("builtins", "mxnet") else f"{package}.{kind.__name__}"


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
    place, _, meant = _OTHER_WORDS.get(name, "").rpartition(".")
    if meant and meant in {*known}:
        return f"{message} (did you mean {meant!r}?)"
    if place:
        return f"{message}; there is mxnet.{place}.{meant}"
    return message + (advice or _find_elsewhere(package, name) or did_you_mean(name, known))


def _find_elsewhere(package: str, name: str) -> str:
    """Returns which module that programs see has a name, one of the same dialect before others."""
    is_np = package.startswith("mxnet.numpy")
    found = {
        place: value
        for place in sorted(_PLACES, key=lambda place: place.startswith("numpy") != is_np)
        if callable(value := vars(sys.modules.get(f"mxnet.{place}", object)).get(name))
    }
    homes = {place: getattr(value, "__module__", "") for place, value in found.items()}
    own = (place for place, home in homes.items() if f"{home}.".startswith(f"mxnet.{place}."))
    place = next(own, next(iter(found), ""))  # others have only imported it
    return f"; there is mxnet.{place}.{name}" if place else ""


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
        is_from = "_handle_fromlist" in functions  # `from mxnet import x`, which may be no module
        known = _modules_in(parent) + [*vars(sys.modules[parent])] * is_from
        advice = advice or did_you_mean(name, known)
        # Such an import replaces the message if the name of the module is in the exception.
        shown = None if advice and is_from else fullname
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


def explain_imports() -> None:
    """Lets imports of modules that are not here say what to use instead."""
    sys.meta_path.append(_ExplainingFinder())
