"""All that writes files, as pairs of a save and a check of what a reader finds.

A save writes everything of one generation, a number: all values are that number, and networks of
odd and even generations have other parameters. A check reads the files as a user would and
returns the generation; it raises if the files do not load or are not of one generation.
"""

from __future__ import annotations

import json
import os
import warnings
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import recordio
from mxnet._state import processes
from mxnet.gluon import Checkpoint, SymbolBlock, Trainer, nn
from mxnet.gluon.utils import download
from mxnet.tools import im2rec

UNITS = 40


@dataclass(frozen=True)
class Writer:
    """A way to write files."""

    save: Callable[[str, int], object]
    """Takes a folder and a generation."""
    check: Callable[[str], int]
    """Takes a folder, returns the generation found there."""
    is_stream: bool = False
    """Whether the file grows while it is written, so that a part of it may be found."""
    is_repeated: bool = False
    """Whether a save replaces the files twice, so that one that fails may leave the new ones."""
    seconds: float = 0.08
    """After how long a process that saves again and again is killed at the latest."""


def one_value(arrays: Any) -> int:
    """Returns the number that all elements of all arrays are."""
    found = {float(value) for array in arrays for value in np.unique(array.asnumpy())}
    assert len(found) == 1, f"values of several generations: {found}"
    return int(found.pop())


@cache
def make_network(parity: int) -> Any:
    """Makes a network; those of the two parities have other parameters."""
    net = nn.HybridSequential(prefix=f"net{parity}_")
    with net.name_scope():
        for _ in range(1 + parity):
            net.add(nn.Dense(UNITS + parity, in_units=UNITS + parity))
    net.initialize()
    net.hybridize()
    net(mx.nd.zeros((1, UNITS + parity)))
    return net


def network_of(generation: int) -> Any:
    """Returns the network of a generation with its values."""
    net = make_network(generation % 2)
    for parameter in net.collect_params().values():
        parameter.set_data(mx.nd.full(parameter.shape, generation))
    return net


def checked(names: Any, arrays: Any) -> int:
    """Returns the generation of parameters, whose names must be those of its network."""
    generation = one_value(arrays)
    expected = {*make_network(generation % 2).collect_params()}
    assert {*names} == expected, f"generation {generation} with the names {sorted(names)}"
    return generation


def save_arrays(folder: str, generation: int) -> None:
    shape = (10 + 500 * (generation % 3),)
    mx.nd.save(f"{folder}/a.nd", {name: mx.nd.full(shape, generation) for name in "abc"})


def check_arrays(folder: str) -> int:
    loaded = mx.nd.load(f"{folder}/a.nd")
    assert {*loaded} == {*"abc"}
    return one_value(loaded.values())


def save_parameters(folder: str, generation: int) -> None:
    network_of(generation).save_parameters(f"{folder}/net.params")


def check_parameters(folder: str) -> int:
    loaded = mx.nd.load(f"{folder}/net.params")
    generation = one_value(loaded.values())
    make_network(generation % 2).load_parameters(f"{folder}/net.params")
    return generation


def save_named(folder: str, generation: int) -> None:
    network_of(generation).collect_params().save(f"{folder}/net.params")


def check_named(folder: str) -> int:
    loaded = mx.nd.load(f"{folder}/net.params")
    return checked(loaded, loaded.values())


def export(folder: str, generation: int) -> None:
    network_of(generation).export(f"{folder}/net")


def check_export(folder: str) -> int:
    block = SymbolBlock.imports(f"{folder}/net-symbol.json", ["data"], f"{folder}/net-0000.params")
    params = block.collect_params()
    return checked(params, [item.data() for item in params.values()])


def save_model(folder: str, generation: int) -> None:
    network_of(generation).save(f"{folder}/net")


def check_model(folder: str) -> int:
    problems = []
    for parity in range(2):
        net = make_network.__wrapped__(parity)
        try:
            net.load(f"{folder}/net")
        except mx.MXNetError as error:
            problems.append(error)
            continue
        params = net.collect_params()
        generation = one_value(item.data() for item in params.values())
        assert generation % 2 == parity
        return generation
    raise AssertionError(f"the files are of no network: {problems}")


def symbol_of(generation: int) -> Any:
    return make_network(generation % 2)(mx.sym.var("data"))


