"""Counting tokens and numbering them: `mx.contrib.text.vocab`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from mxnet._start import PublicInit, tracebacks
from mxnet.errors import InvalidArgumentError, UnsuitableArgumentError

UNKNOWN_INDEX = 0
"""Index that all tokens share which are not in a vocabulary."""


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: Counter[str] | None = None,
) -> Counter[str]:
    """Counts the tokens of a text; empty ones do not count.

    Args:
        source_str: The text.
        token_delim: Regular expression of what separates tokens.
        seq_delim: Regular expression of what separates sequences of tokens.
        to_lower: Whether to count tokens in lower case.
        counter_to_update: Counts to add to, in place.

    Returns:
        The counts: `counter_to_update` if that is given.

    Example:
        >>> count_tokens_from_str("a b b")
        Counter({'b': 2, 'a': 1})
    """
    tokens = filter(None, re.split(token_delim + "|" + seq_delim, source_str))
    words = [token.lower() for token in tokens] if to_lower else list(tokens)
    if counter_to_update is None:
        return Counter(words)
    counter_to_update.update(words)
    return counter_to_update


class Vocabulary(PublicInit):
    """Numbers for tokens: the unknown token is 0, then come reserved tokens, then frequent ones.

    Counted tokens are ordered by how often they occur, equally frequent ones by themselves.

    Args:
        counter: How often each token occurs; None for a vocabulary without counted tokens.
        most_freq_count: How many counted tokens to take, all if not given. Tokens that are unknown
            or reserved are not among them.
        min_freq: How often a counted token must occur, more than 0.
        unknown_token: What stands for all other tokens.
        reserved_tokens: Tokens that are taken whether they occur or not, all different.

    Example:
        >>> from collections import Counter
        >>> Vocabulary(Counter("abbc"), most_freq_count=2).idx_to_token
        ['<unk>', 'b', 'a']
    """

    def __init__(
        self,
        counter: Counter[Any] | None = None,
        most_freq_count: int | None = None,
        min_freq: float = 1,
        unknown_token: Hashable = "<unk>",
        reserved_tokens: Sequence[Hashable] | None = None,
    ) -> None:
        if not min_freq > 0:
            raise InvalidArgumentError(f"Vocabulary: min_freq takes more than 0, got {min_freq}")
        if reserved_tokens is not None:
            _check_reserved(reserved_tokens, unknown_token)
        self._unknown_token = unknown_token
        self._reserved_tokens = None if reserved_tokens is None else reserved_tokens[:]
        self._idx_to_token: list[Any] = [unknown_token, *(reserved_tokens or ())]
        self._token_to_idx = {token: index for index, token in enumerate(self._idx_to_token)}
        if counter is not None:
            self._add_counted(counter, most_freq_count, min_freq)

    def _add_counted(
        self, counter: Counter[Any], most_freq_count: int | None, min_freq: float
    ) -> None:
        if not isinstance(counter, Counter):
            raise InvalidArgumentError(
                f"Vocabulary: counter takes a collections.Counter, got {type(counter).__name__}"
            )
        wanted = len(counter) if most_freq_count is None else most_freq_count
        size = len(self._idx_to_token) + wanted
        by_token = sorted(counter.items(), key=lambda item: item[0])
        for token, count in sorted(by_token, key=lambda item: item[1], reverse=True):
            # Equality, not order: a negative number means all, as it does in the original.
            if count < min_freq or len(self._idx_to_token) == size:
                break
            if token not in self._token_to_idx:
                self._add(token)

    def _add(self, token: Hashable) -> None:
        self._token_to_idx[token] = len(self._idx_to_token)
        self._idx_to_token.append(token)

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict[Any, int]:
        """Index of each token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list[Any]:
        """The tokens, in the order of their indices."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> Any:
        """What stands for tokens that are not in the vocabulary."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> Any:
        """The reserved tokens as they were given, or None."""
        return self._reserved_tokens

    def to_indices(self, tokens: Any) -> Any:
        """Returns the index of a token, or a list of indices for a list of tokens.

        Args:
            tokens: A token or a list of them; 0 is the index of unknown ones.
        """
        if isinstance(tokens, list):
            return [self._token_to_idx.get(token, UNKNOWN_INDEX) for token in tokens]
        return self._token_to_idx.get(tokens, UNKNOWN_INDEX)

    def to_tokens(self, indices: Any) -> Any:
        """Returns the token of an index, or a list of tokens for a list of indices.

        Args:
            indices: A Python integer or a list of them; negative ones count from the end.

        Raises:
            UnsuitableArgumentError: if an index is too large or not a Python integer.
        """
        wanted = indices if isinstance(indices, list) else [indices]
        largest = len(self._idx_to_token) - 1
        for index in wanted:
            if not isinstance(index, int) or index > largest:
                raise UnsuitableArgumentError(
                    f"to_tokens: an index is an integer of at most {largest}, got {index!r}"
                )
        words = [self._idx_to_token[index] for index in wanted]
        return words if isinstance(indices, list) else words[0]


def _check_reserved(reserved: Sequence[Hashable], unknown: Hashable) -> None:
    different = set(reserved)
    if unknown in different:
        raise InvalidArgumentError(
            f"Vocabulary: the unknown token {unknown!r} cannot be a reserved token too"
        )
    if len(different) != len(reserved):
        twice = sorted(repr(token) for token, count in Counter(reserved).items() if count > 1)
        raise InvalidArgumentError(
            f"Vocabulary: reserved tokens must differ, got {', '.join(twice)} more than once"
        )


tracebacks.public_functions(globals())
