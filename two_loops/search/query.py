"""A query cut into the terms to look for."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from two_loops.search.analysing import analysed, words_in
from two_loops.search.words import UNSPACED, fold
from two_loops.text import well_formed

MAX_TERMS = 64
MAX_QUERY = 2000  # characters

# Quotation marks, brackets and the ends of sentences; not the + of C++ or the # of C#.
_AROUND_A_CODE = "\"'`.,;:!?()[]{}<>*_"
_UNSPACED = re.compile(UNSPACED)


class Term(NamedTuple):
    """Something to look for in analysed text.

    kind: a ``word``; a ``pair`` of characters where a script has no spaces between words; a ``code`` such as 12/03,
    which is several words in a fixed form; or a ``literal`` without any word in it.
    """

    text: str
    kind: str


def terms_of(query: str) -> list[Term]:
    """The query's terms, at most ``MAX_TERMS``, each once: its words, and codes such as 12/03, INV-2031 or a mail
    address, or a number with the word beside it, also as a whole. Without any word, the query itself.
    """
    query = well_formed(query[:MAX_QUERY])
    chunks = analysed(query).split()
    terms = [term for chunk in chunks for term in _terms_of_chunk(chunk)]
    terms += [Term(code, "code") for code in _with_numbers(chunks)]
    literal = fold(query).strip()
    terms = terms or [Term(literal, "literal")] * bool(literal)
    return list(dict.fromkeys(terms))[:MAX_TERMS]


def _terms_of_chunk(chunk: str) -> list[Term]:
    words, code = words_in(chunk), chunk.strip(_AROUND_A_CODE)
    terms = [Term(word, "pair" if _UNSPACED.match(word) else "word") for word in words]
    return [Term(code, "code"), *terms] if words and code not in words else terms


def _with_numbers(chunks: list[str]) -> Iterator[str]:
    """A number and the word before or after it: a day with its month, say."""
    for before, after in pairwise(chunk.strip(_AROUND_A_CODE) for chunk in chunks):
        if before and after and (before.isdecimal() or after.isdecimal()):
            yield f"{before} {after}"
