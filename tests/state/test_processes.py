"""Processes of one job: how they meet, wait for each other and lose each other."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import pytest
import torch

from mxnet import MXNetError
from mxnet._state import processes as _processes
from mxnet._state.processes import Job, read_timeout, read_worker_job
from tests.distributed import _ranks

WORKER = {
    "DMLC_ROLE": "worker",
    "DMLC_PS_ROOT_URI": "head",
    "DMLC_PS_ROOT_PORT": "9091",
    "DMLC_NUM_WORKER": "3",
}


def meet():
    _processes.join("meet")
    _processes.join("meet again")
    total = torch.ones(1)
    with _processes.guard("meet"):
        torch.distributed.all_reduce(total)
    _processes.barrier("meet")
    numbers = (_processes.rank(), _processes.size(), _processes.local_rank())
    local_size = _processes.local_size()
    _processes.leave()
    return *numbers, local_size, total.item(), _processes.is_joined()


def meet_elsewhere():
    """Meets as if every process had a machine, or a pod, of its own."""
    socket.gethostname = lambda: f"machine{os.environ['RANK']}"
    _processes.join("test")
    return _processes.local_rank(), _processes.local_size()


def die_or_wait():
    _processes.join("test")
    if _processes.rank() == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    _processes.barrier("Waiting.here")


def sleep_or_reduce(folder):
    _ranks.wait_for_all(folder)
    _processes.join("test")
    if _processes.rank() == 1:
        signal.alarm(180)  # it ends even if nobody is left to kill it
        signal.pause()
    with _processes.guard("Waiting.here"):
        torch.distributed.all_reduce(torch.ones(1))


def leave_at_once():
    """Leaves while threads of torch wait for the lock of the interpreter to free tensors."""
    sys.setswitchinterval(1000)  # this thread gives the lock away only where it waits
    for held in range(2):
        _processes.join("test")
        group = _processes.make_group("test") if held else None
        torch.distributed.all_gather([torch.empty(1)], torch.ones(1), group, async_op=True)
        _processes.leave()
        del group
    return _processes.is_joined()


def test_ranks_of_torchrun_meet(tmp_path):
    ended = _ranks.run_ranks(meet, 2, tmp_path)
    assert [one.result for one in ended] == [(0, 2, 0, 2, 2.0, False), (1, 2, 1, 2, 2.0, False)]


def test_leaving_does_not_wait_for_threads_that_wait_for_the_interpreter(tmp_path):
    (ended,) = _ranks.run_ranks(leave_at_once, 1, tmp_path)
    assert ended.result is False


def test_ranks_that_nobody_counts_on_their_machine_count_themselves(tmp_path):
    port = _ranks.free_port()
    folders = [tmp_path / str(i) for i in range(2)]
    processes = []
    for i, folder in enumerate(folders):
        variables = _ranks.rank_variables(i, 2, port)
        for name in [name for name in variables if name.startswith(("LOCAL_", "OMPI_", "SLURM_"))]:
            del variables[name]
        processes.append(_ranks.start(meet_elsewhere, variables, folder))
    ended = _ranks.finish(processes, folders)
    assert [one.result for one in ended] == [(0, 1), (0, 1)], ended


@pytest.mark.parametrize("numbered", [False, True])
def test_workers_of_the_launcher_meet(tmp_path, numbered):
    port = _ranks.free_port()
    folders = [tmp_path / str(i) for i in range(2)]
    processes = []
    for i, folder in enumerate(folders):
        env = {"DMLC_WORKER_ID": str(1 - i)} if numbered else {}
        processes.append(_ranks.start(meet, _ranks.worker_variables(2, port, env), folder))
    results = [one.result for one in _ranks.finish(processes, folders)]
    assert None not in results
    assert sorted(results) == [(i, 2, i, 2, 2.0, False) for i in range(2)]
    if numbered:
        assert [result[0] for result in results] == [1, 0]


@pytest.mark.parametrize("role", ["scheduler", "server"])
def test_helpers_of_the_original_end_with_success(role):
    program = "import mxnet; raise ValueError('still here')"
    variables = {**_ranks.rank_variables(0, 1, 1), "DMLC_ROLE": role}
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=variables,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0
    assert not ended.stderr


def test_group_that_takes_gpus_alone_is_refused(monkeypatch):
    _processes.leave()  # of other tests in this process
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_backend_config", lambda: "cuda:nccl")
    with pytest.raises(MXNetError, match="test: needs a group that takes tensors of CPUs"):
        _processes.join("test")


@pytest.fixture
def no_launcher(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "DMLC_ROLE"):
        monkeypatch.delenv(name, raising=False)
    _processes.leave()  # of other tests in this process
    yield
    _processes.leave()
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def make_group_of_torch():
    store = torch.distributed.HashStore()
    torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)


@pytest.mark.usefixtures("no_launcher")
def test_group_that_the_program_made_is_used_and_kept():
    make_group_of_torch()
    group = torch.distributed.group.WORLD
    _processes.join("test")
    assert torch.distributed.group.WORLD is group
    _processes.leave()
    assert torch.distributed.group.WORLD is group


@pytest.mark.usefixtures("no_launcher")
def test_group_that_the_program_makes_later_is_kept():
    _processes.join("test")
    torch.distributed.destroy_process_group()
    make_group_of_torch()
    _processes.leave()
    assert torch.distributed.is_initialized()


@pytest.mark.usefixtures("no_launcher")
def test_process_without_a_launcher_is_alone():
    _processes.join("test")
    assert (_processes.rank(), _processes.size(), _processes.local_rank()) == (0, 1, 0)
    _processes.barrier("test")
    _processes.leave()
    assert not _processes.is_joined()


def test_rank_that_dies_is_reported_at_once(tmp_path):
    ended = _ranks.run_ranks(die_or_wait, 3, tmp_path, check=False)
    assert ended[1].code == -signal.SIGKILL
    for rank in (0, 2):
        assert ended[rank].code == 1
        assert f"MXNetError: Waiting.here: rank {rank} of 3 lost the others" in ended[rank].output
        assert "MXNET_KVSTORE_TIMEOUT" in ended[rank].output


def test_rank_that_hangs_is_reported_after_the_timeout(tmp_path):
    port = _ranks.free_port()
    folders = [tmp_path / str(i) for i in range(2)]
    started = tmp_path / "started"
    started.mkdir()
    env = {"MXNET_KVSTORE_TIMEOUT": "2"}
    processes = [
        _ranks.start(sleep_or_reduce, _ranks.rank_variables(i, 2, port, env), folder, started)
        for i, folder in enumerate(folders)
    ]
    try:
        (first,) = _ranks.finish(processes[:1], folders[:1])
    finally:
        processes[1].kill()
        processes[1].wait()
    assert first.code == 1
    assert "MXNetError: Waiting.here: rank 0 of 2 lost the others" in first.output
    assert "waited for 2 s" in first.output


def test_missing_worker_is_reported_after_the_timeout(tmp_path):
    env = {"MXNET_KVSTORE_TIMEOUT": "1", "DMLC_WORKER_ID": "1"}
    variables = _ranks.worker_variables(2, _ranks.free_port(), env)
    (ended,) = _ranks.finish([_ranks.start(meet, variables, tmp_path)], [tmp_path])
    assert ended.code == 1
    assert "MXNetError: meet: did not meet the other processes of the job" in ended.output


def test_variables_of_the_launcher():
    assert read_worker_job("test", {}) is None
    assert read_worker_job("test", WORKER) == Job("head", 9091, 3, None)
    numbered = read_worker_job("test", {**WORKER, "DMLC_WORKER_ID": "2"})
    assert numbered == Job("head", 9091, 3, 2)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DMLC_ROLE", "boss"),
        ("DMLC_PS_ROOT_URI", ""),
        ("DMLC_PS_ROOT_PORT", "http"),
        ("DMLC_PS_ROOT_PORT", "65536"),
        ("DMLC_NUM_WORKER", "0"),
        ("DMLC_WORKER_ID", "3"),
    ],
)
def test_senseless_variables_raise(name, value):
    with pytest.raises(MXNetError, match=f"^test: .*{name}"):
        read_worker_job("test", {**WORKER, name: value})


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf"])
def test_senseless_timeout_raises(text):
    with pytest.raises(MXNetError, match="MXNET_KVSTORE_TIMEOUT takes a number of seconds"):
        read_timeout("test", {"MXNET_KVSTORE_TIMEOUT": text})
    assert read_timeout("test", {"MXNET_KVSTORE_TIMEOUT": "2.5"}) == 2.5


@pytest.mark.usefixtures("no_launcher")
def test_variables_of_torchrun_without_an_address_are_refused(monkeypatch):
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(MXNetError, match="WORLD_SIZE is '2' and needs MASTER_ADDR, MASTER_PORT"):
        _processes.join("test")


@pytest.mark.parametrize("host", ["$(id)", "8.8.8.8;", "-oProxyCommand=x", "not a host", ""])
def test_addresses_that_can_be_none_are_refused(host):
    variables = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_PORT": "1234", "MASTER_ADDR": host}
    with pytest.raises(MXNetError, match="MASTER_ADDR takes the name or address of a machine"):
        _processes.read_job("test", variables)


@pytest.mark.parametrize("host", ["head-1.local", "10.0.0.1", "::1", "[fe80::1%eth0]"])
def test_names_and_addresses_of_machines_are_taken(host):
    variables = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_PORT": "1234", "MASTER_ADDR": host}
    assert _processes.read_job("test", variables).host == host