def save_checkpoint(folder: str, generation: int) -> None:
    values = {
        name: mx.nd.full(item.shape, generation)
        for name, item in make_network(generation % 2).collect_params().items()
    }
    mx.model.save_checkpoint(f"{folder}/net", 1, symbol_of(generation), values, {})


def check_checkpoint(folder: str) -> int:
    symbol, arguments, _ = mx.model.load_checkpoint(f"{folder}/net", 1)
    assert {*symbol.list_arguments()} == {"data", *arguments}
    return checked(arguments, arguments.values())


@cache
def make_module(parity: int) -> Any:
    return start_module(mx.mod.Module(symbol_of(parity), label_names=None), parity)


def start_module(module: Any, parity: int) -> Any:
    module.bind([("data", (1, UNITS + parity))], for_training=True)
    if not module.params_initialized:
        module.init_params()
    module.init_optimizer(
        optimizer="sgd", optimizer_params={"momentum": 0.9, "rescale_grad": 1.0}, kvstore=None
    )
    return module


def save_module(folder: str, generation: int) -> None:
    module = make_module(generation % 2)
    values = {name: mx.nd.full(a.shape, generation) for name, a in module.get_params()[0].items()}
    module.set_params(values, {})
    module._updater.states = {
        number: mx.nd.full(array.shape, generation) for number, array in enumerate(values.values())
    }
    module.save_checkpoint(f"{folder}/net", 1, save_optimizer_states=True)


def check_module(folder: str) -> int:
    generation = check_checkpoint(folder)
    module = mx.mod.Module.load(f"{folder}/net", 1, load_optimizer_states=True, label_names=None)
    start_module(module, generation % 2)
    states = module._updater.states
    assert len(states) == len(module.get_params()[0])
    assert one_value(states.values()) == generation
    return generation


@cache
def make_buckets(parity: int) -> Any:
    def generate(key: int) -> Any:
        data = mx.sym.var("data")
        out = mx.sym.FullyConnected(data, num_hidden=3, name=f"fc{parity}", flatten=False)
        return mx.sym.identity(out, name=f"bucket{key}"), ["data"], None

    module = mx.mod.BucketingModule(generate, default_bucket_key=4 + parity)
    module.bind([("data", (1, 4))], for_training=False)
    module.init_params()
    module.switch_bucket(2 + parity, [("data", (1, 4))])
    return module


def save_buckets(folder: str, generation: int) -> None:
    module = make_buckets(generation % 2)
    values = {name: mx.nd.full(a.shape, generation) for name, a in module.get_params()[0].items()}
    module.set_params(values, {})
    module.save_checkpoint(f"{folder}/net", 1)


def check_buckets(folder: str) -> int:
    def generate(key: int) -> Any:
        del key  # a saved network takes the place of this one
        return mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3), ["data"], None

    module = mx.mod.BucketingModule.load(f"{folder}/net", 1, sym_gen=generate, default_bucket_key=4)
    arguments, _ = module._loaded
    generation = one_value(arguments.values())
    parity = generation % 2
    assert {*arguments} == {f"fc{parity}_weight", f"fc{parity}_bias"}
    keys = mx.nd.load(f"{folder}/net.buckets")[0].asnumpy().tolist()
    assert keys == [4 + parity, 2 + parity]
    for key in keys:
        symbol = mx.sym.load(f"{folder}/net-{key}-symbol.json")
        assert {*symbol.list_arguments()} == {"data", *arguments}
    return generation


@cache
def make_trainer() -> Trainer:
    return Trainer(make_network(0).collect_params(), "sgd", {"momentum": 0.9})


def save_trainer(folder: str, generation: int) -> None:
    trainer = make_trainer()
    trainer._init_kvstore()
    states = {
        number: mx.nd.full(parameter.shape, generation)
        for number, parameter in enumerate(trainer._params)
    }
    states |= _states_of_nobody(generation)
    trainer._updaters[0].states = states
    trainer.save_states(f"{folder}/trainer.states")


def check_trainer(folder: str) -> int:
    trainer = make_trainer()
    trainer._init_kvstore()
    trainer.load_states(f"{folder}/trainer.states")
    states = trainer._updaters[0].states
    generation = one_value(states.values())
    assert len(states) == len(trainer._params) + len(_states_of_nobody(generation))
    return generation


