"""Text from outside, made fit for three readers: an encoder, a model and a line on a screen."""

import re
import unicodedata
from collections.abc import Callable

_LINE_END = re.compile("\r\n?")
_SEPARATOR = re.compile("[\u2028\u2029]")  # no editor counts a line there
_SURROGATE = re.compile("[\ud800-\udfff]")

# Never wanted: controls, bidi embeddings and overrides, tags, and what is invisible in every script.
_NEVER = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINERS = "\u200c\u200d"
_DIRECTION_MARKS = "\u061c\u200e\u200f"
_MONGOLIAN_SELECTORS = "\u180b-\u180d\u180f"
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_IDEOGRAPH_SELECTORS = "\U000e0100-\U000e01ef"
_SELECTORS = _MONGOLIAN_SELECTORS + _EMOJI_SELECTORS + _IDEOGRAPH_SELECTORS
# Wanted only beside the right character, so each run of them is judged by its two neighbours.
_BY_PLACE = _SELECTORS + _JOINERS + _DIRECTION_MARKS

_FORBIDDEN = re.compile(f"[{_NEVER}]+")
_PLACED_RUN = re.compile(f"[{_BY_PLACE}]+")
_UNSEEN_RUN = re.compile(f"[{_NEVER}{_BY_PLACE}\t\n\ud800-\udfff]+")
_NOT_CLEAN = re.compile(f"[{_NEVER}{_BY_PLACE}\ud800-\udfff]")

_EMOJI = re.compile(
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEYCAP_BASE = re.compile("[0-9#*]")
_MONGOLIAN = re.compile("[\u1807\u1820-\u18aa]")
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Blocks of Hebrew, Arabic, Syriac, N'Ko, Mandaic, the Indic family and its relatives, Khmer and Mongolian.
_JOINING_SCRIPT = re.compile(
    "[\u0591-\u077f\u07c0-\u07ff\u0840-\u0dff\u1000-\u109f\u1700-\u18af\u1900-\u1aaf\u1b00-\u1c4f\u1cd0-\u1cff"
    "\ua800-\ua8ff\ua930-\ua95f\ua980-\uaa7f\uaae0-\uaaff\uabc0-\uabff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010aff\U00010d00-\U00010d3f\U00010f30-\U00010faf\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)


def described(value: object, how: Callable[[object], str] = str) -> str:
    """The value in words, or its type's name where its own ``__str__`` or ``__repr__`` fails."""
    try:
        return how(value)
    except Exception:  # noqa: BLE001  # whatever a stranger's method raises, there must be words
        return f"<{type(value).__name__} that can't be shown>"


def well_formed(text: str) -> str:
    """The same text with every surrogate folded to U+FFFD, so that it can be encoded."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def clean(text: str) -> str:
    """Text that a model may read: nothing left that hides, reorders or controls; line ends are ``\\n``.

    Joiners, selectors and direction marks stay, one at a time, where the writing beside them uses them.
    """
    if (text.isascii() and text.isprintable()) or not _NOT_CLEAN.search(text):
        return text
    text = _SEPARATOR.sub(" ", _LINE_END.sub("\n", well_formed(text)))
    text = _FORBIDDEN.sub("", text)
    return _PLACED_RUN.sub(lambda run: _in_place(run.group(), *_neighbours(run)), text)


def visible(text: str) -> str:
    """A name for one line of a screen: line ends, tabs and what ``clean`` would drop are escaped, as in ``\\x1b``."""
    return _UNSEEN_RUN.sub(_shown, text)


def _shown(run: re.Match[str]) -> str:
    """A run of unseen characters as it is when all of it is in place, or else escaped as a whole."""
    unseen = run.group()
    if unseen == _in_place(unseen, *_neighbours(run)):
        return unseen
    return unseen.encode("unicode_escape").decode("ascii")


def _neighbours(run: re.Match[str]) -> tuple[str, str]:
    """The character before and the one after the match, empty at the ends of the text."""
    return run.string[max(run.start() - 1, 0) : run.start()], run.string[run.end() : run.end() + 1]


def _in_place(run: str, before: str, after: str) -> str:
    """What the two neighbours need of the run: at most one selector, one joiner and one direction mark."""
    selector = next((char for char in run if _selects(char, before, after)), "")
    joiner = next((char for char in run if char in _JOINERS and _joins(char, before, after)), "")
    mark = next((char for char in run if char in _DIRECTION_MARKS), "")
    beside_right_to_left = _RIGHT_TO_LEFT.match(before) or _RIGHT_TO_LEFT.match(after)
    return selector + joiner + (mark if beside_right_to_left else "")


def _selects(char: str, before: str, after: str) -> bool:
    if char in _EMOJI_SELECTORS:
        keycap = _KEYCAP_BASE.match(before) and after == "\u20e3"
        return bool(_EMOJI.match(before) or keycap)
    if "\u180b" <= char <= "\u180f":
        return bool(_MONGOLIAN.match(before))
    return char >= "\U000e0100" and bool(_IDEOGRAPH.match(before))


def _joins(joiner: str, before: str, after: str) -> bool:
    if _JOINING_SCRIPT.match(before):
        return unicodedata.category(before)[0] in "LM"
    return joiner == "\u200d" and bool(_EMOJI.match(before) and _EMOJI.match(after))
