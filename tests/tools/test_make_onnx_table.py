"""The table of operators in ONNX is that of today."""

from tools.make_onnx_table import PAGE, is_current


def test_the_page_lists_the_operators_of_today():
    assert is_current(PAGE.read_text(encoding="utf-8"))


def test_other_pages_are_not_current():
    page = PAGE.read_text(encoding="utf-8")
    assert not is_current(page.replace("| `relu` |", "| `other` |"))
    assert not is_current(page.replace("`_linalg_potrf`, ", ""))
