"""The words of an answer, apart from its citations."""

import re
from collections.abc import Iterable

from two_loops.values.evidence import canonical


def without_citations(text: str, files: Iterable[str]) -> str:
    """The text in NFC without the brackets that name one of the files, so that no line number counts as a word of it.

    What else stands in such a bracket is gone too; whether it is a citation at all is for ``two_loops.citations``.
    """
    text = canonical(text)
    names = "|".join(re.escape(canonical(name)) for name in sorted(set(files), key=len, reverse=True))
    return re.sub(rf"\[[^\[\]]*(?:{names})[^\[\]]*\]", "", text) if names else text
