"""The arithmetic of predicted step times."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from tools import predict_scaling as scaling
from tools.predict_scaling import Links, Network

QUIET = Links(4, 100.0, 10.0, 0.0, 0.0, jitter=0.0)
"""Links without latency: 100 bytes a second in a machine of four GPUs, 10 out of it."""

NETWORK = Network("test", 1.0, 2.0, 0.5, gradient_bytes=400.0, parameters=100.0)


def test_a_ring_sends_each_byte_twice_but_for_the_own_share():
    assert scaling.all_reduce_s(200.0, 2, QUIET) == pytest.approx(2 * 1 / 2 * 200 / 100)
    assert scaling.all_reduce_s(200.0, 4, QUIET) == pytest.approx(2 * 3 / 4 * 200 / 100)


def test_between_machines_the_buffer_crosses_each_network_card_twice():
    within = 2 * 3 / 4 * 200 / 100
    assert scaling.all_reduce_s(200.0, 8, QUIET) == pytest.approx(within + 2 * 1 / 2 * 200 / 10)
    assert scaling.all_reduce_s(200.0, 16, QUIET) == pytest.approx(within + 2 * 3 / 4 * 200 / 10)
    half = replace(QUIET, efficiency=0.5)
    assert scaling.all_reduce_s(200.0, 8, half) == pytest.approx(within + 2 * 1 / 2 * 200 / 5)


def test_latencies_count_the_messages():
    slow = replace(QUIET, intra_latency_s=1.0, inter_latency_s=10.0)
    assert scaling.all_reduce_s(0.0, 1, slow) == 0
    assert scaling.all_reduce_s(0.0, 4, slow) == 6
    assert scaling.all_reduce_s(0.0, 32, slow) == 6 + 2 * 3 * 10  # a tree of eight machines
    assert scaling.gather_s(0.0, 32, slow) == 3 + 7 * 10  # a ring of eight machines


def test_gathering_sends_half_of_reducing():
    for ranks in (2, 4, 8, 64):
        whole = scaling.all_reduce_s(300.0, ranks, QUIET)
        assert scaling.gather_s(300.0, ranks, QUIET) == pytest.approx(whole / 2)


def test_buckets_add_up():
    assert scaling.cut_into_buckets(10.0, 4.0) == [4.0, 4.0, 2.0]
    assert scaling.cut_into_buckets(8.0, 4.0) == [4.0, 4.0]
    assert scaling.cut_into_buckets(0.5, 4.0) == [0.5]


def test_buckets_are_those_of_the_trainer():
    megabyte = scaling.MEGABYTE
    assert scaling.cut_into_buckets(0.5 * megabyte) == [0.5 * megabyte]
    assert scaling.cut_into_buckets(2.5 * megabyte) == [megabyte, megabyte, 0.5 * megabyte]
    assert scaling.cut_into_buckets(80 * megabyte)[:3] == [megabyte, 10 * megabyte, 10 * megabyte]
    assert (
        scaling.cut_into_buckets(51 * megabyte)[-1]
        == 51 * megabyte - megabyte - 7 * 6.375 * megabyte
    )
    assert max(scaling.cut_into_buckets(1000 * megabyte)) == 25 * megabyte


def test_one_gpu_sends_nothing():
    for predict in (scaling.predict_replicated, scaling.predict_sharded):
        step = predict(NETWORK, 1, scaling.H200)
        assert step.seconds == pytest.approx(3.5)
        assert (step.sent_bytes, step.exposed_s, step.efficiency) == (0, 0, 1)


def test_only_the_last_bucket_waits_on_fast_links():
    step = scaling.predict_replicated(NETWORK, 2, replace(QUIET, intra=1000.0), bucket_bytes=100.0)
    assert step.exposed_s == pytest.approx(0.1)  # 100 bytes
    assert step.seconds == pytest.approx(3.6)
    assert step.sent_bytes == 400


def test_slow_links_are_the_bottleneck_from_the_first_bucket_on():
    step = scaling.predict_replicated(NETWORK, 2, QUIET, bucket_bytes=100.0)
    # The first bucket is ready half a second into the backward pass; four take a second each.
    assert step.seconds == pytest.approx(1.0 + 0.5 + 4.0 + 0.5)
    without_overlap = scaling.predict_replicated(NETWORK, 2, QUIET, bucket_bytes=400.0)
    assert without_overlap.seconds == pytest.approx(3.5 + 4.0)


def test_sharded_steps_send_half_more_and_keep_a_share():
    whole = scaling.predict_replicated(NETWORK, 4, QUIET)
    split = scaling.predict_sharded(NETWORK, 4, QUIET, layers=4)
    assert split.sent_bytes == pytest.approx(1.5 * whole.sent_bytes)
    assert whole.memory_bytes == 1600
    assert split.memory_bytes == 1600 / 4 + 3 * 100
    # A layer takes 0.75 s to gather, 0.25 s to compute forward and 0.5 s backward.
    waiting = (0.75 + 3 * 0.5) + (0.75 + 3 * 0.25) + 4 * 0.75
    assert split.exposed_s == pytest.approx(waiting)
    assert split.seconds == pytest.approx(3.0 + 0.5 / 4 + waiting)


def test_layers_that_compute_longer_than_they_are_gathered_hide_the_gathering():
    split = scaling.predict_sharded(NETWORK, 4, replace(QUIET, intra=1000.0), layers=4)
    assert split.exposed_s == pytest.approx(2 * 0.075 + 4 * 0.075)


def test_the_slowest_of_many_is_waited_for():
    step = scaling.predict_replicated(NETWORK, 8, replace(scaling.H200, jitter=0.02))
    quiet = scaling.predict_replicated(NETWORK, 8, replace(scaling.H200, jitter=0.0))
    late = 0.02 * 3.5 * math.sqrt(2 * math.log(8))
    assert step.seconds - quiet.seconds == pytest.approx(late)


@pytest.mark.parametrize("ranks", [2, 8])
def test_links_within_a_machine_are_found_from_measured_times(ranks):
    links = Links(ranks, 3e9, 1.0, 2e-5, 0.0)
    points = [(size, scaling.all_reduce_s(size, ranks, links)) for size in (1e3, 1e5, 1e7, 1e8)]
    found = scaling.fit_links(points, ranks, 1, scaling.H200)
    assert found.intra == pytest.approx(3e9)
    assert found.intra_latency_s == pytest.approx(2e-5)
    assert found.inter == scaling.H200.inter


@pytest.mark.parametrize(("local", "nodes"), [(1, 2), (4, 2), (8, 4)])
def test_links_between_machines_are_what_those_within_do_not_explain(local, nodes):
    links = Links(local, 3e9, 1e9, 2e-5, 5e-5)
    points = [
        (size, scaling.all_reduce_s(size, local * nodes, links)) for size in (1e3, 1e5, 1e7, 1e8)
    ]
    before = replace(links, inter=1.0, inter_latency_s=0.0)
    found = scaling.fit_links(points, local * nodes, nodes, before)
    assert found.inter == pytest.approx(1e9)
    assert found.inter_latency_s == pytest.approx(5e-5)


@pytest.mark.parametrize(
    ("points", "ranks", "nodes"),
    [
        ([(1.0, 1.0)], 2, 1),
        ([(1, 1), (2, 2)], 1, 1),
        ([(1, 1), (2, 2)], 3, 2),
        ([(1.0, 2.0), (2.0, 1.0)], 2, 1),
        ([(1.0, 0.001), (2.0, 0.002)], 8, 2),
    ],
)
def test_links_that_cannot_be_found(points, ranks, nodes):
    with pytest.raises(ValueError, match="links: "):
        scaling.fit_links(points, ranks, nodes, QUIET)


@pytest.mark.parametrize(("nodes", "name"), [(1, "intra"), (2, "inter")])
def test_measured_links_replace_the_assumed_ones(nodes, name, tmp_path):
    path = tmp_path / "links.json"
    measured = {"ranks": 2, "nodes": nodes, "points": [[1e3, 1.1e-3], [1e6, 0.1001]]}
    path.write_text(json.dumps(measured))
    links = scaling.read_links(path, QUIET)
    assert getattr(links, name) == pytest.approx(1e7, rel=1e-2)
    assert replace(links, **{name: getattr(QUIET, name)}).efficiency == QUIET.efficiency


def test_the_table_says_that_it_is_simulated():
    lines = scaling.describe(NETWORK, scaling.H200)
    assert "simulated" in lines[0]
    assert [line.split("|")[1].strip() for line in lines[4:]] == [
        f"{ranks:,}" for ranks in scaling.COUNTS
    ]


def test_a_network_of_the_command_line(capsys):
    main = scaling.main
    main(["--bytes", "4e8", "--forward", "1", "--backward", "2", "--gpus", "1", "2"])
    printed = capsys.readouterr().out
    assert "your network (simulated)" in printed
    assert [line.split("|")[1].strip() for line in printed.splitlines()[4:6]] == ["1", "2"]
    assert "3000.00" in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bytes", "4e8"], "takes --bytes, --forward and --backward"),
        (["--update", "1"], "takes --bytes, --forward and --backward"),
        (["--per-node", "0"], "takes a whole number above 0"),
        (["--inter", "-1"], "takes a number above 0"),
        (["--links", "nowhere.json"], "nowhere.json"),
    ],
)
def test_a_senseless_command_line_is_an_error(arguments, said, capsys):
    with pytest.raises(SystemExit):
        scaling.main(arguments)
    assert said in capsys.readouterr().err