def _states_of_nobody(generation: int) -> dict[int, mx.nd.NDArray]:
    """States for weights that the optimizer does not have: files grow by them and stay good."""
    return {9 + number: mx.nd.full((50,), generation) for number in range(generation % 7)}


@cache
def make_store() -> Any:
    store = mx.kv.create("local")
    store.init(3, mx.nd.ones((2, 3)))
    store.set_optimizer(mx.optimizer.create("sgd", momentum=0.9))
    return store


def save_store(folder: str, generation: int) -> None:
    states = {3: mx.nd.full((2, 3), generation)} | _states_of_nobody(generation)
    make_store()._updater.states = states
    make_store().save_optimizer_states(f"{folder}/store.states")


def check_store(folder: str) -> int:
    make_store().load_optimizer_states(f"{folder}/store.states")
    return one_value(make_store()._updater.states.values())


def save_symbol(folder: str, generation: int) -> None:
    names = [f"v{generation}_{number}" for number in range(10 + 200 * (generation % 2))]
    mx.sym.Group([mx.sym.var(name) for name in names]).save(f"{folder}/g-symbol.json")


def check_symbol(folder: str) -> int:
    names = mx.sym.load(f"{folder}/g-symbol.json").list_arguments()
    generation = int(names[0][1:].partition("_")[0])
    count = 10 + 200 * (generation % 2)
    assert names == [f"v{generation}_{number}" for number in range(count)]
    return generation


LONGEST_RECORD = 3100


def record_of(generation: int, number: int) -> bytes:
    size = (generation * 7919 + number * 104729) % 3000
    magic = b"\x0a\x23\xd7\xce" if number % 5 == 0 else b""
    return b"%d:%d:" % (generation, number) + magic * 3 + b"x" * size


def save_records(folder: str, generation: int) -> None:
    with recordio.MXRecordIO(f"{folder}/a.rec", "w") as writer:
        for number in range(300):
            writer.write(record_of(generation, number))


def check_records(folder: str) -> int:
    """Reads all whole records; only the last may be cut off."""
    found, cut = [], 0
    with recordio.MXRecordIO(f"{folder}/a.rec", "r") as reader:
        try:
            while (record := reader.read()) is not None:
                found.append(record)
        except recordio.RecordError as error:
            cut = os.path.getsize(f"{folder}/a.rec") - error.offset
    generation = int(found[0].split(b":")[0]) if found else 0
    assert found == [record_of(generation, number) for number in range(len(found))]
    assert cut < LONGEST_RECORD
    return generation


def save_indexed(folder: str, generation: int) -> None:
    paths = f"{folder}/a.idx", f"{folder}/a.rec"
    with recordio.MXIndexedRecordIO(*paths, "w") as writer:
        for number in range(300):
            writer.write_idx(number * 7, record_of(generation, number))


