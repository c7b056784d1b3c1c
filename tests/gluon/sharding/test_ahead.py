"""Gathering parameters while the block before them computes."""

from __future__ import annotations

from mxnet.gluon.sharding._gathering import Ahead


class Bundle:
    """Notes down when it is gathered, in place of exchanging anything."""

    def __init__(self, name, log):
        self.name, self._log = name, log

    def begin(self):
        self._log.append(f"begin {self.name}")
        return self

    def finish(self):
        self._log.append(f"finish {self.name}")
        return [self.name]


class Passes:
    """Makes passes over bundles that have letters for names."""

    def __init__(self):
        self.log = []
        self.bundles = {name: Bundle(name, self.log) for name in "abcx"}
        self.ahead = Ahead()
        self._number = 0

    def run(self, order):
        """Returns what a pass does that gathers bundles in an order, with their computation."""
        self._number += 1
        self.log.clear()
        for name in order:
            assert self.ahead.gather(self.bundles[name], self._number) == [name]
            self.log.append(f"compute {name}")
        self.ahead.end()
        return ", ".join(self.log)


APART = "begin a, finish a, compute a, begin b, finish b, compute b, begin c, finish c, compute c"


def test_a_second_pass_gathers_each_bundle_while_the_one_before_computes():
    passes = Passes()
    assert passes.run("abc") == APART
    for _ in range(2):
        assert passes.run("abc") == (
            "begin a, finish a, begin b, compute a, finish b, begin c, compute b, finish c, "
            "compute c"
        )


def test_bundles_that_are_gathered_several_times_keep_their_places():
    passes = Passes()
    passes.run("abac")
    assert passes.run("abac") == (
        "begin a, finish a, begin b, compute a, finish b, begin a, compute b, finish a, begin c, "
        "compute a, finish c, compute c"
    )


def test_a_pass_that_differs_drops_one_bundle_and_begins_no_more():
    passes = Passes()
    passes.run("abcc")
    assert passes.run("axbc") == (
        "begin a, finish a, begin b, compute a, finish b, begin x, finish x, compute x, "
        "begin b, finish b, compute b, begin c, finish c, compute c"
    )


def test_a_shorter_pass_waits_for_what_it_has_begun():
    passes = Passes()
    passes.run("abc")
    assert passes.run("a") == "begin a, finish a, begin b, compute a, finish b"


def test_networks_do_not_change_the_order_of_others():
    passes = Passes()
    passes.run("abc")
    passes.run("xc")
    assert "begin b, compute a" in passes.run("abc")
    assert "begin c, compute x" in passes.run("xc")


def test_nothing_is_waited_for_after_an_error():
    passes = Passes()
    passes.run("abc")
    passes.log.clear()
    passes.ahead.gather(passes.bundles["a"], "failing")
    passes.ahead.end(waits=False)
    assert passes.log == ["begin a", "finish a", "begin b"]
    assert "begin b, compute a" in passes.run("abc")
