"""Lines that are passed over: those that seem to speak to the reader, and those about secrets.

A crude filter on a few marker words, there so that the stand-in does not repeat a planted request as if it were a
finding. It is no defence: any rewording gets past it, and an innocent line may be lost. The guards protect a run.
"""

import re

_SPEAKS_TO_THE_READER = re.compile(
    r"^\W*(system|user|assistant|developer)\W*:"
    r"|\b(assistants?|ai|chatbot|language model|system prompt|you must|you are now)\b"
    r"|\b(ignore|disregard|forget)\b.{0,40}\b(instructions?|previous|above|prompt|rules|question)\b",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"\b(passwords?|passcodes?|passphrases?|credentials?|(?-i:PINs?)|pin codes?|api keys?)\b", re.IGNORECASE
)


def trusted(line: str) -> bool:
    """Whether ``line`` holds none of the marker words."""
    return not (_SPEAKS_TO_THE_READER.search(line) or is_secret(line))


def is_secret(text: str) -> bool:
    """Whether ``text`` names a password or the like, which is neither searched for nor said."""
    return bool(_SECRET.search(text))
