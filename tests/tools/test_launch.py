"""The launcher: what it starts, and how a job ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mxnet.tools import launch
from tests.distributed import _ranks

SHOW = (
    "import os; names = ['ROLE', 'WORKER_ID', 'NUM_WORKER', 'NUM_SERVER', 'PS_ROOT_URI'];"
    "text = ' '.join(os.environ['DMLC_' + name] for name in names);"
    "open(os.environ['FOLDER'] + '/' + os.environ['DMLC_WORKER_ID'], 'w').write(text + {extra})"
)


@pytest.fixture(autouse=True)
def no_job(monkeypatch):
    """Hides the variables of a job in which the tests themselves may run."""
    for name in list(os.environ):
        if name.startswith("DMLC_"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def time_limit():
    """Ends a job that hangs, and its workers."""

    def give_up(*_):
        raise TimeoutError("the job did not end in time")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(180)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def read_all(folder):
    return [(folder / name).read_text() for name in sorted(os.listdir(folder))]


def test_local_workers_get_variables(tmp_path, monkeypatch):
    monkeypatch.setenv("PASSED", "value")
    program = SHOW.format(extra="' ' + os.environ['PASSED'] + os.environ['OTHER']")
    code = launch.main(
        [
            *("-n", "2", "-s", "1", "--launcher", "local", "--env", f"FOLDER:{tmp_path}"),
            *("--env-worker", "OTHER=a:b", "--env", "PASSED", sys.executable, "-c", program),
        ]
    )
    assert code == 0
    assert read_all(tmp_path) == [f"worker {i} 2 1 127.0.0.1 valuea:b" for i in range(2)]


def test_each_job_has_a_secret_of_its_own(tmp_path, monkeypatch):
    monkeypatch.delenv("MXNET_JOB_TOKEN", raising=False)
    program = f"import os; open('{tmp_path}/' + os.environ['DMLC_WORKER_ID'], 'w').write("
    program += "os.environ['MXNET_JOB_TOKEN'])"
    found = []
    for _ in range(2):
        assert launch.main(["-n", "2", "--launcher", "local", sys.executable, "-c", program]) == 0
        texts = {(tmp_path / str(number)).read_text() for number in range(2)}
        assert len(texts) == 1
        found += texts
    assert found[0] != found[1]
    assert min(map(len, found)) >= 32


@pytest.mark.parametrize("line", ["head:65536", "root@-oProxyCommand=x", "a\x07b", "user@", "@"])
def test_machines_that_can_be_none_are_refused(tmp_path, line, capsys):
    (tmp_path / "hosts").write_text(line)
    assert launch.main(["-n", "1", "-H", str(tmp_path / "hosts"), "true"]) == 2
    assert "hosts: line 1: `host` or `host:port` expected" in capsys.readouterr().err


def test_command_in_one_word_and_without_hostfile_is_local(tmp_path):
    path = tmp_path / "out"
    assert launch.main(["-n", "1", f'{sys.executable} -c \'open("{path}", "w")\'']) == 0
    assert path.exists()


def test_ssh_goes_to_the_hosts_in_turn(tmp_path, monkeypatch):
    programs, folder = tmp_path / "bin", tmp_path / "out"
    programs.mkdir()
    folder.mkdir()
    ssh = programs / "ssh"
    ssh.write_text('#!/bin/sh\nshift 3\nport=$2\nexport HOST="$3:$port"\nexec sh -c "$4"\n')
    ssh.chmod(0o755)
    (tmp_path / "hosts").write_text("# two machines\nuser@127.0.0.1 slots=4\nlocalhost:2222\n")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("MXNET_KVSTORE_TIMEOUT", "5 s")
    extra = "' ' + os.environ['HOST'] + os.environ['MXNET_KVSTORE_TIMEOUT'] + os.getcwd()"
    options = ["--launcher", "ssh", "-H", str(tmp_path / "hosts"), "--env", f"FOLDER:{folder}"]
    code = launch.main(["-n", "3", *options, sys.executable, "-c", SHOW.format(extra=extra)])
    assert code == 0
    hosts = ["user@127.0.0.1:22", "localhost:2222", "user@127.0.0.1:22"]
    assert read_all(folder) == [
        f"worker {i} 3 0 127.0.0.1 {host}5 s{Path.cwd()}" for i, host in enumerate(hosts)
    ]


def test_sync_dst_dir_copies_and_changes_the_folder(tmp_path, monkeypatch):
    programs, there = tmp_path / "bin", tmp_path / "there"
    programs.mkdir()
    there.mkdir()
    (programs / "ssh").write_text('#!/bin/sh\nshift 6\nexec sh -c "$1"\n')
    (programs / "rsync").write_text(f'#!/bin/sh\necho "$@" > {there}/copied\n')
    for name in ("ssh", "rsync"):
        (programs / name).chmod(0o755)
    (tmp_path / "hosts").write_text("localhost\n")
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    options = ["-H", str(tmp_path / "hosts"), "--sync-dst-dir", str(there)]
    assert launch.main(["-n", "1", *options, "cp", "copied", "again"]) == 0
    assert (there / "again").read_text().endswith(f"{Path.cwd()}/ localhost:{there}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "1", "--launcher", "local"], "takes the program that workers run"),
        (["-n", "1", "--env", "1x:2", "true"], "--env takes NAME:VALUE"),
        (["-n", "1", "--env", "NOT_SET_HERE", "true"], "--env takes NAME:VALUE"),
        (["-n", "1", "--sync-dst-dir", "x", "true"], "--sync-dst-dir takes"),
        (["-n", "1", "-H", "/no/such/file", "true"], "No such file"),
        (["-n", "3", "--launcher", "mpi", "true"], "--launcher takes local or ssh, got mpi. Let"),
        (["-n", "3", "--launcher", "sge", "true"], "--launcher takes local or ssh, got sge"),
        (["-n", "3", "--launcher", "yarn", "true"], "--launcher takes local or ssh, got yarn"),
        (["-n", "1", "no-such-program"], "No such file or directory: 'no-such-program'"),
    ],
)
def test_wrong_options_are_explained(arguments, message, capsys):
    assert launch.main(arguments) == 2
    assert f"launch: {message}" in capsys.readouterr().err.replace("[Errno 2] ", "")


@pytest.mark.parametrize(
    ("uri", "port", "message"),
    [
        ("192.0.2.1", "0", "cannot serve 192.0.2.1:0"),
        ("127.0.0.1", "65536", "DMLC_PS_ROOT_PORT takes a number up to 65535"),
    ],
)
def test_impossible_address_is_explained(monkeypatch, capsys, uri, port, message):
    monkeypatch.setenv("DMLC_PS_ROOT_URI", uri)
    monkeypatch.setenv("DMLC_PS_ROOT_PORT", port)
    assert launch.main(["-n", "1", "true"]) == 2
    assert f"launch: {message}" in capsys.readouterr().err


def test_hostfile_without_hosts_or_with_strange_ones(tmp_path):
    path = tmp_path / "hosts"
    names = ["host:ssh", ":22", "-oProxyCommand=true", "a@-oProxy", "@host", "host;true", "$(true)",
             "host:0", "host:65536", "host:" + "9" * 5000, "host:٢٢", "h" * 400, "\0"]  # fmt: skip
    for text in ("# nothing", *names):
        path.write_text(text)
        with pytest.raises(launch.LaunchError, match=str(path)):
            launch.read_hosts(path)


def test_hostfile_that_is_no_text_or_no_file(tmp_path):
    path = tmp_path / "hosts"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(launch.LaunchError, match="byte 0 is not utf-8"):
        launch.read_hosts(path)
    with pytest.raises(launch.LaunchError, match="is a device"):
        launch.read_hosts(Path("/dev/zero"))


def test_names_of_variables_are_no_commands_on_other_machines(monkeypatch):
    monkeypatch.setenv("MXNET_A$(touch owned)", "1")
    monkeypatch.setenv("MXNET_GOOD", "$(touch owned)")
    commands = launch._ssh_commands(["true"], {}, 1, [launch.Host("h", 22)], Path("/there"))
    remote = commands[0].words[-1]
    assert "MXNET_A" not in remote
    assert "MXNET_GOOD='$(touch owned)'" in remote
    for pair in ("a;b:1", "a b:1", "ä:1", "$(a):1", "A:\0"):
        with pytest.raises(launch.LaunchError, match="NAME:VALUE"):
            launch._given_variables([pair])


def test_worker_that_fails_ends_the_others(capsys):
    program = (
        "import os, sys, time\nif os.environ['DMLC_WORKER_ID'] == '1': sys.exit(7)\ntime.sleep(60)"
    )
    begin = time.monotonic()
    assert launch.main(["-n", "3", "--launcher", "local", sys.executable, "-c", program]) == 7
    assert time.monotonic() - begin < 30
    assert "worker 1 ended with exit code 7" in capsys.readouterr().err


def test_worker_that_a_signal_ends_counts_as_failed():
    program = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    code = launch.main(["-n", "1", "--launcher", "local", sys.executable, "-c", program])
    assert code == 128 + signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_passed_on(tmp_path, number):
    program = (
        "import os, signal, sys\n"
        "path = sys.argv[1] + '/' + os.environ['DMLC_WORKER_ID']\n"
        "def note(number, frame):\n"
        "    open(path + '.got', 'w').write(str(number)); sys.exit(0)\n"
        f"signal.signal({int(number)}, note)\n"
        "open(path, 'w').close()\n"
        "signal.alarm(180)\n"
        "while True: signal.pause()\n"
    )
    words = ["-m", "mxnet.tools.launch", "-n", "2", "--launcher", "local"]
    job = subprocess.Popen(
        [sys.executable, *words, sys.executable, "-c", program, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": _ranks.rank_variables(0, 1, 1)["PYTHONPATH"]},
    )
    try:
        deadline = time.monotonic() + 120
        while len(os.listdir(tmp_path)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        job.send_signal(number)
        assert job.wait(60) == 128 + number
    finally:
        job.kill()
    assert sorted(os.listdir(tmp_path)) == ["0", "0.got", "1", "1.got"]
    assert (tmp_path / "1.got").read_text() == str(int(number))


def test_workers_of_the_launcher_share_a_store(tmp_path):
    program = (
        "import mxnet as mx, sys\n"
        "store = mx.kv.create('dist_sync')\n"
        "store.init('a', mx.nd.zeros(1))\n"
        "out = mx.nd.zeros(1)\n"
        "store.pushpull('a', mx.nd.ones(1) * (store.rank + 1), out=out)\n"
        "text = f'{store.rank} {store.num_workers} {out.asscalar()}'\n"
        "open(f'{sys.argv[1]}/{store.rank}', 'w').write(text)\n"
    )
    path = _ranks.rank_variables(0, 1, 1)["PYTHONPATH"]
    options = ["-n", "2", "-s", "1", "--launcher", "local", "--env", f"PYTHONPATH:{path}"]
    options += ["--env", "MXNET_KVSTORE_TIMEOUT:30"]
    assert launch.main([*options, sys.executable, "-c", program, str(tmp_path)]) == 0
    assert read_all(tmp_path) == ["0 2 3.0", "1 2 3.0"]
