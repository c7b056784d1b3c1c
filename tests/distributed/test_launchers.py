"""One unchanged program under every launcher: the workers learn what one process learns."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests.distributed import _ranks, train_with_launcher

PROGRAM = str(Path(train_with_launcher.__file__))


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one")
    variables = _ranks.rank_variables(0, 1, _ranks.free_port())
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        del variables[name]
    run([PROGRAM, folder], variables)
    return read(folder, 0)


def run(words, variables):
    """Runs a program, and ends all that it has started if it takes too long."""
    process = subprocess.Popen(
        [sys.executable, *map(str, words)],
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            output, _ = process.communicate(timeout=180)
        except subprocess.TimeoutExpired:
            process.terminate()  # launchers pass it on
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            raise
    assert process.returncode == 0, output


def read(folder, rank):
    with np.load(folder / f"{rank}.npz") as arrays:
        return list(arrays.values())


def assert_learnt(folder, expected):
    for rank in range(2):
        for array, wanted in zip(read(folder, rank), expected, strict=True):
            np.testing.assert_allclose(array, wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "launcher",
    [
        ["torch.distributed.run", "--standalone", "--nproc-per-node", "2"],
        ["mxnet.tools.launch", "-n", "2", "-s", "1", "--launcher", "local", sys.executable],
    ],
    ids=["torchrun", "launch"],
)
def test_workers_learn_what_one_process_learns(tmp_path, expected, launcher):
    variables = _ranks.worker_variables(1, 1)
    for name in [name for name in variables if name.startswith("DMLC_")]:
        del variables[name]
    run(["-m", *launcher, PROGRAM, tmp_path], variables)
    assert_learnt(tmp_path, expected)


def test_job_script_of_the_original_runs(tmp_path, expected):
    """A scheduler, a server and workers without numbers, all of which run the same program."""
    port = _ranks.free_port()
    roles = ["scheduler", "server", "worker", "worker"]
    folders = [tmp_path / f"{i}" for i in range(len(roles))]
    with Path(PROGRAM).open() as file:
        text = file.read()
    processes = [
        _ranks.start(text, _ranks.worker_variables(2, port, {"DMLC_ROLE": role}), folder, tmp_path)
        for role, folder in zip(roles, folders, strict=True)
    ]
    ended = _ranks.finish(processes, folders)
    assert [one.code for one in ended] == [0] * 4, [one.output for one in ended]
    assert_learnt(tmp_path, expected)
