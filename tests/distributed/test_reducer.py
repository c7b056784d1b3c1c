"""The reduction of gradients over two processes, in which rank r computes r + 1 times a gradient.

Three parameters have the gradients f, 2 f and 3 f, whose sums over ranks are 3 f, 6 f and 9 f.
The buckets are so small that each parameter has one.
"""

import pytest

from tests.distributed import reducer_cases
from tests.distributed._ranks import run_once

GRADIENT_BYTES = sum(reducer_cases.LENGTHS) * 2 * 4
NOTE_BYTES = 4 * (1 + len(reducer_cases.LENGTHS))


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    env = {"MXNET_KVSTORE_BUCKET_MB": "1e-6"}
    return run_once(reducer_cases.run_all, 2, tmp_path_factory, env=env)


def test_all_ranks_get_the_sums(ranks):
    for rank, found in enumerate(ranks):
        steps, _ = found["several_steps"]
        for step, (_, (totals, local, num_fresh)) in enumerate(steps, 1):
            assert totals == [3 * step, 6 * step, 9 * step]
            assert local == [(rank + 1) * step * place for place in (1, 2, 3)]
            assert num_fresh == [2, 2, 2]


def test_all_but_the_last_bucket_are_sent_during_the_backward_pass(ranks):
    for found in ranks:
        assert [sent for sent, _ in found["several_steps"][0]] == [2, 2, 2]
        assert found["without_overlap"] == (0, found["several_steps"][0][0][1])


def test_only_gradients_and_a_note_on_each_are_sent(ranks):
    for found in ranks:
        assert found["several_steps"][1] == 3 * (GRADIENT_BYTES + NOTE_BYTES)


def test_gradients_that_are_changed_on_their_way_are_sent_again(ranks):
    for found in ranks:
        assert found["changed_on_the_last_rank"] == ([[3, 6, 103], [3, 6, 103]], False)
        assert found["changed_while_a_graph_is_open"] == [3, 6, 200]


@pytest.mark.parametrize("last_on_ranks", [(), (0,), (0, 1)])
def test_filters_are_added_up_in_the_order_that_all_ranks_have(last_on_ranks, ranks):
    for found in ranks:
        strides, total = found[f"filters {last_on_ranks}"]
        assert strides == ((12, 1, 6, 3) if last_on_ranks == (0, 1) else (12, 4, 2, 1))
        assert total == [3.0 * number for number in range(24)]


def test_a_backward_pass_that_others_do_not_make_counts_for_nothing(ranks):
    for found in ranks:
        assert found["a_pass_more_on_the_first_rank"] == [3, 6, 9]


def test_a_rank_without_a_gradient_adds_nothing(ranks):
    for found in ranks:
        (_, _, before), (totals, _, num_fresh) = found["missing_on_the_first_rank"]
        assert before == [2, 2, 2]
        assert (totals, num_fresh) == ([3, 4, 9], [2, 1, 2])


def test_gradients_that_a_program_writes_are_added_up(ranks):
    for found in ranks:
        totals, _, num_fresh = found["written_by_hand"]
        assert (totals, num_fresh) == ([0, 21, 0], [0, 0, 0])


def test_accumulated_gradients_wait_for_the_last_pass(ranks):
    for found in ranks:
        for sent, (totals, _, _) in found["accumulated"]:
            assert (sent, totals) == (0, [5, 10, 15])


def test_views_of_gradients_show_own_gradients_before_and_sums_after(ranks):
    for rank, found in enumerate(ranks):
        for step, (local, totals, after) in enumerate(found["seen_by_others"], 1):
            own = [(rank + 1) * step * place for place in (1, 2, 3)]
            assert local == own * (len(local) // 3)
            assert totals == [3 * step, 6 * step, 9 * step]
            assert after == totals * (len(after) // 3)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_other_dtypes(ranks, dtype):
    for found in ranks:
        assert found[dtype] == [3, 6, 9]


def test_row_sparse_gradients_are_exchanged_as_rows(ranks):
    for found in ranks:
        (places, values), nothing, num_bytes = found["rows"]
        assert (places, values) == ([0, 2, 5], [1, 3, 2])
        assert nothing == (0,)
        rows_of_two = 2 * (2 * 4 + 8)
        notes = 8 * (1 + 1 + 2)
        assert num_bytes == rows_of_two + 2 * notes


def test_compressed_gradients_keep_what_is_lost(ranks):
    # Rank 0 has 1, 2, 3 and rank 1 has 2, 4, 6 in each of three steps, with a threshold of 2.
    for found in ranks:
        sent, totals = zip(*found["compressed"], strict=True)
        assert totals == ([2, 4, 4], [4, 4, 4], [2, 4, 4])
        assert sent == (3, 3, 3)


def test_compressed_gradients_that_are_sent_again_lose_nothing(ranks):
    # As above, but rank 1 has -3 instead of 6 in the second step, when 4 are left of the first.
    for found in ranks:
        assert found["compressed_and_changed"] == [[2, 4, 4], [4, 4, 2], [2, 4, 4]]


def test_different_parameters_are_an_error_on_every_rank(ranks):
    for found in ranks:
        assert "expected parameters of the same shapes" in found["different_parameters"]
