"""Examples in the documentation of operators that are rows of tables."""

from __future__ import annotations


def example(*lines: str) -> str:
    """Returns the section of a docstring that shows a session in Python.

    Args:
        *lines: What is typed, with its prompts, and what Python prints.
    """
    session = "\n".join(f"    {line}" for line in (">>> import mxnet as mx", *lines))
    return f"\n\nExample:\n{session}"


def on_elements(name: str, elements: str, results: str, digits: int | None = None) -> str:
    """Returns the section that shows a function of one array.

    Args:
        name: Name of the function in `mx.nd`.
        elements: What it gets, as in the brackets of a list.
        results: What NumPy prints of the result, without its brackets.
        digits: To how many decimals the result is rounded before; None leaves it as it is.
    """
    rounded = "" if digits is None else f".round({digits})"
    call = f"mx.nd.{name}(mx.nd.array([{elements}])).asnumpy(){rounded}"
    return example(f">>> print({call})", f"[{results}]")


def on_pairs(name: str, first: str, second: str, results: str) -> str:
    """Returns the section that shows a function of two arrays.

    Args:
        name: Name of the function in `mx.nd`.
        first: The first array as a nested list.
        second: The second one, or a number.
        results: What NumPy prints of the result.
    """
    other = f"mx.nd.array({second})" if second.startswith("[") else second
    return example(
        f">>> x = mx.nd.array({first})",
        f">>> print(mx.nd.{name}(x, {other}).asnumpy())",
        *results.splitlines(),
    )
