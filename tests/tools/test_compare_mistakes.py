"""`tools/compare_mistakes.py` asks other sources what they say of the table of mistakes."""

from __future__ import annotations

from tools import compare_mistakes

OTHER = """
class MXNetError(Exception):
    pass

class name:
    class NameManager:
        def __enter__(self): ...
        def __exit__(self, *_): ...

class nd:
    @staticmethod
    def fail():
        raise MXNetError("in " + __file__ + chr(10) + chr(10) + "  " + 300 * "x")

autograd = gluon = None
"""


def test_what_other_sources_say_is_told_with_their_frames(tmp_path):
    package = tmp_path / "mxnet"
    (package / "gluon").mkdir(parents=True)
    (package / "__init__.py").write_text(OTHER)
    (package / "gluon" / "__init__.py").write_text("from mxnet.gluon import nn")
    (package / "gluon" / "nn.py").write_text("")
    said = compare_mistakes.say(tmp_path, ["1 / 0", "nd.fail()", "1 + 1"])
    assert said == [
        "0 more: ZeroDivisionError: division by zero",
        f"1 more: MXNetError: in site-packages/mxnet/__init__.py\n   {240 * 'x'}...",
        "0 more: nothing is raised",
    ]


def test_programs_are_those_of_the_table():
    programs = compare_mistakes.read_programs()
    assert len(programs) >= 400
    assert not any("=>" in program for program in programs)
