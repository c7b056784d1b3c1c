"""Long lists of names, written as text."""


def names_in(text: str) -> list[str]:
    """Returns the words of a text, which are names of functions."""
    return text.split()
