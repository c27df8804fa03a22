"""What a text quotes, and the names in it."""

import re
import unicodedata

_LONGEST = 400  # characters of a quotation
_QUOTED = re.compile(
    rf"\"([^\"\n]{{1,{_LONGEST}}})\"|“([^”\n]{{1,{_LONGEST}}})”|„([^“”\n]{{1,{_LONGEST}}})[“”]|«([^»\n]{{1,{_LONGEST}}})»"
    rf"|(?<!\w)'(?=\S)((?:[^'\n]|'(?=\w)){{1,{_LONGEST}}})'(?!\w)"
    rf"|(?<!\w)‘(?=\S)((?:[^’\n]|’(?=\w)){{1,{_LONGEST}}})’(?!\w)"  # noqa: RUF001 - marks that models write
)
_LEFT_OUT = re.compile(r"…|\.\.\.")
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W\d_a-z]\w+(?:[ -][^\W\d_a-z]\w+)*")


def quotations(text: str) -> list[str]:
    """What stands between quotation marks; what the text leaves out of a quotation parts it in two."""
    quoted = (next(part for part in match.groups() if part is not None) for match in _QUOTED.finditer(text))
    return [part.strip() for whole in quoted for part in _LEFT_OUT.split(whole) if words(part)]


def without_quotations(text: str) -> str:
    """The rest of the text."""
    return _QUOTED.sub(" ", text)


def names(sentence: str) -> list[str]:
    """Words that begin with a capital, and not because the sentence begins with them."""
    found = []
    for match in _NAME.finditer(sentence):
        at_the_start = not any(char.isalnum() for char in sentence[: match.start()])
        found.append(match.group().partition(" ")[2] if at_the_start else match.group())
    return [name for name in found if name]


def words(text: str) -> str:
    """The words of a text with a blank around each, without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    found = _WORD.findall(bare)
    return f" {' '.join(found)} " if found else ""