def check_indexed(folder: str) -> int:
    generation = check_records(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a last line that is cut off
        reader = recordio.MXIndexedRecordIO(f"{folder}/a.idx", f"{folder}/a.rec", "r")
    with reader:
        for number, key in enumerate(reader.keys):
            assert key == number * 7
            assert reader.read_idx(key) == record_of(generation, number)
    return generation


def im2rec_options(folder: str) -> Namespace:
    given = [f"{folder}/images", folder, "--pass-through", "--no-shuffle"]
    return im2rec.make_parser().parse_args(given)


def save_packed(folder: str, generation: int) -> None:
    path = Path(folder, "images.lst")
    if not Path(folder, "image.jpg").exists():
        Path(folder, "image.jpg").write_bytes(b"any" * 100)
    items = [im2rec.Item(i, (float(generation),), "image.jpg") for i in range(5 + generation % 2)]
    im2rec.write_list(path, items)
    im2rec.make_records(im2rec_options(folder), path)


def check_packed(folder: str) -> int:
    assert im2rec.read_list(Path(folder, "images.lst"))
    reader = recordio.MXIndexedRecordIO(f"{folder}/images.idx", f"{folder}/images.rec", "r")
    headers = [recordio.unpack(reader.read_idx(key))[0] for key in reader.keys]
    labels = {int(header.label) for header in headers}
    assert len(labels) == 1
    generation = labels.pop()
    assert [header.id for header in headers] == list(range(5 + generation % 2))
    reader.reset()
    assert len(list(iter(reader.read, None))) == len(headers)
    return generation


def save_download(folder: str, generation: int) -> None:
    url = "data:," + f"{generation}%20" * 5000
    download(url, f"{folder}/data.bin", overwrite=True, retries=0)


def check_download(folder: str) -> int:
    values = Path(folder, "data.bin").read_text().split()
    assert len(values) == 5000
    assert len({*values}) == 1
    return int(values[0])


def checkpoint_of(folder: str, generation: int, every: int | None = None) -> Checkpoint:
    """Makes what saves training; `leave` must follow, as processes are forked from this one."""
    checkpoint = Checkpoint(f"{folder}/saved", network_of(generation), every=every, keep=2)
    checkpoint.extra = {"generation": generation}
    return checkpoint


def save_same_step(folder: str, generation: int) -> None:
    """Saves the same step each time, so that a folder takes the place of another."""
    try:
        checkpoint = checkpoint_of(folder, 2 * generation)
        checkpoint.step = 7
        checkpoint.save()
    finally:
        processes.leave()


def save_automatically(folder: str, generation: int) -> None:
    """Saves a step by itself, and then once more because it is asked to."""
    try:
        checkpoint = checkpoint_of(folder, 2 * generation, every=1)
        checkpoint.step = generation - 1
        checkpoint.advance()
        checkpoint.save()
    finally:
        processes.leave()


def check_training(folder: str) -> int:
    try:
        checkpoint = Checkpoint(f"{folder}/saved", make_network(0))
        assert checkpoint.restore_latest() is not None
        params = make_network(0).collect_params()
        generation = one_value(item.data() for item in params.values())
        assert checkpoint.extra == {"generation": generation}
        return generation // 2
    finally:
        processes.leave()


def save_trace(folder: str, generation: int) -> None:
    """Writes a trace in two parts, the second of which is added to the first."""
    mx.profiler.set_config(filename=f"{folder}/trace.json", profile_all=False)
    mx.profiler.set_state("run")
    try:
        counter = mx.profiler.Counter(mx.profiler.Domain("test"), "generation", generation)
        mx.profiler.dump(finished=False)
        for _ in range(20 + 50 * (generation % 2)):
            counter.set_value(generation)
        mx.profiler.dump(finished=True)
    except OSError:
        mx.profiler.set_config(filename=os.devnull, profile_all=False)
        mx.profiler.dump(finished=True)  # what could not be written is kept for another file
        raise


def check_trace(folder: str) -> int:
    events = json.loads(Path(folder, "trace.json").read_text())["traceEvents"]
    found = {event["args"]["generation"] for event in events if event["ph"] == "C"}
    assert len(found) == 1, f"events of several generations: {found}"
    return int(found.pop())


WRITERS = {
    "nd.save": Writer(save_arrays, check_arrays),
    "save_parameters": Writer(save_parameters, check_parameters),
    "ParameterDict.save": Writer(save_named, check_named),
    "export": Writer(export, check_export),
    "Block.save": Writer(save_model, check_model),
    "model.save_checkpoint": Writer(save_checkpoint, check_checkpoint),
    "Module.save_checkpoint": Writer(save_module, check_module),
    "BucketingModule.save_checkpoint": Writer(save_buckets, check_buckets),
    "Trainer.save_states": Writer(save_trainer, check_trainer),
    "KVStore.save_optimizer_states": Writer(save_store, check_store),
    "Symbol.save": Writer(save_symbol, check_symbol),
    "MXRecordIO": Writer(save_records, check_records, is_stream=True),
    "MXIndexedRecordIO": Writer(save_indexed, check_indexed, is_stream=True),
    "im2rec": Writer(save_packed, check_packed),
    "download": Writer(save_download, check_download),
    "Checkpoint.save": Writer(save_same_step, check_training, seconds=0.3),
    "Checkpoint.advance": Writer(save_automatically, check_training, is_repeated=True, seconds=0.3),
    "profiler.dump": Writer(save_trace, check_trace, is_repeated=True, seconds=0.3),
}
SETS = (
    "export",
    "Block.save",
    "model.save_checkpoint",
    "Module.save_checkpoint",
    "BucketingModule.save_checkpoint",
    "im2rec",
)
"""Those that replace several files."""
