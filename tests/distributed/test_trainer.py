"""A trainer of two processes, of which rank r computes r + 1 times a gradient of ones.

The weights are 1 in the beginning; a step takes half of the sum of gradients and, with a decay of
0.1, a twentieth of the weight away.
"""

import pytest

BOTH = pytest.mark.parametrize("update_on_kvstore", [True, False])


@BOTH
def test_a_gradient_that_one_rank_lacks_is_an_error_on_every_rank(two, update_on_kvstore):
    for found in two:
        error, before, _, _ = found["stale_on_the_first_rank"][update_on_kvstore]
        assert error.startswith("StaleGradientError: Gradient of Parameter")
        assert "in 1 of 2 processes" in error
        assert before == [1, 1]


@BOTH
def test_what_any_rank_has_a_gradient_for_is_updated_on_all(two, update_on_kvstore):
    for found in two:
        _, _, middle, after = found["stale_on_the_first_rank"][update_on_kvstore]
        left, right = 1 - 0.5 * (3 + 0.1), 1 - 0.5 * (2 + 0.1)
        assert middle == pytest.approx([left, right])
        assert after == pytest.approx([left - 0.5 * (3 + 0.1 * left), right])


@BOTH
def test_states_are_saved_and_loaded(two, update_on_kvstore):
    for found in two:
        wanted, loaded = found["states"][update_on_kvstore]
        assert loaded == wanted == two[0]["states"][update_on_kvstore][0]


@BOTH
def test_rates_batch_sizes_and_what_is_trained_may_change(two, update_on_kvstore):
    first = 1 - 0.5 * (3 + 0.1)
    second = first - 0.25 * (1.5 + 0.1 * first)
    third = second - 0.25 * (1.5 + 0.1 * second)
    fourth = third - 0.25 * (1.5 + 0.1 * third)
    last = second - 0.25 * (1.5 + 0.1 * second)
    wanted = [[first, first], [second, second], [third, second], [fourth, last]]
    for found in two:
        for weights, numbers in zip(
            found["numbers_that_change"][update_on_kvstore], wanted, strict=True
        ):
            assert weights == pytest.approx(numbers)


@BOTH
def test_weights_stay_equal_if_an_optimizer_adds_noise(two, update_on_kvstore):
    first, second = (found["noise"][update_on_kvstore] for found in two)
    assert first == second
    assert first[0] != first[1]


def test_all_ranks_start_from_the_values_of_the_first(two):
    first, second = (found["first_values"] for found in two)
    assert first == second
    assert 0 not in (first[0], first[2])  # the weights, of which one had no shape


def test_a_store_can_be_given_and_has_the_weights(two):
    for found in two:
        pulled, weight, num_workers = found["store_of_ones_own"]
        assert pulled == weight == pytest.approx(1 - 0.5 * (3 + 0.1))
        assert num_workers == 2


def test_what_is_refused(two):
    for found in two:
        reduced, updated, asynchronous, horovod = found["refused"]
        assert "Trainer.allreduce_grads: with update_on_kvstore a step adds up" in reduced
        assert "Trainer.update: with update_on_kvstore a step adds up" in updated
        assert "'dist_async' updates weights by the gradients of one process" in asynchronous
        assert "a store 'horovod' has no optimizer" in horovod


def test_gradients_of_one_process_after_the_other_update_an_asynchronous_store(two):
    first = 1 - 0.5 * (1 + 0.1)
    second = first - 0.5 * (2 + 0.1 * first)
    for found in two:
        assert found["asynchronous"] == pytest.approx([second, second])


def test_gradients_stay_own_ones_if_the_store_updates_and_become_sums_otherwise(two):
    for rank, found in enumerate(two):
        assert found["gradients_of_a_step"] == {True: [rank + 1] * 2, False: [3, 3]}
